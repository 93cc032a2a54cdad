"""Counts of many chunks: sums, and the hardest of the hardest, so that neither their order nor their bounds matter."""

from collections import Counter

import attrs

from amazons_solver.surveys.chunks import HARDEST, Chunk
from amazons_solver.surveys.plan import Question

__all__ = ["LISTED", "Retry", "Tally"]

LISTED = 1_000
"""Undecided deals that a tally lists; it counts all of them, and the ledger has all of them."""


@attrs.frozen
class Retry:
    """The finding, with larger limits, for a deal that its chunk had given up."""

    number: int
    max_states: int | None
    max_memory: int
    verdict: str
    """``won``, ``lost`` or ``undecided``."""
    states: int
    redeals: int | None
    """Redeals of the line found."""
    seconds: float = attrs.field(eq=False)

    @classmethod
    def of(cls, chunk: Chunk, question: Question) -> "Retry":
        """From a chunk of this one deal."""
        return cls(
            number=chunk.first,
            max_states=question.max_states,
            max_memory=question.max_memory,
            verdict="won" if chunk.won else "lost" if chunk.lost else "undecided",
            states=chunk.undecided[0][1] if chunk.undecided else chunk.states_total,
            redeals=next(iter(chunk.redeals), None),
            seconds=chunk.seconds,
        )


@attrs.define
class Tally:
    """The counts so far."""

    won: int = 0
    lost: int = 0
    undecided: int = 0
    states_total: int = 0
    seconds: float = 0.0
    """Time that workers took."""
    states: Counter[int] = attrs.field(factory=Counter)
    redeals: Counter[int] = attrs.field(factory=Counter)
    hardest: tuple[tuple[int, int], ...] = ()
    undecided_deals: tuple[int, ...] = ()
    """The first of them."""

    @property
    def deals(self) -> int:
        """Deals counted."""
        return self.won + self.lost + self.undecided

    def add(self, chunk: Chunk, retries: dict[int, Retry]) -> None:
        """Count a chunk, and what was found later for the deals that it had given up."""
        self.won += chunk.won
        self.lost += chunk.lost
        self.states_total += chunk.states_total
        self.seconds += chunk.seconds
        self.states.update(chunk.states)
        self.redeals.update(chunk.redeals)
        candidates, given_up = [*self.hardest, *chunk.hardest], []
        for number, _ in chunk.undecided:
            retry = retries.get(number)
            if retry is None or retry.verdict == "undecided":
                given_up.append(number)
                continue
            self.won += retry.verdict == "won"
            self.lost += retry.verdict == "lost"
            self.states_total += retry.states
            self.states[retry.states.bit_length()] += 1
            if retry.redeals is not None:
                self.redeals[retry.redeals] += 1
            candidates.append((number, retry.states))
        self.undecided += len(given_up)
        if given_up:
            self.undecided_deals = tuple(sorted([*self.undecided_deals, *given_up])[:LISTED])
        self.hardest = tuple(sorted(candidates, key=lambda deal: (-deal[1], deal[0]))[:HARDEST])
