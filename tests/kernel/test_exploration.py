"""The compiled exploration against the model's: states, numbers, moves and counts, not only how many."""

import itertools
import os
import random
import subprocess
import sys
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, State, StopReason
from amazons_solver.errors import RulesError
from amazons_solver.kernel.exact.exploration import Exploration, explore_exact
from amazons_solver.search.explore import explore
from amazons_solver.search.result import Stats
from amazons_solver.solving.game import Game
from support import arbitrary as strategies
from support.choices import COMBINATIONS, name
from support.known import load_verdicts

pytestmark = pytest.mark.compiled

LIMITS: list[dict[str, Any]] = [
    {},
    {"max_redeals": 0},
    {"max_redeals": 2},
    {"idle_passes": 1},
    {"idle_passes": 3},
    {"max_redeals": 3, "idle_passes": 2},
]
PRESETS = ["wikipedia", "morehead", "ultimate", "patiencen", "pysolfc", "pysolfc-2.16"]


def counts(stats: Stats) -> Stats:
    return attrs.evolve(stats, cycles=None, seconds=0.0)


def compare(state: State, most_states: int | None = None) -> Exploration:
    """Explore with both; every state must have the same number and the same moves to the same numbers."""
    limits = Limits(states=most_states)
    states, moves = [state.text()], []

    def note(_number: int, _state: State, edges: Any) -> None:
        moves.append([(str(move), target) for move, target, _ in edges])
        for _, target, child in edges:
            if target == len(states):
                states.append(child.text())

    model = explore(Game(state, "exact"), stop_at_goal=False, limits=limits, on_expand=note)
    found = explore_exact(state, limits=limits, edges=True, capacity=1)
    assert found.stop_reason is model.stop_reason
    assert counts(found.stats) == counts(model.stats)
    # Of the state whose moves were cut short by the limit, the model tells nothing.
    assert [found.state(number).text() for number in range(len(states))] == states
    assert [[(str(move), to) for move, to in found.moves(number)] for number in range(len(moves))] == moves
    assert len(found.offsets) == len(moves) + 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_small_decks_under_every_combination_and_limit(fields: dict[str, Any]) -> None:
    source = random.Random(name(fields))
    for limits in LIMITS:
        for suits, ranks, most_states in (("S", "TJQ", None), ("CH", "A7", None), ("CDHS", "9Q", 60)):
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            compare(State.initial(Deal.numbered(source.getrandbits(32), rules), rules), most_states)


@pytest.mark.heavy
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any]) -> None:
    for limits in LIMITS:
        for suits, ranks in (("C", "A7"), ("DS", "7"), ("CH", "A7"), ("S", "TJQ"), ("CDH", "K"), ("CD", "A78")):
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            for cards in itertools.permutations(rules.deck):
                compare(State.initial(Deal(cards), rules))


@pytest.mark.slow
@given(st.data())
def test_from_the_middle_of_a_game(data: st.DataObject) -> None:
    rules = data.draw(strategies.rules(max_ranks=7))
    compare(data.draw(strategies.states(rules)), 300)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_full_decks(name: str) -> None:
    rules = Rules.preset(name)
    forced = rules.evolve(withhold="nothing")
    for number in range(3):
        compare(State.initial(Deal.numbered(number, rules), rules), 2000)
        assert compare(State.initial(Deal.numbered(number, forced), forced)).complete


@pytest.mark.parametrize("gather", ["left-over-right", "right-over-left"])
@pytest.mark.parametrize("skip_complete", [False, True])
@pytest.mark.parametrize("heights", [(28, 0, 0, 0), (0, 0, 0, 28), (1, 12, 13, 2), (11, 1, 0, 13), (0, 23, 1, 0)])
def test_piles_higher_than_deals_make_them(gather: str, skip_complete: bool, heights: tuple[int, ...]) -> None:
    """All words of a state are crossed by piles and by the row dealt onto them."""
    rules = Rules(gather=gather, skip_complete=skip_complete, withhold="any")  # type: ignore[arg-type]
    cards = [card.code for card in Deal.numbered(sum(heights), rules).cards]
    ends = list(itertools.accumulate(heights))
    depots = tuple(bytes(cards[end - height : end]) for height, end in zip(heights, ends, strict=True))
    compare(State(rules, bytes(cards[ends[-1] :]), depots, bytes(4)), 400)


