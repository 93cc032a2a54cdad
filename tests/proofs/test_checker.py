"""The proof checker on proofs written by hand; the games are played out in the comments."""

import ast
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from amazons_solver.errors import CertificateError, UndecidedError
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.proofs.certificate import Certificate, certify
from amazons_solver.proofs.checker import verify
from support.known import load_verdicts


@attrs.frozen
class HandMade:
    """A certificate that is not the library's: the checker takes anything of this form."""

    rules: Mapping[str, object]
    deal: str
    verdict: str
    line: str | None = None
    states: tuple[str, ...] | None = None


# One depot. d: 7C; d: 7C AC; AC>1; 7C>1.
ONE_SUIT = Rules(suits="C", ranks="A7").to_dict()
WON = HandMade(ONE_SUIT, "7C AC", "winnable", line="d d AC>1 7C>1")

# Compulsory plays, the leftmost depot first at a redeal, and skipping, so that no lemma applies. The first pass:
# d: 7D ; AC. AC>1, for nothing may be withheld. d: 7D AD ; 7C. AD>2. Now 7D is below the clubs and 7C below the
# diamonds. r: 7D 7C. The second pass: d: 7D ; 7C, neither can be played, r: 7D 7C, and so on for ever. Five states, and
# then two.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", skip_complete=True, withhold="nothing").to_dict()
START, LOOP = "7D AC AD 7C | - ; - | - ; -", "7D 7C | - ; - | AC ; AD"
STUCK = HandMade(STUCK_RULES, "7D AC AD 7C", "unwinnable", states=(START, LOOP))

# Both aces can be played, in either order, each above its depot: d: AC ; AD. AC>1 and AD>2. d: 7D ; 7C, blocked.
# Six states: the start, the row, one ace played (two of them), both played, the second row.
EITHER_ORDER = HandMade(
    Rules(suits="CD", ranks="A7", base_placement="above", withhold="nothing", max_redeals=0).to_dict(),
    "AC AD 7D 7C",
    "unwinnable",
    states=("AC AD 7D 7C | - ; - | - ; - | redeals=0",),
)

# By rank, the leftmost foundation first: d: AC ; AD. Either ace goes first, and the tops are AC, AD or AD, AC: not the
# same state, though one like it. d: 9C ; 9D. d: 9C 7C ; 9D 8C. 7C>1. d: 9C 7D ; 9D 8C 8D: foundation 1 wants an eight
# and foundation 2 a seven, blocked. Two states before the aces are played, and six in each order.
ALIKE_BUT_NOT_THE_SAME = HandMade(
    Rules(suits="CD", ranks="A789", build="rank", withhold="nothing", max_redeals=0).to_dict(),
    "AC AD 9C 9D 7C 8C 7D 8D",
    "unwinnable",
    states=("AC AD 9C 9D 7C 8C 7D 8D | - ; - | - ; - | redeals=0",),
)

# By rank, nothing withheld, one redeal: d: 8C ; 7C. d: 8C AC ; 7C 8D. AC>1. d: 8C 7D ; 7C 8D AD. AD>2 and 7D>1, 8C>1.
# 8D is above 7C, foundation 2 wants a seven. r: 7C 8D. d: 7C ; 8D. 7C stands below a complete foundation. Blocked.
BY_RANK_RULES = Rules(
    suits="CD", ranks="A78", build="rank", gather="left-over-right", withhold="nothing", max_redeals=1
).to_dict()
BY_RANK = HandMade(
    BY_RANK_RULES,
    "8C 7C AC 8D 7D AD",
    "unwinnable",
    states=("8C 7C AC 8D 7D AD | - ; - | - ; - | redeals=0", "7C 8D | - ; - | 8C ; AD | redeals=1"),
)


def refusal(certificate: HandMade, **options: Any) -> str:
    with pytest.raises(CertificateError) as caught:
        verify(certificate, **options)
    return str(caught.value)


@pytest.mark.parametrize("proof", [WON, STUCK, EITHER_ORDER, ALIKE_BUT_NOT_THE_SAME, BY_RANK])
def test_true_proofs_are_accepted(proof: HandMade) -> None:
    verify(proof)


