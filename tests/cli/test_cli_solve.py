"""What `solve` answers: the contract of the command line, checked against known values."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from amazons_solver import Deal, Rules, State, parse_line
from amazons_solver.cli.commands import solve
from amazons_solver.cli.options import bytes_of
from support.command_line import SMALL, SMALL_DEALS, assert_refused, run
from support.known import load_verdicts

KEYS = ["deal", "cards", "rules", "verdict", "line", "moves", "redeals", "states", "seconds", "stop_reason", "engine"]
LOST = ["--pysolfc", "24680", "--rules", "patiencen"]  # unwinnable: see DESIGN's opening example
WON = ["--pysolfc", "24680", "--rules", "pysolfc"]

ROWS = load_verdicts()
SLOW = [
    ("wikipedia", {}),
    ("wikipedia", {"withhold": "any"}),
    ("patiencen", {"idle_passes": None, "withhold": "bases"}),
]
GROUPS = [
    (preset, settings, list(rows))
    for (preset, settings), rows in itertools.groupby(ROWS, key=lambda row: (row["preset"], row["set"]))
    if (preset, settings) not in SLOW
]


def as_options(preset: str, settings: dict[str, Any]) -> list[str]:
    texts = {field: "none" if value is None else str(value).lower() for field, value in settings.items()}
    plain = {field: settings[field] if field in ("suits", "ranks") else text for field, text in texts.items()}
    return ["--rules", preset, *(word for field, text in plain.items() for word in ("--set", f"{field}={text}"))]


def check_answer(answer: dict[str, Any], row: dict[str, Any]) -> None:
    """Check an answer by a known row: every field, and the line by playing it."""
    rules = Rules.preset(row["preset"]).evolve(**row["set"])
    assert list(answer) == KEYS
    assert answer["cards"] == row["cards"]
    assert answer["rules"] == rules.to_dict()
    assert answer["verdict"] == row["verdict"]
    assert answer["seconds"] >= 0
    assert answer["states"] >= 1
    counted = "canonical_states" in row
    small = counted and row["canonical_states"] <= 2_000  # else the engine may be any
    assert answer["engine"] in (["model"] if small else ["model", "kernel"])
    if counted:
        assert answer["states"] <= row["canonical_states"]
    if row["verdict"] == "winnable":
        line = parse_line(answer["line"])
        assert State.initial(Deal.parse(row["cards"], rules), rules).play_line(line).is_won
        assert answer["moves"] == len(line) >= row.get("fewest_moves", 0)
        assert answer["redeals"] == answer["line"].split().count("r") >= row.get("fewest_redeals", 0)
        assert answer["stop_reason"] == "goal"
    else:
        assert (answer["line"], answer["moves"], answer["redeals"]) == (None, None, None)
        assert answer["stop_reason"] == "exhausted"
        assert answer["states"] == row["canonical_states"] or answer["engine"] == "kernel"


def test_the_rows_are_there() -> None:
    assert sum(len(rows) for _, _, rows in GROUPS) >= 360


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: " ".join(as_options(group[0], group[1])[1:]))
def test_answers_are_the_known_ones(group: tuple[str, dict[str, Any], list[dict[str, Any]]], tmp_path: Path) -> None:
    preset, settings, rows = group
    file = tmp_path / "deals.txt"
    file.write_text("".join(f"{row['cards']}\n" for row in rows))
    result = run("solve", "--file", file, *as_options(preset, settings), "--json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["deal"] for answer in answers] == [f"line {number}" for number in range(1, len(rows) + 1)]
    for answer, row in zip(answers, rows, strict=True):
        check_answer(answer, row)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS[::60], ids=lambda row: f"{row['preset']}-{row['deal']}")
def test_a_numbered_deal_is_the_known_one(row: dict[str, Any]) -> None:
    options = as_options(row["preset"], row["set"])
    result = run("solve", "--number", str(row["deal"]), *options, "--engine", "model", "--json")
    answer = json.loads(result.stdout)
    assert (answer["deal"], answer["engine"]) == (row["deal"], "model")
    check_answer(answer, row)


@pytest.mark.slow
def test_breadth_first_finds_fewest_moves() -> None:
    rows = [row for row in ROWS if row.get("fewest_moves", 0) > 1 and row["canonical_states"] < 2000][::10]
    assert len(rows) > 10
    for row in rows:
        options = as_options(row["preset"], row["set"])
        answer = json.loads(run("solve", "--number", str(row["deal"]), *options, "--order", "bfs", "--json").stdout)
        assert answer["moves"] == row["fewest_moves"]
        check_answer(answer, row)


@pytest.mark.parametrize(
    ("arguments", "label"),
    [
        (["--number", "0", *SMALL], 0),
        (["--number", "18446744073709551615", *SMALL], 2**64 - 1),
        (["--pysolfc", "24680", "--rules", "pysolfc"], "pysolfc:24680"),
        (["--pysolfc", "ms617", "--rules", "pysolfc"], "pysolfc:ms617"),
        ([SMALL_DEALS[0], *SMALL], None),
    ],
)
def test_what_a_deal_is_called(arguments: list[str], label: object) -> None:
    assert json.loads(run("solve", *arguments, "--json").stdout)["deal"] == label


def test_pysolfc_deals_are_the_known_ones() -> None:
    rows = (Path(__file__).parents[1] / "fixtures" / "pysolfc-deals.txt").read_text().splitlines()
    for row in rows:
        if not row.startswith("#"):
            number, cards = row.split("\t")
            assert run("deal", "--pysolfc", number).stdout == cards + "\n"


def test_json_is_one_line_for_each_deal() -> None:
    result = run("solve", "--file", "-", *SMALL, "--json", stdin="\n".join(SMALL_DEALS * 3))
    assert len(result.stdout.splitlines()) == 6
    assert run("solve", *WON, "--json").stdout.count("\n") == 1


# One depot, no redeal, and only AC may be held back. The states that a search stores, at most 7:
# W is dealt whole and then played: the initial state, 3 deals, 3 plays. L is dealt whole, AC is played, and 8C lies on
# 7C for good: 5 states. U has 7 states on its only way to a win, and beside them that in which AC is held back at
# first, which is stored before 7C is played. X is no deal.
ONE_PILE = ["--set", "suits=C", "--set", "ranks=A78", "--set", "max_redeals=0", "--max-states", "7"]
DEALS = {"W": "8C 7C AC", "L": "7C 8C AC", "U": "AC 7C 8C", "X": "8C 7C"}


@pytest.mark.slow
@pytest.mark.parametrize("output", [[], ["--json"], ["--quiet"]])
@pytest.mark.parametrize(
    ("deals", "code", "strict"),  # strict: with --exit-code
    [
        ("W", 0, 0),
        ("L", 0, 1),
        ("U", 3, 3),
        ("X", 2, 2),
        ("WW", 0, 0),
        ("WL", 0, 1),
        ("LW", 0, 1),
        ("LU", 3, 3),
        ("UL", 3, 3),
        ("UW", 3, 3),
        ("XU", 2, 2),
        ("UX", 2, 2),
        ("XWL", 2, 2),
        ("WLUX", 2, 2),
    ],
)
def test_exit_code(deals: str, code: int, strict: int, output: list[str]) -> None:
    stdin = "\n".join(DEALS[deal] for deal in deals)
    assert run("solve", "--file", "-", *ONE_PILE, *output, stdin=stdin).exit_code == code
    assert run("solve", "--file", "-", *ONE_PILE, *output, "--exit-code", stdin=stdin).exit_code == strict
    if len(deals) == 1:
        assert run("solve", DEALS[deals], *ONE_PILE, *output, "--exit-code").exit_code == strict


def test_verdicts_behind_the_exit_codes() -> None:
    result = run("solve", "--file", "-", *ONE_PILE, "--json", stdin="\n".join(DEALS[deal] for deal in "WLU"))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(answer["verdict"], answer["stop_reason"], answer["states"]) for answer in answers] == [
        ("winnable", "goal", 7),
        ("unwinnable", "exhausted", 5),
        ("undecided", "states", 7),
    ]
    assert answers[0]["line"] == "d d d AC>1 7C>1 8C>1"
    assert (answers[2]["line"], answers[2]["moves"], answers[2]["redeals"]) == (None, None, None)


@pytest.mark.parametrize(
    ("limit", "stop_reason"),
    [(["--max-states", "50"], "states"), (["--max-seconds", "0"], "seconds"), (["--max-memory", "1"], "memory")],
)
def test_limits(limit: list[str], stop_reason: str) -> None:
    result = run("solve", *WON, *limit, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["verdict"], answer["stop_reason"]) == (3, "undecided", stop_reason)
    assert f"gave up at the limit on {stop_reason}" in run("solve", *WON, *limit).stdout


@pytest.mark.parametrize(
    ("size", "number"),
    [
        ("4096", 4096),
        ("4096B", 4096),
        ("2K", 2000),
        ("2KiB", 2048),
        ("500M", 500_000_000),
        ("500mb", 500_000_000),
        ("1.5G", 1_500_000_000),
        ("2GiB", 2 * 2**30),
        ("2Gi", 2 * 2**30),
        ("1TiB", 2**40),
    ],
)
def test_sizes(size: str, number: int) -> None:
    assert bytes_of(size) == number


BAD_OPTIONS: dict[str, tuple[list[str], list[str]]] = {
    "no such command": (["solv"], ["'solv'", "Did you mean 'solve'?"]),
    "no such option": (["solve", "--numbr", "1"], ["--numbr", "--number", "(see amazons-solver solve --help)"]),
    "option without a value": (["solve", "--number"], ["'--number' requires an argument"]),
    "no such order": (
        ["solve", *WON, "--order", "best"],
        ["error: Invalid value for '--order': 'best' is not one of 'bfs', 'dfs'"],
    ),
    "no such engine": (["solve", *WON, "--engine", "fast"], ["'--engine'", "'fast' is not one of 'auto', "]),
    "states: none": (["solve", *WON, "--max-states", "0"], ["at least 1 for --max-states, got '0'"]),
    "states: below 0": (["solve", *WON, "--max-states", "-5"], ["--max-states, got '-5'"]),
    "states: a word": (["solve", *WON, "--max-states", "many"], ["--max-states, got 'many'"]),
    "states: a point": (["solve", *WON, "--max-states", "1e6"], ["--max-states, got '1e6'"]),
    "seconds: below 0": (["solve", *WON, "--max-seconds", "-1"], ["--max-seconds, got '-1'"]),
    "seconds: a word": (["solve", *WON, "--max-seconds", "nan"], ["--max-seconds, got 'nan'"]),
    "memory: none": (["solve", *WON, "--max-memory", "0"], ["--max-memory, got '0'"]),
    "memory: a word": (["solve", *WON, "--max-memory", "lots"], ["expected a size such as 500M, 2G or 2GiB"]),
    "memory: a unit": (["solve", *WON, "--max-memory", "5X"], ["--max-memory, got '5X'"]),
    "memory: percent": (["solve", *WON, "--max-memory", "50%"], ["--max-memory, got '50%'"]),
    "preset: a typo": (["solve", "--number", "0", "--rules", "wikipeda"], ["(did you mean wikipedia?)"]),
    "preset: unlike any": (["solve", "--number", "0", "--rules", "x"], ["wikipedia, morehead, ultimate", "got 'x'"]),
    "preset: upper case": (["solve", "--number", "0", "--rules", "PYSOLFC"], ["expected a preset"]),
    "field: a typo": (["solve", *WON, "--set", "withold=any"], ["'withold'", "(did you mean withhold?)"]),
    "field: no value": (["solve", *WON, "--set", "withhold"], ["expected a setting such as withhold=any"]),
    "value: a typo": (["solve", *WON, "--set", "withhold=base"], ["one of nothing, bases, any", "'base'"]),
    "value: out of range": (["solve", *WON, "--set", "max_redeals=-1"], ["max_redeals", "at least 0", "-1"]),
    "value: idle 0": (["solve", *WON, "--set", "idle_passes=0"], ["idle_passes", "at least 1"]),
    "value: huge": (["solve", *WON, "--set", "max_redeals=" + "9" * 5000], ["max_redeals"]),
    "value: no boolean": (["solve", *WON, "--set", "top_anywhere=maybe"], ["true or false, got 'maybe'"]),
    "ranks: twice": (["solve", *WON, "--set", "ranks=A77"], ["distinct letters of A23456789TJQK", "'A77'"]),
    "ranks: none": (["solve", *WON, "--set", "ranks="], ["expected ranks to be distinct letters"]),
    "suits: order": (["solve", *WON, "--set", "suits=SC"], ["distinct letters of CDHS in that order, got 'SC'"]),
    "certificate without its file": (["solve", *WON, "--certificate"], ["'--certificate' requires an argument"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD_OPTIONS)
def test_bad_option(fault: str) -> None:
    arguments, fragments = BAD_OPTIONS[fault]
    assert_refused(run(*arguments), *fragments)


def test_quiet_says_errors_all_the_same() -> None:
    assert_refused(run("solve", "--number", "x", "--quiet"), "expected a deal number")


def test_a_setting_may_clear_a_field() -> None:
    answer = json.loads(run("solve", *LOST, "--set", "idle_passes=none", "--json").stdout)
    assert answer["rules"]["idle_passes"] is None


def test_rules_from_a_file(tmp_path: Path) -> None:
    rules = Rules.preset("ultimate").evolve(skip_complete=True)
    (tmp_path / "mine.toml").write_text(rules.to_toml())
    (tmp_path / "MINE.JSON").write_bytes(b"\xef\xbb\xbf" + rules.to_json().encode())
    for name in ("mine.toml", "MINE.JSON"):
        answer = json.loads(run("solve", "--number", "0", "--rules", tmp_path / name, "--json").stdout)
        assert answer["rules"] == rules.to_dict()


BAD_RULES: dict[str, tuple[str, bytes, str]] = {
    "no TOML": ("r.toml", b"withhold: any", "expected rules in TOML"),
    "no JSON": ("r.json", b"withhold = 'any'", "expected rules as a JSON object"),
    "a JSON list": ("r.json", b"[]", "expected rules as a JSON object, got []"),
    "deep JSON": ("r.json", b"[" * 9_000, "expected rules as a JSON object"),
    "long JSON": ("r.json", b"[" * 100_000, "expected rules of at most 10,000 characters, got 100,000"),
    "unknown field": ("r.toml", b"withold = 'any'", "(did you mean withhold?)"),
    "bad value": ("r.toml", b"withhold = 7", "one of nothing, bases, any; got 7"),
    "no UTF-8": ("r.toml", b"withhold = 'any' # \xe4", "expected UTF-8 text, got byte 0xe4"),
    "too large": ("r.toml", b"#" * 1_000_001, "at most 1,000,000 characters"),
}


@pytest.mark.parametrize("fault", BAD_RULES)
def test_bad_rules_file(fault: str, tmp_path: Path) -> None:
    name, content, fragment = BAD_RULES[fault]
    (tmp_path / name).write_bytes(content)
    assert_refused(run("solve", "--number", "0", "--rules", tmp_path / name), fragment, f"in {tmp_path / name}")


def test_missing_rules_file(tmp_path: Path) -> None:
    assert_refused(run("solve", "--number", "0", "--rules", tmp_path / "r.toml"), "No such file or directory")


class TestHumanAnswer:
    """What a person reads."""

    def test_a_win_in_rows_of_a_pass_each(self) -> None:
        answer = json.loads(run("solve", *WON, "--json").stdout)
        result = run("solve", *WON)
        heading, deal, *rows = result.stdout.splitlines()
        assert heading == (
            f"pysolfc:24680 by pysolfc rules: winnable, {answer['redeals']} redeals, {answer['moves']} moves"
        )
        assert str(Deal.parse(deal.removeprefix("deal"))) == answer["cards"]
        assert "10♥" in deal
        passes = [row for row in rows if row.startswith("pass ")]
        assert [row.split()[1] for row in passes] == [str(number) for number in range(1, answer["redeals"] + 2)]
        assert all(row.endswith(" r") for row in passes[:-1])
        line = " ".join(" ".join(row.split()[2:]) for row in passes)
        assert " ".join(map(str, parse_line(line))) == answer["line"]
        assert result.stderr == ""

    def test_an_unwinnable_deal(self) -> None:
        states = json.loads(run("solve", *LOST, "--json").stdout)["states"]
        heading, _, why = run("solve", *LOST).stdout.splitlines()
        assert heading == "pysolfc:24680 by patiencen rules: unwinnable"
        assert why.startswith(f"every state within reach was seen and none is won: {states} states in ")

    def test_changed_rules_are_named(self) -> None:
        assert "this deal by wikipedia rules with suits=CD, ranks=A78, withhold=any: winnable" in (
            run("solve", SMALL_DEALS[0], *SMALL).stdout
        )

    def test_one_redeal_and_none(self) -> None:
        assert "winnable, no redeals, 6 moves" in run("solve", DEALS["W"], *ONE_PILE).stdout
        # All plays are compulsory and none is a choice: 7C comes to depot 2, and only after a redeal to depot 1.
        two = run("solve", "AC 7C AD 7D", "--set", "suits=CD", "--set", "ranks=A7", "--set", "withhold=nothing")
        assert "winnable, 1 redeal, 8 moves" in two.stdout
        assert two.stdout.splitlines()[2:4] == ["pass 1  d A♣>1 d A♦>2 7♦>2 r", "pass 2  d 7♣>1"]


class TestCertificate:
    """`solve --certificate`."""

    @pytest.mark.parametrize("arguments", [WON, LOST])
    @pytest.mark.parametrize("name", ["proof.json", "proof.json.gz"])
    def test_it_is_written_and_verified(self, arguments: list[str], name: str, tmp_path: Path) -> None:
        result = run("solve", *arguments, "--certificate", tmp_path / name, "--json")
        assert (result.exit_code, result.stderr) == (0, f"certificate written to {tmp_path / name}\n")
        answer = json.loads(result.stdout)
        verified = run("verify", tmp_path / name)
        assert verified.exit_code == 0
        assert verified.stdout.startswith("valid: this deal by ")
        assert verified.stdout.splitlines()[0].endswith(f" rules: {answer['verdict']}")

    def test_a_deal_from_standard_input(self, tmp_path: Path) -> None:
        proof = tmp_path / "proof.json"
        result = run("solve", "--file", "-", *SMALL, "--certificate", proof, "--json", stdin=SMALL_DEALS[0])
        assert (result.exit_code, json.loads(result.stdout)["cards"]) == (0, SMALL_DEALS[0])
        assert run("verify", proof).exit_code == 0

    def test_undecided_has_none(self, tmp_path: Path) -> None:
        result = run("solve", *WON, "--max-states", "50", "--certificate", tmp_path / "proof.json", "--json")
        assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (3, "undecided")
        assert result.stderr.startswith("error: expected a verdict to prove")
        assert list(tmp_path.iterdir()) == []

    def test_quiet(self, tmp_path: Path) -> None:
        assert run("solve", *WON, "--certificate", tmp_path / "proof.json", "--quiet").stderr == ""

    @pytest.mark.parametrize(
        ("place", "problem"),
        [
            ("missing/proof.json", "there is no directory "),
            (".", "it is a directory"),
            ("x" * 300, "File name too long"),
        ],
    )
    def test_an_unwritable_file_is_found_before_the_search(
        self, place: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(solve, "decide", None)  # to call it would be a TypeError
        path = tmp_path / place
        assert_refused(run("solve", *WON, "--certificate", path), f"expected a file to write, got {path}: {problem}")

    @pytest.mark.slow
    def test_permission_is_asked_for_before_the_search(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "old.json").write_text("old")
        monkeypatch.setattr(solve, "decide", None)
        for place in ("old.json", "new.json"):
            denied = "old.json" if place == "old.json" else tmp_path.name
            monkeypatch.setattr("os.access", lambda path, _mode, denied=denied: Path(path).name != denied)
            assert_refused(run("solve", *WON, "--certificate", tmp_path / place), "permission denied")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs devices as files")
    def test_devices_are_written_to(self) -> None:
        result = run("solve", *LOST, "--certificate", "/dev/null", "--json")
        assert (result.exit_code, Path("/dev/null").is_char_device()) == (0, True)
        full = run("solve", *LOST, "--certificate", "/dev/full", "--json")
        assert (full.exit_code, json.loads(full.stdout)["verdict"]) == (2, "unwinnable")
        assert full.stderr == "error: expected a file to write, got /dev/full: No space left on device\n"

    def test_a_failed_search_leaves_an_old_file_alone(self, tmp_path: Path) -> None:
        old = tmp_path / "proof.json"
        old.write_text("old")
        assert run("solve", *WON, "--max-states", "50", "--certificate", old).exit_code == 3
        assert_refused(run("solve", "--number", "x", "--certificate", old))
        assert old.read_text() == "old"


@pytest.mark.parametrize("command", ["solve", "deal", "hint", "annotate", "explore"])
def test_help_says_what_a_limit_is_for(command: str) -> None:
    words = " ".join(run(command, "--help").stdout.split())
    assert re.search("[Ll]imits apply to each (deal|move|state)", words)
