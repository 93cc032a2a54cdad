"""The command `play`, driven by keys."""

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from amazons_solver import (
    Deal,
    Knowledge,
    Limits,
    Rules,
    Solution,
    State,
    Verdict,
    format_line,
    parse_line,
    solve_state,
)
from amazons_solver.cli.options import ChosenRules
from amazons_solver.cli.play import app as play_app
from amazons_solver.cli.play.app import PlayApp
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.cli.play.prompts import HELP, Help, Prompt
from amazons_solver.cli.play.report import keys_text
from amazons_solver.model.records import Record
from support.command_line import PROGRAM, assert_refused, environment, program, run

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = Record(Deal.parse("AC 7C", TRAP_RULES), (), TRAP_RULES)
# Compulsory plays: see tests/hints/test_hints.py.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
STUCK = Record(Deal.parse("7D AC AD 7C", STUCK_RULES), (), STUCK_RULES)
# Aces go to any empty foundation.
CHOICE_RULES = Rules(suits="CD", ranks="A7", base_placement="any", withhold="any")
CHOICE = Record(Deal.parse("AC 7D AD 7C", CHOICE_RULES), (), CHOICE_RULES)

KEPT = "The game can be won. No move has thrown it away."


class Player:
    """Presses keys and reads the screen."""

    def __init__(self, app: PlayApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, keys: str) -> None:
        """Press keys one after the other, each when all is found out that the one before it asked for."""
        for key in keys.split():
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def answer(self, text: str) -> None:
        """Answer the question that was asked."""
        screen = self.app.screen
        assert isinstance(screen, Prompt)
        screen.query_one(Input).value = text
        await self.press("enter")

    def reads(self, part: str) -> str:
        """What a part of the screen says."""
        return str(self.app.screen_stack[0].query_one(f"#{part}").render())

    @property
    def line(self) -> str:
        return " ".join(map(str, self.app.game.line))


def play(
    record: Record, script: Callable[[Player], Awaitable[None]], size: tuple[int, int] = (80, 24), symbols: bool = False
) -> None:
    """Run a script of keys against a game."""

    async def main() -> None:
        app = PlayApp(PlayedGame(record), symbols=symbols)
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.settle()
            await script(player)

    asyncio.run(main())


def test_a_game_is_won_by_keys() -> None:
    async def script(player: Player) -> None:
        assert player.reads("verdict") == "The game can be won."
        await player.press("d 1")
        assert player.line == "d AC>1"
        await player.press("space 1")
        assert player.app.game.state.is_won
        assert player.reads("verdict") == "Won: 4 moves, redeals: 0. n: another deal."
        await player.press("d")
        assert player.reads("notice") == "The game is won."

    play(TRAP, script)


def test_a_lost_game_is_said_to_be_lost_and_why_and_one_can_go_back() -> None:
    async def script(player: Player) -> None:
        await player.press("d")
        assert player.reads("verdict") == KEPT
        await player.press("d")
        assert player.reads("verdict").splitlines() == [
            "Lost: blocked: no card can be played, and max_redeals=0 allows no redeal.",
            "Move 2 (d) threw the win away. b: back to before it.",
        ]
        await player.press("r")
        assert player.reads("notice") == "No move is legal: the game is blocked."
        await player.press("b")
        assert player.line == "d"
        assert player.reads("verdict") == KEPT
        await player.press("b")
        assert player.reads("notice") == "b: there is nothing known to go back to."

    play(TRAP, script)


def test_a_deal_that_cannot_be_won() -> None:
    async def script(player: Player) -> None:
        await player.press("d 1")
        assert player.reads("notice") == "1: there is no such play."
        await player.press("r")
        assert player.reads("notice") == "r: there are cards in the talon. d deals them."
        await player.press("d")
        assert (player.line, player.reads("notice")) == ("d", "A card must be played first.")
        await player.press("2")
        assert player.reads("verdict").splitlines() == [
            "Lost: every play that is left leads to a table that no play can save.",
            "The deal cannot be won by these rules. n: another deal.",
        ]
        await player.press("d 1 d")
        assert player.reads("notice") == "d: the talon is empty. r redeals."
        assert player.reads("verdict").startswith("Lost: no card can ever be played again: every redeal the same table")
        await player.press("space")
        assert player.line == "d AC>1 d AD>2 r"

    play(STUCK, script)


