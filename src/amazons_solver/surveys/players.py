"""Strategies in the place of the solver: what they make of numbered deals, in the form of the solver's verdicts."""

import numpy as np

from amazons_solver.kernel.batch import UNWINNABLE, WINNABLE, Verdicts
from amazons_solver.model.rules import Rules
from amazons_solver.strategies.many import play_games
from amazons_solver.strategies.players import strategy_of

__all__ = ["UNIT", "play_deals"]

UNIT = "moves"
"""What is counted in the place of states."""


def play_deals(player: str, first: int, count: int, rules: Rules) -> Verdicts:
    """Play out the numbered deals from `first` on, `count` of them, by the strategy of this name.

    A deal that is lost has the value of an unwinnable one, whether or not it is; the moves of the game are in the place
    of the states. No deal is undecided.

    Raises:
        OptionError: there is no such strategy, or the numbers run beyond 2⁶⁴ - 1.
    """
    games = play_games(strategy_of(player), first, count, rules)
    return Verdicts(
        np.where(games.won, WINNABLE, UNWINNABLE).astype(np.int8),
        games.moves.astype(np.int64),
        np.where(games.won, games.redeals, -1).astype(np.int32),
    )
