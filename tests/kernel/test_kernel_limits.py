"""Limits of the kernel's search, Ctrl-C and progress."""

import _thread
import itertools
import threading
import time
import tracemalloc
from typing import Any

import attrs
import pytest

from amazons_solver import Deal, Limits, State, Verdict, solve
from amazons_solver.kernel.boundaries.keys import new_search
from amazons_solver.kernel.boundaries.search import bytes_of, search_state
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason
from support.kernel_checks import HARD, NONE

LONG = State.initial(Deal.numbered(10, HARD), HARD)


def long_search(limits: Limits = NONE, **options: Any) -> SearchResult[Any]:
    """A search of more than four million boundaries, which takes seconds."""
    return search_state(LONG, limits, **{"lemmas": False, "tables": 0, **options})


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Have everything compiled before time and memory are measured."""
    long_search(Limits(states=10_000))


@pytest.mark.parametrize("states", [1, 2, 7, 8, 100, 4095, 4096, 10_000])
@pytest.mark.parametrize("capacity", [8, 4096])
def test_no_more_states_are_stored_than_may_be(states: int, capacity: int) -> None:
    result = long_search(Limits(states=states), capacity=capacity)
    assert (result.stop_reason, result.stats.states, result.line) == (StopReason.STATES, states, None)


def test_a_limit_on_states_beyond_what_is_needed_changes_nothing() -> None:
    start = State.initial(Deal.numbered(10, HARD), HARD)
    free = search_state(start, NONE)
    assert free.stop_reason is StopReason.EXHAUSTED
    assert free.stats.states > 5000
    limited = search_state(start, Limits(states=free.stats.states + 1))
    assert limited.stop_reason is StopReason.EXHAUSTED
    assert attrs.evolve(limited.stats, seconds=free.stats.seconds) == free.stats
    cut = search_state(start, Limits(states=free.stats.states - 1))
    assert (cut.stop_reason, cut.stats.states) == (StopReason.STATES, free.stats.states - 1)


@pytest.mark.parametrize("megabytes", [1, 2, 3, 5, 8, 13, 20, 34, 40])
def test_no_more_memory_is_taken_than_may_be(megabytes: int) -> None:
    limit = megabytes << 20
    tracemalloc.start()
    result = long_search(Limits(memory_bytes=limit))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (result.stop_reason, result.line) == (StopReason.MEMORY, None)
    assert 0.3 * limit < peak < 1.1 * limit


def test_what_is_counted_are_the_arrays() -> None:
    """64 bytes for each boundary there is room for: key 24, four numbers 32, two slots 8; 32 an entry of the stack."""
    assert bytes_of(new_search(256, 1024)) == 256 * 64 + 1024 * 32 + 16 * 8


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2, 0.6, 1.2])
def test_time_is_kept(seconds: float) -> None:
    late = []
    for _ in range(6):  # another program may take the processor for a while
        started = time.perf_counter()
        result = long_search(Limits(seconds=seconds))
        late.append(time.perf_counter() - started - seconds)
        assert (result.stop_reason, result.line) == (StopReason.SECONDS, None)
        assert late[-1] >= 0
        assert result.stats.seconds >= seconds
        if late[-1] < max(0.05, 0.1 * seconds):
            return
    pytest.fail(f"expected to stop after {seconds} s, was late by {late}")


def test_an_interrupt_keeps_what_there_is() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    result = search_state(LONG, NONE, interrupt, lemmas=False, tables=0)
    assert (result.stop_reason, result.line) == (StopReason.INTERRUPTED, None)
    assert result.stats.states > 1
    assert 0.2 <= result.stats.seconds < 2


def test_ctrl_c_is_answered_within_a_second() -> None:
    pressed = []

    def press() -> None:
        pressed.append(time.perf_counter())
        _thread.interrupt_main()

    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        result = long_search()
        answered = time.perf_counter()
    finally:
        timer.cancel()
    assert result.stop_reason is StopReason.INTERRUPTED
    assert answered - pressed[0] < 1


def test_counts_never_fall() -> None:
    told: list[Stats] = []
    result = search_state(LONG, Limits(states=1_200_000), told.append, lemmas=False, tables=0)
    told.append(result.stats)
    assert len(told) >= 3
    for before, after in itertools.pairwise(told):
        for field in ("states", "generated", "duplicates", "expanded", "seconds"):
            assert getattr(before, field) <= getattr(after, field)
        assert after.generated == after.states + after.duplicates
    assert told[0].states < told[-1].states
    assert told[1].seconds - told[0].seconds >= 0.1


@pytest.mark.parametrize(
    "limits", [Limits(states=100), Limits(seconds=0), Limits(memory_bytes=2 << 20)], ids=["states", "seconds", "memory"]
)
def test_a_limit_hit_is_undecided(limits: Limits) -> None:
    lost = Deal.numbered(9740, HARD)  # some 60,000 boundaries, in whatever order they are met
    solution = solve(lost, HARD, engine="kernel", limits=limits)
    assert (solution.verdict, solution.line) == (Verdict.UNDECIDED, None)
    reasons = {100: StopReason.STATES, None: StopReason.MEMORY if limits.seconds is None else StopReason.SECONDS}
    assert solution.stop_reason is reasons[limits.states]
