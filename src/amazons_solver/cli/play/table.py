"""The table of a game that is being played, on a terminal."""

from collections.abc import Collection

from rich.text import Text

from amazons_solver.model.cards import Card
from amazons_solver.model.moves import DEAL, REDEAL, Move, Play
from amazons_solver.model.state import State
from amazons_solver.render.text import card_text

__all__ = ["table_text"]

_LABEL = 13
_CELL = 6
_TALON_CARDS_A_ROW = 8


def table_text(
    state: State, *, symbols: bool, height: int | None = None, marked: Collection[Move] = (), show_talon: bool = False
) -> Text:
    """Foundations above their depots, depots bottom to top downwards, and the talon.

    Args:
        state: where the game stands.
        symbols: whether cards are shown with suit symbols.
        height: rows to keep within, if any: of high piles the lower cards are counted, the upper ones shown.
        marked: moves to be marked, by a ``*`` at the card or at the talon.
        show_talon: whether the talon's cards are shown, the next one first.
    """
    stars = {move.card for move in marked if isinstance(move, Play)}
    talon = _talon_rows(state, symbols=symbols, marked=marked, show_cards=show_talon)
    most = max(1, *(len(pile) for pile in state.depots))
    room = most if height is None else max(2, min(most, height - 3 - len(talon)))
    rows = [
        _row("", [Text(str(number)) for number in range(1, len(state.depots) + 1)]),
        _row(
            "foundations", [Text("--") if top is None else card_text(top, symbols=symbols) for top in state.foundations]
        ),
        Text(),
    ]
    columns = [_column(pile, room, stars, symbols=symbols) for pile in state.depots]
    rows += [_row("depots" if index == 0 else "", [column[index] for column in columns]) for index in range(room)]
    return Text("\n").join([*rows, *talon])


def _column(pile: tuple[Card, ...], room: int, stars: Collection[Card], *, symbols: bool) -> list[Text]:
    """A pile in this many cells; a ``+3`` stands for three cards below those shown."""
    shown = pile if len(pile) <= room else pile[len(pile) - room + 1 :]
    cells = [] if len(shown) == len(pile) else [Text(f"+{len(pile) - len(shown)}", style="dim")]
    cells += [card_text(card, symbols=symbols) for card in shown]
    if pile and pile[-1] in stars:
        cells[-1].append("*", style="bold")
    cells = cells or [Text("--", style="dim")]
    return cells + [Text()] * (room - len(cells))


def _row(label: str, cells: list[Text]) -> Text:
    row = Text(f"{label:<{_LABEL}}")
    for cell in cells:
        indent = "" if cell.plain.startswith("10") else " "  # so that suits stand under each other
        row.append(indent).append_text(cell).append(" " * (_CELL - len(indent) - len(cell)))
    return row


def _talon_rows(state: State, *, symbols: bool, marked: Collection[Move], show_cards: bool) -> list[Text]:
    count = len(state.talon)
    star = "*" if DEAL in marked or REDEAL in marked else ""
    row = Text(f"{'talon':<{_LABEL}} {count} card{'' if count == 1 else 's'}").append(star, style="bold")
    rows = [Text(), row]
    for first in range(0, count if show_cards else 0, _TALON_CARDS_A_ROW):
        cards = [card_text(card, symbols=symbols) for card in state.talon[first : first + _TALON_CARDS_A_ROW]]
        rows.append(Text(" ").append_text(Text(" ").join(cards)))
    return rows