def test_the_library_writes_the_proof_that_was_found_by_hand() -> None:
    rules = Rules(**STUCK_RULES)
    certificate = certify(Deal.parse(STUCK.deal, rules), rules)
    # The canonical form of the start: diamonds are met first, so they are called clubs.
    assert certificate.states == ("7C AD AC 7D | - ; - | - ; -", LOOP)
    assert (certificate.verdict, certificate.line, certificate.deal) == ("unwinnable", None, STUCK.deal)


# What can be wrong with rules, deal and verdict.


@pytest.mark.parametrize("name", list(STUCK_RULES))
def test_every_field_of_the_rules_must_be_there(name: str) -> None:
    rules = {key: value for key, value in STUCK_RULES.items() if key != name}
    assert refusal(attrs.evolve(STUCK, rules=rules)) == f"expected every field of the rules, got none for {name}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("suit", "C"),
        ("self", 1),
        ("cls", 1),
        ("", 0),
        ("suits", "DC"),
        ("suits", ["C", "D"]),
        ("ranks", ""),
        ("ranks", None),
        ("build", "colour"),
        ("gather", 1),
        ("top_anywhere", 0),
        ("skip_complete", "no"),
        ("withhold", {"any": "any"}),
        ("max_redeals", -1),
        ("max_redeals", True),
        ("max_redeals", 1.0),
        ("max_redeals", "1"),
        ("idle_passes", 0),
        ("idle_passes", -(10**4000)),
    ],
)
def test_bad_rules_are_refused_by_name(name: str, value: object) -> None:
    message = refusal(attrs.evolve(STUCK, rules={**STUCK_RULES, name: value}))
    assert name in message
    assert len(message) < 500


def test_numbers_of_any_size_are_taken_as_limits() -> None:
    rules = {**EITHER_ORDER.rules, "max_redeals": 10**4000}
    assert "state" in refusal(attrs.evolve(EITHER_ORDER, rules=rules))  # not blocked any more: a redeal leads out


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        ("7D AC AD", "7C is missing"),
        ("7D AC AD 7C 7C", "7C is repeated"),
        ("7D AC AD 8C", "got 8C (card 4)"),
        ("7D AC AD \0", "(card 4)"),
        ("", "got none"),
    ],
)
def test_a_bad_deal_is_refused(deal: str, fault: str) -> None:
    assert fault in refusal(attrs.evolve(STUCK, deal=deal))


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": "winnable"},
        {"verdict": "undecided"},
        {"verdict": ""},
        {"states": None},
        {"line": ""},
        {"line": WON.line},
    ],
)
def test_verdict_and_proof_must_belong_together(changes: dict[str, Any]) -> None:
    assert "expected the verdict winnable with a line alone" in refusal(attrs.evolve(STUCK, **changes))


@pytest.mark.parametrize("changes", [{"verdict": "unwinnable"}, {"line": None}, {"states": ()}])
def test_a_line_proves_winnable_alone(changes: dict[str, Any]) -> None:
    assert "expected the verdict winnable with a line alone" in refusal(attrs.evolve(WON, **changes))


# What can be wrong with a line.


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("d d AC>1", "expected the line to end in a won state, got - | 7C | AC"),
        ("", "expected the line to end in a won state, got 7C AC | - | -"),
        ("d AC>1 d 7C>1", "(move 2)"),
        ("d d 7C>1 AC>1", "(move 3)"),
        ("d d AC>2 7C>1", "(move 3)"),
        ("d d AC>1 7C>1 d", "(move 5)"),
        ("d d AC>1 7C>1 7C>1", "(move 5)"),
        ("d d x 7C>1", "(move 3)"),
        ("d d \0", "(move 3)"),
    ],
)
def test_a_bad_line_is_refused_by_its_first_bad_move(line: str, fault: str) -> None:
    assert refusal(attrs.evolve(WON, line=line)).endswith(fault)


def test_a_line_may_have_as_many_moves_as_states_may_be_walked() -> None:
    verify(WON, max_states=4)
    with pytest.raises(UndecidedError, match="at most 3 moves"):
        verify(WON, max_states=3)


# What can be wrong with a set of states.


