"""The version, in every form in which the package can be there."""

import compileall
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hatchling.build import build_sdist, build_wheel

import amazons_solver
from amazons_solver.model.version import RELEASE, commit, digest, digest_of, version
from support.command_line import program, run

ROOT = Path(__file__).parent.parent.parent
PACKAGE = Path(amazons_solver.__file__).parent
SHOW = """
import amazons_solver
from amazons_solver.explorer.page import explorer_page
from amazons_solver.explorer.space import space_of_lines
from amazons_solver import Deal, Rules
print(amazons_solver.__version__)
print(amazons_solver.__file__)
"""


def test_it_is_told() -> None:
    assert amazons_solver.__version__ == version() == f"{RELEASE}+{digest()}"
    assert importlib.metadata.version("amazons-solver") == RELEASE
    assert run("--version").stdout.startswith(f"amazons-solver {version()}")


@pytest.mark.slow
@pytest.mark.parametrize("place", ["kernel", "kernel/a/new/room", "model", "search", "a_new_room", "survey", "."])
def test_every_new_file_that_answers_may_depend_on_counts(tmp_path: Path, place: str) -> None:
    copy = tmp_path / "package"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = digest_of(copy)
    assert before == digest_of(PACKAGE)
    (copy / place).mkdir(parents=True, exist_ok=True)
    (copy / place / "new.py").write_text("")
    assert digest_of(copy) != before


def test_every_change_counts_and_what_only_shows_does_not(tmp_path: Path) -> None:
    copy = tmp_path / "package"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = digest_of(copy)
    for file in ("cli/app.py", "render/svg.py", "explorer/page.py"):
        (copy / file).write_text("changed")
    assert digest_of(copy) == before
    for file in ("kernel/boundaries/passes.py", "model/movegen.py", "strategies/players.py"):
        text = (copy / file).read_text()
        (copy / file).write_text(text.replace("\n", "\r\n"))  # as a checkout on Windows has it
        assert digest_of(copy) == before
        (copy / file).write_text(text + "#")
        assert digest_of(copy) != before
        (copy / file).write_text(text)


def test_without_sources_there_is_no_digest(tmp_path: Path) -> None:
    assert digest_of(tmp_path) is None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "pyproject.toml").exists() or not (ROOT / "src").exists():
        pytest.skip("there are no sources to build from")
    folder = tmp_path_factory.mktemp("wheel")
    return folder / in_folder(ROOT, build_wheel, folder)


def in_folder(root: Path, build: Callable[[str], str], target: Path) -> str:
    """Build what is in a folder; returns the name of the file."""
    before = Path.cwd()
    os.chdir(root)
    try:
        return build(str(target))
    finally:
        os.chdir(before)


def shown(path: Path) -> list[str]:
    """What a fresh interpreter says of the package in a folder or a zip."""
    env = {**os.environ, "PYTHONPATH": str(path)}
    found = subprocess.run(
        [sys.executable, "-c", SHOW], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return found.stdout.splitlines()


@pytest.mark.slow
def test_a_wheel_notes_what_it_was_built_from(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        noted = json.loads(archive.read("amazons_solver/built.json"))
    assert noted == {
        "digest": digest_of(ROOT / "src" / "amazons_solver"),
        "commit": commit(ROOT / "src" / "amazons_solver"),
    }


@pytest.mark.slow
def test_patched_sources_of_a_distribution_are_another_version(tmp_path: Path, wheel: Path) -> None:
    with tarfile.open(tmp_path / in_folder(ROOT, build_sdist, tmp_path)) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("amazons_solver-*/")
    file = unpacked / "src" / "amazons_solver" / "kernel" / "boundaries" / "passes.py"
    file.write_text(file.read_text() + "# patched\n")
    with zipfile.ZipFile(tmp_path / in_folder(unpacked, build_wheel, tmp_path)) as archive:
        noted = json.loads(archive.read("amazons_solver/built.json"))
    with zipfile.ZipFile(wheel) as archive:
        before = json.loads(archive.read("amazons_solver/built.json"))
    assert noted["digest"] == digest_of(unpacked / "src" / "amazons_solver") != before["digest"]
    assert noted["commit"] == before["commit"]


@pytest.mark.slow
def test_from_a_zip(wheel: Path) -> None:
    said, file = shown(wheel)
    assert said == f"{RELEASE}+{digest_of(ROOT / 'src' / 'amazons_solver')}"
    assert file.startswith(str(wheel))


@pytest.mark.slow
def test_from_compiled_files_alone(wheel: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(wheel, tmp_path, format="zip")
    compileall.compile_dir(tmp_path, quiet=1, legacy=True)
    for source in tmp_path.rglob("*.py"):
        source.unlink()
    said, file = shown(tmp_path)
    assert said == f"{RELEASE}+{digest_of(ROOT / 'src' / 'amazons_solver')}"
    assert file.endswith(".pyc")
    env = {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    deals = ["--rules", "patiencen", "--deals", "0:50", "--ledger", tmp_path / "odds.db", "--threads", "--json"]
    surveyed = program("survey", "--player", "greedy", *deals, env=env)
    assert json.loads(surveyed.stdout)["deals"] == 50
    page = program("explore", "--number", "3", "--rules", "patiencen", "-o", tmp_path / "page.html", env=env)
    assert page.returncode == 0
