"""The ledger: finished chunks in an SQLite file, one transaction a chunk."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import attrs
import numpy as np

from amazons_solver.errors import LedgerError, shorten
from amazons_solver.surveys.chunks import Chunk, unit_of
from amazons_solver.surveys.ledgers.rows import chunk_from, question_from, retry_from, row_of
from amazons_solver.surveys.ledgers.storage import (
    CHUNK_COLUMNS,
    RETRY_COLUMNS,
    SURVEY_COLUMNS,
    checkpoint,
    damaged,
    digest,
    explained,
    in_memory,
    open_file,
)
from amazons_solver.surveys.plan import Question
from amazons_solver.surveys.tally import Retry, Tally

__all__ = ["Entry", "Ledger"]

_CHECKPOINT_SECONDS = 2.0
_Made = TypeVar("_Made")


@attrs.frozen
class Entry:
    """A survey of a ledger."""

    id: int
    question: Question
    unit: str
    """What its states are."""


@attrs.define(eq=False)
class Ledger:
    """An open ledger. Use it in a ``with`` block, from one thread; several processes may have the same one open."""

    path: Path | None
    """``None``: in memory only."""
    _connection: sqlite3.Connection
    _next_checkpoint: float = attrs.field(factory=lambda: time.monotonic() + _CHECKPOINT_SECONDS)

    @classmethod
    def open(cls, path: str | Path | None, *, write: bool = True) -> Self:
        """Open a ledger, and create it if there is none and it is to be written; then look for damage.

        Args:
            path: the file; ``None`` for a ledger in memory.
            write: whether anything is to be added.

        Raises:
            LedgerError: the file is no ledger of this format, or damaged, or cannot be used so.
        """
        if path is None:
            return cls(None, in_memory())
        path = Path(path)
        ledger = cls(path, open_file(path, write=write))
        try:
            ledger._check()
        except BaseException:
            ledger.close()
            raise
        return ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the last survey to do so removes SQLite's files next to it."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def entries(self) -> list[Entry]:
        """The surveys, in the order in which they were begun."""
        with explained(self.path, write=False):
            rows = self._connection.execute(f"SELECT {SURVEY_COLUMNS} FROM surveys ORDER BY id").fetchall()  # noqa: S608
        return [Entry(row[0], self._made(question_from, row, "survey"), row[-1]) for row in rows]

    def enter(self, question: Question, *, add: bool = False) -> Entry:
        """The survey of this question, begun if it is the ledger's first, or is to be added.

        Raises:
            LedgerError: the ledger is of another solver version, other limits or other rules.
        """
        with self._transaction():
            found = self.find(question)
            if found is not None:
                if found.question != question:
                    raise LedgerError(
                        f"expected the limits of the ledger's survey, {found.question.limits_text}, "
                        f"got {question.limits_text} (--retry-undecided tries larger ones): {self.path}"
                    )
                return found
            entries = self.entries()
            if entries and not add:
                raise LedgerError(
                    f"expected a ledger of these rules, got one with {_differing(question, entries)} "
                    f"(--add, or add=True, adds others): {self.path}"
                )
            entry = Entry(len(entries) + 1, question, unit_of(question))
            limits = (question.max_states, question.max_memory)
            values = (entry.id, question.rules_text, question.player, *limits, question.version, entry.unit)
            self._insert("INSERT INTO surveys", SURVEY_COLUMNS, values)
            return entry

    def find(self, question: Question) -> Entry | None:
        """The survey of these rules by this player, whatever its limits.

        Raises:
            LedgerError: the ledger is of another solver version.
        """
        entries = self.entries()
        for entry in entries:
            if entry.question.version != question.version:
                raise LedgerError(
                    f"expected a ledger of amazons-solver {question.version}, got one of {entry.question.version}: "
                    f"{self.path}"
                )
        asked = (question.rules, question.player)
        return next((entry for entry in entries if (entry.question.rules, entry.question.player) == asked), None)

    def add(self, entry: Entry, chunk: Chunk) -> bool:
        """Write a finished chunk; false, and nothing is written, if some of its deals are there already."""
        with self._transaction():
            last = self._connection.execute(
                "SELECT first + count FROM chunks WHERE survey = ? AND first < ? ORDER BY first DESC LIMIT 1",
                (entry.id, chunk.deals.stop),
            ).fetchone()
            if last is not None and last[0] > chunk.first:
                return False
            values = (entry.id, *row_of(chunk, CHUNK_COLUMNS))
            self._insert("INSERT INTO chunks", f"survey, {CHUNK_COLUMNS}", values, chunk.seconds)
        return True

    def add_retry(self, entry: Entry, retry: Retry) -> None:
        """Write the finding for a deal with larger limits, unless it is decided already."""
        with self._transaction():
            self._connection.execute(
                "DELETE FROM retries WHERE survey = ? AND number = ? AND verdict = 'undecided'",
                (entry.id, retry.number),
            )
            values = (entry.id, *row_of(retry, RETRY_COLUMNS))
            self._insert("INSERT OR IGNORE INTO retries", f"survey, {RETRY_COLUMNS}", values, retry.seconds)

    def done(self, entry: Entry) -> Iterator[range]:
        """The deals of every chunk, in order."""
        for first, count in self._select("SELECT first, count FROM chunks WHERE survey = ? ORDER BY first", entry.id):
            yield range(first, first + count)

    def is_done(self, entry: Entry, deals: range) -> bool:
        """Whether one chunk has all of these deals."""
        sql = "SELECT first + count FROM chunks WHERE survey = ? AND first <= ? ORDER BY first DESC LIMIT 1"
        last = next(self._select(sql, entry.id, deals.start), None)
        return last is not None and last[0] >= deals.stop

    def chunks(self, entry: Entry, deals: range | None = None) -> Iterator[Chunk]:
        """The chunks that have any of these deals, or all of the survey's, in order."""
        first, last = (0, 2**63 - 1) if deals is None else (deals.start, deals.stop - 1)
        before = next(
            self._select("SELECT max(first) FROM chunks WHERE survey = ? AND first <= ?", entry.id, first), None
        )
        if before is not None and before[0] is not None:
            first = before[0]
        sql = f"SELECT {CHUNK_COLUMNS}, seconds FROM chunks WHERE survey = ? AND first BETWEEN ? AND ? ORDER BY first"  # noqa: S608
        for row in self._select(sql, entry.id, first, last):
            chunk = self._made(chunk_from, row, "chunk of deal")
            if deals is None or chunk.deals.stop > deals.start:
                yield chunk

    def chunk_of(self, entry: Entry, number: int) -> Chunk | None:
        """The chunk that has this deal."""
        return next(self.chunks(entry, range(number, number + 1)), None)

    def verdict_of(self, entry: Entry, number: int, retries: dict[int, Retry]) -> str:
        """``won``, ``lost`` or ``undecided``: what is known of a deal; `retries` are those of the survey."""
        if number in retries:
            return retries[number].verdict
        chunk = self.chunk_of(entry, number)
        if chunk is None or any(number == given_up for given_up, _ in chunk.undecided):
            return "undecided"
        return "won" if chunk.winnable()[number - chunk.first] else "lost"

    def without_records(self, entry: Entry, deals: range) -> int:
        """How many of these deals were decided without keeping their records, or more in the same chunks."""
        sql = (
            "SELECT coalesce(sum(count), 0) FROM chunks "
            "WHERE survey = ? AND records IS NULL AND first < ? AND first + count > ?"
        )
        return int(next(self._select(sql, entry.id, deals.stop, deals.start))[0])

    def retries(self, entry: Entry) -> dict[int, Retry]:
        """The findings for deals with larger limits, by number."""
        sql = f"SELECT {RETRY_COLUMNS}, seconds FROM retries WHERE survey = ? ORDER BY number"  # noqa: S608
        rows = self._select(sql, entry.id)
        return {row[0]: self._made(retry_from, row, "retry of deal") for row in rows}

    def undecided(self, entry: Entry, deals: range | None = None) -> Iterator[int]:
        """The numbers of the undecided deals, in order."""
        decided = {number for number, retry in self.retries(entry).items() if retry.verdict != "undecided"}
        for chunk in self.chunks(entry, deals):
            for number, _ in chunk.undecided:
                if number not in decided and (deals is None or number in deals):
                    yield number

    def numbers(self, entry: Entry, verdict: Literal["won", "lost"]) -> Iterator[int]:
        """The numbers of the deals that were won, or lost, in order."""
        retries = self.retries(entry)
        for chunk in self.chunks(entry):
            bits = chunk.winnable()
            given_up = {number for number, _ in chunk.undecided}
            retried = [number for number in given_up if number in retries and retries[number].verdict == verdict]
            wanted = (chunk.first + int(i) for i in np.flatnonzero(bits == (verdict == "won")))
            yield from sorted([*retried, *(number for number in wanted if number not in given_up)])

    def tally(self, entry: Entry, deals: range | None = None) -> tuple[Tally, list[range]]:
        """Count the chunks that lie within these deals, or all; and say what deals of other chunks are left out."""
        tally, rest = Tally(), []
        retries = self.retries(entry)
        for chunk in self.chunks(entry, deals):
            if deals is None or (chunk.first >= deals.start and chunk.deals.stop <= deals.stop):
                tally.add(chunk, retries)
            else:
                rest.append(range(max(chunk.first, deals.start), min(chunk.deals.stop, deals.stop)))
        return tally, rest

    def _check(self) -> None:
        """Raise LedgerError unless all rows make sense, each and together."""
        with explained(self.path, write=False):
            self._connection.execute("BEGIN")  # what others add meanwhile is not seen
            entries, chunks, retries = self.entries(), 0, 0
            if [entry.id for entry in entries] != list(range(1, len(entries) + 1)):
                raise damaged(self.path, "its surveys are not numbered")
            if len({(entry.question.rules, entry.question.player) for entry in entries}) < len(entries):
                raise damaged(self.path, "a survey is there twice")
            for entry in entries:
                tried, end = set(self.retries(entry)), 0
                retries += len(tried)
                for chunk in self.chunks(entry):
                    if chunk.first < end:
                        raise damaged(self.path, f"deal {chunk.first} is there twice")
                    end, chunks = chunk.deals.stop, chunks + 1
                    tried.difference_update(number for number, _ in chunk.undecided)
                if tried:
                    raise damaged(self.path, f"deal {min(tried)} was tried again, but not given up")
            sql = "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM retries)"
            if next(self._select(sql)) != (chunks, retries):
                raise damaged(self.path, "some rows are of no survey")
            self._connection.execute("COMMIT")

    def _insert(self, into: str, columns: str, values: tuple[object, ...], *seconds: float) -> None:
        """Add a row, with the digest of all but the time that it took."""
        row = (*values, digest(values), *seconds)
        names = f"{columns}, digest, seconds" if seconds else f"{columns}, digest"
        self._connection.execute(f"{into} ({names}) VALUES ({', '.join('?' * len(row))})", row)

    def _made(self, make: Callable[[tuple[Any, ...]], _Made], row: tuple[Any, ...], name: str) -> _Made:
        """What a row says.

        Raises:
            LedgerError: it makes no sense.
        """
        try:
            return make(row)
        except ValueError:
            raise damaged(self.path, f"{name} {shorten(row[0])} makes no sense") from None

    def _select(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with explained(self.path, write=False):
            # With `yield from`, an iterator that is given up would close a cursor of a closed file.
            for row in self._connection.execute(sql, values):  # noqa: UP028
                yield row

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise
            if time.monotonic() >= self._next_checkpoint:
                checkpoint(self._connection)
                self._next_checkpoint = time.monotonic() + _CHECKPOINT_SECONDS


def _differing(question: Question, entries: list[Entry]) -> str:
    """What the ledger has instead of what is asked."""
    if len(entries) > 1:
        return f"{len(entries)} others"
    there = {**entries[0].question.rules.to_dict(), "player": entries[0].question.player}
    asked = {**question.rules.to_dict(), "player": question.player}
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in there.items() if value != asked[name])
