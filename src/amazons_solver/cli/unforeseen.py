"""Internal errors: an exit code of their own, and one line that says where to report them."""

import contextlib
import os
import sys
import traceback

__all__ = ["EXIT_CODE", "report"]

EXIT_CODE = 70
"""EX_SOFTWARE of sysexits.h: an internal error, and no answer."""

_ISSUES = "https://github.com/amazons-solver/amazons-solver/issues"
_VARIABLE = "AMAZONS_SOLVER_TRACEBACK"


def report(error: BaseException) -> int:
    """Say what happened on stderr, and return the exit code.

    The traceback is shown where the environment asks for it.
    """
    with contextlib.suppress(OSError, ValueError):  # stderr may be closed
        if os.environ.get(_VARIABLE):
            traceback.print_exception(error)
        what = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        line = f"internal error, no answer: {what} (please report it at {_ISSUES}; {_VARIABLE}=1 shows where it was)"
        sys.stderr.write(line.encode("ascii", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
    return EXIT_CODE
