"""One pass in registers: dealing, legal plays, plays, gathering."""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import ABOVE, LEFTMOST, OWN_SUIT, Config
from amazons_solver.kernel.instructions import highest_bit, lowest_bit

_ONE = np.int64(1)
_COLUMNS = (0xFFFFFFF, 0x5555555, 0x9249249, 0x1111111)
"""By depots dealt to (from 1 on), every n-th position, as bits."""
_RECIPROCALS = (65537, 32769, 21846, 16385)
"""The same divisors as factors: x * factor >> 16 is the quotient for x below 2^15. A division takes much longer."""


@inlined
def is_complete(config: Config, top: int) -> bool:
    """Whether a foundation with this top card is complete."""
    return top != 0 and config.rank[top] == config.ranks - 1


@inlined
def set_top(config: Config, scratch: Scratch, foundation: int, top: int) -> None:
    """Put a card on a foundation."""
    scratch.tops[foundation] = top
    scratch.needs[foundation] = 0 if top == 0 or is_complete(config, top) else top + 1


@inlined
def set_tops(config: Config, scratch: Scratch, tops: int) -> None:
    """Put cards on all foundations: five bits each."""
    for foundation in range(config.depots):
        set_top(config, scratch, foundation, (tops >> (5 * foundation)) & 31)


@inlined
def packed_tops(config: Config, scratch: Scratch) -> int:
    """The foundations' top cards, five bits each."""
    tops = np.int64(0)
    for foundation in range(config.depots):
        tops |= np.int64(scratch.tops[foundation]) << (5 * foundation)
    return tops


@inlined
def all_complete(config: Config, scratch: Scratch) -> bool:
    """Whether the game is won."""
    for foundation in range(config.depots):  # noqa: SIM110 (no generators in compiled code)
        if not is_complete(config, scratch.tops[foundation]):
            return False
    return True


@inlined
def list_active(config: Config, scratch: Scratch) -> int:
    """List the depots that are dealt to; returns how many they are."""
    count = 0
    for depot in range(config.depots):
        if not (config.skip_complete and is_complete(config, scratch.tops[depot])):
            scratch.active[count] = depot
            count += 1
    return count


@inlined
def locate(config: Config, cards: NDArray[np.uint8], count: int, at: NDArray[np.int64]) -> None:
    """Note where each card of a talon is: by card its positions, as bits, and at 0 those of all bases.

    By suit, what was noted before of cards that are played stays, except for bases: no foundation needs them again.
    """
    if config.by_rank:
        for card in range(config.ranks + 1):
            at[card] = 0
        for i in range(count):
            at[cards[i]] |= _ONE << i
        at[0] = at[1]
    else:
        for suit in range(config.depots):
            at[1 + suit * config.ranks] = 0
        for i in range(count):
            at[cards[i]] = _ONE << i
        at[0] = 0
        for suit in range(config.depots):
            at[0] |= at[1 + suit * config.ranks]


@inlined
def deal_row(config: Config, scratch: Scratch, dealt: int, count: int) -> int:
    """Deal one row of the talon's `count` cards, `dealt` of them on the depots already; returns how many then are."""
    for depot in range(config.depots):
        if dealt < count and not (config.skip_complete and is_complete(config, scratch.tops[depot])):
            scratch.piles[depot] |= _ONE << dealt
            dealt += 1
    return dealt


@inlined
def deal_rows(config: Config, scratch: Scratch, dealt: int, count: int) -> int:
    """Deal rows until something can be played, or all that are left, when nothing can be played before.

    Needs the talon's cards in `scratch.talon_at`. Returns how many cards lie then.
    """
    needs, active, at = scratch.needs, scratch.active, scratch.talon_at
    dealt_to = list_active(config, scratch)
    # Of the cards that go to the first of these depots, as bits, if one goes there now.
    column = np.int64(_COLUMNS[dealt_to - 1])
    wanted = at[0]  # a base finds an empty foundation always
    for a in range(dealt_to):
        need = needs[active[a]]
        if need != 0:
            wanted |= at[need] & (column << (dealt + a))
    if config.top_anywhere:
        for foundation in range(config.depots):
            if config.rank[needs[foundation]] == config.ranks - 1:
                wanted |= at[needs[foundation]]
    wanted &= np.int64(-1) << dealt
    end = count
    if wanted != 0:
        rows = ((lowest_bit(wanted) - dealt) * _RECIPROCALS[dealt_to - 1] >> 16) + 1
        end = min(count, dealt + rows * dealt_to)
    for a in range(dealt_to):
        scratch.piles[active[a]] |= (column << (dealt + a)) & ((_ONE << end) - 1)
    return end


@inlined
def gather(config: Config, scratch: Scratch) -> int:
    """Gather the depots into `scratch.next`; returns the number of cards."""
    count = 0
    for i in range(config.depots):
        pile = scratch.piles[i if config.gather else config.depots - 1 - i]
        while pile != 0:
            scratch.next[count] = scratch.talon[lowest_bit(pile)]
            pile &= pile - 1
            count += 1
    return count


@inlined
def list_plays(  # noqa: C901 (the rules of plays in one place)
    config: Config, scratch: Scratch
) -> tuple[int, int, int]:
    """List the legal plays in `scratch`, by depot and then by foundation.

    Needs the talon's cards in `scratch.talon_at`. The top card of a pile is one of some cards if, of the positions in
    the pile, theirs make the larger number.

    Returns:
        the number of plays; how many of them are of non-base cards; and the index of one of a non-base card that no
        other play can forestall, or -1.
    """
    count = others = 0
    sure = -1
    tops, needs, at = scratch.tops, scratch.needs, scratch.talon_at
    from_depot, to_foundation = scratch.from_depot, scratch.to_foundation
    bases = at[0]
    for depot in range(config.depots):
        pile = scratch.piles[depot]
        if pile & bases > pile & ~bases:
            if config.placement == OWN_SUIT:
                from_depot[count], to_foundation[count] = depot, config.places[scratch.talon[highest_bit(pile)]]
                count += 1
                continue
            if config.placement == ABOVE and tops[depot] == 0:
                from_depot[count], to_foundation[count] = depot, depot
                count += 1
                continue
            for foundation in range(config.depots):
                if tops[foundation] == 0:
                    from_depot[count], to_foundation[count] = depot, foundation
                    count += 1
                    if config.placement == LEFTMOST:
                        break
            continue
        if config.top_anywhere:
            for foundation in range(config.depots):
                wanted = at[needs[foundation]]
                if config.rank[needs[foundation]] == config.ranks - 1 and pile & wanted > pile & ~wanted:
                    if not config.by_rank:  # by rank another top card may take the place
                        sure = count
                    from_depot[count], to_foundation[count] = depot, foundation
                    count += 1
                    others += 1
        need = needs[depot]
        wanted = at[need]
        if need != 0 and pile & wanted > pile & ~wanted:
            if config.top_anywhere and config.rank[need] == config.ranks - 1:
                continue  # it is listed already
            sure = count
            from_depot[count], to_foundation[count] = depot, depot
            count += 1
            others += 1
    return count, others, sure


@inlined
def play(config: Config, scratch: Scratch, depot: int, foundation: int) -> int:
    """Play the top card of a depot; returns the card."""
    position = highest_bit(scratch.piles[depot])
    scratch.piles[depot] &= ~(_ONE << position)
    card = scratch.talon[position]
    set_top(config, scratch, foundation, card)
    return card