def test_where_there_is_a_choice_of_foundations_it_is_asked_for() -> None:
    async def script(player: Player) -> None:
        await player.press("d")
        assert [row.split()[:2] for row in player.reads("moves").splitlines()] == [
            ["1", "1"],
            ["1", "2"],
            ["d", "deal"],
        ]
        await player.press("1")
        assert player.reads("notice") == "To which foundation (1, 2)? Escape: none."
        await player.press("escape 2")
        assert (player.line, player.reads("notice")) == ("d", "2: there is no such play.")
        await player.press("1 4")
        assert (player.line, player.reads("notice")) == ("d", "4: there is no such play.")
        await player.press("1 2")
        assert player.line == "d AC>2"

    play(CHOICE, script)


def test_marks() -> None:
    async def script(player: Player) -> None:
        await player.press("d question_mark")
        assert player.reads("moves").splitlines() == [
            "1    AC to 1  * wins in 0 redeals",
            "d    deal       throws it away",
        ]
        assert "AC*" in player.reads("table")
        await player.press("1")
        assert "*" not in player.reads("table") + player.reads("moves")
        await player.press("u d question_mark")
        assert player.reads("moves") == ""

    play(TRAP, script)


def test_going_back_and_forth() -> None:
    async def script(player: Player) -> None:
        await player.press("u")
        assert player.reads("notice") == "There is no move to take back."
        await player.press("d 1 u u")
        assert player.line == ""
        await player.press("y right")
        assert player.line == "d AC>1"
        await player.press("y")
        assert player.reads("notice") == "There is no move to be made again."
        await player.press("left d")  # another way
        assert player.line == "d d"
        await player.press("y")
        assert player.line == "d d"

    play(TRAP, script)


def test_games_are_saved_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(player: Player) -> None:
        await player.press("d 1 d u s")
        await player.answer("game.txt")
        assert player.reads("notice") == "Saved game.txt."
        assert (
            Path("game.txt").read_text()
            == "rules wikipedia suits=C ranks=A7 max_redeals=0\nAC 7C\nd AC>1\n# taken back: d\n"
        )
        await player.press("d s enter")  # once more to the same file
        assert Path("game.txt").read_text().endswith("\nd AC>1 d\n")
        Path("other.txt").write_text(f"{STUCK.text()}\nd AC>1\n")
        await player.press("s")
        await player.answer("other.txt")
        assert "There is a file other.txt." in str(player.app.screen.query_one("Static").render())
        await player.press("escape")
        assert Path("other.txt").read_text().endswith("\nd AC>1\n")
        await player.press("o")
        await player.answer("other.txt")
        assert (player.line, player.app.game.record.rules) == ("d AC>1", STUCK_RULES)
        await player.press("s")
        await player.answer("game.txt")
        await player.press("enter")
        assert Path("game.txt").read_text() == Path("other.txt").read_text()

    play(TRAP, script)


def test_the_name_that_is_asked_about_cannot_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(f"{name} of mine")

    async def script(player: Player) -> None:
        await player.press("d s")
        await player.answer("a.txt")
        question = str(player.app.screen.query_one("Static").render())
        assert question == "There is a file a.txt. Enter: write over it. Escape: do not."
        await player.press("home delete b enter")
        assert Path("b.txt").read_text() == "b.txt of mine"
        assert Path("a.txt").read_text().endswith("\nd\n")
        await player.press("s")
        await player.answer("b.txt")  # another name: asked again
        await player.press("escape")
        assert Path("b.txt").read_text() == "b.txt of mine"
        await player.press("s")
        assert player.app.screen.query_one(Input).value == "a.txt"
        Path("a.txt").write_text("somebody else wrote this")
        await player.press("enter")
        assert "There is a file a.txt." in str(player.app.screen.query_one("Static").render())
        await player.press("escape")
        assert Path("a.txt").read_text() == "somebody else wrote this"

    play(TRAP, script)


