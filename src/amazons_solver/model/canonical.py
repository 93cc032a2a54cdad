"""The canonical form of a state (symmetry reduction), and the versioned keys that identify states.

A key is one version byte and the *body*: a byte for each foundation (the top card's code, 0 when empty), then the
depots 1 … k and the talon, separated by 0, a byte a card; then, only under rules that count, 0 and the counters of the
notation in ASCII. The exact key holds the real cards, so equal keys are equal states. The canonical key holds the
renamed cards: with ``build = suit`` the suits in the order in which they are first met in the body become the deck's
suits in order; with ``build = rank`` a card is its rank alone; with ``base_placement = suit``, where each suit has its
place, nothing is renamed, and the canonical key is the exact one. A key is the same on every machine, in every process.
"""

import functools

from amazons_solver.model.cards import SUIT_LETTERS
from amazons_solver.model.rules import Rules

KEY_VERSION = b"\x01"

_SUIT_OF = bytes(code >> 4 for code in range(256))
_RANK_OF = bytes(code & 15 for code in range(256))
_AS_IT_IS = bytes(range(256))
_NO_CARD = b"\0"


def body(talon: bytes, depots: tuple[bytes, ...], foundations: bytes) -> bytes:
    """A state's cards as one byte string, in the order in which canonical renaming reads them."""
    return foundations + _NO_CARD.join((*depots, talon))


def canonical_body(rules: Rules, cards: bytes) -> bytes:
    """The body that all states of one canonical form share."""
    if rules.base_placement == "suit":
        return cards
    if rules.build == "rank":
        return cards.translate(_RANK_OF)
    return cards.translate(_suit_renaming(rules.suits, _suits_as_met(cards)))


def canonical_renaming(rules: Rules, cards: bytes) -> bytes:
    """A translation table from the body's cards to those of the canonical state.

    With ``build = rank`` the canonical state is the one in which the cards of each rank, as they are first met, have
    the deck's suits in order. With ``base_placement = suit`` the table leaves every card as it is.
    """
    if rules.base_placement == "suit":
        return _AS_IT_IS
    if rules.build == "suit":
        return _suit_renaming(rules.suits, _suits_as_met(cards))
    table = bytearray(range(256))
    unused = {rank: [SUIT_LETTERS.index(suit) for suit in rules.suits] for rank in range(1, 14)}
    for code in cards:
        if code:
            table[code] = 16 * unused[code & 15].pop(0) + (code & 15)
    return bytes(table)


def _suits_as_met(cards: bytes) -> bytes:
    """The suit indices in the order in which the body first has them."""
    suits = cards.translate(_SUIT_OF, _NO_CARD)
    met = suits[:1]
    while suits := suits.lstrip(met):  # drops, each time, all that is before the next new suit
        met += suits[:1]
    return met


@functools.cache  # at most 64 orders for each of 15 sets of suits
def _suit_renaming(suits: str, met: bytes) -> bytes:
    """The translation table that gives the suits, as met, the deck's suits in order."""
    table = bytearray(range(256))
    for index, suit in zip(met, suits, strict=False):
        for rank in range(1, 14):
            table[16 * index + rank] = 16 * SUIT_LETTERS.index(suit) + rank
    return bytes(table)
