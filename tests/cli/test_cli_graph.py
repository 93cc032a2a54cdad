"""What `graph` answers, checked against the naive reference, and what it writes."""

import itertools
import json
import re
import time
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from amazons_solver import Deal, Limits, Rules, State, UndecidedError, decision_graph
from amazons_solver.cli import console
from amazons_solver.export import FORMATS, write_graph
from amazons_solver.solving.game import Game
from support import reference
from support.command_line import SMALL, SMALL_DEALS, assert_refused, program, run
from support.known import load_verdicts

ROWS = [
    row
    for row in load_verdicts()
    if row.get("states", 10**9) < 1500 and row["verdict"] == ("winnable" if row["deal"] % 2 else "unwinnable")
][::6]


def options_of(row: dict[str, Any]) -> list[str | Path]:
    words: list[str | Path] = ["--number", str(row["deal"]), "--rules", row["preset"]]
    for field, value in row["set"].items():
        words += ["--set", f"{field}={'none' if value is None else value}"]
    return words


@pytest.mark.slow
@pytest.mark.parametrize("merged", [False, True], ids=["exact", "merged"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['preset']}-{row['set']}-{row['deal']}")
def test_counts_are_the_known_ones(row: dict[str, Any], merged: bool) -> None:
    rules = reference.Rules(**Rules.preset(row["preset"]).evolve(**row["set"]).to_dict())  # type: ignore[typeddict-item]
    space = reference.explore(rules, row["cards"], "canonical" if merged else "exact")
    result = run("graph", *options_of(row), *(["--merge-suits"] if merged else []), "--json")
    prefix = "canonical_" if merged else ""
    answer = json.loads(result.stdout)
    contract = ["nodes", "edges", "winning_nodes", "complete", "verdict", "rules"]
    assert list(answer) == [*contract, "fatal_moves", "choices", "cycle_states", "shortest_win"]
    assert Rules.from_dict(answer.pop("rules")) == Rules.preset(row["preset"]).evolve(**row["set"])
    line = None if row["verdict"] == "unwinnable" else row["fewest_moves"]
    assert answer.pop("shortest_win") == line or merged
    assert {answer.pop(name) >= 0 for name in ("fatal_moves", "choices", "cycle_states")} == {True}
    assert answer == {
        "nodes": row[f"{prefix}states"],
        "edges": row[f"{prefix}edges"],
        "winning_nodes": len(reference.winnable(space)),
        "complete": True,
        "verdict": row["verdict"],
    }
    assert (result.exit_code, result.stderr) == (0, "")


def test_both_verdicts_are_among_the_known_ones() -> None:
    assert {row["verdict"] for row in ROWS} == {"winnable", "unwinnable"}
    assert len(ROWS) > 8


def test_cut_off() -> None:
    cut = ["graph", "--number", "2", "--rules", "patiencen", "--max-states", "20"]
    result = run(*cut, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["nodes"], answer["complete"]) == (3, 20, False)
    assert answer["verdict"] == "undecided"
    assert "cut off (states)" in run(*cut).stdout
    decided = run(*cut, "--decide-unexpanded", "--json")
    answer = json.loads(decided.stdout)
    assert (decided.exit_code, answer["nodes"], answer["verdict"]) == (0, 20, "winnable")  # fixtures: patiencen, deal 2


def test_without_limits_there_is_a_default_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amazons_solver.graphs.graph.DEFAULT_STATES", 20)
    assert json.loads(run("graph", SMALL_DEALS[0], *SMALL, "--json").stdout)["nodes"] == 20
    assert json.loads(run("graph", SMALL_DEALS[0], *SMALL, "--max-seconds", "60", "--json").stdout)["nodes"] == 20
    assert json.loads(run("graph", SMALL_DEALS[0], *SMALL, "--max-states", "999", "--json").stdout)["complete"]


@pytest.mark.slow
def test_json_has_what_a_person_reads() -> None:
    read = run("graph", "--number", "7", "--set", "suits=CD", "--set", "ranks=A78").stdout  # docs/tutorial.md counts it
    answer = json.loads(run("graph", "--number", "7", "--set", "suits=CD", "--set", "ranks=A78", "--json").stdout)
    for line in (
        f"fatal moves   {answer['fatal_moves']} (",
        f"choices       {answer['choices']} (",
        f"on cycles     {answer['cycle_states']} states (",
        f"shortest win  {answer['shortest_win']} moves (",
    ):
        assert f"\n{line}" in read


def test_what_graphviz_cannot_draw_is_refused_and_the_verdict_told(tmp_path: Path) -> None:
    picture = tmp_path / "graph.svg"
    result = run("graph", "--number", "3", "--max-states", "5001", "-o", picture)
    assert result.exit_code == 2
    assert result.stdout.startswith("numbered:3 by wikipedia rules: undecided\nstates       5,001 (")
    assert "expected at most 5,000 states for Graphviz to draw, got 5,001" in result.stderr
    assert "html" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_one_limit_on_time_holds_for_exploring_deciding_and_writing(tmp_path: Path) -> None:
    output = tmp_path / "graph.graphml"
    before = time.monotonic()
    result = program(
        "graph", "--number", "3", "--max-states", "10000000", "--decide-unexpanded", "--max-seconds", "4", "-o", output
    )
    assert time.monotonic() - before < 15  # four seconds, starting the program, and a busy machine
    assert result.returncode == 3
    assert b"undecided" in result.stdout or b"written within" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] in ([], ["graph.graphml"])


