"""Machine code: whose is run, where it is kept, and what happens when it cannot be."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amazons_solver import Deal, Limits, Rules, State
from amazons_solver.kernel import compiling, fits, kept, waiting
from amazons_solver.kernel.boundaries import search, table_store
from support.command_line import PROGRAM, environment, program

pytestmark = pytest.mark.compiled

FAKE_NUMBA = "raise ImportError('numpy 9 is too new for this Numba')\n"
LONG_DEAL = ["solve", "--number", "205"]
"""A deal of the default rules that the model does not decide within 2,000 states."""


def plus(number: int) -> Callable[[int], int]:
    """A function as if it were in a file of ours; those for 1 and 2 have the same name and place."""
    program = f"def add(to):\n    return to + {number}\n"
    space = {"__name__": "amazons_solver.kernel.invented"}
    exec(compile(program, "invented.py", "exec"), space)  # noqa: S102 (two versions of one line)
    return space["add"]  # type: ignore[return-value]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which machine code is kept for a test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_machine_code_is_kept_and_run_again(folder: Path) -> None:
    before = waiting.seconds()
    assert compiling.compiled(plus(1))(1) == 2
    assert waiting.seconds() > before
    (file,) = folder.iterdir()
    assert file.name.startswith(f"invented.add-{compiling.digest()}-")
    after = waiting.seconds()
    assert compiling.compiled(plus(2))(1) == 2  # the same name, place and version: the code that is kept
    assert waiting.seconds() == after


def test_another_version_never_runs_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiling.compiled(plus(1))(1) == 2
    (old,) = folder.iterdir()
    monkeypatch.setattr(compiling, "digest", lambda: "0123456789ab")
    assert compiling.compiled(plus(2))(1) == 3
    (new,) = {*folder.iterdir()} - {old}
    new.write_bytes(old.read_bytes())  # not even under the name of the new version
    assert compiling.compiled(plus(2))(1) == 3


def test_a_version_that_is_not_known_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "digest", lambda: None)
    assert compiling.compiled(plus(1))(1) == 2
    assert list(folder.iterdir()) == []


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-100]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"x"),
    "a bit": lambda file: file.write_bytes(
        file.read_bytes()[:-50] + bytes([file.read_bytes()[-50] ^ 1]) + file.read_bytes()[-49:]
    ),
    "garbage": lambda file: file.write_bytes(os.urandom(1000)),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a link to nowhere": lambda file: (file.unlink(), file.symlink_to("nowhere")),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_machine_code_is_compiled_anew(folder: Path, damage: str) -> None:
    assert compiling.compiled(plus(1))(1) == 2
    (file,) = folder.iterdir()
    DAMAGES[damage](file)
    assert compiling.compiled(plus(2))(1) == 3


def test_the_disk_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def write(*_: object, **__: object) -> None:
        asked.append(True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiling, "write_whole", write)
    assert compiling.compiled(plus(1))(1) == 2
    assert asked
    assert list(folder.iterdir()) == []


def test_only_folders_of_the_user_and_the_administrator_are_trusted(tmp_path: Path) -> None:
    assert kept.is_trusted(tmp_path)
    assert kept.is_trusted(tmp_path / "not" / "there" / "yet")
    assert not kept.is_trusted(Path("relative"))
    assert not kept.is_trusted(Path("~/.cache/amazons-solver"))
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert not kept.is_trusted(tmp_path / "open")
    assert not kept.is_trusted(tmp_path / "open" / "inner")  # which others could put another in the place of
    (tmp_path / "open").chmod(0o1777)  # as /tmp is
    assert not kept.is_trusted(tmp_path / "open")
    (tmp_path / "open" / "mine").mkdir()
    assert kept.is_trusted(tmp_path / "open" / "mine")
    (tmp_path / "link").symlink_to(tmp_path / "open")
    assert not kept.is_trusted(tmp_path / "link")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not_trusted(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12345)
    assert not kept.is_trusted(tmp_path)
    assert not kept.is_trusted(tmp_path / "inner")


def test_nothing_is_kept_where_there_is_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/amazons-solver")
    monkeypatch.chdir(tmp_path)
    assert kept.table_folder() is None
    assert all(folder.name == "__pycache__" for folder in kept.code_folders())


def test_a_folder_that_is_not_trusted_is_not_read(folder: Path) -> None:
    assert compiling.compiled(plus(1))(1) == 2
    folder.chmod(0o777)
    assert compiling.compiled(plus(2))(1) == 3


def test_a_file_that_others_may_write_is_not_read(folder: Path) -> None:
    assert compiling.compiled(plus(1))(1) == 2
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o644
    file.chmod(0o666)
    assert compiling.compiled(plus(2))(1) == 3


def test_a_folder_that_cannot_be_looked_at_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert not kept.is_trusted(tmp_path / "loop" / "inner")
    assert not kept.is_trusted(tmp_path / ("x" * 300))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_home_that_may_not_be_searched_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir(mode=0o700)
    child = os.fork()
    if child == 0:
        os.setuid(12345)
        os._exit(int(kept.is_trusted(tmp_path / "root" / "cache")))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_file_that_is_cut_is_no_code(folder: Path) -> None:
    name = f"boundaries.search_loop.resume-{compiling.digest()}-0123456789abcdef.machine-code"
    (folder / name).write_bytes(b"")
    assert not kept.has_code("boundaries.search_loop.resume")
    (folder / name).write_bytes(bytes(10_000))
    assert kept.has_code("boundaries.search_loop.resume")


@pytest.mark.slow
def test_with_little_time_and_nothing_kept_the_model_goes_on(tmp_path: Path) -> None:
    result = program(*LONG_DEAL, "--max-seconds", "3", env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert result.returncode == 3
    assert result.stdout.startswith(b"numbered:205 by wikipedia rules: undecided")
    assert b"amazons-solver warm-up" in result.stderr
    assert b"10 to 50 s" not in result.stderr  # nothing was compiled


@pytest.mark.slow
def test_every_question_waits_for_what_it_needs_itself(tmp_path: Path) -> None:
    (tmp_path / f"boundaries.search_loop.resume-{compiling.digest()}-0123456789abcdef.machine-code").write_bytes(
        bytes(10_000)
    )
    graph = ["graph", "--number", "3", "--rules", "pysolfc", "--max-states", "10000000", "--max-seconds", "4"]
    result = program(*graph, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert result.returncode == 3
    assert b"amazons-solver warm-up" in result.stderr
    assert b"10 to 50 s" not in result.stderr
    assert len([*tmp_path.iterdir()]) == 1


@pytest.mark.slow
def test_hints_with_little_time_say_so(tmp_path: Path) -> None:
    result = program("hint", *LONG_DEAL[1:], "--max-seconds", "0.3", env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert result.returncode == 3
    assert result.stderr.count(b"amazons-solver warm-up") == 1
    assert b"10 to 50 s" not in result.stderr


def test_with_little_time_no_table_is_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    start = State.initial(Deal.numbered(205), Rules())
    monkeypatch.setattr(search, "TABLE_AFTER", 10)
    monkeypatch.setattr(table_store, "with_table", lambda *_: pytest.fail("a table was asked for"))
    monkeypatch.setattr(fits, "_is_compiled", lambda function: function != "boundaries.table_building.solve_orders")
    assert search.search_state(start, Limits(seconds=50)).line is not None


@pytest.mark.slow
def test_warm_up_compiles_what_commands_need(tmp_path: Path) -> None:
    env = environment({"NUMBA_CACHE_DIR": str(tmp_path / "code"), "XDG_CACHE_HOME": str(tmp_path / "cache")})
    warm = subprocess.run([*PROGRAM, "warm-up"], env=env, capture_output=True, check=True, timeout=500)
    assert warm.stderr.startswith(b"compiling the search, once on this machine")
    assert not (tmp_path / "cache").exists()  # no tables
    for command in (
        LONG_DEAL,
        ["solve", "--number", "3", "--rules", "patiencen", "--engine", "kernel", "--certificate", "proof.json"],
        ["deal", "--difficulty", "hard", "--rules", "morehead", "--number", "0"],
        ["graph", "--number", "3", "--rules", "ultimate", "--set", "withhold=any", "--max-states", "30000"],
        ["explore", "--number", "3", "-o", "page.html"],
        ["strategy", "random", "--number", "0", "--count", "100"],
        ["survey", "--deals", "0:10", "--ledger", "odds.db"],
        ["warm-up"],
    ):
        found = subprocess.run(
            [*PROGRAM, *command], env=env, capture_output=True, check=False, timeout=60, cwd=tmp_path
        )
        assert found.returncode in (0, 3), found.stderr
        assert b"compiling the search" not in found.stderr, command


@pytest.mark.slow
def test_warm_up_that_keeps_nothing_is_no_success() -> None:
    """As in a container's image, whose maker would not learn of it otherwise."""
    result = program("warm-up", env={"NUMBA_CACHE_DIR": "relative"})
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"error: expected a folder in which machine code can be kept, got NUMBA_CACHE_DIR=")


