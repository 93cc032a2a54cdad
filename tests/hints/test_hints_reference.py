"""Hints on every state of whole small spaces: against the labels of the decision graph, and the naive reference."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from amazons_solver import Deal, Knowledge, Limits, Lost, Rules, State, Verdict, hint, why_lost
from amazons_solver.graphs.graph import decision_graph
from amazons_solver.search.result import StopReason
from amazons_solver.solving.redeals import fewest_redeals
from support import reference
from support.choices import COMBINATIONS

LIMITS: list[dict[str, int | None]] = [
    {},
    {"max_redeals": 0},
    {"max_redeals": 2},
    {"idle_passes": 1},
    {"idle_passes": 2},
    {"max_redeals": 2, "idle_passes": 2},
]


def every_rules(suits: str, ranks: str) -> Iterator[Rules]:
    for number, fields in enumerate(COMBINATIONS):
        # Each combination of the other fields with one kind of limits, shifted so that every choice meets every kind.
        limits = LIMITS[(number + number // 6) % len(LIMITS)]
        yield Rules(suits=suits, ranks=ranks, **fields, **limits)


def small_games() -> Iterator[tuple[Rules, Deal]]:
    for number, rules in enumerate(every_rules("CD", "A7")):
        yield rules, Deal.numbered(number, rules)
    for number, rules in enumerate(list(every_rules("CD", "A78"))[::11]):
        yield rules, Deal.numbered(number, rules)
    for number, rules in enumerate(list(every_rules("CDH", "A7"))[::41]):
        yield rules, Deal.numbered(number, rules)


GAMES = list(small_games())
KEEPS = {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}


def full_games() -> Iterator[tuple[Rules, Deal]]:
    """Games of the full decks whose spaces are small."""
    for number in range(1, 9):
        yield Rules.preset("patiencen"), Deal.pysolfc(number)
        yield Rules.preset("ultimate"), Deal.numbered(number, Rules.preset("ultimate"))


@pytest.mark.slow
def test_hints_are_the_labels_of_the_decision_graph() -> None:
    seen = set()
    for rules, deal in [*GAMES, *full_games()]:
        decisions = decision_graph(deal, rules)
        assert decisions.complete
        knowledge = Knowledge()
        for node, attributes in decisions.graph.nodes.items():
            advice = hint(State.parse(attributes["state"], rules), knowledge=knowledge)
            status = attributes["status"]
            seen.add(status)
            assert KEEPS[advice.verdict] is (status in ("won", "winnable"))
            labels = {key: kept for _, _, key, kept in decisions.graph.out_edges(node, keys=True, data="keeps_win")}
            assert {str(choice.move): KEEPS[choice.verdict] for choice in advice.moves} == labels
            # Nothing is known to be lost after what is known to be won.
            order = [KEEPS[choice.verdict] for choice in advice.moves]
            assert order == sorted(order, reverse=True)
            assert (advice.lost is None) is (status in ("won", "winnable"))
            assert (advice.lost is not None and advice.lost.reason == "blocked") is (status == "blocked")
    assert seen == {"won", "winnable", "blocked", "unwinnable"}


def space_of(rules: Rules, deal: Deal) -> tuple[reference.Rules, reference.Space]:
    plain: reference.Rules = rules.to_dict()  # type: ignore[assignment]
    return plain, reference.explore(plain, str(deal))


@pytest.mark.slow
def test_redeals_to_go_are_those_of_a_brute_force_search() -> None:
    counts = set()
    for rules, deal in GAMES:
        plain, space = space_of(rules, deal)
        knowledge = Knowledge()
        fewest = {key: reference.fewest_redeals(replace(space, root=key)) for key in space.states}
        for key, found in space.states.items():
            state = State.parse(reference.text(plain, found), rules)
            advice = hint(state, knowledge=knowledge)
            after = {move: (fewest[child], move == "r") for move, child in space.edges[key]}
            for choice in advice.moves:
                least, redeal = after[str(choice.move)]
                expected = None if least is None else least + redeal
                assert choice.redeals == choice.redeals_at_least == expected
                if choice.line is not None:
                    assert choice.line[0] == choice.move
                    assert state.play_line(choice.line).is_won
            if advice.best is not None:
                assert advice.moves[0].redeals == fewest[key]
            counts.add(fewest[key])
    assert counts >= {None, 0, 1, 2, 3}


def test_the_search_in_the_order_of_redeals() -> None:
    for rules, deal in GAMES[::9]:
        _, space = space_of(rules, deal)
        least = reference.fewest_redeals(space)
        start = State.initial(deal, rules)
        if least is None:
            assert fewest_redeals(start, 50).line is None
            continue
        found = fewest_redeals(start, least + 3)
        assert found.line is not None
        assert start.play_line(found.line).is_won
        assert [str(move) for move in found.line].count("r") == found.at_least == least
        none = fewest_redeals(start, least)
        assert (none.at_least, none.line, none.stop_reason) == (least, None, StopReason.EXHAUSTED)
        # A limit leaves a bound from below that is no more than the truth.
        assert fewest_redeals(start, least + 3, limits=Limits(states=1)).at_least <= least


def reason(plain: reference.Rules, space: reference.Space, key: Any) -> Lost:
    """Why a state is lost, from all that can be reached from it."""
    reached, pending = {key}, [key]
    while pending:
        for _, child in space.edges[pending.pop()]:
            if child not in reached:
                reached.add(child)
                pending.append(child)
    if any(">" in move for state in reached for move, _ in space.edges[state]):
        return Lost("every-play")
    ends = [state for state in reached if not space.edges[state]]
    if ends:
        (end,) = ends
        (redeals, idle, played) = space.states[end][3]
        limits = []
        if redeals == plain["max_redeals"]:
            limits.append(f"max_redeals={redeals}")
        if plain["idle_passes"] is not None and not played and idle + 1 == plain["idle_passes"]:
            limits.append(f"idle_passes={idle + 1}")
        return Lost("blocked" if end == key else "no-play", limits=tuple(limits))
    # Only deals and redeals are left, one in each state: go on for long, then round once, counting redeals.
    state, cycle = key, 0
    for _ in reached:
        state = space.edges[state][0][1]
    begin = state
    while True:
        (move, state) = space.edges[state][0]
        cycle += move == "r"
        if state == begin:
            return Lost("no-play", cycle=cycle)


def forced_games() -> Iterator[tuple[Rules, Deal]]:
    """Games of compulsory plays, whose spaces are small, with cards enough for longer cycles."""
    for gather, number in itertools.product(["left-over-right", "right-over-left"], range(30)):
        rules = Rules(suits="CDH", ranks="A789", withhold="nothing", gather=gather)
        yield rules, Deal.numbered(number, rules)


@pytest.mark.slow
def test_reasons_are_those_of_the_reference() -> None:
    reasons, cycles = set(), set()
    for rules, deal in [*GAMES, *forced_games()]:
        plain, space = space_of(rules, deal)
        winnable = reference.winnable(space)
        for key, found in space.states.items():
            if key not in winnable:
                lost = why_lost(State.parse(reference.text(plain, found), rules))
                assert lost == reason(plain, space, key)
                reasons.add((lost.reason, lost.limits))
                cycles.add(lost.cycle)
    assert {name for name, _ in reasons} == {"blocked", "no-play", "every-play"}
    assert {limits for name, limits in reasons if name == "blocked"} >= {
        ("max_redeals=0",),
        ("idle_passes=1",),
        ("max_redeals=2", "idle_passes=2"),
    }
    assert len(cycles) > 2


@pytest.mark.heavy
@pytest.mark.parametrize("rules", list(every_rules("CD", "A78")), ids=str)
def test_hints_on_all_rules_and_six_cards(rules: Rules) -> None:
    for number in range(3):
        deal = Deal.numbered(number, rules)
        plain, space = space_of(rules, deal)
        winnable = reference.winnable(space)
        knowledge = Knowledge()
        for key, found in space.states.items():
            advice = hint(State.parse(reference.text(plain, found), rules), knowledge=knowledge)
            assert {str(choice.move): KEEPS[choice.verdict] for choice in advice.moves} == {
                move: child in winnable for move, child in space.edges[key]
            }
            assert advice.best is None or advice.moves[0].redeals == reference.fewest_redeals(replace(space, root=key))
