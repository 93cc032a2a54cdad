"""``amazons-solver survey``."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from amazons_solver import Rules, survey
from amazons_solver.cli import console
from amazons_solver.cli.app import app
from amazons_solver.surveys.ledgers.ledger import Ledger
from amazons_solver.surveys.running import work
from support.command_line import PROGRAM, assert_refused, environment, program, run
from support.surveys import FORCED, decided, one_by_one, verdicts

pytestmark = pytest.mark.compiled

SMALL_RULES = [f"--set={field}" for field in ("suits=CD", "ranks=A789", "withhold=nothing", "idle_passes=3")]
"""The rules `FORCED`."""


def arguments(ledger: Path, deals: str = "0:500", *more: str | Path) -> list[str | Path]:
    return ["survey", "--deals", deals, "--ledger", ledger, "--threads", *SMALL_RULES, *more]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "odds.db"


def answer(*words: str | Path) -> dict[str, Any]:
    result = run(*words, "--json", "--quiet")
    assert result.exit_code in (0, 3), result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def words_of(shown: bytes) -> str:
    """What a terminal was shown, without its control sequences, in one line."""
    return " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace")).split())


class TestAnswers:
    def test_json(self, ledger: Path) -> None:
        found = answer(*arguments(ledger))
        expected = one_by_one(range(500), FORCED)
        assert list(found)[:8] == [
            *("rules", "deals", "winnable", "unwinnable", "undecided", "interval", "seconds", "deals_per_second")
        ]
        assert Rules.from_dict(found["rules"]) == FORCED
        assert (found["deals"], found["winnable"], found["unwinnable"], found["undecided"]) == (
            *(500, expected["won"], expected["lost"], 0),
        )
        low, high = found["interval"]
        assert 0 < low < expected["won"] / 500 < high < 1
        assert found["redeals"] == {str(redeals): deals for redeals, deals in expected["redeals"].items()}
        assert found["hardest"][0] == dict(zip(("deal", "states"), expected["hardest"][0], strict=True))
        assert found["seconds"] > 0
        assert found["deals_per_second"] == pytest.approx(500 / found["seconds"], rel=0.01)

    def test_json_of_a_strategy_has_the_same_keys(self, ledger: Path) -> None:
        found = answer(*arguments(ledger, "0:100", "--player", "greedy:2"))
        assert list(found) == list(answer(*arguments(ledger.with_name("best.db"), "0:100")))
        assert (found["player"], list(found)[-1]) == ("greedy:2", "player")
        assert found["winnable"] == survey(range(100), FORCED, player="greedy:2", on="threads").won

    def test_for_people(self, ledger: Path) -> None:
        result = run(*arguments(ledger))
        expected = one_by_one(range(500), FORCED)
        lines = result.stdout.splitlines()
        assert result.exit_code == 0
        heading = r"deals 0 to 499 by [a-z]+ rules with .*: [\d.]+ ± [\d.]+ % winnable"
        assert re.fullmatch(heading, lines[0])
        assert lines[1].split() == ["winnable", str(expected["won"])]
        assert lines[2].split() == ["unwinnable", str(expected["lost"])]
        assert lines[3].split() == ["undecided", "0"]
        number, states = expected["hardest"][0]
        assert f"numbered:{number}, {states} boundary states" in result.stdout
        assert "500 deals in " in result.stdout
        assert "deals in " not in run(*arguments(ledger)).stdout  # nothing was left to do

    def test_an_output_without_the_sign(self, ledger: Path) -> None:
        result = CliRunner(charset="ascii").invoke(app, [str(word) for word in arguments(ledger)])
        assert result.exit_code == 0
        assert re.search(r"[\d.]+ \+- [\d.]+ % winnable", result.stdout)

    def test_undecided_deals_are_listed_and_retried(self, ledger: Path) -> None:
        result = run(*arguments(ledger, "0:500", "--max-states", "4"))
        listed = re.search(r"which +([\d, ]+)\n", result.stdout)
        assert result.exit_code == console.UNDECIDED
        assert listed
        numbers = [int(number) for number in listed[1].split(",")]
        assert tuple(numbers) == survey(range(500), FORCED, on="threads", max_states=4).undecided_deals
        found = answer(*arguments(ledger, "0:500", "--retry-undecided"))
        assert (found["undecided"], found["winnable"]) == (0, one_by_one(range(500), FORCED)["won"])

    def test_a_sample_is_checked(self, ledger: Path) -> None:
        found = answer(*arguments(ledger, "0:500", "--verify-sample", "40"))
        assert found["checks"] == {"by both": 40}
        assert "checked     7 by both" in run(*arguments(ledger, "0:7", "--verify-sample", "40", "--seed", "1")).stdout

    def test_progress_tells_of_the_sample(self, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("amazons_solver.cli.console.LINE_SECONDS", 0.0)
        monkeypatch.setattr(work, "_REPORT_SECONDS", 0.001)
        run(*arguments(ledger))
        lines = run(*arguments(ledger, "0:500", "--verify-sample", "40")).stderr.splitlines()
        counts = [int(re.fullmatch(r"(\d+) of 40 deals, checked once more", line)[1]) for line in lines]  # type: ignore[index]
        assert counts == sorted(counts)
        assert 0 < counts[-1] <= 40

    def test_a_wrong_verdict_is_found(self, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        truth = Ledger.verdict_of
        swapped = {"won": "lost", "lost": "won"}
        monkeypatch.setattr(Ledger, "verdict_of", lambda self, e, n, r: swapped[truth(self, e, n, r)])
        result = run(*arguments(ledger, "0:500", "--verify-sample", "3", "--quiet"))
        assert result.exit_code == console.LOST
        errors = result.stderr.splitlines()
        assert len(errors) == 3
        assert all(
            re.fullmatch(r"error: expected deal \d+ to be (won|lost), as .*, got proof that it is not", e)
            for e in errors
        )

    @pytest.mark.slow
    def test_processes(self, ledger: Path) -> None:
        words = [word for word in arguments(ledger) if word != "--threads"]
        result = program(*words, "--workers", "2", "--json", "--quiet")
        assert (result.returncode, result.stderr) == (0, b"")
        assert json.loads(result.stdout)["winnable"] == one_by_one(range(500), FORCED)["won"]

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(6))
    def test_the_hash_seed_changes_nothing(self, seed: int, ledger: Path) -> None:
        words = arguments(ledger, "0:500", "--max-states", "4", "--verify-sample", "5", "--json", "--quiet")
        result = program(*words, env={"PYTHONHASHSEED": str(seed)})
        here = ledger.with_name("here.db")
        expected = run(*arguments(here, "0:500", "--max-states", "4", "--verify-sample", "5", "--json", "--quiet"))
        times = re.compile(r'"(seconds|deals_per_second)": [0-9.e-]+')
        assert times.sub("", result.stdout.decode()) == times.sub("", expected.stdout)
        assert verdicts(ledger) == verdicts(here)


class TestRefused:
    @pytest.mark.parametrize("deals", ["", "5", "5:", ":5", "5:5", "9:5", "a:b", "0:1:2", "-1:5", "0:" + "9" * 25])
    def test_ranges(self, deals: str, ledger: Path) -> None:
        result = run(*arguments(ledger, deals))
        assert_refused(result, "expected a range of deals such as 0:1000000 for --deals, got")
        assert not ledger.exists()

    def test_numbers_out_of_range(self, ledger: Path) -> None:
        assert_refused(
            run(*arguments(ledger, f"0:{2**63}")), "expected deals from a number to a larger one, 0 to 2^63 - 1"
        )

    @pytest.mark.parametrize(
        ("words", "fragment"),
        [
            (["--workers", "0"], "for --workers, got"),
            (["--max-states", "x"], "for --max-states, got"),
            (["--max-memory", "x"], "for --max-memory, got"),
            (["--verify-sample", "-1"], "for --verify-sample, got"),
            (["--seed", "1"], "expected --verify-sample for --seed"),
            (["--dask", "tcp://127.0.0.1:1"], "expected --dask alone"),
            (["--player", "greedy", "--max-memory", "5M"], "limits, samples and retries for the solver alone"),
            (["--player", "greedy", "--max-states", "5"], "limits, samples and retries for the solver alone"),
            (["--workers", "257"], "expected from 1 to 256 workers, got 257"),
            (["--workers", "257", "--threads"], "expected from 1 to 256 workers, got 257"),
            (["--records", "/nowhere/records.parquet"], "there is no directory /nowhere"),
            (["--rules", "poker"], "expected a preset"),
        ],
    )
    def test_options(self, words: list[str], fragment: str, ledger: Path) -> None:
        assert_refused(run(*arguments(ledger, "0:500", *words)), fragment)

    @pytest.mark.parametrize("missing", ["--deals", "--ledger"])
    def test_what_must_be_given(self, missing: str) -> None:
        words = {"--deals": ["--ledger", "odds.db"], "--ledger": ["--deals", "0:5"]}[missing]
        assert_refused(run("survey", *words), missing)

    def test_a_ledger_of_other_rules(self, ledger: Path) -> None:
        run(*arguments(ledger))
        other = ["--set", "withhold=any"]
        assert_refused(run(*arguments(ledger, "0:500", *other)), 'got one with withhold="nothing" (--add')
        assert answer(*arguments(ledger, "0:500", *other, "--add"))["deals"] == 500

    @pytest.mark.parametrize("name", ["odds.db", "./odds.db", "linked.db", "hard.db"])
    def test_records_in_the_place_of_the_ledger(self, name: str, ledger: Path) -> None:
        assert_refused(run(*arguments(ledger, "0:500", "--records", ledger)), "expected another file for records")
        assert not ledger.exists()
        run(*arguments(ledger))
        ledger.with_name("linked.db").symlink_to(ledger)
        ledger.with_name("hard.db").hardlink_to(ledger)
        before = ledger.read_bytes()
        assert_refused(run(*arguments(ledger, "0:500", "--records", f"{ledger.parent}/{name}")), "for records than the")
        assert ledger.read_bytes() == before

    def test_a_damaged_ledger(self, ledger: Path) -> None:
        run(*arguments(ledger))
        ledger.write_bytes(ledger.read_bytes()[:5_000])
        assert_refused(run(*arguments(ledger)), "expected a whole ledger, got a damaged one", str(ledger))


class TestAround:
    def test_help_is_ascii_of_80_columns(self) -> None:
        result = CliRunner(charset="ascii").invoke(app, ["survey", "--help"], prog_name="amazons-solver")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Examples:\n" in result.stdout
        assert "\\" not in result.stdout
        assert max(map(len, result.stdout.splitlines())) <= 80

    @pytest.mark.slow
    def test_progress_is_a_plain_line_now_and_then_without_a_terminal(
        self, ledger: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("amazons_solver.cli.console.LINE_SECONDS", 0.0)
        words = ["survey", "--deals", "0:300", "--ledger", ledger, "--threads"]
        result = run(*words)
        lines = result.stderr.splitlines()
        assert lines
        shape = r"[\d,]+ of 300 deals, [\d,]+ deals/s(, \d+:\d\d:\d\d left, [\d.]+ ± [\d.]+ % winnable)?"
        assert all(re.fullmatch(shape, line) for line in lines)
        assert run(*words, "--quiet", "--deals", "0:400").stderr == ""
        told = run(*words, "--player", "greedy", "--add", "--deals", "0:600000").stderr.splitlines()
        assert re.fullmatch(r".* ± [\d.]+ % won by greedy", told[-1])

    @pytest.mark.slow
    def test_a_bar_needs_a_terminal_that_can_write_over_it(self, ledger: Path) -> None:
        words = ["survey", "--deals", "0:300", "--ledger", str(ledger), "--threads"]
        ours, theirs = pty.openpty()
        surroundings = environment({"TERM": "dumb"})
        subprocess.run([*PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=theirs, env=surroundings, check=True)
        os.write(theirs, b"the end")
        assert os.read(ours, 65_536) == b"the end"
        os.close(theirs)
        os.close(ours)

    @pytest.mark.slow
    @pytest.mark.parametrize("columns", [160, 80, 40])
    def test_a_bar_on_a_terminal(self, columns: int, ledger: Path) -> None:
        ours, theirs = pty.openpty()
        words = ["survey", "--deals", "0:100000000", "--ledger", str(ledger), "--threads", *SMALL_RULES]
        with subprocess.Popen(
            [*PROGRAM, *words],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment({"TERM": "xterm-256color", "COLUMNS": str(columns)}),
        ) as process:
            os.close(theirs)
            seen = b""
            shape = r"/ ?100000000 deals, [\d,]+ deals/s, \d+:\d\d:\d\d left, [\d.]+ ± [\d.]+ % winnable"
            until = time.monotonic() + 30
            while time.monotonic() < until and not re.search(shape, words_of(seen)):
                seen += os.read(ours, 65_536)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=30)
            os.close(ours)
        assert process.returncode == console.INTERRUPTED
        assert b"not yet" in out
        assert re.search(shape, words_of(seen)), "cut"

    @pytest.mark.slow
    def test_ctrl_c(self, ledger: Path) -> None:
        words = ["survey", "--deals", "0:100000000", "--ledger", str(ledger), *SMALL_RULES, "--json"]
        with subprocess.Popen(
            [*PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        ) as process:
            while not ledger.exists() or not decided(ledger):
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        assert process.returncode == console.INTERRUPTED
        assert err.splitlines()[-1] == b"error: interrupted"
        found = json.loads(out)
        assert found["interrupted"]
        assert found["deals"] == found["winnable"] + found["unwinnable"] > 0