def test_a_game_from_a_file_keeps_what_else_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"# pysolfc:1\n{TRAP.text()}\n# my game\nd AC>1  # so far\n"
    Path("game.txt").write_text(text)

    async def script(player: Player) -> None:
        await player.press("o")
        await player.answer("game.txt")
        await player.press("d u u s enter")
        assert player.reads("notice") == "Saved game.txt."
        moved = text.replace("d AC>1", "d")
        assert Path("game.txt").read_text() == f"{moved}# taken back: AC>1 d\n"
        await player.press("o")
        await player.answer("game.txt")
        assert player.line == "d"
        await player.press("y y")
        assert player.line == "d AC>1 d"
        assert player.app.unsaved() == []

    play(TRAP, script)


def test_games_that_are_left_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(f"{STUCK.text()}\nd\n")

    async def script(player: Player) -> None:
        kept = "The game before it is not saved: it will be printed when you quit."
        await player.press("n enter")
        assert (player.reads("notice"), player.app.unsaved()) == ("", [])
        await player.press("d n")
        await player.answer("AC 7C")
        assert player.reads("notice") == kept
        await player.press("d u o")
        await player.answer("game.txt")
        assert player.reads("notice") == f"Opened game.txt. {kept}"
        await player.press("u o")
        await player.answer("bad.txt")
        await player.press("escape y 2 q")
        games = [Record.parse(text) for text in player.app.unsaved()]
        assert [(str(game.deal), format_line(game.line)) for game in games][1:] == [
            ("AC 7C", ""),
            ("7D AC AD 7C", "d AC>1"),
        ]
        assert player.app.unsaved()[1].endswith("\n# taken back: d\n")
        assert format_line(games[0].line) == "d"

    play(TRAP, script)


def test_only_plain_files_are_opened_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe would be waited for without end."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")

    async def script(player: Player) -> None:
        for key in "os":
            await player.press(f"d {key}")
            await player.answer("pipe")
            assert player.reads("notice") == "expected a plain file, got pipe"
            await player.press("escape")

    play(TRAP, script)


@pytest.mark.parametrize(
    ("key", "answer", "notice"),
    [
        ("o", "nowhere.txt", "expected a file to read, got nowhere.txt"),
        ("o", "bad.txt", "expected a legal move (d), got r"),
        ("o", "-", "expected a file to read, got "),
        ("s", "x" * 300, "expected a file to write, got xxx"),
        ("s", "", "expected a plain file, got ."),
        ("o", "latin-1.txt", "expected UTF-8 text, got byte 0xe4 in latin-1.txt"),
        ("o", "a\0b", "expected the name of a file, got 'a"),
        ("s", "a\0b", "expected the name of a file, got 'a"),
        ("s", "no/folder.txt", "expected a file to write, got no/folder.txt"),
        ("o", "\N{SNOWMAN}\x1b", "expected a file to read, got \\u2603\\x1b"),
        ("n", "1C", "expected a card such as 7H, 10H or QS, got '1C'"),
        ("n", "7C", "expected 2 cards, got 1: AC is missing"),
        ("n", "pysolfc:0", "expected a PySolFC game number from 1 to 10^20"),
        ("n", "numbered:99999999999999999999", "expected a deal number from 0 to 2^64 - 1"),
        ("n", "7", "expected cards or a deal's name (pysolfc:7 or numbered:7), got the number 7 alone"),
    ],
)
def test_bad_answers_are_said_to_be_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, answer: str, notice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text(f"{TRAP.text()}\nr\n")
    Path("latin-1.txt").write_bytes(b"# Pl\xe4tze\n" + TRAP.text().encode())

    async def script(player: Player) -> None:
        await player.press(f"d {key}")
        await player.answer(answer)
        assert player.reads("notice").startswith(notice)
        # What was typed is still there, to be mended.
        assert str(player.app.screen.query(Static).first().render()).startswith(notice)
        assert player.app.screen.query_one(Input).value == answer
        await player.press("escape")
        assert (player.line, player.reads("notice"), len(player.app.screen_stack)) == ("d", "", 1)

    play(TRAP, script)