@pytest.mark.parametrize(
    ("states", "fault"),
    [
        ((LOOP,), "expected 7C AD AC 7D | - ; - | - ; -, the initial state, among the states"),
        ((), "expected 7C AD AC 7D | - ; - | - ; -, the initial state, among the states"),
        ((START,), "expected 7D 7C | - ; - | AC ; AD among the states (after the pass of state 1)"),
        # 7C before 7D: d: 7C ; 7D, both can be played, and the deal is won.
        ((START, "7C 7D | - ; - | AC ; AD"), "expected 7D 7C | - ; - | AC ; AD among the states"),
        ((START, LOOP, "7C 7D | - ; - | AC ; AD"), "got - | - ; - | 7C ; 7D (in the pass of state 3)"),
        ((START, LOOP, "- | - ; - | 7C ; 7D"), "got - | - ; - | 7C ; 7D (in the pass of state 3)"),
        ((START, START, LOOP), f"expected each state once, got {START} again (state 2)"),
        ((START, LOOP, "7C 7D | - ; - | AD ; AC"), "got 7C 7D | - ; - | AD ; AC again (state 3)"),
        ((START, LOOP, ""), "(state 3)"),
        ((START, "7D | - ; - | AC ; AD", LOOP), "(state 2)"),
        ((START, "7D 7C 7C | - ; - | AC ; AD"), "(state 2)"),
        ((START, "7D 7H | - ; - | AC ; AD"), "(state 2)"),
        ((START, f"{LOOP} | redeals=1"), "(state 2)"),
        ((START, LOOP.replace("7D", "\0")), "(state 2)"),
    ],
)
def test_a_bad_set_is_refused_by_its_first_bad_entry(states: tuple[str, ...], fault: str) -> None:
    assert fault in refusal(attrs.evolve(STUCK, states=states))


def test_members_stand_for_all_states_like_them() -> None:
    verify(attrs.evolve(STUCK, states=("7C AD AC 7D | - ; - | - ; -", "7C 7D | - ; - | AD ; AC")))
    exchanged = ("8D 7C AD 8C 7D AC | - ; - | - ; - | redeals=0", "7C 8C | - ; - | 8D ; AD | redeals=1")
    verify(attrs.evolve(BY_RANK, states=exchanged))


def test_members_that_are_not_needed_do_no_harm() -> None:
    # The second is met in the pass of the first: d. AC>1.
    verify(attrs.evolve(STUCK, states=(START, "AD 7C | 7D ; - | AC ; -", LOOP)))


def test_counters_tell_states_apart() -> None:
    # One redeal: LOOP has none left.
    rules = {**STUCK_RULES, "max_redeals": 1}
    proof = attrs.evolve(STUCK, rules=rules, states=(f"{START} | redeals=0", f"{LOOP} | redeals=1"))
    verify(proof)
    assert "redeals=1 among" in refusal(attrs.evolve(proof, states=(f"{START} | redeals=0", f"{LOOP} | redeals=0")))
    assert "initial state" in refusal(attrs.evolve(proof, states=(f"{START} | redeals=1", f"{LOOP} | redeals=1")))
    # A pass without a play ends the game; the first one has plays, so its redeal is legal.
    rules = {**STUCK_RULES, "idle_passes": 1}
    verify(attrs.evolve(STUCK, rules=rules, states=tuple(f"{s} | idle=0 played=0" for s in (START, LOOP))))


def test_a_deal_that_is_won_in_its_first_pass_is_not_unwinnable() -> None:
    claim = HandMade(ONE_SUIT, "7C AC", "unwinnable", states=("7C AC | - | -",))
    assert "expected no won state, got - | - | 7C (in the pass of state 1)" in refusal(claim)


@pytest.mark.parametrize(("proof", "walked"), [(STUCK, 5 + 2), (EITHER_ORDER, 6), (ALIKE_BUT_NOT_THE_SAME, 2 + 2 * 6)])
def test_each_state_of_a_pass_is_walked_once_and_the_walk_is_bounded(proof: HandMade, walked: int) -> None:
    verify(proof, max_states=walked)
    with pytest.raises(UndecidedError, match=f"at most {walked - 1} states"):
        verify(proof, max_states=walked - 1)


# What a lemma (docs/lemmas.md) proves lost needs no entry.

