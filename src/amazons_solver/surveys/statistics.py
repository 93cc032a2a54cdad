"""What counts of a sample say about all deals: Wilson's interval, with undecided deals on either side."""

import math
import statistics

import attrs

from amazons_solver.errors import OptionError
from amazons_solver.model.arguments import checked

__all__ = ["Interval", "wilson"]

_LEAST_DECIMALS = 3


@attrs.frozen
class Interval:
    """A share of all deals, as far as it is known: from `low` to `high`, both between 0 and 1.

    >>> str(Interval(0.25, 0.75, 0.95))
    '50.000 +- 25.000 %'
    """

    low: float
    high: float
    confidence: float

    @property
    def midpoint(self) -> float:
        """The middle of the interval; the share found in the sample is near it, but not the same."""
        return (self.low + self.high) / 2

    @property
    def half_width(self) -> float:
        """How far the interval reaches to either side of its middle."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        """Midpoint +- half-width in per cent, in ASCII, which every output can write."""
        return self.pretty.replace("±", "+-")

    @property
    def pretty(self) -> str:
        """The same with ``±``, and two digits of the half-width at least.

        So it is never 100 % nor 0 %, whatever was found: that much a sample cannot say.
        """
        half = 100 * self.half_width
        decimals = _LEAST_DECIMALS if half <= 0 else max(_LEAST_DECIMALS, 1 - math.floor(math.log10(half)))
        return f"{100 * self.midpoint:.{decimals}f} ± {half:.{decimals}f} %"


@checked
def wilson(won: int, lost: int, undecided: int = 0, confidence: float = 0.95) -> Interval:
    """The share of winnable deals that these counts estimate.

    The low end is that of Wilson's score interval with every undecided deal lost, the high end that with every one won.

    Args:
        won: deals won.
        lost: deals lost.
        undecided: deals whose verdict is not known.
        confidence: how often such an interval holds the true share.

    Raises:
        OptionError: a count is negative, or the confidence is not between 0 and 1.

    >>> str(wilson(9_731, 0, 269))
    '98.487 +- 1.513 %'
    >>> str(wilson(1_000_000, 0))
    '99.99981 +- 0.00019 %'
    """
    for name, value in (("won", won), ("lost", lost), ("undecided", undecided)):
        if value < 0:
            raise OptionError(f"expected {name} to be at least 0, got {value}")
    if not 0 < confidence < 1:
        raise OptionError(f"expected a confidence between 0 and 1, got {confidence}")
    deals = won + lost + undecided
    quantile = -statistics.NormalDist().inv_cdf((1 - confidence) / 2)
    low = 0.0 if not won else _end(won, deals, -quantile)
    high = 1.0 if not lost else _end(won + undecided, deals, quantile)
    return Interval(low, high, confidence)


def _end(won: int, deals: int, quantile: float) -> float:
    """The share p at which the number won is `quantile` standard deviations from what p expects, below or above."""
    square = quantile * quantile
    spread = quantile * math.sqrt(won / deals * (deals - won) + square / 4)
    return min(1.0, max(0.0, (won + square / 2 + spread) / (deals + square)))
