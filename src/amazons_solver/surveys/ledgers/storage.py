"""The file of a ledger: its tables, how it is created and opened, and how damage is found.

Every row carries a digest of itself, so that damage shows even where SQLite sees none.
"""

import contextlib
import hashlib
import os
import secrets
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path

from amazons_solver.errors import LedgerError, shorten
from amazons_solver.files import discarded

__all__ = [
    "CHUNK_COLUMNS",
    "FORMAT",
    "RETRY_COLUMNS",
    "SURVEY_COLUMNS",
    "checkpoint",
    "damaged",
    "digest",
    "explained",
    "in_memory",
    "open_file",
]

FORMAT = 1
"""Version of the files. A change of what they hold needs a new one."""

_APPLICATION = 0x416D617A  # "Amaz"
_PATIENCE_SECONDS = 120
"""How long another survey may hold the file."""
_LONGEST = 2**25
"""Bytes of a row; the largest chunk that may be asked for fits in."""

CHUNK_COLUMNS = "first, count, won, lost, undecided, wins, states_total, states, redeals, hardest, records"
RETRY_COLUMNS = "number, max_states, max_memory, verdict, states, redeals"
SURVEY_COLUMNS = "id, rules, player, max_states, max_memory, version, unit"

_SCHEMA = (
    """CREATE TABLE surveys (
    id INTEGER PRIMARY KEY, rules TEXT NOT NULL, player TEXT NOT NULL, max_states INTEGER, max_memory INTEGER NOT NULL,
    version TEXT NOT NULL, unit TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (rules, player))""",
    """CREATE TABLE chunks (
    survey INTEGER NOT NULL REFERENCES surveys, first INTEGER NOT NULL, count INTEGER NOT NULL, won INTEGER NOT NULL,
    lost INTEGER NOT NULL, undecided TEXT NOT NULL, wins BLOB NOT NULL, states_total INTEGER NOT NULL,
    states TEXT NOT NULL, redeals TEXT NOT NULL, hardest TEXT NOT NULL, records BLOB, digest TEXT NOT NULL,
    seconds REAL NOT NULL, PRIMARY KEY (survey, first))""",
    """CREATE TABLE retries (
    survey INTEGER NOT NULL REFERENCES surveys, number INTEGER NOT NULL, max_states INTEGER,
    max_memory INTEGER NOT NULL, verdict TEXT NOT NULL, states INTEGER NOT NULL, redeals INTEGER,
    digest TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (survey, number))""",
    """CREATE VIEW undecided AS
    SELECT chunks.survey AS survey, json_extract(deal.value, '$[0]') AS number FROM chunks, json_each(undecided) AS deal
    WHERE NOT EXISTS (SELECT 1 FROM retries WHERE retries.survey = chunks.survey AND verdict <> 'undecided'
                      AND retries.number = json_extract(deal.value, '$[0]'))""",
    """CREATE VIEW totals AS
    SELECT id AS survey, rules, player, deals, deals - lost - undecided AS won, lost, undecided FROM (
        SELECT id, rules, player, (SELECT coalesce(sum(count), 0) FROM chunks WHERE survey = id) AS deals,
        (SELECT coalesce(sum(lost), 0) FROM chunks WHERE survey = id)
        + (SELECT count(*) FROM retries WHERE survey = id AND verdict = 'lost') AS lost,
        (SELECT count(*) FROM undecided WHERE survey = id) AS undecided FROM surveys)""",
    """CREATE VIEW redeals AS
    SELECT survey, redeals, sum(deals) AS deals FROM (
        SELECT survey, CAST(bar.key AS INTEGER) AS redeals, bar.value AS deals FROM chunks, json_each(redeals) AS bar
        UNION ALL SELECT survey, redeals, 1 FROM retries WHERE redeals IS NOT NULL)
    GROUP BY survey, redeals""",
)


