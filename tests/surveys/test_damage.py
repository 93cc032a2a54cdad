"""Ledgers that somebody changed, digests and all: one line, or the same answer, and little memory."""

import contextlib
import json
import resource
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amazons_solver import LedgerError, SurveyResult, survey
from amazons_solver.surveys.chunks import Chunk
from amazons_solver.surveys.ledgers.ledger import Ledger
from amazons_solver.surveys.ledgers.storage import CHUNK_COLUMNS, RETRY_COLUMNS, SURVEY_COLUMNS, digest
from amazons_solver.surveys.plan import MOST_DEALS, MOST_IN_CHUNK, Question
from amazons_solver.surveys.reports.report import Row, rows_of
from support.surveys import FORCED

pytestmark = pytest.mark.compiled

DEALS = range(300)
LIMITS = {"max_states": 5}
COLUMNS = {
    "surveys": SURVEY_COLUMNS,
    "chunks": f"survey, {CHUNK_COLUMNS}",
    "retries": f"survey, {RETRY_COLUMNS}",
}


def run(ledger: Path, **options: Any) -> SurveyResult:
    return survey(DEALS, FORCED, ledger=ledger, **{"on": "threads", "workers": 1, "chunk": 64, **options})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger with two surveys, undecided deals, retries and records."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("whole")
    ledger = folder / "odds.db"
    run(ledger, records=folder / "odds.parquet", **LIMITS)
    run(ledger, retry_undecided=True, max_states=7)
    survey(range(20), FORCED.evolve(withhold="any"), ledger=ledger, add=True, on="threads")
    return ledger.read_bytes()


@pytest.fixture(scope="module")
def expected(whole: bytes, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ...]:
    """What it answers."""
    ledger = tmp_path_factory.mktemp("expected") / "odds.db"
    ledger.write_bytes(whole)
    return counts(answers(ledger))


@pytest.fixture
def ledger(whole: bytes, tmp_path: Path) -> Path:
    (tmp_path / "odds.db").write_bytes(whole)
    return tmp_path / "odds.db"


def change(ledger: Path, statement: str, *values: object) -> None:
    """Change rows, and give every row the digest of what it now says."""
    with contextlib.closing(sqlite3.connect(ledger)) as connection:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        connection.execute(statement, values)
        for table, columns in COLUMNS.items():
            for row, *found in connection.execute(f"SELECT rowid, {columns} FROM {table}").fetchall():  # noqa: S608
                told = (digest(tuple(found)), row)
                connection.execute(f"UPDATE {table} SET digest = ? WHERE rowid = ?", told)  # noqa: S608
        connection.commit()


