"""The compiled part of gathering a closed set: boundaries, and all that the pass which begins at each can come to.

States are laid out as words.py says, boundaries in their canonical form. A pass is walked move by move, each of its
states once, in a store that is used again for the next pass. The search that decides has no part in it: the phases of
an orbit, and what that search drops because of a table, are boundaries like others here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import OWN_SUIT, Config
from amazons_solver.kernel.exact.exploration_loop import (
    BATCH,
    BLOCKED,
    EXPANDED,
    LABEL,
    REDEAL,
    STATES,
    WON,
    Space,
    fill_batch,
)
from amazons_solver.kernel.exact.words import ONE, ZERO, Words, counter_of, with_counter
from amazons_solver.kernel.lemmas import is_lost
from amazons_solver.kernel.packing import TOPS, card_at, top_at
from amazons_solver.kernel.slices import EXHAUSTED, FULL, GOAL, LIMIT_HIT, PAUSED
from amazons_solver.kernel.storage import clear_slots, find

STORED, DUPLICATES, BEGUN, MOST_STORED = range(4)
"""Indices of `Boundaries.counters`: boundaries stored; redeals to one that was stored before; boundaries whose pass has
been begun; and how many may be stored."""

BOUNDARIES_FULL, WALK_FULL = FULL, FULL + 1
"""What `resume` returns besides what all loops do: that it needs more room for boundaries, or for states of a pass. The
goal is a won state in the pass begun last, so that there is no such set."""


class Boundaries(NamedTuple):
    """The closed set as far as it is known. The passes before `BEGUN` have been walked, except perhaps the last."""

    keys: NDArray[np.int64]
    """The boundaries by number: shape (capacity, 3)."""
    slots: NDArray[np.uint32]
    """The hash table, a power of two long: 0, or a boundary's number plus 1."""
    counters: NDArray[np.int64]
    """The numbers named above."""


@inlined
def place(keys: NDArray[np.int64], slots: NDArray[np.uint32], count: int, word0: int, word1: int, word2: int) -> int:
    """The number of a state in a store of `count`; one that is not there is stored, and has the number `count`."""
    found = find(keys, slots, word0, word1, word2)
    if found >= 0:
        return found
    keys[count, 0], keys[count, 1], keys[count, 2] = word0, word1, word2
    slots[-1 - found] = count + 1
    return count


@compiled
def canonical(config: Config, word0: int, word1: int, word2: int) -> Words:
    """The canonical form of a boundary, as `State.canonical` has it."""
    if config.placement == OWN_SUIT:
        return word0, word1, word2  # the rules tell the suits apart
    new0, new1, new2 = ZERO, ZERO, ZERO
    # Four bits each: by suit, the new number of a suit plus 1; by rank, how many cards of a rank have been met.
    met = suits = ZERO
    for i in range(config.depots * (config.ranks + 1)):
        at = i - config.depots
        card = top_at(word2, i) if at < 0 else card_at(word0, word1, word2, at)
        if card == 0:
            if at < 0:
                continue
            break
        suit, rank = (card - 1) // config.ranks, (card - 1) % config.ranks
        if config.by_rank:
            suit = (met >> (4 * rank)) & 15
            met += ONE << (4 * rank)
        else:
            if (met >> (4 * suit)) & 15 == 0:
                suits += 1
                met |= suits << (4 * suit)
            suit = ((met >> (4 * suit)) & 15) - 1
        card = suit * config.ranks + rank + 1
        if at < 0:
            new2 |= card << (TOPS + 5 * i)
        elif at < 12:
            new0 |= card << (5 * at)
        elif at < 24:
            new1 |= card << (5 * (at - 12))
        else:
            new2 |= card << (5 * (at - 24))
    return with_counter(new0, new1, new2, counter_of(word0, word1, word2))


@compiled
def begin(config: Config, boundaries: Boundaries, word0: int, word1: int, word2: int) -> None:
    """Store the first boundary."""
    word0, word1, word2 = canonical(config, word0, word1, word2)
    boundaries.counters[STORED] = place(boundaries.keys, boundaries.slots, ZERO, word0, word1, word2) + 1


@compiled
def _begin_pass(boundaries: Boundaries, walk: Space) -> None:
    """Forget the states of the pass before, and begin that of the next boundary."""
    clear_slots(walk.keys, walk.slots, 1, walk.counters[STATES])
    number = boundaries.counters[BEGUN]
    boundaries.counters[BEGUN] = number + 1
    for word in range(3):
        walk.keys[0, word] = boundaries.keys[number, word]  # no slot leads to it, for no move of the pass does
    walk.counters[STATES], walk.counters[EXPANDED] = 1, 0


@compiled
def _arrive(config: Config, boundaries: Boundaries, word0: int, word1: int, word2: int) -> bool:
    """Store the boundary that a redeal leads to, unless it is lost; false if the limit on boundaries was hit."""
    if is_lost(config, word0 & 31, word2 >> TOPS):
        return True
    counters = boundaries.counters
    stored = counters[STORED]
    word0, word1, word2 = canonical(config, word0, word1, word2)
    if place(boundaries.keys, boundaries.slots, stored, word0, word1, word2) < stored:
        counters[DUPLICATES] += 1
        return True
    if stored >= counters[MOST_STORED]:
        return False  # it is in the store, but does not count
    counters[STORED] = stored + 1
    return True


@compiled
def resume(config: Config, boundaries: Boundaries, walk: Space, steps: int) -> int:
    """Continue until all passes have been walked, or for this many steps (batches of states of one pass)."""
    counters, states, batch = boundaries.counters, walk.counters, walk.batch
    while True:
        if states[EXPANDED] == states[STATES]:
            if counters[BEGUN] == counters[STORED]:
                return EXHAUSTED
            _begin_pass(boundaries, walk)
        if steps <= 0:
            return PAUSED
        steps -= 1
        if counters[STORED] + BATCH > boundaries.keys.shape[0]:
            return BOUNDARIES_FULL
        if states[STATES] + BATCH > walk.keys.shape[0]:
            return WALK_FULL
        count, source = fill_batch(config, walk)
        for i in range(count):
            label = batch[i, LABEL]
            if label == WON:
                return GOAL
            if label == REDEAL:
                if not _arrive(config, boundaries, batch[i, 0], batch[i, 1], batch[i, 2]):
                    return LIMIT_HIT
            elif label != BLOCKED:
                number = place(walk.keys, walk.slots, states[STATES], batch[i, 0], batch[i, 1], batch[i, 2])
                states[STATES] = max(states[STATES], number + 1)
        states[EXPANDED] = source
