"""The compiled part of a full exploration: successors of exact states, and the store in which they are found again.

States are numbered as they are found, breadth first, and the array of their words is the queue as well. Successors are
made by the batch: all of them first, so that the memory which will be looked at can be fetched meanwhile, and then each
is looked up in its turn. So the numbers do not depend on the batch's size.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import WITHOUT_COMPILING, compiled, intrinsic, ir, types
from amazons_solver.kernel.exact import (
    COUNTER,
    ENDS,
    ONE,
    TOPS,
    ZERO,
    Words,
    card_at,
    counter_of,
    move_forward,
    radix_of,
    take_out,
    with_counter,
)
from amazons_solver.kernel.layout import ABOVE, ANYTHING, BASES, LEFTMOST, OWN_SUIT, UNLIMITED, Config, hash_of

BATCH = 512
"""Successors made at a time."""
MOST_MOVES = 17
"""Legal moves of a state at most: four depots' cards to four foundations, and a row or a redeal."""

DEAL, REDEAL, WON, BLOCKED = range(252, 256)
"""Labels beside those of plays, which are ``4 * card + foundation``. A state without moves is in a batch, too."""

STATES, EDGES, EXPANDED, WON_STATES, BLOCKED_STATES, MOST_STATES = range(6)
"""Indices of `Space.counters`; how many states may be stored is the last."""

EXHAUSTED, PAUSED, LIMIT_HIT, STATES_FULL, SLOTS_FULL, EDGES_FULL = range(6)
"""What `go_on` returns: all was expanded, the steps were used up, as many states are stored as may be, or it must be
called again with more room for states, for slots, or for edges."""

HASH, SOURCE, LABEL = 3, 4, 5
"""Columns of `Space.batch`, after the words."""

_EVERY_END = (ONE * 0b00001_00001_00001_00001) << ENDS
_ALL_ENDS = (ONE << (COUNTER - ENDS)) - ONE


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


