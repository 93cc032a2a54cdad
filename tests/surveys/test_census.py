"""Exact odds of small decks against every deal decided by the naive reference, and samples of them against both."""

import itertools
import math
import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from amazons_solver import PRESETS, Deal, Limits, Move, OptionError, Rules, State, UndecidedError
from amazons_solver.kernel.batch import WINNABLE, decide_numbered
from amazons_solver.model.cards import cards_of
from amazons_solver.surveys import census as census_module
from amazons_solver.surveys.census import census, classes_of
from amazons_solver.surveys.statistics import wilson
from support.choices import COMBINATIONS, LIMITS
from support.proofs import truth

pytestmark = pytest.mark.compiled

PAGE = Path(__file__).parents[2] / "docs" / "small-decks.md"
ROW = re.compile(r"^\| (\d) × (\d+) \| ([\d,]+) \| (.+) \|$", re.MULTILINE)


def every_deal(rules: Rules) -> Fraction:
    """The share of winnable deals, each of them decided by the reference."""
    deals = [str(Deal(cards)) for cards in itertools.permutations(rules.deck)]
    won = sum(truth(rules.to_dict(), deal) == "winnable" for deal in deals)  # type: ignore[arg-type]
    return Fraction(won, len(deals))


@pytest.mark.slow
def test_every_deal_under_every_combination() -> None:
    source, found = random.Random(5), set()
    for fields in COMBINATIONS:
        suits, ranks = source.choice([("C", "A"), ("D", "A7Q"), ("CD", "A7"), ("CHS", "7"), ("CD", "78")])
        rules = Rules(suits=suits, ranks=ranks, **fields, **source.choice(LIMITS))
        share = census(rules)
        assert share == every_deal(rules)
        found.add(share)
    assert len(found) > 3


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["ultimate", "patiencen", "pysolfc", "pysolfc-2.16"])
@pytest.mark.parametrize(("suits", "ranks"), [("CD", "A78"), ("CHS", "A7")])
def test_every_deal_of_six_cards(preset: str, suits: str, ranks: str) -> None:
    rules = Rules.preset(preset).evolve(suits=suits, ranks=ranks, withhold="nothing")
    assert census(rules) == every_deal(rules)


def test_ctrl_c_while_the_model_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, successors, calls = Rules(suits="CD", ranks="A78", max_redeals=40_000), State.successors, itertools.count()

    def interrupted(state: State) -> list[tuple[Move, State]]:
        if next(calls) == 100:
            raise KeyboardInterrupt
        return successors(state)

    monkeypatch.setattr(State, "successors", interrupted)
    with pytest.raises(KeyboardInterrupt):
        census(rules)
    assert next(calls) == 101  # and at once


@pytest.mark.parametrize("build", ["suit", "rank"])
@pytest.mark.parametrize(("suits", "ranks"), [("C", "A789"), ("CD", "A78"), ("CDH", "A7"), ("CDHS", "A")])
def test_one_deal_of_each_class(build: str, suits: str, ranks: str) -> None:
    """Renamed in every way, the deals that are decided are all deals, each of them once."""
    rules = Rules(suits=suits, ranks=ranks, build=build)  # type: ignore[arg-type]
    deals = [cards_of(row.tobytes()) for rows in census_module._representatives(rules) for row in rows]
    assert len(deals) == classes_of(rules)
    orders = list(itertools.permutations(suits))
    renamed = set()
    by_rank = [dict(zip(suits, order, strict=True)) for order in orders]
    for names in itertools.product(by_rank, repeat=len(ranks) if build == "rank" else 1):
        for deal in deals:
            renamed.add(
                tuple(
                    card.rank.value + names[ranks.index(card.rank.value) % len(names)][card.suit.value] for card in deal
                )
            )
    assert len(renamed) == math.factorial(len(rules.deck))


