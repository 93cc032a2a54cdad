"""Ctrl-C and SIGTERM for every command, at any moment, once and twice: it ends soon, and leaves nothing behind."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from amazons_solver import Deal, Rules, Solution, State, solve_state
from amazons_solver.cli.app import app
from support.command_line import PROGRAM, environment, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

SLOW = [
    *("--set", "ranks=A234567", "--set", "base_placement=above"),
    *("--set", "withhold=any", "--set", "max_redeals=10"),
]
DEAL = ["--number", "781327", *SLOW]
COMMANDS = {
    "solve": ["solve", *DEAL],
    "solve by the kernel": ["solve", *DEAL, "--engine", "kernel", "--certificate", "proof.json.gz"],
    "hint": ["hint", *DEAL],
    "annotate": ["annotate", "d d", *DEAL],
    "explore": ["explore", *DEAL, "-o", "page.html"],
    "explore served": ["explore", *DEAL, "--serve"],
    "graph": ["graph", *DEAL, "-o", "graph.graphml"],
    "show": ["show", *DEAL, "--win"],
    "deal": ["deal", *DEAL, "--winnable", "--count", "100"],
    "deal by difficulty": ["deal", *DEAL, "--difficulty", "hard"],
    "strategy": ["strategy", "greedy", "--number", "0", "--count", "100000000"],
    "survey": ["survey", *SLOW, "--deals", "781327:791327", "--ledger", "odds.db", "--records", "odds.parquet"],
    "survey in threads": ["survey", *SLOW, "--deals", "781327:791327", "--ledger", "odds.db", "--threads"],
    "warm-up": ["warm-up"],
}
QUICK = {"report", "rules", "verify"}
"""Commands that do nothing long."""
PYSOLFC = Rules.preset("pysolfc")
SECONDS = 1.0
PATIENCE = float(os.environ.get("AMAZONS_SOLVER_TEST_PATIENCE", "8"))
"""How many times as long it may take on this machine, which is at work on other tests."""


def interrupt(words: list[str], folder: Path, after: float, signals: list[int], cache: Path | None = None) -> None:
    """Start a command, and assert that it ends as it should."""
    files = set(folder.iterdir())
    changes = {} if cache is None else {"XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": str(cache)}
    with subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(changes),
        start_new_session=True,
    ) as process:
        try:
            time.sleep(after)
            if process.poll() is not None:
                pytest.skip("it has answered before")
            children = psutil.Process(process.pid).children(recursive=True)
            started = time.monotonic()
            for number in signals:
                process.send_signal(number)
                time.sleep(0.05)
            _, err = process.communicate(timeout=60)
            took = time.monotonic() - started
        finally:
            process.kill()
    case = (words, after, signals, process.returncode, err.decode())
    ends = {code for number in signals for code in (-number, 128 + number)}
    assert process.returncode in ends or (b"Traceback" in err and after < 0.1), case  # Python is not yet there
    assert b"amazons_solver" not in err, case  # no traceback that has anything of ours
    assert took < SECONDS * PATIENCE, (took, case)
    assert psutil.wait_procs(children, timeout=5 * PATIENCE)[1] == [], case
    left = {path.name for path in set(folder.iterdir()) - files}
    assert not [name for name in left if name.startswith(".")], (left, case)


def test_every_command_is_here() -> None:
    assert {words[0] for words in COMMANDS.values()} | QUICK | {"play"} == {
        command.name for command in app.registered_commands
    }


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_at_work(name: str, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    interrupt(
        COMMANDS[name], tmp_path / "work", 1.2, [signal.SIGINT], tmp_path / "cache" if name == "warm-up" else None
    )


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.03, 0.1, 0.15, 0.25])
def test_while_it_is_loaded(after: float, tmp_path: Path) -> None:
    interrupt(COMMANDS["solve"], tmp_path, after, [signal.SIGINT])


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM]])
def test_while_the_kernel_is_compiled(signals: list[int], tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    interrupt(COMMANDS["solve by the kernel"], tmp_path / "work", 3.0, signals, tmp_path / "cache")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["graph", "survey"])
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_other_signals_and_two(name: str, signals: list[int], tmp_path: Path) -> None:
    interrupt(COMMANDS[name], tmp_path, 1.5, signals)


class TestWhatWasFound:
    """It is told: verdicts known before Ctrl-C stay, and the rest is unknown."""

    DEAL = ("--pysolfc", "24680", "--rules", "pysolfc")

    @pytest.fixture(autouse=True)
    def interrupt_second_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = itertools.count(1)

        def interrupted(*arguments: Any, **options: Any) -> Solution:
            if next(calls) == 2:
                raise KeyboardInterrupt
            return solve_state(*arguments, **options)

        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", interrupted)

    @staticmethod
    def ended(*arguments: str | Path) -> str:
        result = run(*arguments)
        assert (result.exit_code, result.stderr) == (130, "error: interrupted\n")
        return result.stdout

    @pytest.mark.slow
    def test_hint(self) -> None:
        answer = json.loads(self.ended("hint", *self.DEAL, "d d", "--json"))
        assert answer["verdict"] == "winnable"
        assert {move["keeps_win"] for move in answer["moves"]} == {True, None}
        assert State.initial(Deal.pysolfc("24680"), PYSOLFC).play_line("d d " + answer["moves"][0]["line"]).is_won

    def test_annotate(self) -> None:
        answer = json.loads(self.ended("annotate", *self.DEAL, "d d d d", "--json"))
        marks = [move["mark"] for move in answer["moves"]]
        assert marks == ["kept", "kept", "unknown", "unknown"]
        assert State.initial(Deal.pysolfc("24680"), PYSOLFC).play_line("d d " + answer["winning_line"]).is_won

    @pytest.mark.compiled
    @pytest.mark.slow
    def test_explore(self, tmp_path: Path) -> None:
        page = tmp_path / "page.html"
        assert "a part of all" in self.ended("explore", *self.DEAL, "--quiet", "-o", page)
        data = page.read_text(encoding="utf-8").partition('type="application/json">')[2].partition("</script>")[0]
        assert json.loads(data)["space"]["statuses"].startswith("w")  # winnable

    @pytest.mark.slow
    def test_explore_keeps_the_old_page_if_nothing_was_found(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def interrupt(*_: object, **options: Any) -> Solution:
            if options["limits"].states == 1:
                return solve_state(*_, **options)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", interrupt)
        page = tmp_path / "page.html"
        page.write_text("an old page")
        assert self.ended("explore", *self.DEAL, "--quiet", "-o", page) == ""
        assert page.read_text() == "an old page"


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(200))
def test_at_random_moments(seed: int, tmp_path: Path) -> None:
    source = random.Random(seed)
    (tmp_path / "work").mkdir()
    words = source.choice(list(COMMANDS.values()))
    signals = source.choice([[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
    after = source.choice([0.3, 3.0, 10.0]) * source.random()
    interrupt(words, tmp_path / "work", after, signals, tmp_path / "cache" if source.random() < 0.3 else None)
