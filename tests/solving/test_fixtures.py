"""Every known verdict and count of tests/fixtures."""

from typing import Any

import pytest

from amazons_solver import REDEAL, Deal, Rules, State, Verdict, solve
from amazons_solver.search.explore import explore
from amazons_solver.search.limits import Limits
from amazons_solver.solving.game import Game, Identity
from support.known import load_fewest, load_verdicts

pytestmark = pytest.mark.slow

ROWS = load_verdicts()


def name(row: dict[str, Any]) -> str:
    changes = ",".join(f"{field}={value}" for field, value in row["set"].items())
    return f"{row['preset']}-{changes or 'as it is'}-{row['deal']}"


def rules_of(row: dict[str, Any]) -> Rules:
    return Rules.preset(row["preset"]).evolve(**row["set"])


@pytest.mark.compiled
@pytest.mark.parametrize("row", ROWS, ids=map(name, ROWS))
def test_verdict(row: dict[str, Any]) -> None:
    rules = rules_of(row)
    deal = Deal.numbered(row["deal"], rules)
    assert deal == Deal.parse(row["cards"], rules)
    solution = solve(deal, rules)
    assert solution.verdict is Verdict(row["verdict"])
    if solution.verdict is Verdict.WINNABLE:
        assert solution.line is not None
        assert State.initial(deal, rules).play_line(solution.line).is_won
        assert solution.redeals == solution.line.count(REDEAL) >= row.get("fewest_redeals", 0)


COUNTED = [row for row in ROWS if "states" in row]


@pytest.mark.parametrize("row", COUNTED, ids=map(name, COUNTED))
def test_counts(row: dict[str, Any]) -> None:
    rules = rules_of(row)
    start = State.initial(Deal.numbered(row["deal"], rules), rules)
    identities: tuple[tuple[Identity, str], ...] = (("exact", ""), ("canonical", "canonical_"))
    for identity, prefix in identities:
        result = explore(Game(start, identity), stop_at_goal=False, limits=Limits())
        stats = result.stats
        assert (stats.states, stats.generated - 1, stats.goals) == (
            row[f"{prefix}states"],
            row[f"{prefix}edges"],
            row[f"{prefix}won_states"],
        )
        # Breadth first, so the first goal is reached by fewest moves.
        if "fewest_moves" in row or row["verdict"] == "unwinnable":
            assert (None if result.line is None else len(result.line)) == row.get("fewest_moves")
    if "fewest_redeals" in row:
        assert fewest_redeals(start) == row["fewest_redeals"]


FEWEST = [
    # Without skipping, what may be held back makes a search of millions of boundaries.
    pytest.param(row, id=name(row), marks=[pytest.mark.heavy] if row["set"] == {"withhold": "any"} else [])
    for row in load_fewest()
]


@pytest.mark.compiled
@pytest.mark.parametrize("row", FEWEST)
def test_fewest_redeals(row: dict[str, Any]) -> None:
    rules, fewest = rules_of(row), row["fewest_redeals"]
    deal = Deal.numbered(row["deal"], rules)
    assert deal == Deal.parse(row["cards"], rules)
    enough = solve(deal, rules.evolve(max_redeals=fewest), engine="kernel")
    assert enough.verdict is Verdict(row["verdict"]) is Verdict.WINNABLE
    assert enough.redeals == fewest
    assert solve(deal, rules.evolve(max_redeals=fewest - 1), engine="kernel").verdict is Verdict.UNWINNABLE


def fewest_redeals(start: State) -> int | None:
    """Fewest redeals to a won state: everything that can be reached without a further redeal, then one more."""
    boundaries, redeals, seen = [start], 0, {start.key()}
    while boundaries:
        stack, boundaries = boundaries, []
        while stack:
            state = stack.pop()
            if state.is_won:
                return redeals
            for move, child in state.successors():
                if child.key() not in seen:
                    seen.add(child.key())
                    (boundaries if move == REDEAL else stack).append(child)
        redeals += 1
    return None
