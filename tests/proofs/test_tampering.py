"""Tampered certificates: every single change to small ones, random changes to large ones.

Whatever the checker accepts must be a true proof of what it now says, and whatever is one must be accepted, as judged
by the naive reference (tests/support/proofs.py).
"""

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from amazons_solver.errors import CertificateError
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.proofs.certificate import Certificate, certify
from amazons_solver.proofs.checker import verify
from support.proofs import is_true_proof
from support.tampering import KINDS, Fields

pytestmark = pytest.mark.slow

SMALL = {
    "a seven stuck": ("7D AC AD 7C", "wikipedia", {"ranks": "A7", "gather": "right-over-left", "withhold": "nothing"}),
    "forced": ("AC 7D 7C 8C 8D AD", "ultimate", {"ranks": "A78", "base_placement": "any"}),
    "two idle passes": ("AD 7C 8C 7D 8D AC", "patiencen", {"ranks": "A78"}),
    "both limits": ("AC 7C AD 7H 7D AH", "patiencen", {"suits": "CDH", "ranks": "A7", "max_redeals": 2}),
    "by rank, no redeal": ("7C 7D 8C 8D AC AD", "pysolfc", {"ranks": "A78", "max_redeals": 0}),
    "by rank, one redeal": ("7C 7D 8C 9C AD 9D AC 8D", "pysolfc", {"ranks": "A789", "max_redeals": 1}),
    "one suit, one redeal": ("TC JC 9C 7C 8C AC", "wikipedia", {"suits": "C", "ranks": "A789TJ", "max_redeals": 1}),
    "bases withheld, one redeal": ("7C 7D 8C AC AD 8D", "wikipedia", {"ranks": "A78", "max_redeals": 1}),
    "own suits": (
        "7S AH 7H 7D AD AS",
        "pysolfc-2.16",
        {"suits": "DHS", "ranks": "A7", "withhold": "nothing", "top_anywhere": False, "gather": "right-over-left"},
    ),
    "own suits, no redeal": ("8D AD 7D 7S 8S AS", "pysolfc-2.16", {"suits": "DS", "ranks": "A78", "max_redeals": 0}),
    "won, own suits": ("7S AD 7D AS 8S 8D", "pysolfc-2.16", {"suits": "DS", "ranks": "A78"}),
    "won, bases withheld": ("7D AC AD 7C", "wikipedia", {"ranks": "A7"}),
    "won, all withheld, by rank": ("8D 7C 8C 7D AD AC", "pysolfc", {"ranks": "A78", "idle_passes": 3}),
    "won, tops from anywhere": ("7C AD AC 8D 7D 8C", "morehead", {"ranks": "A78", "max_redeals": 5}),
}


def certificate_for(deal: str, preset: str, changes: Fields) -> Certificate:
    rules = Rules.preset(preset).evolve(**{"suits": "CD", **changes})
    return certify(Deal.parse(deal, rules), rules)


def is_accepted(text: str) -> bool:
    """Whether the file's text is read and the checker accepts it; any other error than its own fails the test."""
    try:
        verify(Certificate.from_json(text))
    except CertificateError:
        return False
    return True


@pytest.fixture(scope="module", params=SMALL)
def small(request: pytest.FixtureRequest) -> Fields:
    certificate = certificate_for(*SMALL[request.param])
    assert certificate.verdict == ("winnable" if request.param.startswith("won") else "unwinnable")
    fields: Fields = json.loads(certificate.to_json())
    assert is_true_proof(fields)
    return fields


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_single_change_of_a_small_certificate(small: Fields, kind: Callable[[Fields], Iterator[Fields]]) -> None:
    for changed in kind(small):
        if changed != small:
            assert is_accepted(json.dumps(changed)) == is_true_proof(changed), changed


def test_every_truncation_of_a_small_certificate(small: Fields) -> None:
    text = json.dumps(small, indent=1)
    assert is_accepted(text)
    assert not [cut for cut in range(len(text)) if is_accepted(text[:cut])]


def test_every_changed_character_of_a_small_certificate(small: Fields) -> None:
    text = json.dumps(small, indent=1)
    for place in range(len(text)):
        for character in ("", *'07C-"'):
            changed = text[:place] + character + text[place + 1 :]
            if is_accepted(changed) and json.loads(changed) != small:
                assert is_true_proof(json.loads(changed)), changed


def test_the_changes_are_of_both_sorts() -> None:
    """Were all of them refused, or all accepted, the tests above would say little."""
    counts: Counter[tuple[str, bool]] = Counter()
    for name in ("forced", "both limits", "won, all withheld, by rank"):
        fields = json.loads(certificate_for(*SMALL[name]).to_json())
        for kind in KINDS:
            counts.update((kind.__name__, is_accepted(json.dumps(changed))) for changed in kind(fields))
    assert all(counts[kind.__name__, False] >= 10 for kind in KINDS)
    assert all(counts[f"{kind}_changes", True] for kind in ("rules", "deal", "line", "state"))


LARGE = {
    "ultimate": (2, "ultimate", {}),
    "patiencen": (3, "patiencen", {}),
    "both limits": (0, "wikipedia", {"withhold": "nothing", "max_redeals": 6, "idle_passes": 3}),
    "forced": (2, "wikipedia", {"withhold": "nothing"}),
    "won, forced": (2, "patiencen", {}),
    "won, bases withheld": (5, "morehead", {}),
    "won, by rank": (7, "pysolfc", {}),
}


@pytest.mark.parametrize("name", LARGE)
def test_random_changes_of_a_large_certificate(name: str) -> None:
    number, preset, changes = LARGE[name]
    rules = Rules.preset(preset).evolve(**changes)
    fields = json.loads(certify(Deal.numbered(number, rules), rules).to_json())
    assert fields["verdict"] == ("winnable" if name.startswith("won") else "unwinnable")
    assert is_accepted(json.dumps(fields))
    source = random.Random(name)
    for kind in KINDS:
        candidates = list(itertools.islice(kind(fields), 20_000))
        for changed in source.sample(candidates, min(len(candidates), 30)):
            if changed != fields and is_accepted(json.dumps(changed)):
                assert is_true_proof(changed, decide=not name.startswith("won")), changed
    text = json.dumps(fields)
    for cut in source.sample(range(len(text)), 100):
        assert not is_accepted(text[:cut])
        place = source.randrange(len(text))
        altered = text[:place] + source.choice("0123456789TJQKACDHS-|; ") + text[place + 1 :]
        if is_accepted(altered) and json.loads(altered) != fields:
            assert is_true_proof(json.loads(altered), decide=not name.startswith("won")), altered
