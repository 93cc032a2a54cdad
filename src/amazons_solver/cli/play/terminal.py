"""The terminal of `play`: what is typed, what ends the program from outside, and where unsaved games go then."""

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

from textual.driver import Driver

from amazons_solver.cli import console

__all__ = ["driver_of", "hand_over", "is_gone", "leave", "signals_caught"]


def driver_of(driver: type[Driver]) -> type[Driver]:
    """The driver, made to survive bytes that are not text."""
    if sys.platform == "win32":
        return driver  # its keys do not come as bytes
    from textual.drivers.linux_driver import LinuxDriver

    class SturdyDriver(LinuxDriver):
        """The terminal, with whatever may be typed in it."""

        def run_input_thread(self) -> None:
            """Read keys; what is read with a byte that is not UTF-8 is dropped. A terminal that is gone has none."""
            while True:
                try:
                    super().run_input_thread()
                except UnicodeDecodeError:
                    continue
                except OSError:
                    pass
                return

    return SturdyDriver if issubclass(driver, LinuxDriver) else driver


def is_gone() -> bool:
    """Whether the terminal that the keys came from is there no more."""
    if sys.platform == "win32":
        return False
    import termios

    try:
        termios.tcgetattr(sys.stdin.fileno())
    except termios.error:
        return True
    return False


@contextlib.contextmanager
def signals_caught(end: Callable[[], bool], unsaved: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Let no signal end the program before the games are kept; it is sent again when they are.

    Args:
        end: asks the program to end, so that its terminal is restored; false if it cannot.
        unsaved: the games that are not saved.
    """
    caught: list[int] = []

    def received(number: int, _: FrameType | None) -> None:
        terminal_gone = sys.platform != "win32" and number == signal.SIGHUP
        if terminal_gone or caught or not end():
            leave(number, unsaved())
        caught.append(number)

    before = {}
    for name in ("SIGINT", "SIGTERM", "SIGQUIT", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has not all of them
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, received)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    if caught:
        signal.raise_signal(caught[0])


def leave(number: int, unsaved: Sequence[str]) -> None:
    """Write games to files, and end by a signal."""
    _to_files(unsaved)
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def hand_over(games: Sequence[str]) -> None:
    """Print games that were not saved, each as text that ``--file -`` reads; where that fails they go to files."""
    try:
        for game in games:
            console.write(f"# Not saved:\n{game}")
    except (OSError, ValueError):
        _to_files(games)


def _to_files(games: Sequence[str]) -> None:
    for game in games:
        for folder in (Path.cwd, Path.home):
            with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: there is no home
                _to_new_file(folder(), game)
                break


def _to_new_file(folder: Path, game: str) -> None:
    number = 1
    while True:
        name = "amazons-unsaved.txt" if number == 1 else f"amazons-unsaved-{number}.txt"
        try:
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write(game)
        except FileExistsError:
            number += 1
        else:
            return
