"""Files that the commands read and write: what is wrong with one is said in a line, and before a long search."""

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, cast

from amazons_solver.errors import NotationError, OptionError

__all__ = ["check_encoding", "check_writable", "open_text", "read_text", "reading", "writing"]

_LARGEST_TEXT = 1_000_000
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BAD_BYTE = re.compile("[\udc80-\udcff]")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say of an input that could not be read which it was.

    Raises:
        OptionError: something inside could not be read.
    """
    try:
        yield
    except OSError as error:
        raise OptionError(f"expected a file to read, got {path}: {error.strerror}") from None


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say of an output that could not be written which it was.

    Raises:
        OptionError: something inside could not be written.
    """
    try:
        yield
    except OSError as error:
        raise OptionError(f"expected a file to write, got {path}: {error.strerror}") from None


def open_text(path: Path) -> TextIO:
    """A text file open for reading, its lines as soon as they are there; ``-`` is standard input.

    The text is UTF-8, or UTF-16 where a byte order mark says so, which is what PowerShell's ``>`` writes. A byte that
    is not UTF-8 comes as a surrogate: `check_encoding` finds it.

    Raises:
        OptionError: it cannot be opened.
    """
    with reading(path):
        stream = path.open("rb") if str(path) != "-" else _standard_input()
        start = stream.peek(2)[:2]  # one byte, if no more has come: neither mark begins as UTF-8 can
    if start and any(mark.startswith(start) for mark in _UTF16):
        return io.TextIOWrapper(stream, encoding="utf-16", errors="replace")
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")


def _standard_input() -> io.BufferedReader:
    stream = sys.stdin.buffer
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", stream))


def check_encoding(text: str) -> None:
    """Say which byte of a text from `open_text` is not UTF-8.

    Raises:
        NotationError: there is one.
    """
    if bad := _BAD_BYTE.search(text):
        raise NotationError(f"expected UTF-8 text, got byte 0x{ord(bad[0]) - 0xDC00:02x}")


def read_text(path: Path) -> str:
    """The whole of a small text file, read as `open_text` does.

    Raises:
        OptionError: it cannot be read, is not UTF-8, or is not small.
    """
    with open_text(path) as stream, reading(path):
        text = stream.read(_LARGEST_TEXT + 1)
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
        OptionError: it cannot, as far as can be told beforehand.
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
        # Files are replaced whole, by a new one beside them; pipes and devices are written to.
        if (path.is_file() or not path.exists()) and not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(0, f"permission denied in {folder}")
