"""Certificates: what they hold, their file, and what is refused in place of one."""

import gzip
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from amazons_solver.errors import CertificateError, NotationError, OptionError, UndecidedError
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import parse_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.proofs.certificate import Certificate, certificate_of, certify
from amazons_solver.proofs.checker import verify
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Stats
from amazons_solver.solving.solve import Solution, Verdict, solve, solve_state
from support import hostile
from support.hostile import WON_TEXT, changed
from support.proofs import is_true_proof

ONE_SUIT = Rules(suits="C", ranks="A7")
# d: 7C; d: 7C AC; AC>1; 7C>1. No other move is legal on the way.
WON = Certificate.from_json(WON_TEXT)
# Why this deal is lost is told in test_checker.py.
STUCK_RULES = Rules(
    suits="CD", ranks="A7", gather="right-over-left", skip_complete=True, withhold="nothing", max_redeals=1
)
STUCK = Certificate(
    STUCK_RULES.to_dict(),
    "7D AC AD 7C",
    "unwinnable",
    states=("7C AD AC 7D | - ; - | - ; - | redeals=0", "7D 7C | - ; - | AC ; AD | redeals=1"),
)


# Making them.


@pytest.mark.parametrize("expected", [WON, STUCK])
def test_certify_proves_either_verdict(expected: Certificate) -> None:
    rules = Rules.from_dict(expected.rules)
    certificate = certify(Deal.parse(expected.deal, rules), rules)
    assert certificate == expected
    assert certificate_of(solve(Deal.parse(expected.deal, rules), rules)) == expected
    verify(certificate)


@pytest.mark.compiled
def test_the_default_rules_are_written_out() -> None:
    assert certify(Deal.numbered(9)).rules == Rules.preset("wikipedia").to_dict()


def test_the_states_are_canonical_sorted_and_each_once() -> None:
    rules = Rules.preset("ultimate")
    states = certify(Deal.numbered(0, rules), rules).states
    assert states is not None
    assert list(states) == sorted(set(states))
    for text in states:
        state = State.parse(text, rules)
        assert state.canonical().text() == text
        assert not any(state.depots)


def test_a_certificate_does_not_depend_on_the_solution_s_search() -> None:
    rules = Rules.preset("ultimate")
    deal = Deal.numbered(0, rules)
    assert certificate_of(solve(deal, rules, order="bfs")) == certificate_of(solve(deal, rules, order="dfs"))


@pytest.mark.parametrize("proof", [WON, STUCK])
def test_repr_says_what_it_is(proof: Certificate) -> None:
    assert repr(proof) in ("<Certificate winnable, 4 moves>", "<Certificate unwinnable, 2 states>")


def test_an_undecided_deal_has_no_certificate() -> None:
    rules = Rules.preset("ultimate")
    deal = Deal.numbered(0, rules)
    for limits, name in (
        (Limits(states=10), "states"),
        (Limits(seconds=0), "seconds"),
        (Limits(memory_bytes=1), "memory"),
    ):
        with pytest.raises(UndecidedError, match=f"stopped by {name}"):
            certify(deal, rules, limits=limits)
        with pytest.raises(UndecidedError, match=f"stopped by {name}"):
            certificate_of(solve(deal, rules), limits=limits)
        with pytest.raises(UndecidedError, match=f"expected a verdict to prove, got undecided: stopped by {name}"):
            certificate_of(solve(deal, rules, limits=limits))


def test_limits_hold_for_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UndecidedError, match="stopped by states"):
        certify(Deal.parse(WON.deal, ONE_SUIT), ONE_SUIT, limits=Limits(states=2))
    monkeypatch.setattr("amazons_solver.proofs.certificate.solve", lambda deal, rules, **_: solve(deal, rules))
    with pytest.raises(UndecidedError, match="expected to see all states, got 1: stopped by states"):
        certify(Deal.parse(STUCK.deal, STUCK_RULES), STUCK_RULES, limits=Limits(states=2))


def test_limits_of_just_enough_states_do() -> None:
    rules = Rules.preset("ultimate")
    deal = Deal.numbered(0, rules)
    states = solve(deal, rules).stats.states
    assert certify(deal, rules, limits=Limits(states=states)) == certify(deal, rules)


