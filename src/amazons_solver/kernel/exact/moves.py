"""What moves make of an exact state."""

from amazons_solver.kernel.compiling import compiled
from amazons_solver.kernel.config import ABOVE, LEFTMOST, OWN_SUIT, UNLIMITED, Config
from amazons_solver.kernel.exact.words import (
    COUNTER,
    ENDS,
    ONE,
    ZERO,
    Words,
    counter_of,
    move_forward,
    radix_of,
    with_counter,
)
from amazons_solver.kernel.packing import TOPS, top_at

EVERY_END = (ONE * 0b00001_00001_00001_00001) << ENDS
_ALL_ENDS = (ONE << (COUNTER - ENDS)) - ONE


@compiled
def is_complete(config: Config, top: int) -> bool:
    return top != 0 and config.rank[top] == config.ranks - 1


@compiled
def continues(config: Config, top: int, card: int) -> bool:
    """Whether a card, not a base, is the next one on a foundation with this top card."""
    if config.by_rank:
        return top != 0 and config.rank[top] + 1 == config.rank[card]
    return top + 1 == card


@compiled
def places(config: Config, word2: int, depot: int, card: int) -> int:
    """The foundations to which the top card of a depot may go, as bits."""
    tops, rank = word2 >> TOPS, config.rank[card]
    if rank != 0 and not (config.top_anywhere and rank == config.ranks - 1):
        return ONE << depot if continues(config, (tops >> (5 * depot)) & 31, card) else ZERO
    if rank == 0 and config.placement == OWN_SUIT:
        place: int = config.places[card]
        return ONE << place
    places = ZERO
    for foundation in range(config.depots):
        top = (tops >> (5 * foundation)) & 31
        if (rank == 0 and top == 0) or (rank != 0 and continues(config, top, card)):
            places |= ONE << foundation
    if rank == 0:
        if config.placement == LEFTMOST:
            return places & -places
        if config.placement == ABOVE and (places >> depot) & 1:
            return ONE << depot
    return places


@compiled
def cards_left(config: Config, word2: int) -> int:
    """How many cards are on no foundation."""
    cards = config.depots * config.ranks
    for foundation in range(config.depots):
        top = top_at(word2, foundation)
        cards -= config.rank[top] + (top != 0)
    return cards


@compiled
def deal(config: Config, word0: int, word1: int, word2: int, left: int) -> Words:
    """The state after a row has been dealt from the `left` cards of the talon."""
    k, ends = config.depots, word2 >> ENDS
    every_end = EVERY_END & ((ONE << (ENDS + 5 * k)) - ONE)
    dealt = (ends >> (5 * k - 5)) & 31
    receiving, row = (1 << k) - 1, k
    if config.skip_complete or left < k:
        receiving = row = 0
        for depot in range(k):
            if row < left and not (config.skip_complete and is_complete(config, top_at(word2, depot))):
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
def redeal(config: Config, word0: int, word1: int, word2: int) -> tuple[bool, int, int, int]:
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
