"""The work of a survey: what is missing is handed to workers, and what they find is written down."""

import contextlib
import itertools
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from pathlib import Path
from typing import Any, TypeVar

import attrs

from amazons_solver.errors import LedgerError, OptionError, WorkerError
from amazons_solver.surveys.chunks import Chunk, decide_chunk
from amazons_solver.surveys.ledgers.ledger import Entry, Ledger
from amazons_solver.surveys.ledgers.records import RecordsFile, check_complete, require_pyarrow
from amazons_solver.surveys.plan import CHUNK_SIZES, Question, joined, pieces, without
from amazons_solver.surveys.result import Check, SurveyProgress, SurveyResult
from amazons_solver.surveys.running.checks import check_deal
from amazons_solver.surveys.running.runners import MEMORY_HINT, Cluster, Runner, killed_again, runner_of
from amazons_solver.surveys.tally import Retry, Tally

__all__ = ["carry_out", "in_workers"]

ResultT = TypeVar("ResultT")
_REPORT_SECONDS = 0.2
_CHUNK_SECONDS = 0.5
"""What one worker should take for a chunk, which is lost when the survey is ended."""


def carry_out(
    deals: range,
    question: Question,
    *,
    ledger: Path | None,
    add: bool,
    workers: int | None,
    on: str,
    chunk: int | None,
    retry_undecided: bool,
    records: Path | None,
    sample: list[int],
    progress: Callable[[SurveyProgress], None] | None,
) -> SurveyResult:
    """What `survey` does, with its arguments checked."""
    runner = runner_of(on, workers)
    if records is not None:
        require_pyarrow()
    if retry_undecided and ledger is not None and not ledger.exists():
        raise LedgerError(f"expected a ledger, got no file: {ledger}")
    begun = ledger is None or ledger.exists()
    if not begun:
        _reach(runner, question)
    with contextlib.ExitStack() as files:
        book = files.enter_context(Ledger.open(ledger))
        if begun and ledger is not None and not retry_undecided and book.find(question) is None:
            _reach(runner, question)
        entry = _to_be_retried(book, question) if retry_undecided else book.enter(question, add=add)
        if retry_undecided and records is not None:
            check_complete(book, entry, deals)
        file = None if records is None else files.enter_context(RecordsFile.open(records, book, entry, deals))
        checks: tuple[Check, ...] = ()
        interrupted = False
        try:
            with contextlib.ExitStack() as running:
                work = _Work(book, entry, question, deals, chunk, runner, running, file, progress)
                if retry_undecided:
                    work.retry()
                else:
                    work.decide()
                tally = work.count()
                checks = work.check(sample)
            if file is not None:
                file.finish()
        except KeyboardInterrupt:
            interrupted = True
            tally, _ = book.tally(entry, deals)
        return work.result(tally, checks, interrupted)


def _reach(runner: Runner, question: Question) -> None:
    """See that a cluster can do the work before a ledger is begun, or bound to the question."""
    if isinstance(runner, Cluster):
        with runner:
            runner.prepare(question)


def in_workers(
    runner: Runner, function: Callable[..., ResultT], calls: Iterator[tuple[Any, ...]]
) -> Iterator[ResultT | None]:
    """Call a function in workers: yields what is returned, as it comes, and ``None`` meanwhile.

    Calls whose worker was lost are made again. No more calls are taken than are wanted by the workers, so memory does
    not depend on their number.

    Raises:
        WorkerError: workers keep dying, or cannot be reached any more.
    """
    under_way: dict[Future[Any], tuple[Any, ...]] = {}
    again: list[tuple[Any, ...]] = []
    finished = 0
    while True:
        try:
            while len(under_way) < runner.wanted:
                if not again and (call := next(calls, None)) is not None:
                    again.append(call)
                if not again:
                    break
                under_way[runner.submit(function, *again[-1])] = again[-1]
                again.pop()
            if not under_way:
                return
            done, _ = wait(under_way, _REPORT_SECONDS, FIRST_COMPLETED)
            if not done:
                runner.look_after()
                yield None
            for future in done:
                result = future.result()
                finished += 1
                del under_way[future]
                yield result
        except Exception as error:
            if not runner.survives(error, finished=finished):
                told = _told(error)
                if told is error:
                    raise
                raise told from None
            lost = [future for future in under_way if isinstance(error, BrokenExecutor) or future.done()]
            again += [under_way.pop(future) for future in lost]


