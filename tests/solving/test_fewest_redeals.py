"""`solve(fewest_redeals=True)`: a line of fewest redeals, or where a limit was hit, what is proven of it."""

from typing import Any

import pytest

from amazons_solver import REDEAL, Deal, Knowledge, Limits, Rules, State, StopReason, Verdict, annotate, hint, solve
from support.known import load_fewest

ROWS = [row for row in load_fewest() if row["preset"] == "wikipedia" and not row["set"]][:3]


@pytest.mark.compiled
@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["deal"]))
def test_known_numbers(row: dict[str, Any]) -> None:
    deal = Deal.parse(row["cards"])
    solution = solve(deal, fewest_redeals=True)
    assert (solution.verdict, solution.stop_reason) == (Verdict.WINNABLE, StopReason.GOAL)
    assert solution.redeals == solution.redeals_at_least == row["fewest_redeals"]
    assert solution.line is not None
    assert solution.start.play_line(solution.line).is_won
    plain = solve(deal)
    assert plain.redeals is not None
    assert plain.redeals > row["fewest_redeals"]
    assert plain.redeals_at_least is None


@pytest.mark.compiled
def test_a_limit_leaves_a_line_and_a_bound() -> None:
    deal = Deal.parse(ROWS[0]["cards"])
    solution = solve(deal, fewest_redeals=True, limits=Limits(states=30_000))
    assert (solution.verdict, solution.stop_reason, solution.stats.states) == (
        Verdict.WINNABLE,
        StopReason.STATES,
        30_000,
    )
    assert solution.redeals is not None
    assert solution.redeals_at_least is not None
    assert 0 < solution.redeals_at_least < ROWS[0]["fewest_redeals"] <= solution.redeals
    assert solution.line == solve(deal).line


def test_by_the_model_alone() -> None:
    """One depot: the ace comes to lie on the seven, so that both are played in the first pass."""
    rules = Rules(suits="C", ranks="A7", withhold="nothing")
    solution = solve(Deal.parse("7C AC", rules), rules, engine="model", fewest_redeals=True)
    assert (solution.redeals, solution.redeals_at_least) == (0, 0)
    tight = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
    lost = solve(Deal.parse("7C AC", tight), tight, fewest_redeals=True)
    assert (lost.verdict, lost.redeals_at_least) == (Verdict.WINNABLE, 0)


@pytest.mark.compiled
def test_what_the_library_knows_of_a_position_is_one_number() -> None:
    """A hint and an annotation tell the same, and hints followed to the end spend just that many."""
    least, start = ROWS[0]["fewest_redeals"], State.initial(Deal.parse(ROWS[0]["cards"]), Rules())
    knowledge = Knowledge()
    advice = hint(start, knowledge=knowledge)
    assert [(choice.redeals, choice.redeals_at_least) for choice in advice.moves] == [(least, least)]
    line = annotate(start, (), knowledge=knowledge).winning_line
    assert line is not None
    assert line.count(REDEAL) == least
    state, spent = start, 0
    while not state.is_won:
        best = hint(state, knowledge=knowledge).moves[0]
        assert best.redeals == least - spent
        spent += best.move is REDEAL
        state = state.play(best.move)
    assert spent == least
