"""Which rules the compiled code takes; to ask loads no compiler."""

import functools
import importlib.util
import sys

from amazons_solver.kernel import kept
from amazons_solver.model.rules import Rules

__all__ = ["MOST_CARDS", "MOST_COUNTERS", "MOST_IDLE", "MOST_REDEALS", "decides", "explores", "is_compiled", "refusal"]

MOST_CARDS = 28
MOST_REDEALS, MOST_IDLE = (1 << 15) - 1, (1 << 8) - 1
"""The largest limits that the key of a boundary has room for."""
MOST_COUNTERS = 1 << 12
"""The most values that the counters of an exact state may take, all together."""


def decides(rules: Rules) -> bool:
    """Whether the search over boundaries takes these rules: 28 cards at most, and limits that a key has room for."""
    return (
        _has_numba()
        and len(rules.deck) <= MOST_CARDS
        and (rules.max_redeals or 0) <= MOST_REDEALS
        and (rules.idle_passes or 0) <= MOST_IDLE
    )


def explores(rules: Rules) -> bool:
    """Whether exact states of these rules fit: 28 cards at most, and counters of no more than 4096 values."""
    counters = 1 + (rules.max_redeals or 0)
    if rules.idle_passes is not None:
        counters *= 2 * rules.idle_passes
    return _has_numba() and len(rules.deck) <= MOST_CARDS and counters <= MOST_COUNTERS


def refusal(rules: Rules) -> str:
    """What to say where rules are asked of the search over boundaries that it does not take."""
    if not _has_numba():
        return "expected Numba for the compiled search, got none: pip install numba"
    return (
        "expected a deck of at most 28 cards, max_redeals below 2^15 and idle_passes below 2^8 "
        f"with the compiled search; got {len(rules.deck)}, {rules.max_redeals} and {rules.idle_passes}"
    )


def is_compiled() -> bool:
    """Whether the search over boundaries is there without compiling: in this process, or in a file."""
    search = sys.modules.get("amazons_solver.kernel.decide")
    return kept.has_code("decide.go_on") or (search is not None and bool(getattr(search.go_on, "signatures", True)))


@functools.cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None
