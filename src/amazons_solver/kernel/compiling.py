"""How the kernel's functions are compiled."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
_STAMP = hashlib.sha256(b"\0".join(source.read_bytes() for source in _SOURCES)).hexdigest()


def compiled(function: FunctionT) -> FunctionT:
    """Compile a function on first use, keep the machine code for the next process, and release the GIL in it.

    The functions allocate nothing, so they go without reference counts (`_nrt`): counting those of some twenty arrays
    at every call took four times as long as all the rest.

    Machine code holds that of the functions it calls, but Numba would take it for fresh as long as the one file of the
    function is what it was. So the code is kept under a digest of all files of the kernel.
    """
    return _compiled(function)


def inlined(function: FunctionT) -> FunctionT:
    """Compile a function that is put in the place of every call of it.

    A call hands over its arguments one by one, and the named tuples of arrays have some 150 parts: for a short function
    that is called often, handing them over takes longer than the function.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: FunctionT, **options: bool) -> FunctionT:
    dispatcher = numba.njit(cache=True, nogil=True, _nrt=False, **options)(function)  # type: ignore[call-overload]
    if hasattr(dispatcher, "_cache"):  # without the JIT it is the function itself
        dispatcher._cache._cache_file._source_stamp = _STAMP  # noqa: SLF001 (Numba has no public way)
    return cast("FunctionT", dispatcher)
