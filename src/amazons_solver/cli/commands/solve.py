"""``solve``: could that deal have been won, and how?"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import Asked, DealOptions, Refused, deals_of, one_deal_of, readable
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.options import AnswerOptions, ChosenRules, LimitOptions
from amazons_solver.model.moves import format_line
from amazons_solver.model.rules import described
from amazons_solver.search.explore import Order
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solving.engines import Engine
from amazons_solver.solving.solve import Solution, Verdict
from amazons_solver.solving.solve import solve as decide

EXAMPLES = """\b
Examples:
  amazons-solver solve --pysolfc 24680
  amazons-solver solve numbered:9 --rules ultimate --order bfs
  amazons-solver solve --number 7 --fewest-redeals
  amazons-solver solve "8C AC 7C 7D 8D AD" --set suits=CD --set ranks=A78
  amazons-solver solve --pysolfc 1 --rules patiencen --certificate 1.json.gz
  amazons-solver solve --file - --json --max-seconds 10 < deals.txt
"""


def command(
    deals: DealOptions,
    *,
    rules: ChosenRules,
    order: Annotated[
        Order, typer.Option(help="dfs finds a line quickly; bfs finds one of fewest moves, and takes longer.")
    ] = "dfs",
    engine: Annotated[Engine, typer.Option(help="Which engine decides.")] = "auto",
    fewest_redeals: Annotated[
        bool,
        typer.Option("--fewest-redeals", help="Look for a line of fewest redeals, and prove that there is no better."),
    ] = False,
    limit: LimitOptions,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", readable=False, help="Write a proof of the verdict (one deal only), for verify to check."
        ),
    ] = None,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if a deal is unwinnable.")] = False,
    answer: AnswerOptions,
) -> None:
    """Decide deals: can they be won, and how?

    The deal is given by its cards (10 or T for ten, letters or symbols for suits, # starts a comment), by its name or
    number, or in a file with one deal a line, each by the rules that its name brings. Limits apply to
    each deal. PySolFC's files will do, too: a saved game, or statistics.dat for the games that were lost.
    """
    limits = limit.value()
    source = deals.source()
    asked: Iterable[Asked | Refused] = deals_of(source, rules)
    if certificate is not None:
        check_writable(certificate)
        asked = [one_deal_of(source, rules, "for a certificate")]
    codes: list[int] = []
    for one in readable(asked, codes, as_json=answer.as_json):
        with console.working(one.heading) as progress:
            solution = decide(
                one.deal,
                one.rules,
                order=order,
                engine=engine,
                fewest_redeals=fewest_redeals,
                limits=limits,
                progress=progress,
            )
        if answer.as_json:
            console.write_json(_answer(one, solution, fewest_redeals=fewest_redeals))
        else:
            if codes:
                console.write("")
            _show(one, solution)
        if solution.stop_reason is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        codes.append(_code_of(solution, exit_code=exit_code, fewest_redeals=fewest_redeals))
        if certificate is not None:
            _certify(solution, certificate, limits)
    raise typer.Exit(console.gravest(codes))


def _code_of(solution: Solution, *, exit_code: bool, fewest_redeals: bool) -> int:
    unproven = fewest_redeals and solution.line is not None and not _is_fewest(solution)
    if solution.verdict is Verdict.UNDECIDED or unproven:
        return console.UNDECIDED
    return console.LOST if exit_code and solution.verdict is Verdict.UNWINNABLE else console.ANSWERED


def _answer(asked: Asked, solution: Solution, *, fewest_redeals: bool) -> dict[str, object]:
    """The answer as JSON has it; outside scripts rely on the keys and their order."""
    bound = {"redeals_at_least": solution.redeals_at_least} if fewest_redeals else {}
    return {
        "deal": asked.label,
        "cards": str(asked.deal),
        "rules": solution.start.rules.to_dict(),
        "verdict": solution.verdict.value,
        "line": None if solution.line is None else format_line(solution.line),
        "moves": solution.moves,
        "redeals": solution.redeals,
        **bound,
        "states": solution.stats.states,
        "seconds": round(solution.stats.seconds, 6),
        "stop_reason": solution.stop_reason.value,
        "engine": solution.engine,
    }


def _show(asked: Asked, solution: Solution) -> None:
    """The answer as a person reads it."""
    from amazons_solver.render.text import solution_text

    text = solution_text(
        f"{asked.heading} by {described(asked.rules)}",
        solution.verdict.value,
        solution.start.talon,
        solution.line,
        why=_why(solution),
        symbols=console.symbols(sys.stdout),
        width=console.width(),
    )
    console.show(text)
    if asked.way_back is not None:
        console.write(f"in PySolFC: {asked.way_back}")


def _why(solution: Solution) -> str:
    """What the verdict rests on."""
    stats, reason = solution.stats, solution.stop_reason
    searched = f"{stats.states:,} {stats.unit} in {stats.seconds:.2f} s"
    proven = ""
    if solution.redeals_at_least is not None:
        fewer = "redeals" if _is_fewest(solution) else f"than {solution.redeals_at_least} redeals"
        proven = f"no line has fewer {fewer}: "
    if reason is StopReason.EXHAUSTED:
        return f"every state within reach was seen and none is won: {searched}"
    if reason is StopReason.GOAL:
        return f"{proven}searched {searched}"
    if reason is StopReason.INTERRUPTED:
        return f"{proven}interrupted after {searched}"
    return f"{proven}gave up at the limit on {reason.value} after {searched}"


def _is_fewest(solution: Solution) -> bool:
    """Whether the line is proven to have the fewest redeals."""
    return solution.redeals_at_least == solution.redeals


def _certify(solution: Solution, path: Path, limits: Limits) -> None:
    """Write the proof of a verdict.

    Raises:
        UndecidedError: there is no verdict, or a limit was hit before the proof was whole.
        OptionError: the file could not be written.
    """
    from amazons_solver.proofs.certificate import certificate_of

    with console.working("certificate") as progress:
        proof = certificate_of(solution, limits=limits, progress=progress)
    with writing(path):
        proof.write(path)
    console.message(f"certificate written to {path}")
