"""Deals for programs: numbered deals of a verdict, or of a difficulty, one after the other."""

import time
from collections import deque
from collections.abc import Callable, Iterator

import attrs

from amazons_solver.errors import OptionError
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits, usable_cores
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solve import Verdict, solve

__all__ = ["Found", "find_deals"]

_LAST = 2**64 - 1
_CHUNK_SECONDS = 0.2
_LARGEST_CHUNK = 1 << 14


@attrs.frozen
class Found:
    """A numbered deal with its verdict."""

    number: int
    verdict: Verdict


def find_deals(
    rules: Rules,
    verdict: Verdict,
    *,
    first: int = 0,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Found]:
    """The numbered deals of a verdict, from one on, by number; and on the way, those that are undecided.

    Deals are decided in batches by the kernel, on all processors, ahead of those that are taken. Under rules that it
    does not support, or with a limit on seconds, the model decides one by one. It goes on to the last number.

    Args:
        rules: the rules.
        verdict: winnable or unwinnable.
        first: the number of the first deal.
        limits: when to give up each deal, of which every processor has one; the default limits when absent.
        progress: called with the counts so far, of which the states are deals, a few times a second.

    Raises:
        OptionError: the verdict is undecided, or there is no deal of the first number.

    >>> from itertools import islice
    >>> [found.number for found in islice(find_deals(Rules.preset("patiencen"), Verdict.WINNABLE), 4)]
    [2, 6, 7, 10]
    """
    if verdict is Verdict.UNDECIDED:
        raise OptionError("expected deals to be found by the verdict winnable or unwinnable, got undecided")
    if not 0 <= first <= _LAST:
        raise OptionError(f"expected deal numbers from 0 to 2^64 - 1, got {first}")
    return _find(rules, verdict, first, limits or Limits(), progress)


def _find(
    rules: Rules, verdict: Verdict, first: int, limits: Limits, progress: Callable[[Progress], None] | None
) -> Iterator[Found]:
    from amazons_solver.kernel.bridge import supports  # noqa: PLC0415 (numba takes half a second to load)

    decide = _one_by_one if limits.seconds is not None or not supports(rules) else _in_batches
    started = reported = time.monotonic()
    for number, found in enumerate(decide(rules, first, limits), first):
        if found is verdict or found is Verdict.UNDECIDED:
            yield Found(number, found)
        now = time.monotonic()
        if progress is not None and now - reported > _CHUNK_SECONDS:
            reported, deals = now, number - first + 1
            progress(Progress(deals, deals, 0, deals, 0, 0, None, now - started, "deals"))


def _one_by_one(rules: Rules, first: int, limits: Limits) -> Iterator[Verdict]:
    for number in range(first, _LAST + 1):
        solution = solve(Deal.numbered(number, rules), rules, limits=limits)
        if solution.stop_reason is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        yield solution.verdict


def _in_batches(rules: Rules, first: int, limits: Limits) -> Iterator[Verdict]:
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 (the program starts without)

    from amazons_solver.kernel.batch import UNDECIDED, UNWINNABLE, WINNABLE, decide_numbered  # noqa: PLC0415

    workers = usable_cores()
    verdicts = {UNDECIDED: Verdict.UNDECIDED, UNWINNABLE: Verdict.UNWINNABLE, WINNABLE: Verdict.WINNABLE}

    def decide(start: int, count: int) -> tuple[list[int], float]:
        before = time.monotonic()
        found = decide_numbered(start, count, rules, limits=limits).verdict.tolist()
        return found, time.monotonic() - before

    threads = ThreadPoolExecutor(workers)
    waiting: deque[Future[tuple[list[int], float]]] = deque()
    size, next_number = 1, first  # the first chunk also compiles the kernel and makes the endgame table
    try:
        while next_number <= _LAST or waiting:
            while next_number <= _LAST and len(waiting) < (1 if size == 1 else workers):
                count = min(size, _LAST + 1 - next_number)
                waiting.append(threads.submit(decide, next_number, count))
                next_number += count
            found, seconds = waiting.popleft().result()
            if seconds < _CHUNK_SECONDS or size == 1:
                size = min(_LARGEST_CHUNK, 4 * size)
            elif seconds > 4 * _CHUNK_SECONDS:
                size = max(2, size // 4)
            yield from map(verdicts.__getitem__, found)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