def in_memory() -> sqlite3.Connection:
    """A new ledger that is no file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _write_schema(connection)
    return connection


def open_file(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a ledger's file, and begin one if there is none and it is to be written; then look for damage.

    Raises:
        LedgerError: the file is no ledger of this format, or damaged, or cannot be used so.
    """
    with explained(path, write=write):
        if not str(path).strip() or path == Path():
            raise LedgerError("expected the name of a ledger, got none")
        if write and not path.parent.is_dir():
            raise LedgerError(f"expected a folder for the ledger, got none: {path.parent}")
        if write and not os.path.lexists(path):
            _create(path)
        if not path.is_file():
            raise LedgerError(f"expected a ledger, got no file: {path}")
        _check_header(path)
        connection = _connect(path, write=write)
        try:
            _check(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise LedgerError unless the file is a whole ledger of this format."""
    query = connection.execute
    found = {row[0] for row in query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    faults = [fault for (fault,) in query("PRAGMA integrity_check(1)") if fault != "ok"]
    if found != set(_SCHEMA) or faults:
        raise damaged(path, shorten(faults[0], 100) if faults else "its tables are not those of a ledger")
    for table, columns in (
        ("surveys", SURVEY_COLUMNS),
        ("chunks", f"survey, {CHUNK_COLUMNS}"),
        ("retries", f"survey, {RETRY_COLUMNS}"),
    ):
        for *values, written in query(f"SELECT {columns}, digest FROM {table}"):  # noqa: S608
            if digest(tuple(values)) != written:
                raise damaged(path, f"a row of {table} is not what was written")


def _check_header(path: Path) -> None:
    """Raise LedgerError unless the file begins as a whole ledger does, before SQLite may change anything in it."""
    with path.open("rb") as stream:
        header = stream.read(100)
        size = stream.seek(0, os.SEEK_END)
    if not header:
        raise LedgerError(f"expected a ledger, got an empty file (delete it to begin anew): {path}")
    if len(header) < 100 or header[:16] != b"SQLite format 3\0":
        raise LedgerError(f"expected a ledger, got another kind of file, or a damaged one: {path}")
    page_size, _, pages, _, form, _, application, _ = struct.unpack(">16xH10sI28sI4sI28s", header)
    if application != _APPLICATION:
        raise LedgerError(f"expected a ledger, got another SQLite file, or a damaged one: {path}")
    if form != FORMAT:
        raise LedgerError(f"expected a ledger of format {FORMAT}, got format {form}: {path}")
    # Pages that are not in the file yet are in the one that SQLite keeps next to it.
    if size < pages * page_size and not path.with_name(path.name + "-wal").exists():
        raise damaged(path, f"{size:,} bytes in place of {pages * page_size:,}")


def _connect(path: Path, *, write: bool) -> sqlite3.Connection:
    uri = path.absolute().as_uri()
    if not write:
        return _reader(path, uri)
    connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, isolation_level=None, timeout=_PATIENCE_SECONDS)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        # A kill loses nothing that was committed; a power failure may lose what came after the last `checkpoint`, but
        # spoils nothing. To write through to the disk with every chunk takes longer than to decide it.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def checkpoint(connection: sqlite3.Connection) -> None:
    """Move what SQLite keeps next to the file into it, and have the disk keep it; readers are not waited for."""
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _reader(path: Path, uri: str) -> sqlite3.Connection:
    # With the right to write, SQLite removes the files that it makes next to this one; a read-only disk gets none.
    for mode in ("mode=rw", "immutable=1"):
        connection = sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None, timeout=_PATIENCE_SECONDS)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.execute("PRAGMA query_only = 1")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except BaseException as error:
            connection.close()
            beside = path.with_name(path.name + "-wal").exists()
            if mode == "immutable=1" or beside or not isinstance(error, sqlite3.OperationalError):
                raise
        else:
            break
    return connection


def _create(path: Path) -> None:
    """Put a whole empty ledger into place in one step: a file that is there was a ledger from its first moment on."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    with discarded(lambda: temporary.unlink(missing_ok=True)):
        with contextlib.closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            _write_schema(connection)
        try:
            os.link(temporary, path)
        except FileExistsError:  # another survey was first
            return
        except OSError:  # a file system without links
            if not path.exists():
                temporary.rename(path)


def _write_schema(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in _SCHEMA:
        connection.execute(statement)


@contextlib.contextmanager
def explained(path: Path | None, *, write: bool = True) -> Iterator[None]:
    """Name the ledger that SQLite or the system complains of.

    Raises:
        LedgerError: something inside went wrong.
    """
    wanted = "expected a ledger to write to" if write else "expected a ledger to read"
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "") or ""
        if code.startswith("SQLITE_NOTADB"):
            raise LedgerError(f"expected a ledger, got another kind of file, or a damaged one: {path}") from None
        if code.startswith("SQLITE_CORRUPT") or not code:
            raise damaged(path, shorten(str(error), 100)) from None  # it may quote what is in the file
        raise LedgerError(f"{wanted}, got {error}: {path}") from None
    except UnicodeDecodeError:  # SQLite quotes what it complains of, whatever bytes these are
        raise damaged(path, "a text that is not UTF-8") from None
    except OSError as error:
        raise LedgerError(f"{wanted}, got {error.strerror or error}: {path}") from None


def damaged(path: Path | None, fault: str) -> LedgerError:
    return LedgerError(f"expected a whole ledger, got a damaged one ({fault}): {path}")


def digest(values: tuple[object, ...]) -> str:
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