def _told(error: Exception) -> Exception:
    """What an error of workers means to the person."""
    if isinstance(error, CancelledError):
        return WorkerError("expected workers that can be reached, got none any more")
    if isinstance(error, MemoryError):
        return WorkerError(f"expected memory for the deals under way, got too little {MEMORY_HINT}")
    if isinstance(error, BrokenExecutor):
        return killed_again()
    return error


def _to_be_retried(book: Ledger, question: Question) -> Entry:
    """The survey of these rules, if these limits are larger than its own."""
    entry = book.find(question)
    if entry is None:
        raise LedgerError(f"expected a survey of these rules to retry, got none: {book.path}")
    if not _larger(question, entry.question):
        raise OptionError(
            f"expected larger limits than the survey's {entry.question.limits_text}, got {question.limits_text}"
        )
    return entry


def _larger(question: Question, before: Question | Retry) -> bool:
    """Whether the question's limits are larger than those with which a deal was given up: none smaller, one larger."""
    now, then = ((limits.max_states or math.inf, limits.max_memory) for limits in (question, before))
    return now != then and now[0] >= then[0] and now[1] >= then[1]


@attrs.define
class _Work:
    """One survey, or one round of retries."""

    book: Ledger
    entry: Entry
    question: Question
    deals: range
    chunk: int | None
    runner: Runner
    running: contextlib.ExitStack
    """What ends the workers."""
    file: RecordsFile | None
    progress: Callable[[SurveyProgress], None] | None
    size: int = CHUNK_SIZES[0]
    """Deals of the next chunk, if nothing was asked for."""
    asked: int = 0
    decided_now: int = 0
    not_tried: int = 0
    counts: Tally = attrs.field(factory=Tally)
    """For progress: what the ledger had of the deals asked for, and what was found since."""
    began: float = attrs.field(factory=time.monotonic)
    ready: float | None = None
    ended: float | None = None
    next_report: float = 0.0

    def decide(self) -> None:
        """Have every chunk decided that the ledger does not have."""
        gaps = self._gaps()
        if gaps:
            self.asked, (self.counts, _) = len(self.deals), self.book.tally(self.entry, self.deals)
        while gaps:  # again, if another survey took part of a chunk
            for chunk in self._in_workers(decide_chunk, self._missing(gaps)):
                if chunk is not None:
                    self._fit_size(chunk)
                    if self.book.add(self.entry, chunk):
                        self._count_chunk(chunk)
                    if self.file is not None:
                        self.file.catch_up()
                self._report()
            self.ended = time.monotonic()
            gaps = self._gaps()

    def retry(self) -> None:
        """Try the undecided deals again."""
        tried = self.book.retries(self.entry)
        undecided = list(self.book.undecided(self.entry, self.deals))
        deals = [number for number in undecided if number not in tried or _larger(self.question, tried[number])]
        self.asked, self.not_tried = len(deals), len(undecided) - len(deals)
        for chunk in self._in_workers(decide_chunk, ((self.question, number, 1) for number in deals)):
            if chunk is not None:
                self.book.add_retry(self.entry, Retry.of(chunk, self.question))
                self._count_chunk(chunk)
            self._report()
        self.ended = time.monotonic()

    def count(self) -> Tally:
        """Count all deals asked for; chunks that reach beyond them are decided again, to be counted deal by deal."""
        tally, rest = self.book.tally(self.entry, self.deals)
        question, retries = self.entry.question, self.book.retries(self.entry)
        calls = ((question, part.start, len(part)) for deals in rest for part in self._pieces(deals))
        chunks: list[Chunk] = []
        for chunk in self._in_workers(decide_chunk, calls):
            if chunk is not None:
                self._fit_size(chunk)
                chunks.append(chunk)
        for chunk in sorted(chunks, key=lambda chunk: chunk.first):
            tally.add(chunk, retries)
        return tally

    def check(self, sample: list[int]) -> tuple[Check, ...]:
        """Decide these deals once more by the model."""
        retries, rules = self.book.retries(self.entry), self.question.rules
        calls = ((rules, number, self.book.verdict_of(self.entry, number, retries)) for number in sample)
        checks: list[Check] = []
        for check in self._in_workers(check_deal, calls):
            if check is not None:
                checks.append(check)
            self._report(SurveyProgress(len(sample), len(checks), len(checks), 0, 0, 0, self._seconds(), checking=True))
        return tuple(sorted(checks, key=lambda check: check.number))

    def result(self, tally: Tally, checks: tuple[Check, ...], interrupted: bool) -> SurveyResult:
        """The result to report."""
        ended = self.ended or time.monotonic()
        ready = self.ready or ended
        return SurveyResult(
            rules=self.question.rules,
            player=self.question.player,
            asked=self.deals,
            deals=tally.deals,
            won=tally.won,
            lost=tally.lost,
            undecided=tally.undecided,
            states_total=tally.states_total,
            unit=self.entry.unit,
            states=dict(sorted(tally.states.items())),
            redeals=dict(sorted(tally.redeals.items())),
            hardest=tally.hardest,
            undecided_deals=tally.undecided_deals,
            checks=checks,
            interrupted=interrupted,
            decided_now=self.decided_now,
            not_tried=self.not_tried,
            seconds=ended - ready,
            startup_seconds=ready - self.began,
        )

    def _in_workers(
        self, function: Callable[..., ResultT], calls: Iterator[tuple[Any, ...]]
    ) -> Iterator[ResultT | None]:
        """`in_workers`, with the workers started when the first call is there to be made."""
        first = next(calls, None)
        if first is None:
            return
        if self.ready is None:
            self.running.enter_context(self.runner)
            self.runner.prepare(self.question)
            self.ready = time.monotonic()
        yield from in_workers(self.runner, function, itertools.chain([first], calls))

    def _gaps(self) -> list[range]:
        return list(without(self.deals, joined(self.book.done(self.entry))))

    def _missing(self, gaps: list[range]) -> Iterator[tuple[Any, ...]]:
        """The calls for what is missing, unless another survey has done it by the time it is asked for."""
        for gap in gaps:
            for part in self._pieces(gap):
                if not self.book.is_done(self.entry, part):
                    yield self.question, part.start, len(part), self.file is not None

    def _pieces(self, deals: range) -> Iterator[range]:
        """A range cut into chunks, each of the size that is right when it is asked for."""
        while deals:
            part = next(pieces(deals, self.chunk or self.size))
            yield part
            deals = range(part.stop, deals.stop)

    def _fit_size(self, chunk: Chunk) -> None:
        """Learn from a chunk how many deals take `_CHUNK_SECONDS`; sizes grow step by step, for deals differ."""
        most = min(max(10 * chunk.count, self.size), _CHUNK_SECONDS * chunk.count / max(chunk.seconds, 1e-9))
        self.size = max((size for size in CHUNK_SIZES if size <= most), default=CHUNK_SIZES[0])

    def _count_chunk(self, chunk: Chunk) -> None:
        self.decided_now += chunk.count
        self.counts.add(chunk, {})

    def _report(self, counts: SurveyProgress | None = None) -> None:
        """Report how far it is, or these counts, unless that was done just now."""
        now = time.monotonic()
        if self.progress is None or now < self.next_report or self.ready is None:
            return
        self.next_report = now + _REPORT_SECONDS
        self.progress(
            counts
            or SurveyProgress(
                deals=self.asked,
                done=self.counts.deals,
                decided_now=self.decided_now,
                won=self.counts.won,
                lost=self.counts.lost,
                undecided=self.counts.undecided,
                seconds=self._seconds(),
            )
        )

    def _seconds(self) -> float:
        return time.monotonic() - (self.ready or self.began)
