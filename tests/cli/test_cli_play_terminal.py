"""The command `play` as a program of its own in a terminal, and where there is none."""

import contextlib
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from amazons_solver import Rules, parse_line
from amazons_solver.model.saved.records import Record
from support.command_line import PROGRAM, assert_refused, environment, program, run
from support.playing import TRAP

pytestmark = pytest.mark.slow


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
