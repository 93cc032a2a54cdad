"""`solve --engine`: who answers, and what the kernel cannot."""

import json
from pathlib import Path

import pytest

from amazons_solver import Deal, Rules, State, parse_line
from support.command_line import SMALL, SMALL_DEALS, assert_refused, run

LOST = ["--pysolfc", "24680", "--rules", "patiencen"]  # unwinnable: see fixtures/verdicts.jsonl and DESIGN
WON = ["--pysolfc", "24680", "--rules", "pysolfc"]


@pytest.mark.compiled
@pytest.mark.parametrize(("arguments", "verdict"), [(LOST, "unwinnable"), (WON, "winnable")])
@pytest.mark.parametrize("engine", ["kernel", "model", "auto"])
def test_each_engine_answers_and_is_named(arguments: list[str], verdict: str, engine: str) -> None:
    result = run("solve", *arguments, "--engine", engine, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(answer) == [
        *("deal", "cards", "rules", "verdict", "line", "moves", "redeals", "states", "seconds", "stop_reason", "engine")
    ]
    assert (answer["verdict"], answer["engine"]) == (verdict, "model" if engine == "auto" else engine)
    assert answer["stop_reason"] == ("goal" if verdict == "winnable" else "exhausted")
    if verdict == "winnable":
        rules = Rules.preset("pysolfc")
        line = parse_line(answer["line"])
        assert State.initial(Deal.parse(answer["cards"], rules), rules).play_line(line).is_won
        assert (answer["moves"], answer["redeals"]) == (len(line), answer["line"].split().count("r"))


@pytest.mark.compiled
def test_many_deals() -> None:
    result = run("solve", "--file", "-", *SMALL, "--engine", "kernel", "--json", stdin="\n".join(SMALL_DEALS))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    model = run("solve", "--file", "-", *SMALL, "--engine", "model", "--json", stdin="\n".join(SMALL_DEALS))
    expected = [json.loads(line) for line in model.stdout.splitlines()]
    assert [answer["engine"] for answer in answers] == ["kernel", "kernel"]
    assert [answer["verdict"] for answer in answers] == [answer["verdict"] for answer in expected]


@pytest.mark.compiled
def test_a_person_is_told_what_was_counted() -> None:
    assert " boundary states in " in run("solve", *LOST, "--engine", "kernel").stdout
    assert " states in " in run("solve", *LOST, "--engine", "model").stdout
    assert "boundary" not in run("solve", *LOST, "--engine", "model").stdout


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["--order", "bfs"], "expected order dfs with engine kernel, which promises no fewest moves; got bfs"),
        (["--set", "ranks=A23456789TJQK"], "expected a deck of at most 28 cards"),
        (["--set", "max_redeals=32768"], "max_redeals below 2^15"),
        (["--set", "idle_passes=256"], "idle_passes below 2^8"),
    ],
)
def test_what_the_kernel_refuses(arguments: list[str], fragment: str) -> None:
    assert_refused(run("solve", "--number", "0", *arguments, "--engine", "kernel", "--json"), fragment)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("limit", "reason"),
    [(["--max-states", "50"], "states"), (["--max-seconds", "0"], "seconds")],
    ids=lambda value: value[0],
)
def test_a_limit_hit_is_undecided(limit: list[str], reason: str) -> None:
    hard = ["--number", "2", "--rules", "patiencen", "--set", "idle_passes=none", "--set", "withhold=bases"]
    result = run("solve", *hard, "--set", "skip_complete=false", *limit, "--engine", "kernel", "--json", "--exit-code")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["verdict"], answer["stop_reason"]) == (3, "undecided", reason)
    assert (answer["line"], answer["engine"]) == (None, "kernel")


@pytest.mark.compiled
def test_a_proof_of_unwinnable_is_the_same_file_whichever_engine_decided(tmp_path: Path) -> None:
    files = [tmp_path / f"{engine}.json.gz" for engine in ("auto", "model", "kernel")]
    for engine, file in zip(("auto", "model", "kernel"), files, strict=True):
        result = run("solve", *LOST, "--engine", engine, "--certificate", file, "--quiet")
        assert (result.exit_code, result.stderr) == (0, "")
    assert len({file.read_bytes() for file in files}) == 1
    assert run("verify", files[0]).stdout.startswith("valid: this deal by patiencen rules: unwinnable\n")


@pytest.mark.compiled
def test_what_only_the_kernel_decides_is_proved(tmp_path: Path) -> None:
    hard = ["--number", "81", "--rules", "patiencen", "--set", "idle_passes=none", "--set", "withhold=bases"]
    hard += ["--set", "skip_complete=false"]
    proof = tmp_path / "proof.json"
    result = run("solve", *hard, "--engine", "kernel", "--certificate", proof, "--json")
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (0, "unwinnable")
    checked = run("verify", proof)
    assert (checked.exit_code, checked.stderr) == (0, "")
    size = len(json.loads(proof.read_text())["states"])
    assert f"no way out of {size} states in which passes begin" in " ".join(checked.stdout.split())
    assert json.loads(result.stdout)["states"] < size - 1  # an orbit is one state of the search
    few = ["--max-states", str(size - 1), "--certificate", tmp_path / "none"]
    cut = run("solve", *hard, "--engine", "kernel", *few, "--json")
    assert (cut.exit_code, json.loads(cut.stdout)["verdict"]) == (3, "unwinnable")
    assert cut.stderr == f"error: expected to see all states, got {size - 1}: stopped by states\n"
    assert not (tmp_path / "none").exists()