def test_other_deals() -> None:
    rules = Rules.preset("ultimate")

    async def script(player: Player) -> None:
        for answer, deal in (
            ("numbered:007", Deal.numbered(7, rules)),
            ("numbered:8", Deal.numbered(8, rules)),
            (str(Deal.numbered(9, rules)), Deal.numbered(9, rules)),
        ):
            await player.press("d n")
            await player.answer(answer)
            assert (player.app.game.record.deal, player.line) == (deal, "")
        await player.press("n enter")
        assert player.app.game.record.deal.name.startswith("numbered:")
        assert "by ultimate rules" in player.reads("title")
        await player.press("d n escape")
        assert player.line == "d"

    play(Record(Deal.numbered(0, rules), (), rules), script)


@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        (ChosenRules(None, None), Rules.preset("pysolfc")),
        (ChosenRules(None, ["withhold=bases"]), Rules.preset("pysolfc").evolve(withhold="bases")),
        (ChosenRules("morehead", None), Rules.preset("morehead")),
    ],
    ids=["none", "--set", "--rules"],
)
def test_another_deal_by_pysolfcs_number_brings_its_rules(asked: ChosenRules, rules: Rules) -> None:
    async def script(player: Player) -> None:
        player.app.rules = asked
        await player.press("n")
        await player.answer("pysolfc:0024680")
        game = player.app.game.record
        assert (game.deal.name, game.deal, game.rules) == ("pysolfc:24680", Deal.pysolfc("24680"), rules)
        assert player.reads("title").startswith("Amazons  pysolfc:24680 by ")

    play(Record(Deal.numbered(0), (), Rules()), script)


def test_a_game_from_a_state_is_played_judged_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    state = State.initial(TRAP.deal, TRAP_RULES).play_line(parse_line("d")) if isinstance(TRAP.deal, Deal) else None
    assert state is not None

    async def script(player: Player) -> None:
        assert player.reads("title").startswith("Amazons  this state by ")
        assert player.reads("verdict") == "The game can be won."
        await player.press("d")
        assert "Move 1 (d) threw the win away" in player.reads("verdict")
        await player.press("s")
        await player.answer("kept.txt")

    play(Record(state, (), TRAP_RULES), script)
    assert Record.parse(Path("kept.txt").read_text()) == Record(state, parse_line("d"), TRAP_RULES)


def test_the_talon_can_be_looked_at() -> None:
    async def script(player: Player) -> None:
        assert "7C" not in player.reads("table")
        await player.press("t")
        assert "AC 7C" in player.reads("table")
        await player.press("t")
        assert "7C" not in player.reads("table")

    play(TRAP, script)


def test_keys_are_answered_while_a_verdict_is_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search waits for the test: were it not in a thread of its own, nothing would ever happen."""
    begun, resume = threading.Event(), threading.Event()

    def slow(state: State, **options: object) -> Solution:
        if not state.talon_codes:
            begun.set()
            assert resume.wait(20)
        return solve_state(state)

    async def script(player: Player) -> None:
        await player.press("d")
        await player.pilot.press("d")
        while not begun.is_set():
            await player.pilot.pause(0.01)
        assert player.reads("verdict") == "Can it be won? ..."
        await player.pilot.press("t", "u", "t")
        assert player.line == "d"
        resume.set()
        await player.settle()
        assert player.reads("verdict") == KEPT  # of where it stands, not of what was left

    monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", slow)
    play(TRAP, script)


def test_a_verdict_may_come_while_a_question_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    resume = threading.Event()

    def slow(state: State, **options: object) -> Solution:
        assert resume.wait(20)
        return solve_state(state)

    async def script(player: Player) -> None:
        await player.press("d")
        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", slow)
        await player.pilot.press("d", "s")
        assert isinstance(player.app.screen, Prompt)
        resume.set()
        await player.settle()
        assert player.reads("verdict").startswith("Lost: blocked")
        await player.pilot.resize_terminal(70, 20)
        await player.press("escape")
        assert player.app.screen.region.size == (70, 20)

    play(TRAP, script)


def test_a_search_that_is_not_wanted_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without end, but for its progress callback."""
    ended = threading.Event()

    def endless(state: State, *, progress: Callable[[object], None], **options: object) -> Solution:
        if len(state.depots[0]) != 2:
            return solve_state(state)
        try:
            while True:
                threading.Event().wait(0.01)
                progress(None)
        finally:
            ended.set()

    async def script(player: Player) -> None:
        await player.press("d")
        await player.pilot.press("d")
        await player.pilot.pause(0.1)
        assert not ended.is_set()
        await player.press("u")
        assert ended.wait(20)
        assert player.reads("verdict") == KEPT

    monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", endless)
    play(TRAP, script)


