"""Cards, moves and solutions as a person reads them on a terminal.

Everything here makes rich `Text`, which carries colours; printed where there are none it is plain text. Cards have suit
symbols where the output can write them (`symbols`), and the letters of the notation elsewhere. Both are read back.
"""

from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from amazons_solver.model.cards import Card, Suit
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, Play, passes
from amazons_solver.model.state import State
from amazons_solver.render.words import counters

__all__ = [
    "card_text",
    "cards_rows",
    "deal_text",
    "facts_text",
    "line_rows",
    "line_text",
    "move_text",
    "solution_text",
    "state_text",
]

_RED = (Suit.DIAMONDS, Suit.HEARTS)
_VERDICT_STYLES = {"winnable": "bold green", "unwinnable": "bold red", "undecided": "bold yellow"}


def card_text(card: Card, *, symbols: bool) -> Text:
    """A card: ``10♥`` in its colour, or ``TH``."""
    return Text(card.pretty if symbols else str(card), style="red" if card.suit in _RED else "")


def move_text(move: Move, *, symbols: bool) -> Text:
    """A move in notation, the card as `card_text` shows it."""
    if isinstance(move, Play):
        return card_text(move.card, symbols=symbols).append(f">{move.foundation}", style="bold")
    return Text(str(move), style="dim")


def state_text(
    state: State, *, symbols: bool, width: int | None = None, marks: Mapping[Move, bool | None] | None = None
) -> Text:
    """The table: foundations above their depots, depots bottom to top downwards, and the talon, next card first.

    Args:
        state: the state.
        symbols: whether cards are shown with suit symbols.
        width: columns to keep within, if any.
        marks: moves to be listed below: whether each keeps the win, or ``None`` where that is not known.

    >>> from amazons_solver import Rules
    >>> rules = Rules(suits="CD", ranks="A7T", idle_passes=2)
    >>> state = State.parse("TC 7D | TD 7C ; AD | AC ; - | idle=0 played=1", rules)
    >>> print(state_text(state, symbols=True))
    foundations   A♣   --
    depots       10♦   A♦
                  7♣
    talon (2)    10♣ 7♦
    counters     idle 0, played
    """
    foundations = [_cell(top, "--", symbols=symbols) for top in state.foundations]
    table = _table([("foundations", foundations), *_depot_rows(state.depots, symbols=symbols)])
    talon = [card_text(card, symbols=symbols) for card in state.talon] or [Text("--")]
    facts = [(f"talon ({len(state.talon)})", talon)]
    if counted := counters(state):
        facts.append(("counters", [Text(word) for word in ", ".join(counted).split()]))
    for label, verdict in (("keeps win", True), ("loses", False), ("not known", None)):
        moves = [move_text(move, symbols=symbols) for move, marked in (marks or {}).items() if marked is verdict]
        if moves:
            facts.append((label, moves))
    return Text("\n").join([table, _labelled([(f"{label:<11}", words) for label, words in facts], width)])


def deal_text(deal: Deal, *, symbols: bool) -> Text:
    """A deal, its cards laid out row by row as they would lie if nothing were played, a depot for each suit.

    >>> from amazons_solver import Rules
    >>> print(deal_text(Deal.numbered(0, Rules(suits="CD", ranks="A78")), symbols=False))
    deal          7C   AD
                  7D   AC
                  8C   8D
    """
    columns = len({card.suit for card in deal.cards})
    rows = _depot_rows([deal.cards[i::columns] for i in range(columns)], symbols=symbols)
    return _table([("deal", rows[0][1]), *rows[1:]])


def line_text(start: State, line: Sequence[Move], *, symbols: bool, width: int | None = None) -> Text:
    """A line pass by pass: the moves, and the table before the redeal; then the last state in notation.

    >>> from amazons_solver import Rules, parse_line
    >>> start = State.parse("7C AC | - | -", Rules(suits="C", ranks="A7"))
    >>> print(line_text(start, parse_line("d d r d"), symbols=False))
    pass 1       d d r
    foundations   --
    depots        7C
                  AC
    talon (0)    --
    <BLANKLINE>
    pass 2       d
    foundations   --
    depots        7C
    talon (1)    AC
    <BLANKLINE>
    state        AC | 7C | -

    Raises:
        IllegalMoveError: a move is not legal; the message counts the moves from 1.
    """
    tables, states, made = [], start.states_along(line), 0
    for number, moves in enumerate(passes(line), start=1):
        made += len(moves)
        label = f"{f'pass {number}':<11}"
        words = _labelled([(label, [move_text(move, symbols=symbols) for move in moves])], width)
        table = state_text(states[made - (moves[-1] == REDEAL)], symbols=symbols, width=width)
        tables.append(Text("\n").join([words, table]))
    tables.append(_labelled([("state      ", [Text(word) for word in states[-1].text().split()])], width))
    return Text("\n\n").join(tables)


