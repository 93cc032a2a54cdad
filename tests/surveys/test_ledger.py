"""The ledger: resumed, extended, shared, and refused when it is not what was asked for."""

import contextlib
import random
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from amazons_solver import LedgerError, OptionError, Rules, SurveyProgress, SurveyResult, survey
from amazons_solver.model.version import version
from amazons_solver.surveys.chunks import Chunk, decide_chunk
from amazons_solver.surveys.ledgers.ledger import Entry, Ledger
from amazons_solver.surveys.plan import Question
from support.surveys import FORCED, decided, rows

pytestmark = pytest.mark.compiled

DEALS = range(1_000)
MIXED = {"max_states": 5}
"""Limits under which some deals are won, some lost and some undecided."""


def run(ledger: Path | None, deals: range = DEALS, rules: Rules = FORCED, **options: object) -> SurveyResult:
    return survey(deals, rules, ledger=ledger, **{"on": "threads", "chunk": 64, **options})  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "odds.db"


class TestResuming:
    def test_what_is_there_is_not_decided_again(self, ledger: Path) -> None:
        first = run(ledger, **MIXED)
        before = rows(ledger)
        again = run(ledger, **MIXED)
        assert (first.decided_now, again.decided_now) == (1_000, 0)
        assert again == first == run(None, **MIXED)
        assert rows(ledger) == before
        assert min(first.won, first.lost, first.undecided) > 0

    def test_extending_decides_only_what_is_new(self, ledger: Path) -> None:
        assert run(ledger, range(100, 300)).decided_now == 200
        assert run(ledger, range(50, 310)).decided_now == 60
        assert run(ledger, range(500, 600)).decided_now == 100
        found = run(ledger)
        assert found.decided_now == 1_000 - 360
        assert found == run(None)

    @pytest.mark.slow
    @pytest.mark.parametrize("chunk", [1, 10, 63, 1_000])
    def test_another_size_of_chunks_makes_no_difference(self, chunk: int, ledger: Path) -> None:
        run(ledger, range(100, 300), **MIXED)
        assert run(ledger, chunk=chunk, **MIXED) == run(None, **MIXED)

    @pytest.mark.parametrize("part", [range(10), range(60, 70), range(100, 900), range(999, 1_000)])
    def test_a_part_is_counted_alone(self, part: range, ledger: Path) -> None:
        run(ledger, **MIXED)
        before = rows(ledger)
        assert run(ledger, part, **MIXED) == run(None, part, **MIXED)
        assert rows(ledger) == before

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_the_ledger_is_the_same_whatever_the_workers(self, workers: int, tmp_path: Path) -> None:
        run(tmp_path / "threads.db", workers=1, **MIXED)
        run(tmp_path / "others.db", workers=workers, on="processes" if workers == 3 else "threads", **MIXED)
        assert rows(tmp_path / "threads.db") == rows(tmp_path / "others.db")

    def test_several_rules_in_one_ledger(self, ledger: Path) -> None:
        others = FORCED.evolve(withhold="any")
        run(ledger)
        run(ledger, rules=others, add=True)
        assert run(ledger).decided_now == run(ledger, rules=others).decided_now == 0  # no need to ask again
        assert run(ledger, rules=others) == run(None, rules=others)
        with Ledger.open(ledger, write=False) as book:
            assert [entry.question for entry in book.entries()] == [Question(FORCED), Question(others)]

    def test_the_views(self, ledger: Path) -> None:
        found = run(ledger, **MIXED)
        with contextlib.closing(sqlite3.connect(ledger)) as connection:
            totals = connection.execute("SELECT survey, deals, won, lost, undecided FROM totals").fetchall()
            undecided = connection.execute("SELECT number FROM undecided ORDER BY number").fetchall()
            redeals = connection.execute("SELECT redeals, deals FROM redeals").fetchall()
        assert totals == [(1, 1_000, found.won, found.lost, found.undecided)]
        assert tuple(number for (number,) in undecided) == found.undecided_deals
        assert dict(redeals) == found.redeals

    def test_the_ledger_can_be_read_deal_by_deal(self, ledger: Path) -> None:
        found = run(ledger, **MIXED)
        with Ledger.open(ledger, write=False) as book:
            (entry,) = book.entries()
            verdicts = [book.verdict_of(entry, number, {}) for number in DEALS]
            assert book.verdict_of(entry, 1_000, {}) == "undecided"
            assert tuple(book.undecided(entry)) == found.undecided_deals
            for name in ("won", "lost"):
                assert list(book.numbers(entry, name)) == [n for n in DEALS if verdicts[n] == name]  # type: ignore[arg-type]
            assert list(book.undecided(entry, range(100, 200))) == [
                n for n in found.undecided_deals if n in range(100, 200)
            ]
        assert [verdicts.count(name) for name in ("won", "lost", "undecided")] == [
            found.won,
            found.lost,
            found.undecided,
        ]