def test_what_is_not_decided_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_app, "LIMITS", Limits(seconds=0))

    async def script(player: Player) -> None:
        assert player.reads("verdict") == "Unknown whether the game can be won: the search gave up."
        await player.press("question_mark")
        assert player.reads("moves") == "d    deal       unknown"

    play(TRAP, script)


def test_a_lost_game_of_which_it_is_not_known_when_it_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def verdict(_: Knowledge, state: State, **options: object) -> Verdict:
        return known[len(state.depots[0])]

    known = {0: Verdict.WINNABLE, 1: Verdict.UNDECIDED, 2: Verdict.UNWINNABLE}
    monkeypatch.setattr(Knowledge, "verdict", verdict)
    monkeypatch.setattr(Knowledge, "fewest_redeals", lambda *_, **__: (0, 0))

    async def script(player: Player) -> None:
        await player.press("d d")
        assert player.reads("verdict").endswith("It was last known to be winnable after move 0. b: back to there.")
        known[0] = Verdict.UNDECIDED
        await player.press("u y")
        assert player.reads("verdict").endswith("It is not known which move threw the win away.")
        known[0] = Verdict.WINNABLE
        await player.press("u y b")
        assert player.line == ""

    play(TRAP, script)


@pytest.mark.parametrize(("size", "symbols"), [((80, 24), True), ((60, 14), True), ((80, 24), False)])
def test_everything_is_within_the_screen(size: tuple[int, int], symbols: bool) -> None:
    rules = Rules.preset("pysolfc")
    record = Record(Deal.pysolfc("24680", rules), parse_line("d d d d d d d"), rules)

    async def script(player: Player) -> None:
        parts = [player.app.query_one(f"#{part}") for part in ("title", "table", "moves", "verdict", "notice", "keys")]
        screen = player.app.screen.region
        assert all(screen.contains_region(part.region) for part in parts)
        rows = player.reads("table").splitlines()
        # The top cards, which are what can be played.
        assert rows[-3].split() == (["A♥", "10♠", "8♥", "10♣"] if symbols else ["AH", "TS", "8H", "TC"])
        text = "".join(player.reads(part) for part in ("title", "table", "moves", "verdict", "notice", "keys"))
        assert text.isascii() is not symbols

    play(record, script, size=size, symbols=symbols)


def test_depots_unfold_when_the_terminal_grows() -> None:
    rules = Rules.preset("pysolfc")
    record = Record(Deal.pysolfc("24680", rules), parse_line("d d d d d d d"), rules)

    async def script(player: Player) -> None:
        folded = player.reads("table")
        assert "+" in folded
        for size, is_folded in (((80, 40), False), ((80, 14), True)):
            await player.pilot.resize_terminal(*size)
            await player.settle()
            assert ("+" in player.reads("table")) is is_folded
        assert player.reads("table") == folded

    play(record, script, size=(80, 14))


