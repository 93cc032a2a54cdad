"""How the kernel's functions are compiled."""

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

# The model's are there for the numbers that are compiled in, such as the version of the keys.
_SOURCES = sorted(path for layer in ("kernel", "model") for path in (Path(__file__).parent.parent / layer).glob("*.py"))
_STAMP = hashlib.sha256(b"\0".join(source.read_bytes() for source in _SOURCES)).hexdigest()


def compiled(function: FunctionT) -> FunctionT:
    """Compile a function on first use, keep the machine code for the next process, and release the GIL in it.

    The functions allocate nothing, so they go without reference counts (`_nrt`): counting those of some twenty arrays
    at every call took four times as long as all the rest.

    Machine code holds that of the functions it calls, but Numba would take it for fresh as long as the one file of the
    function is what it was. So the code is kept under a digest of all files that it may come from.
    """
    return _compiled(function)


def inlined(function: FunctionT) -> FunctionT:
    """Compile a function that is put in the place of every call of it.

    A call hands over its arguments one by one, and the named tuples of arrays have some 150 parts: for a short function
    that is called often, handing them over takes longer than the function.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: FunctionT, **options: bool) -> FunctionT:
    dispatcher = numba.njit(nogil=True, _nrt=False, **options)(function)  # type: ignore[call-overload]
    if hasattr(dispatcher, "enable_caching"):  # without the JIT it is the function itself
        with contextlib.suppress(RuntimeError):  # there is no folder that can be written: it is compiled every time
            dispatcher.enable_caching()
            _harden(dispatcher._cache)  # noqa: SLF001 (Numba has no public way)
    return cast("FunctionT", dispatcher)


def _harden(cache: Any) -> None:
    """Keep machine code under the digest of all sources, and go on without keeping it where that cannot be done."""
    cache._cache_file._source_stamp = _STAMP  # noqa: SLF001
    save = cache.save_overload

    def save_if_there_is_room(signature: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            save(signature, data)

    cache.save_overload = save_if_there_is_room
