"""Retrograde labelling of a decision graph: plain functions, compiled for large graphs and run as they are for small.

A graph is numbered nodes with edges in rows: ``targets[offsets[i]:offsets[i + 1]]`` are the successors of node i.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
ResultT = TypeVar("ResultT")


def by_python(function: Callable[..., ResultT], *arguments: Any) -> ResultT:
    """Run one of these functions without the compiler, on views of its arrays: Python indexes those more quickly."""
    return function(*[memoryview(each) if isinstance(each, np.ndarray) else each for each in arguments])  # type: ignore[arg-type]


def by_compiler(function: Callable[..., ResultT], *arguments: Any) -> ResultT:
    """Run one of these functions compiled."""
    result: ResultT = _compiled(function)(*arguments)
    return result


@functools.cache
def _compiled(function: Callable[..., ResultT]) -> Callable[..., ResultT]:
    from amazons_solver.kernel.compiling import compiled  # noqa: PLC0415 (numba takes half a second to load)

    return compiled(function)


def transpose(offsets: Numbers, targets: Numbers, starts: Numbers, sources: Numbers) -> None:
    """Write the edges in rows by target: ``sources[starts[i]:starts[i + 1]]`` are the predecessors of node i.

    Args:
        offsets: the rows.
        targets: the edges.
        starts: zeros, two more than there are nodes.
        sources: room for as many as there are edges.
    """
    for edge in range(len(targets)):
        starts[targets[edge] + 2] += 1
    for node in range(2, len(starts)):
        starts[node] += starts[node - 1]
    # starts[i + 1] is now where row i begins, and becomes where it ends.
    for node in range(len(offsets) - 1):
        for edge in range(offsets[node], offsets[node + 1]):
            place = starts[targets[edge] + 1]
            sources[place] = node
            starts[targets[edge] + 1] = place + 1


def reach_back(starts: Numbers, sources: Numbers, marks: Numbers, mark: int, pending: Numbers, count: int) -> None:
    """Mark nodes, and all from which they can be reached (backward reachability), unless these have a mark.

    Args:
        starts: the rows of the edges by target (see `transpose`).
        sources: these edges.
        marks: by node, its mark; 0 without one.
        mark: the mark.
        pending: room for all nodes, which begins with those to mark; none of them has a mark.
        count: how many those are.
    """
    for i in range(count):
        marks[pending[i]] = mark
    while count > 0:
        count -= 1
        node = pending[count]
        for edge in range(starts[node], starts[node + 1]):
            source = sources[edge]
            if marks[source] == 0:
                marks[source] = mark
                pending[count] = source
                count += 1


def zero_one_search(
    offsets: Numbers, targets: Numbers, moves: Numbers, costly: int, fewest: Numbers, queue: Numbers, pending: Numbers
) -> None:
    """By node, the fewest moves of one kind on any path to it from node 0, plus 1: a 0-1 breadth-first search.

    Args:
        offsets: the rows of the edges.
        targets: the edges.
        moves: by edge, the kind of its move.
        costly: the kind that counts; a node has one such move at most.
        fewest: zeros, one for each node.
        queue: room for one more than there are nodes.
        pending: room for all nodes.
    """
    begin, end, cost = 0, 1, 1
    queue[0] = 0
    while begin < end:
        last = end
        for i in range(begin, last):
            if fewest[queue[i]] != 0:
                continue
            fewest[queue[i]] = cost
            pending[0] = queue[i]
            count = 1
            while count > 0:
                count -= 1
                node = pending[count]
                for edge in range(offsets[node], offsets[node + 1]):
                    target = targets[edge]
                    if moves[edge] == costly:
                        queue[end] = target
                        end += 1
                    elif fewest[target] == 0:
                        fewest[target] = cost
                        pending[count] = target
                        count += 1
        begin = last
        cost += 1


def mark_cycles(onward: Numbers, walks: Numbers, cycle: Numbers) -> None:
    """Mark the nodes on cycles, where each node has one successor at most.

    Args:
        onward: by node, its successor plus 1, or 0.
        walks: zeros, one for each node.
        cycle: the marks: false for each node.
    """
    for start in range(len(onward)):
        node = start + 1
        while node != 0 and walks[node - 1] == 0:
            walks[node - 1] = start + 1
            node = onward[node - 1]
        if node != 0 and walks[node - 1] == start + 1:
            while not cycle[node - 1]:
                cycle[node - 1] = True
                node = onward[node - 1]
