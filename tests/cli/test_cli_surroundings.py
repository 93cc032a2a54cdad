"""Terminals, pipes, encodings, signals: what is around the program."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from amazons_solver import Limits, Move, StopReason
from amazons_solver.cli import console
from amazons_solver.cli.app import app
from amazons_solver.search.explore import explore
from amazons_solver.search.result import SearchResult
from amazons_solver.solving.game import Game
from support.command_line import PROGRAM, SMALL, SMALL_DEALS, environment, program, run

WON = ["solve", "--pysolfc", "24680", "--rules", "pysolfc"]
LONG = ["solve", "--number", "0", "--order", "bfs"]  # minutes
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class TestEncodings:
    """Symbols where the output has them, letters elsewhere; never an error."""

    @pytest.mark.slow
    @pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
    def test_letters(self, encoding: str) -> None:
        result = program(*WON, env={"PYTHONIOENCODING": encoding})
        assert (result.returncode, result.stderr) == (0, b"")
        text = result.stdout.decode("ascii")
        assert "deal  JC TH 8C QC AS" in text
        assert "AS>1: play AS to foundation 1" in text

    @pytest.mark.slow
    def test_symbols(self) -> None:
        text = program(*WON).stdout.decode()
        assert "deal  J♣ 10♥ 8♣ Q♣ A♠" in text
        assert "A♠>1: play A♠ to foundation 1" in text

    @pytest.mark.parametrize("encoding", ["cp437", "latin-1", "utf-8", "utf-16"])
    def test_other_encodings(self, encoding: str) -> None:
        text = CliRunner(charset=encoding).invoke(app, WON).stdout_bytes.decode(encoding)
        assert ("deal  J♣ 10♥" if encoding.startswith("utf") else "deal  JC TH") in text

    @pytest.mark.slow
    @pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
    def test_errors_that_quote_what_the_output_cannot_write(self, encoding: str) -> None:
        result = program("solve", "10♥\x1b[31m\N{SNOWMAN}", env={"PYTHONIOENCODING": encoding})
        assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
        assert result.stderr.startswith(b"error: expected ")
        assert b"\x1b" not in result.stderr

    @pytest.mark.parametrize(
        "command",
        [[], ["solve"], ["hint"], ["annotate"], ["play"], ["graph"], ["verify"], ["rules"], ["deal"], ["strategy"]],
    )
    def test_help_is_ascii_of_80_columns(self, command: list[str]) -> None:
        result = CliRunner(charset="ascii").invoke(app, [*command, "--help"], prog_name="amazons-solver")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Examples:\n" in result.stdout
        assert f"amazons-solver {' '.join(command)}".strip() in result.stdout
        assert "\\" not in result.stdout  # as an escaped character would be written
        assert max(map(len, result.stdout.splitlines())) <= 80

    def test_rules_table(self) -> None:
        result = CliRunner(charset="cp1252").invoke(app, ["rules"])
        assert "PySolFC's game 406" in result.stdout_bytes.decode("ascii")

    def test_a_file_name_that_the_output_cannot_write(self, tmp_path: Path) -> None:
        (tmp_path / "♥.toml").write_text('withhold = "any"\n')
        result = CliRunner(charset="cp1252").invoke(app, ["rules", str(tmp_path / "♥.toml")])
        assert (result.exit_code, result.exception) == (0, None)
        assert "/\\u2665.toml\n" in result.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("notation", ["symbols", "characters"])
    def test_a_notation_that_the_output_cannot_write_is_refused(self, notation: str) -> None:
        result = program("deal", "--number", "0", "--notation", notation, env={"PYTHONIOENCODING": "cp1252"})
        message = f"error: expected an output that can write {notation}, got one in cp1252\n"
        assert (result.returncode, result.stdout, result.stderr.decode()) == (2, b"", message)

    @pytest.mark.slow
    def test_an_argument_that_is_not_utf8(self) -> None:
        result = subprocess.run(
            [*PROGRAM, "solve", b"AS \xff"], capture_output=True, env=environment(), timeout=60, check=False
        )
        assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
        assert result.stderr.startswith(b"error: ")

    @pytest.mark.slow
    def test_a_file_name_that_is_not_utf8(self, tmp_path: Path) -> None:
        name = os.fsencode(tmp_path) + b"/\xff.txt"
        command: list[str | bytes] = [*PROGRAM, "deal", "--file", name]
        missing = subprocess.run(command, capture_output=True, env=environment(), timeout=60, check=False)
        assert (missing.returncode, missing.stderr.count(b"\n")) == (2, 1)
        assert b"No such file" in missing.stderr
        Path(os.fsdecode(name)).write_text("7C AD 7D AC 8C 8D")
        found = subprocess.run([*command, *SMALL], capture_output=True, env=environment(), timeout=60, check=False)
        assert (found.returncode, found.stdout) == (0, b"7C AD 7D AC 8C 8D\n")


class TestPipes:
    """A reader that goes away, an output that takes no more, streams that are not there."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "command",
        [
            "solve --file - --json " + " ".join(SMALL),
            "solve --file - " + " ".join(SMALL),
            "deal --number 0 --count 100000",
            "rules",
            "--help",
        ],
    )
    def test_closed_pipe_ends_quietly(self, command: str, tmp_path: Path) -> None:
        deals = tmp_path / "deals.txt"
        deals.write_text("\n".join(SMALL_DEALS * 500))
        shell = f"{' '.join(PROGRAM)} {command} < {deals} | head -1; echo ${{PIPESTATUS[0]}}"
        result = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment(), timeout=60, check=True)
        assert result.stderr == b""
        assert result.stdout.splitlines()[-1] in (b"0", b"141")

    @pytest.mark.slow
    def test_closed_before_anything_is_written(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            result = subprocess.run(
                [*PROGRAM, *WON],
                stdin=subprocess.DEVNULL,
                stdout=writer,
                stderr=subprocess.PIPE,
                env=environment(),
                timeout=60,
                check=False,
            )
        finally:
            os.close(writer)
        assert (result.returncode, result.stderr) == (console.CLOSED_PIPE, b"")

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    @pytest.mark.parametrize("arguments", [WON, [*WON, "--json"], ["--help"]])
    def test_full_disk(self, arguments: list[str]) -> None:
        with open("/dev/full", "wb") as full:
            result = subprocess.run(
                [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=60, check=False
            )
        message = b"error: expected to write the results, got No space left on device\n"
        assert (result.returncode, result.stderr) == (2, message)

    @pytest.mark.slow
    @pytest.mark.parametrize("closed", [">&-", "<&- 2>&-", "<&- >&- 2>&-"])
    def test_streams_that_are_not_there(self, closed: str) -> None:
        shell = f"{' '.join(PROGRAM)} {' '.join(WON)} {closed}"
        result = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment(), timeout=60, check=False)
        assert (result.returncode, result.stderr) == (0, b"")
        assert (b"winnable" in result.stdout) == (">&-" not in closed.replace("2>&-", ""))

    @pytest.mark.slow
    def test_standard_input_that_is_not_there(self) -> None:
        shell = f"{' '.join(PROGRAM)} solve --file - <&-"
        result = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment(), timeout=60, check=False)
        message = b"error: expected a deal in standard input, got none\n"
        assert (result.returncode, result.stdout, result.stderr) == (2, b"", message)

    @pytest.mark.slow
    def test_a_deal_is_answered_when_its_line_has_been_read(self) -> None:
        with subprocess.Popen(
            [*PROGRAM, "solve", "--file", "-", "--json", *SMALL],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for number, deal in enumerate(SMALL_DEALS, start=1):
                process.stdin.write(deal.encode() + b"\n")
                process.stdin.flush()
                ready, _, _ = select.select([process.stdout], [], [], 30)
                assert ready, "no answer while the input is open"
                assert json.loads(process.stdout.readline())["deal"] == f"line {number}"
            process.stdin.close()
            assert process.wait(30) == 0

    @pytest.mark.slow
    def test_without_a_terminal_there_is_no_colour_and_no_progress(self) -> None:
        result = program(*LONG, "--max-seconds", "1")
        assert (result.returncode, result.stderr) == (3, b"")
        assert b"\x1b" not in result.stdout

    @pytest.mark.slow
    def test_colours_that_are_asked_for_bring_no_progress_to_a_file(self) -> None:
        result = program(*LONG, "--max-seconds", "1", env={"FORCE_COLOR": "1"})
        assert (result.returncode, result.stderr) == (3, b"")
        assert b"\x1b[1;33mundecided" in result.stdout

    @pytest.mark.slow
    def test_in_a_session_without_a_terminal(self) -> None:
        result = program(*WON, env={"TERM": ""}, start_new_session=True)
        assert (result.returncode, result.stderr) == (0, b"")


DEAL_0 = "QD TS 9D AS 7C JS JH QH 9H 8S AH JC QC 8D 7H 7D JD 7S TH TC 8H 9C AD 8C QS AC TD 9S"


class TestInterrupt:
    """Ctrl-C. The program shows that it is at work by a first line, and is then interrupted."""

    @staticmethod
    def interrupted(*arguments: str, stdin: str = "") -> tuple[int, list[str], bytes]:
        with subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(stdin.encode())
            process.stdin.flush()  # and stays open
            first = process.stdout.readline()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            rest, err = process.communicate(timeout=60)
        return process.returncode, (first + rest).decode().splitlines(), err

    @pytest.mark.slow
    def test_a_search_keeps_what_it_has(self) -> None:
        code, out, err = self.interrupted(
            "solve", "--file", "-", "--json", "--order", "bfs", stdin=f"AS\n{DEAL_0}\n{DEAL_0}\n"
        )
        answers = [json.loads(line) for line in out]
        assert code == 130
        assert err.splitlines()[1:] == [b"error: interrupted"]
        assert [answer["deal"] for answer in answers] == ["line 1", "line 2"]
        assert (answers[1]["verdict"], answers[1]["stop_reason"]) == ("undecided", "interrupted")
        assert answers[1]["states"] > 1

    @pytest.mark.slow
    def test_waiting_for_input(self) -> None:
        code, out, err = self.interrupted("solve", "--file", "-", "--json", *SMALL, stdin=SMALL_DEALS[0] + "\n")
        assert (code, len(out), err) == (130, 1, b"error: interrupted\n")

    @pytest.mark.compiled
    @pytest.mark.slow
    def test_searching_for_winnable_deals(self) -> None:
        code, out, err = self.interrupted(
            "deal", "--winnable", "--number", "0", "--count", "1000000", "--rules", "pysolfc", "--quiet"
        )
        assert (code, err) == (130, b"error: interrupted\n")
        assert out[0] == DEAL_0

    @pytest.mark.parametrize("interrupt", ["in the search", "around it"])
    def test_gathering_a_proof(self, interrupt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(game: Game, **_: object) -> SearchResult[Move]:
            if interrupt == "around it":
                raise KeyboardInterrupt
            stats = explore(game, limits=Limits(states=1)).stats
            return SearchResult(StopReason.INTERRUPTED, None, stats)

        monkeypatch.setattr("amazons_solver.proofs.certificate.explore", interrupted)
        proof = tmp_path / "proof.json"
        result = run("solve", "--pysolfc", "24680", "--rules", "patiencen", "--json", "--certificate", proof)
        assert (result.exit_code, result.stderr) == (130, "error: interrupted\n")
        assert json.loads(result.stdout)["verdict"] == "unwinnable"
        assert not proof.exists()


class TestTerminal:
    """A terminal of 80 columns."""

    @staticmethod
    @contextlib.contextmanager
    def terminal(
        *arguments: str, start: Sequence[str] = PROGRAM, **env: str
    ) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
        """A program in a terminal, and the terminal's other end."""
        ours, theirs = pty.openpty()
        surroundings = environment({"TERM": "xterm-256color", "COLUMNS": "80", **env})
        with subprocess.Popen(
            [*start, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
        ) as process:
            os.close(theirs)
            try:
                yield process, ours
            finally:
                process.kill()
                os.close(ours)

    @staticmethod
    def read_all(terminal: int) -> str:
        data = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the program has ended
            while chunk := os.read(terminal, 65_536):
                data += chunk
        return data.decode().replace("\r\n", "\n")

    def screen(self, *arguments: str, start: Sequence[str] = PROGRAM, **env: str) -> str:
        with self.terminal(*arguments, start=start, **env) as (process, ours):
            text = self.read_all(ours)
            process.wait(30)
        return text

    @pytest.mark.slow
    def test_colours_and_width(self) -> None:
        coloured = self.screen(*WON)
        assert "\x1b[31m10♥\x1b[0m" in coloured
        plain = CONTROL.sub("", coloured)
        assert max(map(len, plain.splitlines())) <= 80
        words = run(*WON).stdout.split()
        assert plain.split()[:100] == words[:100]

    @pytest.mark.slow
    def test_cards_on_the_table_look_like_cards(self) -> None:
        coloured = self.screen("show", "--pysolfc", "24680")
        assert "\x1b[31;107m10♥\x1b[0m" in coloured
        assert "\x1b[30;107m J♣\x1b[0m" in coloured
        uncoloured = self.screen("show", "--pysolfc", "24680", NO_COLOR="1")
        assert CONTROL.sub("", uncoloured) == run("show", "--pysolfc", "24680").stdout
        assert "107" not in uncoloured

    @pytest.mark.slow
    @pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_no_colours(self, env: dict[str, str]) -> None:
        colours = re.findall(r"\x1b\[[0-9;]*3[0-9]", self.screen(*WON, **env))
        assert colours == []

    @pytest.mark.slow
    def test_progress(self) -> None:
        text = self.screen(*LONG, "--max-seconds", "1.5")
        assert re.search(r"numbered:0: [\d,]+ states in \d+ s \(Ctrl-C ends the search\)", CONTROL.sub("", text))
        assert "gave up at the limit on seconds" in text

    @pytest.mark.slow
    def test_progress_in_plain_lines_where_nothing_can_be_written_over(self) -> None:
        code = "from amazons_solver.cli import app, console; console.LINE_SECONDS = 0.5; app.app()"
        text = self.screen(*LONG, "--max-seconds", "1.5", TERM="dumb", start=[sys.executable, "-c", code])
        lines = text.splitlines()
        assert re.fullmatch(r"numbered:0: [\d,]+ states in \d+ s \(Ctrl-C ends the search\)", lines[0])
        assert "gave up at the limit on seconds" in lines[-1]
        assert text.replace("\n", "").isprintable()

    @pytest.mark.slow
    def test_quiet(self) -> None:
        text = self.screen(*LONG, "--max-seconds", "1", "--quiet")
        assert "Ctrl-C" not in text

    @pytest.mark.slow
    def test_interrupted_in_a_terminal_the_cursor_is_shown_again(self) -> None:
        with self.terminal(*LONG) as (process, ours):
            data = b""
            while b"Ctrl-C ends the search" not in data:
                data += os.read(ours, 65_536)
            process.send_signal(signal.SIGINT)
            text = data.decode() + self.read_all(ours)
            assert process.wait(30) == 130
        assert "numbered:0 by wikipedia rules: \x1b[1;33mundecided" in text
        assert "interrupted after " in text
        assert "error: interrupted" in text
        assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_hash_seed_changes_nothing(seed: int) -> None:
    deals = "\n".join(SMALL_DEALS).encode()
    result = program("solve", "--file", "-", *SMALL, "--json", stdin=deals, env={"PYTHONHASHSEED": str(seed)})
    expected = run("solve", "--file", "-", *SMALL, "--json", stdin=deals)
    seconds = re.compile(r'"seconds": [0-9.e-]+')
    assert seconds.sub("", result.stdout.decode()) == seconds.sub("", expected.stdout)


@pytest.mark.slow
def test_both_ways_to_start_it() -> None:
    script = Path(sys.executable).with_name("amazons-solver")
    found = [script] if script.exists() else []
    for command in ([sys.executable, "-m", "amazons_solver"], *([str(path)] for path in found)):
        result = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=60, check=True)
        assert result.stdout.startswith("Usage: amazons-solver [OPTIONS] COMMAND")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [WON, ["rules"]])
def test_commands_load_networkx_only_for_graphs(arguments: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "amazons_solver", *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=True,
    )
    loaded = {line.split("|")[-1].strip() for line in result.stderr.splitlines()}
    assert "amazons_solver.cli.app" in loaded
    assert loaded.isdisjoint({"networkx", "numba", "numpy"})
