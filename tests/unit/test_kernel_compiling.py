"""Machine code that cannot be kept is compiled anew, and nothing else happens."""

import os
import subprocess
import sys
from pathlib import Path

import numba.core.caching
import pytest

from amazons_solver.kernel.compiling import compiled

PROGRAM = """
from amazons_solver.kernel.compiling import compiled

@compiled
def one_more(number: int) -> int:
    return number + 1

print(one_more(1))
"""


def test_no_folder_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "__pycache__").write_text("a file where Numba wants a folder")
    environment = {**os.environ, "XDG_CACHE_HOME": "/dev/null", "HOME": "/dev/null"}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, tmp_path / "program.py"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("2\n", "")


def test_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def save(*_: object) -> None:
        asked.append(True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.Cache, "save_overload", save)

    @compiled
    def twice(number: int) -> int:
        return 2 * number

    assert twice(21) == 42
    assert asked
