"""Which engine answers: the model for its first states, and then the kernel where it can."""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Literal

import attrs

from amazons_solver.errors import MissingToolError
from amazons_solver.kernel import fits, waiting
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats

__all__ = ["MODEL_STATES", "Engine", "kernel_search", "summed", "without_compiling"]

Engine = Literal["auto", "model", "kernel"]

MODEL_STATES = 2_000
"""The states that the model has before ``engine="auto"`` turns to the kernel, which takes half a second to load.

Most deals under forced rules are decided within them, in some 15 ms, without a compiler in the process at all. What
takes longer is the kernel's.
"""

_LOADING_SECONDS = 2.0
"""With less time left, the model continues alone unless the compiler is already loaded."""


def kernel_search(rules: Rules, limits: Limits, function: str) -> ModuleType | None:
    """The kernel's searches, if they take the rules and can be loaded, and compiled, in the time that is left.

    Args:
        rules: the rules.
        limits: the time that is left.
        function: the compiled function that is needed, as `fits.waits_for_compiling` names it.

    Raises:
        KeyboardInterrupt: Ctrl-C came while they were loaded.
    """
    in_time = limits.seconds is None or limits.seconds > _LOADING_SECONDS or "numba" in sys.modules
    if not in_time or not fits.decides(rules) or fits.waits_for_compiling(limits, function):
        return None
    try:
        return importlib.import_module("amazons_solver.kernel.boundaries.search")
    except (MissingToolError, ImportError):  # a damaged Numba or numpy: the model goes on as far as it gets
        return None


def summed(before: Stats, now: Progress) -> Progress:
    """The counts of two searches, one after the other, so that what is reported never falls."""
    counts = ("states", "generated", "duplicates", "expanded", "seconds")
    return attrs.evolve(now, **{name: getattr(before, name) + getattr(now, name) for name in counts})


def without_compiling() -> Callable[[Stats], Stats]:
    """A function that takes from the seconds of a search, which begins now, what was spent on compiling since."""
    before = waiting.seconds()

    def taken_off(counts: Stats) -> Stats:
        return attrs.evolve(counts, seconds=max(0.0, counts.seconds - (waiting.seconds() - before)))

    return taken_off
