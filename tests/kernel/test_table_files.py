"""Files of endgame tables: read, replaced when damaged, and done without."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from amazons_solver import Rules
from amazons_solver.kernel.boundaries import table_store
from amazons_solver.kernel.boundaries.table_store import plan_of, read_table, with_table
from amazons_solver.kernel.config import config_of
from support.kernel_checks import config_with_table

pytestmark = pytest.mark.compiled

WIKIPEDIA = Rules.preset("wikipedia")
SMALL = Rules(suits="CDH", ranks="A78")


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of other tests are forgotten, so that the files count."""
    monkeypatch.setattr(table_store, "_kept", {})


PLAN = plan_of(config_of(SMALL), 5)


def take(directory: Path) -> bytes:
    """The table as another search would take it."""
    table_store._kept.clear()
    config = with_table(config_of(SMALL), 5, directory)
    assert config is not None
    assert config.table_cards == 5
    return config.table.tobytes()


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A file with a whole table."""
    take(tmp_path)
    assert [found.name for found in tmp_path.iterdir()] == [PLAN.file_name]
    return tmp_path / PLAN.file_name


def test_a_file_is_read(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = config_with_table(SMALL, 5).table.tobytes()
    assert len(table) == PLAN.bytes
    monkeypatch.setattr(table_store, "build_table", None)
    assert take(whole.parent) == table


def _flip(at: int, data: bytes) -> bytes:
    return bytes(byte ^ (index == at % len(data)) for index, byte in enumerate(data))


DAMAGES = {
    "content": lambda data: _flip(-1, data),
    "index": lambda data: _flip(len(PLAN.header) + 32 + 8, data),
    "digest": lambda data: _flip(len(PLAN.header) + 5, data),
    "header": lambda data: _flip(3, data),
    "version": lambda data: data.replace(b"table 1:", b"table 2:", 1),
    "cut short": lambda data: data[:-1],
    "cut to the header": lambda data: data[: len(PLAN.header)],
    "empty": lambda data: data[:0],
    "longer": lambda data: data + b"\0",
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_replaced(damage: str, whole: Path) -> None:
    table, data = take(whole.parent), whole.read_bytes()
    damaged = DAMAGES[damage](data)
    assert damaged != data
    whole.write_bytes(damaged)
    assert read_table(whole, PLAN) is None
    assert take(whole.parent) == table
    assert whole.read_bytes() == data


def test_a_file_of_other_rules_is_replaced(whole: Path) -> None:
    data = whole.read_bytes()
    other = with_table(config_of(SMALL.evolve(gather="right-over-left")), 5, whole.parent)
    assert other is not None
    foreign = next(found for found in whole.parent.iterdir() if found != whole)
    assert foreign.stat().st_size == len(data)
    foreign.replace(whole)
    assert take(whole.parent) != other.table.tobytes()
    assert whole.read_bytes() == data


def test_a_directory_or_nothing_where_the_file_should_be(tmp_path: Path) -> None:
    table = take(tmp_path / "new" / "directories")
    in_the_way = tmp_path / PLAN.file_name
    in_the_way.mkdir()
    assert take(tmp_path) == table
    assert in_the_way.is_dir()
    (tmp_path / "file").write_bytes(b"")
    assert take(tmp_path / "file") == table
    dangling = tmp_path / "link"
    dangling.symlink_to(tmp_path / "nowhere")
    assert take(dangling) == table


def mounted(path: Path, options: str) -> Iterator[Path]:
    path.mkdir()
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path], check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield path
    subprocess.run(["umount", path], check=True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    yield from mounted(tmp_path / "read-only", "ro,size=1m")


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    yield from mounted(tmp_path / "full", "size=64k")


def test_a_read_only_directory(read_only: Path) -> None:
    assert take(read_only) == config_with_table(SMALL, 5).table.tobytes()
    assert not list(read_only.iterdir())


def test_a_directory_without_permission(tmp_path: Path) -> None:
    if os.name != "posix" or os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    assert take(tmp_path) == config_with_table(SMALL, 5).table.tobytes()
    assert not list(tmp_path.iterdir())


def test_a_full_disk(full: Path) -> None:
    assert plan_of(config_of(WIKIPEDIA), 7).bytes > 1 << 16
    config = with_table(config_of(WIKIPEDIA), 7, full)
    assert config is not None
    assert config.table.tobytes() == config_with_table(WIKIPEDIA, 7).table.tobytes()
    assert not list(full.iterdir())


def test_without_a_file_a_table_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    table = take(tmp_path / "file")
    monkeypatch.setattr(table_store, "build_table", None)
    again = with_table(config_of(SMALL), 5, tmp_path / "file")
    assert again is not None
    assert again.table.tobytes() == table


def test_without_a_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/amazons-solver")
    config = with_table(config_of(SMALL), 5)
    assert config is not None
    assert config.table.tobytes() == config_with_table(SMALL, 5).table.tobytes()
    assert not list(tmp_path.iterdir())


def test_a_table_given_up_is_not_written(tmp_path: Path) -> None:
    answers = iter([True, True, False])
    assert with_table(config_of(SMALL), 5, tmp_path, lambda: next(answers)) is None
    assert not list(tmp_path.iterdir())
    assert take(tmp_path) == config_with_table(SMALL, 5).table.tobytes()


SCRIPT = """
import hashlib, pathlib, sys
from amazons_solver import Rules
from amazons_solver.kernel.config import config_of
from amazons_solver.kernel.boundaries.table_store import with_table
rules = Rules.from_json(sys.argv[1])
config = with_table(config_of(rules), int(sys.argv[2]), pathlib.Path(sys.argv[3]))
print(hashlib.sha256(config.table.tobytes()).hexdigest(), config.table_cards)
"""


def start(rules: Rules, cards: int, directory: Path, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", SCRIPT, rules.to_json(), str(cards), str(directory)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})


@pytest.mark.slow
def test_four_processes_at_once(tmp_path: Path) -> None:
    processes = [start(WIKIPEDIA, 7, tmp_path) for _ in range(4)]
    outputs = {process.communicate(timeout=120)[0] for process in processes}
    assert [process.returncode for process in processes] == [0] * 4
    assert len(outputs) == 1
    plan = plan_of(config_of(WIKIPEDIA), 7)
    assert [found.name for found in tmp_path.iterdir()] == [plan.file_name]
    table = read_table(tmp_path / plan.file_name, plan)
    assert table is not None
    assert table.tobytes() == config_with_table(WIKIPEDIA, 7).table.tobytes()


@pytest.mark.slow
def test_without_the_compiler(tmp_path: Path) -> None:
    """The same functions, interpreted, write the same file."""
    rules = SMALL.evolve(withhold="any", gather="right-over-left")
    process = start(rules, 4, tmp_path, NUMBA_DISABLE_JIT="1")
    process.communicate(timeout=120)
    assert process.returncode == 0
    plan = plan_of(config_of(rules), 4)
    table = read_table(tmp_path / plan.file_name, plan)
    assert table is not None
    assert table.tobytes() == config_with_table(rules, 4).table.tobytes()
