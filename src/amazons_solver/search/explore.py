"""The search: one loop, two frontiers."""

import sys
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, Literal, TypeVar, get_args

import attrs

from amazons_solver.errors import OptionError
from amazons_solver.search import cycles
from amazons_solver.search.limits import Limits
from amazons_solver.search.problem import Problem
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason
from amazons_solver.search.watch import EXPANSIONS_BETWEEN_CHECKS, Watch

__all__ = ["Edge", "Order", "explore"]

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")

Order = Literal["bfs", "dfs"]
Edge = tuple[MoveT, int, StateT]
"""A move followed: the move, the number of the stored state that it leads to, and the state as the move makes it."""

# Bytes of a stored state besides its key: a slot of the index, its number, the parent, the move, the edges' targets.
_BYTES_STORED = 150
# Bytes of a state that waits in the frontier, besides itself.
_BYTES_WAITING = 80


def explore(
    problem: Problem[StateT, MoveT],
    *,
    order: Order = "bfs",
    stop_at_goal: bool = True,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_expand: Callable[[int, StateT, Sequence[Edge[MoveT, StateT]]], None] | None = None,
    count_cycles: bool = False,
) -> SearchResult[MoveT]:
    """Visit every state that can be reached from the initial one, each once.

    A state is stored when it is generated for the first time, and numbered in that order from 0. Breadth first, states
    are expanded in the order of their numbers, and the line found is one of fewest moves. Depth first, the successors
    of the state expanded last go first, and among them the first. Both see the same states if nothing cuts them short.
    The search continues from the state that was generated, even where its key stands for others.

    Args:
        problem: the state space.
        order: ``"bfs"`` or ``"dfs"``.
        stop_at_goal: end as soon as a goal is generated.
        limits: when to give up; the default limits when absent.
        progress: called with the counts so far a few times a second.
        on_expand: called for every state that has been expanded, with its number, the state and the moves followed.
        count_cycles: count the cycles too, unless a limit cuts the search short; that takes a sixth of the time more.

    Returns:
        why it ended, the line to the first goal, and the counts. Ctrl-C ends the search as a limit does.

    Raises:
        OptionError: there is no such order.
    """
    if order not in get_args(Order):
        raise OptionError(f"expected order to be one of {', '.join(get_args(Order))}; got {order!r}")
    watch = Watch(limits or Limits(), progress)
    store: _Store[MoveT] = _Store(watch)
    try:
        reason = _search(problem, order, stop_at_goal, store, watch, on_expand)
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPTED
    line = tuple(store.line_to(store.goals[0])) if store.goals else None
    stats = store.counts()
    if count_cycles and not reason.is_limit:
        counted = cycles.count_cycles(stats.states, store.sources, store.offsets, store.targets)
        stats = attrs.evolve(stats, cycles=counted, seconds=watch.seconds)
    return SearchResult(reason, line, stats)


@attrs.define
class _Store(Generic[MoveT]):
    """What a search has seen: states by number, and the moves followed, as flat arrays."""

    watch: Watch
    index: dict[Hashable, int] = attrs.field(factory=dict)
    parents: "array[int]" = attrs.field(factory=lambda: array("q"))
    moves: list[MoveT | None] = attrs.field(factory=list)
    """By state: the move by which it was first generated; none for the initial state."""
    sources: "array[int]" = attrs.field(factory=lambda: array("q"))
    """The expanded states; ``targets[offsets[i]:offsets[i + 1]]`` are the successors of ``sources[i]``."""
    offsets: "array[int]" = attrs.field(factory=lambda: array("q", [0]))
    targets: "array[int]" = attrs.field(factory=lambda: array("q"))
    goals: list[int] = attrs.field(factory=list)
    duplicates: int = 0
    dead_ends: int = 0

    def counts(self) -> Stats:
        states, expanded = len(self.parents), len(self.sources)
        return self.watch.counts(states, self.duplicates, expanded, len(self.goals), self.dead_ends)

    def line_to(self, number: int) -> Iterator[MoveT]:
        """The moves from the initial state to a stored one."""
        backwards = []
        while (move := self.moves[number]) is not None:
            backwards.append(move)
            number = self.parents[number]
        return reversed(backwards)


def _search(  # noqa: C901 (the one loop: a call for every state and move would double its time)
    problem: Problem[StateT, MoveT],
    order: Order,
    stop_at_goal: bool,
    store: _Store[MoveT],
    watch: Watch,
    on_expand: Callable[[int, StateT, Sequence[Edge[MoveT, StateT]]], None] | None,
) -> StopReason:
    breadth_first = order == "bfs"
    successors, key_of, is_goal = problem.successors, problem.key, problem.is_goal
    index, parents, moves, targets = store.index, store.parents, store.moves, store.targets
    most_states = watch.limits.states or sys.maxsize

    root = problem.initial()
    root_key = key_of(root)
    index[root_key] = 0
    moves.append(None)
    parents.append(-1)
    if is_goal(root):
        store.goals.append(0)
        if stop_at_goal:
            return StopReason.GOAL
    bytes_stored = sys.getsizeof(root_key) + _BYTES_STORED
    bytes_waiting = problem.size_of(root) + _BYTES_WAITING

    frontier: deque[tuple[int, StateT]] = deque([(0, root)])
    take = frontier.popleft if breadth_first else frontier.pop
    expansions = 0
    while frontier:
        if expansions % EXPANSIONS_BETWEEN_CHECKS == 0:
            hit = watch.limit_hit(len(parents) * bytes_stored + len(frontier) * bytes_waiting)
            if hit is not None:
                return hit
            watch.report(store.counts)
        expansions += 1
        number, state = take()
        fresh: list[tuple[int, StateT]] = []
        edges: list[Edge[MoveT, StateT]] = []
        followed = successors(state)
        for move, child in followed:
            key = key_of(child)
            target = index.get(key)
            if target is None:
                target = len(parents)
                if target == most_states:
                    return StopReason.STATES
                index[key] = target
                moves.append(move)
                parents.append(number)
                fresh.append((target, child))
                if is_goal(child):
                    store.goals.append(target)
                    if stop_at_goal:
                        return StopReason.GOAL
            else:
                store.duplicates += 1
            targets.append(target)
            if on_expand is not None:
                edges.append((move, target, child))
        if not followed and not is_goal(state):
            store.dead_ends += 1
        store.sources.append(number)
        store.offsets.append(len(targets))
        frontier.extend(fresh if breadth_first else reversed(fresh))
        if on_expand is not None:
            on_expand(number, state, edges)
    return StopReason.EXHAUSTED
