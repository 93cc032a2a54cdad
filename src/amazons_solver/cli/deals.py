"""The deals that a command was asked for, by cards or name, number, PySolFC's number, or a file of them."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TextIO, TypeVar

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import check_encoding, name_of, open_bytes, pickled_in, reading, text_in
from amazons_solver.cli.options import ChosenRules, Number, Pysolfc
from amazons_solver.errors import AmazonsError, NotationError, OptionError, RulesError, shorten
from amazons_solver.model.deals import Deal, named_deal
from amazons_solver.model.moves import Move
from amazons_solver.model.names import DealName, split_name
from amazons_solver.model.rules import Rules
from amazons_solver.model.saved.pysolfc import (
    SavedGame,
    is_saved_game,
    plays,
    read_lost_games,
    read_saved_game,
    rules_of,
)

__all__ = [
    "Asked",
    "DealOptions",
    "Refused",
    "Source",
    "asked_for",
    "deal_in",
    "deals_of",
    "one_deal_of",
    "readable",
    "saved_deal",
]

AskedT = TypeVar("AskedT")
_LONGEST_LINE = 65_536
_SKIPPED = re.compile(r"#.*|[\s,\ufeff]+")


Source = DealName | Path | str
"""Where deals come from: the name of a numbered one, a file, or a text, as `deal_in` reads it."""


@attrs.define
class DealOptions:
    """The deals that are asked for."""

    cards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DEAL",
            help="The cards, first dealt first, such as '7H 10D AS ...'; or a name: pysolfc:24680, numbered:7.",
            show_default=False,
        ),
    ] = None
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="PATH",
            readable=False,
            help="A file with a deal a line, a game that PySolFC saved, or its statistics (the games lost); - reads "
            "stdin.",
        ),
    ] = None
    number: Number = None
    pysolfc: Pysolfc = None

    def given(self) -> Source | None:
        """The source that was given, if any.

        Raises:
            OptionError: several are given.
            NotationError: there is no deal of this number or name.
        """
        text = "\n".join(self.cards) if self.cards else None  # unquoted cards come one by one
        given = {"DEAL": text, "--file": self.file, "--number": self.number, "--pysolfc": self.pysolfc}
        options = [option for option, value in given.items() if value is not None]
        if len(options) > 1:
            raise OptionError(f"expected one of {', '.join(given)}; got {' and '.join(options)}")
        if self.number is not None:
            return DealName.numbered(self.number)
        if self.pysolfc is not None:
            return DealName.pysolfc(self.pysolfc)
        if text is None:
            return self.file
        name, cards = split_name(text)
        return text if name is None or cards.strip() else name

    def source(self) -> Source:
        """The one source that was given.

        Raises:
            OptionError: none or several are given.
            NotationError: there is no deal of this number or name.
        """
        source = self.given()
        if source is None:
            raise OptionError("expected one of DEAL, --file, --number, --pysolfc; got none")
        return source


@attrs.frozen
class Asked:
    """A deal that was asked for, and the rules by which it is to be looked at."""

    deal: Deal
    rules: Rules
    line: int | None = None
    """The line of the file that it is on."""
    moves: tuple[Move, ...] = ()
    """The moves that were made, if it is of a saved game."""

    @property
    def label(self) -> int | str | None:
        """What answers in JSON call it: its number, ``pysolfc:N``, ``line N``; nothing for cards."""
        name, _ = split_name(self.deal.name)
        if name is None:
            return None if self.line is None else f"line {self.line}"
        return name.number if name.source == "numbered" else str(name)

    @property
    def heading(self) -> str:
        """What a person calls it."""
        return self.deal.name or ("this deal" if self.line is None else f"line {self.line}")

    @property
    def way_back(self) -> str | None:
        """The command that opens it in PySolFC, if it is one of its games."""
        name, _ = split_name(self.deal.name)
        if name is None or not plays(self.deal, self.rules):
            return None
        return f"pysolfc --game Amazons --deal {str(name).removeprefix('pysolfc:')}"

    @property
    def file_name(self) -> str:
        """What a file of it is called: ``numbered-7``, ``pysolfc-24680``, ``line-3``, ``deal``."""
        return re.sub("[ :]", "-", self.heading) if self.label is not None else "deal"


@attrs.frozen
class Refused:
    """A line of a file that is no deal, and why."""

    label: str
    error: AmazonsError


def asked_for(name: DealName, rules: Rules) -> Asked:
    """The numbered deal of this name.

    Raises:
        RulesError: the rules have no PySolFC deals.
    """
    return Asked(named_deal(name, rules), rules)


def deal_in(text: str, rules: ChosenRules, line: int | None = None) -> Asked:
    """The deal in a text, its cards or its name or both, with its rules.

    Raises:
        NotationError: there is no such deal.
        RulesError: the rules have no such deal.
    """
    name, _ = split_name(text)
    chosen = rules.of(name)
    return Asked(Deal.parse(text, chosen), chosen, line)


def saved_deal(game: SavedGame, rules: ChosenRules) -> Asked:
    """The deal of a game that PySolFC saved, by its own rules or those that were asked for.

    Raises:
        RulesError: the rules that were asked for have no PySolFC deals.
    """
    return attrs.evolve(asked_for(DealName.pysolfc(game.number), rules.over(game.rules)), moves=game.line)


def deals_of(source: Source, rules: ChosenRules) -> Iterator[Asked | Refused]:
    """The deals that were asked for, those of a file as its lines are read.

    Raises:
        NotationError: there is no such deal; a bad line of a file is refused in its place instead.
        RulesError: the rules have no PySolFC deals.
        OptionError: the file cannot be read.
    """
    if isinstance(source, Path):
        yield from _deals_of_file(source, rules)
    elif isinstance(source, DealName):
        yield asked_for(source, rules.of(source))
    else:
        yield deal_in(source, rules)


def readable(asked: Iterable[AskedT | Refused], codes: list[int], *, as_json: bool) -> Iterator[AskedT]:
    """The deals that can be read; in the place of an answer for another line stands what is wrong with it."""
    for one in asked:
        if not isinstance(one, Refused):
            yield one
            continue
        if as_json:
            console.write_json({"deal": one.label, "error": str(one.error)})
        console.fail(one.error)
        codes.append(console.BAD_INPUT)


def one_deal_of(source: Source, rules: ChosenRules, purpose: str) -> Asked:
    """The one deal that was asked for.

    Raises:
        OptionError: the file has more than one deal, or cannot be read.
        NotationError: there is no such deal.
        RulesError: the rules have no PySolFC deals.
    """
    asked = deals_of(source, rules)
    first = next(asked)  # a file without a deal is an error of its own
    if isinstance(first, Refused):
        raise first.error
    for another in asked:
        where = another.label if isinstance(another, Refused) or another.line is None else f"line {another.line}"
        raise OptionError(f"expected one deal {purpose}, got another on {where} of {source}")
    return first


def _deals_of_file(path: Path, rules: ChosenRules) -> Iterator[Asked | Refused]:
    """One deal a line, each with its own rules; that of a saved game; or those that PySolFC has as lost.

    Raises:
        OptionError: the file cannot be read, is no text, or has no deal.
        NotationError: it is PySolFC's, but neither a saved game of Amazons nor its statistics.
        RulesError: the rules that were asked for have no PySolFC deals.
    """
    with open_bytes(path) as stream:
        pickled = pickled_in(stream, path)
        if pickled is not None:
            if is_saved_game(pickled):
                yield saved_deal(read_saved_game(pickled, name_of(path)), rules)
            else:
                yield from _lost_deals(pickled, name_of(path), rules)
            return
        with text_in(stream, path) as text:
            yield from _deals_of_text(text, path, rules)


def _lost_deals(data: bytes, source: str, rules: ChosenRules) -> Iterator[Asked | Refused]:
    """The deals that PySolFC's statistics have as lost, each once for the rules by which it was played."""
    seen = set[Asked]()
    games = read_lost_games(data, source)
    for game in games:
        try:
            asked = asked_for(DealName.pysolfc(game.number), rules.over(rules_of(game.version)))
        except (NotationError, RulesError) as error:
            yield Refused(f"game {game.number}", type(error)(f"{error} (lost game {shorten(game.number)} of {source})"))
            continue
        if asked not in seen:
            seen.add(asked)
            yield asked
    if not games:
        raise OptionError(f"expected a lost game of Amazons in {source}, got none")


def _deals_of_text(text: TextIO, path: Path, rules: ChosenRules) -> Iterator[Asked | Refused]:
    """One deal a line; blank and comment lines are counted and skipped."""
    found = False
    for number, line in _lines(text, path):
        if not _SKIPPED.sub("", line):
            continue
        found = True
        try:
            check_encoding(line)
            asked = deal_in(line, rules, number)
        except (NotationError, RulesError) as error:
            yield Refused(f"line {number}", type(error)(f"{error} (deal on line {number})"))
        else:
            yield asked
    if not found:
        raise OptionError(f"expected a deal in {name_of(path)}, got none")


def _lines(text: TextIO, path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file, each as soon as it is there; a bad byte affects its own line only."""
    number = 0
    while True:
        with reading(path):
            line = text.readline(_LONGEST_LINE + 1)
        if not line:
            return
        number += 1
        if len(line) > _LONGEST_LINE or "\0" in line:
            raise OptionError(f"expected text with a deal a line, got something else in {path} (line {number})")
        yield number, line