class TestRetries:
    def test_undecided_deals_are_decided_with_larger_limits(self, ledger: Path) -> None:
        run(ledger, **MIXED)
        found = run(ledger, retry_undecided=True)
        full = run(None)
        assert found == full
        assert run(ledger, **MIXED) == full
        assert run(ledger, retry_undecided=True).decided_now == 0
        with contextlib.closing(sqlite3.connect(ledger)) as connection:
            totals = connection.execute("SELECT deals, won, lost, undecided FROM totals").fetchall()
            redeals = connection.execute("SELECT redeals, deals FROM redeals").fetchall()
        assert totals == [(1_000, full.won, full.lost, 0)]
        with Ledger.open(ledger, write=False) as book:
            (entry,) = book.entries()
            won, lost = (list(book.numbers(entry, name)) for name in ("won", "lost"))  # type: ignore[arg-type]
        assert sorted(won + lost) == list(DEALS)
        winnable = decide_chunk(Question(FORCED), 0, 1_000).winnable()
        assert won == [number for number in DEALS if winnable[number]]
        assert dict(redeals) == full.redeals

    @pytest.mark.slow
    def test_step_by_step(self, ledger: Path) -> None:
        undecided = [run(ledger, max_states=2).undecided]
        for states in (4, 4, 7, 1_000):
            found = run(ledger, retry_undecided=True, max_states=states)
            assert found.undecided == run(None, max_states=states).undecided
            undecided.append(found.undecided)
        assert undecided == sorted(undecided, reverse=True)
        assert undecided[1] == undecided[2]
        assert undecided[-1] == 0
        assert found == run(None)

    @pytest.mark.slow
    def test_what_was_tried_with_these_limits_is_not_tried_again(self, ledger: Path) -> None:
        run(ledger, max_states=2)
        assert run(ledger, retry_undecided=True, max_states=4).decided_now > 0
        assert run(ledger, retry_undecided=True, max_states=4).decided_now == 0
        assert run(ledger, retry_undecided=True, max_states=3).decided_now == 0

    @pytest.mark.slow
    def test_deals_that_are_not_tried_again_are_counted(self, ledger: Path) -> None:
        left = run(ledger, max_states=2).undecided
        found = run(ledger, retry_undecided=True, max_states=4)
        assert (found.decided_now, found.not_tried) == (left, 0)
        # One limit larger and one smaller is no larger: which of the two would decide more cannot be said.
        found = run(ledger, retry_undecided=True, max_states=4)
        assert (found.decided_now, found.not_tried) == (0, found.undecided)
        assert found.not_tried > 0
        found = run(ledger, retry_undecided=True, max_states=4, max_memory=2**32)
        assert (found.decided_now, found.not_tried) == (found.undecided, 0)
        found = run(ledger, retry_undecided=True, max_states=1_000)
        assert (found.decided_now, found.not_tried) == (0, found.undecided)

    def test_only_in_the_range_asked_for(self, ledger: Path) -> None:
        run(ledger, **MIXED)
        part = run(ledger, range(100), retry_undecided=True)
        assert part == run(None, range(100))
        whole = run(ledger, **MIXED)
        assert whole.undecided == run(None, **MIXED).undecided - run(None, range(100), **MIXED).undecided

    @pytest.mark.parametrize("limits", [{"max_states": 5}, {"max_states": 4}, {"max_states": 9, "max_memory": 2**20}])
    def test_limits_that_are_not_larger_are_refused(self, limits: dict[str, int], ledger: Path) -> None:
        run(ledger, **MIXED)
        with pytest.raises(
            OptionError, match="expected larger limits than the survey's 5 states and 2,147,483,648 bytes"
        ):
            run(ledger, retry_undecided=True, **limits)

    def test_a_ledger_that_is_not_there(self, ledger: Path) -> None:
        with pytest.raises(LedgerError, match="expected a ledger, got no file"):
            run(ledger, retry_undecided=True)
        assert not ledger.exists()

    def test_a_survey_that_is_not_there(self, ledger: Path) -> None:
        run(ledger)
        with pytest.raises(LedgerError, match="expected a survey of these rules to retry, got none"):
            run(ledger, rules=FORCED.evolve(withhold="any"), retry_undecided=True)


