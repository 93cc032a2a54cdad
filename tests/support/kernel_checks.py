"""What tests of the kernel share."""

import functools

from amazons_solver import Rules, State
from amazons_solver.kernel.boundaries.search import search_state
from amazons_solver.kernel.boundaries.table_store import build_table, plan_of
from amazons_solver.kernel.config import Config, config_of
from amazons_solver.search.result import StopReason
from support.games import NONE


def check(start: State, wins: bool) -> None:
    """The kernel gives this verdict with lemmas and without, and its lines win."""
    for lemmas in (True, False):
        result = search_state(start, NONE, lemmas=lemmas, tables=0, capacity=8)
        assert result.stop_reason is (StopReason.GOAL if wins else StopReason.EXHAUSTED), (start.rules, start.text())
        assert (result.line is not None) == wins
        if result.line is not None:
            assert start.play_line(result.line).is_won


@functools.cache
def config_with_table(rules: Rules, cards: int) -> Config:
    """The rules with a whole table, from no file."""
    config = config_of(rules)
    plan = plan_of(config, cards)
    return config._replace(table=build_table(config, plan), table_cards=plan.cards)