def test_progress_is_reported_by_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amazons_solver.search.watch._SECONDS_BETWEEN_REPORTS", 0)
    rules = Rules.preset("ultimate")
    reports: list[Stats] = []
    certify(Deal.numbered(0, rules), rules, progress=reports.append)
    # Within a search no count falls, so where one does, the second has begun.
    falls = [later.states < before.states for before, later in itertools.pairwise(reports)]
    assert falls.count(True) == 1


def test_a_solution_from_the_middle_of_a_game_is_refused() -> None:
    rules = STUCK_RULES
    start = State.initial(Deal.parse(STUCK.deal, rules), rules)
    for state in (start.play_line(parse_line("d")), State.parse("7D AC AD 7C | - ; - | - ; - | redeals=1", rules)):
        with pytest.raises(OptionError) as caught:
            certificate_of(solve_state(state))
        assert str(caught.value) == f"expected the solution of a deal, got that of {state.text()}"


def test_a_wrong_solution_is_found_out() -> None:
    solution = solve(Deal.parse(WON.deal, ONE_SUIT), ONE_SUIT)
    claim: Solution = attrs.evolve(solution, verdict=Verdict.UNWINNABLE, line=None)
    with pytest.raises(CertificateError, match=r"expected no win of an unwinnable deal, got d d AC>1 7C>1"):
        certificate_of(claim)


def test_a_deal_of_another_deck_is_refused() -> None:
    with pytest.raises(NotationError, match="got 8C"):
        certify(Deal.parse("8C 7C AC", Rules(suits="C", ranks="A78")), ONE_SUIT)


# Their text and their file.


def test_the_text_is_the_documented_one() -> None:
    written = Certificate(ONE_SUIT.to_dict(), "7C AC", "winnable", line="d d AC>1 7C>1")
    assert written.to_json() == WON_TEXT
    assert written == WON
    states = json.loads(STUCK.to_json())
    assert list(states) == ["format", "version", "rules", "deal", "verdict", "states"]
    assert states["states"] == list(STUCK.states or ())


@pytest.mark.parametrize("proof", [WON, STUCK])
def test_text_and_files_are_read_back_equal(proof: Certificate, tmp_path: Path) -> None:
    assert Certificate.from_json(proof.to_json()) == proof
    for name in ("proof.json", "proof.json.gz", "proof", "proof.GZ"):
        proof.write(tmp_path / name)
        assert Certificate.read(tmp_path / name) == proof
        assert Certificate.read(str(tmp_path / name)) == proof
    assert (tmp_path / "proof.json").read_bytes() == proof.to_json().encode()
    assert gzip.decompress((tmp_path / "proof.json.gz").read_bytes()) == proof.to_json().encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["proof", "proof.GZ", "proof.json", "proof.json.gz"]


