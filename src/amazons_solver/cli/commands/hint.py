"""``hint``: which moves keep the win, which is best, and why a lost position is lost."""

import functools
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.games import GameOptions, after
from amazons_solver.cli.options import AnswerOptions, GameRules, LimitOptions, StateText
from amazons_solver.model.moves import format_line
from amazons_solver.model.rules import described
from amazons_solver.solving.solve import Verdict

if TYPE_CHECKING:
    from amazons_solver.hints.hint import Hint

EXAMPLES = """\b
Examples:
  amazons-solver hint "- | 8C 7C AC | -" --set suits=C --set ranks=A78
  amazons-solver hint --pysolfc 24680 "d d"
  amazons-solver hint --file game.txt
"""


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STATE|LINE",
            help="A state in notation, 'talon | depots | foundations'; a deal's name and the moves after it; or the "
            "moves after --state or a deal by number.",
            show_default=False,
        ),
    ] = None,
    *,
    asked: GameOptions,
    state: StateText = None,
    rules: GameRules,
    limit: LimitOptions,
    answer: AnswerOptions,
) -> None:
    """Say of every legal move whether it keeps the win, the best move first.

    The best has the fewest redeals left; where the minimum is not known, a bound is given. Limits apply to each move,
    which is unknown when one is hit; so are moves that Ctrl-C leaves. If the position is lost, it says why.
    """
    from amazons_solver.hints.hint import hint
    from amazons_solver.hints.knowledge import Knowledge

    record = asked.game(words, rules, state).record
    heading, position = after(record), record.start.play_line(record.line)
    limits = limit.value()
    search = functools.partial(hint, position, knowledge=Knowledge())
    advice, interrupted = console.until_interrupted(search, heading, limits)
    if answer.as_json:
        console.write_json(_answer(advice))
    else:
        _show(f"{heading} by {described(position.rules)}", advice)
    if interrupted:
        raise KeyboardInterrupt
    undecided = any(choice.verdict is Verdict.UNDECIDED for choice in advice.moves)
    raise typer.Exit(console.UNDECIDED if undecided else console.ANSWERED)


def _answer(advice: "Hint") -> dict[str, object]:
    """The answer as JSON has it; outside scripts rely on the keys and their order."""
    return {
        "state": advice.state.text(),
        "rules": advice.state.rules.to_dict(),
        "verdict": advice.verdict.value,
        "best": None if advice.best is None else str(advice.best),
        "moves": [
            {
                "move": str(choice.move),
                "kind": choice.move.kind,
                "keeps_win": choice.verdict.keeps_win,
                "redeals": choice.redeals,
                "redeals_at_least": choice.redeals_at_least,
                "line": None if choice.line is None else format_line(choice.line),
            }
            for choice in advice.moves
        ],
        "lost": advice.lost and advice.lost.to_dict(),
    }


def _show(heading: str, advice: "Hint") -> None:
    """The answer as a person reads it."""
    from amazons_solver.render.text import facts_text, move_text

    symbols = console.symbols(sys.stdout)
    facts = [("state", advice.state.text()), *advice.facts(lambda move: move_text(move, symbols=symbols).plain)]
    console.show(facts_text(heading, advice.verdict.value, facts, width=console.width()))
