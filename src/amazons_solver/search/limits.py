"""How much a search may use before it gives up undecided."""

import os
from typing import Any

import attrs

from amazons_solver.arguments import checked_fields
from amazons_solver.errors import OptionError
from amazons_solver.search.memory import usable_memory

__all__ = ["Limits", "usable_cores"]


def half_of_memory() -> int | None:
    """Half of the memory that this process may have, in bytes; none where that cannot be known."""
    memory = usable_memory()
    return None if memory is None else memory // 2


def usable_cores() -> int:
    """The cores that this process may use. Nothing but time may depend on them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least(least: float) -> Any:
    def check(_: Any, attribute: "attrs.Attribute[float | None]", value: float | None) -> None:
        if value is not None and not value >= least:
            raise OptionError(f"expected a limit on {attribute.name} of at least {least}, got {value}")

    return check


@attrs.frozen(field_transformer=checked_fields)
class Limits:
    """Limits of a search; ``None`` is no limit.

    `states` counts stored states. `seconds` is wall-clock time. `memory_bytes` bounds the search's own estimate of what
    it stores (the keys, the bookkeeping of each stored state, the states waiting to be expanded), not the process. By
    default it is half of what the process may have: the least of the machine's memory, a container's or service's limit
    (cgroup), and ``ulimit``.

    Raises:
        OptionError: a limit is out of range.
    """

    states: int | None = attrs.field(default=None, validator=_at_least(1))
    seconds: float | None = attrs.field(default=None, validator=_at_least(0))
    memory_bytes: int | None = attrs.field(factory=half_of_memory, validator=_at_least(1))
