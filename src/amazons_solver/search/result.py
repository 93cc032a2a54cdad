"""What a search found, and what it counted on the way."""

import enum
from typing import Generic, TypeVar

import attrs

__all__ = ["Progress", "SearchResult", "Stats", "StopReason"]

MoveT = TypeVar("MoveT")


class StopReason(enum.Enum):
    """Why a search ended. Only after EXHAUSTED has everything been seen."""

    GOAL = "goal"
    EXHAUSTED = "exhausted"
    STATES = "states"
    SECONDS = "seconds"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"

    @property
    def is_limit(self) -> bool:
        """Whether the search was cut short: nothing follows from what it did not find."""
        return self not in (StopReason.GOAL, StopReason.EXHAUSTED)


@attrs.frozen
class Stats:
    """Counts of a search, at its end or on the way.

    ``generated == states + duplicates`` always holds: every state that is generated (the initial one, and one for each
    move of an expanded state) is new and stored, or was there before. After an exhausted search every state has been
    expanded and ``generated - 1`` is the number of moves in the whole space.
    """

    states: int
    """Stored states, each with its own key."""
    generated: int
    duplicates: int
    expanded: int
    """States whose every move has been followed."""
    goals: int
    """Goal states among the stored ones."""
    dead_ends: int
    """Expanded states that are no goal and have no move."""
    cycles: int | None
    """Strongly connected components, of the moves followed, that contain a cycle.

    ``None`` unless they were asked for, while a search runs, and when it was cut short.
    """
    seconds: float
    """Wall-clock time; that of compiling, once on a machine, is not in `solve`'s."""
    unit: str = "states"
    """What `states` counts."""


Progress = Stats
"""What a progress callback receives: the counts so far, which never fall."""


@attrs.frozen
class SearchResult(Generic[MoveT]):
    """How a search ended: why, the moves to the first goal found (``None`` without one), and the counts."""

    stop_reason: StopReason
    line: tuple[MoveT, ...] | None
    stats: Stats
