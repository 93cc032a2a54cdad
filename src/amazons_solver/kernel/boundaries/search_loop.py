"""The search over boundaries, depth first. docs/kernel.md says why it misses nothing."""

import numpy as np

from amazons_solver.kernel.boundaries.arrival import arrive, count_bases, fits, turn, waits_for_top
from amazons_solver.kernel.boundaries.keys import Scratch, Search, idle_of, key_of, redeals_of, unpack
from amazons_solver.kernel.boundaries.orbits import Orbits
from amazons_solver.kernel.boundaries.passes import (
    list_active,
    locate,
    packed_tops,
    set_tops,
)
from amazons_solver.kernel.boundaries.stack import (
    BEGAN_HERE,
    INITIAL_PLAYED,
    MIDDLE,
    MOST_STORED,
    PHASE_BITS,
    STACK,
    STACK_MARGIN,
    STEPS,
    STORED,
    UNLISTED,
    WON_BOUNDARY,
    WON_PHASE,
    load_pass,
    push,
    push_middle,
)
from amazons_solver.kernel.boundaries.walk import WALK_WON, walk
from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import ANYTHING, UNLIMITED, Config
from amazons_solver.kernel.packing import TOPS
from amazons_solver.kernel.slices import EXHAUSTED, FULL, GOAL, LIMIT_HIT, PAUSED

STATES_FULL, STACK_FULL = FULL, FULL + 1
"""What `resume` returns besides what all loops do: that it needs more room for boundaries, or for the stack."""

_PHASE = (1 << PHASE_BITS) - 1

LEAP = 64
"""How many entries are taken before the search leaps to a random open one: docs/kernel.md, "Leaps"."""


@inlined
def _redeal(
    config: Config,
    orbits: Orbits,
    search: Search,
    scratch: Scratch,
    left: int,
    count: int,
    boundary: int,
    phase: int,
) -> int:
    """End the pass of a boundary's phase with a redeal, if that is legal, and go to the boundary it leads to.

    Returns:
        what `arrive` does; -1 if the redeal is not legal.
    """
    redeals = idle = 0
    if config.max_redeals != UNLIMITED:
        redeals = redeals_of(search.keys[boundary, 2]) + phase + 1
        if redeals > config.max_redeals:
            return -1
    # Only a pass that the search began in its middle may end here without a play.
    if config.idle_passes != UNLIMITED and left == count and search.counters[INITIAL_PLAYED] == 0:
        idle = idle_of(search.keys[boundary, 2]) + 1
        if idle >= config.idle_passes:
            return -1
    return arrive(config, orbits, search, scratch, left, redeals, idle, boundary, phase)


@inlined
def _leap(search: Search, last: int) -> None:
    """Swap the last stack entry with one drawn from those before it, more likely an early one (diversification)."""
    draw = search.counters[STEPS] * np.int64(-7046029254386353131)
    draw = (draw ^ ((draw >> 29) & 0x7FFFFFFFF)) * np.int64(-4658895280553007687)
    earlier = min(((draw >> 33) & 0x7FFFFFFF) % last, ((draw >> 12) & 0x1FFFFF) % last)
    for i in range(4):
        search.stack[last, i], search.stack[earlier, i] = search.stack[earlier, i], search.stack[last, i]


@compiled
def resume(  # noqa: C901 (the hot loop)
    config: Config, orbits: Orbits, search: Search, scratch: Scratch, steps: int
) -> int:
    """Continue a search until it ends, or for this many steps (entries taken from the stack)."""
    counters, stack, keys = search.counters, search.stack, search.keys
    talon, piles = scratch.talon, scratch.piles
    stack_room, room = stack.shape[0] - STACK_MARGIN, keys.shape[0] - 1
    loaded = loaded_phase = located = -1
    count = dealt_to = 0
    cards = scratch.cards
    while counters[STACK] > 0:
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
        entry = counters[STACK] - 1
        counters[STACK] = entry
        if counters[STEPS] % LEAP == 0 and entry > 0:
            _leap(search, entry)
        word0, word1, word2, word3 = stack[entry, 0], stack[entry, 1], stack[entry, 2], stack[entry, 3]
        boundary, phase = word3 >> PHASE_BITS, word3 & _PHASE
        middle = word2 & MIDDLE != 0
        if boundary != loaded:
            count = unpack(keys, boundary, cards)
            loaded, loaded_phase = boundary, -1
        if not middle or phase != loaded_phase:
            set_tops(config, scratch, keys[boundary, 2] >> TOPS)
            dealt_to = list_active(config, scratch)
        if not middle:
            order = orbits.order[config.gather, dealt_to, count]
            if config.withhold == ANYTHING and count_bases(config, scratch) == 0 and not waits_for_top(config, scratch):
                if located != boundary:
                    locate(config, cards, count, scratch.cards_at)
                    located = boundary
                while word0 > 1 and not fits(config, orbits, scratch, scratch.cards_at, count, dealt_to, phase):
                    word0 -= 1
                    phase = (phase + 1) % order
            if word0 > 1:
                push(search, word0 - 1, 0, word2, boundary, (phase + 1) % order)
        if phase != loaded_phase:
            if phase == 0:
                for i in range(32):
                    talon[i] = cards[i]
            else:
                turn(config, orbits, cards, count, dealt_to, phase, talon)
            locate(config, talon, count, scratch.talon_at)
            loaded_phase = phase
        if word2 & MIDDLE != 0:
            dealt, deal_next = load_pass(config, scratch, word0, word1, word2)
        else:
            piles[0] = piles[1] = piles[2] = piles[3] = 0
            dealt, deal_next = 0, True
        left = walk(config, search, scratch, count, dealt, deal_next, word2, boundary, phase)
        if left == WALK_WON:
            counters[WON_BOUNDARY], counters[WON_PHASE] = boundary, phase
            return GOAL
        # A pass without a play ends in the next phase, which has an entry of its own.
        if left >= 0 and (left < count or word2 & BEGAN_HERE != 0):
            number = _redeal(config, orbits, search, scratch, left, count, boundary, phase)
            if number >= 0:
                loaded, loaded_phase, count = number, -1, left
    return EXHAUSTED


@compiled
def begin(
    config: Config, orbits: Orbits, search: Search, scratch: Scratch, count: int, redeals: int, idle: int
) -> None:
    """Begin at the boundary whose talon is in `scratch.next`."""
    arrive(config, orbits, search, scratch, count, redeals, idle, -1, 0)


@compiled
def begin_inside(
    config: Config, search: Search, scratch: Scratch, count: int, dealt: int, redeals: int, idle: int
) -> None:
    """Begin in the middle of a pass, with the depots in `scratch.piles` and all cards in `scratch.next`."""
    tops = packed_tops(config, scratch)
    search.keys[0, 0], search.keys[0, 1], search.keys[0, 2] = key_of(scratch.next, count, tops, redeals, idle)
    search.parents[0] = -1
    search.counters[UNLISTED] = 1
    search.counters[STORED] = 1  # but no slot leads to it: it is no boundary that can be met again
    push_middle(config, search, scratch, dealt, False, np.int64(BEGAN_HERE), 0, 0)
