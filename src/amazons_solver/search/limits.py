"""How much a search may use before it gives up undecided."""

import numbers
import operator
import os
from typing import Any

import attrs

from amazons_solver.errors import OptionError, shorten
from amazons_solver.search.memory import usable_memory

__all__ = ["Limits", "usable_cores"]


def half_of_memory() -> int | None:
    """Half of the memory that this process may have, in bytes; none where that cannot be known."""
    memory = usable_memory()
    return None if memory is None else memory // 2


def usable_cores() -> int:
    """The cores that this process may use. Only time may depend on them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _whole(value: int | None) -> int | None:
    """An int for whatever `operator.index` takes, such as numpy's integers; anything else is for the validator."""
    try:
        return value if value is None or isinstance(value, bool) else operator.index(value)
    except TypeError:
        return value


def _at_least(least: float, what: str, kind: Any) -> Any:
    """A validator: none, or what is such a number and at least so large."""

    def check(_: Any, attribute: "attrs.Attribute[float | None]", value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, kind) or isinstance(value, bool):
            raise OptionError(f"expected {attribute.name} as {what} or none, got {shorten(value)} (Limits)")
        if not value >= least:
            raise OptionError(f"expected a limit on {attribute.name} of at least {least}, got {value}")

    return check


_WHOLE = _at_least(1, "a whole number", int)


@attrs.frozen
class Limits:
    """Limits of a search; ``None`` is no limit.

    `states` counts stored states. `seconds` is wall-clock time. `memory_bytes` bounds the search's own estimate of what
    it stores (the keys, the bookkeeping of each stored state, the states waiting to be expanded), not the process. By
    default it is half of what the process may have: the least of the machine's memory, a container's or service's limit
    (cgroup), and ``ulimit``.

    Raises:
        OptionError: a limit is no number, or out of range.
    """

    states: int | None = attrs.field(default=None, converter=_whole, validator=_WHOLE)
    seconds: float | None = attrs.field(default=None, validator=_at_least(0, "a number", numbers.Real))
    memory_bytes: int | None = attrs.field(factory=half_of_memory, converter=_whole, validator=_WHOLE)
