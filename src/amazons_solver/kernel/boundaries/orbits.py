"""What happens to the talon when passes go by without a play.

A pass without a play and its redeal permute the talon, always in the same way: with n cards and k depots that are dealt
to, the card at position j goes to depot ``j mod k`` and comes back at position ``s(j)``. Repeated, that runs round an
*orbit* and comes home after `order` passes (252 at most for the decks here). The state after t such passes is called
the *phase* t. A card at position j is at ``s^t(j)`` in phase t, which is one look-up here.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.fits import MOST_CARDS

MOST_DEPOTS = 4
NEVER = 1 << 20
"""The phase of what no phase has."""


class Orbits(NamedTuple):
    """The permutations, by gathering direction (0: rightmost pile first), depots dealt to, and cards."""

    order: NDArray[np.int64]
    """Passes until the talon comes home: shape (2, 5, 29)."""
    begin: NDArray[np.int64]
    """Where in `places` the phases of these talons begin: shape (2, 5, 29)."""
    places: NDArray[np.uint8]
    """Phase by phase, where the card at each position has come to."""
    first: NDArray[np.int64]
    """The first phase in which the card at a position is dealt to a depot, or NEVER: shape (2, 5, 29, 28, 4)."""


@functools.cache
def orbits() -> Orbits:
    """The permutations of all talons of up to 28 cards and up to 4 depots."""
    shape = (2, MOST_DEPOTS + 1, MOST_CARDS + 1)
    order, begin = np.ones(shape, np.int64), np.zeros(shape, np.int64)
    first = np.full((*shape, MOST_CARDS, MOST_DEPOTS), NEVER, np.int64)
    places: list[int] = []
    for gather in range(2):
        for depots in range(1, MOST_DEPOTS + 1):
            for cards in range(1, MOST_CARDS + 1):
                at = (gather, depots, cards)
                phases = _phases(gather, depots, cards)
                order[at], begin[at] = len(phases), len(places)
                places += itertools.chain(*phases)
                for phase, now in reversed(list(enumerate(phases))):
                    for position, place in enumerate(now):
                        first[at][position, place % depots] = phase
    return Orbits(order, begin, np.array(places, np.uint8), first)


def _phases(gather: int, depots: int, cards: int) -> list[list[int]]:
    """Phase by phase until the talon comes home: where the card at each position has come to."""
    piles = [list(range(depot, cards, depots)) for depot in range(depots)]
    gathered = itertools.chain(*(piles if gather else piles[::-1]))
    goes_to = {position: new for new, position in enumerate(gathered)}
    home = list(range(cards))
    phases = [home]
    while (now := [goes_to[place] for place in phases[-1]]) != home:
        phases.append(now)
    return phases
