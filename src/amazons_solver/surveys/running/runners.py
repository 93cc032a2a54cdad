"""Where chunks are decided: threads or processes of this machine, or a Dask cluster. All run the same function."""

import contextlib
import importlib.util
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_EXCEPTION,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

import attrs

from amazons_solver.errors import AmazonsError, MissingToolError, OptionError, WorkerError
from amazons_solver.model.version import version
from amazons_solver.search.limits import usable_cores
from amazons_solver.surveys.chunks import warm_up
from amazons_solver.surveys.plan import Question

__all__ = ["MEMORY_HINT", "Cluster", "Runner", "killed_again", "runner_of"]

_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?|ucx)://)?[^\s/]+:[0-9]{1,5}|inproc://\S+")
_CONNECT_SECONDS = 10
_WORKERS_SECONDS = 30
_MOST_WORKERS = 256
"""On one machine; there are cores for no more, and processes for not many more."""
_LOOK_SECONDS = 0.2
MEMORY_HINT = "(fewer workers, or a lower limit on memory, need less)"
_MOST_DEATHS = 3
"""How often workers may die without a chunk being finished."""


def killed_again() -> WorkerError:
    """What is said of workers that do not survive."""
    return WorkerError(f"expected workers that live, got some that were killed again and again {MEMORY_HINT}")


class Runner(Protocol):
    """Workers for as long as the ``with`` block lasts, which ends them at once when it is left by an exception."""

    def __enter__(self) -> "Runner": ...
    def __exit__(self, kind: object, *_: object) -> None: ...
    def prepare(self, question: Question) -> None:
        """Have the workers ready, before the clock runs."""

    @property
    def wanted(self) -> int:
        """How many calls should be under way or waiting, so that no worker is idle."""

    def submit(self, function: Callable[..., Any], *arguments: object) -> "Future[Any]":
        """Call a function of this package in a worker."""

    def look_after(self) -> None:
        """Fail the calls whose worker is dead; to be called while nothing comes back."""

    def survives(self, error: BaseException, *, finished: int) -> bool:
        """Whether the call that failed so may be made again; `finished` counts the calls that did not fail so far."""


def runner_of(on: str, workers: int | None) -> Runner:
    """The runner for ``processes``, ``threads`` or the address of a Dask scheduler.

    Raises:
        OptionError: there is no such place, or no such number of workers.
        MissingToolError: Dask is not installed.
    """
    if workers is not None and not 1 <= workers <= _MOST_WORKERS:
        raise OptionError(f"expected from 1 to {_MOST_WORKERS} workers, got {workers}")
    if on in ("processes", "threads"):
        count = workers or min(usable_cores(), _MOST_WORKERS)
        return Processes(count) if on == "processes" else Threads(count)
    if not _ADDRESS.fullmatch(on):
        raise OptionError(f"expected processes, threads, or an address such as tcp://host:8786, got {on}")
    if workers is not None:
        raise OptionError(f"expected no number of workers with a cluster, which has its own, got {workers}")
    if importlib.util.find_spec("distributed") is None:
        raise MissingToolError("expected Dask for a cluster: pip install distributed")
    return Cluster(on)


@attrs.define
class _Deaths:
    """Counts the workers that died since a call was last finished."""

    count: int = 0
    finished: int = 0

    def one_more(self, finished: int) -> bool:
        self.count = self.count + 1 if finished == self.finished else 1
        self.finished = finished
        return self.count <= _MOST_DEATHS


@attrs.define
class Threads:
    """Threads of this process: the kernel releases the GIL."""

    workers: int
    _executor: Executor | None = None
    _stop: threading.Event = attrs.field(factory=threading.Event)

    def __enter__(self) -> "Threads":
        self._executor = ThreadPoolExecutor(self.workers, "survey")
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._stop.set()
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def prepare(self, question: Question) -> None:
        warm_up(question)

    @property
    def wanted(self) -> int:
        return 2 * self.workers

    def submit(self, function: Callable[..., Any], *arguments: object) -> "Future[Any]":
        assert self._executor is not None  # noqa: S101 (inside the block)
        return self._executor.submit(function, *arguments, stop=self._stop)

    def look_after(self) -> None:
        pass  # a thread does not die alone

    def survives(self, error: BaseException, *, finished: int) -> bool:  # noqa: ARG002
        return False


