"""The command `play`, driven by keys."""

import asyncio
import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from amazons_solver import Deal, Limits, Rules, Solution, State, Verdict, analysis, parse_line, solve_state
from amazons_solver.cli import play_app
from amazons_solver.cli.play_app import PlayApp, Prompt
from amazons_solver.cli.play_game import PlayedGame
from amazons_solver.model.records import Record
from command_line import PROGRAM, assert_refused, environment, program, run

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = Record(Deal.parse("AC 7C", TRAP_RULES), (), TRAP_RULES)
# Compulsory plays: see tests/unit/test_analysis.py.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
STUCK = Record(Deal.parse("7D AC AD 7C", STUCK_RULES), (), STUCK_RULES)
# Aces go to any empty foundation.
CHOICE_RULES = Rules(suits="CD", ranks="A7", base_placement="any", withhold="any")
CHOICE = Record(Deal.parse("AC 7D AD 7C", CHOICE_RULES), (), CHOICE_RULES)


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
        assert player.reads("verdict") == "The game can be won."
        await player.press("d")
        assert player.reads("verdict").splitlines() == [
            "Lost: blocked: no card can be played, and max_redeals=0 allows no redeal.",
            "Move 2 (d) threw the win away. b: back to before it.",
        ]
        await player.press("r")
        assert player.reads("notice") == "No move is legal: the game is blocked."
        await player.press("b")
        assert player.line == "d"
        assert player.reads("verdict") == "The game can be won."
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
        assert Path("game.txt").read_text() == "rules wikipedia suits=C ranks=A7 max_redeals=0\nAC 7C\nd AC>1\n"
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


@pytest.mark.parametrize(
    ("key", "answer", "notice"),
    [
        ("o", "nowhere.txt", "expected a file to read, got nowhere.txt"),
        ("o", "bad.txt", "expected a legal move (d), got r"),
        ("s", "no/folder.txt", "expected a file to write, got no/folder.txt"),
        ("n", "7C", "expected 2 cards, got 1: AC is missing"),
        ("n", "pysolfc:1", "expected the 28-card deck"),
        ("n", "99999999999999999999", "expected a deal number from 0 to 2^64 - 1"),
    ],
)
def test_bad_answers_are_said_to_be_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, answer: str, notice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text(f"{TRAP.text()}\nr\n")

    async def script(player: Player) -> None:
        await player.press(f"d {key}")
        await player.answer(answer)
        assert player.reads("notice").startswith(notice)
        assert player.line == "d"

    play(TRAP, script)


def test_other_deals() -> None:
    rules = Rules.preset("ultimate")

    async def script(player: Player) -> None:
        for answer, deal in (
            ("7", Deal.numbered(7, rules)),
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
    begun, go_on = threading.Event(), threading.Event()

    def slow(state: State, **options: object) -> Solution:
        if not state.talon_codes:
            begun.set()
            assert go_on.wait(20)
        return solve_state(state)

    async def script(player: Player) -> None:
        await player.press("d")
        await player.pilot.press("d")
        while not begun.is_set():
            await player.pilot.pause(0.01)
        assert player.reads("verdict") == "Can it be won? ..."
        await player.pilot.press("t", "u", "t")
        assert player.line == "d"
        go_on.set()
        await player.settle()
        assert player.reads("verdict") == "The game can be won."  # of where it stands, not of what was left

    monkeypatch.setattr(analysis, "solve_state", slow)
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
        assert player.reads("verdict") == "The game can be won."

    monkeypatch.setattr(analysis, "solve_state", endless)
    play(TRAP, script)


def test_what_is_not_decided_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_app, "LIMITS", Limits(seconds=0))

    async def script(player: Player) -> None:
        assert player.reads("verdict") == "Unknown whether the game can be won: the search gave up."
        await player.press("question_mark")
        assert player.reads("moves") == "d    deal       unknown"

    play(TRAP, script)


def test_a_lost_game_of_which_it_is_not_known_when_it_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def verdict(_: analysis.Knowledge, state: State, **options: object) -> Verdict:
        return known[len(state.depots[0])]

    known = {0: Verdict.WINNABLE, 1: Verdict.UNDECIDED, 2: Verdict.UNWINNABLE}
    monkeypatch.setattr(analysis.Knowledge, "verdict", verdict)
    monkeypatch.setattr(analysis.Knowledge, "fewest_redeals", lambda *_, **__: (0, 0))

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


def test_in_a_terminal() -> None:
    """The program itself, in a terminal in which it is told to quit."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [*PROGRAM, "play", "--pysolfc", "24680", "--rules", "patiencen"]
    surroundings = environment({"TERM": "xterm-256color", "PYTHONIOENCODING": "ascii"})
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
    ) as process:
        os.close(theirs)
        data = b""
        while b"The deal cannot be won by these rules." not in data:
            data += os.read(ours, 65_536)
        assert b"pysolfc:24680 by patiencen rules" in data
        assert data.isascii()
        os.write(ours, b"q")
        with contextlib.suppress(OSError):  # the terminal is gone when the program has ended
            while os.read(ours, 65_536):
                pass
        assert process.wait(20) == 0
        os.close(ours)
