"""What is still to be tried, and the numbers that a search keeps: one flat stack, of four int64 an entry.

The last word is ``boundary << 20 | phase``. What the others say depends on bit 28 of the third:

- START (0): play the passes of the boundary that begin in this phase and in the ones after it; word 0 says how many.
- MIDDLE (1): a pass from where it stands. Words 0 and 1 are the depots (28 bits each, one for each position of the
  talon) and, from bit 56 of word 0, the cards dealt. Word 2 has the foundations' tops (bits 0 … 19), whether a row is
  to be dealt next (20), the play just made (its depot + 1, bits 21 … 23; its foundation, 24 … 26; whether of a base,
  27), and whether the search began in this very pass (29).
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.boundaries.passes import packed_tops, play, set_top, set_tops
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import Config

STACK, STORED, DUPLICATES, STEPS, WON_BOUNDARY, WON_PHASE, MOST_STORED, UNLISTED, INITIAL_PLAYED = range(9)
"""Indices of `Search.counters`.

Entries on the stack; boundaries stored; arrivals at a boundary that was stored before; entries taken from the stack;
where a won game's last pass began; how many boundaries may be stored; how many of the first boundaries are in no slot
of the hash table, since they cannot be met again: among them the one that stands for the middle of the pass in which
the search began, if it did; and whether that pass had had a play.
"""

STACK_MARGIN = 1024
"""Entries that one pass may push at most: 56 decisions of up to 17 moves."""

PILE_BITS, DEALT = 28, 56
DEAL_NEXT, PLAY_DEPOT, PLAY_FOUNDATION, PLAY_BASE, KIND, BEGAN_INSIDE = 20, 21, 24, 27, 28, 29
PHASE_BITS = 20
"""The bits of the words, as said above."""
_PILE = (1 << PILE_BITS) - 1

START = 0
MIDDLE = 1 << KIND
BEGAN_HERE = 1 << BEGAN_INSIDE


class Stacked(Protocol):
    """A search with a stack, whose counters have the stack's size first."""

    @property
    def stack(self) -> NDArray[np.int64]:
        """What is still to be tried: shape (room, 4)."""
        ...

    @property
    def counters(self) -> NDArray[np.int64]:
        """The numbers named above."""
        ...


@inlined
def push(search: Stacked, word0: int, word1: int, word2: int, boundary: int, phase: int) -> None:
    top = search.counters[STACK]
    search.stack[top, 0] = word0
    search.stack[top, 1] = word1
    search.stack[top, 2] = word2
    search.stack[top, 3] = (np.int64(boundary) << PHASE_BITS) | phase
    search.counters[STACK] = top + 1


@inlined
def pass_words(config: Config, scratch: Scratch, dealt: int, deal_next: bool) -> tuple[int, int, int]:
    """The pass as it stands, as the first three words of an entry."""
    piles = scratch.piles
    return (
        piles[0] | (piles[1] << PILE_BITS) | (np.int64(dealt) << DEALT),
        piles[2] | (piles[3] << PILE_BITS),
        packed_tops(config, scratch) | (np.int64(deal_next) << DEAL_NEXT),
    )


@inlined
def load_pass(config: Config, scratch: Scratch, word0: int, word1: int, word2: int) -> tuple[int, bool]:
    """Take up a pass as it stands in these words; returns how many cards are dealt, and whether to deal next."""
    piles = scratch.piles
    piles[0], piles[1] = word0 & _PILE, (word0 >> PILE_BITS) & _PILE
    piles[2], piles[3] = word1 & _PILE, (word1 >> PILE_BITS) & _PILE
    set_tops(config, scratch, word2)
    return (word0 >> DEALT) & 31, (word2 >> DEAL_NEXT) & 1 == 1


@inlined
def push_middle(
    config: Config,
    search: Stacked,
    scratch: Scratch,
    dealt: int,
    deal_next: bool,
    play_made: int,
    boundary: int,
    phase: int,
) -> None:
    """Push the pass as it stands; `play_made` has bits 21 … 27 and 29 of the third word."""
    word0, word1, word2 = pass_words(config, scratch, dealt, deal_next)
    push(search, word0, word1, word2 | play_made | MIDDLE, boundary, phase)


@inlined
def push_play(
    config: Config,
    search: Stacked,
    scratch: Scratch,
    dealt: int,
    index: int,
    began_inside: int,
    boundary: int,
    phase: int,
) -> None:
    """Push the pass as it is after one of the listed plays, and take the play back."""
    depot, foundation = scratch.from_depot[index], scratch.to_foundation[index]
    pile = scratch.piles[depot]
    top = scratch.tops[foundation]
    base = config.rank[play(config, scratch, depot, foundation)] == 0
    made = (
        (np.int64(depot + 1) << PLAY_DEPOT) | (np.int64(foundation) << PLAY_FOUNDATION) | (np.int64(base) << PLAY_BASE)
    )
    push_middle(config, search, scratch, dealt, False, made | began_inside, boundary, phase)
    scratch.piles[depot] = pile
    set_top(config, scratch, foundation, top)