def _depot_rows(depots: Sequence[Sequence[Card]], *, symbols: bool) -> list[tuple[str, list[Text]]]:
    """The depots row by row, under their label; one row of empty places when there is no card."""
    rows = []
    for row in range(max(1, *map(len, depots))):
        nothing = "" if row else "--"
        cells = [_cell(pile[row] if row < len(pile) else None, nothing, symbols=symbols) for pile in depots]
        rows.append(("" if row else "depots", cells))
    return rows


def _table(rows: Sequence[tuple[str, Sequence[Text]]]) -> Text:
    """Rows of places on the table, under one another."""
    lines = []
    for label, cells in rows:
        lines.append(Text().append(f"{label:<12}", style="dim").append_text(Text("").join(cells)))
        lines[-1].rstrip()
    return Text("\n").join(lines)


def _cell(card: Card | None, nothing: str, *, symbols: bool) -> Text:
    """A place on the table, five columns wide: a card looks like one where there are colours."""
    if card is None:
        return Text(f"{nothing:>4} ", style="dim")
    text = f"{card.pretty:>3}" if symbols else f"{card!s:>3}"
    style = f"{'red' if card.suit in _RED else 'black'} on bright_white"
    return Text(" ").append(text, style=style).append(" ")


def cards_rows(cards: Iterable[Card], *, symbols: bool, width: int | None = None) -> Text:
    """A deal under its label, in as many rows as the width asks for; one row without a width."""
    return _labelled([("deal", [card_text(card, symbols=symbols) for card in cards])], width)


def line_rows(line: Iterable[Move], *, symbols: bool, width: int | None = None, first: int = 1) -> Text:
    """A line in rows of a pass each, every pass under its number, the first one under `first`."""
    rows = [[move_text(move, symbols=symbols) for move in moves] for moves in passes(line)]
    return _labelled([(f"pass {number}", words) for number, words in enumerate(rows, start=first)], width)


def solution_text(
    heading: str,
    verdict: str,
    cards: Sequence[Card],
    line: Sequence[Move] | None,
    *,
    why: str,
    symbols: bool,
    width: int | None = None,
) -> Text:
    """The answer for one deal: verdict, redeals and moves, the deal, the line, and what the search saw.

    Args:
        heading: what deal this is, and by which rules.
        verdict: the verdict's word.
        cards: the deal, first dealt first.
        line: the winning line if there is one.
        why: a sentence on what the verdict rests on.
        symbols: whether cards are shown with suit symbols.
        width: columns to keep within, if any.
    """
    text = _headed(heading, verdict)
    if line is not None:
        redeals = sum(move == REDEAL for move in line)
        text.append(f", {_count(redeals, 'redeal')}, {_count(len(line), 'move')}")
    text.append("\n").append_text(cards_rows(cards, symbols=symbols, width=width)).append("\n")
    if line:
        text.append_text(line_rows(line, symbols=symbols, width=width)).append("\n")
        example = next((move for move in line if isinstance(move, Play)), None)
        if example is not None:
            card = card_text(example.card, symbols=symbols).plain
            text.append(
                f"d: deal a row; r: redeal; {card}>{example.foundation}: "
                f"play {card} to foundation {example.foundation}\n",
                style="dim",
            )
    return text.append(why, style="dim")


def facts_text(heading: str, verdict: str, facts: Sequence[tuple[str, str]], *, width: int | None = None) -> Text:
    """A verdict, and facts under their labels.

    >>> print(facts_text("deal 0", "winnable", [("states", "113"), ("moves", "138")]))
    deal 0: winnable
    states  113
    moves   138
    """
    rows = [(label, [Text(word) for word in fact.split(" ")]) for label, fact in facts]
    return _headed(heading, verdict).append("\n").append_text(_labelled(rows, width))


def _headed(heading: str, verdict: str) -> Text:
    return Text(f"{heading}: ").append(verdict, style=_VERDICT_STYLES.get(verdict, "bold"))


def _count(number: int, noun: str) -> str:
    """A number with its noun, such as ``1 redeal`` or ``no redeals``."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _labelled(rows: Sequence[tuple[str, Sequence[Text]]], width: int | None) -> Text:
    """Rows of words under labels of one width, broken between words and indented where they would run over."""
    indent = max(len(label) for label, _ in rows) + 2
    lines: list[Text] = []
    for label, words in rows:
        lines.append(Text().append(f"{label:<{indent}}", style="dim"))
        used = indent
        for index, word in enumerate(words):
            space = 1 if index and used > indent else 0
            if width is not None and used > indent and used + space + len(word) > width:
                lines.append(Text(" " * indent))
                used, space = indent, 0
            lines[-1].append(" " * space).append_text(word)
            used += space + len(word)
    return Text("\n").join(lines)
