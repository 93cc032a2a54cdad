"""The command `play`, driven by keys: verdicts sought beside the game."""

import threading
from collections.abc import Callable

import pytest

from amazons_solver import Knowledge, Limits, Solution, State, Verdict, solve_state
from amazons_solver.cli.play import app as play_app
from amazons_solver.cli.play.prompts import Prompt
from support.playing import KEPT, TRAP, Player, play

pytestmark = pytest.mark.slow


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
