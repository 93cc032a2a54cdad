"""Pictures in SVG: a state, a deal, and a line as a strip.

A picture is a self-contained SVG document that says in words what it shows (``<title>``, ``<desc>``). One page can hold
any number of pictures: a state and a deal have no ids, and those of a strip are its own. The picture depends on the
arguments alone, to the byte.

The table, in the units of `cards`: column 0 is the talon's, column i that of foundation i and, below it, depot i.
Column i begins at ``GAP + i * COLUMN``; talon and foundations begin at `FOUNDATIONS_Y`, and card j of a depot, counted
from 0 at the bottom of the pile, at ``DEPOTS_Y + j * FAN``.
"""

import hashlib
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, get_args
from xml.sax.saxutils import escape

from amazons_solver.errors import IllegalMoveError, OptionError
from amazons_solver.model.arguments import checked
from amazons_solver.model.cards import Card
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import Move, Moves, as_line, as_move, format_line, passes
from amazons_solver.model.state import State
from amazons_solver.render.cards import CARD_HEIGHT, CARD_WIDTH, FAN, GAP, STYLE, back, empty_slot, face
from amazons_solver.render.marks import MARK_STYLE, draw_marks
from amazons_solver.render.words import card_names, counters, heading, move_name, state_in_words

__all__ = ["COLUMN", "DEPOTS_Y", "FOUNDATIONS_Y", "Theme", "deal_svg", "line_svg", "state_svg"]

Theme = Literal["auto", "light", "dark"]
Draw = Callable[[Card, bool], str]
"""What draws a card, covered or not."""

COLUMN: Final = CARD_WIDTH + GAP
FOUNDATIONS_Y: Final = 30
DEPOTS_Y: Final = FOUNDATIONS_Y + CARD_HEIGHT + 2 * GAP

# In a strip: the room for the pass's number and for the moves above the tables, and round each table.
_PASS_LABEL = 52
_CAPTION = 34
_MARGIN = 2 * GAP
_STRIP_SCALE = 0.6

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@checked
def state_svg(
    state: State,
    *,
    marks: Mapping[Move, bool | None] | Mapping[str, bool | None] | None = None,
    theme: Theme = "auto",
) -> str:
    """The table in a state: depots fanned downwards, the talon with its count, foundations above their depots.

    Args:
        state: the state.
        marks: by legal move, or its text, whether it keeps the win, or ``None`` where that is not known.
        theme: ``"light"``, ``"dark"``, or ``"auto"``, as the reader's settings have it.

    Raises:
        IllegalMoveError: a marked move is not legal in this state.
        OptionError: there is no such theme.

    >>> from amazons_solver import DEAL, Rules
    >>> picture = state_svg(State.initial(Deal.numbered(7)), marks={DEAL: True})
    >>> picture.partition("<desc>")[0].partition("<title>")[2]
    'Amazons: 28 cards left</title>'
    """
    marks = {as_move(move): keeps for move, keeps in (marks or {}).items()}
    legal = state.legal_moves() if marks else ()
    for move in marks:
        if move not in legal:
            expected = " ".join(map(str, legal)) or "none: the game is over"
            raise IllegalMoveError(f"expected marks on legal moves ({expected}), got one on {move} in {state.text()}")
    kinds = {None: "unknown", True: "keeps", False: "loses"}
    said = {None: "not known to be won or lost", True: "the game can still be won", False: "the game is lost"}
    ordered = [(move, marks[move]) for move in legal if move in marks]
    words = "".join(f" After {move_name(move)}: {said[verdict]}." for move, verdict in ordered)
    return _document(
        _table_size(state),
        _table(state, [(move, kinds[verdict]) for move, verdict in ordered]),
        title=f"Amazons: {heading(state)}",
        description=state_in_words(state) + words,
        theme=theme,
    )


@checked
def deal_svg(deal: Deal, *, theme: Theme = "auto") -> str:
    """A deal, its cards laid out row by row as they would lie if nothing were played, a depot for each suit.

    Raises:
        OptionError: there is no such theme.
    """
    columns = len({card.suit for card in deal.cards})
    depots = [deal.cards[i::columns] for i in range(columns)]
    width = GAP + columns * COLUMN
    height = GAP + max(map(_pile_height, depots)) + GAP
    piles = "".join(_pile(GAP + i * COLUMN, GAP, pile) for i, pile in enumerate(depots))
    return _document(
        (width, height),
        piles,
        title=f"Amazons: deal {deal.name}" if deal.name else "Amazons: a deal",
        description=f"In rows of {columns}, first dealt first: {card_names(deal.cards)}.",
        theme=theme,
    )


