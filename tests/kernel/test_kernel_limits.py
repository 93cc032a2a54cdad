"""Limits of the kernel's search, beside what tests/search/test_limits.py holds all searches to."""

import attrs
import pytest

from amazons_solver import Deal, Limits, State, Verdict, solve
from amazons_solver.kernel.boundaries.keys import new_search
from amazons_solver.kernel.boundaries.search import search_state
from amazons_solver.kernel.storage import bytes_of
from amazons_solver.search.result import StopReason
from support.games import HARD, NONE

pytestmark = pytest.mark.compiled


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


def test_what_is_counted_are_the_arrays() -> None:
    """64 bytes for each boundary there is room for: key 24, four numbers 32, two slots 8; 32 an entry of the stack."""
    assert bytes_of(new_search(256, 1024)) == 256 * 64 + 1024 * 32 + 16 * 8


@pytest.mark.parametrize(
    "limits", [Limits(states=100), Limits(seconds=0), Limits(memory_bytes=2 << 20)], ids=["states", "seconds", "memory"]
)
def test_a_limit_hit_is_undecided(limits: Limits) -> None:
    lost = Deal.numbered(9740, HARD)  # some 60,000 boundaries, in whatever order they are met
    solution = solve(lost, HARD, engine="kernel", limits=limits)
    assert (solution.verdict, solution.line) == (Verdict.UNDECIDED, None)
    reasons = {100: StopReason.STATES, None: StopReason.MEMORY if limits.seconds is None else StopReason.SECONDS}
    assert solution.stop_reason is reasons[limits.states]
