"""Surveys that are ended at any moment, by kill -9 or Ctrl-C, and workers that are."""

import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import psutil
import pytest

from amazons_solver import WorkerError, survey
from amazons_solver.surveys.chunks import Chunk, decide_chunk
from amazons_solver.surveys.plan import Question
from amazons_solver.surveys.running import runners, work
from support.surveys import FORCED, decided, rows, script

pytestmark = pytest.mark.compiled

SURVEY = """
import sys
from amazons_solver import Rules, survey
rules = Rules(suits='CD', ranks='A789', withhold='nothing', idle_passes=3)
path, on, deals, records = sys.argv[1:]
survey(range(int(deals)), rules, ledger=path, on=on, workers=2, chunk=20, max_states=5, records=records or None,
       progress=lambda counts: print(counts.done, flush=True))
"""
LIMITS = {"max_states": 5}


def at_work(process: subprocess.Popen[bytes]) -> None:
    """Wait until deals have been decided."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip().isdigit() and int(line) > 0:
            return


def ends_as_if_never_killed(ledger: Path, deals: int, chunk: int) -> None:
    """Let a killed survey finish, and compare it with one that ran through."""
    whole = ledger.with_name("whole.db")
    results = [
        survey(range(deals), FORCED, ledger=path, chunk=chunk, on="threads", **LIMITS) for path in (ledger, whole)
    ]
    assert 0 < results[0].decided_now < deals, "it was never killed at work"
    assert results[0] == results[1]
    assert rows(ledger) == rows(whole)


FORKS = """
import os, random, signal, sys, time
from amazons_solver import Rules, survey
rules = Rules(suits='CD', ranks='A789', withhold='nothing', idle_passes=3)
survey(range(1), rules, on='threads', max_states=5)  # all is loaded, so that the survey's own work is what is killed
path, kills, deals, chunk = sys.argv[1], *map(int, sys.argv[2:])
source = random.Random(7)
for _ in range(kills):
    child = os.fork()
    if not child:
        survey(range(deals), rules, ledger=path, on='threads', workers=2, chunk=chunk, max_states=5)
        os._exit(0)
    time.sleep(source.uniform(0, 0.12))
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), 'it came to its end: ask for more deals'
"""


class TestKilled:
    @pytest.mark.slow
    @pytest.mark.parametrize("kills", [20, pytest.param(100, marks=pytest.mark.heavy)])
    def test_at_any_moment(self, kills: int, tmp_path: Path) -> None:
        ledger, deals = tmp_path / "odds.db", 1_500 * kills
        with script(FORKS, ledger, kills, deals, 4) as process:
            _, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, b"")
        ends_as_if_never_killed(ledger, deals, 4)
        assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == [
            "odds.db",
            "whole.db",
        ]

    @pytest.mark.slow
    @pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.heavy)])
    def test_with_processes(self, kills: int, tmp_path: Path) -> None:
        source, ledger, deals = random.Random(kills), tmp_path / "odds.db", 30_000 * kills
        for kill in range(kills):
            with script(SURVEY, ledger, "processes", deals, "") as process:
                if kill % 2:
                    time.sleep(source.uniform(0, 3))  # while it is starting, perhaps
                else:
                    at_work(process)
                    time.sleep(source.uniform(0, 0.1))
                process.kill()
            assert process.returncode == -signal.SIGKILL, "it came to its end: ask for more deals"
        ends_as_if_never_killed(ledger, deals, 20)

    @pytest.mark.slow
    def test_with_records(self, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        ledger, options = tmp_path / "odds.db", {"chunk": 20, "on": "threads", **LIMITS}
        with script(SURVEY, ledger, "threads", 100_000, tmp_path / "killed.parquet") as process:
            at_work(process)
            process.kill()
        assert not (tmp_path / "killed.parquet").exists()
        for path, file in ((ledger, "killed.parquet"), (tmp_path / "whole.db", "whole.parquet")):
            survey(range(20_000), FORCED, ledger=path, records=tmp_path / file, **options)  # type: ignore[arg-type]
        assert (tmp_path / "killed.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()

    @pytest.mark.slow
    def test_the_workers_of_a_killed_survey_end(self, tmp_path: Path) -> None:
        with script(SURVEY, tmp_path / "odds.db", "processes", 10_000_000, "") as process:
            at_work(process)
            workers = psutil.Process(process.pid).children(recursive=True)
            process.kill()
        assert len(workers) >= 2
        assert psutil.wait_procs(workers, timeout=20)[1] == []


def die(*_: object) -> None:
    """What a worker does when the system runs out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def first_here() -> bool:
    """Whether no other worker of this test came here before."""
    try:
        Path(os.environ["KILLED"]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def die_of_the_result(*arguments: Any) -> Chunk:
    """Decide a chunk; but the first worker is killed when half of what it found is handed over."""

    def send_half(pipe: Any, data: bytes) -> None:
        os.write(pipe.fileno(), data[: len(data) // 2])
        die()

    if first_here():
        setattr(Connection, "_send", send_half)  # noqa: B010
    return decide_chunk(*arguments)


def die_at_the_start(*_: object) -> None:
    """Warm up; but every worker is killed at it."""
    if parent_process() is not None:
        die()


def die_once_at_the_start(*_: object) -> None:
    """Warm up; but the first worker is killed at it."""
    if parent_process() is not None and first_here():
        die()


@pytest.mark.timeout(120)
class TestWorkersThatDie:
    @pytest.mark.slow
    @pytest.mark.parametrize("kept", [False, True])
    def test_half_a_result_is_no_result(self, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        if kept:
            pytest.importorskip("pyarrow")
        monkeypatch.setenv("KILLED", str(tmp_path / "killed"))
        expected = survey(range(500), FORCED, on="threads", **LIMITS)  # type: ignore[arg-type]
        monkeypatch.setattr(work, "decide_chunk", die_of_the_result)
        options = {"chunk": 20, "records": tmp_path / "odds.parquet" if kept else None, **LIMITS}
        found = survey(range(500), FORCED, workers=2, **options)  # type: ignore[arg-type]
        assert (tmp_path / "killed").exists()
        assert found == expected

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
    def test_half_a_result_is_not_waited_for_at_the_end(
        self, kind: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("KILLED", str(tmp_path / "killed"))
        with pytest.raises(kind), runners.Processes(2) as runner:  # noqa: PT012
            runner.submit(die_of_the_result, Question(FORCED), 0, 10)
            workers = runner._processes()
            assert wait([worker.sentinel for worker in workers], 60)
            raise kind
        assert [worker.is_alive() for worker in workers] == [False] * len(workers)

    @pytest.mark.slow
    def test_workers_that_are_killed_at_the_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runners, "warm_up", die_at_the_start)
        with pytest.raises(WorkerError, match="got some that were killed again and again"):
            survey(range(100), FORCED, workers=2)

    @pytest.mark.slow
    def test_one_that_is_killed_at_the_start_is_replaced(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("KILLED", str(tmp_path / "killed"))
        monkeypatch.setattr(runners, "warm_up", die_once_at_the_start)
        assert survey(range(100), FORCED, workers=2).deals == 100
        assert (tmp_path / "killed").exists()

    @pytest.mark.slow
    def test_what_they_had_is_done_by_others(self, tmp_path: Path) -> None:
        ledger = tmp_path / "odds.db"
        with script(SURVEY, ledger, "processes", 30_000, "") as process:
            assert process.stdout is not None
            for killed, _line in enumerate(line for line in process.stdout if line.strip().isdigit()):
                if killed < 2:
                    # The resource tracker is a child, too; it is no worker.
                    workers = [
                        child
                        for child in psutil.Process(process.pid).children()
                        if "spawn_main" in " ".join(child.cmdline())
                    ]
                    workers[0].kill()
            assert killed >= 2
            assert process.wait(60) == 0
        options = {"chunk": 20, "on": "threads", **LIMITS}
        survey(range(30_000), FORCED, ledger=tmp_path / "whole.db", **options)  # type: ignore[arg-type]
        assert rows(ledger) == rows(tmp_path / "whole.db")

    @pytest.mark.slow
    def test_workers_that_die_of_the_work_are_reported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(work, "decide_chunk", die)
        with pytest.raises(WorkerError, match=r"got some that were killed again and again \(fewer workers, or"):
            survey(range(100), FORCED, ledger=tmp_path / "odds.db", workers=1)

    def test_too_little_memory_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def allocate(*_: object, **__: object) -> None:
            raise MemoryError

        monkeypatch.setattr(work, "decide_chunk", allocate)
        with pytest.raises(WorkerError, match="expected memory for the deals under way, got too little"):
            survey(range(100), FORCED, on="threads")

    def test_workers_that_cannot_start_are_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runners, "_live_with", os._exit)
        with pytest.raises(WorkerError, match="expected worker processes that start"):
            survey(range(100), FORCED, workers=1)

    @pytest.mark.slow
    def test_a_script_without_a_guard_is_told_so(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.py"
        path.write_text("from amazons_solver import survey\nsurvey(range(10), workers=1)\n")
        result = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
        assert result.returncode == 1
        assert 'its call under if __name__ == "__main__"' in result.stderr


class TestInterrupted:
    @pytest.mark.slow
    @pytest.mark.parametrize(("on", "terminal"), [("threads", False), ("processes", False), ("processes", True)])
    def test_it_ends_cleanly_and_goes_on_later(self, on: str, terminal: bool, tmp_path: Path) -> None:
        ledger = tmp_path / "odds.db"
        ending = SURVEY.replace("survey(range", "found = survey(range") + "\nprint(found.interrupted, found.deals)\n"
        # A terminal's Ctrl-C goes to all processes of the group.
        with script(ending, ledger, on, 100_000_000, "", start_new_session=True) as process:
            at_work(process)
            children = psutil.Process(process.pid).children(recursive=True)
            started = time.monotonic()
            os.killpg(process.pid, signal.SIGINT) if terminal else process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert time.monotonic() - started < 10
        assert (process.returncode, err) == (0, b"")
        words = out.split()
        assert words[-2] == b"True"
        assert int(words[-1]) == decided(ledger)
        assert psutil.wait_procs(children, timeout=10)[1] == []
        assert [path.name for path in tmp_path.iterdir()] == ["odds.db"]
