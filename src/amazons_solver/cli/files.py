"""Files that the commands read and write: what is wrong with one is said in a line, and before a long search."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from amazons_solver.errors import OptionError

__all__ = ["check_writable", "open_input", "read_text", "reading", "writing"]

_LARGEST_TEXT = 1_000_000


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


def open_input(path: Path) -> BinaryIO:
    """A file open for reading; ``-`` is standard input.

    Raises:
        OptionError: it cannot be opened.
    """
    if str(path) == "-":
        return sys.stdin.buffer
    with reading(path):
        return path.open("rb")


def read_text(path: Path) -> str:
    """The whole of a small UTF-8 file.

    Raises:
        OptionError: it cannot be read, is not UTF-8, or is not small.
    """
    with open_input(path) as stream, reading(path):
        content = stream.read(_LARGEST_TEXT + 1)
    if len(content) > _LARGEST_TEXT:
        raise OptionError(f"expected a file of at most {_LARGEST_TEXT:,} bytes, got more in {path}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OptionError(f"expected UTF-8 text, got byte 0x{content[error.start]:02x} in {path}") from None


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
