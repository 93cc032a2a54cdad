"""Wilson's interval: published values, its definition, and how it is told."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import OptionError
from amazons_solver.surveys.statistics import Interval, wilson

COUNTS = st.integers(0, 10**9)
# The quantiles of the normal distribution as printed in any table of it.
QUANTILES = {0.90: 1.6448536270, 0.95: 1.9599639845, 0.99: 2.5758293035, 0.999: 3.2905267315}


@pytest.mark.parametrize(
    ("won", "lost", "undecided", "midpoint", "half_width", "decimals"),
    [
        # Counts and intervals as published studies of winnability print them.
        (9_731, 0, 269, "98.487", "1.513", 3),
        (1_958_661, 38_969, 2_370, "97.992", "0.079", 3),
        (31_998, 0, 2, "99.9886", "0.0114", 4),
    ],
)
def test_published_values(won: int, lost: int, undecided: int, midpoint: str, half_width: str, decimals: int) -> None:
    found = wilson(won, lost, undecided)
    assert f"{100 * found.midpoint:.{decimals}f}" == midpoint
    assert f"{100 * found.half_width:.{decimals}f}" == half_width


@pytest.mark.slow
@given(COUNTS, COUNTS, COUNTS, st.sampled_from(sorted(QUANTILES)))
def test_each_end_is_the_score_tests_edge(won: int, lost: int, undecided: int, confidence: float) -> None:
    """At an end p the score (share found - p) / sqrt(p (1 - p) / n) is the quantile: Wilson's definition."""
    found = wilson(won, lost, undecided, confidence)
    deals = won + lost + undecided
    for end, count, sign in ((found.low, won, 1), (found.high, won + undecided, -1)):
        if 0 < count < deals:
            score = (count / deals - end) / math.sqrt(end * (1 - end) / deals)
            assert score == pytest.approx(sign * QUANTILES[confidence], rel=1e-5)


@pytest.mark.parametrize("deals", [1, 10, 1_000, 10**6, 10**12])
def test_all_won_and_all_lost(deals: int) -> None:
    """With all won the low end is n / (n + z²), solved by hand from the equation above; all lost is its mirror."""
    expected = deals / (deals + QUANTILES[0.95] ** 2)
    assert wilson(deals, 0).low == pytest.approx(expected, rel=1e-9)
    assert wilson(deals, 0).high == 1
    assert wilson(0, deals).low == 0
    assert wilson(0, deals).high == pytest.approx(1 - expected, rel=1e-9, abs=1e-15)


def test_nothing_known() -> None:
    assert wilson(0, 0) == Interval(0, 1, 0.95)
    assert wilson(0, 0, 7) == Interval(0, 1, 0.95)


@given(COUNTS, COUNTS, st.integers(1, 10**6))
def test_an_undecided_deal_may_be_either(won: int, lost: int, undecided: int) -> None:
    found = wilson(won, lost, undecided)
    assert found.low == wilson(won, lost + undecided).low
    assert found.high == wilson(won + undecided, lost).high


@given(COUNTS, COUNTS, COUNTS)
def test_order_and_bounds(won: int, lost: int, undecided: int) -> None:
    found = wilson(won, lost, undecided)
    assert 0 <= found.low <= found.high <= 1
    narrower = wilson(won, lost, undecided, 0.5)
    assert found.low <= narrower.low <= narrower.high <= found.high


@given(st.integers(0, 10**15), st.integers(0, 10**15), st.integers(0, 10**6))
def test_what_is_told(won: int, lost: int, undecided: int) -> None:
    """Never that all deals are won or lost, and never less than two digits of how far it may be off."""
    found = wilson(won, lost, undecided)
    match = re.fullmatch(r"(\d+\.\d{3,}) \+- (\d+\.\d{3,}) %", str(found))
    assert match is not None
    midpoint, half = Fraction(match[1]), Fraction(match[2])
    assert 0 < midpoint < 100
    assert len(match[2].replace(".", "").lstrip("0")) >= 2
    # Rounding changes neither by more than half of the last digit.
    digit = Fraction(1, 10 ** len(match[2].split(".")[1]))
    assert abs(midpoint - 100 * Fraction(found.midpoint)) <= digit
    assert abs(half - 100 * Fraction(found.half_width)) <= digit


@pytest.mark.parametrize(
    ("counts", "confidence", "message"),
    [
        ((-1, 0, 0), 0.95, "expected won to be at least 0, got -1"),
        ((0, -2, 0), 0.95, "expected lost to be at least 0, got -2"),
        ((0, 0, -3), 0.95, "expected undecided to be at least 0, got -3"),
        ((1, 1, 1), 0.0, "expected a confidence between 0 and 1, got 0.0"),
        ((1, 1, 1), 1.0, "expected a confidence between 0 and 1, got 1.0"),
        ((1, 1, 1), 95, "expected a confidence between 0 and 1, got 95"),
        ((1, 1, 1), math.nan, "expected a confidence between 0 and 1, got nan"),
    ],
)
def test_bad_input(counts: tuple[int, int, int], confidence: float, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        wilson(*counts, confidence)