# 1: as STUCK, but without skipping. 7D comes to depot 1 in every pass, below the clubs.
STUCK_FIRST = HandMade({**STUCK_RULES, "skip_complete": False}, STUCK.deal, "unwinnable", states=(START,))
# 2: d: 7D ; AC. AC>1. d: 7D 7C ; AD. 7C>1 and AD>2. r: 7D, and it comes to depot 1 for ever, below the complete clubs.
CLOSED = HandMade(
    Rules(suits="CD", ranks="A7", withhold="nothing").to_dict(),
    "7D AC 7C AD",
    "unwinnable",
    states=("7D AC 7C AD | - ; - | - ; -",),
)
# 3: d: AC ; AD ; 7C. AC>1 and AD>2. d: 7H ; 7D ; 7C AH. 7D>2 and AH>3. r: 7C 7H. No card comes to depot 3 any more.
TOO_FEW = HandMade(
    Rules(suits="CDH", ranks="A7", base_placement="above", withhold="nothing").to_dict(),
    "AC AD 7C 7H 7D AH",
    "unwinnable",
    states=("AC AD 7C 7H 7D AH | - ; - ; - | - ; - ; -",),
)


@pytest.mark.parametrize(
    ("proof", "after"),
    [
        (STUCK_FIRST, LOOP),
        (CLOSED, "7D | - ; - | 7C ; AD"),
        (TOO_FEW, "7C 7H | - ; - ; - | AC ; 7D ; AH"),
    ],
)
def test_what_a_lemma_proves_lost_needs_no_entry(proof: HandMade, after: str) -> None:
    verify(proof)
    verify(attrs.evolve(proof, states=(*(proof.states or ()), after)))
    # With skipping no lemma holds, and the first pass is the same: no foundation is complete before its last row.
    message = refusal(attrs.evolve(proof, rules={**proof.rules, "skip_complete": True}))
    assert message == f"expected {after} among the states (after the pass of state 1)"


@pytest.mark.parametrize("changes", [{"withhold": "any"}, {"top_anywhere": True}, {"gather": "left-over-right"}])
def test_a_lemma_does_not_hide_a_win(changes: dict[str, Any]) -> None:
    """AC and AD may stay until they can go elsewhere; a seven may go from any depot; or 7C comes before 7D."""
    message = refusal(attrs.evolve(STUCK_FIRST, rules={**STUCK_FIRST.rules, **changes}))
    assert message.endswith(("(after the pass of state 1)", "(in the pass of state 1)"))


# The checker itself.


def test_the_checker_imports_the_model_only() -> None:
    tree = ast.parse(Path(inspect.getfile(verify)).read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    own = {name for name in names if name and name.startswith("amazons_solver")}
    assert own
    assert all(name == "amazons_solver.errors" or name.startswith("amazons_solver.model.") for name in own)


# Real deals.


@pytest.mark.compiled
def test_known_verdicts_are_proved() -> None:
    chosen = [row for row in load_verdicts() if row["deal"] in (4, 9)]
    assert {(row["preset"], row["verdict"]) for row in chosen} >= {
        ("wikipedia", "winnable"),
        ("wikipedia", "unwinnable"),
        ("morehead", "winnable"),
        ("morehead", "unwinnable"),
        ("ultimate", "winnable"),
        ("ultimate", "unwinnable"),
        ("patiencen", "winnable"),
        ("patiencen", "unwinnable"),
        ("pysolfc", "winnable"),
    }
    for row in chosen:
        rules = Rules.preset(row["preset"]).evolve(**row["set"])
        certificate = certify(Deal.parse(row["cards"], rules), rules)
        assert certificate.verdict == row["verdict"]
        verify(certificate)


@pytest.mark.compiled
@pytest.mark.parametrize("preset", ["wikipedia", "morehead", "ultimate", "patiencen", "pysolfc"])
def test_both_verdicts_are_proved_under_every_preset(preset: str) -> None:
    # All full deals tried are winnable under three of the presets, until redeals are limited.
    found = set()
    for rules in (Rules.preset(preset), Rules.preset(preset).evolve(max_redeals=0)):
        for number in (2, 9):
            certificate = certify(Deal.numbered(number, rules), rules)
            verify(certificate)
            found.add(certificate.verdict)
    assert found == {"winnable", "unwinnable"}


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "examples" / "certificates").iterdir()), ids=str)
def test_the_certificates_of_the_examples_hold(path: Path) -> None:
    certificate = Certificate.read(path)
    assert certificate.verdict == "unwinnable"
    verify(certificate)
