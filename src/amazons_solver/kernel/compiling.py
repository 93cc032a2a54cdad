"""How the kernel's functions are compiled, and their machine code kept. All of Numba comes through here."""

import contextlib
import hashlib
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from amazons_solver.errors import MissingToolError
from amazons_solver.files import write_whole
from amazons_solver.kernel.kept import SUFFIX, code_folders, read_plain
from amazons_solver.kernel.waiting import Compilation, lost
from amazons_solver.model.version import digest

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core.caching import _Cache
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps
    from numba.extending import intrinsic
except Exception as error:  # not there, damaged, or at odds with numpy, which it says in many ways
    raise MissingToolError(f"expected Numba for the compiled search, got {type(error).__name__}: {error}") from error

__all__ = ["WITHOUT_COMPILING", "compiled", "inlined", "intrinsic", "ir", "types"]

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

WITHOUT_COMPILING: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""Whether the functions are run by Python itself, as they are."""

_CHECKSUM_BYTES = 32
_STALE_SECONDS = 7 * 24 * 3600
_compilation = Compilation()


def compiled(function: FunctionT) -> FunctionT:
    """Compile a function on first use, keep the machine code for the next process, and release the GIL in it.

    The functions allocate nothing, so they go without reference counts (`_nrt`): counting those of some twenty arrays
    at every call took four times as long as all the rest.
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
        if digest() is not None and function.__module__.startswith("amazons_solver."):  # the digest covers no other
            dispatcher._cache = _Kept(function)  # noqa: SLF001 (Numba has no public way)
        dispatcher.compile = _watched(dispatcher.compile)
    return cast("FunctionT", dispatcher)


def _watched(compile_: Callable[..., Any]) -> Callable[..., Any]:
    def watched(*arguments: Any, **options: Any) -> Any:
        _compilation.enter()
        try:
            return compile_(*arguments, **options)
        finally:
            _compilation.leave()

    return watched


class _Kept(_Cache):
    """The machine code of a function, a file for each signature, in the place of Numba's own cache.

    Machine code holds that of the functions it calls, but Numba would take it for fresh as long as the one file of the
    function is what it was. So the digest of all sources is in the name of the file and in what the file says of
    itself, with a checksum: what is damaged, cut or another version's is not run, but compiled anew and replaced.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        """The folder of the first choice."""
        return str(next(code_folders(), ""))

    def enable(self) -> None:
        """It is always enabled."""

    def disable(self) -> None:
        """It is always enabled."""

    def flush(self) -> None:
        """Nothing is held back."""

    def _header(self, signature: Any, codegen: Any) -> bytes:
        """What a file is of, in a line."""
        code = self._function.__code__
        place = (self._function.__module__, self._function.__qualname__, code.co_firstlineno)
        versions = (digest(), numba.__version__, sys.implementation.cache_tag)
        return f"{place} {signature} {codegen.magic_tuple()} {versions}\n".encode()

    def _name(self, header: bytes) -> str:
        return f"{code_name(self._function)}-{digest()}-{hashlib.sha256(header).hexdigest()[:16]}{SUFFIX}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or none if it has to be compiled."""
        target_context.refresh()
        header = self._header(sig, target_context.codegen())
        for folder in code_folders():
            content = _content(folder / self._name(header), header)
            if content is not None:
                try:
                    rebuild: Any = CompileResult._rebuild  # noqa: SLF001 (as Numba's own cache does)
                    return rebuild(target_context, *pickle.loads(content))  # noqa: S301 (see `kept`)
                except Exception:  # noqa: S112 (whatever is wrong with it, it can be compiled)
                    continue
        _compilation.missed()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, in the first folder where that can be done."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        header = self._header(sig, data.codegen)
        content: bytes = cast("Any", dumps)(data._reduce())  # noqa: SLF001 (as Numba's own cache does)
        whole = header + hashlib.sha256(header + content).digest() + content
        for folder in code_folders():
            path = folder / self._name(header)
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if path.exists() and not path.is_file():
                    continue  # a pipe, or a folder
                write_whole(path, whole, mode=0o644)
            except OSError:
                continue
            with contextlib.suppress(OSError):  # another process clears up, too
                _clear(folder, code_name(self._function))
            return
        lost.append(code_name(self._function))


def _clear(folder: Path, function: str) -> None:
    """Remove what earlier versions have left of a function, unless it may still be in use."""
    for path in folder.glob(f"{function}-*{SUFFIX}"):
        if not path.name.startswith(f"{function}-{digest()}-") and path.stat().st_mtime < time.time() - _STALE_SECONDS:
            path.unlink(missing_ok=True)


def code_name(function: Callable[..., Any]) -> str:
    """What files of a function's machine code are called: its module, from the kernel on, and its name."""
    module = function.__module__.removeprefix("amazons_solver.").removeprefix("kernel.")
    return f"{module}.{function.__name__}"


def _content(path: Path, header: bytes) -> bytes | None:
    """What a file holds, if it is whole and of just this function."""
    data = read_plain(path)
    if data is None or not data.startswith(header):
        return None
    checksum, content = data[len(header) : len(header) + _CHECKSUM_BYTES], data[len(header) + _CHECKSUM_BYTES :]
    return content if hashlib.sha256(header + content).digest() == checksum else None