class TestRefused:
    def test_other_rules(self, ledger: Path) -> None:
        run(ledger)
        before = rows(ledger)
        with pytest.raises(LedgerError, match=r'of these rules, got one with withhold="nothing" .*odds\.db'):
            run(ledger, rules=FORCED.evolve(withhold="any"))
        assert rows(ledger) == before

    def test_other_limits(self, ledger: Path) -> None:
        run(ledger, **MIXED)
        with pytest.raises(
            LedgerError, match=r"limits of the ledger's survey, 5 states and .* bytes a deal, got any number of states"
        ):
            run(ledger)
        with pytest.raises(LedgerError, match="expected the limits of the ledger's survey, 5 states"):
            run(ledger, max_memory=10**9, **MIXED)

    @pytest.mark.parametrize("add", [False, True])
    def test_another_solver(self, add: bool, ledger: Path) -> None:
        with Ledger.open(ledger) as book:
            book.enter(Question(FORCED, version="0.0.9+older"))
        before = rows(ledger)
        expected = rf"of amazons-solver {re.escape(version())}, got one of 0\.0\.9\+older: .*odds\.db"
        for rules in (FORCED, FORCED.evolve(withhold="any")):
            with pytest.raises(LedgerError, match=expected):
                run(ledger, rules=rules, add=add)
        with pytest.raises(LedgerError, match=expected):
            run(ledger, retry_undecided=True)
        assert rows(ledger) == before

    def test_another_format(self, ledger: Path) -> None:
        run(ledger)
        with contextlib.closing(sqlite3.connect(ledger)) as connection:
            connection.execute("PRAGMA user_version = 2")
        with pytest.raises(LedgerError, match="expected a ledger of format 1, got format 2"):
            run(ledger)

    def test_another_sqlite_file(self, ledger: Path) -> None:
        with contextlib.closing(sqlite3.connect(ledger)) as connection:
            connection.execute("CREATE TABLE mine (x)")
        content = ledger.read_bytes()
        with pytest.raises(LedgerError, match="got another SQLite file"):
            run(ledger)
        assert ledger.read_bytes() == content

    @pytest.mark.parametrize("content", [b"", b"x", b"number,verdict\n" * 1_000, b"SQLite format 3\0" + bytes(5_000)])
    def test_no_ledger_at_all_is_left_as_it_is(self, content: bytes, ledger: Path) -> None:
        ledger.write_bytes(content)
        with pytest.raises(LedgerError, match=r"expected a ledger|expected a whole ledger"):
            run(ledger)
        assert ledger.read_bytes() == content

    def test_a_directory(self, tmp_path: Path) -> None:
        with pytest.raises(LedgerError, match="expected a ledger, got no file"):
            run(tmp_path)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(LedgerError, match=r"expected a folder for the ledger, got none: .*nowhere$"):
            run(tmp_path / "nowhere" / "odds.db")

    def test_no_name(self) -> None:
        with pytest.raises(LedgerError, match="expected the name of a ledger, got none"):
            run(Path())

    def test_what_cannot_be_read_was_not_to_be_written_to(self, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        run(ledger)

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(LedgerError, match="expected a ledger to read, got Permission denied"):
            Ledger.open(ledger, write=False)


class TestDamage:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE chunks SET won = won + 1 WHERE first = 64",
            "UPDATE chunks SET wins = zeroblob(8) WHERE first = 64",
            "UPDATE chunks SET first = 100000 WHERE first = 64",
            "UPDATE chunks SET survey = 2 WHERE first = 64",
            "UPDATE chunks SET redeals = '{' WHERE first = 64",
            "UPDATE chunks SET digest = 'x' WHERE first = 64",
            "UPDATE surveys SET rules = '{}'",
            "UPDATE surveys SET max_states = 7",
            "UPDATE retries SET verdict = 'won' WHERE verdict = 'lost'",
            "DROP TABLE retries",
            "DROP VIEW totals",
            "CREATE TABLE more (x)",
        ],
    )
    def test_a_change_is_reported(self, statement: str, ledger: Path) -> None:
        run(ledger, **MIXED)
        run(ledger, retry_undecided=True)
        with contextlib.closing(sqlite3.connect(ledger)) as connection:
            connection.execute(statement)
            connection.commit()
        content = ledger.read_bytes()
        for retry in (False, True):
            with pytest.raises(LedgerError, match="expected a whole ledger, got a damaged one"):
                run(ledger, retry_undecided=retry, **({} if retry else MIXED))
        assert ledger.read_bytes() == content

    @pytest.mark.slow
    def test_a_flipped_byte_is_reported_or_of_no_consequence(self, ledger: Path) -> None:
        expected = run(ledger, **MIXED)
        whole = ledger.read_bytes()
        source = random.Random(4)
        reported = 0
        for _ in range(150):
            data = bytearray(whole)
            data[source.randrange(len(data))] ^= 1 << source.randrange(8)
            ledger.write_bytes(data)
            for beside in ledger.parent.glob("odds.db-*"):
                beside.unlink()
            try:
                assert run(ledger, **MIXED) == expected
            except LedgerError:
                reported += 1
        assert reported > 20

    @pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
    def test_a_file_cut_short_is_reported(self, share: float, ledger: Path) -> None:
        run(ledger)
        data = ledger.read_bytes()
        ledger.write_bytes(data[: int(share * len(data))])
        with pytest.raises(LedgerError, match="damaged"):
            run(ledger)


