"""``survey``: decide numbered deals by the million, into a ledger that nothing corrupts."""

import contextlib
import datetime
import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import check_writable
from amazons_solver.cli.options import (
    DEFAULT_RULES,
    PRESET_OR_FILE,
    AnswerOptions,
    MaxStates,
    Settings,
    bytes_of,
    number_of,
    rules_of,
)
from amazons_solver.errors import OptionError, shorten
from amazons_solver.model.rules import described
from amazons_solver.surveys.plan import SOLVER
from amazons_solver.surveys.result import SurveyProgress, SurveyResult
from amazons_solver.surveys.running.run import survey

EXAMPLES = """\b
Examples:
  amazons-solver survey --rules patiencen --deals 0:1000000 --ledger odds.db
  amazons-solver survey --rules ultimate --deals 0:9000 --ledger odds.db --add
  amazons-solver survey --deals 0:9000 --player greedy --ledger odds.db --add
  amazons-solver survey --deals 0:9000 --ledger odds.db --records odds.parquet
  amazons-solver survey --deals 0:9000 --ledger odds.db --verify-sample 100
  amazons-solver survey --deals 0:9000 --ledger odds.db --dask tcp://host:8786
"""

_RANGE = re.compile(r"([0-9]{1,20}):([0-9]{1,20})")


def command(
    *,
    deals: Annotated[
        str,
        typer.Option("--deals", metavar="A:B", help="The numbers of the deals, from A to B - 1.", show_default=False),
    ],
    ledger: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            readable=False,
            help="The file that keeps the findings; resumed if it exists.",
            show_default=False,
        ),
    ],
    rules: Annotated[str, typer.Option("--rules", metavar="NAME|FILE", help=PRESET_OR_FILE)] = DEFAULT_RULES,
    settings: Settings = None,
    player: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who plays: solver, or a strategy: greedy, one-ace, random, greedy:2 ..."),
    ] = SOLVER,
    add: Annotated[bool, typer.Option("--add", help="Add these rules or this player to a ledger of others.")] = False,
    workers: Annotated[
        str | None, typer.Option(metavar="N", help="Processes at work.  [default: as many as there are cores]")
    ] = None,
    threads: Annotated[bool, typer.Option("--threads", help="Threads instead of processes.")] = False,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on a Dask cluster: tcp://host:port of its scheduler.")
    ] = None,
    max_states: MaxStates = None,
    max_memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Give up on a deal at this many stored bytes: 500M, 2GiB.  [default: 2GiB]"),
    ] = None,
    retry_undecided: Annotated[
        bool,
        typer.Option("--retry-undecided", help="Try the ledger's undecided deals again, with these larger limits."),
    ] = False,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", readable=False, help="Write a Parquet file with one row a deal.")
    ] = None,
    verify_sample: Annotated[
        str | None,
        typer.Option(metavar="N", help="Decide N of the deals once more, by the model and with checked certificates."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Which deals --verify-sample draws.  [default: 0]")
    ] = None,
    answer: AnswerOptions,
) -> None:
    """Decide numbered deals by the million, and say what share of them can be won.

    The same command resumes where it was ended, by Ctrl-C or anything else; with more deals it decides only the new
    ones. Deals that hit a limit are undecided, and count against both ends of the interval.
    """
    chosen = rules_of(rules, settings)
    asked = _range_of(deals)
    if seed is not None and verify_sample is None:
        raise OptionError("expected --verify-sample for --seed, got no sample to draw")
    if dask is not None and (threads or workers is not None):
        raise OptionError("expected --dask alone, got --workers or --threads too")
    if dask is not None:
        logging.disable()  # errors are in our words
    if records is not None:
        check_writable(records)
    with _progress("winnable" if player == SOLVER else f"won by {player}") as progress:
        found = survey(
            asked,
            chosen,
            ledger=ledger,
            add=add,
            player=player,
            max_states=number_of(max_states, "--max-states", None),
            max_memory=None if max_memory is None else bytes_of(max_memory),
            workers=number_of(workers, "--workers", None),
            on=dask or ("threads" if threads else "processes"),
            retry_undecided=retry_undecided,
            records=records,
            verify_sample=number_of(verify_sample, "--verify-sample", 0),
            seed=number_of(seed, "--seed", 0, least=0),
            progress=progress,
        )
    if answer.as_json:
        console.write_json(_answer(found))
    else:
        _show(found)
    if found.interrupted:
        raise KeyboardInterrupt
    wrong = [check for check in found.checks if check.outcome == "wrong"]
    for check in wrong:
        console.fail(
            f"expected deal {check.number} to be {check.found}, as the ledger has it, got proof that it is not"
        )
    if wrong:
        raise typer.Exit(console.LOST)
    raise typer.Exit(console.UNDECIDED if found.undecided else console.ANSWERED)


