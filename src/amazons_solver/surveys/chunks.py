"""A chunk: some numbered deals decided, as a pure function of the question and the numbers.

This is all that workers run, in threads, processes or on a cluster.
"""

import threading
import time
import zlib
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import WorkerError
from amazons_solver.kernel import fits
from amazons_solver.kernel.batch import (
    UNDECIDED,
    UNWINNABLE,
    VERDICTS,
    WINNABLE,
    StoppedError,
    Verdicts,
    decide_numbered,
)
from amazons_solver.kernel.storage import UNIT
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.model.version import version
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import solve
from amazons_solver.strategies.many import play_games
from amazons_solver.strategies.players import strategy_of
from amazons_solver.surveys.plan import SOLVER, Question

__all__ = [
    "HARDEST",
    "Chunk",
    "StoppedError",
    "decide_by_model",
    "decide_chunk",
    "unit_of",
    "unpack_records",
    "warm_up",
]

HARDEST = 10
"""The deals with most states that are kept of every chunk, and of a survey."""

_GAMES = 1_000
"""Compiled games between two looks at whether to stop: some milliseconds."""


@attrs.frozen
class Chunk:
    """The findings for the deals `first` … `first + count - 1`."""

    first: int
    count: int
    won: int
    lost: int
    undecided: tuple[tuple[int, int], ...]
    """Number and states of every deal that was given up, by number."""
    wins: bytes
    """A bit a deal, the first one highest in its byte: winnable."""
    states_total: int
    """States of the deals that were decided."""
    states: dict[int, int] = attrs.field(hash=False)
    """Deals decided, by the bit length of their number of states: b counts those of 2^(b-1) to 2^b - 1."""
    redeals: dict[int, int] = attrs.field(hash=False)
    """Deals won, by the redeals of the line found."""
    hardest: tuple[tuple[int, int], ...]
    """Number and states of the deals decided that have most states, most first."""
    seconds: float = attrs.field(eq=False)
    """Time that one worker took; no part of equality."""
    records: bytes | None = None
    """Packed states and redeals of every deal, if they were asked for."""

    @property
    def deals(self) -> range:
        """The numbers of the deals."""
        return range(self.first, self.first + self.count)

    def winnable(self) -> NDArray[np.uint8]:
        """For each deal 1 if it is winnable, else 0."""
        return np.unpackbits(np.frombuffer(self.wins, np.uint8), count=self.count)


def decide_chunk(
    question: Question, first: int, count: int, records: bool = False, stop: threading.Event | None = None
) -> Chunk:
    """Decide the numbered deals from `first` on, `count` of them.

    Args:
        question: what is asked of every deal.
        first: the number of the first deal.
        count: how many.
        records: whether states and redeals of every deal are wanted.
        stop: when set, the chunk is given up within a fraction of a second or one deal.

    Raises:
        WorkerError: this is not the version of the solver that was asked.
        StoppedError: `stop` was set.
    """
    if question.version != version():
        raise WorkerError(f"expected workers with amazons-solver {question.version}, got {version()}")
    started = time.perf_counter()
    found = _find(question, first, count, stop or threading.Event())
    return _summary(first, found, records, time.perf_counter() - started)


def warm_up(question: Question) -> None:
    """Compile the kernel and compute the endgame table, or load them, so that workers find both in the caches."""
    if question.player != SOLVER:
        _play(question, 0, 1)
    elif fits.decides(question.rules):
        decide_numbered(0, 1, question.rules, limits=Limits(states=1, memory_bytes=question.max_memory))


def unit_of(question: Question) -> str:
    """What is counted as a state."""
    if question.player != SOLVER:
        return "moves"
    return UNIT if fits.decides(question.rules) else "states"


