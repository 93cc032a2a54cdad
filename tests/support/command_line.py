"""The command line for tests: in this process where that suffices, else in one of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from amazons_solver.cli import console
from amazons_solver.cli.app import app

PROGRAM = [sys.executable, "-m", "amazons_solver"]
SMALL = ["--set", "suits=CD", "--set", "ranks=A78", "--set", "withhold=any"]
"""The rules wikipedia with a deck of six cards."""
SMALL_DEALS = ["7C AD 7D AC 8C 8D", "8C AC 7C 7D 8D AD"]
"""Numbered deals 0 and 1 of that deck (fixtures/numbered-deals.txt)."""


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process; an exception that it lets through fails the test."""
    console._has_said = True  # that it compiles, which depends on what was run before
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False, prog_name="amazons-solver"
    )


def program(
    *arguments: str | Path, stdin: bytes | None = b"", env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, without a terminal."""
    found = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        env=environment(env),
        capture_output=True,
        timeout=60,
        check=False,
        **options,
    )
    lines = found.stderr.splitlines(keepends=True)
    found.stderr = b"".join(line for line in lines if not line.startswith(b"compiling the search, once"))
    return found


def environment(changes: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of this process without what changes how a terminal is used."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONUNBUFFERED")
    }
    return {**plain, "PYTHONIOENCODING": "utf-8", **(changes or {})}


def assert_refused(result: Result | subprocess.CompletedProcess[bytes], *fragments: str, stdout: str = "") -> None:
    """Assert exit code 2, one line on stderr that says all of this, and nothing else on stdout."""
    if isinstance(result, Result):
        code, out, err = result.exit_code, result.stdout, result.stderr
    else:
        code, out, err = result.returncode, result.stdout.decode(), result.stderr.decode()
    lines = err.splitlines()
    assert (code, len(lines), out) == (2, 1, stdout), (code, out, err)
    assert lines[0].startswith("error: ")
    for fragment in fragments:
        assert fragment in lines[0]


def small(*arguments: str | Path) -> Sequence[str | Path]:
    """The arguments with the rules of the small deck."""
    return [*arguments, *SMALL]
