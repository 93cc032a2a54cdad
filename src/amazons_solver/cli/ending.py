"""How the program ends on Ctrl-C or SIGTERM: soon, whatever it is doing, with nothing left behind.

This is the first of our code to run, and loads little.
"""

import sys


def is_program() -> bool:
    """Whether this process is the command line, even while it imports the package; its workers are not."""
    if "--multiprocessing-fork" in sys.orig_argv or not sys.argv:
        return False
    if sys.argv[0] == "-m":
        return "amazons_solver" in sys.orig_argv
    return sys.argv[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == "amazons-solver"


def _show_error(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    if issubclass(kind, KeyboardInterrupt):  # then Python ends by the signal
        sys.stderr.write("error: interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)


if is_program():
    sys.excepthook = _show_error

# ruff: noqa: E402 (Ctrl-C may come while these are loaded)
import atexit
import contextlib
import os
import select
import signal
import threading
import time
from types import FrameType, TracebackType

from amazons_solver import files

__all__ = ["INTERRUPTED", "catch_signals", "end", "interruptible", "is_interrupted", "is_program"]

INTERRUPTED = 130
_REACT_SECONDS = 0.5
"""For Python to notice a signal: the compiler, say, runs for longer without looking."""
_TELL_SECONDS = 5.0
"""For a command that has noticed to print what it found."""

_is_interruptible = False
_received = 0
"""The first signal that Python noticed."""
_told_at: float | None = None
_is_ending = threading.Lock()


def catch_signals() -> None:
    """From now on Ctrl-C and SIGTERM end the process soon.

    The first one raises KeyboardInterrupt where the program is `interruptible`. One elsewhere, a second one, or one
    that Python does not notice in time ends the process at once. Signals that are ignored or caught already are left
    as they are.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    caught = False
    for number, before in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is before:
            signal.signal(number, _receive)
            caught = True
    if not caught or sys.platform == "win32":  # where `select` cannot wait for a pipe
        return
    atexit.register(_by_signal)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()
    sys.unraisablehook = _unraisable


def interruptible(yes: bool) -> None:
    """Say whether the first signal is to be a KeyboardInterrupt, because somebody waits for it."""
    global _is_interruptible  # noqa: PLW0603 (there is one process)
    _is_interruptible = yes


def is_interrupted() -> bool:
    """Whether a signal came that ends the program."""
    return _received != 0


def end(code: int) -> None:
    """Exit, once everything is printed. After a signal, no thread that may not end (the compiler's) is waited for."""
    global _told_at  # noqa: PLW0603
    if _received:
        _told_at = time.monotonic()
        code = 128 + _received
    sys.exit(code)


def _by_signal() -> None:
    """After SIGTERM, and after everything that runs at exit, die of it."""
    if _received == signal.SIGTERM:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)


def _receive(number: int, _: FrameType | None) -> None:
    global _received  # noqa: PLW0603
    if _received or not _is_interruptible:
        _end_now(_received or number)
    _received = number
    raise KeyboardInterrupt


def _watch(reader: int) -> None:
    """End the process if Python does not notice a signal, or does not end for it.

    Where Python does not look for signals, in the compiler or in a search, it lets other threads run.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})  # the main thread is to have them
    first, first_at, last_at = 0, 0.0, 0.0
    while True:
        ready, _, _ = select.select([reader], [], [], 0.05 if first else None)
        now = time.monotonic()
        if ready:
            number = os.read(reader, 1)[0]
            if signal.getsignal(number) is not _receive:  # the command has its own way to end
                continue
            last_at = now
            if not first:
                first, first_at = number, now
        if not first:
            continue
        end_at = first_at + (_TELL_SECONDS if _received else _REACT_SECONDS)
        if last_at > first_at:
            end_at = min(end_at, last_at + _REACT_SECONDS)
        if _told_at is not None:
            end_at = min(end_at, _told_at + _REACT_SECONDS)
        if now >= end_at:
            _end_now(_received or first)


def _unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """A KeyboardInterrupt that was raised where none can be, as in a destructor, ends the program, too."""
    if unraisable.exc_type is KeyboardInterrupt and _received:
        _end_now(_received)
    sys.__unraisablehook__(unraisable)


def _end_now(number: int) -> None:
    """End the process in this moment, from any thread."""
    if not _is_ending.acquire(blocking=False):
        return
    if _told_at is None and select.select([], [2], [], 0)[1]:
        with contextlib.suppress(OSError):
            if os.isatty(2) and os.environ.get("TERM") not in ("dumb", "unknown"):
                os.write(2, b"\r\x1b[2K\x1b[?25h")  # the line of progress goes, the cursor comes back
            os.write(2, b"error: interrupted\n")
    files.discard_all()
    os._exit(128 + number)
