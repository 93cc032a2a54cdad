"""What must not be left behind: hidden files that are written, programs that draw.

Blocks that are left tidy up after themselves. A process that ends without leaving them calls `discard_all`.
"""

import contextlib
from collections.abc import Callable, Iterator

__all__ = ["discard_all", "discarded"]

_under_way: dict[object, Callable[[], object]] = {}


@contextlib.contextmanager
def discarded(discard: Callable[[], object]) -> Iterator[None]:
    """Call the function when the block is left, in whatever way; if the work was finished it finds nothing to do."""
    key = object()
    _under_way[key] = discard
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            discard()
        _under_way.pop(key, None)


def discard_all() -> None:
    """Do so now for every block that the process is in, from any thread."""
    for discard in list(_under_way.values()):
        with contextlib.suppress(OSError):
            discard()
