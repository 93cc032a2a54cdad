"""Cards as vector shapes: suits, faces and the back, drawn here, with the colours of a light and a dark table.

All lengths are the units of the pictures: a card is `CARD_WIDTH` by `CARD_HEIGHT`, and cards that lie on each other in
a depot are `FAN` apart, which leaves rank and suit of each to be read. A page that draws cards itself takes
`card_symbols` and `STYLE`, and puts cards by ``<use href="#amz-7H" x="…" y="…" width="60" height="84"/>``, inside an
element of class ``amz-auto`` (follows the reader's settings), ``amz-light`` or ``amz-dark``.

Suits differ by shape. Red-green colour-blind people can tell their four colours, and those of the marks, apart: they
are Okabe and Ito's, darkened or lightened for contrast with the face.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from amazons_solver.model.arguments import checked
from amazons_solver.model.cards import Card, Rank, Suit

__all__ = [
    "BACK_ID",
    "CARD_HEIGHT",
    "CARD_WIDTH",
    "COLOURS",
    "FAN",
    "GAP",
    "STYLE",
    "back",
    "card_id",
    "card_symbols",
    "empty_slot",
    "face",
]

CARD_WIDTH: Final = 60
CARD_HEIGHT: Final = 84
FAN: Final = 24
"""How far the next card of a depot lies below the one that it covers."""
GAP: Final = 12
"""Between columns, and round the table."""

COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "table": ("#E6ECF0", "#14181D"),
    "ink": ("#333B45", "#C9D1D9"),
    "face": ("#FFFFFF", "#272D35"),
    "edge": ("#66707C", "#8B949E"),
    "back": ("#48607C", "#4A6484"),
    "weave": ("#7D93AD", "#7890AE"),
    "count": ("#FFFFFF", "#FFFFFF"),
    "clubs": ("#00704F", "#3FD0A4"),
    "diamonds": ("#0068A5", "#6CB8F0"),
    "hearts": ("#B93C00", "#FF9A5C"),
    "spades": ("#16181D", "#F3F4F6"),
    "keeps": ("#0068A5", "#6CB8F0"),
    "loses": ("#B93C00", "#FF9A5C"),
    "unknown": ("#5B6470", "#A9B2BD"),
    "sign": ("#FFFFFF", "#14181D"),
}
"""What is painted in which colour, light and dark; in CSS the variables ``--amz-table`` and so on."""

BACK_ID: Final = "amz-back"

_FONTS = "Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif"

# Each in a square of 16 units round the origin, drawn clockwise, so that shapes may overlap.
_SUIT_PATHS: Final[Mapping[Suit, str]] = {
    Suit.CLUBS: "M-3.7-4.2a3.7 3.7 0 1 1 7.4 0a3.7 3.7 0 1 1-7.4 0ZM-8 1.7a3.7 3.7 0 1 1 7.4 0a3.7 3.7 0 1 1-7.4 0Z"
    "M.6 1.7a3.7 3.7 0 1 1 7.4 0a3.7 3.7 0 1 1-7.4 0ZM-1.5-2H1.5C1.2 4 1.6 6.8 3.2 8H-3.2C-1.6 6.8-1.2 4-1.5-2Z",
    Suit.DIAMONDS: "M0-8C1.8-4.6 4-2 6.4 0 4 2 1.8 4.6 0 8-1.8 4.6-4 2-6.4 0-4-2-1.8-4.6 0-8Z",
    Suit.HEARTS: "M0 8C-1.6 5.2-8 2-8-3.2-8-6.2-5.8-7.6-3.8-7.6-2-7.6-.6-6.4 0-4.8.6-6.4 2-7.6 3.8-7.6 5.8-7.6 8-6.2"
    " 8-3.2 8 2 1.6 5.2 0 8Z",
    Suit.SPADES: "M0-8C1.6-5.2 8-2 8 2.4 8 4.9 6.2 6.2 4.4 6.2 2.8 6.2 1.5 5.4.9 4.3 1 6 1.7 7.2 3 8H-3C-1.7 7.2-1 6"
    "-.9 4.3-1.5 5.4-2.8 6.2-4.4 6.2-6.2 6.2-8 4.9-8 2.4-8-2-1.6-5.2 0-8Z",
}

# Where the pips lie: left, middle and right, between the index and the lower edge.
_L, _M, _R = 17, 30, 43
_FOUR = ((_L, 38), (_R, 38), (_L, 70), (_R, 70))
_SIX = (*_FOUR, (_L, 54), (_R, 54))
_EIGHT = tuple((x, y) for y in (35, 48, 61, 74) for x in (_L, _R))
_PIPS: Final[Mapping[Rank, tuple[tuple[int, int], ...]]] = {
    Rank.TWO: ((_M, 38), (_M, 70)),
    Rank.THREE: ((_M, 38), (_M, 54), (_M, 70)),
    Rank.FOUR: _FOUR,
    Rank.FIVE: (*_FOUR, (_M, 54)),
    Rank.SIX: _SIX,
    Rank.SEVEN: (*_SIX, (_M, 46)),
    Rank.EIGHT: (*_SIX, (_M, 46), (_M, 62)),
    Rank.NINE: (*_EIGHT, (_M, 54)),
    Rank.TEN: (*_EIGHT, (_M, 42), (_M, 67)),
}
# A sword, a tiara and a crown, round the origin.
_EMBLEMS: Final[Mapping[Rank, str]] = {
    Rank.JACK: "M0-17L2.6-12V4H9V8H2.6V13H4.5V16H-4.5V13H-2.6V8H-9V4H-2.6V-12Z",
    Rank.QUEEN: "M-12 12L-16-6-7 3 0-11 7 3 16-6 12 12ZM-2.5-13.5a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0Z"
    "M-18.5-8a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0ZM13.5-8a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0Z",
    Rank.KING: "M-14 12V-5L-7 1-2.5-7H2.5L7 1 14-5V12ZM-1.5-17H1.5V-13.5H5V-10.5H1.5V-6H-1.5V-10.5H-5V-13.5H-1.5Z",
}


def card_id(card: Card) -> str:
    """The id of the card's symbol in `card_symbols`, such as ``amz-7H``."""
    return f"amz-{card}"


