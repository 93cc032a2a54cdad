"""Searches beside a program that goes on."""

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from amazons_solver import Deal, Limits, OptionError, Rules, State, Verdict, solve_state
from amazons_solver.cli.play.background import in_thread

RULES = Rules(suits="C", ranks="A7")
DEAL = Deal.parse("7C AC", RULES)


def thread_of_call(progress: object) -> threading.Thread:
    return threading.current_thread()


def test_the_answer_comes_from_another_thread() -> None:
    async def main() -> None:
        start = State.initial(DEAL, RULES)
        assert (await in_thread(solve_state, start, limits=Limits(seconds=5))).verdict is Verdict.WINNABLE
        assert await in_thread(thread_of_call) is not threading.current_thread()

    asyncio.run(main())


def test_errors_are_raised_where_the_answer_is_awaited() -> None:
    with pytest.raises(OptionError, match="expected order to be one of"):
        asyncio.run(in_thread(solve_state, State.initial(DEAL, RULES), order="random"))


def test_what_is_not_wanted_any_more_ends_at_its_next_report() -> None:
    ended = threading.Event()

    def endless(progress: Callable[[object], None]) -> None:
        try:
            while True:
                time.sleep(0.01)
                progress(None)
        finally:
            ended.set()

    async def main() -> None:
        task = asyncio.create_task(in_thread(endless))
        await asyncio.sleep(0.05)
        assert not ended.is_set()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended.wait(20)


def test_a_thread_that_does_not_report_is_not_waited_for() -> None:
    resume, ended = threading.Event(), threading.Event()

    def silent(progress: object) -> None:
        assert resume.wait(20)
        ended.set()

    async def main() -> None:
        task = asyncio.create_task(in_thread(silent))
        await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(main())  # returns, and closes the loop that the thread will want to report to
    assert not ended.is_set()
    resume.set()
    assert ended.wait(20)
