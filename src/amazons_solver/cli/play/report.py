"""What `play` says of a position: its moves under their keys, and what is known of the chance of winning."""

import textwrap

import attrs
from rich.text import Text

from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.hints.annotation import Annotation
from amazons_solver.hints.hint import Hint, MoveHint
from amazons_solver.hints.lost import why_lost
from amazons_solver.model.moves import DEAL, REDEAL, Move, Play
from amazons_solver.model.state import State
from amazons_solver.render.text import card_text, move_text
from amazons_solver.solving.solve import Verdict

__all__ = ["Insight", "keys_text", "moves_text", "plays_from", "verdict_text", "why_not"]


_KEYS = """\
1-4 play from a depot, d deal, r redeal, space either, u undo, y redo, t talon,
? mark winning moves, b back to the win, s save, o open, n new, h help, q quit"""


def keys_text(width: int) -> str:
    """The keys in lines of a width; none is parted from what it does.

    >>> print(keys_text(30))
    1-4 play from a depot  d deal
    r redeal  space either  u undo
    y redo  t talon
    ? mark winning moves
    b back to the win  s save
    o open  n new  h help  q quit
    """
    glue = "\0"
    keys = [key.strip().replace(" ", glue) for key in _KEYS.split(",")]
    lines = textwrap.wrap("  ".join(keys), max(width, 1), break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(glue, " ")


@attrs.frozen
class Insight:
    """What is known of the game as it stands."""

    line: tuple[Move, ...]
    verdict: Verdict
    played: Annotation | None = None
    """If the game is lost: which move threw it away."""
    advice: Hint | None = None
    """If moves are to be marked: what they do."""


def _in_short(choice: MoveHint, before: Verdict) -> str:
    """What a move does, in the words that there is room for."""
    if choice.verdict is Verdict.UNDECIDED:
        return "unknown"
    if choice.redeals is None:
        return "throws it away" if before is Verdict.WINNABLE else "cannot win"
    bound = "" if choice.redeals == choice.redeals_at_least else "at most "
    return f"wins in {bound}{choice.redeals} redeal{'' if choice.redeals == 1 else 's'}"


def moves_text(state: State, advice: Hint | None, *, wanted: bool, symbols: bool) -> Text:
    """The legal moves under their keys, and what they do if that is wanted."""
    choices = {choice.move: choice for choice in advice.moves} if advice is not None else {}
    rows = []
    for move in state.legal_moves():
        name = _name_of(move, symbols=symbols)
        row = Text(f"{_keys_of(move, state):<4} ").append_text(name).append(" " * (9 - len(name)))
        if advice is not None and move in choices:
            star = "* " if choices[move].verdict is Verdict.WINNABLE else "  "
            row.append(star, style="bold").append(_in_short(choices[move], advice.verdict))
        elif wanted:
            row.append("  ...", style="dim")
        rows.append(row)
    return Text("\n").join(rows)


def _name_of(move: Move, *, symbols: bool) -> Text:
    if isinstance(move, Play):
        return card_text(move.card, symbols=symbols).append(f" to {move.foundation}", style="")
    return Text(move.kind)


def _keys_of(move: Move, state: State) -> str:
    """The keys that make a move."""
    if not isinstance(move, Play):
        return str(move)
    depot = _depot_of(move, state)
    return str(depot) if len(plays_from(state, depot)) == 1 else f"{depot} {move.foundation}"


def plays_from(state: State, depot: int) -> list[Play]:
    """The plays of a depot's top card; depots count from 1."""
    return [move for move in state.legal_moves() if isinstance(move, Play) and _depot_of(move, state) == depot]


def _depot_of(play: Play, state: State) -> int:
    tops = [pile[-1] if pile else None for pile in state.depots]
    return tops.index(play.card) + 1


def why_not(state: State, move: Move) -> str:
    """Why one cannot deal, or redeal."""
    if state.is_won:
        return "The game is won."
    if move == DEAL and not state.talon:
        return "d: the talon is empty. r redeals."
    if move == REDEAL and state.talon:
        return "r: there are cards in the talon. d deals them."
    return "A card must be played first." if state.legal_moves() else "No move is legal: the game is blocked."


def verdict_text(game: PlayedGame, insight: Insight | None, *, symbols: bool) -> Text:
    """What is known of the chance of winning."""
    if game.state.is_won:
        return Text(f"Won: {game.position} moves, redeals: {game.redeals}. n: another deal.", style="bold green")
    if insight is None:
        return Text("Can it be won? ...", style="dim")
    if insight.verdict is Verdict.WINNABLE:
        blame = " No move has thrown it away." if game.position else ""
        return Text(f"The game can be won.{blame}", style="green")
    if insight.verdict is Verdict.UNDECIDED:
        return Text("Unknown whether the game can be won: the search gave up.", style="yellow")
    text = Text(f"Lost: {why_lost(game.state)}.", style="bold red")
    if insight.played is not None:
        text.append(f"\n{_whodunit(insight.played, symbols=symbols)}")
    return text


def _whodunit(played: Annotation, *, symbols: bool) -> str:
    if played.fatal is not None:
        move = move_text(played.line[played.fatal - 1], symbols=symbols).plain
        return f"Move {played.fatal} ({move}) threw the win away. b: back to before it."
    if played.last_winnable is not None:
        return f"It was last known to be winnable after move {played.last_winnable}. b: back to there."
    if played.verdicts[0] is Verdict.UNWINNABLE:
        return "The deal cannot be won by these rules. n: another deal."
    return "It is not known which move threw the win away."
