"""``play``: a game in the terminal."""

import os
import sys
from typing import Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.games import GameOptions
from amazons_solver.cli.options import GameRules, StateText
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.errors import OptionError
from amazons_solver.model.deals import Deal
from amazons_solver.model.saved.records import Record

EXAMPLES = """\b
Examples:
  amazons-solver play
  amazons-solver play --pysolfc 24680
  amazons-solver play --file game.txt
  amazons-solver play --state "- | 8C 7C AC | -" --set suits=C --set ranks=A78
"""


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DEAL LINE",
            help="The cards, first dealt first, or a name, and moves made already; the moves alone after --state "
            "or a deal by number.",
            show_default=False,
        ),
    ] = None,
    *,
    asked: GameOptions,
    state: StateText = None,
    rules: GameRules,
) -> None:
    """Play a game in the terminal, with keys that the screen shows.

    Without a deal, one is drawn at random. Verdicts are found in the background; when the game is lost, you are told
    why, and can go back to the last position that could be won. Games are saved in notation, for hint and annotate;
    those that you did not save are printed at the end or, if the terminal goes away, are in amazons-unsaved.txt.
    """
    if words is None and state is None and asked == GameOptions():
        default = rules.of(None)
        game = PlayedGame(Record(Deal.random(default), (), default))
    else:
        found = asked.game(words, rules, state)
        game = PlayedGame(found.record, found.source, found.undone)
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        raise OptionError("expected a terminal to play in, got a pipe or a file")
    if not console.can_redraw():
        raise OptionError(f"expected a terminal that can move its cursor, got TERM={os.environ['TERM']}")
    from amazons_solver.cli.play.app import PlayApp
    from amazons_solver.cli.play.terminal import hand_over, signals_caught

    # The screen is written to stderr.
    app = PlayApp(game, symbols=console.symbols(sys.stderr), file=asked.file, rules=rules)
    with signals_caught(app.end, app.unsaved):
        try:
            app.run(mouse=False)
        finally:
            hand_over(app.unsaved())
    if app.failure is not None:
        raise app.failure