@contextlib.contextmanager
def little_memory(mebi: int = 1024) -> Iterator[None]:
    """Let this process have so much more than it has."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + mebi * 2**20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def answers(ledger: Path) -> tuple[list[Row], SurveyResult]:
    """All that a ledger with all deals is asked."""
    reported = rows_of([ledger])
    return reported, run(ledger, records=ledger.with_name("odds.parquet"), **LIMITS)


def counts(found: tuple[list[Row], SurveyResult]) -> tuple[Any, ...]:
    """The same but for times, which no digest covers."""
    reported, result = found
    return (*((row.entry, row.ranges, attrs.evolve(row.counts, seconds=0.0)) for row in reported), result)


SENSELESS = {
    "more won than dealt": "UPDATE chunks SET won = count + 1 WHERE first = 64",
    "won and lost exchanged": "UPDATE chunks SET won = lost, lost = won WHERE first = 64 AND survey = 1",
    "won, by one more": "UPDATE chunks SET won = won + 1, lost = lost - 1 WHERE first = 64",
    "fewer than none": "UPDATE chunks SET won = -1 WHERE first = 64",
    "a fraction": "UPDATE chunks SET lost = lost + 0.5 WHERE first = 64",
    "a count without end": "UPDATE chunks SET count = 9223372036854775807 WHERE first = 256",
    "4 GB of bits": "UPDATE chunks SET count = 4294967296, lost = lost + 4294967232 WHERE first = 256",
    "overlapping chunks": "UPDATE chunks SET first = 60 WHERE first = 64",
    "a chunk before the first deal": "UPDATE chunks SET first = -64 WHERE first = 0",
    "a chunk behind the last deal": "UPDATE chunks SET first = 9223372036854775800 WHERE first = 256",
    "a chunk of no survey": "UPDATE chunks SET survey = 3 WHERE survey = 2",
    "text for a number": "UPDATE chunks SET first = 'x' WHERE first = 64",
    "bits cut short": "UPDATE chunks SET wins = substr(wins, 1, 7) WHERE first = 64",
    "no bits": "UPDATE chunks SET wins = zeroblob(8) WHERE first = 64",
    "text for bits": "UPDATE chunks SET wins = 'abcdefgh' WHERE first = 64",
    "too many bits": "UPDATE chunks SET wins = zeroblob(100000000) WHERE first = 64",
    "text that is not UTF-8": "UPDATE chunks SET states = CAST(x'7bff7d' AS TEXT) WHERE first = 64",
    "no JSON": "UPDATE chunks SET undecided = '[' WHERE first = 64",
    "nested JSON": "UPDATE chunks SET undecided = replace(hex(zeroblob(1000)), '0', '[') WHERE first = 64",
    "a long number": "UPDATE chunks SET hardest = replace(hardest, ',', '99999999999999999999,') WHERE first = 64",
    "JSON of another kind": "UPDATE chunks SET undecided = '{\"0\": 1}' WHERE first = 64",
    "deals given up that are not of the chunk": "UPDATE chunks SET undecided = replace(undecided, '[', '[9')",
    "fewer given up": "UPDATE chunks SET undecided = '[]' WHERE first = 64",
    "a histogram of other deals": "UPDATE chunks SET states = '{\"1\": 1000}' WHERE first = 64",
    "fewer than none in a histogram": "UPDATE chunks SET redeals = '{\"1\": -1}' WHERE first = 64",
    "a histogram of booleans": "UPDATE chunks SET states = '{\"1\": true}' WHERE first = 64",
    "redeals that are no numbers": "UPDATE chunks SET redeals = replace(redeals, '\"', '\"-')",
    "hardest deals of other chunks": "UPDATE chunks SET hardest = replace(hardest, '[', '[9') WHERE first = 64",
    "a total without end": "UPDATE chunks SET states_total = 9223372036854775807 WHERE first = 64",
    "time that runs back": "UPDATE chunks SET seconds = -1 WHERE first = 64",
    "endless time": "UPDATE chunks SET seconds = 9e999 WHERE first = 64",
    "text for time": "UPDATE chunks SET seconds = 'x' WHERE first = 64",
    "a deal tried again that was not given up": "UPDATE retries SET number = 100000 WHERE number = (SELECT max(number) "
    "FROM retries)",
    "a retry of no survey": "UPDATE retries SET survey = 7",
    "a verdict of another kind": "UPDATE retries SET verdict = 'perhaps'",
    "a win without redeals": "UPDATE retries SET redeals = NULL WHERE verdict = 'won'",
    "redeals of a lost deal": "UPDATE retries SET redeals = 1 WHERE verdict = 'lost'",
    "states of a retry": "UPDATE retries SET states = -5",
    "a limit of none": "UPDATE surveys SET max_states = 0 WHERE id = 1",
    "a limit below none": "UPDATE surveys SET max_memory = -1 WHERE id = 1",
    "text for a limit": "UPDATE surveys SET max_memory = 'x' WHERE id = 1",
    "no rules": "UPDATE surveys SET rules = '[]' WHERE id = 1",
    "bytes for rules": "UPDATE surveys SET rules = x'00ff' WHERE id = 1",
    "long rules": "UPDATE surveys SET rules = replace(hex(zeroblob(50000)), '0', '[') WHERE id = 1",
    "a player with control characters": "UPDATE surveys SET player = char(27) || '[2J' WHERE id = 1",
    "bytes for a version": "UPDATE surveys SET version = x'00' WHERE id = 1",
    "the same rules twice": "UPDATE surveys SET rules = (SELECT rules || ' ' FROM surveys WHERE id = 1) WHERE id = 2",
    "surveys that are not numbered": "UPDATE surveys SET id = 9 WHERE id = 2",
}


class TestSenselessRows:
    @pytest.mark.slow
    @pytest.mark.parametrize("statement", SENSELESS.values(), ids=SENSELESS)
    def test_they_are_told_in_one_line(self, statement: str, ledger: Path) -> None:
        change(ledger, statement)
        for ask in (lambda: rows_of([ledger]), lambda: run(ledger, **LIMITS)):
            with little_memory(), pytest.raises(LedgerError, match=r"expected a (whole )?ledger") as told:
                ask()
            assert len(str(told.value).splitlines()) == 1
            assert len(str(told.value)) < 300 + len(str(ledger))

    def test_the_whole_ledger_is_read(self, ledger: Path) -> None:
        change(ledger, "UPDATE chunks SET seconds = seconds")
        with little_memory():
            reported, result = answers(ledger)
        assert [row.counts.deals for row in reported] == [300, 20]
        assert min(result.won, result.lost, result.undecided) > 0

    @pytest.mark.parametrize(
        "records",
        [
            b"",
            b"no zlib",
            zlib.compress(bytes(12 * 64)),
            zlib.compress(bytes(12 * 64 - 1)),
            zlib.compress(bytes(2**28), 9),
        ],
        ids=["none", "no zlib", "zeros", "too short", "a bomb"],
    )
    def test_records_that_are_not_those_of_the_chunk(self, records: bytes, ledger: Path) -> None:
        change(ledger, "UPDATE chunks SET records = ? WHERE first = 64", records)
        with little_memory(128), pytest.raises(LedgerError, match="the records of the chunk of deal 64 make no sense"):
            run(ledger, records=ledger.with_name("odds.parquet"), **LIMITS)
        assert not ledger.with_name("odds.parquet").exists()


class TestAnyDamage:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_a_changed_file(self, data: st.DataObject, whole: bytes, expected: tuple[Any, ...], tmp_path: Path) -> None:
        ledger, content = tmp_path / "odds.db", bytearray(whole)
        for place in data.draw(st.lists(st.integers(0, len(whole) - 1) | st.integers(0, 4_095), min_size=1)):
            content[place] = data.draw(st.integers(0, 255))
        ledger.write_bytes(content)
        for beside in tmp_path.glob("odds.db-*"):
            beside.unlink()
        with contextlib.suppress(LedgerError):
            assert counts(answers(ledger)) == expected

    @pytest.mark.slow
    @settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_any_value_in_a_column(self, data: st.DataObject, whole: bytes, tmp_path: Path) -> None:
        """Sense is all that can be asked: the answer is one of deals that could have been so."""
        ledger = tmp_path / "odds.db"
        ledger.write_bytes(whole)
        table = data.draw(st.sampled_from(sorted(COLUMNS)))
        column = data.draw(st.sampled_from(COLUMNS[table].split(", ")))
        numbers = st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 70)
        pairs = st.lists(st.lists(numbers, max_size=3), max_size=3) | st.dictionaries(st.text(max_size=3), numbers)
        value = data.draw(numbers | st.floats(allow_nan=False) | st.text() | st.binary() | pairs.map(json.dumps))
        rowid = data.draw(st.integers(1, 6))
        try:
            change(ledger, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, rowid)  # noqa: S608
        except (sqlite3.IntegrityError, UnicodeEncodeError):
            return
        with contextlib.suppress(LedgerError):
            reported, result = answers(ledger)
            for found in (*(row.counts for row in reported), result):
                assert min(found.won, found.lost, found.undecided) >= 0
            assert result.deals == 300


def test_a_schema_text_with_a_byte_beyond_ascii(ledger: Path, whole: bytes) -> None:
    for text in (b"CREATE TABLE chunks", b"json_extract", b"UNIQUE (rules", b"CREATE VIEW"):
        place = whole.index(text) + len(text) // 2
        ledger.write_bytes(whole[:place] + b"\xe9" + whole[place + 1 :])
        with pytest.raises(LedgerError, match="damaged"):
            rows_of([ledger])


@pytest.mark.slow
def test_the_largest_row_that_can_be_asked_for(tmp_path: Path) -> None:
    first = MOST_DEALS - MOST_IN_CHUNK
    chunk = Chunk(
        first=first,
        count=MOST_IN_CHUNK,
        won=0,
        lost=0,
        undecided=tuple((number, 2**63 - 1) for number in range(first, MOST_DEALS)),
        wins=bytes(MOST_IN_CHUNK // 8),
        states_total=0,
        states={},
        redeals={},
        hardest=(),
        seconds=1.0,
        records=bytes(12 * MOST_IN_CHUNK),
    )
    with Ledger.open(tmp_path / "odds.db") as book:
        assert book.add(book.enter(Question(FORCED)), chunk)
    with Ledger.open(tmp_path / "odds.db", write=False) as book:
        assert list(book.chunks(book.entries()[0])) == [chunk]