@checked
def line_svg(start: State, line: Moves, *, theme: Theme = "auto") -> str:
    """A line as a strip: each state with the move that is made in it, a pass a row, and the last state.

    Raises:
        IllegalMoveError: a move is not legal; the message counts the moves from 1.
        OptionError: there is no such theme.
    """
    moves = as_line(line)
    states = start.states_along(moves)
    shown = iter(states)
    rows = [[(next(shown), move) for move in row] for row in passes([*moves, None])]  # in the last state, no move
    # Each face is drawn once, under an id, and put from there.
    prefix = hashlib.blake2s(
        f"{start!r} {start.rules} {format_line(moves)} {theme}".encode(), digest_size=5
    ).hexdigest()
    faces = "".join(f'<g id="amz-{prefix}-{card}">{face(card)}</g>' for card in start.rules.deck)
    drawn, y, numbers = [f"<defs>{faces}</defs>"], _MARGIN, itertools.count(1)
    cell = _table_size(start)[0] + _MARGIN
    for index, row in enumerate(rows, start=1):
        drawn.append(_text(f"pass {index}", _MARGIN, y + 28, "amz-ink amz-pass"))
        y += _PASS_LABEL
        for column, (state, move) in enumerate(row):
            caption = ("won" if state.is_won else "") if move is None else f"{next(numbers)}. {move}"
            words = _text(caption, cell // 2, 24, "amz-ink amz-caption")
            table = _table(
                state,
                [] if move is None else [(move, "move")],
                lambda card, _: f'<use href="#amz-{prefix}-{card}"/>',
            )
            drawn.append(_placed(column * cell + _MARGIN // 2, y, words + _placed(_MARGIN // 2, _CAPTION, table)))
        y += _CAPTION + max(_table_size(state)[1] for state, _ in row) + _MARGIN
    return _document(
        (max(map(len, rows)) * cell + _MARGIN, y),
        "".join(drawn),
        title=f"Amazons: a line of {len(moves)} moves" + (" that wins" if states[-1].is_won else ""),
        description=f"{state_in_words(start)} Then: {', '.join(map(move_name, moves)) or 'no move'}.",
        theme=theme,
        strip=True,
    )


def _document(
    size: tuple[int, int], body: str, *, title: str, description: str, theme: Theme, strip: bool = False
) -> str:
    """The whole picture. It shrinks to fit, except a strip, which scrolls.

    Raises:
        OptionError: there is no such theme.
    """
    if theme not in get_args(Theme):
        raise OptionError(f"expected theme to be one of {', '.join(get_args(Theme))}; got {theme!r}")
    width, height = size
    scale = _STRIP_SCALE if strip else 1
    shrinks = "" if strip else ' style="max-width:100%;height:auto"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="amz-{theme}" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width * scale:g}" height="{height * scale:g}"{shrinks}>'
        f"<title>{_escaped(title)}</title><desc>{_escaped(description)}</desc><style>{STYLE}{MARK_STYLE}</style>"
        f'<rect class="amz-table" width="{width}" height="{height}" rx="8"/>{body}</svg>'
    )


def _escaped(text: str) -> str:
    """A text for XML, in which some characters cannot be written at all."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _table_size(state: State) -> tuple[int, int]:
    """Width and height of the table."""
    lowest = max(map(_pile_height, state.depots))
    return GAP + (len(state.depots) + 1) * COLUMN, DEPOTS_Y + lowest + GAP


def _pile_height(pile: Sequence[Card]) -> int:
    return CARD_HEIGHT + max(0, len(pile) - 1) * FAN


def _table(state: State, marks: Sequence[tuple[Move, str]], draw: Draw = face) -> str:
    """Everything on the table, the faces as `draw` has them, and the marks on it."""
    complete = state.rules.ranks[-1]
    drawn = [_talon(state)]
    for i, (top, pile) in enumerate(zip(state.foundations, state.depots, strict=True), start=1):
        x = GAP + i * COLUMN
        label = f"{i}, complete" if top is not None and top.rank.value == complete else str(i)
        drawn.append(_text(label, x + CARD_WIDTH // 2, FOUNDATIONS_Y - 9, "amz-ink amz-label", CARD_WIDTH + 2))
        drawn.append(_placed(x, FOUNDATIONS_Y, empty_slot() if top is None else draw(top, False)))
        drawn.append(_pile(x, DEPOTS_Y, pile, draw))
    return "".join(drawn) + draw_marks(state, marks, column=COLUMN, foundations_y=FOUNDATIONS_Y, depots_y=DEPOTS_Y)


def _talon(state: State) -> str:
    count = len(state.talon)
    number = _text(str(count), CARD_WIDTH // 2, 50, "amz-count amz-number" if count else "amz-ink amz-number")
    plate = f'<rect class="amz-plate" x="12" y="27" width="{CARD_WIDTH - 24}" height="30" rx="6"/>' if count else ""
    middle = GAP + CARD_WIDTH // 2
    drawn = [
        _text("talon", middle, FOUNDATIONS_Y - 9, "amz-ink amz-label"),
        _placed(GAP, FOUNDATIONS_Y, (back() if count else empty_slot()) + plate + number),
    ]
    for row, words in enumerate(counters(state)):
        drawn.append(_text(words, middle, DEPOTS_Y + 62 + 16 * row, "amz-ink amz-label", CARD_WIDTH + GAP))
    return "".join(drawn)


def _pile(x: int, y: int, pile: Sequence[Card], draw: Draw = face) -> str:
    """A depot, fanned downwards."""
    if not pile:
        return _placed(x, y, empty_slot())
    return "".join(_placed(x, y + j * FAN, draw(card, j < len(pile) - 1)) for j, card in enumerate(pile))


def _placed(x: int, y: int, body: str) -> str:
    return f'<g transform="translate({x} {y})">{body}</g>'


def _text(words: str, x: int, y: int, kind: str, most: int | None = None) -> str:
    """A text, squeezed where it would be too wide."""
    wide = most is not None and len(words) * 7 > most
    squeezed = f' textLength="{most}" lengthAdjust="spacingAndGlyphs"' if wide else ""
    return f'<text class="{kind}" x="{x}" y="{y}"{squeezed}>{_escaped(words)}</text>'
