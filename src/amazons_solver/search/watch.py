"""The clock of a search: its limits on time and memory, and its reports."""

import time
from collections.abc import Callable

import attrs

from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats, StopReason

__all__ = ["EXPANSIONS_BETWEEN_CHECKS", "Watch", "next_size"]

EXPANSIONS_BETWEEN_CHECKS = 64
"""How many states, some microseconds each, a search of the model expands between looks at its watch."""

_SECONDS_BETWEEN_REPORTS = 0.2


@attrs.define
class Watch:
    """One search's clock, limits and reports. The clock starts when it is made."""

    limits: Limits
    """Those on states are kept by the search itself, since they are exact."""
    progress: Callable[[Progress], None] | None = None
    """Called with the counts so far a few times a second."""
    started: float = attrs.field(init=False, factory=time.monotonic)
    _next_report: float = attrs.field(init=False)

    @_next_report.default
    def _first_report(self) -> float:
        return self.started + _SECONDS_BETWEEN_REPORTS

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return time.monotonic() - self.started

    @property
    def left(self) -> Limits:
        """The limits, with the time that is left."""
        if self.limits.seconds is None:
            return self.limits
        return attrs.evolve(self.limits, seconds=max(0.0, self.limits.seconds - self.seconds))

    def counts(
        self, states: int, duplicates: int, expanded: int, goals: int = 0, dead_ends: int = 0, unit: str = "states"
    ) -> Stats:
        """Counts as of now."""
        generated = states + duplicates
        return Stats(states, generated, duplicates, expanded, goals, dead_ends, None, self.seconds, unit)

    def limit_hit(self, used_bytes: int = 0) -> StopReason | None:
        """The limit that a search of this many bytes has reached: SECONDS or MEMORY, or none."""
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            return StopReason.SECONDS
        if self.limits.memory_bytes is not None and used_bytes > self.limits.memory_bytes:
            return StopReason.MEMORY
        return None

    def report(self, counts: Callable[[], Progress]) -> None:
        """Report how far the search is, unless that was done a moment ago."""
        if self.progress is not None and time.monotonic() >= self._next_report:
            self._next_report = time.monotonic() + _SECONDS_BETWEEN_REPORTS
            self.progress(counts())


def next_size(size: int, took: float, seconds: float = 0.2) -> int:
    """How much work to do before the next look at the clock, which is to come after this many seconds.

    At most four times as much as was done last, which took `took` seconds: what comes first may be easy.
    """
    return max(1, min(4 * size, int(size * seconds / max(took, 1e-6))))
