"""The search over boundaries in the order of redeals, breadth first: docs/kernel.md, "Fewest redeals".

Each pass is a redeal, and each boundary is stored once, with the fewest redeals that lead to it: its layer. The store
is the queue as well, layer after layer. Passes without a play are redeals like others, so the phases of an orbit are
boundaries of their own here.
"""

import numpy as np

from amazons_solver.kernel.boundaries.arrival import count_bases, first_phase, waits_for_top
from amazons_solver.kernel.boundaries.keys import Layers, Scratch, idle_of, key_of, unpack
from amazons_solver.kernel.boundaries.orbits import NEVER, Orbits
from amazons_solver.kernel.boundaries.passes import list_active, locate, packed_tops, set_tops
from amazons_solver.kernel.boundaries.stack import (
    BEGAN_HERE,
    DUPLICATES,
    INITIAL_PLAYED,
    MIDDLE,
    MOST_STORED,
    PHASE_BITS,
    STACK,
    STACK_MARGIN,
    START,
    STEPS,
    STORED,
    UNLISTED,
    WON_BOUNDARY,
    load_pass,
    push_middle,
)
from amazons_solver.kernel.boundaries.tables import is_lost_by_table
from amazons_solver.kernel.boundaries.walk import WALK_WON, walk
from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import UNLIMITED, Config
from amazons_solver.kernel.lemmas import is_lost
from amazons_solver.kernel.packing import TOPS
from amazons_solver.kernel.slices import EXHAUSTED, FULL, GOAL, LIMIT_HIT, PAUSED
from amazons_solver.kernel.storage import find

STATES_FULL, STACK_FULL = FULL, FULL + 1
"""What `resume` returns beside what all loops do: that it needs more room for boundaries, or for the stack."""

BEGUN, LAYER, LAYER_END, MOST_REDEALS = range(INITIAL_PLAYED + 1, INITIAL_PLAYED + 5)
"""Indices of `Layers.counters`, after those of every search: the boundaries whose pass has been begun; the redeals that
lead to the last of them; where its layer ends; and how many redeals a line may have."""


@inlined
def _store(
    config: Config, orbits: Orbits, search: Layers, scratch: Scratch, count: int, idle: int, parent: int
) -> None:
    """Store the boundary whose talon is in `scratch.next`, unless it is known, or lost."""
    counters = search.counters
    tops = packed_tops(config, scratch)
    if (config.lemmas and is_lost(config, scratch.next[0], tops)) or is_lost_by_table(config, scratch, count):
        return
    if count_bases(config, scratch) == 0 and not waits_for_top(config, scratch):
        dealt_to = list_active(config, scratch)
        locate(config, scratch.next, count, scratch.next_at)
        if first_phase(config, orbits, scratch, scratch.next_at, count, dealt_to) == NEVER:
            return
    word0, word1, word2 = key_of(scratch.next, count, tops, 0, idle)
    found = find(search.keys, search.slots, word0, word1, word2)
    if found >= 0:
        counters[DUPLICATES] += 1
        return
    number = counters[STORED]
    counters[STORED] = number + 1
    search.slots[-1 - found] = number + 1
    search.keys[number, 0], search.keys[number, 1], search.keys[number, 2] = word0, word1, word2
    search.parents[number] = parent


@compiled
def resume(  # noqa: C901 (the hot loop)
    config: Config, orbits: Orbits, search: Layers, scratch: Scratch, steps: int
) -> int:
    """Go on with a search until it ends, or for so many steps (passes, or parts of one after a choice)."""
    counters, stack, keys = search.counters, search.stack, search.keys
    stack_room, room = stack.shape[0] - STACK_MARGIN, keys.shape[0] - 1
    loaded, count = -1, 0
    piles = scratch.piles
    while True:
        if counters[STACK] == 0 and counters[BEGUN] == counters[STORED]:
            return EXHAUSTED
        if steps <= 0:
            return PAUSED
        if counters[STORED] >= counters[MOST_STORED]:
            return LIMIT_HIT
        if counters[STORED] >= room:
            return STATES_FULL
        if counters[STACK] >= stack_room:
            return STACK_FULL
        steps -= 1
        counters[STEPS] += 1
        if counters[STACK] > 0:
            entry = counters[STACK] - 1
            counters[STACK] = entry
            word0, word1, word2 = stack[entry, 0], stack[entry, 1], stack[entry, 2]
            boundary = stack[entry, 3] >> PHASE_BITS
        else:
            boundary = counters[BEGUN]
            counters[BEGUN] = boundary + 1
            if boundary == counters[LAYER_END]:
                counters[LAYER] += 1
                counters[LAYER_END] = counters[STORED]
            word0 = word1 = word2 = np.int64(START)
            set_tops(config, scratch, keys[boundary, 2] >> TOPS)
        if boundary != loaded:
            count = unpack(keys, boundary, scratch.talon)
            locate(config, scratch.talon, count, scratch.talon_at)
            loaded = boundary
        if word2 & MIDDLE != 0:
            dealt, deal_next = load_pass(config, scratch, word0, word1, word2)
        else:
            piles[0] = piles[1] = piles[2] = piles[3] = 0
            dealt, deal_next = 0, True
        left = walk(config, search, scratch, count, dealt, deal_next, word2, boundary, 0)
        if left == WALK_WON:
            counters[WON_BOUNDARY] = boundary
            return GOAL
        if left < 0 or counters[LAYER] >= counters[MOST_REDEALS]:
            continue
        idle = 0
        if config.idle_passes != UNLIMITED and left == count and (boundary > 0 or counters[INITIAL_PLAYED] == 0):
            idle = idle_of(keys[boundary, 2]) + 1
            if idle >= config.idle_passes:
                continue
        _store(config, orbits, search, scratch, left, idle, boundary)


@compiled
def begin(
    config: Config, orbits: Orbits, search: Layers, scratch: Scratch, count: int, _redeals: int, idle: int
) -> None:
    """Begin at the boundary whose talon is in `scratch.next`."""
    _store(config, orbits, search, scratch, count, idle, -1)
    search.counters[LAYER_END] = search.counters[STORED]


@compiled
def begin_inside(
    config: Config, search: Layers, scratch: Scratch, count: int, dealt: int, _redeals: int, idle: int
) -> None:
    """Begin in the middle of a pass, with the depots in `scratch.piles` and all cards in `scratch.next`."""
    tops = packed_tops(config, scratch)
    search.keys[0, 0], search.keys[0, 1], search.keys[0, 2] = key_of(scratch.next, count, tops, 0, idle)
    search.parents[0] = -1
    search.counters[UNLISTED] = search.counters[STORED] = 1  # but no slot leads to it: it cannot be met again
    search.counters[BEGUN] = search.counters[LAYER_END] = 1
    push_middle(config, search, scratch, dealt, False, np.int64(BEGAN_HERE), 0, 0)
