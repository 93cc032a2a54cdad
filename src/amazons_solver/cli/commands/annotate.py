"""``annotate``: which move threw it away?"""

import functools
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.games import GameOptions, Played, shown_there
from amazons_solver.cli.options import AnswerOptions, GameRules, LimitOptions
from amazons_solver.model.moves import REDEAL, format_line
from amazons_solver.model.rules import described
from amazons_solver.model.state import State
from amazons_solver.solving.solve import Verdict

if TYPE_CHECKING:
    from amazons_solver.hints.annotation import Annotation

EXAMPLES = """\b
Examples:
  amazons-solver annotate "8C 7C AC" "d d d" --set suits=C --set ranks=A78
  amazons-solver annotate --pysolfc 24680 "d d AS>1 d"
  amazons-solver annotate --file game.txt --json
"""


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DEAL LINE",
            help="The cards, first dealt first, or a name, and then the moves, such as 'd d AC>1 r'; the moves alone "
            "after a deal by number.",
            show_default=False,
        ),
    ] = None,
    *,
    asked: GameOptions,
    rules: GameRules,
    limit: LimitOptions,
    answer: AnswerOptions,
) -> None:
    """Replay a game and mark its moves: which one threw the win away, and how could it still have been won?

    The game need not be finished. Limits apply to each state decided; where one is hit, moves are unknown.
    """
    from amazons_solver.hints.annotation import annotate
    from amazons_solver.hints.knowledge import Knowledge

    game = asked.game(words, rules)
    limits = limit.value()
    record = game.record
    search = functools.partial(annotate, record.deal, record.line, record.rules, knowledge=Knowledge())
    found, interrupted = console.until_interrupted(search, game.heading, limits)
    if answer.as_json:
        console.write_json(_answer(game, found))
    else:
        _show(game, found)
    if interrupted:
        raise KeyboardInterrupt
    raise typer.Exit(console.UNDECIDED if Verdict.UNDECIDED in found.verdicts else console.ANSWERED)


def _answer(game: Played, found: "Annotation") -> dict[str, object]:
    """The answer as JSON has it; outside scripts rely on the keys and their order."""
    return {
        "deal": game.label,
        "cards": None if isinstance(game.record.deal, State) else str(game.record.deal),
        "rules": game.record.rules.to_dict(),
        "won": found.end.is_won,
        "verdict": found.verdicts[-1].value,
        "moves": [
            {"move": str(move), "mark": mark.name.lower()} for move, mark in zip(found.line, found.marks, strict=True)
        ],
        "fatal": found.fatal,
        "last_winnable": found.last_winnable,
        "winning_line": None if found.winning_line is None else format_line(found.winning_line),
        "lost": found.lost and found.lost.to_dict(),
        **({"state": found.start.text()} if isinstance(game.record.deal, State) else {}),
    }


def _show(game: Played, found: "Annotation") -> None:
    """The answer as a person reads it."""
    from amazons_solver.render.text import facts_text, line_rows, move_text

    symbols, width = console.symbols(sys.stdout), console.width()
    facts = found.facts(lambda move: move_text(move, symbols=symbols).plain)
    if found.winning_line:
        last = found.last_winnable or 0
        shown = shown_there(game.record, last)
        known = "was there" if found.lost else "is there"
        facts.append((f"the win that {known}", f"{len(found.winning_line)} moves after move {last}{shown}:"))
    text = facts_text(f"{game.heading} by {described(game.record.rules)}", _summary(game, found), facts, width=width)
    if found.winning_line:
        begun = 1 + found.line[: found.last_winnable].count(REDEAL)
        text.append("\n").append_text(line_rows(found.winning_line, symbols=symbols, width=width, first=begun))
    console.show(text)


def _summary(game: Played, found: "Annotation") -> str:
    """What became of the game, the fatal move by its number in the program that saved the game, too."""
    if found.fatal is None:
        return found.summary
    return f"move {found.fatal}{shown_there(game.record, found.fatal)} threw the win away"
