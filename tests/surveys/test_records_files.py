"""Records: a row a deal, in Parquet."""

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amazons_solver import Deal, LedgerError, MissingToolError, solve, survey
from amazons_solver.model.version import version
from amazons_solver.surveys.ledgers import records
from amazons_solver.surveys.ledgers.ledger import Ledger
from support.surveys import FORCED

pytestmark = pytest.mark.compiled

parquet = pytest.importorskip("pyarrow.parquet")

LIMITS = {"max_states": 5}


def write(file: Path, deals: range = range(500), ledger: Path | None = None, **options: object) -> None:
    survey(deals, FORCED, records=file, ledger=ledger, **{"on": "threads", "chunk": 30, **options})  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "odds.parquet"


class TestRows:
    def test_they_are_those_of_the_deals_in_order(self, file: Path) -> None:
        write(file, range(75, 500))
        found = parquet.read_table(file).to_pylist()
        assert [row["number"] for row in found] == list(range(75, 500))
        for row in found:
            solution = solve(Deal.numbered(row["number"], FORCED), FORCED, engine="kernel")
            assert row == {
                "number": row["number"],
                "verdict": solution.verdict.value,
                "states": solution.stats.states,
                "redeals": solution.redeals,
                "solver_version": version(),
            }

    def test_what_the_file_says_of_itself(self, file: Path) -> None:
        write(file)
        metadata = parquet.read_schema(file).metadata
        assert json.loads(metadata[b"rules"]) == FORCED.to_dict()
        assert metadata[b"unit of states"] == b"boundary states"

    def test_undecided_deals_have_no_redeals(self, file: Path) -> None:
        write(file, **LIMITS)
        found = [row for row in parquet.read_table(file).to_pylist() if row["verdict"] == "undecided"]
        expected = survey(range(500), FORCED, on="threads", **LIMITS)  # type: ignore[arg-type]
        assert tuple(row["number"] for row in found) == expected.undecided_deals
        assert all(row["redeals"] is None for row in found)

    @pytest.mark.slow
    @pytest.mark.parametrize("group", [1, 64, 100, 499, 500, 501])
    def test_row_groups(self, group: int, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(file)
        whole = parquet.read_table(file)
        monkeypatch.setattr(records, "_GROUP", group)
        write(file)
        metadata = parquet.read_metadata(file)
        sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
        assert sizes == [group] * (500 // group) + ([500 % group] if 500 % group else [])
        assert parquet.read_table(file).equals(whole)

    @pytest.mark.slow
    def test_the_bytes_do_not_depend_on_chunks_workers_or_interruptions(self, file: Path, tmp_path: Path) -> None:
        write(file)
        other = tmp_path / "other.parquet"
        for parts, options in (
            ([range(500)], {"chunk": 7, "workers": 1}),
            ([range(200, 300), range(250, 500), range(500)], {"chunk": 64}),
            ([range(500)], {"on": "processes", "workers": 2}),
        ):
            ledger = tmp_path / f"{options}.db"
            for part in parts:
                write(other, part, ledger, **options)
            assert other.read_bytes() == file.read_bytes()

    def test_a_part_of_the_ledger(self, tmp_path: Path, file: Path) -> None:
        write(file, ledger=tmp_path / "odds.db")
        write(file, range(45, 101), tmp_path / "odds.db")
        assert parquet.read_table(file)["number"].to_pylist() == list(range(45, 101))

    def test_retried_deals(self, tmp_path: Path, file: Path) -> None:
        whole = tmp_path / "whole.parquet"
        write(whole)
        write(file, ledger=tmp_path / "odds.db", **LIMITS)
        write(file, ledger=tmp_path / "odds.db", retry_undecided=True)
        assert parquet.read_table(file).equals(parquet.read_table(whole))


class TestPlaces:
    @pytest.mark.parametrize("options", [LIMITS, {"retry_undecided": True}])
    def test_a_pipe_is_written_to(self, options: dict[str, Any], tmp_path: Path, file: Path) -> None:
        write(file, ledger=tmp_path / "odds.db", **LIMITS)
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        write(pipe, ledger=tmp_path / "odds.db", **options)
        content = os.read(reader, 65_536)  # what a pipe holds
        os.close(reader)
        write(file, ledger=tmp_path / "odds.db", **LIMITS)
        assert content == file.read_bytes()
        assert pipe.is_fifo()

    def test_a_link_stays_one_and_leads_to_the_new_file(self, tmp_path: Path, file: Path) -> None:
        write(file, range(30))
        (tmp_path / "far").mkdir()
        (tmp_path / "far" / "link.parquet").symlink_to(file)
        write(tmp_path / "far" / "link.parquet", range(40))
        assert parquet.read_metadata(file).num_rows == 40
        assert (tmp_path / "far" / "link.parquet").is_symlink()

    def test_a_link_to_another_file_system(self, small_disk: Callable[[str], Path], tmp_path: Path) -> None:
        far = small_disk("size=5m") / "odds.parquet"
        (tmp_path / "link.parquet").symlink_to(far)
        write(tmp_path / "link.parquet", range(40))
        assert parquet.read_metadata(far).num_rows == 40


class TestTogether:
    def test_two_of_the_same_command(self, tmp_path: Path, file: Path) -> None:
        write(file, ledger=tmp_path / "odds.db")
        expected = file.read_bytes()
        with Ledger.open(tmp_path / "odds.db") as book, contextlib.ExitStack() as files:
            writers = [
                files.enter_context(records.RecordsFile.open(file, book, book.entries()[0], range(500)))
                for _ in range(3)
            ]
            for writer in writers:
                writer.catch_up()
            for writer in writers[:2]:
                file.unlink()
                writer.finish()
                assert file.read_bytes() == expected
        assert {path.name for path in tmp_path.iterdir()} == {"odds.parquet", "odds.db"}


class TestRefused:
    def test_retries_of_a_range_with_a_gap(self, tmp_path: Path, file: Path) -> None:
        ledger = tmp_path / "odds.db"
        for deals in (range(100), range(200, 300)):
            write(file, deals, ledger, **LIMITS)
        old, undecided = file.read_bytes(), survey(range(100), FORCED, ledger=ledger, on="threads", **LIMITS).undecided  # type: ignore[arg-type]
        with pytest.raises(LedgerError, match=r"with all deals of the range for records, got none of deal 100: .*odds"):
            write(file, range(300), ledger, retry_undecided=True)
        assert file.read_bytes() == old
        assert survey(range(100), FORCED, ledger=ledger, on="threads", **LIMITS).undecided == undecided > 0  # type: ignore[arg-type]
        write(file, range(200, 300), ledger, retry_undecided=True)
        assert parquet.read_metadata(file).num_rows == 100

    def test_a_ledger_without_records(self, tmp_path: Path, file: Path) -> None:
        ledger = tmp_path / "odds.db"
        survey(range(100), FORCED, ledger=ledger, on="threads", chunk=30)
        with pytest.raises(LedgerError, match="the records of all deals, got 100 deals decided without"):
            write(file, ledger=ledger)
        write(file, range(120, 200), ledger)
        assert parquet.read_metadata(file).num_rows == 80
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []

    def test_a_file_that_cannot_be_written(self, tmp_path: Path) -> None:
        ledger = tmp_path / "odds.db"
        for file in (tmp_path / "nowhere" / "odds.parquet", tmp_path):
            with pytest.raises(LedgerError, match="expected a file to write records to, got "):
                write(file, ledger=ledger)
        # The ledger was begun, and goes on.
        write(tmp_path / "odds.parquet", ledger=ledger)

    def test_no_pyarrow(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(MissingToolError, match="pip install pyarrow"):
            write(file, ledger=file.with_name("odds.db"))
        assert not file.with_name("odds.db").exists()

    def test_an_old_file_stays_until_the_new_one_is_whole(self, tmp_path: Path, file: Path) -> None:
        write(file)
        old = file.read_bytes()

        def fail(_: object) -> None:
            raise KeyboardInterrupt

        ledger = tmp_path / "odds.db"
        write(file, range(20_000), ledger, chunk=10, progress=fail)
        assert file.read_bytes() == old
        assert {path.name for path in tmp_path.iterdir()} == {"odds.parquet", "odds.db"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A small file system, where the machine lets us."""
    place = tmp_path / "small"
    place.mkdir()

    def mount(options: str) -> Path:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=False).returncode:
            pytest.skip("needs the right to mount a file system")
        return place

    yield mount
    subprocess.run(["umount", "-q", place], check=False)


def test_a_full_disk_loses_nothing(
    small_disk: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_GROUP", 1_000)
    ledger = tmp_path / "odds.db"
    full = small_disk("size=40k") / "odds.parquet"
    with pytest.raises(LedgerError, match=r"expected a file to write records to, got .*No space left.*odds\.parquet"):
        write(full, range(60_000), ledger, chunk=500)
    assert list(full.parent.iterdir()) == []
    before = survey(range(60_000), FORCED, on="threads")
    write(tmp_path / "odds.parquet", range(60_000), ledger, chunk=500)
    assert parquet.read_metadata(tmp_path / "odds.parquet").num_rows == 60_000
    assert survey(range(60_000), FORCED, ledger=ledger, on="threads") == before
