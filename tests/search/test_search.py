"""The search on toy graphs whose orders and counts are worked out by hand."""

from collections.abc import Hashable, Sequence

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver.errors import OptionError
from amazons_solver.search.cycles import count_cycles
from amazons_solver.search.explore import Edge, Order, explore
from amazons_solver.search.limits import Limits
from amazons_solver.search.memory import usable_memory
from amazons_solver.search.result import SearchResult, Stats, StopReason


@attrs.frozen
class Toy:
    """A graph given as adjacency lists; a move is named by its two ends."""

    edges: dict[str, str]
    goals: str = ""
    start: str = "a"
    same: dict[str, str] = attrs.field(factory=dict)
    """States that share the identity of another."""

    def initial(self) -> str:
        return self.start

    def successors(self, state: str) -> Sequence[tuple[str, str]]:
        return [(state + target, target) for target in self.edges.get(state, "")]

    def is_goal(self, state: str) -> bool:
        return state in self.goals

    def key(self, state: str) -> Hashable:
        return self.same.get(state, state)

    def size_of(self, state: str) -> int:
        return 50 + len(state)


#        a
#       / \        c leads back to a: a cycle a b c; d is a dead end; e and f are a cycle of two;
#      b   e       h leads to itself.
#     / \ / \
#    c   d   f
GRAPH = {"a": "be", "b": "cd", "c": "a", "e": "df", "f": "eh", "h": "h"}


def expansions(problem: Toy, order: Order) -> str:
    seen: list[str] = []
    explore(problem, order=order, stop_at_goal=False, on_expand=lambda _, state, __: seen.append(state))
    return "".join(seen)


def test_breadth_first_expands_in_the_order_of_discovery() -> None:
    assert expansions(Toy(GRAPH), "bfs") == "abecdfh"


def test_depth_first_goes_down_the_first_move_before_the_second() -> None:
    assert expansions(Toy(GRAPH), "dfs") == "abcdefh"


@pytest.mark.parametrize("order", ["bfs", "dfs"])
def test_counts_are_exact(order: Order) -> None:
    result = explore(Toy(GRAPH), order=order, stop_at_goal=False, count_cycles=True)
    # 7 states, 10 moves: with the initial state 11 generated, 4 of them known before.
    assert attrs.evolve(result.stats, seconds=0) == Stats(
        states=7, generated=11, duplicates=4, expanded=7, goals=0, dead_ends=1, cycles=3, seconds=0
    )
    assert result.stop_reason is StopReason.EXHAUSTED
    assert result.line is None


def test_breadth_first_finds_a_line_of_fewest_moves() -> None:
    long_way_first = Toy({"a": "bx", "b": "c", "c": "x", "x": ""}, goals="x")
    assert explore(long_way_first, order="bfs").line == ("ax",)
    deep = Toy({"a": "bz", "b": "c", "c": "x", "z": ""}, goals="xz")
    assert explore(deep, order="dfs").line == ("az",)  # a goal ends the search as soon as it is generated


def test_goals_are_counted_when_the_search_goes_on() -> None:
    toy = Toy({"a": "bc", "b": "d", "c": "d"}, goals="bd")
    result = explore(toy, stop_at_goal=False)
    assert (result.stats.goals, result.line, result.stop_reason) == (2, ("ab",), StopReason.EXHAUSTED)
    assert result.stats.dead_ends == 0  # d has no move, but it is a goal


def test_a_start_that_is_a_goal_needs_no_move() -> None:
    result = explore(Toy({"a": "b"}, goals="a"))
    assert (result.line, result.stats.states, result.stop_reason) == ((), 1, StopReason.GOAL)


def test_states_of_one_key_are_one_state_and_the_search_goes_on_from_the_first() -> None:
    # B counts as b. Only b is expanded, since it was met first; the edges report the state that the move makes.
    toy = Toy({"a": "bB", "b": "c", "B": "x"}, same={"B": "b"})
    edges: list[tuple[str, list[Edge[str, str]]]] = []
    result = explore(toy, stop_at_goal=False, on_expand=lambda _, state, found: edges.append((state, list(found))))
    assert result.stats.states == 3
    assert edges == [("a", [("ab", 1, "b"), ("aB", 1, "B")]), ("b", [("bc", 2, "c")]), ("c", [])]


def test_the_limit_on_states_is_exact_and_is_no_limit_when_nothing_is_left() -> None:
    for limit in range(1, 7):
        result = explore(Toy(GRAPH), stop_at_goal=False, count_cycles=True, limits=Limits(states=limit))
        assert (result.stats.states, result.stop_reason) == (limit, StopReason.STATES)
        assert result.stats.cycles is None
    assert explore(Toy(GRAPH), stop_at_goal=False, limits=Limits(states=7)).stop_reason is StopReason.EXHAUSTED


