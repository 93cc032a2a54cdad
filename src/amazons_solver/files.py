"""Writing files."""

import secrets
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file in one step, so that nobody ever reads half of it.

    Raises:
        OSError: the file cannot be written; an old one is then as it was.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a pipe or a device is written to, not replaced
        return
    path = path.resolve()  # a link stays a link
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
