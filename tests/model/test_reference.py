"""The model against tests/support/reference.py, move by move, over whole spaces."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from amazons_solver import Deal, Rules, State
from amazons_solver.search.explore import explore
from amazons_solver.solving.game import Game
from support import reference
from support.choices import CHOICES, COMBINATIONS, LIMITS, name

pytestmark = pytest.mark.slow


def every_deal(rules: Rules) -> Iterator[Deal]:
    return (Deal(cards) for cards in itertools.permutations(rules.deck))


def compare(rules: Rules, deal: Deal) -> int:
    """Walk the whole space of a deal in both; every text, every list of moves and every status must be the same.

    Returns:
        the number of exact states.
    """
    plain: reference.Rules = rules.to_dict()  # type: ignore[assignment]
    start = State.initial(deal, rules), reference.initial(plain, str(deal))
    seen, stack = {start[1]}, [start]
    won = 0
    while stack:
        state, other = stack.pop()
        assert state.text() == reference.text(plain, other)
        assert state.is_won == reference.is_won(plain, other)
        won += state.is_won
        ours, theirs = state.successors(), reference.moves(plain, other)
        assert [str(move) for move, _ in ours] == [move for move, _ in theirs]
        assert state.is_blocked == (not theirs and not state.is_won)
        for (_, child), (_, successor) in zip(ours, theirs, strict=True):
            if successor not in seen:
                seen.add(successor)
                stack.append((child, successor))
            else:
                assert child.text() == reference.text(plain, successor)
    exact = explore(Game(start[0], "exact"), stop_at_goal=False).stats
    assert (exact.states, exact.goals) == (len(seen), won)
    return len(seen)


def compare_canonical(rules: Rules, deal: Deal) -> None:
    """Canonical states, moves, won states, the verdict and the fewest moves of both."""
    plain: reference.Rules = rules.to_dict()  # type: ignore[assignment]
    space = reference.explore(plain, str(deal), "canonical")
    result = explore(Game(State.initial(deal, rules), "canonical"), stop_at_goal=False)
    counts = (len(space.states), sum(map(len, space.edges.values())), len(space.won))
    assert (result.stats.states, result.stats.generated - 1, result.stats.goals) == counts
    fewest = reference.fewest_moves(space)
    assert (None if result.line is None else len(result.line)) == fewest
    assert (fewest is not None) == (space.root in reference.winnable(space))


@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_every_deal_of_the_smallest_decks_under_every_combination(fields: dict[str, Any]) -> None:
    for limits in LIMITS:
        for suits, ranks in (("C", "A7"), ("DS", "7"), ("CH", "A7"), ("S", "TJQ"), ("CDH", "K")):
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            for deal in every_deal(rules):
                compare(rules, deal)
                compare_canonical(rules, deal)


@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_some_deals_of_larger_small_decks_under_every_combination(fields: dict[str, Any]) -> None:
    source = random.Random(name(fields))
    for suits, ranks, limits in (("CD", "A78", LIMITS[0]), ("CDH", "A7", LIMITS[0]), ("HS", "A23", LIMITS[3])):
        rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
        deal = Deal.numbered(source.getrandbits(32), rules)
        compare(rules, deal)
        compare_canonical(rules, deal)


@pytest.mark.parametrize("top_anywhere", [False, True])
@pytest.mark.parametrize("skip_complete", [False, True])
@pytest.mark.parametrize("gather", CHOICES["gather"])
@pytest.mark.parametrize("build", CHOICES["build"])
def test_full_decks_under_forced_rules(top_anywhere: bool, skip_complete: bool, gather: str, build: str) -> None:
    rules = Rules(
        withhold="nothing", top_anywhere=top_anywhere, skip_complete=skip_complete, gather=gather, build=build
    )  # type: ignore[arg-type]
    for number in range(100, 103):
        assert compare(rules, Deal.numbered(number, rules)) > 10
        compare_canonical(rules, Deal.numbered(number, rules))


@pytest.mark.heavy
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
@pytest.mark.parametrize(("suits", "ranks"), [("CD", "A78"), ("CDH", "A7"), ("C", "A2345")])
def test_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any], suits: str, ranks: str) -> None:
    for limits in LIMITS:
        rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
        for deal in every_deal(rules):
            compare(rules, deal)
            compare_canonical(rules, deal)
