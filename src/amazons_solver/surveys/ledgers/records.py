"""Records: a Parquet file with a row a deal, in the order of their numbers."""

import contextlib
import importlib.util
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any, Self

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import LedgerError, MissingToolError
from amazons_solver.files import discarded, explained, write_whole
from amazons_solver.kernel.batch import UNDECIDED, UNWINNABLE, VERDICTS, WINNABLE
from amazons_solver.surveys.chunks import Chunk, unpack_records
from amazons_solver.surveys.ledgers.ledger import Entry, Ledger
from amazons_solver.surveys.ledgers.storage import damaged
from amazons_solver.surveys.plan import joined, without
from amazons_solver.surveys.tally import Retry

__all__ = ["RecordsFile", "check_complete", "require_pyarrow"]

_GROUP = 100_000
"""Rows of a row group."""
_CODES = {"lost": UNWINNABLE, "won": WINNABLE, "undecided": UNDECIDED}


@attrs.define(eq=False)
class RecordsFile:
    """A file of records, written next to its place as the ledger grows, and moved there when it is complete.

    Its data is in the ledger, so an interrupted survey resumes with both. A pipe or a device is not replaced: it is
    written to at the end.
    """

    path: Path
    _temporary: Path
    _book: Ledger
    _entry: Entry
    _deals: range
    _retries: dict[int, Retry]
    _writer: Any
    _next: int
    _waiting: list[dict[str, NDArray[Any]]] = attrs.field(factory=list)
    _rows: int = 0
    _unfinished: contextlib.ExitStack = attrs.field(factory=contextlib.ExitStack)

    @classmethod
    def open(cls, path: Path, book: Ledger, entry: Entry, deals: range) -> Self:
        """Begin a file of the records of these deals.

        Raises:
            MissingToolError: pyarrow is not installed.
            LedgerError: the file cannot be written, or the ledger has deals whose records were not kept.
        """
        require_pyarrow()
        from pyarrow.parquet import ParquetWriter  # noqa: PLC0415 (an optional package)

        missing = book.without_records(entry, deals)
        if missing:
            raise LedgerError(
                f"expected a ledger with the records of all deals, got {missing:,} deals decided without "
                f"(survey them into another ledger): {book.path}"
            )
        with _writing(path):
            if path.is_dir():
                raise IsADirectoryError(0, "it is a directory")
            if path.exists() and not path.is_file():
                handle, name = tempfile.mkstemp(suffix=".parquet")
                os.close(handle)
                temporary = Path(name)
            else:
                path = path.resolve()  # a link stays a link
                temporary = path.with_name(f".{secrets.token_hex(8)}.partial")  # another survey may write here, too
            try:
                writer = ParquetWriter(temporary, _schema(entry))
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        return cls(path, temporary, book, entry, deals, {}, writer, deals.start)

    def __enter__(self) -> Self:
        self._unfinished.enter_context(discarded(lambda: self._temporary.unlink(missing_ok=True)))
        return self

    def __exit__(self, *_: object) -> None:
        """Throw away what was not finished."""
        with contextlib.suppress(OSError):
            self._writer.close()
        self._unfinished.close()

    def catch_up(self) -> None:
        """Write what the ledger has by now without a gap.

        Raises:
            LedgerError: the file cannot be written.
        """
        if self._next == self._deals.start:
            self._retries = self._book.retries(self._entry)
        while self._next < self._deals.stop:
            chunk = self._book.chunk_of(self._entry, self._next)
            if chunk is None:
                return
            self._take(chunk)
            while self._rows >= _GROUP:
                self._write(_GROUP)

    def finish(self) -> None:
        """Write the rest, and put the file into its place.

        Raises:
            LedgerError: the file cannot be written, or the ledger has not all of the deals.
        """
        self.catch_up()
        if self._next < self._deals.stop:
            raise _incomplete(self._book, self._next)
        if self._rows:
            self._write(self._rows)
        with _writing(self.path):
            self._writer.close()
            if self.path.exists() and not self.path.is_file():
                with self._temporary.open("rb") as whole:
                    write_whole(self.path, iter(lambda: whole.read(1 << 20), b""))
            else:
                self._temporary.replace(self.path)

    def _take(self, chunk: Chunk) -> None:
        if chunk.records is None:  # another survey decided it, which keeps none
            raise LedgerError(f"expected a ledger with the records of all deals, got some without: {self._book.path}")
        try:
            states, redeals = (array.copy() for array in unpack_records(chunk))
        except ValueError:
            raise damaged(self._book.path, f"the records of the chunk of deal {chunk.first} make no sense") from None
        verdicts = chunk.winnable().astype(np.int8)
        for number, _ in chunk.undecided:
            retry = self._retries.get(number)
            verdicts[number - chunk.first] = _CODES["undecided" if retry is None else retry.verdict]
            if retry is not None:
                states[number - chunk.first] = retry.states
                redeals[number - chunk.first] = -1 if retry.redeals is None else retry.redeals
        some = slice(self._next - chunk.first, min(chunk.deals.stop, self._deals.stop) - chunk.first)
        numbers = np.arange(chunk.first, chunk.deals.stop, dtype=np.int64)
        self._waiting.append(
            {"number": numbers[some], "verdict": verdicts[some], "states": states[some], "redeals": redeals[some]}
        )
        self._rows += len(numbers[some])
        self._next += len(numbers[some])

    def _write(self, rows: int) -> None:
        import pyarrow as pa  # noqa: PLC0415 (an optional package)

        columns = {name: np.concatenate([part[name] for part in self._waiting]) for name in self._waiting[0]}
        self._waiting = [{name: column[rows:] for name, column in columns.items()}]
        self._rows -= rows
        redeals = columns["redeals"][:rows]
        version = self._entry.question.version
        arrays = [
            pa.array(columns["number"][:rows]),
            pa.DictionaryArray.from_arrays(columns["verdict"][:rows], pa.array(VERDICTS)),
            pa.array(columns["states"][:rows]),
            pa.array(redeals, mask=redeals < 0),
            pa.DictionaryArray.from_arrays(np.zeros(rows, np.int8), pa.array([version])),
        ]
        with _writing(self.path):
            schema = _schema(self._entry)
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=_GROUP)


def check_complete(book: Ledger, entry: Entry, deals: range) -> None:
    """Raise LedgerError unless the ledger has all of these deals, whose records are to be written as they are."""
    for gap in without(deals, joined(book.done(entry))):
        raise _incomplete(book, gap.start)


def _incomplete(book: Ledger, number: int) -> LedgerError:
    return LedgerError(
        f"expected a ledger with all deals of the range for records, got none of deal {number}: {book.path}"
    )


def require_pyarrow() -> None:
    """Raise MissingToolError if pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingToolError("expected pyarrow for records: pip install pyarrow")


def _schema(entry: Entry) -> Any:
    import pyarrow as pa  # noqa: PLC0415 (an optional package)

    words = pa.dictionary(pa.int8(), pa.string())
    return pa.schema(
        [
            ("number", pa.int64()),
            ("verdict", words),
            ("states", pa.int64()),
            ("redeals", pa.int32()),
            ("solver_version", words),
        ],
        metadata={"rules": entry.question.rules_text, "unit of states": entry.unit, "player": entry.question.player},
    )


def _writing(path: Path) -> contextlib.AbstractContextManager[None]:
    """Name the file that the system complains of.

    Raises:
        LedgerError: something inside could not be written.
    """
    return explained(lambda reason: LedgerError(f"expected a file to write records to, got {reason}: {path}"))
