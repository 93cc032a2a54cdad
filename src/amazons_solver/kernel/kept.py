"""Where machine code and endgame tables are kept, and whether any is; to ask loads no compiler.

What is read there decides deals, and machine code is even run. So a folder counts only if nobody but the user and the
system's administrator can write in it or put another in its place. Without one, nothing is kept.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from amazons_solver.model.version import digest

__all__ = ["code_folders", "has_code", "is_trusted", "read_plain", "table_folder"]

SUFFIX = ".machine-code"


def is_trusted(folder: Path) -> bool:
    """Whether only the user and the administrator can change what is in a folder; it need not be there yet."""
    if not folder.is_absolute():
        return False
    if os.name != "posix":
        return True  # what the user's own folders allow is the system's business there
    folder = folder.resolve()
    for place in (folder, *folder.parents):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            found = place.stat()
            others_write = found.st_mode & stat.S_IWOTH or (
                found.st_mode & stat.S_IWGRP and found.st_gid != os.getegid()
            )
            if found.st_uid not in (0, os.geteuid()):
                return False
            if others_write and (place == folder or not found.st_mode & stat.S_ISVTX):
                return False
    return True


def _user_folder() -> Path:
    import platformdirs  # noqa: PLC0415 (only what keeps things needs it)

    return Path(platformdirs.user_cache_dir("amazons-solver", appauthor=False))


def code_folders() -> Iterator[Path]:
    """The folders in which machine code may be, the first choice first.

    `NUMBA_CACHE_DIR` names one; else it lies beside the sources, where an administrator or the maker of a container's
    image can put it for everyone, or in the user's cache folder.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    choices = [Path(named)] if named else [Path(__file__).parent / "__pycache__", _user_folder() / "machine-code"]
    return (folder for folder in choices if is_trusted(folder))


def table_folder() -> Path | None:
    """The folder in which endgame tables are; none if nothing is to be kept."""
    folder = _user_folder()
    return folder if is_trusted(folder) else None


def has_code(function: str) -> bool:
    """Whether machine code of this version is kept for a function of the kernel, such as ``decide.go_on``."""
    known = digest()
    return known is not None and any(
        any(folder.glob(f"{function}-{known}-*{SUFFIX}")) for folder in code_folders() if folder.is_dir()
    )


def read_plain(path: Path) -> bytes | None:
    """A file's bytes; none if it is not there, cannot be read, or is a pipe or device, which might never end."""
    try:
        with os.fdopen(
            os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:
            return file.read() if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None
