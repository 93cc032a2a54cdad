"""``graph``: draw every decision in a deal."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import DealOptions, one_deal_of
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.options import AnswerOptions, ChosenRules, LimitOptions
from amazons_solver.errors import AmazonsError, OptionError
from amazons_solver.model.moves import REDEAL
from amazons_solver.model.rules import described
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import Verdict

if TYPE_CHECKING:
    from amazons_solver.graphs.graph import DecisionGraph

EXAMPLES = """\b
Examples:
  amazons-solver graph --number 9 --rules ultimate -o graph.svg
  amazons-solver graph --number 0 --set suits=CD --set ranks=A78 --format dot
  amazons-solver graph --pysolfc 1 --rules patiencen --merge-suits --json
  amazons-solver graph --number 2 --max-states 30 --decide-unexpanded -o 1.dot
"""

_SECONDS_AFTER_INTERRUPT = 1.0
"""For writing what was found until then."""


def command(
    deals: DealOptions,
    *,
    rules: ChosenRules,
    merge_suits: Annotated[
        bool, typer.Option("--merge-suits", help="Join states that differ only in the names of the suits.")
    ] = False,
    decide_unexpanded: Annotated[
        bool, typer.Option("--decide-unexpanded", help="Decide on its own each state at which the graph is cut off.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", readable=False, help="Write the graph to a file.")
    ] = None,
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="graphml, gexf, dot, json, svg or html; without -o to standard output.  "
            "[default: from the file's ending]",
        ),
    ] = None,
    limit: LimitOptions,
    answer: AnswerOptions,
) -> None:
    """Build the graph of every decision in a deal, and summarise or write it.

    The graph is cut off at --max-states, 100,000 if not given. It shows where, and calls nothing unwinnable that is
    not. --max-seconds is for the whole command: exploring, --decide-unexpanded, and writing, for which half is
    reserved. SVG is drawn by Graphviz, up to 5,000 states; HTML is the page that explore makes. With
    --json: nodes, edges, winning_nodes, complete, verdict, rules, fatal_moves, choices, cycle_states, shortest_win.
    """
    started = time.monotonic()
    limits = limit.value()
    seconds = limits.seconds
    if seconds is not None and (output is not None or file_format is not None):
        limits = attrs.evolve(limits, seconds=seconds / 2)
    asked = one_deal_of(deals.source(), rules, "for a graph")
    if output is None and file_format is not None and answer.as_json:
        raise OptionError("expected -o FILE for the graph, got --json and --format both for standard output")
    if output is not None:
        check_writable(output)
    from amazons_solver.export import check_format
    from amazons_solver.graphs import graph

    limits = attrs.evolve(limits, states=limits.states or graph.DEFAULT_STATES)
    kind = file_format
    if kind is None and output is not None:
        kind = output.suffix.removeprefix(".").lower()
    if kind is not None:
        check_format(kind)
    if kind == "html" and merge_suits:
        raise OptionError("expected html or --merge-suits, got both: the page moves real cards")
    with console.working(asked.heading, at_once=decide_unexpanded) as progress:
        decisions = graph.decision_graph(
            asked.deal,
            asked.rules,
            limits=limits,
            merge_suits=merge_suits,
            decide_unexpanded=decide_unexpanded,
            progress=progress,
        )
    left = None if seconds is None else max(0.0, started + seconds - time.monotonic())
    interrupted = decisions.stop_reason is StopReason.INTERRUPTED
    if interrupted:
        left = _SECONDS_AFTER_INTERRUPT if left is None else min(left, _SECONDS_AFTER_INTERRUPT)
    with console.working("writing the graph", at_once=True):
        failure = _write(decisions, output, kind, left)
    if answer.as_json:
        console.write_json(_counts(decisions))
    elif output is not None or kind is None or failure is not None:
        _show(f"{asked.heading} by {described(asked.rules)}", decisions)
    if interrupted:
        console.fail("interrupted" if failure is None else f"interrupted, and not written: {failure}")
        raise typer.Exit(console.INTERRUPTED)
    if failure is not None:
        raise failure
    raise typer.Exit(console.UNDECIDED if decisions.verdict is Verdict.UNDECIDED else console.ANSWERED)


def _write(
    decisions: "DecisionGraph", output: Path | None, kind: str | None, seconds: float | None
) -> AmazonsError | None:
    """Write the graph, and return what kept it from being written: the verdict is printed all the same."""
    from amazons_solver.export import export_parts, write_graph

    try:
        if output is not None:
            with writing(output):
                write_graph(decisions, output, format=kind, seconds=seconds)
        elif kind is not None:
            console.write_bytes(export_parts(decisions, format=kind, seconds=seconds))
    except AmazonsError as error:
        return error
    return None


def _counts(decisions: "DecisionGraph") -> dict[str, object]:
    """The answer as JSON has it; outside scripts rely on the keys and their order."""
    statuses = decisions.statuses()
    line = decisions.shortest_line()
    return {
        "nodes": decisions.arrays.nodes,
        "edges": decisions.arrays.edges,
        "winning_nodes": statuses["won"] + statuses["winnable"],
        "complete": decisions.complete,
        "verdict": decisions.verdict.value,
        "rules": decisions.game.start.rules.to_dict(),
        "fatal_moves": len(decisions.arrays.fatal),
        "choices": len(decisions.choices()),
        "cycle_states": int(decisions.arrays.cycle.sum()),
        "shortest_win": None if line is None else len(line),
    }


def _show(heading: str, decisions: "DecisionGraph") -> None:
    """The answer as a person reads it."""
    from amazons_solver.render.text import facts_text

    arrays = decisions.arrays
    line = decisions.shortest_line()
    most_common = sorted(decisions.statuses().items(), key=lambda item: -item[1])
    counts = ", ".join(f"{count:,} {status}" for status, count in most_common if count)
    facts = {
        "states": f"{arrays.nodes:,} ({counts})",
        "moves": f"{arrays.edges:,}",
        "fatal moves": f"{len(arrays.fatal):,} (from a state that can be won to one that cannot)",
        "choices": f"{len(decisions.choices()):,} (states where one move keeps the win and another loses it)",
        "on cycles": f"{arrays.cycle.sum():,} states (to which play can come back)",
    }
    if line is not None:
        facts["shortest win"] = f"{len(line)} moves (redeals: {line.count(REDEAL)})"
    if decisions.complete:
        facts["extent"] = "complete"
    else:
        facts["extent"] = f"cut off ({decisions.stop_reason.value}), not expanded: {(~arrays.expanded).sum():,}"
    width = console.width()
    console.show(facts_text(heading, decisions.verdict.value, list(facts.items()), width=width))
