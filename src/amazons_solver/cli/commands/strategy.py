"""``strategy``: how a player would fare, on one deal or on many."""

import sys
from typing import Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.deals import Asked, DealOptions, deals_of, readable
from amazons_solver.cli.options import AnswerOptions, ChosenRules, number_of
from amazons_solver.errors import OptionError
from amazons_solver.model.moves import format_line
from amazons_solver.model.names import DealName
from amazons_solver.model.rules import Rules, described
from amazons_solver.strategies.many import play_numbered
from amazons_solver.strategies.players import STRATEGIES, BuiltIn, name_of, strategy_of
from amazons_solver.strategies.playout import Playout, play_out

EXAMPLES = """\b
Examples:
  amazons-solver strategy greedy --pysolfc 24680
  amazons-solver strategy one-ace:3 --number 0 --rules morehead
  amazons-solver strategy random --number 0 --count 10000 --rules ultimate
"""


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help=f"{', '.join(STRATEGIES)}; greedy:2 takes 2 passes in a row without a play for a full cycle.",
            show_default=False,
        ),
    ],
    deals: DealOptions,
    *,
    count: Annotated[
        str | None, typer.Option("--count", metavar="N", help="Play N deals starting at --number and count the wins.")
    ] = None,
    rules: ChosenRules,
    answer: AnswerOptions,
) -> None:
    """Play deals as a player would who knows only what is on the table.

    greedy plays whatever can be played; one-ace holds every other ace back until the begun foundations are stuck for a
    full redeal cycle; random makes any legal move, the same ones every time.
    """
    strategy = strategy_of(name)
    source = deals.source()
    wanted = number_of(count, "--count", None)
    if wanted is not None:
        if not isinstance(source, DealName) or source.source != "numbered":
            raise OptionError("expected --number for --count, got deals without one")
        _count(strategy, source.number, wanted, rules.of(source), as_json=answer.as_json)
        return
    codes: list[int] = []
    for one in readable(deals_of(source, rules), codes, as_json=answer.as_json):
        game = play_out(strategy, one.deal, one.rules)
        if answer.as_json:
            console.write_json(_answer(one, strategy, game))
        else:
            if codes:
                console.write("")
            _show(f"{one.heading} by {described(one.rules)}, {name_of(strategy)}", one, game)
        codes.append(console.ANSWERED)
    raise typer.Exit(console.gravest(codes))


def _answer(asked: Asked, strategy: BuiltIn, game: Playout) -> dict[str, object]:
    """The game as JSON has it."""
    return {
        "deal": asked.label,
        "cards": str(asked.deal),
        "rules": asked.rules.to_dict(),
        "strategy": name_of(strategy),
        "won": game.won,
        "end": game.end,
        "line": format_line(game.line),
        "moves": len(game.line),
        "redeals": game.redeals,
        "idle_passes": game.idle_passes,
    }


def _show(heading: str, asked: Asked, game: Playout) -> None:
    """The game as a person reads it."""
    from amazons_solver.render.text import solution_text

    text = solution_text(
        heading,
        "won" if game.won else "lost",
        asked.deal.cards,
        game.line,
        why={
            "won": "every foundation is complete",
            "blocked": "a limit of the rules ended it",
            "gave up": "given up: passes without a play, and no hope of one",
        }[game.end],
        symbols=console.symbols(sys.stdout),
        width=console.width(),
    )
    console.show(text)


def _count(strategy: BuiltIn, first: int, count: int, rules: Rules, *, as_json: bool) -> None:
    """Play many numbered deals, and say how many were won."""
    from amazons_solver.surveys.statistics import wilson

    with console.working(f"{count:,} games", at_once=True):
        counts = play_numbered(strategy, first, count, rules)
    interval = wilson(counts.won, counts.lost)
    if as_json:
        answer = {
            "rules": rules.to_dict(),
            "strategy": name_of(strategy),
            "first": first,
            "deals": count,
            "won": counts.won,
            "lost": counts.lost,
            "interval": [interval.low, interval.high],
            "redeals": {str(redeals): deals for redeals, deals in counts.redeals.items()},
        }
        console.write_json(answer)
        return
    heading = f"deals {first} to {first + count - 1} by {described(rules)}, {name_of(strategy)}"
    console.write(f"{heading}: {counts.won:,} of {count:,} won, {console.plain(interval.pretty, sys.stdout)}")
