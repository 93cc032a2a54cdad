"""The games and positions that a command was asked for: typed, in a file, or moves after a numbered deal."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import attrs
import typer

from amazons_solver.cli.deals import Asked, saved_deal
from amazons_solver.cli.files import name_of, read_text_or_save
from amazons_solver.cli.options import DEFAULT_RULES, ChosenRules
from amazons_solver.errors import AmazonsError, OptionError
from amazons_solver.model.cards import without_comments
from amazons_solver.model.deals import named_deal
from amazons_solver.model.moves import Move
from amazons_solver.model.names import DealName
from amazons_solver.model.pysolfc import SavedGame, counter, plays
from amazons_solver.model.records import Record, deal_name_in
from amazons_solver.model.rules import PRESETS
from amazons_solver.model.state import State

__all__ = [
    "GameFile",
    "GameRules",
    "GameState",
    "Played",
    "after",
    "game_of",
    "opened",
    "position_of",
    "record_in",
    "shown_there",
]

GameFile = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="PATH",
        readable=False,
        help="A game in a file, as play or PySolFC saves it; - reads stdin.",
    ),
]
GameState = Annotated[
    str | None,
    typer.Option("--state", metavar="STATE", help="A state, such as '7C | AC | -', in place of a deal."),
]
GameRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        help=f"{', '.join(PRESETS)}; or a .toml or .json file.  [default: those of the game; pysolfc for a PySolFC "
        f"number; else {DEFAULT_RULES}]",
    ),
]


Read = TypeVar("Read")


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


def game_of(
    words: Sequence[str] | None,
    file: Path | None,
    number: str | None,
    pysolfc: str | None,
    rules: str | None,
    settings: Sequence[str] | None,
    state: str | None = None,
) -> Played:
    """The game that was asked for: deal or state and moves, or moves after a deal by number or a state given apart.

    Raises:
        OptionError: more or less is given than one game, or the file cannot be read.
        NotationError: there is no such deal, or a word is no move, or a saved game cannot be read.
        RulesError: there are no such rules.
    """
    text, name, chosen = _text_of(words, file), _name_of(number, pysolfc), ChosenRules(rules, settings)
    if isinstance(text, SavedGame):
        if state is not None or name is not None:
            raise OptionError(f"expected a saved game alone, got a {'deal' if state is None else 'state'}, too")
        return _saved_game(text, chosen)
    if state is not None and (file is not None or name is not None):
        raise OptionError("expected --state or a deal, got both")
    return _game(text, file, name, chosen, state)


def _game(text: str | None, file: Path | None, name: DealName | None, rules: ChosenRules, state: str | None) -> Played:
    if state is not None:
        chosen = rules.of(None)
        record = Record.parse(text or "", chosen, State.parse(without_comments(state), chosen))
    elif name is not None:
        if text is not None and "|" in without_comments(text):
            raise OptionError("expected a state alone, got a deal too")
        chosen = rules.of(name)
        deal = named_deal(name, chosen)
        record = _located(file, lambda: Record.parse(text or "", chosen, deal))
    elif text is not None:
        record = _located(file, lambda: record_in(text, rules))
    else:
        raise OptionError("expected a game as DEAL and LINE, --file, --number or --pysolfc; got none")
    return Played(record, text or "" if file is not None else "")


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


def position_of(
    words: Sequence[str] | None,
    file: Path | None,
    number: str | None,
    pysolfc: str | None,
    rules: str | None,
    settings: Sequence[str] | None,
    state: str | None = None,
) -> tuple[str, State]:
    """The position that was asked for, under what a person calls it: a state in notation, or the end of a game.

    Raises:
        OptionError: more or less is given than one position, or the file cannot be read.
        NotationError: there is no such state or deal, or a word is no move.
        IllegalMoveError: a move is not legal.
        RulesError: there are no such rules.
    """
    game = game_of(words, file, number, pysolfc, rules, settings, state)
    return after(game.record), game.record.start.play_line(game.record.line)


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


def _text_of(words: Sequence[str] | None, file: Path | None) -> str | SavedGame | None:
    if words and file is not None:
        raise OptionError("expected a game as arguments or as --file, got both")
    return read_text_or_save(file) if file is not None else " ".join(words) if words else None


def _name_of(number: str | None, pysolfc: str | None) -> DealName | None:
    if number is not None and pysolfc is not None:
        raise OptionError("expected one of --number and --pysolfc, got both")
    if number is not None:
        return DealName.numbered(number)
    return None if pysolfc is None else DealName.pysolfc(pysolfc)


def _located(file: Path | None, read: Callable[[], Read]) -> Read:
    """What is read from a text; of a file, errors say which it is."""
    try:
        return read()
    except AmazonsError as error:
        if file is None:
            raise
        raise type(error)(f"{error} (in {name_of(file)})") from None