@pytest.mark.parametrize("width", [80, 50, 40])
def test_all_keys_are_shown_whatever_the_width(width: int) -> None:
    async def script(player: Player) -> None:
        keys = player.app.query_one("#keys").region
        assert player.app.screen.region.contains_region(keys)
        assert "\n".join(player.reads("keys").splitlines()) == keys_text(width)
        assert (keys.height, keys.width) == (len(keys_text(width).splitlines()), width)
        await player.press("d s")
        assert player.app.screen.region.contains_region(player.app.screen.query_one(Input).region)

    play(TRAP, script, size=(width, 24))


def test_keys_in_upper_case_and_keys_that_there_are_not() -> None:
    async def script(player: Player) -> None:
        await player.press("D 1 D U Y U")
        assert player.line == "d AC>1"
        await player.press("T")
        assert "7C" in player.reads("table")
        await player.press("D B R")
        assert player.line == "d AC>1 d"
        for key, sign in (("x", "x"), ("X", "X"), ("5", "5"), ("plus", "+")):
            await player.press(key)
            assert player.reads("notice") == f"{sign}: there is no such key. h: all keys."
        for key in ("S", "O", "N"):
            await player.press(key)
            assert isinstance(player.app.screen, Prompt)
            await player.press("escape")
        await player.press("Q")
        assert not player.app.is_running

    play(TRAP, script)


def test_help() -> None:
    async def script(player: Player) -> None:
        for key in ("h", "H", "f1"):
            await player.press(key)
            assert isinstance(player.app.screen, Help)
            await player.press("down d")
            assert (player.line, len(player.app.screen_stack)) == ("", 1)
        assert max(map(len, HELP.split("\n\n", maxsplit=1)[0].splitlines())) <= 50

    play(TRAP, script, size=(50, 14))


@pytest.mark.parametrize("keys", ["ctrl+c", "ctrl+q", "s ctrl+c", "n ctrl+q"])
def test_keys_that_always_quit(keys: str) -> None:
    async def script(player: Player) -> None:
        await player.press(f"d {keys}")
        assert not player.app.is_running
        assert len(player.app.unsaved()) == 1

    play(TRAP, script)


def test_without_a_terminal_it_is_refused() -> None:
    assert_refused(program("play"), "expected a terminal to play in, got a pipe or a file")


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["7C"], "expected 28 cards"),
        (["--number", "1", "r"], "expected a legal move (d)"),
        (["--number", "1", "--pysolfc", "1"], "expected one of --number and --pysolfc"),
        (["--rules", "whist"], "whist"),
        (["--file", "nowhere"], "expected a file to read"),
    ],
)
def test_bad_input(arguments: list[str], fragment: str) -> None:
    assert_refused(run("play", *arguments), fragment)


def test_the_program_loads_textual_only_to_play() -> None:
    code = "from amazons_solver.cli.app import app; import sys; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("terminal", ["dumb", "unknown"])
def test_a_terminal_that_cannot_show_it_is_refused(terminal: str) -> None:
    with in_terminal("AC 7C", *TRAP_OPTIONS, term=terminal) as game:
        told = game.read_all()
    assert (game.code, told) == (2, f"error: expected a terminal that can move its cursor, got TERM={terminal}\r\n")


