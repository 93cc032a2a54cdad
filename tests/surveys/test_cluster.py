"""Surveys on a Dask cluster: a real scheduler and real workers on this machine's loopback."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from amazons_solver import MissingToolError, OptionError, SurveyProgress, WorkerError, survey
from amazons_solver.surveys import chunks
from amazons_solver.surveys.plan import Question
from amazons_solver.surveys.running import runners, work
from support.command_line import PROGRAM, assert_refused, environment, program
from support.surveys import FORCED, decided, rows

pytestmark = pytest.mark.compiled

pytest.importorskip("distributed")

LIMITS = {"max_states": 5}


@contextlib.contextmanager
def dask(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of Dask's own command, and the address that it says it listens at."""
    with subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=environment(),
    ) as process:
        try:
            assert process.stderr is not None
            address = ""
            for line in process.stderr:
                found = re.search(r"(?:Scheduler at|Start worker at): +(tcp://\S+)", line)
                if found:
                    address = found[1]
                    break
            os.set_blocking(process.stderr.fileno(), False)
            yield process, address
        finally:
            process.kill()


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as (_, address):
        yield address


@contextlib.contextmanager
def worker(scheduler: str) -> Iterator[subprocess.Popen[str]]:
    with dask("worker", scheduler, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard") as (
        process,
        _,
    ):
        yield process


@pytest.mark.slow
def test_the_result_is_the_same_though_a_worker_is_killed(scheduler: str, tmp_path: Path) -> None:
    deals = range(6_000)
    expected = survey(deals, FORCED, ledger=tmp_path / "here.db", on="threads", chunk=20, **LIMITS)  # type: ignore[arg-type]
    with worker(scheduler) as first, worker(scheduler):
        found = survey(
            deals,
            FORCED,
            ledger=tmp_path / "there.db",
            on=scheduler,
            chunk=20,
            progress=kill_at_work(first),
            **LIMITS,  # type: ignore[arg-type]
        )
        assert first.wait(10) == -signal.SIGKILL
        assert found == expected
        assert rows(tmp_path / "here.db") == rows(tmp_path / "there.db")
        # One more on what is left, of another range.
        part = range(5_990, 6_050)
        assert survey(part, FORCED, on=scheduler) == survey(part, FORCED, on="threads")


@pytest.mark.slow
def test_workers_of_another_version_are_refused(scheduler: str) -> None:
    wrong = pytest.raises(WorkerError, match=r"expected workers with amazons-solver 9\.9, got 0\.")
    with worker(scheduler), runners.Cluster(scheduler) as cluster, wrong:
        cluster.prepare(Question(FORCED, version="9.9"))


@pytest.mark.slow
def test_the_command_on_a_cluster_that_dies_says_so_in_one_line(tmp_path: Path) -> None:
    options = ["--deals", "0:100000000", "--ledger", str(tmp_path / "odds.db"), "--rules", "patiencen"]
    with (
        dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as (process, address),
        worker(address),
        subprocess.Popen(
            [*PROGRAM, "survey", *options, "--dask", address, "--quiet"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        ) as command,
    ):
        while not (tmp_path / "odds.db").exists() or not decided(tmp_path / "odds.db"):
            time.sleep(0.2)
        process.kill()
        out, err = command.communicate(timeout=90)
    assert (command.returncode, out) == (2, b"")
    assert err.startswith(b"error: expected workers that can be reached, got none any more")
    assert err.count(b"\n") == 1


@pytest.mark.slow
def test_workers_that_come_later_are_checked_too(scheduler: str) -> None:
    """Those that were not there when the others were asked for their version say theirs with the first chunk."""
    wrong = pytest.raises(WorkerError, match=r"expected workers with amazons-solver 9\.9, got 0\.")
    with runners.Cluster(scheduler) as cluster, worker(scheduler), wrong:
        list(work.in_workers(cluster, chunks.decide_chunk, iter([(Question(FORCED, version="9.9"), 0, 10)])))


def kill_at_work(process: subprocess.Popen[str]) -> Callable[[SurveyProgress], None]:
    """A progress callback that kills a process when deals have been decided."""

    def kill(counts: SurveyProgress) -> None:
        if counts.done:
            process.kill()

    return kill


@pytest.mark.slow
def test_a_scheduler_that_dies_loses_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "odds.db"
    with (
        dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as (process, address),
        worker(address),
    ):
        started = time.monotonic()
        with pytest.raises(WorkerError, match="expected workers that can be reached, got none any more"):
            survey(
                range(1_000_000),
                FORCED,
                ledger=ledger,
                on=address,
                chunk=50,
                progress=kill_at_work(process),
                **LIMITS,  # type: ignore[arg-type]
            )
    assert time.monotonic() - started < 60
    found = survey(range(3_000), FORCED, ledger=ledger, on="threads", chunk=50, **LIMITS)  # type: ignore[arg-type]
    assert found.decided_now < 3_000
    assert found == survey(range(3_000), FORCED, on="threads", **LIMITS)  # type: ignore[arg-type]


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "_CONNECT_SECONDS", 1)
    with pytest.raises(WorkerError, match=r"expected a Dask scheduler at tcp://127\.0\.0\.1:1, got none"):
        survey(range(10), FORCED, on="tcp://127.0.0.1:1")


def test_a_cluster_that_is_not_there_leaves_no_ledger_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "_CONNECT_SECONDS", 1)
    ledger = tmp_path / "odds.db"
    with pytest.raises(WorkerError, match="expected a Dask scheduler"):
        survey(range(10), FORCED, ledger=ledger, on="tcp://127.0.0.1:1")
    assert list(tmp_path.iterdir()) == []
    survey(range(10), FORCED, ledger=ledger, on="threads")
    before = rows(ledger)
    with pytest.raises(WorkerError, match="expected a Dask scheduler"):
        survey(range(10), FORCED.evolve(withhold="any"), ledger=ledger, add=True, on="tcp://127.0.0.1:1")
    assert rows(ledger) == before


@pytest.mark.slow
def test_a_cluster_that_needs_certificates_is_refused_in_one_line(tmp_path: Path) -> None:
    result = program("survey", "--deals", "0:9", "--ledger", tmp_path / "odds.db", "--dask", "tls://127.0.0.1:1")
    assert_refused(result, "expected a Dask scheduler at tls://127.0.0.1:1, got none: TLS expects")


@pytest.mark.parametrize("address", ["foo:bar", "tcp://host", "http://host:80", "host:", ":80", "xyz://host:80"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(OptionError, match="expected processes, threads, or an address such as tcp://host:8786, got "):
        survey(range(10), FORCED, on=address)


def test_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingToolError, match="expected Dask for a cluster: pip install distributed"):
        survey(range(10), FORCED, on="tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_cluster_has_its_own_workers() -> None:
    with pytest.raises(OptionError, match="expected no number of workers with a cluster"):
        survey(range(10), FORCED, on="tcp://127.0.0.1:1", workers=2)
