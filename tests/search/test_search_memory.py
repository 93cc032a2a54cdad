"""The search's estimate of its memory, which the limit bounds, against what Python allocates."""

import sys
import tracemalloc

import pytest

from amazons_solver import PRESETS, Deal, Limits, State
from amazons_solver.search.explore import Order, explore
from amazons_solver.search.result import StopReason
from amazons_solver.solving.game import Game, Identity

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", ["wikipedia", "pysolfc"])
@pytest.mark.parametrize("identity", ["exact", "canonical"])
@pytest.mark.parametrize("order", ["bfs", "dfs"])
def test_the_limit_on_memory_is_about_what_is_allocated(preset: str, identity: Identity, order: Order) -> None:
    rules = PRESETS[preset].rules
    game = Game(State.initial(Deal.numbered(0, rules), rules), identity)
    limit = 3_000_000  # past the point at which the index has just been doubled, where a state costs most
    tracemalloc.start()
    result = explore(game, order=order, stop_at_goal=False, limits=Limits(memory_bytes=limit))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.stop_reason is StopReason.MEMORY
    assert sys.getsizeof(game.key(game.start)) * result.stats.states < peak
    assert 0.6 * limit < peak < 1.1 * limit
