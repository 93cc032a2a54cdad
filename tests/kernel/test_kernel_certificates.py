"""Closed sets gathered by the kernel: they are the model's, `verify` accepts them, and limits are kept."""

import itertools
import json
import os
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import PRESETS, Deal, Limits, Rules, State, UndecidedError, Verdict, certify, solve
from amazons_solver.errors import CertificateError
from amazons_solver.kernel import fits
from amazons_solver.kernel.exact.closure import closed_set
from amazons_solver.kernel.exact.exploration_loop import BATCH
from amazons_solver.proofs.certificate import Certificate, certificate_of
from amazons_solver.proofs.checker import verify
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import Solution
from support.arbitrary import deals
from support.arbitrary import rules as games
from support.choices import COMBINATIONS, LIMITS, name
from support.games import HARD, NONE, every_deal
from support.proofs import is_true_proof
from support.tampering import KINDS

pytestmark = pytest.mark.compiled

TESTS = Path(__file__).parent.parent
HARD_DEAL = Deal.numbered(81, HARD)


def unwinnable(deal: Deal, rules: Rules) -> Solution | None:
    """The model's solution of a deal, if it is unwinnable and not too large a space for it."""
    solution = solve(deal, rules, engine="model", limits=Limits(states=4_000))
    return solution if solution.verdict is Verdict.UNWINNABLE else None


def check(solution: Solution) -> Certificate:
    """Both engines gather the same set, and it is a proof."""
    by_model = certificate_of(solution)
    by_kernel = certificate_of(attrs.evolve(solution, engine="kernel"))
    assert by_kernel.to_json() == by_model.to_json()
    verify(by_kernel)
    return by_kernel


# The same set as the model's.


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_every_deal_of_a_small_deck_under_every_combination(fields: dict[str, Any]) -> None:
    for limits in LIMITS:
        rules = Rules(suits="CH", ranks="A7", **fields, **limits)
        for deal in every_deal(rules):
            solution = unwinnable(deal, rules)
            if solution is not None:
                check(solution)


@pytest.mark.heavy
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
@pytest.mark.parametrize(("suits", "ranks"), [("CD", "A78"), ("CDH", "A7"), ("C", "A2345")])
def test_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any], suits: str, ranks: str) -> None:
    for limits in LIMITS:
        rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
        for deal in every_deal(rules):
            solution = unwinnable(deal, rules)
            if solution is not None:
                check(solution)


@pytest.mark.slow
def test_some_deals_of_larger_small_decks_under_every_combination() -> None:
    source, sets = random.Random(5), 0
    most_states = 0
    for fields in COMBINATIONS:
        for suits, ranks in [("CDHS", "A7"), ("CDH", "A78"), ("CD", "A23456"), ("CDHS", "A78")]:
            rules = Rules(suits=suits, ranks=ranks, **fields, **source.choice(LIMITS))
            solution = unwinnable(Deal.numbered(source.getrandbits(64), rules), rules)
            if solution is not None:
                sets += 1
                most_states = max(most_states, len(check(solution).states or ()))
    assert sets > 120
    assert most_states > 100


def full_decks() -> list[tuple[str, Rules]]:
    """The presets, and what makes full deals unwinnable: everything forced, or few redeals, or none without a play."""
    rules = {f"{preset}": PRESETS[preset].rules for preset in PRESETS}
    rules |= {f"{preset} no redeal": PRESETS[preset].rules.evolve(max_redeals=0) for preset in PRESETS}
    for gather, skip, build, top in itertools.product(
        ("left-over-right", "right-over-left"), (False, True), ("suit", "rank"), (False, True)
    ):
        forced = Rules(gather=gather, skip_complete=skip, build=build, top_anywhere=top, withhold="nothing")  # type: ignore[arg-type]
        rules[f"forced {gather} {skip} {build} {top}"] = forced
        rules[f"few redeals {gather} {skip} {build} {top}"] = forced.evolve(withhold="bases", max_redeals=2)
        rules[f"no idle pass {gather} {skip} {build} {top}"] = forced.evolve(base_placement="any", idle_passes=1)
    return list(rules.items())