@attrs.frozen
class Chain:
    """The numbers upwards, each state leading to the next; from `length` back to 0."""

    length: int
    fail_at: int = -1

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> Sequence[tuple[str, int]]:
        if state == self.fail_at:
            raise KeyboardInterrupt
        return [("next", state + 1 if state + 1 < self.length else 0)]

    def is_goal(self, state: int) -> bool:
        return False

    def key(self, state: int) -> Hashable:
        return state

    def size_of(self, state: int) -> int:
        return 32


@pytest.mark.slow
def test_a_long_chain_does_not_recurse() -> None:
    for order in ("bfs", "dfs"):
        stats = explore(Chain(100_000), order=order, count_cycles=True).stats
        assert (stats.states, stats.duplicates, stats.cycles) == (100_000, 1, 1)


def test_limits_of_time_and_memory_say_so() -> None:
    result = explore(Chain(10**9), limits=Limits(seconds=0.05))
    assert result.stop_reason is StopReason.SECONDS
    assert result.stats.seconds < 5
    assert explore(Chain(10**9), limits=Limits(seconds=0)).stats.states == 1
    result = explore(Chain(10**9), limits=Limits(memory_bytes=10**6))
    assert result.stop_reason is StopReason.MEMORY
    assert 1_000 < result.stats.states < 10_000


def test_ctrl_c_keeps_what_there_is() -> None:
    result = explore(Chain(100, fail_at=40))
    assert (result.stop_reason, result.stats.states, result.stats.expanded) == (StopReason.INTERRUPTED, 41, 40)
    assert result.stop_reason.is_limit


def test_cycles_are_counted_when_they_are_asked_for() -> None:
    assert explore(Toy(GRAPH), stop_at_goal=False).stats.cycles is None
    assert explore(Toy(GRAPH), stop_at_goal=False, count_cycles=True).stats.cycles == 3


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(OptionError, match="expected order to be one of bfs, dfs; got 'best'"):
        explore(Toy(GRAPH), order="best")  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [{"states": 0}, {"seconds": -1}, {"memory_bytes": 0}, {"seconds": float("nan")}])
def test_limits_out_of_range_are_refused(limit: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=f"expected a limit on {next(iter(limit))} of at least"):
        Limits(**limit)  # type: ignore[arg-type]


def test_memory_is_limited_by_default_to_half_of_what_the_process_may_have() -> None:
    assert Limits().memory_bytes == usable_memory() // 2 > 2**26
    assert (Limits().states, Limits().seconds) == (None, None)


graphs = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)
)


def as_toy(graph: list[list[int]], goals: str = "") -> Toy:
    letters = "abcdefghi"
    return Toy({letters[i]: "".join(letters[j] for j in row) for i, row in enumerate(graph)}, goals)


def reachable(graph: list[list[int]], start: int) -> set[int]:
    """The states on a path of one move or more from `start`."""
    found: set[int] = set()
    stack = [start]
    while stack:
        for target in graph[stack.pop()]:
            if target not in found:
                found.add(target)
                stack.append(target)
    return found


@pytest.mark.slow
@given(graphs, st.sets(st.sampled_from("abcdefghi")))
def test_both_orders_see_the_same_and_the_counts_fit(graph: list[list[int]], goals: set[str]) -> None:
    seen = reachable(graph, 0) | {0}
    results: list[SearchResult[str]] = []
    for order in ("bfs", "dfs"):
        toy = as_toy(graph, "".join(goals))
        assert set(expansions(toy, order)) == {"abcdefghi"[i] for i in seen}
        results.append(explore(toy, order=order, stop_at_goal=False, count_cycles=True))
    first, second = (attrs.evolve(result.stats, seconds=0) for result in results)
    assert first == second
    assert first.generated == first.states + first.duplicates == 1 + sum(len(graph[i]) for i in seen)
    assert first.dead_ends == sum(not graph[i] and "abcdefghi"[i] not in goals for i in seen)
    # Two states share a cycle when each is reachable from the other.
    on_cycle = [i for i in seen if i in reachable(graph, i)]
    assert first.cycles == len(
        {frozenset(j for j in on_cycle if j in reachable(graph, i) and i in reachable(graph, j)) for i in on_cycle}
    )


@pytest.mark.slow
@given(graphs)
def test_breadth_first_lines_are_shortest(graph: list[list[int]]) -> None:
    distance = {0: 0}
    level = [0]
    for state in level:  # grows while it is walked
        for target in graph[state]:
            if target not in distance:
                distance[target] = distance[state] + 1
                level.append(target)
    for goal, moves in distance.items():
        toy = as_toy(graph, "abcdefghi"[goal])
        line = explore(toy, order="bfs").line
        assert line is not None
        assert len(line) == moves
        assert not line or (line[0][0], line[-1][-1]) == ("a", "abcdefghi"[goal])


def test_cycles_of_a_graph_that_is_only_partly_expanded() -> None:
    # 0 → 1 → 2 → 1, and 2 → 3, which was never expanded.
    assert count_cycles(4, [0, 1, 2], [0, 1, 2, 4], [1, 2, 1, 3]) == 1
    assert count_cycles(1, [], [0], []) == 0