def _find(question: Question, first: int, count: int, stop: threading.Event) -> Verdicts:
    compiled = fits.decides(question.rules)
    if compiled and question.player == SOLVER:
        return decide_numbered(first, count, question.rules, limits=question.limits, keep_on=lambda: not stop.is_set())
    size = _GAMES if compiled else 1
    parts = []
    for start in range(first, first + count, size):
        if stop.is_set():
            raise StoppedError
        if question.player == SOLVER:
            parts.append(decide_by_model([Deal.numbered(start, question.rules)], question.rules, question.limits))
        else:
            parts.append(_play(question, start, min(size, first + count - start)))
    return Verdicts(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def decide_by_model(deals: Sequence[Deal], rules: Rules, limits: Limits) -> Verdicts:
    """What the model finds of these deals, as the kernel tells it.

    Raises:
        KeyboardInterrupt: Ctrl-C ended a search.
    """
    count = len(deals)
    found = Verdicts(np.zeros(count, np.int8), np.zeros(count, np.int64), np.full(count, -1, np.int32))
    for i, deal in enumerate(deals):
        solution = solve(deal, rules, engine="model", limits=limits)
        if solution.stop_reason is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        found.verdict[i] = VERDICTS.index(solution.verdict.value)
        found.states[i] = solution.stats.states
        found.redeals[i] = -1 if solution.redeals is None else solution.redeals
    return found


def _play(question: Question, first: int, count: int) -> Verdicts:
    """What a strategy makes of the deals: won or not, with the moves of its games in the place of states."""
    games = play_games(strategy_of(question.player), first, count, question.rules)
    return Verdicts(
        np.where(games.won, WINNABLE, UNWINNABLE).astype(np.int8),
        games.moves.astype(np.int64),
        np.where(games.won, games.redeals, -1).astype(np.int32),
    )


def _summary(first: int, found: Verdicts, records: bool, seconds: float) -> Chunk:
    won, given_up = found.verdict == WINNABLE, found.verdict == UNDECIDED
    decided = np.flatnonzero(~given_up)
    states = found.states[decided]
    redeals = np.bincount(found.redeals[won])
    # The first deal is the hardest of several with as many states.
    least = np.partition(states, -HARDEST)[-HARDEST] if len(states) > HARDEST else 0
    candidates = np.flatnonzero(states >= least)
    hardest = decided[candidates[np.argsort(-states[candidates], kind="stable")[:HARDEST]]]
    bits = np.bincount(np.frexp(states.astype(np.float64))[1], minlength=1)  # exact below 2^53
    return Chunk(
        first=first,
        count=len(won),
        won=int(won.sum()),
        lost=int((found.verdict == UNWINNABLE).sum()),
        undecided=tuple((first + int(i), int(found.states[i])) for i in np.flatnonzero(given_up)),
        wins=np.packbits(won).tobytes(),
        states_total=int(states.sum()),
        states={int(bit): int(bits[bit]) for bit in np.flatnonzero(bits)},
        redeals={int(number): int(redeals[number]) for number in np.flatnonzero(redeals)},
        hardest=tuple((first + int(i), int(found.states[i])) for i in hardest),
        seconds=seconds,
        records=_pack_records(found) if records else None,
    )


def _pack_records(found: Verdicts) -> bytes:
    return zlib.compress(found.states.astype("<i8").tobytes() + found.redeals.astype("<i4").tobytes(), 1)


def unpack_records(chunk: Chunk) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """States and redeals of every deal of a chunk with records; redeals are -1 where no line was found.

    Raises:
        ValueError: the records are none, or not those of this chunk.
    """
    size, unpacker = 12 * chunk.count, zlib.decompressobj()
    try:
        data = unpacker.decompress(chunk.records or b"", size + 1)  # and not a byte more, however much there is
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"expected {size:,} bytes")
    states, redeals = np.frombuffer(data, "<i8", chunk.count), np.frombuffer(data, "<i4", chunk.count, 8 * chunk.count)
    given_up = np.array([number - chunk.first for number, _ in chunk.undecided], np.int64)
    known = states.copy()
    known[given_up] = 0
    if (
        (states < 0).any()
        or known.sum() != chunk.states_total
        or states[given_up].tolist() != [number for _, number in chunk.undecided]
        or any(states[number - chunk.first] != most for number, most in chunk.hardest)
        or (redeals < -1).any()
        or ((redeals >= 0) != chunk.winnable()).any()
    ):
        raise ValueError("expected the numbers of the chunk")
    return states, redeals
