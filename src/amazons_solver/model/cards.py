"""Cards and their text.

Inside the model a card is a *code*: one byte, ``16 * suit index + rank index + 1``. A pile is then a ``bytes`` object,
which Python slices, joins and hashes in C, and 0 is free to mean "no card". `Card` is the same thing for people.
"""

import enum
import re
from collections.abc import Iterable

import attrs

from amazons_solver.errors import NotationError, shorten
from amazons_solver.model.arguments import checked, checked_fields

__all__ = ["Card", "Rank", "Suit", "parse_card", "parse_cards"]


class Suit(enum.Enum):
    """The four suits, in the order of the notation; the value is the letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def symbol(self) -> str:
        """The suit as a symbol, such as ``♣``."""
        return "♣♦♥♠"["CDHS".index(self.value)]


class Rank(enum.Enum):
    """The thirteen ranks, ace low; the value is the letter."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


SUITS = tuple(Suit)
RANKS = tuple(Rank)
SUIT_LETTERS = "".join(suit.value for suit in SUITS)
RANK_LETTERS = "".join(rank.value for rank in RANKS)


@attrs.frozen(cache_hash=True, field_transformer=checked_fields)
class Card:
    """One card.

    >>> Card(Rank.SEVEN, Suit.HEARTS)
    Card(rank=<Rank.SEVEN: '7'>, suit=<Suit.HEARTS: 'H'>)
    >>> str(parse_card("10♥"))
    'TH'
    """

    rank: Rank = attrs.field(validator=attrs.validators.instance_of(Rank))
    suit: Suit = attrs.field(validator=attrs.validators.instance_of(Suit))

    code: int = attrs.field(init=False, eq=False, repr=False)
    """The card as one byte: ``16 * suit index + rank index + 1``."""

    @code.default
    def _code(self) -> int:
        return card_code(self.rank.value, self.suit.value)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read one card: rank then suit (``7H``, ``th``, or a symbol), or a character of Unicode's card block.

        Raises:
            NotationError: the text is no card.

        >>> Card.parse("10h") == Card(Rank.TEN, Suit.HEARTS)
        True
        """
        return parse_card(text)

    @property
    def pretty(self) -> str:
        """Rank and suit symbol, such as ``10♥``."""
        rank = self.rank.value
        return ("10" if rank == "T" else rank) + self.suit.symbol

    @property
    def character(self) -> str:
        """The one character of Unicode's card block, such as ``🂺``."""
        return _CHARACTERS[str(self)]

    def __str__(self) -> str:
        return self.rank.value + self.suit.value


def card_code(rank: str, suit: str) -> int:
    """The code of the card with these two letters."""
    return 16 * SUIT_LETTERS.index(suit) + RANK_LETTERS.index(rank) + 1


CARDS: dict[int, Card] = {card_code(r.value, s.value): Card(r, s) for s in SUITS for r in RANKS}
"""Every card by its code."""
CARD_TEXT: dict[int, str] = {code: str(card) for code, card in CARDS.items()}
"""Every card's notation by its code."""

_CODE_OF_TEXT = {text: code for code, text in CARD_TEXT.items()}
_SUIT_LETTER = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
# Unicode's card block runs spades, hearts, diamonds, clubs; each row A 2 … 10 J, the knight, Q K.
_BLOCK = {
    chr(0x1F0A0 + 16 * row + 1 + column): rank + suit
    for row, suit in enumerate("SHDC")
    for column, rank in enumerate("A23456789TJ-QK")
    if rank != "-"
}
_CHARACTERS = {text: character for character, text in _BLOCK.items()}
_SEPARATORS = re.compile(r"[\s,\ufeff]+")
_COMMENT = re.compile(r"#[^\n\r]*")


@checked
def parse_card(text: str) -> Card:
    """Read one card: rank then suit (``7H``, ``10♥``, ``th``) or one character of Unicode's card block (``🂡``).

    Raises:
        NotationError: the text is no card.
    """
    plain = text.translate(_SUIT_LETTER)
    plain = _BLOCK.get(plain, plain)
    # ASCII only: upper() would turn other alphabets' letters into ours ("ſ" into "S").
    code = _CODE_OF_TEXT.get(plain.upper().replace("10", "T", 1)) if plain.isascii() else None
    if code is None:
        raise NotationError(f"expected a card such as 7H, 10H or QS, got {shorten(text)}")
    return CARDS[code]


def without_comments(text: str) -> str:
    """The text without comments, each of which goes from ``#`` to the end of its line."""
    return _COMMENT.sub(" ", text)


@checked
def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space and commas in any number; ``#`` starts a comment up to the line's end.

    Raises:
        NotationError: a word is no card; the message counts the words from 1.
    """
    words = [word for word in _SEPARATORS.split(without_comments(text)) if word]
    cards = []
    for position, word in enumerate(words, start=1):
        try:
            cards.append(parse_card(word))
        except NotationError as error:
            raise NotationError(f"{error} (card {position})") from None
    return tuple(cards)


def pile_of(cards: Iterable[Card]) -> bytes:
    """Cards as a packed pile."""
    return bytes(card.code for card in cards)


def cards_of(pile: bytes) -> tuple[Card, ...]:
    """A packed pile as cards."""
    return tuple(CARDS[code] for code in pile)


def pile_text(pile: bytes) -> str:
    """A packed pile in notation: cards separated by a space, ``-`` when empty."""
    return " ".join([CARD_TEXT[code] for code in pile]) or "-"
