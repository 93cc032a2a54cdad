"""One pass, walked to its end; what else could be played is pushed. docs/kernel.md says why no end is missed."""

import numpy as np

from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.boundaries.passes import all_complete, deal_row, deal_rows, gather, list_plays, play
from amazons_solver.kernel.boundaries.stack import (
    BEGAN_HERE,
    MIDDLE,
    PLAY_BASE,
    PLAY_DEPOT,
    PLAY_FOUNDATION,
    Stacked,
    push_middle,
    push_play,
)
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import ANY_EMPTY, ANYTHING, OWN_SUIT, Config, may_deal
from amazons_solver.kernel.instructions import highest_bit

WALK_DROPPED, WALK_WON = -1, -2
"""What `walk` returns in place of a number of cards: the same ends are met by other plays; the game is won."""


@inlined
def _drop_transposed(
    config: Config, scratch: Scratch, plays: int, last_depot: int, last_foundation: int, last_base: bool
) -> int:
    """Drop the plays that could as well have been made just before the last one, from a depot to its left.

    Two plays from different depots to different foundations can be made in either order, but for two bases whose places
    depend on which foundations are empty. Of the orders that differ by such exchanges one is kept.
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
def walk(  # noqa: C901 (the pass in one loop)
    config: Config,
    search: Stacked,
    scratch: Scratch,
    count: int,
    dealt: int,
    deal_next: bool,
    word2: int,
    boundary: int,
    phase: int,
) -> int:
    """Walk a pass on, from its start or from where an entry of the stack has left it.

    Needs the talon, of `count` cards, in `scratch.talon` and `scratch.talon_at`, the depots, and the foundations;
    `word2` is the entry's third word, START for a pass that begins.

    Returns:
        how many cards a redeal puts into the talon, in `scratch.next`; WALK_DROPPED or WALK_WON.
    """
    last_foundation, last_base, held = 0, False, False
    last_depot = -1
    if word2 & MIDDLE != 0:
        last_depot, last_foundation = ((word2 >> PLAY_DEPOT) & 7) - 1, (word2 >> PLAY_FOUNDATION) & 7
        last_base = (word2 >> PLAY_BASE) & 1 == 1
        held = deal_next
    began_inside = word2 & np.int64(BEGAN_HERE)
    while True:
        if deal_next:
            deal_next, last_depot = False, -1
            if dealt == count:
                return gather(config, scratch)
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
            # It must be played before the next row, and nothing else that can be played minds when.
            choice = sure
            last_depot = -1
        else:
            if last_depot >= 0:
                plays = _drop_transposed(config, scratch, plays, last_depot, last_foundation, last_base)
            if plays == 0:
                if not may_deal(config, others):
                    return WALK_DROPPED
                deal_next = held = True
                continue
            if may_deal(config, others):
                push_middle(config, search, scratch, dealt, True, began_inside, boundary, phase)
            for i in range(plays - 1, 0, -1):
                push_play(config, search, scratch, dealt, i, began_inside, boundary, phase)
            last_depot = scratch.from_depot[0]
        depot, foundation = scratch.from_depot[choice], scratch.to_foundation[choice]
        card = play(config, scratch, depot, foundation)
        last_foundation, last_base = foundation, config.rank[card] == 0
        if config.rank[card] == config.ranks - 1 and all_complete(config, scratch):
            return WALK_WON
