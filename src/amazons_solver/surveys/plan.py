"""What a survey asks: the question put to every deal, and the chunks into which a range of deals is cut."""

import json
from collections.abc import Iterable, Iterator

import attrs

from amazons_solver.errors import OptionError
from amazons_solver.model.rules import Rules
from amazons_solver.model.version import version
from amazons_solver.search.limits import Limits

__all__ = [
    "CHUNK_SIZES",
    "MAX_MEMORY",
    "MOST_DEALS",
    "MOST_IN_CHUNK",
    "SOLVER",
    "Question",
    "check_range",
    "joined",
    "pieces",
    "without",
]

CHUNK_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Deals of a chunk, when nothing else is said. Each divides the last: no chunk reaches beyond a multiple of that."""

MOST_IN_CHUNK = 500_000
"""Deals of a chunk, when that is said: a row of the ledger holds what is found of them, whatever it is."""

MAX_MEMORY = 2 * 2**30
"""Bytes that a deal may use, when nothing else is said: the same on every machine, as verdicts must be."""

MOST_DEALS = 2**63 - 1
"""Surveys are of deals below this number, the largest that SQLite can hold."""

SOLVER = "solver"
"""The player that finds a win wherever there is one."""


@attrs.frozen
class Question:
    """What is asked of every deal. With the deals of a chunk it is all that the chunk's result depends on."""

    rules: Rules
    max_states: int | None = None
    """Stored states after which a deal is given up undecided."""
    max_memory: int = MAX_MEMORY
    """Bytes of stored states after which a deal is given up undecided."""
    player: str = SOLVER
    """Who plays: SOLVER, or the name of a strategy."""
    version: str = attrs.field(factory=version)
    """The version that is to answer."""

    def __attrs_post_init__(self) -> None:
        for name, value in (("max_states", self.max_states), ("max_memory", self.max_memory)):
            if value is not None and not 1 <= value < 2**63:
                raise OptionError(f"expected {name} from 1 to 2^63 - 1, got {value}")

    @property
    def rules_text(self) -> str:
        """The rules as one line of JSON with every field."""
        return json.dumps(self.rules.to_dict())

    @property
    def limits(self) -> Limits:
        """When a deal is given up."""
        return Limits(states=self.max_states, memory_bytes=self.max_memory)

    @property
    def limits_text(self) -> str:
        """The limits in words."""
        states = "any number of states" if self.max_states is None else f"{self.max_states:,} states"
        return f"{states} and {self.max_memory:,} bytes a deal"


def check_range(deals: range) -> None:
    """Raise OptionError unless a survey can be of these deals."""
    if deals.step != 1 or not 0 <= deals.start < deals.stop <= MOST_DEALS:
        raise OptionError(
            f"expected deals from a number to a larger one, 0 to 2^63 - 1, got {deals.start}:{deals.stop}"
            + (f" in steps of {deals.step}" if deals.step != 1 else "")
        )


def pieces(deals: range, size: int) -> Iterator[range]:
    """A range cut at the multiples of `size`: where it is cut does not depend on where it begins.

    >>> list(pieces(range(15, 42), 20))
    [range(15, 20), range(20, 40), range(40, 42)]
    """
    first = deals.start
    while first < deals.stop:
        last = min(deals.stop, first - first % size + size)
        yield range(first, last)
        first = last


def joined(done: Iterable[range]) -> list[range]:
    """Sorted ranges that do not overlap, with neighbours made one.

    >>> joined([range(0, 10), range(10, 20), range(30, 40)])
    [range(0, 20), range(30, 40)]
    """
    found: list[range] = []
    for part in done:
        if found and found[-1].stop == part.start:
            found[-1] = range(found[-1].start, part.stop)
        else:
            found.append(part)
    return found


def without(deals: range, done: Iterable[range]) -> Iterator[range]:
    """What is left of a range without sorted ranges that do not overlap.

    >>> list(without(range(5, 50), [range(0, 10), range(30, 40)]))
    [range(10, 30), range(40, 50)]
    """
    first = deals.start
    for part in done:
        if part.stop <= first or part.start >= deals.stop:
            continue
        if part.start > first:
            yield range(first, part.start)
        first = part.stop
    if first < deals.stop:
        yield range(first, deals.stop)
