"""Whether the kernel is being compiled, and how long that took, for those who wait. Listening loads no compiler."""

import threading
import time
from collections.abc import Callable

__all__ = ["Compilation", "declined", "listeners", "lost", "seconds"]

listeners: list[Callable[[], None]] = []
"""Called when compiling begins, in the thread that has to wait for it."""

lost: list[str] = []
"""The functions whose machine code could not be kept."""

declined: list[str] = []
"""The functions that were not compiled for lack of time, where that made an answer undecided."""

_spent = 0.0


def seconds() -> float:
    """The seconds that this process has spent compiling so far, all threads together."""
    return _spent


class Compilation(threading.local):
    """What a thread compiles: of nested functions, the outermost counts."""

    depth = 0
    began: float | None = None

    def enter(self) -> None:
        """A function is asked for; its machine code may be kept."""
        self.depth += 1

    def missed(self) -> None:
        """It is not kept, so it is compiled."""
        if self.began is None:
            self.began = time.monotonic()
            for listener in listeners:
                listener()

    def leave(self) -> None:
        """The function is there, or could not be compiled."""
        global _spent  # noqa: PLW0603 (one number for the process)
        self.depth -= 1
        if self.depth == 0 and self.began is not None:
            _spent += time.monotonic() - self.began
            self.began = None
