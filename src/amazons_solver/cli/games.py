"""The games and positions that a command was asked for: typed, in a file, or moves after a numbered deal."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import attrs
import typer

from amazons_solver.cli.deals import Asked, asked_for, saved_deal
from amazons_solver.cli.files import name_of, read_text_or_save
from amazons_solver.cli.options import ChosenRules, Number, Pysolfc
from amazons_solver.errors import AmazonsError, OptionError
from amazons_solver.model.cards import without_comments
from amazons_solver.model.moves import Move
from amazons_solver.model.names import DealName
from amazons_solver.model.saved.pysolfc import SavedGame, counter, plays
from amazons_solver.model.saved.records import Record, deal_name_in
from amazons_solver.model.state import State

__all__ = [
    "GameOptions",
    "Played",
    "after",
    "opened",
    "record_in",
    "shown_there",
]


@attrs.frozen
class Played:
    """A game that was asked for."""

    record: Record
    source: str = ""
    """The text of its file, if it has one."""
    undone: tuple[Move, ...] = ()
    """The moves that were taken back in it, where a saved game has them."""

    @property
    def heading(self) -> str:
        """What a person calls it."""
        return self.record.heading

    @property
    def label(self) -> int | str | None:
        """What answers in JSON call the deal."""
        deal = self.record.deal
        return None if isinstance(deal, State) else Asked(deal, self.record.rules).label


@attrs.frozen
class GameOptions:
    """The game that is asked for, by these options and the words of the command: deal or state, and moves."""

    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="PATH",
            readable=False,
            help="A game in a file, as play or PySolFC saves it; - reads stdin.",
        ),
    ] = None
    number: Number = None
    pysolfc: Pysolfc = None

    def game(self, words: Sequence[str] | None, rules: ChosenRules, state: str | None = None) -> Played:
        """The game that was asked for: deal or state and moves, or moves after a deal by number or a state given apart.

        Raises:
            OptionError: more or less is given than one game, or the file cannot be read.
            NotationError: there is no such deal, or a word is no move, or a saved game cannot be read.
            RulesError: the rules have no such deal.
        """
        if words and self.file is not None:
            raise OptionError("expected a game as arguments or as --file, got both")
        text = read_text_or_save(self.file) if self.file is not None else " ".join(words) if words else None
        name = self._name()
        if isinstance(text, SavedGame):
            if state is not None or name is not None:
                raise OptionError(f"expected a saved game alone, got a {'deal' if state is None else 'state'}, too")
            return _saved_game(text, rules)
        if state is not None and (self.file is not None or name is not None):
            raise OptionError("expected --state or a deal, got both")
        return Played(self._record(text, name, rules, state), text or "" if self.file is not None else "")

    def _name(self) -> DealName | None:
        if self.number is not None and self.pysolfc is not None:
            raise OptionError("expected one of --number and --pysolfc, got both")
        if self.number is not None:
            return DealName.numbered(self.number)
        return None if self.pysolfc is None else DealName.pysolfc(self.pysolfc)

    def _record(self, text: str | None, name: DealName | None, rules: ChosenRules, state: str | None) -> Record:
        if state is not None:
            chosen = rules.of(None)
            return Record.parse(text or "", chosen, State.parse(without_comments(state), chosen))
        if name is not None:
            if text is not None and "|" in without_comments(text):
                raise OptionError("expected a state alone, got a deal too")
            asked = asked_for(name, rules.of(name))
            with self._located():
                return Record.parse(text or "", asked.rules, asked.deal)
        if text is None:
            raise OptionError("expected a game as DEAL and LINE, --file, --number or --pysolfc; got none")
        with self._located():
            return record_in(text, rules)

    @contextlib.contextmanager
    def _located(self) -> Iterator[None]:
        """Say of a game in a file that cannot be read which file it was."""
        try:
            yield
        except AmazonsError as error:
            if self.file is None:
                raise
            raise type(error)(f"{error} (in {name_of(self.file)})") from None


def opened(path: Path, rules: ChosenRules) -> Played:
    """The game in a file: by the rules that it names, or as PySolFC saved it.

    Raises:
        OptionError: the file cannot be read.
        NotationError: it has no such deal, a word is no move, or a saved game cannot be read.
        RulesError: there are no such rules.
    """
    game = read_text_or_save(path)
    return Played(Record.parse(game), game) if isinstance(game, str) else _saved_game(game, rules)


def _saved_game(game: SavedGame, rules: ChosenRules) -> Played:
    """A game that PySolFC saved, by its own rules or those that were asked for.

    Its file is no text, and so is none of ours to write over.

    Raises:
        RulesError: the rules that were asked for have no PySolFC deals.
    """
    asked = saved_deal(game, rules)
    return Played(Record(asked.deal, game.line, asked.rules), undone=game.undone)


def record_in(text: str, rules: ChosenRules) -> Record:
    """The game in a text, by the rules that were asked for, its own, or those that its deal brings.

    Raises:
        NotationError: there is no such deal, a word is no move, or rules were asked for and the text has its own.
        RulesError: there are no such rules.
    """
    return Record.parse(text, rules.of(deal_name_in(text)) if rules.given else None)


def after(record: Record) -> str:
    """What a person calls the end of a game."""
    moves = len(record.line)
    made = f" after {moves} move{'' if moves == 1 else 's'}{shown_there(record, moves)}"
    return record.heading + (made if moves else "")


def shown_there(record: Record, move: int) -> str:
    """What the counter of PySolFC shows at a move, counted from 1, if the game is one of its own."""
    if isinstance(record.deal, State) or not move or not plays(record.deal, record.rules):
        return ""
    return f" ({counter(record.line, move)} in PySolFC)"
