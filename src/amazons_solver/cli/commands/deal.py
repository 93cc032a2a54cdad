"""``deal``: print deals, in any notation; search for winnable, unwinnable, easy or hard ones."""

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import Asked, DealOptions, Refused, Source, asked_for, deals_of, readable
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.options import AnswerOptions, ChosenRules, LimitOptions, number_of
from amazons_solver.errors import OptionError, UndecidedError
from amazons_solver.model.deals import Deal
from amazons_solver.model.names import DealName
from amazons_solver.model.rules import Rules, described
from amazons_solver.proofs.certificate import certificate_of
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solving.solve import Solution, Verdict, solve
from amazons_solver.strategies.difficulty import Difficulty, Level, difficulty
from amazons_solver.surveys.finding import find_deals, until_in_vain

EXAMPLES = """\b
Examples:
  amazons-solver deal --pysolfc 24680
  amazons-solver deal --number 0 --count 10 --rules ultimate
  amazons-solver deal --winnable --seed 7 --rules patiencen
  amazons-solver deal --winnable --number 0 --count 500 --notation number
  amazons-solver deal --difficulty hard --rules morehead --certificates proofs
  amazons-solver deal --file mine.txt --notation symbols
"""

Notation = Literal["letters", "symbols", "characters", "number"]

BATCH_FROM = 20
"""From this many deals on the kernel, which takes a while to load, searches at once, not the model first."""


def command(
    deals: DealOptions,
    *,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="N", help="A deal drawn at random, the same for the same seed.")
    ] = None,
    count: Annotated[
        str | None, typer.Option("--count", metavar="N", help="N deals, by successive numbers.  [default: 1]")
    ] = None,
    winnable: Annotated[
        bool, typer.Option("--winnable", help="Only winnable deals, searched from the first number on.")
    ] = False,
    unwinnable: Annotated[
        bool, typer.Option("--unwinnable", help="Only unwinnable deals, which some rules hardly have.")
    ] = False,
    level: Annotated[
        Level | None, typer.Option("--difficulty", help="Only winnable deals of this difficulty.", show_default=False)
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option("--certificates", metavar="DIR", help="Write the proof of each verdict there.", readable=False),
    ] = None,
    rules: ChosenRules,
    notation: Annotated[
        Notation,
        typer.Option(help="Letters (TH), suit symbols, characters of Unicode's card block; or the name of its number."),
    ] = "letters",
    limit: LimitOptions,
    answer: AnswerOptions,
) -> None:
    """Print deals, one a line, first dealt first.

    Without DEAL, --file or a number, one is drawn at random. The rules say which deck is dealt and what can be won;
    limits apply to each deal tried. With --json: objects with deal and cards and, for a search, difficulty (if asked
    for) and rules.
    """
    limits = limit.value()
    search = _search(winnable, unwinnable, level, certificates)
    source, drawn = _source(deals.given(), seed)
    if notation == "number" and isinstance(source, str):
        raise OptionError("expected --number, --pysolfc, --seed or --file for --notation number, got cards")
    if count is not None and not isinstance(source, DealName):
        raise OptionError("expected --number, --pysolfc or --seed for --count, got deals without a number")
    wanted = number_of(count, "--count", 1)
    _check_encoding(notation)
    codes: list[int] = []

    def leave_out(heading: str) -> None:
        console.message(f"{heading} is undecided and left out")
        codes.append(console.UNDECIDED)

    picked = _picked(search, source, rules, limits, wanted, leave_out)
    for one in readable(picked, codes, as_json=answer.as_json):
        if certificates is not None and not _prove(one, certificates, limits):
            codes.append(console.UNDECIDED)
        if answer.as_json:
            console.write_json(one.to_dict(searched=search is not None))
        else:
            if (search or drawn) and notation != "number":
                console.message(one.found if search else one.asked.heading)
            if count is None and not isinstance(source, Path) and one.asked.way_back is not None:
                console.message(f"in PySolFC: {one.asked.way_back}")
            console.write(_text(one.asked, notation))
        wanted -= 1
        if not wanted and not isinstance(source, Path):
            break
    raise typer.Exit(console.gravest(codes))


@attrs.frozen
class _Search:
    """What deals are searched for."""

    verdict: Verdict
    level: Level | None


@attrs.frozen
class _Picked:
    """A deal to be printed, with what is known of it."""

    asked: Asked
    solution: Solution | None = None
    difficulty: Difficulty | None = None

    @property
    def found(self) -> str:
        """What a person sees of a deal that was searched for."""
        by = f"{self.asked.heading} by {described(self.asked.rules)}"
        if self.difficulty is None:
            return by
        return f"{by}: {self.difficulty.level}, difficulty {self.difficulty.number:.0f} of 100"

    def to_dict(self, *, searched: bool) -> dict[str, object]:
        """The deal as JSON has it, with the rules if they chose it."""
        rules = {"rules": self.asked.rules.to_dict()} if searched else {}
        measured = {} if self.difficulty is None else {"difficulty": round(self.difficulty.number, 3)}
        return {"deal": self.asked.label, "cards": str(self.asked.deal), **measured, **rules}


def _search(winnable: bool, unwinnable: bool, level: Level | None, certificates: Path | None) -> _Search | None:
    asked = {"--winnable": winnable, "--unwinnable": unwinnable, "--difficulty": level is not None}
    names = [name for name, given in asked.items() if given]
    if len(names) > 1:
        raise OptionError(f"expected one of {', '.join(asked)}; got {' and '.join(names)}")
    if not names:
        if certificates is not None:
            raise OptionError(f"expected one of {', '.join(asked)} for --certificates, got none")
        return None
    if certificates is not None:
        with writing(certificates):
            certificates.mkdir(exist_ok=True)
        check_writable(certificates / "deal.json.gz")
    return _Search(Verdict.UNWINNABLE if unwinnable else Verdict.WINNABLE, level)


