"""Foundations that belong to suits: what is wrong where the rules are taken not to tell suits apart."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from amazons_solver import (
    REDEAL,
    Certificate,
    Deal,
    Limits,
    Move,
    Rules,
    State,
    Verdict,
    certify,
    decision_graph,
    solve,
    solve_state,
    verify,
)
from amazons_solver.errors import CertificateError
from amazons_solver.kernel import fits
from amazons_solver.kernel.batch import WINNABLE, decide_deals
from amazons_solver.kernel.exact.closure import closed_set
from amazons_solver.search.explore import explore
from amazons_solver.solving.game import Game
from support.choices import COMBINATIONS, name
from support.games import every_deal
from support.proofs import is_true_proof, truth

pytestmark = pytest.mark.compiled

OLD = Rules.preset("pysolfc-2.16")
OWN = [fields for fields in COMBINATIONS if fields["base_placement"] == "suit"]
FORCED = Rules(suits="DHS", ranks="A7", base_placement="suit", gather="right-over-left", withhold="nothing")


def renamed(text: str, suits: dict[str, str]) -> str:
    """Deals or states with the suits of their cards renamed."""
    return "".join(suits.get(letter, letter) for letter in text)


def renamings(rules: Rules) -> Iterator[dict[str, str]]:
    for order in itertools.permutations(rules.suits):
        yield dict(zip(rules.suits, order, strict=True))


def test_the_compiled_code_takes_these_rules() -> None:
    """Else the model would answer, and what is compared below would be the model with itself."""
    assert fits.decides(OLD)
    assert fits.explores(OLD)


def test_closed_sets_of_the_compiled_code_keep_the_suits() -> None:
    lost = OLD.evolve(withhold="nothing")  # skipping, so that no lemma leaves anything out
    sizes = []
    for number in range(30):
        state = State.initial(Deal.numbered(number, lost), lost)
        if solve_state(state).verdict is Verdict.UNWINNABLE:
            found = closed_set(state, Limits())
            boundaries = [s for move, s in moves_of(state) if move == REDEAL]
            assert found.states == tuple(sorted({state.text(), *(boundary.text() for boundary in boundaries)}))
            sizes.append(len(found.states))
    assert len(sizes) > 3
    assert max(sizes) > 10


def moves_of(start: State) -> Iterator[tuple[Move, State]]:
    """Every move that can be reached, with the state that it leads to."""
    stack, seen = [start], {start}
    while stack:
        for move, state in stack.pop().successors():
            yield move, state
            if state not in seen:
                seen.add(state)
                stack.append(state)


def test_the_first_300_games_of_pysolfc_are_winnable() -> None:
    deals = [Deal.pysolfc(str(number)) for number in range(1, 301)]
    assert (decide_deals(deals, OLD).verdict == WINNABLE).all()
    for deal in deals[::60]:
        solution = solve(deal, OLD, engine="kernel")
        assert solution.line is not None
        assert State.initial(deal, OLD).play_line(solution.line).is_won


@pytest.mark.slow
def test_a_proof_for_a_deal_is_none_for_a_renamed_deal() -> None:
    """Both engines' certificates, with the suits renamed in all ways: a true proof or refused, as the oracle says."""
    counts = dict.fromkeys(("same verdict", "another verdict", "accepted"), 0)
    for deal in random.Random(1).sample(list(every_deal(FORCED)), 60):
        for engine in ("model", "kernel"):
            if truth(FORCED.to_dict(), str(deal)) == "winnable":  # type: ignore[arg-type]
                continue
            certificate = certify(deal, FORCED)
            solution = solve(deal, FORCED, engine=engine)  # type: ignore[arg-type]
            assert solution.verdict is Verdict.UNWINNABLE
            for suits in renamings(FORCED):
                other = renamed(str(deal), suits)
                changed = attrs.evolve(certificate, deal=other)
                whole = attrs.evolve(changed, states=tuple(renamed(text, suits) for text in certificate.states or ()))
                same = truth(FORCED.to_dict(), other) == "unwinnable"  # type: ignore[arg-type]
                counts["same verdict" if same else "another verdict"] += 1
                for one in (changed, whole):
                    accepted = is_accepted(one)
                    assert accepted == is_true_proof(fields_of(one))
                    assert same or not accepted
                    counts["accepted"] += accepted
    assert min(counts.values()) > 20


def is_accepted(certificate: Certificate) -> bool:
    try:
        verify(certificate)
    except CertificateError:
        return False
    return True


def fields_of(certificate: Certificate) -> dict[str, Any]:
    return {
        "format": "amazons-solver certificate",
        "version": 1,
        "rules": dict(certificate.rules),
        "deal": certificate.deal,
        "verdict": certificate.verdict,
        "states": list(certificate.states or ()),
    }


@pytest.mark.slow
@pytest.mark.parametrize("fields", OWN, ids=name)
def test_merged_graphs_are_the_exact_ones(fields: dict[str, Any]) -> None:
    for suits, ranks in (("CD", "A7"), ("DHS", "A7")):
        rules = Rules(suits=suits, ranks=ranks, **fields)
        for number in range(3):
            deal = Deal.numbered(number, rules)
            exact, merged = (decision_graph(deal, rules, merge_suits=merge).graph for merge in (False, True))
            assert dict(exact.nodes(data=True)) == dict(merged.nodes(data=True))
            assert list(exact.edges(keys=True, data=True)) == list(merged.edges(keys=True, data=True))
            start = State.initial(deal, rules)
            stats = [explore(Game(start, identity), stop_at_goal=False).stats for identity in ("exact", "canonical")]  # type: ignore[arg-type]
            assert stats[0].states == stats[1].states == exact.number_of_nodes()


def test_renamed_deals_have_verdicts_of_their_own() -> None:
    """Were they not told apart, one verdict of each set would be wrong; the kernel and the model tell what is true."""
    deals = list(every_deal(FORCED))
    found = decide_deals(deals, FORCED, tables=0).verdict == WINNABLE
    wins = dict(zip(map(str, deals), found.tolist(), strict=True))
    differ = 0
    for deal, won in wins.items():
        assert won == (truth(FORCED.to_dict(), deal) == "winnable")  # type: ignore[arg-type]
        differ += any(wins[renamed(deal, suits)] != won for suits in renamings(FORCED))
    assert differ > 100