@checked
def card_symbols(cards: Iterable[Card]) -> str:
    """A ``<symbol>`` for each card and one for the back, for an ``<svg>`` of a page that puts them by ``<use>``.

    >>> from amazons_solver import Rules
    >>> card_symbols(Rules().deck).count("<symbol ")
    29
    """
    size = f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}"'
    symbols = [f'<symbol id="{card_id(card)}" {size}>{face(card)}</symbol>' for card in cards]
    return "".join([*symbols, f'<symbol id="{BACK_ID}" {size}>{back()}</symbol>'])


def face(card: Card, covered: bool = False) -> str:
    """The face of a card, its upper left corner at the origin; of a covered one, only what shows of it in a fan."""
    rank = "10" if card.rank is Rank.TEN else card.rank.value
    squeezed = ' textLength="22" lengthAdjust="spacingAndGlyphs"' if card.rank is Rank.TEN else ""
    index = f'<text class="amz-rank" x="6" y="20"{squeezed}>{rank}</text>{_suit(card.suit, 40, 13, 15)}'
    return f'{_rectangle("face")}<g class="amz-{card.suit.name.lower()}">{index}{"" if covered else _body(card)}</g>'


def back() -> str:
    """The back of a card."""
    threads = [(x, x + 12) for x in (6, 18, 30, 42)] + [(x, x - 12) for x in (18, 30, 42, 54)]
    weave = "".join(f"M{x} 6L{to} 18 {x} 30 {to} 42 {x} 54 {to} 66 {x} 78" for x, to in threads)
    return f'{_rectangle("back")}<path class="amz-weave" d="{weave}"/>'


def empty_slot() -> str:
    """The place of a pile that has no card."""
    return _rectangle("slot")


def _body(card: Card) -> str:
    """What a card shows below its index."""
    if card.rank is Rank.ACE:
        return _suit(card.suit, 30, 54, 34)
    if card.rank in _EMBLEMS:
        return f'<path d="{_EMBLEMS[card.rank]}" transform="translate(26 54)"/>{_suit(card.suit, 49, 72, 14)}'
    return "".join(_suit(card.suit, x, y, 12) for x, y in _PIPS[card.rank])


def _suit(suit: Suit, x: int, y: int, size: int) -> str:
    """The suit's shape round a point."""
    return f'<path d="{_SUIT_PATHS[suit]}" transform="translate({x} {y})scale({size / 16:g})"/>'


def _rectangle(kind: str) -> str:
    return f'<rect class="amz-{kind}" x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="6"/>'


def painted(name: str, role: str) -> str:
    """A property of a style sheet in the colour of a role."""
    return f"{name}:{COLOURS[role][0]};{name}:var(--amz-{role});"


def _style() -> str:
    """The style sheet: the colours as variables, and what wears them.

    Variables reach what is put by ``<use>``. A program that does not know them takes the light colours.
    """

    def variables(theme: int) -> str:
        return "".join(f"--amz-{role}:{colours[theme]};" for role, colours in COLOURS.items())

    rules = {
        ".amz-auto,.amz-light": variables(0),
        ".amz-dark": variables(1),
        **{f".amz-{role}": painted("fill", role) for role in ("table", "ink", "clubs", "diamonds", "hearts", "spades")},
        ".amz-face": painted("fill", "face") + painted("stroke", "edge"),
        ".amz-back": painted("fill", "back") + painted("stroke", "edge"),
        ".amz-slot": "fill:none;stroke-dasharray:4 4;" + painted("stroke", "edge"),
        ".amz-weave": "fill:none;stroke-width:1.5;" + painted("stroke", "weave"),
        ".amz-count": painted("fill", "count"),
        ".amz-plate": painted("fill", "back"),
        ".amz-rank": f"font:700 20px {_FONTS};",
        ".amz-number": f"font:700 24px {_FONTS};text-anchor:middle;",
        ".amz-label": f"font:13px {_FONTS};text-anchor:middle;",
        ".amz-caption": f"font:26px {_FONTS};text-anchor:middle;",
        ".amz-pass": f"font:700 30px {_FONTS};",
    }
    return (
        "".join(f"{selector}{{{body}}}" for selector, body in rules.items())
        + f"@media (prefers-color-scheme:dark){{.amz-auto{{{variables(1)}}}}}"
    )


STYLE: Final = _style()
"""The style sheet of all pictures, the same in each, so that any number of them may stand in one page."""
