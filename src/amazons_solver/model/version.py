"""Which version this is: the release, a digest of what its answers depend on, and the commit where that is known.

The digest is in the names of files of machine code and in ledgers, so that neither is ever taken for another version's.
It is made of the sources, wherever they are imported from; where there are none (only ``.pyc`` files, or a frozen
program) it is the one that was noted when the package was built. This file imports nothing of ours: the build runs it
by itself.
"""

import functools
import hashlib
import importlib.resources
import json
import subprocess
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["NOTED", "RELEASE", "commit", "digest", "digest_of", "version"]

RELEASE = "0.1.0"

NOTED = "built.json"
"""The file in the package that the build writes: digest and commit."""

_NO_ANSWERS = {"cli", "explorer", "export", "render"}
"""What only shows answers. All else counts, so that no new file is missed."""


def digest_of(package: Traversable) -> str | None:
    """The digest of the sources in a package's folder that answers depend on; none where there are no sources."""
    found = sorted(_sources(package, ""))
    if not any(name == "__init__.py" for name, _ in found):
        return None
    content = hashlib.sha256()
    for name, data in found:
        content.update(name.encode() + b"\0" + data.replace(b"\r\n", b"\n") + b"\0")
    return content.hexdigest()[:12]


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if not path and entry.name in _NO_ANSWERS:
            continue
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield path + entry.name, entry.read_bytes()


def _package() -> Traversable:
    return importlib.resources.files("amazons_solver")


def _noted() -> dict[str, str | None]:
    """What the build wrote down."""
    try:
        noted = json.loads((_package() / NOTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


@functools.cache
def digest() -> str | None:
    """The digest of what this package's answers depend on, 12 hexadecimal digits; none where it cannot be known."""
    try:
        found = digest_of(_package())
    except OSError:
        found = None
    return found or _noted().get("digest")


def version() -> str:
    """The release and the digest, as ledgers have them: ``0.1.0+d12369577bbc``."""
    return f"{RELEASE}+{digest() or 'unknown'}"


def commit(package: Path | None = None) -> str | None:
    """The commit from which this package was built, or that is checked out around it; none where neither is known."""
    folder = package or Path(__file__).parent.parent
    if (folder.parent.parent / ".git").exists():
        command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()  # noqa: S603
        except (OSError, subprocess.SubprocessError):
            return None
    return _noted().get("commit")