def _fetch(_typing_context: Any, array: Any, _index: Any) -> Any:
    """Have the memory of an array's element fetched (of a row's first one), without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(view.strides, 0)
        base = builder.bitcast(view.data, ir.IntType(8).as_pointer())
        address = builder.gep(base, [builder.mul(arguments[1], stride)])
        number = ir.IntType(32)
        prefetch = builder.module.declare_intrinsic(
            "llvm.prefetch", (base.type,), ir.FunctionType(ir.VoidType(), [base.type, number, number, number])
        )
        builder.call(prefetch, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _fetch_nothing(_array: NDArray[Any], _index: int) -> None:
    pass


fetch = cast("Callable[[NDArray[Any], int], None]", _fetch_nothing if WITHOUT_COMPILING else intrinsic(_fetch))


@compiled
def _is_complete(config: Config, top: int) -> bool:
    return top != 0 and config.rank[top] == config.ranks - 1


@compiled
def _continues(config: Config, top: int, card: int) -> bool:
    """Whether a card, not a base, is the next one on a foundation with this top card."""
    if config.by_rank:
        return top != 0 and config.rank[top] + 1 == config.rank[card]
    return top + 1 == card


@compiled
def _places(config: Config, word2: int, depot: int, card: int) -> int:
    """The foundations to which the top card of a depot may go, as bits."""
    tops, rank = word2 >> TOPS, config.rank[card]
    if rank != 0 and not (config.top_anywhere and rank == config.ranks - 1):
        return ONE << depot if _continues(config, (tops >> (5 * depot)) & 31, card) else ZERO
    if rank == 0 and config.placement == OWN_SUIT:
        place: int = config.places[card]
        return ONE << place
    places = ZERO
    for foundation in range(config.depots):
        top = (tops >> (5 * foundation)) & 31
        if (rank == 0 and top == 0) or (rank != 0 and _continues(config, top, card)):
            places |= ONE << foundation
    if rank == 0:
        if config.placement == LEFTMOST:
            return places & -places
        if config.placement == ABOVE and (places >> depot) & 1:
            return ONE << depot
    return places


@compiled
def _cards_left(config: Config, word2: int) -> int:
    """How many cards are on no foundation."""
    cards = config.depots * config.ranks
    for foundation in range(config.depots):
        top = (word2 >> (TOPS + 5 * foundation)) & 31
        cards -= config.rank[top] + (top != 0)
    return cards


@compiled
def _deal(config: Config, word0: int, word1: int, word2: int, left: int) -> Words:
    """The state after a row has been dealt from the `left` cards of the talon."""
    k, ends = config.depots, word2 >> ENDS
    every_end = _EVERY_END & ((ONE << (ENDS + 5 * k)) - ONE)
    dealt = (ends >> (5 * k - 5)) & 31
    receiving, row = (1 << k) - 1, k
    if config.skip_complete or left < k:
        receiving = row = 0
        for depot in range(k):
            if row < left and not (config.skip_complete and _is_complete(config, (word2 >> (TOPS + 5 * depot)) & 31)):
                receiving |= 1 << depot
                row += 1
    moved = 0
    for index in range(k):
        if (receiving >> (index if config.gather else k - 1 - index)) & 1:
            # The row's cards that have not been moved stand together; the rightmost depot gets the last of them.
            old_place = dealt + (moved if config.gather else row - 1)
            word0, word1, word2 = move_forward(word0, word1, word2, old_place, ((ends >> (5 * index)) & 31) + moved)
            word2 += every_end & (-ONE << (ENDS + 5 * index))
            moved += 1
    return word0, word1, word2


@compiled
def _redeal(config: Config, word0: int, word1: int, word2: int) -> tuple[bool, int, int, int]:
    """Whether a redeal is legal, and the state after it."""
    word2 &= ~(_ALL_ENDS << ENDS)
    if config.max_redeals != UNLIMITED or config.idle_passes != UNLIMITED:
        counter, radix = counter_of(word0, word1, word2), radix_of(config)
        redeals, idle = counter // radix, 0
        rest = counter - redeals * radix
        if config.max_redeals != UNLIMITED:
            redeals += 1
            if redeals > config.max_redeals:
                return False, word0, word1, word2
        if config.idle_passes != UNLIMITED:
            idle = 0 if rest & 1 else (rest >> 1) + 1
            if idle >= config.idle_passes:
                return False, word0, word1, word2
        word0, word1, word2 = with_counter(word0, word1, word2, redeals * radix + 2 * idle)
    return True, word0, word1, word2


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
    every_end = _EVERY_END & ((ONE << (ENDS + 5 * k)) - ONE)
    played = ZERO if config.idle_passes == UNLIMITED else ONE << COUNTER
    count, source, states = 0, space.counters[EXPANDED], space.counters[STATES]
    while source < states and count + MOST_MOVES <= BATCH:
        word0, word1, word2 = keys[source, 0], keys[source, 1], keys[source, 2]
        begin = count
        others = False
        for depot in range(k):
            index = depot if config.gather else k - 1 - depot
            end = (word2 >> (ENDS + 5 * index)) & 31
            if end == ((word2 >> (ENDS + 5 * index - 5)) & 31 if index > 0 else 0):
                continue
            card = card_at(word0, word1, word2, end - 1)
            places = _places(config, word2, depot, card)
            if places == 0:
                continue
            others |= rank[card] != 0
            new0, new1, new2 = take_out(word0, word1, word2, end - 1)
            new2 -= every_end & (-ONE << (ENDS + 5 * index))
            for foundation in range(k):
                if (places >> foundation) & 1:
                    top = (word2 >> (TOPS + 5 * foundation)) & 31
                    with_card = new2 + ((card - top) << (TOPS + 5 * foundation))
                    label = 4 * card + foundation
                    count = _add(batch, slots, count, new0 | played, new1, with_card, source, label)
        if count == begin or config.withhold == ANYTHING or (config.withhold == BASES and not others):
            dealt, left = (word2 >> (ENDS + 5 * k - 5)) & 31, _cards_left(config, word2)
            if dealt < left:
                new0, new1, new2 = _deal(config, word0, word1, word2, left - dealt)
                count = _add(batch, slots, count, new0, new1, new2, source, DEAL)
            elif dealt > 0:
                legal, new0, new1, new2 = _redeal(config, word0, word1, word2)
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
def go_on(config: Config, space: Space, steps: int) -> int:
    """Go on with an exploration until all is expanded, or for so many batches."""
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
