"""Writing files."""

import contextlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from amazons_solver.errors import AmazonsError

__all__ = ["discard_all", "discarded", "explained", "is_same", "write_whole"]


def is_same(path: Path, other: Path) -> bool:
    """Whether two paths name the same file, existing or not."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return path.resolve() == other.resolve()


@contextlib.contextmanager
def explained(error: Callable[[str], AmazonsError]) -> Iterator[None]:
    """Raise an error of ours, made of the system's reason, in the place of one of the system's."""
    try:
        yield
    except OSError as fault:
        raise error(fault.strerror or str(fault)) from None


def write_whole(path: Path, data: bytes | Iterable[bytes], *, mode: int | None = None) -> None:
    """Replace the file in one step, so that nobody ever reads half of it; data may come in parts, as they are made.

    Args:
        path: the file.
        data: what it is to hold.
        mode: who may read and write it; as for any new file when absent.

    Raises:
        OSError: the file cannot be written; an old one is then as it was.
    """
    if path.exists() and not path.is_file():
        _write(path, data)  # a pipe or a device is written to, not replaced
        return
    path = path.resolve()  # a link stays a link
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    with discarded(lambda: temporary.unlink(missing_ok=True)):
        _write(temporary, data)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)


def _write(path: Path, data: bytes | Iterable[bytes]) -> None:
    if isinstance(data, bytes):
        path.write_bytes(data)
        return
    with path.open("wb") as file:
        file.writelines(data)


_under_way: dict[object, Callable[[], object]] = {}


@contextlib.contextmanager
def discarded(discard: Callable[[], object]) -> Iterator[None]:
    """Call the function when the block is left, in any way; after finished work it finds nothing to do."""
    key = object()
    _under_way[key] = discard
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            discard()
        _under_way.pop(key, None)


def discard_all() -> None:
    """Do that now for every open block, from any thread."""
    for discard in list(_under_way.values()):
        with contextlib.suppress(OSError):
            discard()
