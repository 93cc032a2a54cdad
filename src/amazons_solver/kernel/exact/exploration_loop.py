"""The compiled part of a full exploration: successors of exact states, and the hash table that finds them again.

States are numbered as they are found, breadth first, and the array of their words doubles as the queue. Successors are
made in batches: first all of them, so that their hash slots can be prefetched; then each is looked up in turn, so that
numbers do not depend on the batch's size.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled
from amazons_solver.kernel.config import UNLIMITED, Config, may_deal
from amazons_solver.kernel.exact.moves import EVERY_END, cards_left, deal, places, redeal
from amazons_solver.kernel.exact.words import COUNTER, ENDS, ONE, ZERO, end_at, take_out
from amazons_solver.kernel.instructions import fetch
from amazons_solver.kernel.packing import TOPS, card_at, top_at
from amazons_solver.kernel.slices import EXHAUSTED, FULL, LIMIT_HIT, PAUSED
from amazons_solver.kernel.storage import hash_of

BATCH = 512
"""Successors made at a time."""
MOST_MOVES = 17
"""Legal moves of a state at most: four depots' cards to four foundations, and a row or a redeal."""

DEAL, REDEAL, WON, BLOCKED = range(252, 256)
"""Labels besides those of plays, which are ``4 * card + foundation``. A state without moves is in a batch, too."""

STATES, EDGES, EXPANDED, WON_STATES, BLOCKED_STATES, MOST_STATES = range(6)
"""Indices of `Space.counters`; how many states may be stored is the last."""

STATES_FULL, SLOTS_FULL, EDGES_FULL = FULL, FULL + 1, FULL + 2
"""What `resume` returns besides what all loops do: that it needs more room for states, slots, or edges."""

HASH, SOURCE, LABEL = 3, 4, 5
"""Columns of `Space.batch`, after the words."""


class Space(NamedTuple):
    """All that an exploration keeps from one slice of its work to the next."""

    keys: NDArray[np.int64]
    """The states by number: shape (capacity, 3)."""
    slots: NDArray[np.uint32]
    """The hash table, a power of two long: 0, or a state's number plus 1, with bits of its hash above."""
    offsets: NDArray[np.int64]
    """``targets[offsets[i]:offsets[i + 1]]`` are the successors of state i; empty when no edges are kept."""
    targets: NDArray[np.uint32]
    """The edges: the state that the move leads to."""
    labels: NDArray[np.uint8]
    """The edges: the move."""
    counters: NDArray[np.int64]
    """The numbers named above."""
    batch: NDArray[np.int64]
    """The successors of the batch in work, their hashes, the states whose they are, and the moves: shape (BATCH, 6)."""


