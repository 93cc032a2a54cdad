"""``explore``: the decisions of a deal as a page to walk through."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.games import GameOptions, Played
from amazons_solver.cli.options import GameRules, LimitOptions, Quiet, StateText, number_of
from amazons_solver.errors import OptionError, shorten
from amazons_solver.files import write_whole
from amazons_solver.model.rules import described
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason

if TYPE_CHECKING:
    from amazons_solver.explorer import Space
    from amazons_solver.hints.knowledge import Knowledge
    from amazons_solver.model.state import State

EXAMPLES = """\b
Examples:
  amazons-solver explore --number 7 --set suits=CD --set ranks=A78 --set withhold=any
  amazons-solver explore --pysolfc 24680 --line "d d AS>1 d" -o game.html
  amazons-solver explore --file game.txt
  amazons-solver explore --pysolfc 24680 --serve
"""

_HIGHEST_PORT = 65_535
_MOST_STATES = 1_000_000
"""For each verdict when nothing is said: there are thousands of them."""
_SERVED_AT_FIRST = 400
_SECONDS_AROUND = 120
"""More than all but decks beyond the kernel's 28 cards take."""
_SECONDS_AFTER_INTERRUPT = 0.5


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DEAL LINE",
            help="The cards, first dealt first, or a name, and the moves of a game, if one was played; the moves alone "
            "after --state or a deal by number.",
            show_default=False,
        ),
    ] = None,
    *,
    asked: GameOptions,
    state: StateText = None,
    line: Annotated[
        str | None,
        typer.Option("--line", metavar="MOVES", help="A game that was played, such as 'd d AS>1': which move lost it?"),
    ] = None,
    rules: GameRules,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="The page's file.  [default: amazons-NAME.html in the current folder]",
        ),
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the page on this machine only, until Ctrl-C, and write no file.")
    ] = False,
    port: Annotated[
        str | None, typer.Option("--port", metavar="N", help="Where to serve.  [default: a free port]")
    ] = None,
    limit: LimitOptions,
    _quiet: Quiet = False,
) -> None:
    """Make a page for walking through the decisions: each move says beforehand whether it keeps the win.

    The file is self-contained and opens from disk. It has deals of up to 20,000 states whole; of larger ones the game
    that was played, the lines that win, and what is near them. With --serve there is no end. Limits apply to each
    state decided; without --max-states, it is a million.
    """
    if serve and output is not None:
        raise OptionError("expected --serve or -o FILE, got both")
    if port is not None and not serve:
        raise OptionError("expected --port with --serve, got it alone")
    limits = limit.value(_MOST_STATES)
    at = number_of(port, "--port", 0)
    if at > _HIGHEST_PORT:
        raise OptionError(f"expected a port of at most {_HIGHEST_PORT}, got {at}")
    if output is not None and output.suffix not in (".html", ".htm"):
        raise OptionError(f"expected a file that ends in .html for -o, got {shorten(str(output))}")
    game = asked.game([*(words or []), line] if line is not None else words, rules, state)
    states = game.record.start.states_along(game.record.line)
    if serve:
        _serve(game, states, limits, at)
        return
    name = re.sub(r"[^a-z0-9]+", "-", game.record.name.lower()) or game.heading.removeprefix("this ")
    path = output or Path(f"amazons-{name}.html")
    check_writable(path)
    from amazons_solver.explorer import explorer_page

    with console.working(game.heading) as progress:
        space, interrupted = _space(game, states, limits, progress)
    page = explorer_page(space, states[0], title=_title(game), game=states if game.record.line else ())
    with writing(path):
        write_whole(path, page.encode())
    known = f"all {len(space.states):,} states" if space.complete else f"{len(space.states):,} states, a part of all"
    console.write(f"{path}: {game.heading} by {described(game.record.rules)}, {known}")
    if interrupted:
        raise KeyboardInterrupt
    if "undecided" in space.statuses[:1]:
        raise typer.Exit(console.UNDECIDED)


def _space(
    game: Played, states: "list[State]", limits: Limits, progress: Callable[[Progress], None] | None
) -> "tuple[Space, bool]":
    """All states, or the most interesting ones; and whether Ctrl-C ended the search, so that less of them is known."""
    from amazons_solver.explorer.space import MOST_WHOLE, new_knowledge, space_of_graph, space_of_lines
    from amazons_solver.graphs.graph import decision_graph

    record = game.record
    # A deal of few states is explored faster than the kernel is loaded; of one with many that is soon clear.
    decisions = decision_graph(
        record.deal, record.rules, limits=attrs.evolve(limits, states=MOST_WHOLE), progress=progress
    )
    if decisions.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if decisions.complete:
        return space_of_graph(decisions), False
    knowledge: Knowledge = new_knowledge(record.rules)

    def around(
        knowledge: "Knowledge", limits: Limits, seconds: float, progress: Callable[[Progress], None] | None
    ) -> "Space":
        return space_of_lines(
            states, knowledge=knowledge, limits=limits, seconds=seconds, alone=True, progress=progress
        )

    try:
        return around(knowledge, limits, _SECONDS_AROUND, progress), False
    except KeyboardInterrupt:  # the model compiles nothing
        space = around(attrs.evolve(knowledge, engine="model"), console.NOTHING_MORE, _SECONDS_AFTER_INTERRUPT, None)
        if set(space.statuses) == {"undecided"}:
            raise  # a page that tells nothing takes no other's place
        return space, True


def _serve(game: Played, states: "list[State]", limits: Limits, port: int) -> None:
    from amazons_solver.explorer import explorer_page, space_of_lines
    from amazons_solver.explorer.server import ExplorerServer
    from amazons_solver.explorer.space import new_knowledge

    rules = game.record.rules
    knowledge: Knowledge = new_knowledge(rules)
    with console.working(game.heading) as progress:
        space = space_of_lines(states, knowledge=knowledge, limits=limits, most=_SERVED_AT_FIRST, progress=progress)
    walked = states if game.record.line else ()
    page = explorer_page(space, states[0], title=_title(game), game=walked, served=True)
    try:
        server = ExplorerServer(page, rules, port=port, limits=limits, knowledge=knowledge)
    except OSError as error:
        raise OptionError(f"expected a port to serve at, got {port}: {error.strerror}") from None
    with server:
        console.write(server.address)
        by = f"{game.heading} by {described(rules)}"
        console.message(f"the page of {by} is served at this address until Ctrl-C")
        server.serve_forever()


def _title(game: Played) -> str:
    """What the page calls the deal."""
    kind, _, name = game.record.name.partition(":")
    unnamed = game.heading.replace("this", "A") + " of Amazons"
    return {"numbered": f"Deal {name}", "pysolfc": f"PySolFC deal {name}"}.get(kind, unnamed)