def _picked(
    search: _Search | None,
    source: Source,
    rules: ChosenRules,
    limits: Limits,
    count: int,
    leave_out: Callable[[str], None],
) -> Iterator[_Picked | Refused]:
    """The deals to be printed, and on the way those that cannot be read; those that are not decided are left out."""
    if search is None:
        for one in _candidates(source, rules, count, search_on=False):
            yield one if isinstance(one, Refused) else _Picked(one)
        return
    # The kernel takes a while to load: for one deal that is soon found the model is there before it.
    numbered = isinstance(source, DealName) and source.source == "numbered" and limits.states is limits.seconds is None
    alone = None if not numbered else 0 if count >= BATCH_FROM or search.level else BATCH_FROM
    candidates = itertools.islice(_candidates(source, rules, count, search_on=True), alone)
    tried = (_tried(one, search, limits, leave_out) for one in candidates)
    if isinstance(source, Path):
        yield from (picked for picked, _ in tried if picked is not None)
        return
    found: Iterator[_Picked | Refused] = until_in_vain(tried, search.level or search.verdict.value)
    yield from found
    if isinstance(source, DealName) and alone is not None:
        yield from _found(source.following(alone), search, rules, limits, leave_out)


def _tried(
    one: Asked | Refused, search: _Search, limits: Limits, leave_out: Callable[[str], None]
) -> tuple[_Picked | Refused | None, bool]:
    """The deal, if it is what is searched for; and whether it is decided."""
    if isinstance(one, Refused):
        return one, True
    try:
        if search.level is not None:
            measured = difficulty(one.deal, one.rules, level=search.level, limits=limits)
            return None if measured is None else _Picked(one, measured.solution, measured), True
        solution = _solve(one, limits)
        if solution.verdict is not Verdict.UNDECIDED:
            return _Picked(one, solution) if solution.verdict is search.verdict else None, True
    except UndecidedError:
        pass
    leave_out(one.heading)
    return None, False


def _found(
    first: DealName, search: _Search, chosen: ChosenRules, limits: Limits, leave_out: Callable[[str], None]
) -> Iterator[_Picked]:
    """The numbered deals that are searched for, from the first on, decided in batches."""
    rules = chosen.of(first)
    shown: list[Callable[[Progress], None] | None] = [None]

    def report(counts: Progress) -> None:
        if shown[0] is not None:
            shown[0](counts)

    deals = find_deals(
        rules,
        search.verdict,
        level=search.level,
        first=first.number,
        limits=limits,
        on_undecided=lambda number: leave_out(str(DealName("numbered", number))),
        progress=report,
    )
    while True:
        with console.working(f"deals from {first.number} on") as shown[0]:  # not while results are written
            found = next(deals, None)
        if found is None:
            break
        measured = found.difficulty
        asked = asked_for(DealName("numbered", found.number), rules)
        yield _Picked(asked, measured.solution if measured else None, measured)
    Deal.numbered(2**64, rules)  # which there is not: says so


def _prove(picked: _Picked, directory: Path, limits: Limits) -> bool:
    """Write the certificate of a deal's verdict; false if a limit was hit."""
    solution = picked.solution
    if solution is None:
        solution = _solve(picked.asked, limits)
    try:
        with console.working(f"{picked.asked.heading}, its proof") as progress:
            certificate = certificate_of(solution, limits=limits, progress=progress)
    except UndecidedError as error:
        console.message(f"{picked.asked.heading} is not proved: {error}")
        return False
    path = directory / f"{picked.asked.file_name}.json.gz"
    with writing(path):
        certificate.write(path)
    return True


def _source(source: Source | None, seed: str | None) -> tuple[Source, bool]:
    """Where the deals come from, and whether their first number was drawn at random."""
    if source is not None and seed is not None:
        raise OptionError("expected --seed alone, got another deal too")
    if source is not None:
        return source, False
    return DealName.random(number_of(seed, "--seed", None, least=0)), True


def _check_encoding(notation: Notation) -> None:
    """Raise OptionError if the output cannot write the notation."""
    if not console.can_write(_text(Asked(Deal(Rules().deck), Rules()), notation), sys.stdout):
        raise OptionError(f"expected an output that can write {notation}, got one in {sys.stdout.encoding}")


def _text(asked: Asked, notation: Notation) -> str:
    if notation == "number":
        return asked.heading
    if notation == "symbols":
        return " ".join(card.pretty for card in asked.deal.cards)
    if notation == "characters":
        return " ".join(card.character for card in asked.deal.cards)
    return str(asked.deal)


def _candidates(source: Source, rules: ChosenRules, count: int, *, search_on: bool) -> Iterator[Asked | Refused]:
    """The deals asked for; those with numbers go on for ever, but the first `count` are checked to be in range."""
    if not isinstance(source, DealName):
        yield from deals_of(source, rules)
        return
    if not search_on:
        source.following(count - 1)
    for further in itertools.count():
        name = source.following(further)
        yield asked_for(name, rules.of(name))


def _solve(asked: Asked, limits: Limits) -> Solution:
    with console.working(asked.heading) as progress:
        solution = solve(asked.deal, asked.rules, limits=limits, progress=progress)
    if solution.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return solution