def test_a_packed_file_has_neither_name_nor_time(tmp_path: Path) -> None:
    STUCK.write(tmp_path / "one.json.gz")
    data = (tmp_path / "one.json.gz").read_bytes()
    # RFC 1952: two magic bytes, method 8, flags (8 would be a name), four bytes of time.
    assert data[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "proof.json"
    WON.write(path)
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask

    def disk_full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", disk_full)
        with pytest.raises(OSError, match="No space"):
            STUCK.write(path)
    assert Certificate.read(path) == WON
    assert list(tmp_path.iterdir()) == [path]
    STUCK.write(path)
    assert Certificate.read(path) == STUCK


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "proof.json")
    WON.write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert Certificate.read(tmp_path / "proof.json") == WON
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        try:
            WON.write(tmp_path / "pipe")
            assert reader.communicate(timeout=10)[0] == WON.to_json().encode()
        finally:
            reader.kill()
    assert (tmp_path / "pipe").is_fifo()


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    huge = attrs.evolve(WON, rules={**WON.rules, "max_redeals": 10**200})
    with pytest.raises(CertificateError, match="at most 100 digits"):
        huge.write(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_opened_are_the_system_s_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Certificate.read(tmp_path / "none.json")
    with pytest.raises(IsADirectoryError):
        Certificate.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        WON.write(tmp_path / "none" / "proof.json")
    with pytest.raises(IsADirectoryError):
        WON.write(tmp_path)


# What is refused.


def refusal(text: str) -> str:
    with pytest.raises(CertificateError) as caught:
        verify(Certificate.from_json(text))
    assert len(str(caught.value)) < 500
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "in JSON"),
        ("null", "as a JSON object, got None"),
        ("[]", "as a JSON object"),
        ('"x"', "as a JSON object"),
        ("{}", "format"),
        (WON_TEXT + "x", "in JSON"),
        (WON_TEXT.replace('"7C AC"', '"7C\0AC"'), "in JSON"),
        (WON_TEXT.replace('"version": 1', '"version": 1, "version": 1'), "each key once, got 'version' again"),
        (WON_TEXT.replace('"suits": "C"', '"suits": "C", "suits": "C"'), "each key once, got 'suits' again"),
        (changed(format=...), "expected a file with format amazons-solver certificate, got None"),
        (changed(format="amazons-solver graph"), "got 'amazons-solver graph'"),
        (changed(version=...), "expected a file with version 1, got None"),
        (changed(version=2), "expected a file with version 1, got 2"),
        (changed(version=True), "expected a file with version 1, got True"),
        (changed(version="1"), "expected a file with version 1, got '1'"),
        (changed(version=1.0), "expected whole numbers, got '1.0'"),
        (changed(verdict=...), "expected verdict as a text, got None"),
        (changed(verdict="undecided"), "expected the verdict winnable or unwinnable, got 'undecided'"),
        (changed(verdict=["winnable"]), "expected verdict as a text, got ['winnable']"),
        (changed(verdict="unwinnable"), "states is missing"),
        (changed(line=...), "line is missing"),
        (changed(deal=...), "deal is missing"),
        (changed(rules=...), "rules is missing"),
        (changed(states=[]), "'states' is not one of them"),
        (changed(comment="x"), "'comment' is not one of them"),
        (changed(rules=["C"]), "expected rules as a JSON object, got ['C']"),
        (changed(rules=None), "expected rules as a JSON object, got None"),
        (changed(rules={}), "expected every field of the rules"),
        (changed(rules={**WON.rules, "colour": "red"}), "colour"),
        (changed(rules={**WON.rules, "self": 1}), "self"),
        (changed(rules={**WON.rules, "suits": ["C"]}), "suits"),
        (changed(rules={**WON.rules, "max_redeals": True}), "max_redeals"),
        (changed(rules={**WON.rules, "max_redeals": {"n": 1}}), "at most 2 times {"),
        (changed(rules={**WON.rules, "max_redeals": 1e9}), "expected whole numbers"),
        (changed(rules={**WON.rules, "max_redeals": float("nan")}), "expected whole numbers, got 'NaN'"),
        (changed(rules={**WON.rules, "max_redeals": float("-inf")}), "expected whole numbers, got '-Infinity'"),
        (
            WON_TEXT.replace('"max_redeals": null', f'"max_redeals": 1{"0" * 4000}'),
            "at most 100 digits, got one",
        ),
        (WON_TEXT.replace('"max_redeals": null', f'"max_redeals": -1{"0" * 9000}'), "at most 100 digits"),
        (WON_TEXT.replace('"max_redeals": null', f'"max_redeals": -1{"0" * 50}'), "a number of more than 64 bits"),
        (changed(deal=["7C", "AC"]), "expected deal as a text"),
        (changed(deal=7), "expected deal as a text, got 7"),
        (changed(deal="7C AC\0"), "card 2"),
        (changed(deal="7C AC" + " " * 1000), "expected deal of at most 1000 characters, got 1005"),
        (changed(line=["d", "d"]), "expected line as a text"),
        (changed(line=None), "expected line as a text"),
        (changed(line="d\0d"), "(move 1)"),
        (changed(verdict="unwinnable", line=..., states=None), "expected states as a JSON array, got None"),
        (changed(verdict="unwinnable", line=..., states="7C AC | - | -"), "expected states as a JSON array"),
        (changed(verdict="unwinnable", line=..., states=[["7C AC | - | -"]]), "at most 1 times ["),
        (changed(verdict="unwinnable", line=..., states=[1]), "expected state 1 as a text, got 1"),
        (
            changed(verdict="unwinnable", line=..., states=["7C AC | - | -", None]),
            "expected state 2 as a text",
        ),
        (changed(verdict="unwinnable", line=..., states=["7C\0AC | - | -"]), "(state 1)"),
        (changed(verdict="unwinnable", line=..., states=["\ud800 | - | -"]), "(state 1)"),
        (changed(verdict="unwinnable", line=..., states=["|" * 2000]), "expected state 1 of at most 1000 characters"),
    ],
)
def test_bad_texts_are_refused_in_a_line(text: str, fault: str) -> None:
    message = refusal(text)
    assert fault in message
    assert "\n" not in message