def _range_of(text: str) -> range:
    match = _RANGE.fullmatch(text)
    if match is None or int(match[1]) >= int(match[2]):
        raise OptionError(f"expected a range of deals such as 0:1000000 for --deals, got {shorten(text)}")
    return range(int(match[1]), int(match[2]))


def _answer(found: SurveyResult) -> dict[str, object]:
    """The answer as JSON has it; outside scripts rely on the keys and their order."""
    interval = found.interval
    return {
        "rules": found.rules.to_dict(),
        "deals": found.deals,
        "winnable": found.won,
        "unwinnable": found.lost,
        "undecided": found.undecided,
        "interval": None if interval is None else [interval.low, interval.high],
        "seconds": round(found.seconds, 6),
        "deals_per_second": round(found.rate, 1),
        "first": found.asked.start,
        "undecided_deals": list(found.undecided_deals),
        "redeals": found.redeals,
        "states": found.states,
        "unit": found.unit,
        "hardest": [{"deal": number, "states": states} for number, states in found.hardest],
        "checks": dict(sorted(_outcomes(found).items())),
        "interrupted": found.interrupted,
        "not_tried": found.not_tried,
        "player": found.player,
    }


def _show(found: SurveyResult) -> None:
    """The answer as a person reads it."""
    from amazons_solver.render.text import facts_text
    from amazons_solver.surveys.reports.report import quartiles

    heading = f"deals {found.asked.start} to {found.asked.stop - 1} by {described(found.rules)}"
    won, lost = ("winnable", "unwinnable") if found.player == SOLVER else (f"won by {found.player}", "lost")
    facts = [(name, f"{count:,}") for name, count in ((won, found.won), (lost, found.lost))]
    if found.player == SOLVER:
        facts.append(("undecided", f"{found.undecided:,}"))
    if found.deals < len(found.asked):
        facts.append(("not yet", f"{len(found.asked) - found.deals:,}"))
    if found.undecided_deals:
        more = found.undecided - len(found.undecided_deals)
        listed = ", ".join(map(str, found.undecided_deals)) + (f" and {more:,} more" if more else "")
        facts.append(("which", listed))
    if found.not_tried:
        facts.append(("not retried", f"{found.not_tried:,}, tried before with a limit as large or larger"))
    if found.redeals:
        facts.append(("redeals", f"{quartiles(found.redeals)[2]} at the median, {max(found.redeals)} at most"))
    if found.hardest:
        number, states = found.hardest[0]
        facts.append(("hardest", f"numbered:{number}, {states:,} {found.unit}"))
    if found.checks:
        outcomes = _outcomes(found)
        facts.append(("checked", ", ".join(f"{outcomes[name]:,} {name}" for name in sorted(outcomes))))
    if found.decided_now:
        facts.append(("now", f"{found.decided_now:,} deals in {found.seconds:.1f} s, {found.rate:,.0f} deals/s"))
    verdict = "nothing known" if found.interval is None else f"{console.plain(found.interval.pretty, sys.stdout)} {won}"
    console.show(facts_text(heading, verdict, facts, width=console.width()))


def _outcomes(found: SurveyResult) -> Counter[str]:
    return Counter(check.outcome for check in found.checks)


@contextlib.contextmanager
def _progress(won: str) -> Iterator[Callable[[SurveyProgress], None] | None]:
    """The callback that shows how far the survey is: a bar on a terminal, a line now and then elsewhere."""
    if console.is_quiet():
        yield None
    elif not console.can_redraw():
        yield console.now_and_then(
            lambda counts: console.message(f"{counts.done:,} of {counts.deals:,} deals, {_how_it_goes(counts, won)}")
        )
    else:
        with console.bar("deals") as move:
            yield lambda counts: move(counts.done, counts.deals, _how_it_goes(counts, won))


def _how_it_goes(counts: SurveyProgress, won: str) -> str:
    """Rate, time left and the interval so far, as far as there are any."""
    if counts.checking:
        return "checked once more"
    left, interval = counts.seconds_left, counts.interval
    parts = [f"{counts.rate:,.0f} deals/s"]
    if left is not None:
        parts.append(f"{datetime.timedelta(seconds=round(left))} left")
    if interval is not None:
        parts.append(f"{console.plain(interval.pretty, sys.stderr)} {won}")
    return ", ".join(parts)
