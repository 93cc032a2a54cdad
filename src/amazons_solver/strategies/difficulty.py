"""How hard a winnable deal is: how often players lose it, and how often the way to a win can be missed.

Two shares are measured. *Players*: the share of games that greedy, one ace at a time and random legal play lose, the
mean of the three, the last over a hundred games. *Choices*: of the states with more than one legal move on the winning
line that the solver finds, the share that is fatal, where some move leads to where the game can no longer be won. The
difficulty is the mean of both in per cent, from 0 to 100.
"""

import math
from typing import Final, Literal, get_args

import attrs

from amazons_solver.errors import OptionError, UndecidedError
from amazons_solver.kernel import fits
from amazons_solver.model.arguments import checked
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import Solution, Verdict, solve_state
from amazons_solver.strategies.many import win_share
from amazons_solver.strategies.players import BuiltIn, Greedy, OneAce, RandomLegal

__all__ = ["BOUNDS", "GAMES", "Difficulty", "Level", "check_level", "difficulty", "lost_share"]

GAMES: Final = 100
"""The random games of a deal."""

Level = Literal["easy", "medium", "hard"]

BOUNDS: Final[dict[Level, tuple[float, float]]] = {"easy": (0, 40), "medium": (40, 70), "hard": (70, math.inf)}
"""From which difficulty on, and below which, a deal is called so."""


@attrs.frozen
class Difficulty:
    """How hard a winnable deal is."""

    lost: float
    """The share of games that the players lose."""
    choices: int
    """States on the winning line with more than one legal move."""
    fatal: int
    """Those where some move throws the win away."""
    solution: Solution
    """The deal and the line."""

    @property
    def number(self) -> float:
        """The difficulty, from 0 to 100."""
        return 50 * self.lost + 50 * (self.fatal / self.choices if self.choices else 0)

    @property
    def level(self) -> Level:
        """The difficulty in a word."""
        return next(level for level, (least, below) in BOUNDS.items() if least <= self.number < below)


def check_level(level: str | None) -> None:
    """Raise OptionError if there is no such level."""
    if level is not None and level not in get_args(Level):
        raise OptionError(f"expected a difficulty ({', '.join(get_args(Level))}), got {level!r}")


@checked
def lost_share(deal: Deal, rules: Rules) -> float:
    """The share of games of a deal that the players lose."""
    players: list[tuple[BuiltIn, int]] = [(Greedy(), 1), (OneAce(), 1), (RandomLegal(), GAMES)]
    return 1 - sum(win_share(player, deal, rules, games) for player, games in players) / len(players)


@checked
def difficulty(
    deal: Deal, rules: Rules | None = None, *, level: Level | None = None, limits: Limits | None = None
) -> Difficulty | None:
    """Measure how hard a deal is.

    Args:
        deal: the deal.
        rules: the rules; the default rules when absent.
        level: if only deals of this level are of interest, others may be left unmeasured, which is faster.
        limits: when to give up each of the searches; the default limits when absent.

    Returns:
        the difficulty; ``None`` if the deal cannot be won, or is not of the level.

    Raises:
        OptionError: there is no such level.
        NotationError: the deal is not of the rules' deck.
        UndecidedError: a limit was hit.

    >>> found = difficulty(Deal.numbered(0), Rules.preset("pysolfc"))
    >>> found.level, found.fatal
    ('easy', 0)
    """
    check_level(level)
    least, below = BOUNDS[level] if level else (0, math.inf)
    rules = rules or Rules()
    start = State.initial(deal, rules)
    lost = lost_share(deal, rules)
    if not (least <= 50 * lost + 50 and 50 * lost < below):
        return None
    solution = _decide(start, limits)
    if solution.line is None:
        return None
    choices, fatal = _count_choices(solution, limits)
    found = Difficulty(lost, choices, fatal, solution)
    return found if least <= found.number < below else None


def _count_choices(solution: Solution, limits: Limits | None) -> tuple[int, int]:
    """The choices on the line, and those of them that are fatal."""
    wins: dict[bytes, bool] = {}
    choices = fatal = 0
    state = solution.start
    for move in solution.line or ():
        successors = dict(state.successors())
        choices += len(successors) > 1
        fatal += not all(_wins(other, wins, limits) for taken, other in successors.items() if taken != move)
        state = successors[move]
    return choices, fatal


def _wins(state: State, known: dict[bytes, bool], limits: Limits | None) -> bool:
    key = state.key()
    if key not in known:
        known[key] = _decide(state, limits).verdict is Verdict.WINNABLE
    return known[key]


def _decide(state: State, limits: Limits | None) -> Solution:
    # The kernel at once, not after the model: then the line, and so the measure, is always the kernel's.
    solution = solve_state(state, engine="kernel" if fits.decides(state.rules) else "auto", limits=limits)
    if solution.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if solution.verdict is Verdict.UNDECIDED:
        raise UndecidedError(f"expected a verdict, got undecided: stopped by {solution.stop_reason.value}")
    return solution