def new_space(capacity: int, edges: bool) -> Space:
    """Empty storage for this many states, 2 * BATCH at least, and for their moves where these are kept."""
    capacity = max(capacity, 2 * BATCH)
    return Space(
        keys=np.zeros((capacity, 3), np.int64),
        slots=np.zeros(1 << (capacity * 4 // 3).bit_length(), np.uint32),
        offsets=np.zeros(capacity + 1 if edges else 0, np.int64),
        targets=np.zeros(2 * capacity if edges else 0, np.uint32),
        labels=np.zeros(2 * capacity if edges else 0, np.uint8),
        counters=np.zeros(8, np.int64),
        batch=np.zeros((BATCH, 6), np.int64),
    )


@compiled
def _add(
    batch: NDArray[np.int64],
    slots: NDArray[np.uint32],
    count: int,
    word0: int,
    word1: int,
    word2: int,
    source: int,
    label: int,
) -> int:
    """Add a successor to the batch; returns how many it has then."""
    h = hash_of(word0, word1, word2)
    fetch(slots, h & (slots.shape[0] - 1))
    batch[count, 0], batch[count, 1], batch[count, 2] = word0, word1, word2
    batch[count, HASH], batch[count, SOURCE], batch[count, LABEL] = h, source, label
    return count + 1


@compiled
def fill_batch(config: Config, space: Space) -> tuple[int, int]:
    """Make the successors of the states that come next, in the model's order.

    Returns:
        how many there are, and the first state that is not expanded.
    """
    keys, batch, slots, rank, k = space.keys, space.batch, space.slots, config.rank, config.depots
    every_end = EVERY_END & ((ONE << (ENDS + 5 * k)) - ONE)
    played = ZERO if config.idle_passes == UNLIMITED else ONE << COUNTER
    count, source, states = 0, space.counters[EXPANDED], space.counters[STATES]
    while source < states and count + MOST_MOVES <= BATCH:
        word0, word1, word2 = keys[source, 0], keys[source, 1], keys[source, 2]
        begin = count
        others = 0
        for depot in range(k):
            index = depot if config.gather else k - 1 - depot
            end = end_at(word2, index)
            if end == (end_at(word2, index - 1) if index > 0 else 0):
                continue
            card = card_at(word0, word1, word2, end - 1)
            to = places(config, word2, depot, card)
            if to == 0:
                continue
            others += rank[card] != 0
            new0, new1, new2 = take_out(word0, word1, word2, end - 1)
            new2 -= every_end & (-ONE << (ENDS + 5 * index))
            for foundation in range(k):
                if (to >> foundation) & 1:
                    top = top_at(word2, foundation)
                    with_card = new2 + ((card - top) << (TOPS + 5 * foundation))
                    label = 4 * card + foundation
                    count = _add(batch, slots, count, new0 | played, new1, with_card, source, label)
        if count == begin or may_deal(config, others):
            dealt, left = end_at(word2, k - 1), cards_left(config, word2)
            if dealt < left:
                new0, new1, new2 = deal(config, word0, word1, word2, left - dealt)
                count = _add(batch, slots, count, new0, new1, new2, source, DEAL)
            elif dealt > 0:
                legal, new0, new1, new2 = redeal(config, word0, word1, word2)
                if legal:
                    count = _add(batch, slots, count, new0, new1, new2, source, REDEAL)
        if count == begin:
            label = WON if word0 & 31 == 0 else BLOCKED
            count = _add(batch, slots, count, word0, word1, word2, source, label)
        source += 1
    return count, source


@compiled
def _number_bits(slots: NDArray[np.uint32]) -> int:
    """The bits of a slot that hold a number; the others, above, hold bits of the hash."""
    bits = 0
    while (ONE << bits) < slots.shape[0]:
        bits += 1
    return bits


@compiled
def _find_slots(space: Space, count: int) -> None:
    """Replace the hashes of the batch by slots, and the bits of the hash that belong there (from bit 32).

    A slot is the first that is free, or whose state is perhaps the same: in those before it are others, and remain so.
    """
    slots, batch = space.slots, space.batch
    mask, bits = slots.shape[0] - 1, _number_bits(slots)
    for i in range(count):
        h = batch[i, HASH]
        slot, tag = h & mask, (h >> 32) & ((ONE << (32 - bits)) - ONE)
        entry = np.int64(slots[slot])
        while entry != 0 and entry >> bits != tag:
            slot = (slot + 1) & mask
            entry = np.int64(slots[slot])
        if entry != 0:
            fetch(space.keys, (entry & mask) - 1)
        batch[i, HASH] = tag << 32 | slot


@compiled
def _settle(space: Space, count: int) -> bool:
    """Look up the successors of the batch, store the new ones, and count; false if the limit on states was hit."""
    keys, slots, counters, batch = space.keys, space.slots, space.counters, space.batch
    mask, bits = slots.shape[0] - 1, _number_bits(slots)
    _find_slots(space, count)
    keeps_edges = space.offsets.shape[0] > 0
    states, edges = counters[STATES], counters[EDGES]
    for i in range(count):
        source, label = batch[i, SOURCE], batch[i, LABEL]
        if label >= WON:
            counters[BLOCKED_STATES] += label == BLOCKED
        else:
            slot, tag = batch[i, HASH] & mask, batch[i, HASH] >> 32
            while True:
                entry = np.int64(slots[slot])
                number = (entry & mask) - 1
                if entry == 0:
                    if states >= counters[MOST_STATES]:
                        counters[STATES], counters[EDGES], counters[EXPANDED] = states, edges, source
                        return False
                    number = states
                    for word in range(3):
                        keys[number, word] = batch[i, word]
                    slots[slot] = (tag << bits) | (number + 1)
                    counters[WON_STATES] += batch[i, 0] & 31 == 0
                    states += 1
                    break
                if (
                    entry >> bits == tag
                    and keys[number, 0] == batch[i, 0]
                    and keys[number, 1] == batch[i, 1]
                    and keys[number, 2] == batch[i, 2]
                ):
                    break
                slot = (slot + 1) & mask
            if keeps_edges:
                space.targets[edges], space.labels[edges] = number, label
            edges += 1
        if keeps_edges:
            space.offsets[source + 1] = edges
    counters[STATES], counters[EDGES] = states, edges
    return True


@compiled
def resume(config: Config, space: Space, steps: int) -> int:
    """Continue an exploration until all is expanded, or for this many batches."""
    counters = space.counters
    while counters[EXPANDED] < counters[STATES]:
        if steps <= 0:
            return PAUSED
        steps -= 1
        if counters[STATES] + BATCH > space.keys.shape[0]:
            return STATES_FULL
        if 4 * (counters[STATES] + BATCH) > 3 * space.slots.shape[0]:
            return SLOTS_FULL
        if space.offsets.shape[0] > 0 and counters[EDGES] + BATCH > space.targets.shape[0]:
            return EDGES_FULL
        count, source = fill_batch(config, space)
        if not _settle(space, count):
            return LIMIT_HIT
        counters[EXPANDED] = source
    return EXHAUSTED


@compiled
def fill_slots(space: Space, begin: int, end: int) -> None:
    """Enter the states from `begin` to before `end` into a hash table that has none of them."""
    keys, slots, batch = space.keys, space.slots, space.batch
    mask, bits = slots.shape[0] - 1, _number_bits(slots)
    tag_mask = (ONE << (32 - bits)) - ONE
    while begin < end:
        count = min(end - begin, BATCH)
        for i in range(count):
            batch[i, HASH] = hash_of(keys[begin + i, 0], keys[begin + i, 1], keys[begin + i, 2])
            fetch(slots, batch[i, HASH] & mask)
        for i in range(count):
            slot = batch[i, HASH] & mask
            while slots[slot] != 0:
                slot = (slot + 1) & mask
            slots[slot] = (((batch[i, HASH] >> 32) & tag_mask) << bits) | (begin + i + 1)
        begin += count
