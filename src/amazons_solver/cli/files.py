"""Files that the commands read and write: an error is one line, and comes before a long search."""

import codecs
import io
import os
import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TextIO, cast

from amazons_solver.errors import NotationError, OptionError, shorten
from amazons_solver.files import explained
from amazons_solver.model.saved.pickles import MOST_BYTES
from amazons_solver.model.saved.pysolfc import SavedGame, is_pickled, read_saved_game

__all__ = [
    "check_encoding",
    "check_plain",
    "check_writable",
    "name_of",
    "open_bytes",
    "pickled_in",
    "read_text",
    "read_text_or_save",
    "reading",
    "text_in",
    "writing",
]

_LARGEST_TEXT = 1_000_000
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BAD_BYTE = re.compile("[\udc80-\udcff]")


def reading(path: Path) -> AbstractContextManager[None]:
    """Name the input that could not be read.

    Raises:
        OptionError: something inside could not be read.
    """
    return explained(lambda reason: OptionError(f"expected a file to read, got {path}: {reason}"))


def writing(path: Path) -> AbstractContextManager[None]:
    """Name the output that could not be written.

    Raises:
        OptionError: something inside could not be written.
    """
    return explained(lambda reason: OptionError(f"expected a file to write, got {path}: {reason}"))


def open_bytes(path: Path) -> io.BufferedReader:
    """A file open for reading; ``-`` is standard input.

    Raises:
        OptionError: it cannot be opened.
    """
    with reading(path):
        return path.open("rb") if str(path) != "-" else _standard_input()


def pickled_in(stream: io.BufferedReader, path: Path) -> bytes | None:
    """What is in a file from `open_bytes` if it is one of PySolFC's; else nothing, and nothing is read.

    Raises:
        OptionError: it cannot be read.
    """
    with reading(path):
        return stream.read(MOST_BYTES + 1) if is_pickled(stream.peek(16)) else None


def text_in(stream: io.BufferedReader, path: Path) -> TextIO:
    """The text of a file from `open_bytes`, its lines as soon as they are there.

    The text is UTF-8, or UTF-16 where a byte order mark says so, which is what PowerShell's ``>`` writes. A byte that
    is not UTF-8 comes as a surrogate: `check_encoding` finds it.

    Raises:
        OptionError: it cannot be read.
    """
    with reading(path):
        start = stream.peek(2)[:2]  # one byte, if no more has come: neither mark begins as UTF-8 can
    if start and any(mark.startswith(start) for mark in _UTF16):
        return io.TextIOWrapper(stream, encoding="utf-16", errors="replace")
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")


def _standard_input() -> io.BufferedReader:
    stream = sys.stdin.buffer
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", stream))


def check_encoding(text: str) -> None:
    """Say which byte of a text from `text_in` is not UTF-8.

    Raises:
        NotationError: there is one.
    """
    if bad := _BAD_BYTE.search(text):
        raise NotationError(f"expected UTF-8 text, got byte 0x{ord(bad[0]) - 0xDC00:02x}")


def read_text(path: Path) -> str:
    """The whole of a small text file, read as `text_in` does.

    Raises:
        OptionError: it cannot be read, is not UTF-8, or is not small.
    """
    with open_bytes(path) as stream:
        return _small_text(stream, path)


def read_text_or_save(path: Path) -> str | SavedGame:
    """A small text file, or a game that PySolFC saved.

    Raises:
        OptionError: it cannot be read, is not UTF-8, or is not small.
        NotationError: it is PySolFC's, but no saved game of Amazons.
    """
    with open_bytes(path) as stream:
        pickled = pickled_in(stream, path)
        return _small_text(stream, path) if pickled is None else read_saved_game(pickled, name_of(path))


def name_of(path: Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) == "-" else str(path)


def _small_text(stream: io.BufferedReader, path: Path) -> str:
    with text_in(stream, path) as text_stream, reading(path):
        text = text_stream.read(_LARGEST_TEXT + 1)
    if len(text) > _LARGEST_TEXT:
        raise OptionError(f"expected a file of at most {_LARGEST_TEXT:,} characters, got more in {path}")
    try:
        check_encoding(text)
    except NotationError as error:
        raise OptionError(f"{error} in {path}") from None
    return text


def check_writable(path: Path) -> None:
    """Find out before the work is done whether a file can be written, without touching it.

    Raises:
        OptionError: it cannot, as far as that can be known beforehand.
    """
    folder = path.resolve().parent
    with writing(path):
        path.is_symlink()  # raises for a name that is too long
        if path.is_dir():
            raise IsADirectoryError(0, "it is a directory")
        if not folder.is_dir():
            raise FileNotFoundError(0, f"there is no directory {folder}")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(0, "permission denied")
        # Files are replaced whole, by a new one next to them; pipes and devices are written to.
        if (path.is_file() or not path.exists()) and not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(0, f"permission denied in {folder}")


def check_plain(path: Path) -> None:
    """Refuse what is no name, or what a program could wait for without end, such as a pipe.

    Raises:
        OptionError: it is.
        OSError: it cannot be looked at.
    """
    try:
        unusable = b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        unusable = True
    if unusable:
        raise OptionError(f"expected the name of a file, got {shorten(str(path))}")
    if path.exists() and not path.is_file():
        raise OptionError(f"expected a plain file, got {path}")
