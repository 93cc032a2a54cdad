"""The search over boundaries, depth first. docs/kernel.md says why it misses nothing."""

import numpy as np

from amazons_solver.kernel.boundaries.arrival import arrive, count_bases, fits, turn, waits_for_top
from amazons_solver.kernel.boundaries.keys import Scratch, Search, idle_of, key_of, redeals_of, unpack
from amazons_solver.kernel.boundaries.orbits import Orbits
from amazons_solver.kernel.boundaries.passes import (
    all_complete,
    deal_row,
    deal_rows,
    gather,
    list_active,
    list_plays,
    locate,
    packed_tops,
    play,
    set_tops,
)
from amazons_solver.kernel.boundaries.stack import (
    BEGAN_HERE,
    INITIAL_PLAYED,
    MIDDLE,
    MOST_STORED,
    PHASE_BITS,
    PLAY_BASE,
    PLAY_DEPOT,
    PLAY_FOUNDATION,
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
    push_play,
)
from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import ANY_EMPTY, ANYTHING, OWN_SUIT, UNLIMITED, Config, may_deal
from amazons_solver.kernel.instructions import highest_bit
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
def _drop_transposed(
    config: Config, scratch: Scratch, plays: int, last_depot: int, last_foundation: int, last_base: bool
) -> int:
    """Drop the plays that could as well have been made just before the last one (partial-order reduction).

    Two plays from different depots to different foundations commute, except two bases whose places depend on which
    foundations are empty. Of the orders that differ by such exchanges the least by depot is kept.
    """
    kept = 0
    for i in range(plays):
        depot, foundation = scratch.from_depot[i], scratch.to_foundation[i]
        two_bases = last_base and config.rank[scratch.talon[highest_bit(scratch.piles[depot])]] == 0
        free = foundation != last_foundation and (not two_bases or config.placement in (ANY_EMPTY, OWN_SUIT))
        if depot >= last_depot or not free:
            scratch.from_depot[kept], scratch.to_foundation[kept] = depot, foundation
            kept += 1
    return kept


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
    rank, piles, talon = config.rank, scratch.piles, scratch.talon
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
        last_depot, last_foundation, last_base = -1, 0, False
        began_inside = np.int64(0)
        if middle:
            dealt, deal_next = load_pass(config, scratch, word0, word1, word2)
            last_depot, last_foundation = ((word2 >> PLAY_DEPOT) & 7) - 1, (word2 >> PLAY_FOUNDATION) & 7
            last_base = (word2 >> PLAY_BASE) & 1 == 1
            began_inside = word2 & np.int64(BEGAN_HERE)
        else:
            piles[0] = piles[1] = piles[2] = piles[3] = 0
            dealt, deal_next = 0, True
        held = middle and deal_next
        while True:
            if deal_next:
                deal_next, last_depot = False, -1
                if dealt == count:
                    left = gather(config, scratch)
                    # A pass without a play ends in the next phase, which has an entry of its own.
                    if left < count or began_inside != 0:
                        number = _redeal(config, orbits, search, scratch, left, count, boundary, phase)
                        if number >= 0:
                            loaded, loaded_phase, count = number, -1, left
                    break
                if held:
                    dealt, held = deal_row(config, scratch, dealt, count), False
                else:
                    dealt = deal_rows(config, scratch, dealt, count)
            plays, others, sure = list_plays(config, scratch)
            if plays == 0:
                deal_next = True
                continue
            choice = 0
            if config.withhold != ANYTHING and sure >= 0:
                # A dominant play: it must come before the next row, and commutes with all other plays.
                choice = sure
                last_depot = -1
            else:
                if last_depot >= 0:
                    plays = _drop_transposed(config, scratch, plays, last_depot, last_foundation, last_base)
                if plays == 0:
                    if not may_deal(config, others):
                        break
                    deal_next = held = True
                    continue
                if may_deal(config, others):
                    push_middle(config, search, scratch, dealt, True, began_inside, boundary, phase)
                for i in range(plays - 1, 0, -1):
                    push_play(config, search, scratch, dealt, i, began_inside, boundary, phase)
                last_depot = scratch.from_depot[0]
            depot, foundation = scratch.from_depot[choice], scratch.to_foundation[choice]
            card = play(config, scratch, depot, foundation)
            last_foundation, last_base = foundation, rank[card] == 0
            if rank[card] == config.ranks - 1 and all_complete(config, scratch):
                counters[WON_BOUNDARY], counters[WON_PHASE] = boundary, phase
                return GOAL
    return EXHAUSTED


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
