"""The kernel against the model and the known verdicts: the same verdict always, and lines that win."""

import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import REDEAL, Deal, Rules, State, Verdict, solve
from amazons_solver.errors import OptionError
from support.arbitrary import deals, rules, states
from support.choices import COMBINATIONS, LIMITS, name
from support.games import every_deal, model_wins, walk
from support.kernel_checks import check
from support.known import load_verdicts

pytestmark = pytest.mark.compiled

SMALLEST = [("C", "A7"), ("DS", "7"), ("CH", "A7"), ("S", "TJQ"), ("CDH", "K")]
FORCED = [
    dict(zip(("gather", "skip_complete", "build"), values, strict=True))
    for values in itertools.product(("left-over-right", "right-over-left"), (False, True), ("suit", "rank"))
]


def row_name(row: dict[str, Any]) -> str:
    changes = ",".join(f"{field}={value}" for field, value in row["set"].items())
    return f"{row['preset']}-{changes or 'as it is'}-{row['deal']}"


@pytest.mark.slow
@pytest.mark.parametrize("row", load_verdicts(), ids=row_name)
def test_known_verdicts(row: dict[str, Any]) -> None:
    rules = Rules.preset(row["preset"]).evolve(**row["set"])
    deal = Deal.parse(row["cards"], rules)
    if len(rules.deck) > 28:
        with pytest.raises(OptionError, match="at most 28 cards"):
            solve(deal, rules, engine="kernel")
        return
    solution = solve(deal, rules, engine="kernel")
    assert solution.verdict is Verdict(row["verdict"])
    assert (solution.line is not None) == (row["verdict"] == "winnable")
    if solution.line is not None:
        assert State.initial(deal, rules).play_line(solution.line).is_won
        assert solution.line.count(REDEAL) >= row.get("fewest_redeals", 0)
        assert len(solution.line) >= row.get("fewest_moves", 0)


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_every_deal_of_the_smallest_decks_under_every_combination(fields: dict[str, Any]) -> None:
    for limits in LIMITS:
        for suits, ranks in SMALLEST:
            chosen = Rules(suits=suits, ranks=ranks, **fields, **limits)
            for deal in every_deal(chosen):
                start = State.initial(deal, chosen)
                wins = model_wins(start)
                assert wins is not None
                check(start, wins)


LARGER = [("CD", "A78", 4), ("CDH", "A7", 4), ("CDHS", "A7", 2), ("CDH", "A78", 2), ("CD", "A23456", 1)]
LARGEST = [("CDHS", "A78", 1), ("CDHS", "A789", 1)]


@pytest.mark.slow
def test_some_deals_of_larger_small_decks_under_every_combination() -> None:
    source = random.Random(3)
    undecided = 0
    for fields in COMBINATIONS:
        for suits, ranks, count in LARGER + LARGEST:
            for _ in range(count):
                chosen = Rules(suits=suits, ranks=ranks, **fields, **source.choice(LIMITS))
                start = State.initial(Deal.numbered(source.getrandbits(64), chosen), chosen)
                wins = model_wins(start, 10_000)
                undecided += wins is None
                if wins is not None:
                    check(start, wins)
    assert undecided < 15  # of 2160


@pytest.mark.slow
@pytest.mark.parametrize("fields", FORCED, ids=name)
@pytest.mark.parametrize("top_anywhere", [False, True])
def test_full_decks_under_forced_rules(fields: dict[str, Any], top_anywhere: bool) -> None:
    verdicts = set()
    placements = ["leftmost", "any", "above", *(["suit"] if fields["build"] == "suit" else [])]
    for placement, limits in itertools.product(placements, LIMITS[:1] + LIMITS[3:]):
        chosen = Rules(withhold="nothing", top_anywhere=top_anywhere, base_placement=placement, **fields, **limits)
        for number in range(200, 204):
            start = State.initial(Deal.numbered(number, chosen), chosen)
            wins = model_wins(start)
            assert wins is not None
            check(start, wins)
            verdicts.add(wins)
    assert False in verdicts
    # Nearly every deal is lost when the first card comes back for ever.
    assert True in verdicts or (fields["gather"] == "right-over-left" and not fields["skip_complete"])


@pytest.mark.slow
def test_states_of_the_middle_of_a_game() -> None:
    source = random.Random(4)
    inside = verdicts = lost_for_good = 0
    for _ in range(12):
        for fields in COMBINATIONS:
            suits, ranks = source.choice([("C", "A789"), ("CD", "A78"), ("CDH", "A7"), ("CDHS", "7"), ("CDH", "A78")])
            redeals, passes = source.choice([(None, None), (3, None), (None, 2), (4, 3)])
            chosen = Rules(suits=suits, ranks=ranks, **fields, max_redeals=redeals, idle_passes=passes)
            start = State.initial(Deal.numbered(source.getrandbits(64), chosen), chosen)
            start = walk(start, source.randrange(1, 20), source)
            wins = model_wins(start)
            assert wins is not None
            check(start, wins)
            inside += any(start.depot_codes) and not start.is_won
            verdicts += wins
            lost_for_good += not wins and fields["withhold"] == "any" and redeals is None and passes is None
    assert inside > 800
    assert lost_for_good > 10
    assert 300 < verdicts < 1950  # of 2016


@pytest.mark.parametrize("withhold", ["nothing", "bases", "any"])
@pytest.mark.parametrize(("played", "wins"), [(0, False), (1, True)])
def test_a_pass_that_has_had_a_play_is_not_idle(withhold: str, played: int, wins: bool) -> None:
    """Each card comes to the other's depot, and after a redeal, legal only if this pass has had a play, to its own."""
    chosen = Rules(suits="CD", ranks="A7", withhold=withhold, idle_passes=1)  # type: ignore[arg-type]
    start = State.parse(f"7C 7D | - ; - | AD ; AC | idle=0 played={played}", chosen)
    assert model_wins(start) is wins
    check(start, wins)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300)
def test_any_rules_any_deal(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_ranks=4).filter(lambda found: len(found.deck) <= 9))
    start = State.initial(data.draw(deals(chosen)), chosen)
    wins = model_wins(start)
    assert wins is not None
    check(start, wins)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300)
def test_any_rules_any_state(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_ranks=5).filter(lambda found: len(found.deck) <= 10))
    start = data.draw(states(chosen))
    wins = model_wins(start)
    assert wins is not None
    check(start, wins)


@pytest.mark.heavy
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
@pytest.mark.parametrize(("suits", "ranks"), [("CD", "A78"), ("CDH", "A7"), ("C", "A2345")])
def test_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any], suits: str, ranks: str) -> None:
    for limits in LIMITS:
        chosen = Rules(suits=suits, ranks=ranks, **fields, **limits)
        for deal in every_deal(chosen):
            start = State.initial(deal, chosen)
            wins = model_wins(start)
            assert wins is not None
            check(start, wins)
