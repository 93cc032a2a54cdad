"""Passes without a play permute the talon: the tables of that against the model, and against a naive permutation."""

import itertools

import numpy as np
import pytest

from amazons_solver import DEAL, REDEAL, Deal, Rules, State
from amazons_solver.kernel.boundaries.orbits import MOST_CARDS, NEVER, orbits
from amazons_solver.model.cards import pile_of

pytestmark = pytest.mark.compiled

GATHERS = ("right-over-left", "left-over-right")


def idle_pass(state: State) -> tuple[State, list[bytes]]:
    """The model's state after a pass without a play, and the depots at the end of that pass."""
    while state.talon_codes:
        state = state.play(DEAL)
    return state.play(REDEAL), list(state.depot_codes)


def naive_pass(talon: list[int], depots: int, gather: str) -> tuple[list[int], list[list[int]]]:
    """The same written down from the rules: cards one by one to the depots in turn, then pile by pile back."""
    piles: list[list[int]] = [[] for _ in range(depots)]
    for turn, card in enumerate(talon):
        piles[turn % depots].append(card)
    ordered = reversed(piles) if gather == "left-over-right" else piles
    return [card for pile in ordered for card in pile], piles


def naive_phases(cards: int, depots: int, gather: str) -> tuple[list[list[int]], list[list[list[int]]]]:
    """The talons of all phases, and the piles at the end of each phase's pass."""
    talon = home = list(range(cards))
    talons, piles = [], []
    while not talons or talon != home:
        talons.append(talon)
        talon, laid = naive_pass(talon, depots, gather)
        piles.append(laid)
    return talons, piles


def table_of_phases(cards: int, depots: int, gather: str) -> list[list[int]]:
    """The talons of all phases by the kernel's tables."""
    found, at = orbits(), (int(gather == "right-over-left"), depots, cards)
    order, begin = int(found.order[at]), int(found.begin[at])
    places = found.places[begin : begin + order * cards].reshape(order, cards)
    return [np.argsort(row).tolist() for row in places]  # the card from position i lies at place places[i]


@pytest.mark.parametrize("gather", GATHERS)
@pytest.mark.parametrize("depots", [1, 2, 3, 4])
def test_every_phase_of_every_talon(depots: int, gather: str) -> None:
    for cards in range(1, MOST_CARDS + 1):
        talons, _ = naive_phases(cards, depots, gather)
        assert table_of_phases(cards, depots, gather) == talons


@pytest.mark.parametrize("gather", GATHERS)
@pytest.mark.parametrize("depots", [1, 2, 3, 4])
def test_the_first_phase_in_which_a_card_comes_to_a_depot(depots: int, gather: str) -> None:
    first = orbits().first[int(gather == "right-over-left"), depots]
    for cards in range(1, MOST_CARDS + 1):
        _, piles = naive_phases(cards, depots, gather)
        for card, depot in itertools.product(range(cards), range(depots)):
            phases = [phase for phase, laid in enumerate(piles) if card in laid[depot]]
            assert first[cards, card, depot] == min(phases, default=NEVER)


@pytest.mark.parametrize("gather", GATHERS)
@pytest.mark.parametrize("suits", ["C", "CD", "CDH", "CDHS"])
def test_the_model_passes_alike(suits: str, gather: str) -> None:
    for ranks in range(1, 13 if suits == "C" else 28 // len(suits) + 1):
        rules = Rules(suits=suits, ranks="A23456789TJQK"[:ranks], gather=gather, withhold="any")  # type: ignore[arg-type]
        deal = Deal.numbered(ranks, rules)
        home = list(pile_of(deal.cards))
        state = State.initial(deal, rules)
        talons, piles = naive_phases(len(home), len(suits), gather)
        for talon, laid in zip(talons, piles, strict=True):
            assert list(state.talon_codes) == [home[position] for position in talon]
            state, depots = idle_pass(state)
            assert [list(depot) for depot in depots] == [[home[position] for position in pile] for pile in laid]
        assert state == State.initial(deal, rules)


def test_with_complete_foundations_the_others_depots_count() -> None:
    """As many cards go to as many depots as there are, wherever the skipped ones stand."""
    rules = Rules(suits="CDHS", ranks="A789", skip_complete=True, withhold="any")
    talon = "AD 7H 8H AS 7D 9H 7S 8D"
    for tops in ("9C ; - ; AH ; -", "- ; 9C ; AH ; -", "- ; AH ; - ; 9C"):
        state = State.parse(f"{talon} 8S 9D 9S | - ; - ; - ; - | {tops}", rules)
        home = list(state.talon_codes)
        for phase in table_of_phases(11, 3, rules.gather):
            assert list(state.talon_codes) == [home[position] for position in phase]
            state, _ = idle_pass(state)
        assert list(state.talon_codes) == home


def test_known_orders() -> None:
    """One depot: every pass brings back the same talon. Two cards, two depots, from the right: they change places."""
    order = orbits().order
    assert (order[:, 1, 1:] == 1).all()
    assert order[0, 2, 2] == 2
    assert order[1, 2, 2] == 1
    assert order[0, 4, 23] == 252
    assert order.max() == 252
