"""The deals that a command was asked for, by cards, number, PySolFC's number, or a file of them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from amazons_solver.cli.files import check_encoding, open_text, reading
from amazons_solver.errors import NotationError, OptionError
from amazons_solver.model.cards import shorten
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules

__all__ = ["Asked", "Refused", "Source", "deal_number", "deals_of", "one_deal_of", "source_given", "source_of"]

_LONGEST_LINE = 65_536
_NUMBER = re.compile(r"(ms)?[0-9]+")
_DIGITS = re.compile(r"[0-9]{1,20}")
_SKIPPED = re.compile(r"#.*|[\s,\ufeff]+")


@attrs.frozen(kw_only=True)
class Source:
    """Where deals come from: one of these."""

    cards: str | None = None
    file: Path | None = None
    number: str | None = None
    pysolfc: str | None = None


def source_given(
    cards: Sequence[str] | None, file: Path | None, number: str | None, pysolfc: str | None
) -> Source | None:
    """The source that was given, if any.

    Raises:
        OptionError: several are given.
    """
    text = "\n".join(cards) if cards else None  # unquoted cards come one by one
    given = {"DEAL": text, "--file": file, "--number": number, "--pysolfc": pysolfc}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise OptionError(f"expected one of {', '.join(given)}; got {' and '.join(names)}")
    return Source(cards=text, file=file, number=number, pysolfc=pysolfc) if names else None


def source_of(cards: Sequence[str] | None, file: Path | None, number: str | None, pysolfc: str | None) -> Source:
    """The one source that was given.

    Raises:
        OptionError: none or several are given.
    """
    source = source_given(cards, file, number, pysolfc)
    if source is None:
        raise OptionError("expected one of DEAL, --file, --number, --pysolfc; got none")
    return source


@attrs.frozen
class Asked:
    """A deal that was asked for."""

    label: int | str | None
    """What answers call it: its number, ``pysolfc:N``, ``line N``; nothing for cards."""
    deal: Deal

    @property
    def heading(self) -> str:
        """What a person calls it."""
        if self.label is None:
            return "this deal"
        return f"deal {self.label}" if isinstance(self.label, int) else self.label

    @property
    def name(self) -> str:
        """What a file of it is called: ``deal-7``, ``pysolfc-24680``, ``line-3``, ``deal``."""
        return "deal" if self.label is None else self.heading.replace(" ", "-").replace(":", "-")


@attrs.frozen
class Refused:
    """A line of a file that is no deal, and why."""

    label: str
    error: NotationError


def deals_of(source: Source, rules: Rules) -> Iterator[Asked | Refused]:
    """The deals that were asked for, those of a file as its lines are read.

    Raises:
        NotationError: there is no such deal; a bad line of a file is refused in its place instead.
        RulesError: the rules have no PySolFC deals.
        OptionError: the file cannot be read.
    """
    if source.file is not None:
        yield from _deals_of_file(source.file, rules)
    elif source.number is not None:
        deal = Deal.numbered(deal_number(source.number), rules)
        yield Asked(int(source.number), deal)
    elif source.pysolfc is not None:
        deal = Deal.pysolfc(source.pysolfc, rules)
        yield Asked(deal.name, deal)
    else:
        yield Asked(None, _deal_of_cards(source.cards or "", rules))


def one_deal_of(source: Source, rules: Rules, purpose: str) -> Asked:
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
        raise OptionError(f"expected one deal {purpose}, got another on {another.label} of {source.file}")
    return first


def deal_number(text: str) -> int:
    """The number of a numbered deal; its range is checked where the deal is made.

    Raises:
        NotationError: the text is no number.
    """
    if not _DIGITS.fullmatch(text):
        raise NotationError(f"expected a deal number from 0 to 2^64 - 1, got {shorten(text)}")
    return int(text)


def _deal_of_cards(text: str, rules: Rules) -> Deal:
    try:
        return Deal.parse(text, rules)
    except NotationError as error:
        hint = "; a deal by its number is asked for with --number or --pysolfc" if _NUMBER.fullmatch(text) else ""
        raise NotationError(f"{error}{hint}") from None


def _deals_of_file(path: Path, rules: Rules) -> Iterator[Asked | Refused]:
    """One deal a line; blank and comment lines are counted and skipped.

    Raises:
        OptionError: the file cannot be read, is no text, or has no deal.
    """
    found = False
    for number, line in _lines(path):
        if not _SKIPPED.sub("", line):
            continue
        found = True
        label = f"line {number}"
        try:
            check_encoding(line)
            deal = Deal.parse(line, rules)
        except NotationError as error:
            yield Refused(label, NotationError(f"{error} (deal on {label})"))
        else:
            yield Asked(label, deal)
    if not found:
        where = "standard input" if str(path) == "-" else path
        raise OptionError(f"expected a deal in {where}, got none")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file, each as soon as it is there; a bad byte is in its own line, and spoils no other."""
    with open_text(path) as text:
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