@attrs.define
class Processes:
    """Fresh processes of this machine, which end with this one, however it ends."""

    workers: int
    _executor: ProcessPoolExecutor | None = None
    _life: Connection | None = None
    """The workers hold the other end of this pipe, and end themselves when this one is closed."""
    _other_end: Connection | None = None
    _deaths: _Deaths = attrs.field(factory=_Deaths)

    def __enter__(self) -> "Processes":
        context = get_context("spawn")
        self._other_end, self._life = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(self.workers, context, _live_with, (self._other_end,))
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._executor is None or self._life is None or self._other_end is None:
            return
        if kind is not None:
            self._break()
        with _no_interrupts():
            self._executor.shutdown(cancel_futures=True)
        self._life.close()
        self._other_end.close()
        self._executor = None

    def prepare(self, question: Question) -> None:
        warm_up(question)  # once, before there are workers that would all compile the same
        while True:
            try:
                futures = [self.submit(warm_up, question) for _ in range(self.workers)]
                while wait(futures, _LOOK_SECONDS, FIRST_EXCEPTION).not_done:
                    self.look_after()
                for future in futures:
                    future.result()
                return
            except BrokenExecutor as error:
                processes = self._processes()
                self.__exit__(BrokenExecutor)
                if any(process.exitcode is not None and process.exitcode >= 0 for process in processes):
                    raise WorkerError(
                        "expected worker processes that start, got some that ended at once (a script that is run needs "
                        'its call under if __name__ == "__main__"; or use threads)'
                    ) from None
                if not self.survives(error, finished=0):
                    raise killed_again() from None

    @property
    def wanted(self) -> int:
        return 2 * self.workers

    def submit(self, function: Callable[..., Any], *arguments: object) -> "Future[Any]":
        assert self._executor is not None  # noqa: S101 (inside the block)
        with _no_interrupts():
            return self._executor.submit(function, *arguments)

    def look_after(self) -> None:
        """The pool does not see that a worker is dead while it waits for the rest of what that one was writing."""
        if connection.wait([process.sentinel for process in self._processes()], 0):
            self._break()

    def survives(self, error: BaseException, *, finished: int) -> bool:
        """A worker that is killed takes the pool with it: there is a new one as long as work gets done."""
        if not isinstance(error, BrokenExecutor) or not self._deaths.one_more(finished):
            return False
        self.__exit__(BrokenExecutor)
        self.__enter__()
        return True

    def _processes(self) -> list[BaseProcess]:
        """The workers, dead ones too."""
        processes = None if self._executor is None else self._executor._processes  # noqa: SLF001 (nothing else tells)
        return list((processes or {}).values())

    def _break(self) -> None:
        """End the workers, and close the last open end of the pipe on which the pool may wait for one of them."""
        for process in self._processes():
            process.kill()
        queue: Any = None if self._executor is None else self._executor._result_queue  # noqa: SLF001 (likewise)
        if queue is not None:
            queue._writer.close()  # noqa: SLF001


def _live_with(life: Connection) -> None:
    """Have this worker end when its survey does, even if that was killed."""

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            life.recv_bytes()
        os._exit(1)

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started inside never see the Ctrl-C of the terminal, which is for the survey.

    Nor is one left half started by a SIGTERM, which they see when they have begun.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@attrs.define
class Cluster:
    """The workers of a Dask scheduler, whatever their number is from time to time."""

    address: str
    _client: Any = None
    _executor: Executor | None = None
    _threads: int = 0
    _next_look: float = 0.0
    _deaths: _Deaths = attrs.field(factory=_Deaths)

    def __enter__(self) -> "Cluster":
        import distributed  # noqa: PLC0415 (an optional package)

        # It has no types. It is closed in `__exit__`; one that failed would try to close itself, and fail at that, too.
        client: Any = type("Client", (distributed.Client,), {"__del__": lambda _: None})
        try:
            self._client = client(self.address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except Exception as error:  # it has many for addresses, certificates and packages that are missing
            raise WorkerError(f"expected a Dask scheduler at {self.address}, got none: {error}") from None
        self._executor = self._client.get_executor(pure=False)
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        if self._client is not None:
            self._client.close()

    def prepare(self, question: Question) -> None:
        """See that there are workers, and that they are of the version asked; they compile for themselves."""
        from distributed import TimeoutError as LateError  # noqa: PLC0415 (an optional package)

        try:
            self._client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
            versions = self._client.run(version)
        except LateError:
            raise WorkerError(f"expected workers at {self.address}, got none in {_WORKERS_SECONDS} s") from None
        except Exception as error:  # whatever a worker without the package says
            raise WorkerError(f"expected workers with amazons-solver {question.version}, got {error}") from None
        for worker, found in versions.items():
            if found != question.version:
                raise WorkerError(f"expected workers with amazons-solver {question.version}, got {found} at {worker}")

    @property
    def wanted(self) -> int:
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + 2
            with _reachable():
                self._threads = sum(self._client.nthreads().values())
        return max(2, 2 * self._threads)

    def submit(self, function: Callable[..., Any], *arguments: object) -> "Future[Any]":
        assert self._executor is not None  # noqa: S101 (inside the block)
        with _reachable():
            return self._executor.submit(function, *arguments)

    def look_after(self) -> None:
        pass  # Dask does

    def survives(self, error: BaseException, *, finished: int) -> bool:
        """Dask itself gives the work of lost workers to others, until it suspects the work."""
        from distributed import KilledWorker  # noqa: PLC0415 (an optional package)

        if not isinstance(
            error, KilledWorker | AmazonsError | CancelledError | MemoryError
        ):  # a worker that cannot even load what it should do
            raise WorkerError(f"expected workers with amazons-solver {version()}, got {error!r}") from error
        return isinstance(error, KilledWorker) and self._deaths.one_more(finished)


@contextlib.contextmanager
def _reachable() -> Iterator[None]:
    """Report a cluster that cannot be reached as gone.

    Raises:
        WorkerError: it is.
    """
    try:
        yield
    except (OSError, RuntimeError) as error:  # Dask's own are of these kinds, and come from many places
        raise WorkerError(f"expected workers that can be reached, got none any more: {error}") from None
