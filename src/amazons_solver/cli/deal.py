"""``deal``: print deals, in any notation; search for winnable ones."""

import itertools
import json
import re
import sys
from collections.abc import Iterator
from typing import Annotated, Literal

import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import Asked, Refused, Source, deals_of, source_given
from amazons_solver.cli.options import (
    DEFAULT_RULES,
    AsJson,
    Cards,
    File,
    MaxMemory,
    MaxSeconds,
    MaxStates,
    Number,
    Pysolfc,
    Quiet,
    RulesName,
    Settings,
    limits_of,
    number_of,
    rules_of,
)
from amazons_solver.errors import OptionError
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solve import Verdict, solve

EXAMPLES = """\b
Examples:
  amazons-solver deal --pysolfc 24680
  amazons-solver deal --number 0 --count 10 --rules ultimate
  amazons-solver deal --winnable --seed 7 --rules patiencen
  amazons-solver deal --file mine.txt --notation symbols
"""

Notation = Literal["letters", "symbols", "characters"]

_NUMBER = re.compile(r"(ms)?([0-9]{1,21})")


def command(
    cards: Cards = None,
    *,
    file: File = None,
    number: Number = None,
    pysolfc: Pysolfc = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="N", help="A deal drawn at random, the same for the same seed.")
    ] = None,
    count: Annotated[
        str | None, typer.Option("--count", metavar="N", help="So many deals, by successive numbers.  [default: 1]")
    ] = None,
    winnable: Annotated[
        bool, typer.Option("--winnable", help="Only winnable deals: numbers are searched on from the first.")
    ] = False,
    rules: RulesName = DEFAULT_RULES,
    settings: Settings = None,
    notation: Annotated[
        Notation, typer.Option(help="Letters (TH), suit symbols, or characters of Unicode's card block.")
    ] = "letters",
    max_states: MaxStates = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Print deals, one a line, first dealt first.

    Without DEAL, --file or a number, one is drawn at random. The rules say what deck is dealt and, with --winnable,
    what can be won; the limits are for each deal that is tried. With --json: objects with deal and cards.
    """
    chosen = rules_of(rules, settings)
    limits = limits_of(max_states, max_seconds, max_memory)
    source, drawn = _source(source_given(cards, file, number, pysolfc), seed)
    if count is not None and source.number is None and source.pysolfc is None:
        raise OptionError("expected --number, --pysolfc or --seed for --count, got deals without a number")
    wanted = number_of("1" if count is None else count, "--count")
    _check_encoding(notation)
    codes: list[int] = []
    for one in _candidates(source, chosen, wanted, search_on=winnable):
        if isinstance(one, Refused):
            console.refuse(one.label, one.error, as_json=as_json)
            codes.append(console.BAD_INPUT)
            continue
        if winnable:
            verdict = _verdict(one, chosen, limits, quiet=quiet)
            if verdict is Verdict.UNDECIDED:
                console.message(f"{one.heading} is undecided and left out", quiet=quiet)
                codes.append(console.UNDECIDED)
            if verdict is not Verdict.WINNABLE:
                continue
        if winnable or drawn:
            console.message(one.heading, quiet=quiet or as_json)
        console.write(json.dumps({"deal": one.label, "cards": str(one.deal)}) if as_json else _text(one.deal, notation))
        wanted -= 1
        if not wanted and source.file is None:
            break
    raise typer.Exit(console.gravest(codes))


def _source(source: Source | None, seed: str | None) -> tuple[Source, bool]:
    """Where the deals come from, and whether their first number was drawn at random."""
    if source is not None and seed is not None:
        raise OptionError("expected --seed alone, got another deal too")
    if source is not None:
        return source, False
    deal = Deal.random(seed=None if seed is None else number_of(seed, "--seed", least=0))
    return Source(number=deal.name.removeprefix("numbered:")), True


def _check_encoding(notation: Notation) -> None:
    """Raise OptionError if the output cannot write the notation."""
    if not console.can_write(_text(Deal(Rules().deck), notation), sys.stdout):
        raise OptionError(f"expected an output that can write {notation}, got one in {sys.stdout.encoding}")


def _text(deal: Deal, notation: Notation) -> str:
    if notation == "symbols":
        return " ".join(card.pretty for card in deal.cards)
    if notation == "characters":
        return " ".join(card.character for card in deal.cards)
    return str(deal)


def _candidates(source: Source, rules: Rules, count: int, *, search_on: bool) -> Iterator[Asked | Refused]:
    """The deals asked for; those with numbers go on for ever, but the first `count` are checked to be in range."""
    match = _NUMBER.fullmatch(source.number or source.pysolfc or "")
    if match is None:  # which is for `deals_of` to refuse, if a number it should be
        yield from deals_of(source, rules)
        return
    prefix, first = match[1] or "", int(match[2])

    def numbered(number: int) -> Iterator[Asked | Refused]:
        text = f"{prefix}{number}"
        return deals_of(Source(number=text) if source.number is not None else Source(pysolfc=text), rules)

    if not search_on:
        next(numbered(first + count - 1))
    for number in itertools.count(first):
        yield from numbered(number)


def _verdict(asked: Asked, rules: Rules, limits: Limits, *, quiet: bool) -> Verdict:
    with console.working(asked.heading, quiet=quiet) as progress:
        solution = solve(asked.deal, rules, limits=limits, progress=progress)
    if solution.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return solution.verdict
