"""Deals and games that several tests share, and the model's verdict on them."""

import itertools
import random
from collections.abc import Iterator

from amazons_solver import Deal, Limits, Rules, State
from amazons_solver.search.explore import explore
from amazons_solver.search.result import StopReason
from amazons_solver.solving.game import Game

NONE = Limits(memory_bytes=None)

HARD = Rules.preset("patiencen").evolve(idle_passes=None, skip_complete=False, withhold="bases")
"""Rules whose deal 10, without lemmas and tables, takes the kernel more than four million boundaries."""


def every_deal(rules: Rules) -> Iterator[Deal]:
    return (Deal(cards) for cards in itertools.permutations(rules.deck))


def walk(start: State, moves: int, source: random.Random) -> State:
    """The state after so many random moves, or where the game ends."""
    for _ in range(moves):
        legal = start.legal_moves()
        if not legal:
            break
        start = start.play(source.choice(legal))
    return start


def model_wins(start: State, most_states: int | None = None) -> bool | None:
    """The model's verdict on a state; ``None`` if the limit was hit."""
    result = explore(Game(start), order="dfs", limits=Limits(states=most_states))
    return None if result.stop_reason is StopReason.STATES else result.line is not None
