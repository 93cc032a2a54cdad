"""The search: one loop, two frontiers."""

import sys
import time
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import Literal, TypeVar, get_args

from amazons_solver.errors import OptionError
from amazons_solver.search.cycles import count_cycles
from amazons_solver.search.limits import Limits
from amazons_solver.search.problem import Problem
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason

__all__ = ["Edge", "Order", "explore"]

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")

Order = Literal["bfs", "dfs"]
Edge = tuple[MoveT, int, StateT]
"""A move followed: the move, the index of the stored state that it leads to, and the state as the move makes it."""

# What a stored state takes beside its key: a slot of the index, its number, the parent, the move, the edges' targets.
_BYTES_STORED = 200
# What a state that waits in the frontier takes beside itself.
_BYTES_WAITING = 80
_EXPANSIONS_BETWEEN_CHECKS = 64
_SECONDS_BETWEEN_REPORTS = 0.2


def explore(
    problem: Problem[StateT, MoveT],
    *,
    order: Order = "bfs",
    stop_at_goal: bool = True,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_expand: Callable[[int, StateT, Sequence[Edge[MoveT, StateT]]], None] | None = None,
) -> SearchResult[MoveT]:
    """Visit every state that can be reached from the initial one, each once.

    A state is stored when it is generated for the first time, and numbered in that order from 0. Breadth first, states
    are expanded in the order of their numbers, and the line found is one of fewest moves. Depth first, the state stored
    last goes first, and of the successors of one state the first. Both see the same states if nothing cuts them short.
    The search goes on from the state that was generated, also where its key stands for others.

    Args:
        problem: the state space.
        order: ``"bfs"`` or ``"dfs"``.
        stop_at_goal: end as soon as a goal is generated.
        limits: when to give up; the default limits when absent.
        progress: called with the counts so far a few times a second.
        on_expand: called for every state that has been expanded, with its number, the state and the moves followed.

    Returns:
        why it ended, the line to the first goal, and the counts. Ctrl-C ends the search as a limit does.

    Raises:
        OptionError: there is no such order.
    """
    if order not in get_args(Order):
        raise OptionError(f"expected order to be one of {', '.join(get_args(Order))}; got {order!r}")
    limits = limits or Limits()
    breadth_first = order == "bfs"
    started = time.monotonic()
    root = problem.initial()
    root_key = problem.key(root)
    index: dict[Hashable, int] = {root_key: 0}
    parents, moves = array("q", [-1]), list[MoveT | None]([None])
    sources, offsets, targets = array("q"), array("q", [0]), array("q")
    goals: list[int] = [0] if problem.is_goal(root) else []
    dead_ends = duplicates = 0
    frontier: deque[tuple[int, StateT]] = deque([(0, root)])
    take = frontier.popleft if breadth_first else frontier.pop
    bytes_stored = sys.getsizeof(root_key) + _BYTES_STORED
    bytes_waiting = problem.size_of(root) + _BYTES_WAITING
    most_states = limits.states or sys.maxsize
    next_report = started + _SECONDS_BETWEEN_REPORTS

    def counts(cycles: int | None) -> Stats:
        return Stats(
            states=len(parents),
            generated=len(parents) + duplicates,
            duplicates=duplicates,
            expanded=len(sources),
            goals=len(goals),
            dead_ends=dead_ends,
            cycles=cycles,
            seconds=time.monotonic() - started,
        )

    def search() -> StopReason:
        nonlocal dead_ends, duplicates, next_report
        if goals and stop_at_goal:
            return StopReason.GOAL
        successors, key_of, is_goal, known = problem.successors, problem.key, problem.is_goal, index.get
        while frontier:
            if len(sources) % _EXPANSIONS_BETWEEN_CHECKS == 0:
                now = time.monotonic()
                if limits.seconds is not None and now - started >= limits.seconds:
                    return StopReason.SECONDS
                used = len(parents) * bytes_stored + len(frontier) * bytes_waiting
                if limits.memory_bytes is not None and used > limits.memory_bytes:
                    return StopReason.MEMORY
                if progress is not None and now >= next_report:
                    next_report = now + _SECONDS_BETWEEN_REPORTS
                    progress(counts(None))
            number, state = take()
            fresh: list[tuple[int, StateT]] = []
            edges: list[Edge[MoveT, StateT]] = []
            followed = successors(state)
            for move, child in followed:
                key = key_of(child)
                target = known(key)
                if target is None:
                    target = len(parents)
                    if target == most_states:
                        return StopReason.STATES
                    index[key] = target
                    moves.append(move)
                    parents.append(number)
                    fresh.append((target, child))
                    if is_goal(child):
                        goals.append(target)
                        if stop_at_goal:
                            return StopReason.GOAL
                else:
                    duplicates += 1
                targets.append(target)
                if on_expand is not None:
                    edges.append((move, target, child))
            if not followed and not is_goal(state):
                dead_ends += 1
            sources.append(number)
            offsets.append(len(targets))
            frontier.extend(fresh if breadth_first else reversed(fresh))
            if on_expand is not None:
                on_expand(number, state, edges)
        return StopReason.EXHAUSTED

    try:
        reason = search()
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPTED
    line = _line(parents, moves, goals[0]) if goals else None
    cycles = None if reason.is_limit else count_cycles(len(parents), sources, offsets, targets)
    return SearchResult(reason, line, counts(cycles))


def _line(parents: Sequence[int], moves: Sequence[MoveT | None], goal: int) -> tuple[MoveT, ...]:
    """The moves from the initial state to a stored one."""
    line = []
    number = goal
    while parents[number] >= 0:
        line.append(moves[number])
        number = parents[number]
    return tuple(move for move in reversed(line) if move is not None)
