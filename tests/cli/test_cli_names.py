"""Names of deals, and the rules that PySolFC's numbers bring, in every command that takes a deal."""

import json
from pathlib import Path

import pytest

from amazons_solver import Deal, Rules
from support.command_line import run

PYSOLFC = Rules.preset("pysolfc")
NAME = "pysolfc:24680"
CARDS = str(Deal.pysolfc("24680"))
WAYS = {
    "--pysolfc": ["--pysolfc", "24680"],
    "as PySolFC shows it": ["--pysolfc", "#0024680"],
    "a name": [NAME],
    "a name beside its cards": [f"{NAME} {CARDS}"],
    "a file": ["--file", "deal.txt"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with a file that names a deal."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deal.txt").write_text(f"# a list\n\n{NAME}\n")
    return tmp_path


FEW = ["--max-states", "500"]
"""Enough where the rules are asked for, and not the verdict."""


def rules_in(*arguments: str) -> Rules:
    """The rules that an answer in JSON says were used."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return Rules.from_dict(json.loads(result.stdout.splitlines()[0])["rules"])


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "command", [["solve"], ["strategy", "greedy"], ["hint", *FEW], ["annotate"]], ids=lambda c: c[0]
)
def test_a_pysolfc_number_brings_its_rules(command: list[str], way: str) -> None:
    given = [*command, *WAYS[way]]
    assert rules_in(*given) == PYSOLFC
    assert rules_in(*given, "--set", "withhold=nothing") == PYSOLFC.evolve(withhold="nothing")
    assert rules_in(*given, "--rules", "patiencen") == Rules.preset("patiencen")
    told = run(*given).stdout.splitlines()[0]
    assert told.startswith(f"{NAME} by pysolfc rules")
    assert run(*given, "--rules", "morehead").stdout.startswith(f"{NAME} by morehead rules")


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_pysolfc_number_brings_its_rules_to_a_graph(way: str) -> None:
    few = ["--max-states", "50"]
    assert run("graph", *WAYS[way], *few).stdout.startswith(f"{NAME} by pysolfc rules: ")
    by = run("graph", *WAYS[way], "--rules", "patiencen")
    assert by.stdout.startswith(f"{NAME} by patiencen rules: unwinnable")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_pysolfc_number_brings_its_rules_to_a_page(way: str, folder: Path) -> None:
    result = run("explore", *WAYS[way])
    assert result.stdout.startswith(f"amazons-pysolfc-24680.html: {NAME} by pysolfc rules, ")
    assert '"preset":"pysolfc","changes":[]' in (folder / "amazons-pysolfc-24680.html").read_text("utf-8")


def test_numbered_deals_and_cards_bring_none() -> None:
    for given in (["numbered:7"], ["--number", "7"], [str(Deal.numbered(7))], [f"# {NAME}\n{CARDS}"]):
        assert rules_in("solve", *given, "--rules", "patiencen") == Rules.preset("patiencen")
        assert rules_in("annotate", *given, "--set", "withhold=nothing") == Rules(withhold="nothing")


def test_each_line_of_a_file_has_its_own_rules(folder: Path) -> None:
    lines = [NAME, str(Deal.numbered(0)), "numbered:007", f"# {NAME}", f"{CARDS} # {NAME}", "24680", "pysolfc:MS617"]
    (folder / "games.txt").write_text("\n".join(lines))
    ask = ["solve", "--file", "games.txt", "--set", "withhold=nothing"]
    told = [json.loads(line) for line in run(*ask, "--json").stdout.splitlines()]
    assert [answer["deal"] for answer in told] == [NAME, "line 2", 7, "line 5", "line 6", "pysolfc:ms617"]
    assert told[4]["error"] == (
        "expected cards or a deal's name (pysolfc:24680 or numbered:24680), got the number 24680 alone (deal on line 6)"
    )
    forced, others = PYSOLFC.evolve(withhold="nothing").to_dict(), Rules(withhold="nothing").to_dict()
    assert [answer.get("rules") for answer in told] == [forced, others, others, others, None, forced]
    by = [json.loads(line) for line in run(*ask, "--rules", "ultimate", "--json").stdout.splitlines()]
    assert "expected the 28-card deck" in by[0]["error"]
    assert by[0]["error"].endswith("(deal on line 1)")
    assert by[2]["rules"] == Rules.preset("ultimate").evolve(withhold="nothing").to_dict()


def test_rules_that_do_not_go_with_a_line_refuse_that_line_alone(folder: Path) -> None:
    (folder / "small.txt").write_text(f"8C AC 7C\n{NAME}\n7C AC 8C\n")
    result = run("solve", "--file", "small.txt", "--set", "suits=C", "--set", "ranks=A78", "--json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("verdict", answer.get("error", ""))[:26] for answer in answers] == [
        "winnable",
        "expected the 28-card deck ",
        "winnable",
    ]


@pytest.mark.slow
def test_a_game_file_names_its_deal_and_rules(folder: Path) -> None:
    (folder / "game.txt").write_text(f"{NAME}\nd d AS>1\n")
    assert rules_in("annotate", "--file", "game.txt") == PYSOLFC
    assert rules_in("hint", "--file", "game.txt", "--set", "top_anywhere=false") == PYSOLFC.evolve(top_anywhere=False)
    assert rules_in("hint", "--file", "game.txt", "--rules", "morehead") == Rules.preset("morehead")
    assert run("hint", "--file", "game.txt").stdout.startswith(
        f"{NAME} after 3 moves (2 in PySolFC) by pysolfc rules: winnable"
    )
    (folder / "game.txt").write_text(f"rules morehead\n{NAME}\nd d AS>1\n")
    assert rules_in("annotate", "--file", "game.txt") == Rules.preset("morehead")
    (folder / "game.txt").write_text("24680\nd d AS>1\n")
    refused = run("annotate", "--file", "game.txt")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "(pysolfc:24680 or numbered:24680), got the number 24680 alone (in game.txt)" in refused.stderr


@pytest.mark.compiled
@pytest.mark.slow
def test_moves_after_a_name(folder: Path) -> None:
    assert run("annotate", NAME, "d d AS>1").stdout.startswith(f"{NAME} by pysolfc rules: ")
    assert run("explore", NAME, "--line", "d d AS>1").exit_code == 0
    told = json.loads(run("annotate", "numbered:007", "d d", "--json").stdout)
    assert (told["deal"], told["cards"]) == (7, str(Deal.numbered(7)))


def test_what_is_printed_is_read_back(folder: Path) -> None:
    names = run("deal", "--pysolfc", "ms9", "--count", "2", "--notation", "number").stdout
    names += run("deal", "--seed", "3", "--count", "2", "--notation", "number", "--quiet").stdout
    assert names.startswith("pysolfc:ms9\npysolfc:ms10\nnumbered:")
    (folder / "names.txt").write_text(names)
    assert run("deal", "--file", "names.txt", "--notation", "number").stdout == names
    assert run("deal", "--file", "names.txt").stdout.splitlines()[1] == str(Deal.pysolfc("ms10"))


@pytest.mark.compiled
def test_names_count_on(folder: Path) -> None:
    assert run("deal", "numbered:007", "--count", "2").stdout == f"{Deal.numbered(7)}\n{Deal.numbered(8)}\n"
    by_name = run("strategy", "greedy", "numbered:0", "--count", "30", "--json").stdout
    assert by_name == run("strategy", "greedy", "--number", "0", "--count", "30", "--json").stdout


def test_a_certificate_is_of_the_rules_that_the_number_brings(folder: Path) -> None:
    assert run("solve", NAME, "--certificate", "proof.json").exit_code == 0
    assert json.loads((folder / "proof.json").read_text())["rules"] == PYSOLFC.to_dict()


# How greedy play loses them (`strategy greedy pysolfc:704`), and the moves that threw them away.
FATAL = {704: 41, 838: 33, 934: 47}


@pytest.mark.slow
@pytest.mark.parametrize("number", FATAL)
def test_games_that_were_thrown_away_by_the_rules_they_were_played_by(number: int) -> None:
    played = json.loads(run("strategy", "greedy", f"pysolfc:{number}", "--json").stdout)
    assert (played["deal"], played["won"]) == (f"pysolfc:{number}", False)
    result = run("annotate", f"pysolfc:{number}", played["line"])
    before = played["line"].split()[: FATAL[number] - 1]
    there = len(before) - before.count("r")  # the first deal is not counted there, and a redeal with its deal is one
    told = f"move {FATAL[number]} ({there} in PySolFC) threw the win away\n"
    assert result.stdout.startswith(f"pysolfc:{number} by pysolfc rules: {told}")
    assert " moves after move " in result.stdout
    kept = " ".join(before)
    stopped = run("annotate", f"pysolfc:{number}", kept).stdout
    assert stopped.startswith(
        f"pysolfc:{number} by pysolfc rules: no move threw the win away, it can still be won\nkept the win (1-"
    )
    assert "the win that is there" in stopped


@pytest.mark.slow
def test_a_game_that_has_not_begun_is_no_game_that_was_stopped() -> None:
    assert run("annotate", "pysolfc:704").stdout.startswith("pysolfc:704 by pysolfc rules: winnable\n")


def test_every_other_answer_says_by_which_rules(folder: Path) -> None:
    graph = json.loads(run("graph", NAME, "--set", "withhold=nothing", "--json").stdout)
    assert Rules.from_dict(graph["rules"]) == PYSOLFC.evolve(withhold="nothing")
    found = json.loads(run("deal", NAME, "--winnable", "--json").stdout)
    assert (found["deal"], Rules.from_dict(found["rules"])) == (NAME, PYSOLFC)
    told = run("deal", NAME, "--winnable").stderr
    assert told == f"{NAME} by pysolfc rules\nin PySolFC: pysolfc --game Amazons --deal 24680\n"
    assert run("show", NAME, "--line", "d d AS>1").stdout.startswith(f"{NAME} by pysolfc rules\n")
    drawn = run("show", NAME, "--win", "-o", "win.svg")
    assert drawn.stderr == f"picture written to win.svg: {NAME} by pysolfc rules\n"


@pytest.mark.slow
def test_a_graph_keeps_the_name_of_its_deal(folder: Path) -> None:
    run("graph", NAME, "--set", "withhold=nothing", "-o", "graph.json")
    deal = Deal.parse(json.loads((folder / "graph.json").read_text())["graph"]["deal"])
    assert (str(deal), deal.name) == (CARDS, NAME)
