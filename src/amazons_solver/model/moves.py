"""The three kinds of move, lines of moves, and their text."""

import re
from collections.abc import Iterable
from typing import TypeVar

import attrs

from amazons_solver.errors import NotationError, shorten
from amazons_solver.model.arguments import checked, checked_fields
from amazons_solver.model.cards import CARDS, Card, parse_card

__all__ = ["DEAL", "REDEAL", "DealRow", "Move", "Play", "Redeal", "format_line", "parse_line", "parse_move", "passes"]

T = TypeVar("T")


@attrs.frozen(cache_hash=True, field_transformer=checked_fields)
class Play:
    """The top card of a depot goes to a foundation; the depot follows from the card.

    >>> str(Play(parse_card("7H"), 2))
    '7H>2'
    """

    card: Card
    foundation: int
    """Counted from 1, left to right."""

    kind = "play"

    def __str__(self) -> str:
        return f"{self.card}>{self.foundation}"


@attrs.frozen
class DealRow:
    """One row is dealt: a card from the talon onto each depot, left to right."""

    kind = "deal"

    def __str__(self) -> str:
        return "d"


@attrs.frozen
class Redeal:
    """The depots are gathered into the new talon."""

    kind = "redeal"

    def __str__(self) -> str:
        return "r"


Move = Play | DealRow | Redeal
Moves = Iterable[Move | str] | str
"""A line where one is wanted: moves, texts of moves, or one text, such as ``"d d AC>1"``."""
DEAL = DealRow()
REDEAL = Redeal()

PLAYS: dict[tuple[int, int], Play] = {
    (code, foundation): Play(card, foundation + 1) for code, card in CARDS.items() for foundation in range(4)
}
"""Every play by card code and foundation counted from 0, so that a search makes no new objects for moves."""

_PLAY = re.compile(r"([^>\s]{1,4})>([1-4])")


@checked
def parse_move(text: str) -> Move:
    """Read one move: ``d``, ``r``, or a play such as ``7H>2``.

    Raises:
        NotationError: the text is no move.
    """
    if text == "d":
        return DEAL
    if text == "r":
        return REDEAL
    match = _PLAY.fullmatch(text)
    if match is None:
        raise NotationError(f"expected a move such as d, r or 7H>2, got {shorten(text)}")
    return PLAYS[parse_card(match[1]).code, int(match[2]) - 1]


@checked
def parse_line(text: str) -> tuple[Move, ...]:
    """Read moves separated by white space.

    Raises:
        NotationError: a word is no move; the message counts the words from 1.
    """
    return as_line(text.split())


def as_move(move: Move | str) -> Move:
    """A move as it is, or read from text.

    Raises:
        NotationError: the text is no move.
    """
    return parse_move(move) if isinstance(move, str) else move


def as_line(moves: "Moves") -> tuple[Move, ...]:
    """The moves of a line that may be text, or be of texts.

    Raises:
        NotationError: a text is no move; the message counts the moves from 1.
    """
    line = []
    for position, move in enumerate(moves.split() if isinstance(moves, str) else moves, start=1):
        try:
            line.append(as_move(move))
        except NotationError as error:
            raise NotationError(f"{error} (move {position})") from None
    return tuple(line)


def passes(line: Iterable[T]) -> list[list[T]]:
    """A line of moves, whatever stands for them besides redeals, cut after each redeal.

    >>> [" ".join(map(str, moves)) for moves in passes(parse_line("d AC>1 d r d 7C>1"))]
    ['d AC>1 d r', 'd 7C>1']
    """
    rows: list[list[T]] = [[]]
    for move in line:
        rows[-1].append(move)
        if move == REDEAL:
            rows.append([])
    return [row for row in rows if row]


@checked
def format_line(moves: Moves) -> str:
    """Moves as text, separated by spaces: the inverse of `parse_line`."""
    return " ".join(map(str, as_line(moves)))
