"""What happens to the talon when passes go by without a play.

A pass without a play and its redeal permute the talon, always in the same way: with n cards and k depots that are dealt
to, the card at position j goes to depot ``j mod k`` and comes back at position ``s(j)``. Repeated, that runs round an
*orbit* and comes home after `order` passes (252 at most for the decks here). The state after t such passes is called
the *phase* t. A card at position j is at ``s^t(j)`` in phase t, which the cycles of s give in one look-up.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_CARDS = 28
MOST_DEPOTS = 4
NEVER = 1 << 20
"""The phase of what no phase has."""


class Orbits(NamedTuple):
    """The permutations, by gathering direction (0: rightmost pile first), depots dealt to, and cards."""

    order: NDArray[np.int64]
    """Passes until the talon comes home: shape (2, 5, 29)."""
    begin: NDArray[np.int64]
    """Where the cycle of a position begins in `cycles`: shape (2, 5, 29, 28), as the next three."""
    place: NDArray[np.int64]
    """The place of a position in its cycle."""
    length: NDArray[np.int64]
    """The length of its cycle."""
    cycles: NDArray[np.int64]
    """All positions, cycle by cycle."""
    first: NDArray[np.int64]
    """The first phase in which the card at a position is dealt to a depot, or NEVER: shape (2, 5, 29, 28, 4)."""


@functools.cache
def orbits() -> Orbits:
    """The permutations of all talons of up to 28 cards and up to 4 depots."""
    shape = (2, MOST_DEPOTS + 1, MOST_CARDS + 1)
    order = np.ones(shape, np.int64)
    begin, place, length, cycles = (np.zeros((*shape, MOST_CARDS), np.int64) for _ in range(4))
    first = np.full((*shape, MOST_CARDS, MOST_DEPOTS), NEVER, np.int64)
    for gather in range(2):
        for depots in range(1, MOST_DEPOTS + 1):
            for cards in range(1, MOST_CARDS + 1):
                at = (gather, depots, cards)
                found = _cycles(gather, depots, cards)
                order[at] = math.lcm(*map(len, found))
                cycles[at][:cards] = list(itertools.chain(*found))
                start = 0
                for cycle in found:
                    for here, position in enumerate(cycle):
                        begin[at][position], place[at][position], length[at][position] = start, here, len(cycle)
                        for passes in reversed(range(len(cycle))):
                            depot = cycle[(here + passes) % len(cycle)] % depots
                            first[at][position, depot] = passes
                    start += len(cycle)
    return Orbits(order, begin, place, length, cycles, first)


def _cycles(gather: int, depots: int, cards: int) -> list[list[int]]:
    """The cycles of the permutation: each position is followed by the one to which its card goes."""
    piles = [list(range(depot, cards, depots)) for depot in range(depots)]
    gathered = itertools.chain(*(piles if gather else piles[::-1]))
    goes_to = {position: new for new, position in enumerate(gathered)}
    found: list[list[int]] = []
    while goes_to:
        cycle = [min(goes_to)]
        while (after := goes_to.pop(cycle[-1])) != cycle[0]:
            cycle.append(after)
        found.append(cycle)
    return found
