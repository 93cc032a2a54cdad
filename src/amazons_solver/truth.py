"""What could be taken for a yes or a no refuses to be one."""

from collections.abc import Callable

__all__ = ["no_truth"]


def no_truth(what: str, instead: str) -> Callable[[object], bool]:
    """A ``__bool__`` that raises TypeError, and says what to do in the place of ``if answer:``."""

    def refuse(_: object) -> bool:
        raise TypeError(f"{what} is neither true nor false: {instead}")

    return refuse
