"""The games and positions that a command was asked for: typed, in a file, or moves after a numbered deal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import attrs
import typer

from amazons_solver.cli.deals import Asked, Source, one_deal_of
from amazons_solver.cli.files import read_text
from amazons_solver.cli.options import DEFAULT_RULES, rules_of
from amazons_solver.errors import AmazonsError, NotationError, OptionError
from amazons_solver.model.cards import without_comments
from amazons_solver.model.records import Record
from amazons_solver.model.rules import PRESETS, Rules
from amazons_solver.model.state import State

__all__ = ["GameFile", "GameRules", "Played", "game_of", "position_of"]

GameFile = Annotated[
    Path | None,
    typer.Option("--file", metavar="PATH", readable=False, help="A game in a file, as play saves it; - reads stdin."),
]
GameRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        help=f"{', '.join(PRESETS)}; or a .toml or .json file.  [default: those of the game, or {DEFAULT_RULES}]",
    ),
]


@attrs.frozen
class Played:
    """A game that was asked for."""

    asked: Asked
    record: Record
    source: str = ""
    """The text of its file, if it has one."""

    @property
    def heading(self) -> str:
        """What a person calls it."""
        return self.asked.heading


def game_of(
    words: Sequence[str] | None,
    file: Path | None,
    number: str | None,
    pysolfc: str | None,
    rules: str | None,
    settings: Sequence[str] | None,
) -> Played:
    """The game that was asked for: deal and moves, or moves after a deal by number.

    Raises:
        OptionError: more or less is given than one game, or the file cannot be read.
        NotationError: there is no such deal, or a word is no move.
        RulesError: there are no such rules.
    """
    return _game(_text_of(words, file), file, Source(number=number, pysolfc=pysolfc), rules, settings)


def _game(
    text: str | None, file: Path | None, source: Source, rules: str | None, settings: Sequence[str] | None
) -> Played:
    if source.number is not None and source.pysolfc is not None:
        raise OptionError("expected one of --number and --pysolfc, got both")
    by_number = source.number is not None or source.pysolfc is not None
    if text is None and not by_number:
        raise OptionError("expected a game as DEAL and LINE, --file, --number or --pysolfc; got none")
    chosen = _chosen_rules(rules, settings, needed=by_number)
    asked = one_deal_of(source, chosen or Rules(), "by number") if by_number else None
    try:
        record = Record.parse(text or "", chosen, asked.deal if asked else None)
    except AmazonsError as error:
        raise type(error)(f"{error}{_in(file)}") from None
    return Played(asked or Asked(None, record.deal), record, text or "" if file is not None else "")


def position_of(
    words: Sequence[str] | None,
    file: Path | None,
    number: str | None,
    pysolfc: str | None,
    rules: str | None,
    settings: Sequence[str] | None,
) -> tuple[str, State]:
    """The position that was asked for, under what a person calls it: a state in notation, or the end of a game.

    Raises:
        OptionError: more or less is given than one position, or the file cannot be read.
        NotationError: there is no such state or deal, or a word is no move.
        IllegalMoveError: a move is not legal.
        RulesError: there are no such rules.
    """
    text = _text_of(words, file)
    if text is not None and "|" in (plain := without_comments(text)):
        if number is not None or pysolfc is not None:
            raise OptionError("expected a state alone, got a deal too")
        try:
            return "this state", State.parse(plain, _chosen_rules(rules, settings, needed=False))
        except NotationError as error:
            raise NotationError(f"{error}{_in(file)}") from None
    game = _game(text, file, Source(number=number, pysolfc=pysolfc), rules, settings)
    moves = len(game.record.line)
    state = State.initial(game.record.deal, game.record.rules).play_line(game.record.line)
    return game.heading + (f" after {moves} move{'' if moves == 1 else 's'}" if moves else ""), state


def _text_of(words: Sequence[str] | None, file: Path | None) -> str | None:
    if words and file is not None:
        raise OptionError("expected a game as arguments or as --file, got both")
    return read_text(file) if file is not None else " ".join(words) if words else None


def _chosen_rules(rules: str | None, settings: Sequence[str] | None, *, needed: bool) -> Rules | None:
    """The rules that options name; ``None`` if none does, unless they are needed."""
    if rules is None and not settings and not needed:
        return None
    return rules_of(rules or DEFAULT_RULES, settings)


def _in(file: Path | None) -> str:
    return "" if file is None else f" (in {'standard input' if str(file) == '-' else file})"
