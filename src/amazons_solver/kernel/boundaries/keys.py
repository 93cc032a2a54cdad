"""How a game is laid out in numbers for the compiled code.

A card is 5 bits: 1 … 28, suit by suit and ranks ascending, or its rank alone (1 … 13) with ``build = rank``, where
suits do not matter. In both the card that continues a foundation is its top card plus 1. A *boundary* is the table
between a redeal and the next deal: all cards are in the talon. Its key is three int64, 23 bytes in use:

- words 0 and 1: the talon's first 24 cards, twelve a word, the next card lowest; 0 ends the talon;
- word 2: cards 25 … 28 (bits 0 … 19), the foundations' top cards (5 bits each, 20 … 39), the redeals made if the rules
  limit them (bits 40 … 54), the idle passes in a row if the rules limit those (bits 55 … 62).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.fits import MOST_CARDS, MOST_IDLE, MOST_REDEALS
from amazons_solver.kernel.packing import TOPS, card_at

REDEALS, IDLE = 40, 55
"""The lowest bits of the counters in word 2."""


class Search(NamedTuple):
    """All that a search keeps from one slice of its work to the next."""

    keys: NDArray[np.int64]
    """The boundaries by number: shape (capacity, 3)."""
    parents: NDArray[np.int64]
    """The boundary from which each was reached."""
    phases: NDArray[np.int64]
    """The phase of the parent in which the pass that led there began."""
    arrivals: NDArray[np.int64]
    """The phase, counted from the one in the key, in which it was reached."""
    covers: NDArray[np.int64]
    """How many phases before the one in the key have been searched, too."""
    slots: NDArray[np.uint32]
    """The hash table (see `kernel.storage`)."""
    stack: NDArray[np.int64]
    """What is still to be tried: shape (room, 4)."""
    counters: NDArray[np.int64]
    """Numbers named in stack.py."""


class Layers(NamedTuple):
    """All that a search in the order of redeals keeps from one slice of its work to the next."""

    keys: NDArray[np.int64]
    """The boundaries by number, those of fewer redeals first, which the keys leave out: shape (capacity, 3)."""
    parents: NDArray[np.int32]
    """The boundary from which each was reached."""
    slots: NDArray[np.uint32]
    """The hash table (see `kernel.storage`)."""
    stack: NDArray[np.int64]
    """What is still to be tried in the pass at hand: shape (room, 4)."""
    counters: NDArray[np.int64]
    """Numbers named in stack.py and fewest_loop.py."""


class Scratch(NamedTuple):
    """The registers of one search, 32 numbers each.

    Indices are unsigned: for a signed one Numba must check whether it counts from the end.
    """

    cards: NDArray[np.uint8]
    """The talon of the boundary in work, as in its key."""
    talon: NDArray[np.uint8]
    """The same in the phase in work."""
    next: NDArray[np.uint8]
    """The talon that a redeal makes."""
    start: NDArray[np.uint8]
    """An order of an endgame table that is being solved."""
    piles: NDArray[np.int64]
    """By depot, the talon positions of its cards, as bits."""
    tops: NDArray[np.uint8]
    """By foundation, its top card, 0 when it is empty."""
    needs: NDArray[np.uint8]
    """By foundation, the card that continues it; 0 when it is empty or complete."""
    cards_at: NDArray[np.int64]
    """By card, its positions in `cards`, as bits; at 0, those of all bases."""
    talon_at: NDArray[np.int64]
    """The same for `talon`."""
    next_at: NDArray[np.int64]
    """The same for `next`."""
    labels: NDArray[np.uint8]
    """By card, its label in the endgame table."""
    active: NDArray[np.uint8]
    """The depots that are dealt to."""
    from_depot: NDArray[np.uint8]
    """The legal plays: their depots."""
    to_foundation: NDArray[np.uint8]
    """And their foundations."""


def new_scratch() -> Scratch:
    """Empty registers."""
    masks = ("piles", "cards_at", "talon_at", "next_at")
    return Scratch(*(np.zeros(32, np.int64 if name in masks else np.uint8) for name in Scratch._fields))


def new_search(capacity: int, stack: int = 1 << 14) -> Search:
    """Empty storage for fewer than `capacity` boundaries (a power of two)."""
    return Search(
        keys=np.zeros((capacity, 3), np.int64),
        parents=np.zeros(capacity, np.int64),
        phases=np.zeros(capacity, np.int64),
        arrivals=np.zeros(capacity, np.int64),
        covers=np.zeros(capacity, np.int64),
        slots=np.zeros(2 * capacity, np.uint32),
        stack=np.zeros((stack, 4), np.int64),
        counters=np.zeros(16, np.int64),
    )


def new_layers(capacity: int, stack: int = 1 << 14) -> Layers:
    """Empty storage for fewer than `capacity` boundaries (a power of two)."""
    return Layers(
        keys=np.zeros((capacity, 3), np.int64),
        parents=np.zeros(capacity, np.int32),
        slots=np.zeros(2 * capacity, np.uint32),
        stack=np.zeros((stack, 4), np.int64),
        counters=np.zeros(16, np.int64),
    )


@inlined
def key_of(cards: NDArray[np.uint8], count: int, tops: int, redeals: int, idle: int) -> tuple[int, int, int]:
    """The key of a talon, of the foundations' tops (five bits each) and of the counters (0 if the rules use none)."""
    word0 = word1 = np.int64(0)
    word2 = (tops << TOPS) | (np.int64(redeals) << REDEALS) | (np.int64(idle) << IDLE)
    for i in range(count):
        if i < 12:
            word0 |= np.int64(cards[i]) << (5 * i)
        elif i < 24:
            word1 |= np.int64(cards[i]) << (5 * (i - 12))
        else:
            word2 |= np.int64(cards[i]) << (5 * (i - 24))
    return word0, word1, word2


@inlined
def unpack(keys: NDArray[np.int64], number: int, cards: NDArray[np.uint8]) -> int:
    """Write the talon of a stored boundary to `cards`; returns how many there are."""
    word0, word1, word2 = keys[number, 0], keys[number, 1], keys[number, 2]
    for i in range(MOST_CARDS):
        card = card_at(word0, word1, word2, i)
        if card == 0:
            return i
        cards[i] = card
    return MOST_CARDS


@inlined
def redeals_of(word2: int) -> int:
    """The redeals made."""
    return (word2 >> REDEALS) & MOST_REDEALS


@inlined
def idle_of(word2: int) -> int:
    """The idle passes in a row."""
    return (word2 >> IDLE) & MOST_IDLE
