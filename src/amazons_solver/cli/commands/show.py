"""``show``: a deal, a state or a line as a person would look at it, on the terminal or as a picture."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import DealOptions, one_deal_of
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.games import after
from amazons_solver.cli.options import ChosenRules, LimitOptions, Quiet, StateText
from amazons_solver.errors import OptionError, UndecidedError, shorten
from amazons_solver.files import write_whole
from amazons_solver.model.moves import Move, parse_line
from amazons_solver.model.rules import described
from amazons_solver.model.saved.records import Record
from amazons_solver.model.state import State
from amazons_solver.render.svg import Theme, deal_svg, line_svg, state_svg
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import Solution, Verdict, solve_state

if TYPE_CHECKING:
    from rich.text import Text

EXAMPLES = """\b
Examples:
  amazons-solver show --pysolfc 24680
  amazons-solver show --pysolfc 24680 --win -o win.svg
  amazons-solver show --number 9 --rules ultimate --line "d 7D>1"
  amazons-solver show --set suits=C --set ranks=A7 --state "7C | AC | -" --marks
"""


def command(
    deals: DealOptions,
    *,
    state: StateText = None,
    rules: ChosenRules,
    line: Annotated[
        str | None,
        typer.Option("--line", metavar="MOVES", help="Moves from there on, such as 'd d AS>1', pass by pass."),
    ] = None,
    win: Annotated[bool, typer.Option("--win", help="A line that wins from there, if there is one.")] = False,
    marks: Annotated[
        bool, typer.Option("--marks", help="Say of each move whether the game can still be won after it.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", readable=False, help="Write a picture, FILE.svg, instead."),
    ] = None,
    theme: Annotated[Theme, typer.Option(help="Colours of the picture; auto follows the reader's settings.")] = "auto",
    limit: LimitOptions,
    _quiet: Quiet = False,
) -> None:
    """Show a deal, a state or a line: on the terminal, or as a picture in SVG.

    A deal alone is shown in the rows in which it is dealt, a saved game as the table stands. Limits apply to --win,
    and to each move of --marks.
    """
    limits = limit.value()
    source = deals.given()
    if (source is None) == (state is None):
        raise OptionError("expected a deal or --state, got " + ("neither" if state is None else "both"))
    if line is not None and win:
        raise OptionError("expected --line or --win, got both")
    if marks and (state is None or line is not None or win):
        raise OptionError("expected --state alone for --marks, got " + ("a deal" if state is None else "a line"))
    if output is not None:
        if output.suffix.lower() != ".svg":
            raise OptionError(f"expected a file that ends in .svg, got {shorten(output.name)}")
        check_writable(output)
    from amazons_solver.render.text import deal_text, line_text, state_text

    symbols = console.symbols(sys.stdout)
    if source is None:
        start, heading = State.parse(state or "", rules.of(None)), "this state"
    else:
        asked = one_deal_of(source, rules, "to show")
        if line is None and not win and not asked.moves:
            deal = asked.deal
            _tell("", output, lambda: deal_svg(deal, theme=theme), lambda: deal_text(deal, symbols=symbols))
            return
        start = State.initial(asked.deal, asked.rules).play_line(asked.moves)
        heading = after(Record(asked.deal, asked.moves, asked.rules)) if asked.moves else asked.heading
    heading = f"{heading} by {described(start.rules)}"
    moves = parse_line(line) if line is not None else _winning_line(start, limits) if win else None
    if moves is not None:
        _tell(
            heading,
            output,
            lambda: line_svg(start, moves, theme=theme),
            lambda: line_text(start, moves, symbols=symbols, width=console.width()),
        )
        return
    verdicts = _verdicts(start, limits) if marks else {}
    _tell(
        heading,
        output,
        lambda: state_svg(start, marks=verdicts, theme=theme),
        lambda: state_text(start, symbols=symbols, width=console.width(), marks=verdicts),
    )
    if None in verdicts.values():
        raise typer.Exit(console.UNDECIDED)


def _tell(heading: str, output: Path | None, picture: Callable[[], str], text: "Callable[[], Text]") -> None:
    """Show it under its heading, or write a picture of it."""
    if output is None:
        shown = text()
        if heading:
            console.write(heading)
        console.show(shown)
        return
    drawn = picture()
    with writing(output):
        write_whole(output, drawn.encode() + b"\n")
    console.message(f"picture written to {output}" + (f": {heading}" if heading else ""))


def _winning_line(start: State, limits: Limits) -> tuple[Move, ...]:
    """A line that wins.

    Raises:
        UndecidedError: a limit was hit first.
        OptionError: there is none.
    """
    solution = _solved(start, limits)
    if solution.verdict is Verdict.UNDECIDED:
        raise UndecidedError(f"gave up at the limit on {solution.stop_reason.value} before a winning line was found")
    if solution.line is None:
        raise OptionError("expected a game that can be won for --win, got an unwinnable one")
    return solution.line


def _verdicts(start: State, limits: Limits) -> dict[Move, bool | None]:
    """Whether each move keeps the win; ``None`` where a limit was hit first."""
    return {move: _solved(after, limits).verdict.keeps_win for move, after in start.successors()}


def _solved(state: State, limits: Limits) -> Solution:
    with console.working("searching") as progress:
        solution = solve_state(state, limits=limits, progress=progress)
    if solution.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return solution