def rules_of(row: dict[str, Any]) -> Rules:
    return Rules.preset(row["preset"]).evolve(**row["set"])


COUNTED = [row for row in load_verdicts() if "states" in row and len(rules_of(row).deck) <= 28]


@pytest.mark.slow
@pytest.mark.parametrize("edges", [False, True])
def test_known_counts(edges: bool) -> None:
    assert len(COUNTED) > 250
    for row in COUNTED:
        rules = rules_of(row)
        found = explore_exact(State.initial(Deal.numbered(row["deal"], rules), rules), edges=edges)
        assert (found.states, found.edges, found.won) == (row["states"], row["edges"], row["won_states"]), row
        assert len(found.targets) == len(found.labels) == (row["edges"] if edges else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "redeals", "idle"),
    [
        ({"max_redeals": 4095}, 4095, 0),
        ({"idle_passes": 2048}, 0, 2047),
        ({"max_redeals": 39, "idle_passes": 51}, 39, 39),
        ({"max_redeals": 100, "idle_passes": 20}, 19, 19),
    ],
)
def test_counters_up_to_what_a_state_has_room_for(limits: dict[str, Any], redeals: int, idle: int) -> None:
    """With plays held back, a game can be made of redeals only, up to the limit that is hit first."""
    rules = Rules(suits="C", ranks="A", withhold="any", **limits)
    found = compare(State.initial(Deal.numbered(0, rules), rules))
    states = [found.state(number) for number in range(found.states)]
    assert max(state.redeals for state in states) == redeals
    assert max(state.idle for state in states) == idle


@pytest.mark.parametrize(
    "fields",
    [{"ranks": "A23456789TJQK"}, {"max_redeals": 4096}, {"idle_passes": 2049}, {"max_redeals": 40, "idle_passes": 50}],
)
def test_rules_whose_states_do_not_fit(fields: dict[str, Any]) -> None:
    rules = Rules(**fields)
    with pytest.raises(RulesError, match=r"expected at most 28 cards, and limits with .* of at most 4096, got"):
        explore_exact(State.initial(Deal.numbered(0, rules), rules))


BIG = Rules.preset("pysolfc")
BIG_START = State.initial(Deal.numbered(0, BIG), BIG)


def test_nothing_depends_on_the_first_capacity() -> None:
    found = [
        explore_exact(BIG_START, limits=Limits(states=60_000), capacity=capacity) for capacity in (1, 8192, 200_000)
    ]
    for other in found[1:]:
        assert counts(other.stats) == counts(found[0].stats)
        assert (other.keys == found[0].keys).all()
    assert len({key.tobytes() for key in found[0].keys}) == 60_000


def test_at_most_forty_bytes_a_state() -> None:
    assert explore_exact(BIG_START, limits=Limits(states=2_500_000)).memory_bytes <= 40 * 2_500_000


@pytest.mark.parametrize("edges", [False, True])
def test_the_limit_on_memory(edges: bool) -> None:
    for memory in (1_000_000, 3_000_000, 10_000_000):
        found = explore_exact(BIG_START, limits=Limits(memory_bytes=memory), edges=edges)
        assert found.stop_reason is StopReason.MEMORY
        assert found.memory_bytes <= memory
        assert found.states > memory / 100
        # What was found is a beginning of what is found with more.
        more = explore_exact(BIG_START, limits=Limits(states=found.states))
        assert (found.keys == more.keys).all()


@pytest.mark.slow
def test_without_compiling() -> None:
    """The same functions as plain Python, where the 64-bit products of the hash overflow as they should."""
    program = """
import numpy
from amazons_solver import Deal, Rules, State
from amazons_solver.kernel.exact.exploration import explore_exact
rules = Rules(suits="CD", ranks="A78", withhold="any")
with numpy.errstate(over="ignore"):
    print(explore_exact(State.initial(Deal.numbered(0, rules), rules), edges=True, capacity=1))
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    # The counts of the fixture.
    assert run.stdout == "<Exploration 698 states, 994 edges, 2 won, 0 blocked, complete>\n"
