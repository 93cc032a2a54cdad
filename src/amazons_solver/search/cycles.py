"""Cycles of an explored graph."""

from array import array
from collections.abc import Sequence


def count_cycles(size: int, sources: Sequence[int], offsets: Sequence[int], targets: Sequence[int]) -> int:
    """Count the strongly connected components that hold a cycle: two states or more, or one that leads to itself.

    Tarjan's algorithm with a stack of its own, since a chain of redeals may be longer than Python recurses.

    Args:
        size: the number of states, which are 0 … size - 1.
        sources: the states that have been expanded, each once.
        offsets: ``targets[offsets[i]:offsets[i + 1]]`` are the successors of ``sources[i]``.
        targets: the successors of all expanded states.
    """
    position, end = array("q", bytes(8 * size)), array("q", bytes(8 * size))
    for i, source in enumerate(sources):
        position[source], end[source] = offsets[i], offsets[i + 1]
    unvisited, closed = 0, size + 1  # visit numbers run from 1 to size
    visit = array("q", bytes(8 * size))
    low = array("q", bytes(8 * size))  # the lowest visit number known to be reachable in the component
    leads_to_itself = bytearray(size)
    component: list[int] = []
    visits = cycles = 0
    for root in sources:
        if visit[root] != unvisited:
            continue
        path = [root]
        while path:
            state = path[-1]
            if visit[state] == unvisited:
                visits += 1
                visit[state] = low[state] = visits
                component.append(state)
            if position[state] < end[state]:
                target = targets[position[state]]
                if target == state:
                    leads_to_itself[state] = True
                if visit[target] == unvisited:
                    path.append(target)  # and come back to the same move, to take over the target's `low`
                    continue
                position[state] += 1
                low[state] = min(low[state], low[target])
                continue
            path.pop()
            if low[state] == visit[state]:
                members = 0
                while low[state] != closed:
                    low[component.pop()] = closed
                    members += 1
                cycles += members > 1 or bool(leads_to_itself[state])
    return cycles
