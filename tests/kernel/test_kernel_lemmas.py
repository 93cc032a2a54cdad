"""Every boundary that a lemma of the kernel calls lost is lost: the model finds no way to win from it.

All plays may be withheld here, which loses no game that stricter rules win; and a lemma sees neither `withhold` nor
`base_placement` nor the limits.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from amazons_solver import Rules, State
from amazons_solver.kernel import lemmas
from amazons_solver.kernel.config import Config, config_of, numbers_of
from amazons_solver.model.cards import pile_of
from support.choices import name

pytestmark = pytest.mark.compiled

SHAPES = [("CDHS"[:suits], "A789"[:ranks]) for suits in range(1, 5) for ranks in range(1, 5)]
VARIANTS = [
    dict(zip(("build", "top_anywhere", "gather", "skip_complete"), values, strict=True))
    for values in itertools.product(
        ("suit", "rank"), (False, True), ("left-over-right", "right-over-left"), (False, True)
    )
]


def tops_of(rules: Rules) -> Iterator[tuple[list[bytes], list[int]]]:
    """The ways in which foundations can stand, but for the names of suits: their tops and the cards that are left."""
    ranks = len(rules.ranks)
    deck = [pile_of(rules.deck[i : i + ranks]) for i in range(0, len(rules.deck), ranks)]
    if rules.base_placement == "suit":
        deck.sort(key=lambda cards: rules.tables.places[cards[0]])
    for heights in itertools.product(range(ranks + 1), repeat=len(deck)):
        if rules.base_placement == "leftmost" and 0 in heights and any(heights[heights.index(0) :]):
            continue  # a gap that cannot come about
        tops = [suit[height - 1 : height] or b"\0" for suit, height in zip(deck, heights, strict=True)]
        left = [card for suit, height in zip(deck, heights, strict=True) for card in suit[height:]]
        if left:
            yield tops, left


def boundaries(rules: Rules, most_cards: int, most_orders: int, source: random.Random) -> Iterator[tuple[bytes, bytes]]:
    """The talons and tops of every boundary of up to 4 cards, and of some with more, however foundations stand."""
    for tops, left in tops_of(rules):
        if len(left) <= most_cards:
            orders = itertools.permutations(left)
            if len(left) > 4:
                orders = iter([tuple(source.sample(left, len(left))) for _ in range(most_orders)])
            for order in orders:
                yield bytes(order), b"".join(tops)


def lemmas_of(config: Config, talon: bytes, tops: bytes) -> set[int]:
    """The numbers of the lemmas that call a boundary, in card numbers, lost."""
    packed = sum(top << (5 * foundation) for foundation, top in enumerate(tops))
    if not lemmas.is_lost(config, talon[0], packed):
        return set()
    found = {1} if lemmas._first_card_is_stuck(config, talon[0], tops[0]) else set()
    if not config.top_anywhere and lemmas._a_foundation_is_closed(config, packed):
        found.add(2 if config.rank[tops[0]] == config.ranks - 1 else 3)
    assert found
    return found


def is_lost(state: State, lost: set[bytes]) -> bool:
    """Whether nothing that can be reached is won; `lost` has the keys of states known to be lost, and gets more."""
    seen, stack = {state.key()}, [state]
    while stack:
        current = stack.pop()
        if current.is_won:
            return False
        for _, child in reversed(current.successors()):
            key = child.key()
            if key not in seen and key not in lost:
                seen.add(key)
                stack.append(child)
    lost |= seen
    return True


def check(fields: dict[str, Any], most_cards: int, most_orders: int) -> Counter[int]:
    """Check what the lemmas say of boundaries of all shapes; returns how often each lemma had something to say."""
    source, fired = random.Random(name(fields)), Counter[int]()
    placements = ["leftmost", "any", "above", *(["suit"] if fields["build"] == "suit" else [])]
    for (suits, ranks), placement in itertools.product(SHAPES, placements):
        rules = Rules(suits=suits, ranks=ranks, base_placement=placement, withhold="any", **fields)
        config, numbers = config_of(rules), numbers_of(rules)
        depots, lost = (b"",) * len(suits), set[bytes]()
        for talon, tops in boundaries(rules, most_cards, most_orders, source):
            found = lemmas_of(config, talon.translate(numbers), tops.translate(numbers))
            if found:
                fired.update(found)
                state = State(rules, talon, depots, tops)
                assert is_lost(state, lost), (found, rules, state.text())
    return fired


def applies(fields: dict[str, Any]) -> set[int]:
    """The lemmas that may have something to say, by docs/lemmas.md."""
    if fields["skip_complete"]:
        return set()
    first = {1} if fields["gather"] == "right-over-left" else set()
    return first if fields["top_anywhere"] else first | {2, 3}


@pytest.mark.slow
@pytest.mark.parametrize("fields", VARIANTS, ids=name)
def test_what_a_lemma_calls_lost_is_lost(fields: dict[str, Any]) -> None:
    fired = check(fields, *((5, 1) if fields["skip_complete"] else (6, 3)))
    assert set(fired) == applies(fields)
    assert min(fired.values(), default=50) >= 50


@pytest.mark.heavy
@pytest.mark.parametrize("fields", VARIANTS, ids=name)
def test_what_a_lemma_calls_lost_is_lost_with_more_cards(fields: dict[str, Any]) -> None:
    check(fields, 9, 40)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        # A queen, here the eight, may go from anywhere: the first card comes back for ever, and is played all the same.
        ({"ranks": "A78", "gather": "right-over-left", "top_anywhere": True}, "8D 7C 8C 7D AD | - ; - | AC ; -"),
        # Foundation 1 is complete, but an ace is still there, which may be played from depot 1.
        ({"ranks": "A7"}, "AD 7D | - ; - | 7C ; -"),
        # The first card of the first foundation's own suit is waited for.
        ({"ranks": "A78", "gather": "right-over-left"}, "8C 7C 8D 7D AD | - ; - | AC ; -"),
        # With skipping, depot 1 gets no card once foundation 1 is complete.
        ({"ranks": "A7", "skip_complete": True}, "7D | - ; - | 7C ; AD"),
        # By rank any suit's card carries on.
        ({"ranks": "A78", "gather": "right-over-left", "build": "rank"}, "7D 7C 8D 8C | - ; - | AC ; AD"),
    ],
)
def test_conditions_without_which_a_lemma_would_be_false(changes: dict[str, Any], text: str) -> None:
    rules = Rules(suits="CD", withhold="any", **changes)
    state = State.parse(text, rules)
    assert not is_lost(state, set())
    talon, tops = (pile.translate(numbers_of(rules)) for pile in (state.talon_codes, state.foundation_codes))
    assert not lemmas_of(config_of(rules), talon, tops)


def test_the_switch() -> None:
    assert config_of(Rules()).lemmas
    assert not config_of(Rules(), lemmas=False).lemmas
    assert np.array_equal(config_of(Rules()).rank, config_of(Rules(), lemmas=False).rank)