def certificates_of_full_deals(deals: int) -> int:
    sets = 0
    for title, rules in full_decks():
        source = random.Random(title)
        for _ in range(deals):
            solution = unwinnable(Deal.numbered(source.getrandbits(64), rules), rules)
            if solution is not None:
                check(solution)
                sets += 1
    return sets


@pytest.mark.slow
def test_full_deals_under_the_presets_and_other_rules() -> None:
    assert certificates_of_full_deals(3) > 60


@pytest.mark.heavy
def test_many_full_deals_under_the_presets_and_other_rules() -> None:
    assert certificates_of_full_deals(100) > 2_000


@pytest.mark.slow
@pytest.mark.parametrize("redeals", [0, 1])
def test_a_pass_of_more_states_than_there_is_room_for_at_first(redeals: int) -> None:
    rules = Rules.preset("pysolfc").evolve(max_redeals=redeals)
    solution = solve(Deal.numbered(4, rules), rules, engine="model")
    assert solution.stats.states > 2 * BATCH
    assert solution.verdict is Verdict.UNWINNABLE
    assert (len(check(solution).states or ()) == 1) == (redeals == 0)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=150)
def test_any_rules_any_deal(data: st.DataObject) -> None:
    rules = data.draw(games(max_ranks=5).filter(lambda found: len(found.deck) <= 9))
    solution = solve(data.draw(deals(rules)), rules, engine="model")
    if solution.verdict is Verdict.UNWINNABLE:
        check(solution)
    else:
        assert closed_set(solution.start, NONE).stop_reason is StopReason.GOAL


# What only the kernel can do.


@pytest.fixture(scope="module")
def hard() -> Certificate:
    """The certificate of a deal that the model does not decide within the states that it is given."""
    assert solve(HARD_DEAL, HARD, engine="model", limits=Limits(states=20_000)).verdict is Verdict.UNDECIDED
    solution = solve(HARD_DEAL, HARD)
    assert (solution.verdict, solution.engine) == (Verdict.UNWINNABLE, "kernel")
    return certificate_of(solution)


def test_a_deal_that_is_too_hard_for_the_model_is_proved(hard: Certificate) -> None:
    verify(hard)
    assert hard == certify(HARD_DEAL, HARD)
    assert Certificate.from_json(hard.to_json()) == hard
    states = [State.parse(text, HARD) for text in hard.states or ()]
    assert [state.canonical().text() for state in states] == sorted(set(hard.states or ()))
    assert is_true_proof(json.loads(hard.to_json()), decide=False)


@pytest.mark.slow
def test_no_state_of_it_can_be_missed(hard: Certificate) -> None:
    states = hard.states or ()
    for index in random.Random(1).sample(range(len(states)), 8):
        with pytest.raises(CertificateError, match="among the states"):
            verify(attrs.evolve(hard, states=states[:index] + states[index + 1 :]))


@pytest.mark.slow
def test_what_is_changed_in_it_is_refused_or_still_true(hard: Certificate) -> None:
    fields, source = json.loads(hard.to_json()), random.Random(2)
    for kind in KINDS:
        candidates = list(itertools.islice(kind(fields), 3_000))
        for changed in source.sample(candidates, min(len(candidates), 10)):
            try:
                verify(Certificate.from_json(json.dumps(changed)))
            except CertificateError:
                continue
            assert is_true_proof(changed, decide=False), changed


@pytest.mark.heavy
@pytest.mark.parametrize("number", [10, 63, 95, 106, 163, 201, 206, 207])
def test_harder_deals_are_proved(number: int) -> None:
    certificate = certify(Deal.numbered(number, HARD), HARD)
    assert len(certificate.states or ()) > 2_000
    verify(certificate)


# What is no proof.


def test_a_win_is_told_with_the_pass_that_has_it() -> None:
    rules = Rules(suits="C", ranks="A7")
    found = closed_set(State.parse("7C AC | - | -", rules), NONE)
    assert (found.stop_reason, found.states) == (StopReason.GOAL, ("7C AC | - | -",))
    claim = attrs.evolve(
        solve(Deal.parse("7C AC", rules), rules, engine="kernel"), verdict=Verdict.UNWINNABLE, line=None
    )
    with pytest.raises(CertificateError) as caught:
        certificate_of(claim)
    assert str(caught.value) == "expected no win of an unwinnable deal, got one in the pass of 7C AC | - | -"


