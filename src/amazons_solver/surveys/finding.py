"""Deals for programs: numbered deals of a verdict, or of a difficulty, one after the other."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeVar

import attrs

from amazons_solver.errors import OptionError, UndecidedError
from amazons_solver.kernel import fits
from amazons_solver.model.arguments import checked
from amazons_solver.model.deals import Deal
from amazons_solver.model.names import NUMBERED_END, check_numbers
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits, usable_cores
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.search.watch import Watch, next_size
from amazons_solver.solving.solve import Verdict, solve
from amazons_solver.strategies.difficulty import Difficulty, Level, check_level, difficulty

__all__ = ["MOST_TRIED", "MOST_UNDECIDED", "Found", "find_deals", "until_in_vain"]

MOST_TRIED = 1_000_000
"""How many deals in a row may not match before a search gives up."""

MOST_UNDECIDED = 1_000
"""How many deals in a row may be undecided before a search gives up: its limits are too small for any."""

FoundT = TypeVar("FoundT")
_LARGEST_CHUNK = 1 << 14


@attrs.frozen
class Found:
    """A numbered deal of the verdict sought."""

    number: int
    verdict: Verdict
    difficulty: Difficulty | None = None
    """If one was searched for."""


@checked
def find_deals(
    rules: Rules,
    verdict: Verdict | Literal["winnable", "unwinnable"] = Verdict.WINNABLE,
    *,
    level: Level | None = None,
    first: int = 0,
    limits: Limits | None = None,
    on_undecided: Callable[[int], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Found]:
    """The numbered deals of a verdict, or winnable ones of a difficulty, from one on, by number.

    Deals are decided in batches by the kernel, on all processors, ahead of those that are taken. Under rules that it
    does not support, or with a limit on seconds, they are decided one by one. It runs to the last number, or until it
    gives up.

    Args:
        rules: the rules.
        verdict: winnable or unwinnable.
        level: the difficulty: ``"easy"``, ``"medium"`` or ``"hard"``.
        first: the number of the first deal.
        limits: when to give up on each deal (every processor has one under way); the default limits when absent.
        on_undecided: called with the number of each deal that was given up; none of them is yielded.
        progress: called with the counts so far, where states are deals, a few times a second.

    Raises:
        OptionError: there is no such verdict or difficulty, or no deal of the first number; unwinnable deals have no
            difficulty.
        UndecidedError: 1,000,000 deals in a row did not match (there may be none that do), or 1,000 in a row were
            undecided.

    >>> from itertools import islice
    >>> [found.number for found in islice(find_deals(Rules.preset("patiencen"), "winnable"), 4)]
    [2, 6, 7, 10]
    """
    if isinstance(verdict, str) and verdict in (Verdict.WINNABLE.value, Verdict.UNWINNABLE.value):
        verdict = Verdict(verdict)
    if verdict not in (Verdict.WINNABLE, Verdict.UNWINNABLE):
        shown = verdict.value if isinstance(verdict, Verdict) else repr(verdict)
        raise OptionError(f"expected deals to be found by the verdict winnable or unwinnable, got {shown}")
    check_level(level)
    if level is not None and verdict is Verdict.UNWINNABLE:
        raise OptionError(f"expected winnable deals to be {level}, got unwinnable")
    check_numbers(first)
    tried = _tried(rules, verdict, level, first, limits or Limits(), on_undecided, progress)
    return until_in_vain(tried, level or verdict.value)


def _tried(
    rules: Rules,
    verdict: Verdict,
    level: Level | None,
    first: int,
    limits: Limits,
    on_undecided: Callable[[int], None] | None,
    progress: Callable[[Progress], None] | None,
) -> Iterator[tuple[Found | None, bool]]:
    """The deals by number: what is found, and whether it is decided."""
    one_by_one = limits.seconds is not None or not fits.decides(rules)
    watch = Watch(limits, progress)

    def counts() -> Progress:
        deals = number - first + 1
        return watch.counts(deals, 0, deals, unit="deals")

    for number, decided in enumerate((_one_by_one if one_by_one else _in_batches)(rules, first, limits), first):
        found: Found | None = None
        if decided is verdict:
            try:
                found = _found(number, rules, verdict, level, limits)
            except UndecidedError:
                decided = Verdict.UNDECIDED  # noqa: PLW2901 (one of the searches that measure it was given up)
        if decided is Verdict.UNDECIDED and on_undecided is not None:
            on_undecided(number)
        yield found, decided is not Verdict.UNDECIDED
        watch.report(counts)


def until_in_vain(tried: Iterable[tuple[FoundT | None, bool]], what: str) -> Iterator[FoundT]:
    """The matches among deals that were tried: each is a match or None, and decided or not.

    Raises:
        UndecidedError: so many deals in a row did not match, or were undecided, that none may ever match.
    """
    in_vain = undecided = 0
    for found, decided in tried:
        if found is not None:
            yield found
        in_vain = 0 if found is not None else in_vain + 1
        undecided = 0 if decided else undecided + 1
        if undecided == MOST_UNDECIDED:
            got = f"{undecided:,} undecided in a row"
            raise UndecidedError(f"expected limits within which deals are decided, got {got}")
        if in_vain == MOST_TRIED:
            raise UndecidedError(f"expected {what} deals, got none among {in_vain:,} in a row")


def _found(number: int, rules: Rules, verdict: Verdict, level: Level | None, limits: Limits) -> Found | None:
    """The deal, if it is of the level sought."""
    if level is None:
        return Found(number, verdict)
    measured = difficulty(Deal.numbered(number, rules), rules, level=level, limits=limits)
    return None if measured is None else Found(number, verdict, measured)


def _one_by_one(rules: Rules, first: int, limits: Limits) -> Iterator[Verdict]:
    for number in range(first, NUMBERED_END):
        solution = solve(Deal.numbered(number, rules), rules, limits=limits)
        if solution.stop_reason is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        yield solution.verdict


def _in_batches(rules: Rules, first: int, limits: Limits) -> Iterator[Verdict]:
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 (the program starts without)

    from amazons_solver.kernel.batch import VERDICTS, decide_numbered  # noqa: PLC0415

    workers = usable_cores()
    stop = threading.Event()

    def decide(start: int, count: int) -> tuple[list[Verdict], float]:
        before = time.monotonic()
        found = decide_numbered(start, count, rules, limits=limits, keep_on=lambda: not stop.is_set())
        return [Verdict(VERDICTS[code]) for code in found.verdict.tolist()], time.monotonic() - before

    threads = ThreadPoolExecutor(workers)
    waiting: deque[Future[tuple[list[Verdict], float]]] = deque()
    size, next_number = 1, first  # the first chunk also compiles the kernel and makes the endgame table
    try:
        while next_number < NUMBERED_END or waiting:
            while next_number < NUMBERED_END and len(waiting) < (1 if size == 1 else workers):
                count = min(size, NUMBERED_END - next_number)
                waiting.append(threads.submit(decide, next_number, count))
                next_number += count
            found, seconds = waiting.popleft().result()
            size = min(_LARGEST_CHUNK, max(2, next_size(len(found), seconds)))
            yield from found
    finally:
        stop.set()  # those under way end within a fraction of a second
        threads.shutdown(wait=False, cancel_futures=True)
