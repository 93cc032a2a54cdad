"""Positions given as --state, wherever a game or a position is taken."""

import json
from pathlib import Path

import pytest

from amazons_solver import Deal, Rules, State, decision_graph, parse_line
from amazons_solver.model.saved.records import Record
from support.command_line import SMALL, assert_refused, run

RULES = Rules(suits="CD", ranks="A78", withhold="any")
START = State.initial(Deal.numbered(7, RULES), RULES)
LINE = parse_line("d d AD>1")
STATE = START.play_line(LINE).text()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_hint() -> None:
    positional = run("hint", STATE, *SMALL, "--json")
    assert positional.exit_code == 0
    assert run("hint", "--state", STATE, *SMALL, "--json").stdout == positional.stdout
    after_moves = run("hint", "--number", "7", "d d AD>1", *SMALL, "--json")
    assert after_moves.stdout == positional.stdout
    further = run("hint", "--state", STATE, "d", *SMALL)
    assert further.stdout.startswith(
        "this state after 1 move by wikipedia rules with suits=CD, ranks=A78, withhold=any: "
    )
    assert run("hint", f"{STATE} d", *SMALL).stdout == further.stdout


def test_explore(folder: Path) -> None:
    result = run("explore", "--state", STATE, "--line", "d", *SMALL)
    states = decision_graph(State.parse(STATE, RULES)).arrays.nodes
    by = "wikipedia rules with suits=CD, ranks=A78, withhold=any"
    assert result.stdout == f"amazons-state.html: this state by {by}, all {states} states\n"
    assert "<title>A state of Amazons" in (folder / "amazons-state.html").read_text("utf-8")


def test_a_graph_from_a_state_is_a_part_of_that_of_the_deal() -> None:
    whole = decision_graph(Deal.numbered(7, RULES), RULES)
    part = decision_graph(State.parse(STATE, RULES))
    assert 1 < part.arrays.nodes < whole.arrays.nodes
    assert part.root in whole.graph
    for node, status in part.graph.nodes(data="status"):
        assert whole.graph.nodes[node]["status"] == status
        assert set(part.graph[node]) == set(whole.graph[node])


def test_a_game_from_a_state_is_kept_as_text_and_read_back(folder: Path) -> None:
    game = Record(State.parse(STATE, RULES), parse_line("d"), RULES)
    assert game.text() == f"rules wikipedia suits=CD ranks=A78 withhold=any\n{STATE}\nd"
    assert Record.parse(game.text()) == game
    assert Record.parse(f"# pysolfc:1\n{game.text()}").start == State.parse(STATE, RULES)
    (folder / "game.txt").write_text(game.text())
    told = json.loads(run("annotate", "--file", "game.txt", "--json").stdout)
    of_deal = json.loads(run("annotate", "--number", "7", "d d AD>1 d", *SMALL, "--json").stdout)
    assert (told["deal"], told["cards"], told["state"]) == (None, None, STATE)
    assert told["moves"] == of_deal["moves"][3:]
    assert (told["verdict"], told["lost"]) == (of_deal["verdict"], of_deal["lost"])
    assert run("hint", "--file", "game.txt").stdout.startswith("this state after 1 move by wikipedia rules")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["hint", "explore", "play", "show"])
@pytest.mark.parametrize("other", [["--number", "7"], ["--pysolfc", "7"], ["--file", "game.txt"]], ids=lambda o: o[0])
def test_a_state_or_a_deal(command: str, other: list[str]) -> None:
    Path("game.txt").write_text(str(Deal.numbered(7)))
    assert_refused(run(command, "--state", STATE, *other), "--state", "got both")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["hint", "explore", "play", "show"])
@pytest.mark.parametrize(
    ("state", "fragment"),
    [
        ("7C AC", "expected a state as talon | depots | foundations, got 1 of these parts"),
        ("", "expected a state as talon | depots | foundations, got 1 of these parts"),
        ("AC | - | -", "expected"),
    ],
)
def test_what_is_no_state(command: str, state: str, fragment: str) -> None:
    assert_refused(run(command, "--state", state, *SMALL), fragment)
