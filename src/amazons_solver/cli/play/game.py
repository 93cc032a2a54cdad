"""A game under way: moves made, taken back and made again, and the text in which it is kept."""

import re

import attrs

from amazons_solver.errors import AmazonsError
from amazons_solver.model.cards import without_comments
from amazons_solver.model.moves import REDEAL, Move, format_line, parse_line
from amazons_solver.model.saved.records import Record
from amazons_solver.model.state import State

__all__ = ["PlayedGame"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_WORDS = re.compile(r"[^\s,\ufeff]+")
_TAKEN_BACK = re.compile(r"\s*#\s*taken back:(.*)")
_PASS_END = re.compile(r"\br ")


@attrs.define
class PlayedGame:
    """The states of a game in which one can go back and forth.

    >>> from amazons_solver import DEAL, Deal
    >>> game = PlayedGame(Record(Deal.numbered(0)))
    >>> game.play(DEAL)
    >>> game.go_to(0)
    >>> game.position, len(game.moves)
    (0, 1)
    """

    record: Record
    """The game with which it began."""
    source: str = ""
    """The text of the file that the record was read from, if any: its comments are kept."""
    undone: tuple[Move, ...] = ()
    """Moves that can be made again, where they are not in a comment of that text."""
    position: int = attrs.field(init=False)
    """Moves made, those that were taken back not counted."""
    moves: list[Move] = attrs.field(init=False)
    """Moves made, and after them those that can be made again."""
    states: list[State] = attrs.field(init=False)
    """One more than there are moves."""
    saved: list[Move] = attrs.field(init=False)
    """The moves that a file has, or the command line; those taken back, too."""
    _remark: str | None = attrs.field(init=False)
    """The comment of the file that says what was taken back."""

    def __attrs_post_init__(self) -> None:
        """Replay the record.

        Raises:
            IllegalMoveError: a move is not legal; the message counts the moves from 1.
        """
        self.moves, self.states = list(self.record.line), self.record.start.states_along(self.record.line)
        self.position = len(self.moves)
        self._remark = self._take_back()
        self.saved = list(self.moves)

    def _take_back(self) -> str | None:
        """Let the moves be made again that the file or a comment of it calls taken back, and return the comment.

        Nothing is done where they cannot be made, for a comment binds nobody.
        """
        remarks = [line for line in _LINE_END.split(self.source) if _TAKEN_BACK.fullmatch(line)]
        try:
            moves = parse_line(_TAKEN_BACK.sub(r"\1", remarks[-1])) if remarks else self.undone
            self.states += self.state.states_along(moves)[1:]
        except AmazonsError:
            return None
        self.moves += moves
        return remarks[-1] if remarks else None

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[self.position]

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves made, without those that were taken back."""
        return tuple(self.moves[: self.position])

    @property
    def redeals(self) -> int:
        """Redeals made."""
        return self.line.count(REDEAL)

    @property
    def is_saved(self) -> bool:
        """Whether no move would be lost with it."""
        return self.moves == self.saved

    def play(self, move: Move) -> None:
        """Make a move. What was taken back can be made again only if this was its first move.

        Raises:
            IllegalMoveError: the move is not legal.
        """
        state = self.state.play(move)
        if self.moves[self.position : self.position + 1] != [move]:
            self.moves[self.position :] = [move]
            self.states[self.position + 1 :] = [state]
        self.position += 1

    def go_to(self, position: int) -> None:
        """Go to where the game stood, or will stand, after this many moves, as far as there are any."""
        self.position = max(0, min(position, len(self.moves)))

    def text(self) -> str:
        """The game as it is kept: up to where it stands, under the comments of its file.

        A last comment names the moves that were taken back: for `hint` and `annotate` they were not made, and
        `PlayedGame` reads them.
        """
        record = Record(self.record.deal, self.line, self.record.rules)
        text = self._edited_source() if self.source else record.text()
        if self.source and not _is_kept(record, text):  # rules or deal are not in the file, but were given with it
            comments = [line[line.index("#") :] for line in text.split("\n") if "#" in line]
            text = "\n".join([*comments, record.text()])
        taken_back = self.moves[self.position :]
        return f"{text}\n# taken back: {format_line(taken_back)}\n" if taken_back else f"{text}\n"

    def _edited_source(self) -> str:
        """The file's text with its moves replaced by those made, as far as they differ."""
        given, line = self.record.line, self.line
        common = next((i for i, (old, new) in enumerate(zip(given, line, strict=False)) if old != new), None)
        common = min(len(given), len(line)) if common is None else common
        words = len(_WORDS.findall(without_comments(self.source)))
        left = words - len(given) + common  # words of the file that stay: the rules, the deal, and this many moves
        rows: list[str] = []
        for row in _LINE_END.split(self.source.rstrip()):
            code, sign, comment = row.partition("#")
            found = _WORDS.findall(code)
            if row == self._remark:
                continue
            whole = len(found) <= left
            kept = row if whole else "  ".join(filter(None, [" ".join(found[:left]), sign + comment]))
            if whole or kept:
                rows.append(kept.rstrip())
            left -= min(left, len(found))
        rest = _PASS_END.sub("r\n", format_line(line[common:]))
        if not rest:
            return "\n".join(rows)
        in_a_pass = common > 0 and line[common - 1] != REDEAL and rows and "#" not in rows[-1]
        return "\n".join(rows) + (" " if in_a_pass else "\n") + rest


def _is_kept(record: Record, text: str) -> bool:
    try:
        return Record.parse(text) == record
    except AmazonsError:
        return False