class TestNumbaThatCannotBeImported:
    """One clear line where the compiled search is asked for; all else goes on."""

    @pytest.fixture
    def env(self, tmp_path: Path) -> dict[str, str]:
        (tmp_path / "numba").mkdir()
        (tmp_path / "numba" / "__init__.py").write_text(FAKE_NUMBA)
        return {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])}

    @pytest.mark.slow
    def test_the_model_goes_on(self, env: dict[str, str]) -> None:
        result = program(*LONG_DEAL, "--max-states", "3000", "--json", env=env)
        assert (result.returncode, result.stderr) == (3, b"")
        assert b'"engine": "model"' in result.stdout

    def test_the_model_goes_on_without_numpy(self, tmp_path: Path, env: dict[str, str]) -> None:
        (tmp_path / "numba").rename(tmp_path / "numpy")
        result = program(*LONG_DEAL, "--max-states", "3000", "--json", env=env)
        assert (result.returncode, result.stderr) == (3, b"")
        assert b'"engine": "model"' in result.stdout

    @pytest.mark.slow
    def test_the_kernel_is_refused(self, env: dict[str, str]) -> None:
        result = program(*LONG_DEAL, "--engine", "kernel", env=env)
        assert (result.returncode, result.stdout) == (2, b"")
        assert result.stderr.splitlines() == [
            b"error: expected Numba for the compiled search, got ImportError: numpy 9 is too new for this Numba"
        ]

    @pytest.mark.slow
    def test_graphs_and_proofs_are_the_models(self, env: dict[str, str], tmp_path: Path) -> None:
        proof = tmp_path / "proof.json"
        solved = program("solve", "--number", "3", "--rules", "patiencen", "--certificate", proof, env=env)
        assert solved.returncode == 0
        assert program("verify", proof, env=env).returncode == 0
        graph = program("graph", "--number", "3", "--rules", "pysolfc", "--max-states", "30000", env=env)
        assert (graph.returncode, graph.stderr) == (3, b"")
        assert b"undecided" in graph.stdout


def test_without_numba_the_kernel_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'numba' else find(name, *rest)\n"
        "from amazons_solver import Deal, Limits, difficulty, find_deals, Rules, solve, OptionError, Verdict\n"
        "print(solve(Deal.numbered(205), limits=Limits(states=3000)).engine)\n"
        "rules = Rules.preset('patiencen')\n"
        "print(next(find_deals(rules, Verdict.WINNABLE)).number)\n"
        "print(difficulty(Deal.numbered(2, rules), rules).solution.engine)\n"
        "try:\n    solve(Deal.numbered(205), engine='kernel')\n"
        "except OptionError as error:\n    print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert found.stdout.splitlines() == [
        "model",
        "2",
        "model",
        "expected Numba for the compiled search, got none: pip install numba",
    ]
