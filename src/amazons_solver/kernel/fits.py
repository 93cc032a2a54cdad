"""Which rules the compiled code takes; asking loads no compiler."""

import functools
import importlib.util
import sys

from amazons_solver.kernel import kept
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits

__all__ = [
    "MOST_CARDS",
    "MOST_COUNTERS",
    "MOST_IDLE",
    "MOST_REDEALS",
    "decides",
    "explores",
    "refusal",
    "waits_for_compiling",
]

MOST_CARDS = 28
MOST_REDEALS, MOST_IDLE = (1 << 15) - 1, (1 << 8) - 1
"""The largest limits that the key of a boundary has room for."""
MOST_COUNTERS = 1 << 12
"""The most values that the counters of an exact state may take, all together."""

_COMPILING_SECONDS = 60.0


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
    """The error for rules that the search over boundaries does not take."""
    if not _has_numba():
        return "expected Numba for the compiled search, got none: pip install numba"
    return (
        "expected a deck of at most 28 cards, max_redeals below 2^15 and idle_passes below 2^8 "
        f"with the compiled search; got {len(rules.deck)}, {rules.max_redeals} and {rules.idle_passes}"
    )


def waits_for_compiling(limits: Limits, function: str) -> bool:
    """Whether a limit on time leaves too little of it to compile a function, such as ``boundaries.search_loop.resume``.

    That takes 10 to 50 s, once on a machine; with less than a minute a search does without, unless it was done before.
    """
    return limits.seconds is not None and limits.seconds < _COMPILING_SECONDS and not _is_compiled(function)


def _is_compiled(function: str) -> bool:
    """Whether a function is there without compiling: in this process, or in a file."""
    name, _, function_name = function.rpartition(".")
    module = sys.modules.get(f"amazons_solver.kernel.{name}")
    here = module is not None and bool(getattr(getattr(module, function_name), "signatures", True))
    return here or kept.has_code(function)


@functools.cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None
