"""Solves an endgame table by retrograde analysis, shape by shape: plays lead to fewer cards, solved before."""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.boundaries.arrival import first_phase, turn, waits_for_top
from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.boundaries.orbits import NEVER, Orbits
from amazons_solver.kernel.boundaries.passes import (
    deal_row,
    deal_rows,
    gather,
    list_active,
    list_plays,
    locate,
    play,
    set_top,
)
from amazons_solver.kernel.boundaries.stack import load_pass, pass_words
from amazons_solver.kernel.boundaries.tables import bit_of, is_won
from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import ANYTHING, Config

_ONE = np.int64(1)

TRAIL = 256
"""Entries that one pass may leave on the trail: at most four for each of 10 plays, 10 rows."""


@compiled
def solve_orders(  # noqa: C901 (one order, step by step)
    config: Config,
    orbits: Orbits,
    scratch: Scratch,
    shape: NDArray[np.int64],
    order: NDArray[np.int64],
    trail: NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Enter into the table of `config` the orders of one shape from index `first` up to `last`.

    Args:
        config: the rules, with the table; shapes of fewer cards are solved.
        orbits: the permutations.
        scratch: registers.
        shape: how many cards each foundation needs.
        order: the labels in the order before the first (or the very first one); afterwards in the last one.
        trail: room for the ways to play a pass, of shape (TRAIL, 3).
        first: the first index.
        last: one more than the last index.
    """
    count = 0
    cards, start = scratch.cards, scratch.start
    for foundation in range(config.depots):
        for i in range(shape[foundation]):
            cards[count] = (foundation + 1) * config.ranks - shape[foundation] + i + 1
            count += 1
    for index in range(first, last):
        if index > 0:
            _next_order(order, count)
        for foundation in range(config.depots):
            set_top(config, scratch, foundation, (foundation + 1) * config.ranks - shape[foundation])
            scratch.piles[foundation] = 0
        for i in range(count):
            start[i] = scratch.next[i] = cards[order[i]]
        bit = _bit_of(config, scratch, count)
        if is_won(config, bit):
            continue  # another phase of its orbit is
        dealt_to = list_active(config, scratch)
        phases, phase = 1, 0
        if config.withhold == ANYTHING:
            phases = orbits.order[config.gather, dealt_to, count]
        elif not waits_for_top(config, scratch):
            locate(config, start, count, scratch.next_at)
            phase = first_phase(config, orbits, scratch, scratch.next_at, count, dealt_to)
            if phase == NEVER:
                continue
        # Of compulsory plays nothing can be made before this phase, and then something must be.
        turn(config, orbits, start, count, dealt_to, phase, scratch.talon)
        locate(config, scratch.talon, count, scratch.talon_at)
        if _pass_wins(config, scratch, trail, count):
            for foundation in range(config.depots):
                scratch.tops[foundation] = (foundation + 1) * config.ranks - shape[foundation]
            for won_phase in range(phases):
                turn(config, orbits, start, count, dealt_to, won_phase, scratch.next)
                bit = _bit_of(config, scratch, count)
                config.table[bit >> 6] |= _ONE << (bit & 63)


@compiled
def _bit_of(config: Config, scratch: Scratch, count: int) -> int:
    return bit_of(config, scratch, count)


@compiled
def _pass_wins(config: Config, scratch: Scratch, trail: NDArray[np.int64], count: int) -> bool:
    """Whether a way to play the pass of the talon in `scratch.talon`, not without a play, leads to a win.

    When plays are compulsory there is one way to look at: by suit no play forestalls another, so all orders of them
    lead to the same table.
    """
    piles, tops = scratch.piles, scratch.tops
    entries = dealt = 0
    deal_next, held = True, False
    while True:
        if deal_next and dealt == count:
            left = gather(config, scratch)
            if left < count and is_won(config, _bit_of(config, scratch, left)):
                return True
            if entries == 0:
                return False
            entries -= 1
            word0, word1, word2 = trail[entries, 0], trail[entries, 1], trail[entries, 2]
            dealt, deal_next = load_pass(config, scratch, word0, word1, word2)
            held = deal_next
            continue
        if deal_next:
            if held:
                dealt, held = deal_row(config, scratch, dealt, count), False
            else:
                dealt = deal_rows(config, scratch, dealt, count)
        plays, _, _ = list_plays(config, scratch)
        deal_next = plays == 0
        if deal_next:
            continue
        if config.withhold == ANYTHING:
            _leave(config, scratch, trail, entries, dealt, True)
            entries += 1
        else:
            plays = 1
        for i in range(plays - 1, -1, -1):
            depot, foundation = scratch.from_depot[i], scratch.to_foundation[i]
            pile, top = piles[depot], tops[foundation]
            play(config, scratch, depot, foundation)
            if i > 0:  # the first one is continued
                _leave(config, scratch, trail, entries, dealt, False)
                entries += 1
                piles[depot] = pile
                set_top(config, scratch, foundation, top)


@compiled
def _leave(config: Config, scratch: Scratch, trail: NDArray[np.int64], entry: int, dealt: int, deal_next: bool) -> None:
    """Note the pass as it stands, laid out as on the search's stack."""
    trail[entry, 0], trail[entry, 1], trail[entry, 2] = pass_words(config, scratch, dealt, deal_next)


@inlined
def _next_order(order: NDArray[np.int64], count: int) -> None:
    """Step to the next order of labels; there must be one."""
    i = count - 2
    while order[i] > order[i + 1]:
        i -= 1
    j = count - 1
    while order[j] < order[i]:
        j -= 1
    order[i], order[j] = order[j], order[i]
    i, j = i + 1, count - 1
    while i < j:
        order[i], order[j] = order[j], order[i]
        i, j = i + 1, j - 1