def test_limits_too_large_for_the_kernel_s_states_are_the_model_s() -> None:
    rules = Rules(suits="CD", ranks="A7", withhold="nothing", max_redeals=4096)
    assert not fits.explores(rules)
    assert fits.explores(rules.evolve(max_redeals=4095))
    solution = solve(Deal.parse("7D AC 7C AD", rules), rules, engine="kernel")
    assert (solution.verdict, solution.engine) == (Verdict.UNWINNABLE, "kernel")
    verify(certificate_of(solution))


# Limits, progress and Ctrl-C.


def test_a_limit_on_states_counts_the_set(hard: Certificate) -> None:
    size, start = len(hard.states or ()), State.initial(HARD_DEAL, HARD)
    for capacity in (1, 1 << 16):
        assert closed_set(start, Limits(states=size), capacity=capacity).states == hard.states
        cut = closed_set(start, Limits(states=size - 1), capacity=capacity)
        assert (cut.stop_reason, cut.stats.states, cut.states) == (StopReason.STATES, size - 1, ())
    solution = solve(HARD_DEAL, HARD, engine="kernel")
    with pytest.raises(UndecidedError, match="expected to see all states, got 100: stopped by states"):
        certificate_of(solution, limits=Limits(states=100))
    for limits, reason in ((Limits(seconds=0), "seconds"), (Limits(memory_bytes=1), "memory")):
        with pytest.raises(UndecidedError, match=f"stopped by {reason}"):
            certificate_of(solution, limits=limits)


def test_a_set_that_no_file_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amazons_solver.proofs.certificate.MOST_ENTRIES", 300)
    solution = solve(HARD_DEAL, HARD, engine="kernel")
    for limits in (None, Limits(states=301)):
        with pytest.raises(UndecidedError, match="expected a closed set of at most 300 states for a certificate"):
            certificate_of(solution, limits=limits)
    with pytest.raises(UndecidedError, match="expected to see all states, got 300: stopped by states"):
        certificate_of(solution, limits=Limits(states=300))


def test_counts_do_not_depend_on_the_room_at_first() -> None:
    start = State.initial(Deal.numbered(10, HARD), HARD)
    found = [closed_set(start, NONE, capacity=capacity) for capacity in (1, 1 << 15)]
    counts = [attrs.evolve(one.stats, seconds=0.0) for one in found]
    assert counts[0] == counts[1]
    assert counts[0].generated == counts[0].states + counts[0].duplicates
    assert counts[0].states == counts[0].expanded == len(found[0].states) > 10_000
    assert found[0].states == found[1].states


def test_the_texts_count_too() -> None:
    start = State.initial(Deal.numbered(10, HARD), HARD)
    needed = 24 << 20
    assert closed_set(start, Limits(memory_bytes=needed)).stop_reason is StopReason.EXHAUSTED
    tracemalloc.start()
    closed_set(start, Limits(memory_bytes=needed))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.1 * needed


# Without compiling.

PROGRAM = """
from amazons_solver import Deal, Rules, certify, solve, verify
from amazons_solver.proofs.certificate import certificate_of
from amazons_solver.kernel.exact.closure_loop import resume
assert not hasattr(resume, "py_func")
sets = 0
for gather in ("left-over-right", "right-over-left"):
    for build in ("suit", "rank"):
        for limits in ({}, {"max_redeals": 2}, {"idle_passes": 2}):
            rules = Rules(suits="CD", ranks="A78", gather=gather, build=build, withhold="nothing", **limits)
            for number in range(3):
                deal = Deal.numbered(number, rules)
                by_model, by_kernel = (solve(deal, rules, engine=engine) for engine in ("model", "kernel"))
                if by_model.line is None:
                    sets += 1
                    assert certificate_of(by_model) == certificate_of(by_kernel)
print(sets)
"""


@pytest.mark.slow
def test_the_functions_do_the_same_without_being_compiled() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) >= 8
