"""Proofs under any rules: what is certified is the truth, is accepted, and stays true however it is changed."""

import itertools
import json
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, UndecidedError
from amazons_solver.errors import CertificateError
from amazons_solver.proofs.certificate import Certificate, certify
from amazons_solver.proofs.checker import verify
from support.arbitrary import deals, rules
from support.choices import COMBINATIONS
from support.proofs import is_true_proof, truth
from support.tampering import KINDS

pytestmark = pytest.mark.slow


@given(st.data())
@settings(max_examples=70)
def test_a_certificate_of_any_small_deal_is_true_and_accepted(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=4))
    deal = data.draw(deals(chosen))
    try:
        certificate = certify(deal, chosen, limits=Limits(states=3_000))
    except UndecidedError:
        assume(False)
    verify(certificate)
    assert Certificate.from_json(certificate.to_json()) == certificate
    assert certificate.verdict == truth(chosen.to_dict(), str(deal))
    assert is_true_proof(json.loads(certificate.to_json()))


@given(st.data(), st.sampled_from(["nothing", "nothing", "bases", "any"]), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_a_changed_certificate_is_refused_or_still_true(
    data: st.DataObject, withhold: str, source: random.Random
) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=3)).evolve(withhold=withhold)
    fields = json.loads(certify(data.draw(deals(chosen)), chosen).to_json())
    for kind in KINDS:
        candidates = list(itertools.islice(kind(fields), 5_000))
        for changed in source.sample(candidates, min(len(candidates), 8)):
            try:
                verify(Certificate.from_json(json.dumps(changed)))
            except CertificateError:
                assert changed == fields or not is_true_proof(changed), changed
            else:
                assert is_true_proof(changed), changed


@given(st.data())
@settings(max_examples=40)
def test_for_a_deal_with_the_suits_renamed_the_same_set_is_a_proof(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=4, max_ranks=3))
    deal = data.draw(deals(chosen))
    try:
        certificate = certify(deal, chosen, limits=Limits(states=2_000))
    except UndecidedError:
        assume(False)
    new = dict(zip(chosen.suits, data.draw(st.permutations(chosen.suits)), strict=True))
    assume(chosen.base_placement != "suit")  # where the suits are told apart
    renamed = Deal.parse(" ".join(card[0] + new[card[1]] for card in str(deal).split()), chosen)
    other = certify(renamed, chosen)
    assert (other.verdict, other.states) == (certificate.verdict, certificate.states)


def test_a_certificate_for_every_deal_of_a_small_deck_under_every_combination() -> None:
    limits = itertools.cycle([(None, None), (0, None), (None, 1), (1, 2), (2, None)])
    found = set()
    for fields in COMBINATIONS:
        max_redeals, idle_passes = next(limits)
        chosen = Rules(suits="CD", ranks="A7", max_redeals=max_redeals, idle_passes=idle_passes, **fields)
        for cards in itertools.permutations(chosen.deck):
            certificate = certify(Deal(cards), chosen)
            verify(certificate)
            assert certificate.verdict == truth(chosen.to_dict(), str(Deal(cards))), (chosen, cards)
            found.add((chosen.build, chosen.withhold, certificate.verdict))
    unwinnable = {key[:2] for key in found if key[2] == "unwinnable"}
    assert unwinnable >= {("suit", "nothing"), ("suit", "bases"), ("rank", "nothing")}
    assert len({key for key in found if key[2] == "winnable"}) == 2 * 3