def test_what_is_not_ascii_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for data in (b"\xff\xfe{", b"\xef\xbb\xbf{}", WON_TEXT.replace("7C", "7♣").encode()):
        path.write_bytes(data)
        with pytest.raises(CertificateError, match="expected a certificate in ASCII"):
            Certificate.read(path)


def test_the_name_says_whether_a_file_is_packed(tmp_path: Path) -> None:
    (tmp_path / "proof.gz").write_text(WON_TEXT)
    with pytest.raises(CertificateError, match=r"packed by gzip, as its name ends in \.gz"):
        Certificate.read(tmp_path / "proof.gz")
    (tmp_path / "proof.json").write_bytes(gzip.compress(WON_TEXT.encode()))
    with pytest.raises(CertificateError, match="ASCII"):
        Certificate.read(tmp_path / "proof.json")


@pytest.mark.slow
def test_every_truncation_of_a_packed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    data = gzip.compress(WON_TEXT.encode())
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        with pytest.raises(CertificateError, match="cut short"):
            Certificate.read(path)


@pytest.mark.slow
def test_a_flipped_bit_in_any_byte_of_a_packed_file_is_refused_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    data = gzip.compress(WON_TEXT.encode(), mtime=0)
    refused = 0
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        try:
            certificate = Certificate.read(path)
        except CertificateError:
            refused += 1
            continue
        assert certificate == WON
    # Time, system and such in the header's ten bytes, and padding of the last byte packed, are no part of the text.
    assert refused >= len(data) - 10 - 1


def test_a_packed_file_ends_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    packed = gzip.compress(WON_TEXT.encode())
    for more in (b"x", b"\0", packed, gzip.compress(b"")):
        path.write_bytes(packed + more)
        with pytest.raises(CertificateError, match="it goes on after its end"):
            Certificate.read(path)


# Hostile files.


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, float]]:
    """What a process of 640 MiB says of each hostile file, and in how many seconds."""
    script = str(Path(hostile.__file__))
    arguments = [sys.executable, script, str(tmp_path_factory.mktemp("hostile"))]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return {row["name"]: (row["answer"], row["seconds"]) for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.FILES)
def test_hostile_files_are_refused_in_bounded_time_and_memory(name: str, answers: dict[str, tuple[str, float]]) -> None:
    answer, seconds = answers[name]
    assert hostile.FILES[name][1] in answer
    assert answer.startswith("CertificateError: ")
    assert len(answer) < 500
    assert seconds < 10


@pytest.mark.slow
def test_a_text_has_the_same_bound_as_a_file() -> None:
    with pytest.raises(CertificateError, match="at most 67108864 bytes"):
        Certificate.from_json(WON_TEXT + " " * 64 * 2**20)


@pytest.mark.slow
def test_an_endless_line_of_legal_moves_is_given_up() -> None:
    # Two idle passes are no progress and no end either: d d r, again and again.
    rules = Rules(suits="C", ranks="A7", withhold="any")
    endless = Certificate(rules.to_dict(), "7C AC", "winnable", line="d d r " * 5000)
    with pytest.raises(UndecidedError, match="at most 10000 moves"):
        verify(endless, max_states=10_000)
    assert "expected the line to end in a won state" in refusal(endless.to_json())


def test_the_oracle_of_the_tampering_tests_agrees_here() -> None:
    assert is_true_proof(json.loads(WON_TEXT))
    assert is_true_proof(json.loads(STUCK.to_json()))
    assert not is_true_proof(json.loads(changed(line="d d AC>1")))
