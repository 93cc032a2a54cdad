"""The compiled search in the order of redeals: known values, the naive reference's, the model's, and what must hold."""

import random
from typing import Any

import pytest

from amazons_solver import REDEAL, Deal, Rules, State
from amazons_solver.errors import OptionError
from amazons_solver.kernel.boundaries.search import search_fewest
from amazons_solver.search.result import StopReason
from amazons_solver.solving.redeals import fewest_redeals
from support import reference
from support.choices import COMBINATIONS, LIMITS, name
from support.games import NONE, every_deal, walk
from support.known import load_fewest

pytestmark = pytest.mark.compiled

ENOUGH = 300
"""More redeals than a line of these games has."""


def fewest(start: State, below: int = ENOUGH, **options: Any) -> int | None:
    """The fewest redeals by the kernel, of which the line is checked; ``None`` if there is no line."""
    result, at_least = search_fewest(start, below, NONE, **options)
    if result.line is None:
        assert (result.stop_reason, at_least) == (StopReason.EXHAUSTED, below)
        return None
    assert result.stop_reason is StopReason.GOAL
    assert start.play_line(result.line).is_won
    assert result.line.count(REDEAL) == at_least
    return at_least


def row_name(row: dict[str, Any]) -> str:
    return f"{row['preset']}-{','.join(f'{field}={value}' for field, value in row['set'].items())}-{row['deal']}"


QUICK = [row for row in load_fewest() if row["set"] != {"withhold": "any"}]
LONG = [row for row in load_fewest() if row["set"] == {"withhold": "any"}]


@pytest.mark.parametrize("row", [*QUICK, *(pytest.param(row, marks=pytest.mark.heavy) for row in LONG)], ids=row_name)
def test_known_values_of_full_decks(row: dict[str, Any]) -> None:
    rules = Rules.preset(row["preset"]).evolve(**row["set"])
    start = State.initial(Deal.parse(row["cards"], rules), rules)
    least = row["fewest_redeals"]
    assert fewest(start) == least
    assert fewest(start, least + 1) == least
    assert fewest(start, least) is None


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_as_by_the_reference_on_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any]) -> None:
    source, found = random.Random(name(fields)), set()
    for limits in LIMITS:
        for suits, ranks in [("C", "A7"), ("DS", "7"), ("CH", "A7"), ("S", "TJQ")]:
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            plain: reference.Rules = rules.to_dict()  # type: ignore[assignment]
            for deal in every_deal(rules):
                start = State.initial(deal, rules)
                least = reference.fewest_redeals(reference.explore(plain, str(deal)))
                assert fewest(start, capacity=8) == least, start.text()
                assert fewest(start, lemmas=False, tables=0) == least
                found.add(least)
                later = walk(start, source.randrange(1, 9), source)
                assert fewest(later) == by_model(later), later.text()
    assert len(found) > 1


def by_model(start: State) -> int | None:
    found = fewest_redeals(start, ENOUGH, engine="model", limits=NONE)
    return None if found.line is None else found.at_least


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS[::5], ids=name)
def test_as_by_the_model_on_larger_decks_from_anywhere(fields: dict[str, Any]) -> None:
    source = random.Random(name(fields))
    for limits in LIMITS:
        rules = Rules(suits="CDH", ranks="A78", **fields, **limits)
        for _ in range(4):
            start = State.initial(Deal.numbered(source.getrandbits(64), rules), rules)
            later = walk(start, source.randrange(20), source)
            for state in (start, later):
                assert fewest(state, tables=source.choice([0, 4])) == by_model(state), state.text()


@pytest.mark.parametrize("withhold", ["nothing", "bases", "any"])
def test_the_number_of_a_state_is_the_least_over_its_moves(withhold: str) -> None:
    source = random.Random(withhold)
    rules = Rules(suits="CDH", ranks="A789", withhold=withhold)  # type: ignore[arg-type]
    for number in range(6):
        state = State.initial(Deal.numbered(number, rules), rules)
        for _ in range(12):
            numbers = [(fewest(child), move is REDEAL) for move, child in state.successors()]
            after = [least + redeal for least, redeal in numbers if least is not None]
            assert fewest(state) == (0 if state.is_won else min(after, default=None))
            state = walk(state, 1, source)


def test_looser_rules_never_need_more_and_a_limit_on_redeals_is_met_exactly() -> None:
    for number in range(40):
        counts = []
        for withhold in ("any", "bases", "nothing"):
            rules = Rules(suits="CDH", ranks="A789", withhold=withhold)  # type: ignore[arg-type]
            least = fewest(State.initial(Deal.numbered(number, rules), rules))
            counts.append(ENOUGH if least is None else least)
            if least is not None:
                for most in (least, least + 1):
                    limited = rules.evolve(max_redeals=most)
                    assert fewest(State.initial(Deal.numbered(number, rules), limited)) == least
            if least:
                tight = rules.evolve(max_redeals=least - 1)
                assert fewest(State.initial(Deal.numbered(number, rules), tight)) is None
        assert counts == sorted(counts)


def test_auto_hands_over_to_the_kernel_and_finds_the_same() -> None:
    start = State.initial(Deal.numbered(7), Rules())
    found = fewest_redeals(start, ENOUGH)
    assert (found.at_least, found.stop_reason, found.stats.unit) == (14, StopReason.GOAL, "boundary states")
    assert found.line is not None
    assert found.line == fewest_redeals(start, ENOUGH, engine="kernel").line


def test_rules_that_the_kernel_does_not_take_are_refused() -> None:
    rules = Rules(ranks="A23456789TJQK")
    with pytest.raises(OptionError, match="at most 28 cards"):
        fewest_redeals(State.initial(Deal.numbered(0, rules), rules), 9, engine="kernel")
    with pytest.raises(OptionError, match="expected engine to be one of auto, model, kernel; got 'fast'"):
        fewest_redeals(State.initial(Deal.numbered(0), Rules()), 9, engine="fast")  # type: ignore[arg-type]