@pytest.mark.slow
def test_time_for_writing_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = decision_graph(Deal.numbered(0), Rules(), limits=Limits(states=3000))
    for name in FORMATS:
        with pytest.raises(UndecidedError, match=r"expected the graph to be written within 0\.0 s"):
            write_graph(decisions, tmp_path / f"graph.{name}", seconds=0)
    assert list(tmp_path.iterdir()) == []


def test_what_a_person_reads() -> None:
    counts = json.loads(run("graph", SMALL_DEALS[0], *SMALL, "--json").stdout)
    result = run("graph", SMALL_DEALS[0], *SMALL)
    heading, *facts = result.stdout.splitlines()
    assert heading == "this deal by wikipedia rules with suits=CD, ranks=A78, withhold=any: winnable"
    assert facts[0].startswith(f"states        {counts['nodes']} (")
    assert facts[1] == f"moves         {counts['edges']}"
    assert facts[-1] == "extent        complete"
    line = json.loads(run("solve", SMALL_DEALS[0], *SMALL, "--order", "bfs", "--json").stdout)
    assert facts[-2] == f"shortest win  {line['moves']} moves (redeals: {line['redeals']})"
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("file_format", [name for name in FORMATS if name != "svg"])
def test_written_to_a_file_and_to_standard_output(file_format: str, tmp_path: Path) -> None:
    file = tmp_path / f"graph.{file_format.upper()}"
    to_file = run("graph", SMALL_DEALS[0], *SMALL, "-o", file, "--json")
    assert (to_file.exit_code, to_file.stderr) == (0, "")
    assert json.loads(to_file.stdout)["complete"]
    to_output = run("graph", SMALL_DEALS[0], *SMALL, "--format", file_format)
    assert (to_output.exit_code, to_output.stderr) == (0, "")
    assert to_output.stdout_bytes == file.read_bytes()
    other = tmp_path / "graph.txt"
    run("graph", SMALL_DEALS[0], *SMALL, "-o", other, "--format", file_format)
    assert other.read_bytes() == file.read_bytes()


def test_the_help_names_every_format() -> None:
    words = re.findall(r"\w+", run("graph", "--help").stdout)
    assert set(FORMATS) <= set(words)


@pytest.mark.slow
def test_graphml_is_the_graph(tmp_path: Path) -> None:
    counts = json.loads(run("graph", SMALL_DEALS[0], *SMALL, "-o", tmp_path / "graph.graphml", "--json").stdout)
    graph = nx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (counts["nodes"], counts["edges"])


BAD: dict[str, tuple[list[str], list[str]]] = {
    "no such format": (["--format", "png"], ["expected a format (", "graphml", "got 'png'"]),
    "no such ending": (["-o", "graph.png"], ["expected a format (", "'png'"]),
    "no ending": (["-o", "graph"], ["expected a format ("]),
    "two answers on one output": (["--format", "dot", "--json"], ["expected -o FILE"]),
    "no such folder": (["-o", "missing/graph.dot"], ["expected a file to write, got missing/graph.dot"]),
    "a folder": (["-o", ".", "--format", "dot"], ["it is a directory"]),
    "no states": (["--max-states", "0"], ["--max-states, got '0'"]),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_option_is_found_before_the_search(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("amazons_solver.graphs.graph.decision_graph", None)  # to call it would be a TypeError
    arguments, fragments = BAD[fault]
    assert_refused(run("graph", SMALL_DEALS[0], *SMALL, *arguments), *fragments)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_is_left_alone_when_there_is_no_graph(tmp_path: Path) -> None:
    old = tmp_path / "graph.dot"
    old.write_text("old")
    assert_refused(run("graph", "--number", "x", "-o", old), "expected a deal number")
    assert old.read_text() == "old"


def test_svg_without_graphviz_is_refused_before_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("amazons_solver.graphs.graph.decision_graph", None)
    assert_refused(run("graph", SMALL_DEALS[0], *SMALL, "-o", tmp_path / "graph.svg"), "Graphviz")


@pytest.mark.parametrize("as_json", [False, True])
def test_interrupted_it_keeps_what_it_has(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    key, calls = Game.key, itertools.count(1)

    def interrupted_once(game: Game, state: State) -> bytes:
        if next(calls) == 10:
            raise KeyboardInterrupt
        return key(game, state)

    monkeypatch.setattr(Game, "key", interrupted_once)
    result = run("graph", SMALL_DEALS[0], *SMALL, *(["--json"] if as_json else []))
    assert (result.exit_code, result.stderr) == (console.INTERRUPTED, "error: interrupted\n")
    if as_json:
        answer = json.loads(result.stdout)
        assert (answer["complete"], answer["verdict"]) == (False, "undecided")
        assert 1 < answer["nodes"] < 10
    else:
        assert "cut off (interrupted)" in result.stdout


def test_interrupted_before_it_has_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("amazons_solver.graphs.graph.labelled", interrupt)
    result = run("graph", SMALL_DEALS[0], *SMALL)
    assert (result.exit_code, result.stdout, result.stderr) == (console.INTERRUPTED, "", "error: interrupted\n")