class TestTogether:
    @pytest.mark.slow
    @pytest.mark.parametrize("ranges", [(DEALS, DEALS), (range(777), range(300, 1_000)), (range(90), DEALS)])
    def test_two_surveys_at_once(
        self, ranges: tuple[range, range], ledger: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found: dict[int, SurveyResult] = {}
        add, both, here, written = Ledger.add, threading.Barrier(2), threading.local(), []

        def add_together(book: Ledger, entry: Entry, chunk: Chunk) -> bool:
            if book.path is not None and not hasattr(here, "begun"):
                here.begun = True
                both.wait(60)  # neither has written anything yet, and both have something to write
            written.append(add(book, entry, chunk))
            return written[-1]

        monkeypatch.setattr(Ledger, "add", add_together)

        def work(number: int) -> None:
            found[number] = run(ledger, ranges[number], chunk=(8, 7)[number], **MIXED)

        threads = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        monkeypatch.undo()
        assert False in written or ranges[0].start != ranges[1].start  # one of the first chunks came too late
        for number in (0, 1):
            assert found[number] == run(None, ranges[number], **MIXED)
        assert found[0].decided_now + found[1].decided_now == len({*ranges[0], *ranges[1]})
        assert run(ledger, **MIXED) == run(None, **MIXED)
        with Ledger.open(ledger, write=False) as book:
            deals = [number for part in book.done(book.entries()[0]) for number in part]
        assert deals == list(DEALS)

    @pytest.mark.slow
    def test_many_processes_begin_one_ledger(self, ledger: Path) -> None:
        code = (
            "import sys; from amazons_solver import Rules, survey\n"
            "survey(range(300), Rules(suits='CD', ranks='A789', withhold='nothing', idle_passes=3),"
            " ledger=sys.argv[1], on='threads', chunk=10)"
        )
        processes = [subprocess.Popen([sys.executable, "-c", code, ledger]) for _ in range(3)]
        assert [process.wait(120) for process in processes] == [0] * 3
        assert run(ledger, range(300)).decided_now == 0
        assert run(ledger, range(300)) == run(None, range(300))
        assert [path.name for path in ledger.parent.iterdir()] == ["odds.db"]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts a small file system, where the machine lets us."""
    places: list[Path] = []

    def mount(options: str, place: Path | None = None) -> Path:
        place = place or tmp_path / "small"
        place.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        if options.startswith("remount"):
            command = ["mount", "-o", options, str(place)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("needs the right to mount a file system")
        if place not in places:
            places.append(place)
        return place

    yield mount
    for place in places:
        subprocess.run(["umount", str(place)], check=True)


class TestBesideTheFile:
    def test_the_file_itself_has_all_but_the_last_moments(
        self, ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys.modules["amazons_solver.surveys.ledgers.ledger"], "_CHECKPOINT_SECONDS", 0.0)
        taken: list[tuple[int, int]] = []

        def take(counts: SurveyProgress) -> None:
            if counts.decided_now and (ledger.parent / "odds.db-wal").exists():
                copy = tmp_path / f"copy{len(taken)}.db"
                copy.write_bytes(ledger.read_bytes())  # as after the loss of the file beside it
                taken.append((counts.decided_now, decided(copy)))

        run(ledger, chunk=5, progress=take)
        assert taken
        assert all(told - 5 <= kept <= told for told, kept in taken)

    def test_what_a_killed_survey_leaves_beside_it_is_read(self, ledger: Path, tmp_path: Path) -> None:
        run(ledger, range(64), **MIXED)
        with contextlib.closing(sqlite3.connect(ledger)) as reader:
            reader.execute("SELECT count(*) FROM chunks").fetchall()  # so that closing leaves the file beside
            run(ledger, **MIXED)
            for name in ("odds.db", "odds.db-wal"):
                (tmp_path / "killed").mkdir(exist_ok=True)
                (tmp_path / "killed" / name).write_bytes((ledger.parent / name).read_bytes())
        killed = tmp_path / "killed" / "odds.db"
        assert decided(killed) == 1_000
        assert run(killed, **MIXED).decided_now == 0
        assert [path.name for path in killed.parent.iterdir()] == ["odds.db"]


class TestDisks:
    @pytest.mark.slow
    def test_a_full_disk_loses_nothing(self, mounted: Callable[..., Path]) -> None:
        disk = mounted("size=200k")
        ledger = disk / "odds.db"
        with pytest.raises(
            LedgerError, match=r"expected a ledger to write to, got database or disk is full: .*odds\.db"
        ):
            run(ledger, range(20_000), chunk=10)
        mounted("remount,size=50m", disk)
        found = run(ledger, range(20_000), chunk=10)
        assert 0 < found.decided_now < 20_000
        assert found == run(None, range(20_000))

    def test_a_read_only_disk(self, mounted: Callable[..., Path]) -> None:
        disk = mounted("size=10m")
        ledger = disk / "odds.db"
        found = run(ledger)
        mounted("remount,ro", disk)
        with pytest.raises(LedgerError, match="expected a ledger to write to, got "):
            run(ledger, range(2_000))
        with pytest.raises(LedgerError, match="expected a ledger to write to, got "):
            run(disk / "new.db")
        with Ledger.open(ledger, write=False) as book:
            tally, rest = book.tally(book.entries()[0])
        assert (tally.won, tally.lost, rest) == (found.won, found.lost, [])
