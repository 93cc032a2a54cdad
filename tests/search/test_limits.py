"""What all searches owe whoever waits for them: limits that are kept, Ctrl-C that is heard, counts that never fall."""

import _thread
import itertools
import threading
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from amazons_solver import Deal, Limits, Rules, State, Stats, StopReason
from amazons_solver.kernel.boundaries.search import search_fewest, search_state
from amazons_solver.kernel.exact.closure import closed_set
from amazons_solver.kernel.exact.exploration import explore_exact
from amazons_solver.search.explore import explore
from amazons_solver.solving.game import Game
from amazons_solver.solving.redeals import fewest_redeals
from support.games import HARD, NONE

pytestmark = pytest.mark.compiled

Progress = Callable[[Stats], None]
Answer = tuple[StopReason, Stats]
Search = Callable[[Limits, Progress | None], Answer]


def start(number: int, rules: Rules) -> State:
    return State.initial(Deal.numbered(number, rules), rules)


def model(limits: Limits, progress: Progress | None = None) -> Answer:
    result = explore(Game(start(0, Rules.preset("pysolfc"))), stop_at_goal=False, limits=limits, progress=progress)
    return result.stop_reason, result.stats


def redeals(limits: Limits, progress: Progress | None = None) -> Answer:
    begin = start(0, Rules.preset("pysolfc"))
    found = fewest_redeals(begin, 1_000, engine="model", limits=limits, progress=progress)
    assert (found.at_least < 1_000, found.line) == (True, None)
    return found.stop_reason, found.stats


def compiled(limits: Limits, progress: Progress | None = None, **options: Any) -> Answer:
    result = search_state(start(10, HARD), limits, progress, **{"lemmas": False, "tables": 0, **options})
    assert result.line is None
    return result.stop_reason, result.stats


def layers(limits: Limits, progress: Progress | None = None, **options: Any) -> Answer:
    begin = start(10, HARD)
    result, at_least = search_fewest(begin, 1_000, limits, progress, **{"lemmas": False, "tables": 0, **options})
    assert (at_least < 1_000, result.line) == (True, None)
    return result.stop_reason, result.stats


def closure(limits: Limits, progress: Progress | None = None, **options: Any) -> Answer:
    found = closed_set(start(2, Rules(withhold="any", max_redeals=9)), limits, progress, **options)
    assert found.states == ()
    return found.stop_reason, found.stats


def exact(limits: Limits, progress: Progress | None = None, **options: Any) -> Answer:
    found = explore_exact(start(0, Rules.preset("pysolfc")), limits=limits, progress=progress, edges=True, **options)
    assert (len(found.keys), len(found.offsets)) == (found.stats.states, found.stats.expanded + 1)
    return found.stop_reason, found.stats


EVERY = [model, redeals, compiled, layers, closure, exact]
"""Searches that would take many seconds, and find no win."""


@pytest.fixture(scope="module", autouse=True)
def ready() -> None:
    """Have everything compiled before time and memory are measured."""
    for search in EVERY:
        search(Limits(states=10_000), None)


@pytest.mark.parametrize("states", [1, 2, 7, 8, 100, 4095, 4096, 10_000])
@pytest.mark.parametrize("search", [model, compiled, layers, closure, exact])
@pytest.mark.parametrize("capacity", [8, 4096])
def test_no_more_states_are_stored_than_may_be(search: Search, states: int, capacity: int) -> None:
    options = {} if search is model else {"capacity": capacity}
    reason, stats = search(Limits(states=states), None, **options)
    assert (reason, stats.states) == (StopReason.STATES, states)


@pytest.mark.parametrize(
    ("search", "megabytes"),
    [(search, size) for search in (compiled, layers, closure, exact) for size in (1, 2, 3, 5, 8, 13, 20, 34)]
    + [(search, size) for search in (model, redeals) for size in (1, 3, 13)],
)
def test_no_more_memory_is_taken_than_may_be(search: Search, megabytes: int) -> None:
    limit = megabytes << 20
    tracemalloc.start()
    reason, _ = search(Limits(memory_bytes=limit), None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reason is StopReason.MEMORY
    assert (0.05 if search is closure else 0.2) * limit < peak < 1.1 * limit  # the texts of a closed set count, too


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2, 0.6])
@pytest.mark.parametrize("search", EVERY)
def test_time_is_kept(search: Search, seconds: float) -> None:
    late = []
    for _ in range(6):  # another program may take the processor for a while
        started = time.perf_counter()
        reason, stats = search(Limits(seconds=seconds), None)
        late.append(time.perf_counter() - started - seconds)
        assert reason is StopReason.SECONDS
        assert late[-1] >= 0
        assert stats.seconds >= seconds
        assert seconds > 0 or stats.states <= 1
        if late[-1] < max(0.05, 0.1 * seconds):
            return
    pytest.fail(f"expected to stop after {seconds} s, was late by {late}")


@pytest.mark.parametrize("search", EVERY)
def test_no_count_falls_and_ctrl_c_keeps_them(search: Search) -> None:
    told: list[Stats] = []
    pressed = []

    def press() -> None:
        pressed.append(time.perf_counter())
        _thread.interrupt_main()

    timer = threading.Timer(0.05, press)  # in the midst of the work

    def note(counts: Stats) -> None:
        told.append(counts)
        if len(told) == 3:
            timer.start()

    reason, stats = search(NONE, note)
    answered = time.perf_counter()
    assert reason is StopReason.INTERRUPTED
    told.append(stats)
    assert answered - pressed[0] < 1
    for before, after in itertools.pairwise(told):
        for field in ("states", "generated", "duplicates", "expanded", "seconds"):
            assert getattr(before, field) <= getattr(after, field)
        assert after.generated == after.states + after.duplicates
    assert told[0].states < told[-1].states
    assert told[1].seconds - told[0].seconds >= 0.1


@pytest.mark.parametrize("search", EVERY)
def test_ctrl_c_while_progress_is_told(search: Search) -> None:
    told: list[Stats] = []

    def interrupt(counts: Stats) -> None:
        told.append(counts)
        raise KeyboardInterrupt

    reason, stats = search(NONE, interrupt)
    assert (reason, stats.states) == (StopReason.INTERRUPTED, told[0].states)
    assert told[0].states > 1
