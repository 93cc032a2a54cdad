"""Games that PySolFC saved, wherever a game or a deal is taken from a file."""

import asyncio
import json
from pathlib import Path

import pytest

from amazons_solver import Deal, Rules, State
from amazons_solver.cli.games import opened
from amazons_solver.cli.options import ChosenRules
from amazons_solver.cli.play.app import PlayApp
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.model.moves import format_line
from amazons_solver.model.saved.pysolfc import read_saved_game
from amazons_solver.model.saved.records import Record
from support.command_line import assert_refused, run
from support.pysolfc_files import LOST, WON, played, saved, statistics

REAL = Path(__file__).parents[1] / "fixtures" / "amazons-12345678901234567890.pso"
GAME = read_saved_game(REAL.read_bytes(), "real")
NAME = "pysolfc:12345678901234567890"
TABLE = State.initial(GAME.deal, GAME.rules).play_line(GAME.line)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_save_is_the_game_that_was_played() -> None:
    line = format_line(GAME.line)
    for command in ("hint", "annotate"):
        typed = run(command, "--pysolfc", GAME.number, line, "--json")
        assert typed.exit_code == 0
        assert run(command, "--file", REAL, "--json").stdout == typed.stdout
        assert run(command, "--file", "-", "--json", stdin=REAL.read_bytes()).stdout == typed.stdout


@pytest.mark.compiled
@pytest.mark.slow
def test_explore(folder: Path) -> None:
    line = format_line(GAME.line)
    typed = run("explore", "--pysolfc", GAME.number, line, "-o", "a.html", "--max-states", "2000")
    saved = run("explore", "--file", REAL, "-o", "b.html", "--max-states", "2000")
    assert saved.stdout == typed.stdout.replace("a.html", "b.html")
    assert NAME in saved.stdout


def test_show_shows_the_table_where_the_game_stands() -> None:
    result = run("show", "--file", REAL)
    assert result.stdout.startswith(f"{NAME} after 18 moves (16 in PySolFC) by pysolfc rules\n")
    shown = run("show", "--state", TABLE.text(), "--rules", "pysolfc").stdout
    assert result.stdout.split("\n")[1:] == shown.split("\n")[1:]
    assert run("show", "--file", "-", stdin=REAL.read_bytes()).stdout == result.stdout
    further = ["--line", format_line(GAME.undone)]
    shown = run("show", "--state", TABLE.text(), "--rules", "pysolfc", *further).stdout
    assert run("show", "--file", REAL, *further).stdout.split("\n")[1:] == shown.split("\n")[1:]


@pytest.mark.parametrize("stdin", [False, True])
def test_solve_and_deal_take_the_deal(stdin: bool) -> None:
    given = ["--file", "-"] if stdin else ["--file", str(REAL)]
    data = REAL.read_bytes() if stdin else None
    answer = json.loads(run("solve", *given, "--json", stdin=data).stdout)
    assert (answer["deal"], answer["cards"]) == (NAME, str(Deal.pysolfc(GAME.number, GAME.rules)))
    assert answer["rules"] == Rules.preset("pysolfc").to_dict()
    assert run("deal", *given, stdin=data).stdout == f"{GAME.deal}\n"
    assert run("deal", *given, "--notation", "number", stdin=data).stdout == f"{NAME}\n"


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("protocol", range(6))
def test_saves_of_every_protocol_bring_their_rules(protocol: int) -> None:
    Path("holdgame.dat").write_bytes(saved("7", (2, 16, 0), protocol, 1)[0])
    for command in ("hint", "annotate", "solve"):
        told = run(command, "--file", "holdgame.dat").stdout
        assert "by pysolfc-2.16 rules" in told.split("\n")[0]
    assert (
        " by pysolfc-2.16 rules with max_redeals=9"
        in run("solve", "--file", "holdgame.dat", "--set", "max_redeals=9").stdout
    )
    assert " by patiencen rules" in run("solve", "--file", "holdgame.dat", "--rules", "patiencen").stdout


@pytest.mark.slow
def test_old_pickles_of_python_2(folder: Path) -> None:
    """Text was bytes there, so the first word is."""
    data = saved("7", (1, 1, 0), 1, 1)[0]
    unicode, _, rest = data.partition(b".")
    assert unicode.startswith(b"X\x07\0\0\0PySolFC")
    Path("old.pso").write_bytes(b"U\x07PySolFCq\x00." + rest)
    assert run("show", "--file", "old.pso").stdout.startswith("pysolfc:7 after ")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["annotate", "hint", "explore", "show", "solve", "deal", "play"])
@pytest.mark.parametrize("data", [REAL.read_bytes()[:5000], b"\x80", b"\x80\x04cos\nsystem\n(S'ls'\ntR."])
def test_what_cannot_be_read_is_refused(command: str, data: bytes, folder: Path) -> None:
    Path("cut.pso").write_bytes(data)
    takes_statistics = command in ("show", "solve", "deal") and b"PySolFC" not in data
    expected = f"expected {'statistics' if takes_statistics else 'a saved game'} of PySolFC, got "
    assert_refused(run(command, "--file", "cut.pso"), expected, "(cut.pso)")
    assert_refused(run(command, "--file", "-", stdin=data), expected, "(standard input)")