def test_every_deal_is_decided_where_suits_are_told_apart() -> None:
    rules = Rules(suits="DHS", ranks="A7", base_placement="suit", gather="right-over-left", withhold="nothing")
    rows = np.concatenate(list(census_module._representatives(rules)))
    assert {cards_of(row.tobytes()) for row in rows} == set(itertools.permutations(rules.deck))
    assert len(rows) == classes_of(rules) == math.factorial(6)
    # Of the deals whose bases come in the deck's order another share is won: classes of renamed deals would be wrong.
    bases = [card for card in rules.deck if card.rank.value == "A"]
    in_order = [deal for deal in itertools.permutations(rules.deck) if sorted(bases, key=deal.index) == bases]
    won = sum(truth(rules.to_dict(), str(Deal(deal))) == "winnable" for deal in in_order)  # type: ignore[arg-type]
    assert Fraction(won, len(in_order)) != census(rules) == every_deal(rules)


def test_undecided_and_too_large() -> None:
    with pytest.raises(UndecidedError, match="expected a verdict on every deal, got undecided: "):
        census(Rules(suits="CD", ranks="A78"), limits=Limits(states=1))
    # 28! / 4! = 304,888,344,611,713,860,501,504,000,000 / 24
    with pytest.raises(OptionError, match="1,000,000,000 deals to decide, got 12,703,681,025,488,077,520,896,000,000"):
        census(Rules())


def test_the_model_decides_what_the_kernel_cannot() -> None:
    rules = Rules.preset("ultimate").evolve(suits="CD", ranks="A7")
    assert census(rules.evolve(idle_passes=300)) == census(rules)


def rows() -> dict[tuple[int, int], list[Fraction]]:
    return {
        (int(suits), int(ranks)): [Fraction(cell.split(" = ")[0].replace(",", "")) for cell in cells.split(" | ")]
        for suits, ranks, _, cells in ROW.findall(PAGE.read_text(encoding="utf-8"))
    }


@pytest.mark.slow
def test_the_published_table() -> None:
    published = rows()
    small = [(suits, ranks) for suits in range(1, 5) for ranks in range(1, 14) if suits * ranks <= 10]
    assert set(small) <= set(published)
    for suits, ranks in small:
        if suits * ranks <= 8:
            shares = [
                census(preset.rules.evolve(suits="CDHS"[:suits], ranks="A23456789TJQK"[:ranks]))
                for preset in PRESETS.values()
            ]
            assert shares == published[suits, ranks]
    # Percentages are those of the fractions before them.
    for exact, percent in re.findall(r"([\d,]+/[\d,]+) = ([\d.]+) %", PAGE.read_text(encoding="utf-8")):
        assert abs(100 * Fraction(exact.replace(",", "")) - Fraction(percent)) <= Fraction(1, 2000)


# The statistics of samples, held against what is known exactly.


def coverage(share: Fraction, deals: int, confidence: float) -> float:
    """How often the interval of a sample of so many deals holds the share: the sum over all numbers won."""
    p = float(share)
    return sum(
        math.comb(deals, won) * p**won * (1 - p) ** (deals - won)
        for won in range(deals + 1)
        if (found := wilson(won, deals - won, 0, confidence)).low <= share <= found.high
    )


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "ranks", "preset"), [("CD", "A234", "ultimate"), ("CDHS", "A2", "patiencen")])
@pytest.mark.parametrize("deals", [10, 40, 200])
def test_intervals_hold_the_truth_as_often_as_they_say(suits: str, ranks: str, preset: str, deals: int) -> None:
    """Samples of numbered deals, as surveys take them: their intervals cover the exact share at the nominal rate."""
    rules = Rules.preset(preset).evolve(suits=suits, ranks=ranks)
    share, samples = census(rules), 40_000 // deals
    verdicts = decide_numbered(10**6, samples * deals, rules, tables=0).verdict == WINNABLE
    won = np.sort(verdicts.reshape(samples, deals).sum(axis=1))
    for confidence in (0.5, 0.9, 0.95, 0.99):
        hits = 0
        for count in won.tolist():
            found = wilson(count, deals - count, 0, confidence)
            hits += found.low <= share <= found.high
        expected = coverage(share, deals, confidence)
        assert abs(expected - confidence) < 0.15 / math.sqrt(deals) + 0.05  # Wilson's is near to what it says
        spread = math.sqrt(samples * expected * (1 - expected))
        assert abs(hits - samples * expected) <= 4 * spread + 1  # four standard deviations: once in 16,000
    total = int(won.sum())
    found = wilson(total, samples * deals - total, 0, 0.9999)
    assert found.low <= share <= found.high
