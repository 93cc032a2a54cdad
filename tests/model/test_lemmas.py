"""The lemmas that proofs may rest on: what they say is what docs/lemmas.md says, and it is true."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from amazons_solver import Rules, State
from amazons_solver.model.lemmas import is_lost
from support import reference
from support.choices import name
from support.games import model_wins
from support.proofs import is_lost as naive_is_lost

SHAPES = [("C", "A78"), ("CD", "7"), ("CD", "A7"), ("CD", "A78"), ("CDH", "A7"), ("CDHS", "A7")]
VARIANTS: list[dict[str, Any]] = [
    dict(zip(("build", "top_anywhere", "gather", "skip_complete"), values, strict=True))
    for values in itertools.product(
        ("suit", "rank"), (False, True), ("left-over-right", "right-over-left"), (False, True)
    )
]


def boundaries(rules: Rules, most_cards: int) -> Iterator[State]:
    """Every boundary of so many cards at most, foundation i being of suit i, or of its own."""
    ranks = len(rules.ranks)
    deck = [str(card) for card in rules.deck]
    suits = [deck[i : i + ranks] for i in range(0, len(deck), ranks)]
    if rules.base_placement == "suit":
        suits.sort(key=lambda cards: "CSHD".index(cards[0][1]))
    for heights in itertools.product(range(ranks + 1), repeat=len(suits)):
        left = [card for suit, height in zip(suits, heights, strict=True) for card in suit[height:]]
        tops = [suit[height - 1] if height else "-" for suit, height in zip(suits, heights, strict=True)]
        if 0 < len(left) <= most_cards:
            for order in itertools.permutations(left):
                depots = " ; ".join("-" for _ in suits)
                yield State.parse(f"{' '.join(order)} | {depots} | {' ; '.join(tops)}", rules)


def naive(state: State) -> reference.State:
    """The state as the reference has it."""
    return (
        tuple(str(card) for card in state.talon),
        tuple(() for _ in state.depots),
        tuple(str(card or "") for card in state.foundations),
        (0, 0, 0),
    )


@pytest.mark.slow
@pytest.mark.parametrize("fields", VARIANTS, ids=name)
def test_what_is_called_lost_is_what_the_lemmas_say_and_is_lost(fields: dict[str, Any]) -> None:
    lost = hopeful = 0
    placements = ["any", *(["suit"] if fields["build"] == "suit" else [])]
    for (suits, ranks), placement in itertools.product(SHAPES, placements):
        rules = Rules(suits=suits, ranks=ranks, base_placement=placement, withhold="any", **fields)
        for state in boundaries(rules, 4):
            assert is_lost(state) == naive_is_lost(rules.to_dict(), naive(state)), state.text()  # type: ignore[arg-type]
            if is_lost(state):
                assert not model_wins(state), state.text()
            lost, hopeful = lost + is_lost(state), hopeful + (not is_lost(state))
    assert hopeful > 100
    assert (lost == 0) == (
        fields["skip_complete"] or (fields["top_anywhere"] and fields["gather"] == "left-over-right")
    )


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"ranks": "A78", "gather": "right-over-left", "top_anywhere": True}, "8D 7C 8C 7D AD | - ; - | AC ; -"),
        ({"ranks": "A7"}, "AD 7D | - ; - | 7C ; -"),
        ({"ranks": "A78", "gather": "right-over-left"}, "8C 7C 8D 7D AD | - ; - | AC ; -"),
        ({"ranks": "A7", "skip_complete": True}, "7D | - ; - | 7C ; AD"),
        ({"ranks": "A78", "gather": "right-over-left", "build": "rank"}, "7D 7C 8D 8C | - ; - | AC ; AD"),
        # No pass begins here: the depots hold cards, and 7D leaves the first.
        ({"ranks": "A7", "gather": "right-over-left"}, "7C | - ; 7D | AC ; AD"),
    ],
)
def test_states_from_which_a_win_is_left(changes: dict[str, Any], text: str) -> None:
    state = State.parse(text, Rules(suits="CD", withhold="any", **changes))
    assert model_wins(state)
    assert not is_lost(state)
