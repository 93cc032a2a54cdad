"""Searches in threads while the program goes on."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from amazons_solver.search.result import Progress

__all__ = ["in_thread"]

ResultT = TypeVar("ResultT")


class Stopped(Exception):  # noqa: N818 (no error: the answer is not wanted any more)
    """Ends a search from its progress callback."""


async def in_thread(function: Callable[..., ResultT], *arguments: Any, **options: Any) -> ResultT:
    """Call a function that searches, in a thread that is not waited for when it is not wanted any more.

    A search then ends at its next report. Where none comes, as while the kernel is compiled, it must not keep the
    program from ending: the threads of Textual and asyncio would.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[ResultT] = loop.create_future()
    unwanted = threading.Event()

    def stop_if_unwanted(_: Progress) -> None:
        if unwanted.is_set():
            raise Stopped

    def deliver(settle: Callable[[Any], None], outcome: object) -> None:
        if not future.done():
            settle(outcome)

    def run() -> None:
        settle: Callable[[Any], None]
        outcome: object
        try:
            outcome = function(*arguments, progress=stop_if_unwanted, **options)
            settle = future.set_result
        except Exception as error:
            settle, outcome = future.set_exception, error
        with contextlib.suppress(RuntimeError):  # the program has ended
            loop.call_soon_threadsafe(deliver, settle, outcome)

    threading.Thread(target=run, daemon=True).start()
    try:
        return await future
    finally:
        unwanted.set()
