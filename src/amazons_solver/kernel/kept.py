"""Where machine code and endgame tables are kept, and whether any is; asking loads no compiler.

What is read there decides deals, and machine code is even run. So a folder counts only if nobody but the user and the
system's administrator can write in it or put another in its place. Without one, nothing is kept.
"""

import contextlib
import functools
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from amazons_solver.model.version import digest

__all__ = ["code_folders", "has_code", "is_trusted", "read_plain", "table_folder"]

SUFFIX = ".machine-code"

_LEAST_CODE = 1_000
"""Bytes of a file that is not just cut."""


def is_trusted(folder: Path) -> bool:
    """Whether only the user and the administrator can change what is in a folder; it need not be there yet."""
    if not folder.is_absolute():
        return False
    if os.name != "posix":
        return True  # what the user's own folders allow is the system's business there
    try:
        folder = folder.resolve()
        for place in (folder, *folder.parents):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # it can still be made
                found = place.stat()
                sticky = place != folder and found.st_mode & stat.S_ISVTX
                if not _is_own(found) or (_others_write(found) and not sticky):
                    return False
    except (OSError, RuntimeError):  # it cannot be looked at: no right to, a link to itself, too long a name
        return False
    return True


def _is_own(found: os.stat_result) -> bool:
    """Whether it belongs to the user or the administrator."""
    return found.st_uid in (0, os.geteuid())


def _others_write(found: os.stat_result) -> bool:
    """Whether somebody else may write in it."""
    return bool(found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_private(found.st_gid)))


@functools.cache
def _is_private(group: int) -> bool:
    """Whether a group has no member but the user, as where every user has a group of the same name."""
    import grp  # noqa: PLC0415 (Windows has neither)
    import pwd  # noqa: PLC0415

    try:
        user, found = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return group == os.getegid() and found.gr_name == user and {*found.gr_mem} <= {user}


def _user_folder() -> Path:
    import platformdirs  # noqa: PLC0415 (only what keeps things needs it)

    return Path(platformdirs.user_cache_dir("amazons-solver", appauthor=False))


def code_folders() -> Iterator[Path]:
    """The folders in which machine code may be, the first choice first.

    `NUMBA_CACHE_DIR` names one; else it is next to the sources, where an administrator or the maker of a container's
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
    """Whether machine code of this version is kept for a function, such as ``boundaries.search_loop.resume``.

    Its name and place are looked at, not whether it is whole and for this processor: to know that takes the compiler.
    """
    known = digest()
    for folder in code_folders() if known is not None else ():
        with contextlib.suppress(OSError):
            if any(path.stat().st_size > _LEAST_CODE for path in folder.glob(f"{function}-{known}-*{SUFFIX}")):
                return True
    return False


def read_plain(path: Path) -> bytes | None:
    """A file's bytes; none if it is not there, cannot be read, is a pipe or device, or could be written by others."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            if os.name == "posix" and not (_is_own(found) and not _others_write(found)):
                return None
            return file.read()
    except OSError:
        return None
