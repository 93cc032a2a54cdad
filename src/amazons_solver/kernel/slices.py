"""The one driver of the compiled searches: slices of work, limits, room, reports and Ctrl-C. It loads no compiler."""

import time
from collections.abc import Callable
from typing import Protocol

from amazons_solver.search.result import Stats, StopReason
from amazons_solver.search.watch import Watch, next_size

EXHAUSTED, GOAL, LIMIT_HIT, PAUSED, FULL = range(5)
"""What a compiled loop returns: everything was seen; a win was found; as many states are stored as may be; the steps
were used up; or, from FULL on, that it must be called again with more room, for one thing or another."""

_REASONS = {EXHAUSTED: StopReason.EXHAUSTED, GOAL: StopReason.GOAL, LIMIT_HIT: StopReason.STATES}
_SLICE_SECONDS = 0.02
_STATES_A_SLICE = 1 << 18


class Sliced(Protocol):
    """A compiled search with its storage, which grows."""

    watch: Watch

    @property
    def nbytes(self) -> int:
        """The bytes that are stored, for the limit on memory."""
        ...

    def begin(self) -> None:
        """Store where it starts."""
        ...

    def resume(self, steps: int) -> int:
        """Continue for this many steps at most; returns one of the numbers above."""
        ...

    def grow(self, status: int) -> StopReason | None:
        """Make the room that a number from FULL on asks for; returns the limit that is in the way, if one is."""
        ...

    def counts(self) -> Stats:
        """The counts so far."""
        ...


def run_in_slices(search: Sliced, least: int) -> StopReason:
    """Run a search until there is an answer, a limit is hit or Ctrl-C is pressed.

    Between slices of some 20 ms, of at least `least` steps each, it looks at the watch and hears Ctrl-C.
    """
    watch, steps = search.watch, 10 * least
    try:
        search.begin()
        while True:
            hit = watch.limit_hit(search.nbytes)
            if hit is not None:
                return hit
            before = time.monotonic()
            status = search.resume(steps)
            if status in _REASONS:
                return _REASONS[status]
            if status == PAUSED:
                steps = max(least, next_size(steps, time.monotonic() - before, _SLICE_SECONDS))
            else:
                hit = search.grow(status)
                if hit is not None:
                    return hit
            watch.report(search.counts)
    except KeyboardInterrupt:
        return StopReason.INTERRUPTED


def enter(fill_slots: Callable[[int, int], None], first: int, end: int, watch: Watch) -> StopReason | None:
    """Enter stored states, `first` to before `end`, in a new hash table; returns SECONDS where time ends before."""
    for begin in range(first, end, _STATES_A_SLICE):
        fill_slots(begin, min(end, begin + _STATES_A_SLICE))
        if watch.limit_hit() is not None:
            return StopReason.SECONDS
    return None
