"""``explore``: the page it writes or serves, and what it refuses."""

import http.client
import json
import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
import pytest

from amazons_solver import Deal, Limits, Rules, State, StopReason, decision_graph, parse_line
from amazons_solver.cli import console
from amazons_solver.explorer.codes import code_of, pack, packing
from amazons_solver.export import export_graph
from support.command_line import PROGRAM, SMALL, SMALL_DEALS, assert_refused, environment, run

RULES = Rules(suits="CD", ranks="A78", withhold="any")
TOKENS = packing(RULES)
GAME = "d d"


def data_of(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8").partition('type="application/json">')[2].partition("</script>")[0]
    data: dict[str, Any] = json.loads(text)
    return data


def packed_states(line: str) -> list[str]:
    moves = parse_line(line)
    start = State.initial(Deal.numbered(0, RULES), RULES)
    return [pack(start.play_line(moves[:count]).text(), TOKENS) for count in range(len(moves) + 1)]


def test_it_writes_a_file_named_after_the_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("explore", "--number", "0", *SMALL)
    assert result.exit_code == console.ANSWERED
    assert [path.name for path in tmp_path.iterdir()] == ["amazons-numbered-0.html"]
    # fixtures/verdicts.jsonl has this deal: 698 states.
    assert result.stdout.startswith("amazons-numbered-0.html: numbered:0 by wikipedia rules with ")
    assert result.stdout.endswith(", all 698 states\n")
    data = data_of(tmp_path / "amazons-numbered-0.html")
    assert (data["title"], data["game"], data["served"]) == ("Deal 0", [], False)
    assert len(data["space"]["states"]) == 698
    assert data["root"] == packed_states("")[0]


def test_a_deal_of_cards_has_a_name_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("explore", SMALL_DEALS[0], *SMALL).exit_code == 0
    assert data_of(tmp_path / "amazons-deal.html")["root"] == packed_states("")[0]


@pytest.mark.parametrize("form", ["option", "words", "file"])
def test_a_game_that_was_played(tmp_path: Path, form: str) -> None:
    saved = tmp_path / "game.txt"
    saved.write_text(f"rules wikipedia suits=CD ranks=A78 withhold=any\n{SMALL_DEALS[0]}\n{GAME}\n", encoding="utf-8")
    words: dict[str, list[str | Path]] = {
        "option": ["--number", "0", "--line", GAME, *SMALL],
        "words": [SMALL_DEALS[0], GAME, *SMALL],
        "file": ["--file", saved],
    }
    result = run("explore", *words[form], "-o", tmp_path / "page.html")
    assert result.exit_code == 0, result.stderr
    assert data_of(tmp_path / "page.html")["game"] == packed_states(GAME)


def test_graph_writes_the_same_page(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    assert run("graph", "--number", "0", *SMALL, "-o", path).exit_code == 0
    deal = Deal.numbered(0, RULES)
    assert path.read_bytes() == export_graph(decision_graph(deal, RULES), "html")
    assert run("explore", "--number", "0", *SMALL, "-o", tmp_path / "page.html").exit_code == 0
    assert data_of(path)["space"] == data_of(tmp_path / "page.html")["space"]


@pytest.mark.compiled
@pytest.mark.slow
def test_of_a_large_deal_it_writes_a_part_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    result = run("explore", "--number", "0", "--max-states", "1", "-o", path)
    assert "states, a part of all" in result.stdout
    assert result.exit_code == console.UNDECIDED
    assert data_of(path)["space"]["complete"] is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        ([], ["expected a game as DEAL and LINE"]),
        (["--number", "0", "--pysolfc", "1"], ["expected one of --number and --pysolfc"]),
        (["--number", "0", "--line", "d r", *SMALL], ["expected a legal move", "(move 2)"]),
        (["--number", "0", "--line", "d x", *SMALL], ["expected a move such as", "(move 2)"]),
        (["--number", "x"], ["expected a deal number"]),
        (["--number", "0", "--serve", "-o", "x.html"], ["--serve or -o"]),
        (["--number", "0", "--port", "80"], ["expected --port with --serve"]),
        (["--number", "0", "--serve", "--port", "0"], ["--port"]),
        (["--number", "0", "--serve", "--port", "65536"], ["65535", "65536"]),
        (["--number", "0", "--serve", "--port", "http"], ["--port", "http"]),
        (["--number", "0", *SMALL, "-o", "/no/such/folder/x.html"], ["/no/such/folder"]),
        (["--number", "0", "--max-states", "0"], ["--max-states"]),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: list[str], fragments: list[str]) -> None:
    assert_refused(run("explore", *words), *fragments)


def test_ctrl_c_ends_it_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = attrs.evolve(
        decision_graph(Deal.numbered(0, RULES), RULES, limits=Limits(states=30)), stop_reason=StopReason.INTERRUPTED
    )
    monkeypatch.setattr("amazons_solver.graphs.graph.decision_graph", lambda *_, **__: cut)
    result = run("explore", "--number", "0", *SMALL, "-o", tmp_path / "page.html")
    assert (result.exit_code, result.stderr) == (console.INTERRUPTED, "error: interrupted\n")
    assert list(tmp_path.iterdir()) == []


DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "explorer.md").read_text(encoding="utf-8")
COMMANDS = [
    words for words in re.findall(r"^\$ amazons-solver (.*)$", DOCUMENT, flags=re.MULTILINE) if "--serve" not in words
]


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS)
def test_the_commands_of_the_documentation_write_pages(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*shlex.split(words))
    assert (result.exit_code, result.stderr) == (0, "")
    (page,) = tmp_path.iterdir()
    assert data_of(page)["space"]["states"]


def test_the_documentation_tells_what_links_are() -> None:
    code, text = re.findall(r"`([^`]+)` for `([^`]+)`", DOCUMENT)[0]
    assert code_of(State.parse(text, Rules(suits="CD", ranks="A7"))) == code


def test_a_merged_graph_is_no_page(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    assert_refused(run("graph", "--number", "0", *SMALL, "--merge-suits", "-o", path), "html", "--merge-suits")
    assert not path.exists()


@pytest.mark.compiled
@pytest.mark.slow
def test_it_serves_until_it_is_interrupted() -> None:
    command = [*PROGRAM, "explore", "--number", "0", *SMALL, "--serve"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        assert address.hostname == "127.0.0.1"
        connection = http.client.HTTPConnection(address.hostname, address.port or 0, timeout=60)
        connection.request("GET", "/")
        response = connection.getresponse()
        assert response.status == 200
        assert b'"served":true' in response.read()
        connection.close()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "until Ctrl-C" in err


@pytest.mark.compiled
def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert_refused(run("explore", "--number", "0", *SMALL, "--serve", "--port", port, "--quiet"), port)
