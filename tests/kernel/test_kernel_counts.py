"""The kernel's counts and lines depend on the question alone."""

import random
from typing import Any

import attrs
import numpy as np
import pytest

from amazons_solver import DEAL, REDEAL, Deal, Limits, Rules, State
from amazons_solver.kernel.boundaries import search, search_loop
from amazons_solver.kernel.boundaries.keys import Search, new_search
from amazons_solver.kernel.boundaries.search import search_state
from amazons_solver.kernel.boundaries.stack import STACK_MARGIN
from amazons_solver.search.result import SearchResult, StopReason
from support.games import HARD, NONE, walk

pytestmark = pytest.mark.compiled

CASES = [
    *((HARD, number, 12_000) for number in range(12)),
    *((Rules(), number, None) for number in range(20, 24)),
    *((Rules.preset("pysolfc").evolve(gather="right-over-left"), number, 5_000) for number in range(4)),
    *((Rules(withhold="any", max_redeals=6), number, 5_000) for number in range(4)),
    *((Rules.preset("patiencen"), number, None) for number in range(3)),
]


def answer(case: tuple[Rules, int, int | None], **options: Any) -> SearchResult[Any]:
    rules, number, states = case
    start = State.initial(Deal.numbered(number, rules), rules)
    result = search_state(start, Limits(states=states, memory_bytes=None), tables=0, **options)
    return attrs.evolve(result, stats=attrs.evolve(result.stats, seconds=0.0))


@pytest.fixture(scope="module")
def answers() -> list[SearchResult[Any]]:
    found = [answer(case) for case in CASES]
    assert max(result.stats.states for result in found) == 12_000
    assert {result.stop_reason for result in found} == {StopReason.GOAL, StopReason.EXHAUSTED, StopReason.STATES}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [8, 64, 4096, 16384])
def test_counts_and_lines_do_not_depend_on_the_room(answers: list[SearchResult[Any]], capacity: int) -> None:
    assert [answer(case, capacity=capacity) for case in CASES] == answers


def test_counts_and_lines_do_not_depend_on_the_slices(
    answers: list[SearchResult[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    resume, slices = search_loop.resume, []

    def short(config: Any, orbits: Any, search: Any, scratch: Any, steps: int) -> int:
        slices.append(min(steps, 1 + len(slices) % 97))
        return resume(config, orbits, search, scratch, slices[-1])

    monkeypatch.setattr(search_loop, "resume", short)
    monkeypatch.setattr("amazons_solver.kernel.slices._SLICE_SECONDS", 0.0)  # no slice is long
    assert [answer(case) for case in CASES] == answers
    assert len(slices) > 1000


def test_the_same_question_has_the_same_answer(answers: list[SearchResult[Any]]) -> None:
    assert [answer(case) for case in CASES] == answers


def test_counts_and_lines_do_not_depend_on_the_room_of_the_stack(
    answers: list[SearchResult[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    resume, statuses = search_loop.resume, set[int]()

    def noted(*arguments: Any) -> int:
        status = resume(*arguments)
        statuses.add(status)
        return status

    monkeypatch.setattr(search, "new_search", lambda capacity: new_search(capacity, STACK_MARGIN + 1))
    monkeypatch.setattr(search_loop, "resume", noted)
    assert [answer(case) for case in CASES] == answers
    assert search_loop.STACK_FULL in statuses


def idle_pass(state: State) -> State:
    while state.talon_codes:
        state = state.play(DEAL)
    return state.play(REDEAL)


@pytest.mark.parametrize(("withhold", "moves"), [("bases", 0), ("any", 12)])
def test_an_orbit_is_one_node(withhold: str, moves: int) -> None:
    """From every phase of an orbit all the same can be reached, and no more is stored than from another.

    When bases alone may be withheld, that is so at first: no other card can be played as long as no base is.
    """
    rules = Rules(suits="CDH", ranks="A78", withhold=withhold, gather="right-over-left")  # type: ignore[arg-type]
    source, sizes = random.Random(9), []
    for number in range(40):
        start = walk(State.initial(Deal.numbered(number, rules), rules), moves, source)
        state = start = idle_pass(start) if moves else start
        counts = set()
        while not counts or state != start:
            result = search_state(state, NONE, lemmas=False, tables=0)
            counts.add(None if result.line is not None else result.stats.states)
            state = idle_pass(state)
        assert len(counts) == 1, start.text()
        sizes += counts
    assert sum(size is not None and size > 5 for size in sizes) > 10


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"suits": "CD", "ranks": "A789T", "build": "rank", "withhold": "any"}, "9D 9C TC 8D AD TD | 7C ; 8C | 7D ; -"),
        ({"ranks": "A78", "withhold": "any"}, "8D 8H AH 8C | 7S ; 7C ; 7H ; 8S | 7D ; AS ; AC ; -"),
        ({"suits": "CDH", "ranks": "A78"}, "AH 7H 8D 8H 8C AD | 7C ; 7D ; AC | - ; - ; -"),
    ],
)
def test_the_pass_that_a_search_begins_in_is_no_boundary_to_come_back_to(changes: dict[str, Any], text: str) -> None:
    """These states come back to the cards in the order in which they are kept, as a boundary that is another state."""
    state = State.parse(text, Rules(gather="right-over-left", **changes))
    sizes = set()
    for capacity in (8, 4096):  # the smaller hash table is filled again as it grows
        result = search_state(state, NONE, lemmas=False, tables=0, capacity=capacity)
        assert result.stop_reason is StopReason.EXHAUSTED
        sizes.add(result.stats.states)
    assert len(sizes) == 1


def test_no_boundary_is_stored_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def remembered(capacity: int) -> Search:
        made.append(new_search(capacity))
        return made[-1]

    monkeypatch.setattr(search, "new_search", remembered)
    start = State.initial(Deal.numbered(9740, HARD), HARD)
    result = search_state(start, Limits(states=20_000, memory_bytes=None), tables=0, capacity=1 << 16)
    assert (result.stats.states, result.stats.duplicates > 0) == (20_000, True)
    assert len(np.unique(made[0].keys[:20_000], axis=0)) == 20_000