class Terminal:
    """The program itself, in a terminal of its own."""

    def __init__(self, arguments: Sequence[str], program: Sequence[str], folder: Path | None, term: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*program, "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment({"TERM": term, "PYTHONIOENCODING": "ascii"}),
            start_new_session=True,
        )
        os.close(theirs)
        self.code: int | None = None

    def read_until(self, words: bytes) -> bytes:
        data = b""
        while words not in data:
            data += os.read(self.ours, 65_536)
        return data

    def write(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def read_all(self) -> str:
        """What is written up to the end."""
        data = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the program has ended
            while new := os.read(self.ours, 65_536):
                data += new
        self.code = self.process.wait(20)
        return data.decode()

    def close(self) -> None:
        """Take the terminal away."""
        os.close(self.ours)
        self.ours = -1


@contextlib.contextmanager
def in_terminal(
    *arguments: str, program: Sequence[str] = PROGRAM, folder: Path | None = None, term: str = "xterm-256color"
) -> Iterator[Terminal]:
    terminal = Terminal(arguments, program, folder, term)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        if terminal.ours >= 0:
            terminal.close()


TRAP_OPTIONS = ["--set", "suits=C", "--set", "ranks=A7", "--set", "max_redeals=0"]
LAST_WORDS = "# Not saved:\r\nrules wikipedia suits=C ranks=A7 max_redeals=0\r\nAC 7C\r\nd\r\n"


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("q", 0),
        ("\x03", 0),
        ("\x11", 0),
        (signal.SIGTERM, -signal.SIGTERM),
        (signal.SIGQUIT, -signal.SIGQUIT),
        (signal.SIGINT, 130),
    ],
)
def test_what_is_not_saved_is_printed_on_the_way_out(end: str | signal.Signals, code: int) -> None:
    with in_terminal("AC 7C", *TRAP_OPTIONS) as game:
        game.read_until(b"The game can be won.")
        game.write(b"d")
        game.read_until(b"move 1,")
        if isinstance(end, str):
            game.write(end.encode())
        else:
            game.process.send_signal(end)
        told = game.read_all()
    assert game.code == code
    last_words = told.split("\x1b[?1049l")[1]  # after the screen
    assert last_words[last_words.index("#") :].startswith(LAST_WORDS)
    # It is a game that other commands read.
    text = last_words[last_words.index("#") :].partition("\r\n\r\n")[0]
    assert "after 1 move" in run("hint", "--file", "-", stdin=text).stdout


def test_bytes_that_are_no_text_do_not_end_the_game() -> None:
    with in_terminal("AC 7C", *TRAP_OPTIONS) as game:
        game.read_until(b"The game can be won.")
        for byte in (b"\xff", b"\xc3", b"(", b"\xe4\xf6\xfc"):
            game.write(byte)
            time.sleep(0.2)
        game.write(b"d")
        game.read_until(b"move 1,")
        game.write(b"q")
        assert LAST_WORDS in game.read_all()
    assert game.code == 0


@pytest.mark.parametrize("told", [True, False])
def test_a_game_survives_its_terminal(told: bool, tmp_path: Path) -> None:
    """Whether the system sends a signal or not."""
    (tmp_path / "amazons-unsaved.txt").write_text("another one")
    with in_terminal("AC 7C", *TRAP_OPTIONS, folder=tmp_path) as game:
        game.read_until(b"The game can be won.")
        game.write(b"d")
        game.read_until(b"move 1,")
        if told:
            game.process.send_signal(signal.SIGHUP)
        game.close()
        assert game.process.wait(20) == -signal.SIGHUP
    assert (tmp_path / "amazons-unsaved.txt").read_text() == "another one"
    assert Record.parse((tmp_path / "amazons-unsaved-2.txt").read_text()) == Record(
        TRAP.deal, parse_line("d"), Rules(suits="C", ranks="A7", max_redeals=0)
    )


def test_a_game_survives_what_nobody_foresaw() -> None:
    code = """
from amazons_solver.cli import app
from amazons_solver.cli.play import app as play_app
def fail(*_): raise ZeroDivisionError("a fault")
play_app.PlayApp.action_talon = fail
app.app()
"""
    with in_terminal("AC 7C", *TRAP_OPTIONS, program=[sys.executable, "-c", code]) as game:
        game.read_until(b"The game can be won.")
        game.write(b"d")
        game.read_until(b"move 1,")
        game.write(b"t")
        told = game.read_all()
    assert LAST_WORDS in told
    assert told.count("a fault") == 1
    assert game.code not in (None, 0)


def test_in_a_terminal() -> None:
    """The program is told to quit."""
    with in_terminal("--pysolfc", "24680", "--rules", "patiencen") as game:
        shown = game.read_until(b"The deal cannot be won by these rules.")
        assert b"pysolfc:24680 by patiencen rules" in shown
        assert shown.isascii()
        game.write(b"q")
        assert "# Not saved" not in game.read_all()
    assert game.code == 0
