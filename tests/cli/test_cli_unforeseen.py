"""What nobody foresaw: an exit code that no answer has, and one line that says where to report it."""

import os
from pathlib import Path

import pytest

from amazons_solver.model.state import State
from support.command_line import program, run, small

LINE = "internal error, no answer: {}: a fault (please report it at https://"


@pytest.mark.slow
@pytest.mark.parametrize("fault", [RuntimeError, MemoryError, RecursionError, KeyError, AssertionError])
@pytest.mark.parametrize(
    "command", [["solve", "--number", "1", "--exit-code"], ["hint", "--number", "1"], ["graph", "--number", "1"]]
)
def test_an_unforeseen_error_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception], command: list[str]
) -> None:
    def fail(_: State) -> None:
        raise fault("a fault")

    monkeypatch.setattr(State, "successors", fail)
    monkeypatch.delenv("AMAZONS_SOLVER_TRACEBACK", raising=False)
    result = run(*small(*command))
    assert (result.exit_code, result.stdout) == (70, "")
    (line,) = result.stderr.splitlines()
    assert line.replace("'a fault'", "a fault").startswith(LINE.format(fault.__name__))


def test_verify_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    assert run(*small("solve", "--number", "1", "--certificate", proof)).exit_code == 0
    monkeypatch.setattr(State, "play", lambda *_: 1 // 0)
    monkeypatch.setattr(State, "successors", lambda *_: 1 // 0)
    assert run("verify", proof).exit_code == 70


def test_the_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "successors", lambda _: 1 // 0)
    monkeypatch.setenv("AMAZONS_SOLVER_TRACEBACK", "1")
    result = run(*small("solve", "--number", "1"))
    assert result.exit_code == 70
    assert result.stderr.startswith("Traceback")
    assert "ZeroDivisionError" in result.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_library_that_cannot_be_imported(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('half of it is missing')")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = program("solve", "--number", "1", env={"PYTHONPATH": path})
    assert (result.returncode, result.stdout) == (70, b"")
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("internal error, no answer: ImportError: half of it is missing (please report it at")


def test_a_file_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: State) -> None:
        raise OSError(5, "Input/output error", "/some/where")

    monkeypatch.setattr(State, "successors", fail)
    result = run(*small("solve", "--number", "1"))
    assert (result.exit_code, result.stderr) == (2, "error: expected to use /some/where, got Input/output error\n")


@pytest.mark.parametrize("command", [["verify", "proof.json"], ["solve", "--number", "1", "--exit-code"]])
def test_attrs_that_cannot_be_imported(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "attr").mkdir()
    (tmp_path / "attr" / "__init__.py").write_text("raise ImportError('damaged')")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = program(*command, env={"PYTHONPATH": path})
    assert (result.returncode, result.stdout) == (70, b"")
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("internal error, no answer: ImportError: damaged (please report it at")