def test_a_save_stands_alone() -> None:
    assert_refused(run("hint", "--file", REAL, "--number", "7"), "expected a saved game alone, got a deal, too")
    assert_refused(
        run("hint", "--file", REAL, "--state", TABLE.text()), "expected a saved game alone, got a state, too"
    )
    assert_refused(run("annotate", "--file", REAL, "--set", "suits=CD"), "expected the 28-card deck", "suits CD")
    assert_refused(run("annotate", "--file", REAL, "--rules", "patiencen"), "expected a legal move", "(move 2)")


@pytest.mark.compiled
def test_play_goes_on_and_never_writes_over_the_save(folder: Path) -> None:
    Path("game.pso").write_bytes(REAL.read_bytes())

    async def played(begun: bool) -> str:
        rules = ChosenRules(None, None)
        game = opened(Path("game.pso"), rules)
        first = PlayedGame(game.record, game.source, game.undone) if begun else PlayedGame(Record(Deal.numbered(0)))
        app = PlayApp(first, symbols=False, file=Path("game.pso") if begun else None, rules=rules)
        async with app.run_test(size=(80, 24)) as pilot:
            if not begun:
                app._open("game.pso")
            assert (app.game.line, tuple(app.game.moves)) == (GAME.line, GAME.line + GAME.undone)
            assert app.game.is_saved
            assert app.own is None  # so that no file is proposed, or written over unasked
            await pilot.pause()
            return app.game.text()

    for begun in (True, False):
        text = asyncio.run(played(begun))
        assert text.endswith(f"\n# taken back: {format_line(GAME.undone)}\n")
        assert Record.parse(text) == Record(GAME.deal, GAME.line, GAME.rules)
    assert Path("game.pso").read_bytes() == REAL.read_bytes()


WAY_BACK = "in PySolFC: pysolfc --game Amazons --deal"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "typed"), [("pysolfc:24680", "24680"), ("pysolfc:ms24680", "ms24680")])
def test_the_way_back(name: str, typed: str) -> None:
    assert run("solve", name).stdout.endswith(f"\n{WAY_BACK} {typed}\n")
    assert run("solve", name, "--rules", "pysolfc-2.16").stdout.endswith(f"\n{WAY_BACK} {typed}\n")
    assert "PySolFC" not in run("solve", name, "--rules", "patiencen").stdout
    told = run("deal", name)
    assert (told.stdout, told.stderr) == (f"{Deal.pysolfc(typed)}\n", f"{WAY_BACK} {typed}\n")
    for more in (["--json"], ["--quiet"], ["--count", "2"], ["--rules", "patiencen"]):
        assert run("deal", name, *more).stderr == ""
    assert WAY_BACK not in run("solve", "numbered:7", "--rules", "pysolfc").stdout


@pytest.mark.parametrize("stdin", [False, True])
def test_lost_games_are_decided_each_by_its_rules(stdin: bool, folder: Path) -> None:
    games = {
        "ann": [played("8", WON), played("00000000000000024680", LOST), played("24680", LOST)],
        "bob": [played("ms9", LOST, (2, 16, 0)), played("Custom", LOST), played("7", LOST, (0, 9)), played("9", LOST)],
    }
    data = statistics(games, 4)
    Path("statistics.dat").write_bytes(data)
    given = ["--file", "-"] if stdin else ["--file", "statistics.dat"]
    result = run("solve", *given, "--json", stdin=data if stdin else None)
    assert result.exit_code == 2  # for the two that cannot be told
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["deal"] for answer in told] == [
        "pysolfc:24680",
        "pysolfc:ms9",
        "game Custom",
        "game 7",
        "pysolfc:9",
    ]
    by = [answer.get("rules") for answer in told]
    new, old = Rules.preset("pysolfc").to_dict(), Rules.preset("pysolfc-2.16").to_dict()
    assert by == [new, old, None, None, new]
    assert told[0]["cards"] == str(Deal.pysolfc("24680"))
    assert "expected a PySolFC game number" in told[2]["error"]
    assert "before 1.0" in told[3]["error"]
    forced = run("solve", *given, "--rules", "patiencen", stdin=data if stdin else None)
    assert forced.stdout.startswith("pysolfc:24680 by patiencen rules: unwinnable\n")
    names = run("deal", *given, "--notation", "number", stdin=data if stdin else None).stdout
    assert names == "pysolfc:24680\npysolfc:ms9\npysolfc:9\n"


@pytest.mark.slow
def test_statistics_are_no_game_and_may_have_none_that_was_lost(folder: Path) -> None:
    Path("none.dat").write_bytes(statistics({"ann": [played("8", WON), played("8", LOST, game=2)]}, 5))
    assert_refused(run("solve", "--file", "none.dat"), "expected a lost game of Amazons in none.dat, got none")
    Path("two.dat").write_bytes(statistics({"ann": [played("8", LOST), played("9", LOST)]}, 5))
    assert_refused(run("hint", "--file", "two.dat"), "expected a saved game of PySolFC, got another file")
    assert_refused(run("show", "--file", "two.dat"), "expected one deal to show, got another on pysolfc:9 of two.dat")
