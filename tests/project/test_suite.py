"""The suite itself: it ends, wherever it is started, and says what it has tested."""

import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hatchling.build import build_sdist

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent.parent
INTERRUPTED = """
import signal, subprocess, sys

def test_a_child_hears_ctrl_c():
    code = "import time; print('here', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        child.wait(timeout=20)
"""
STUCK = """
import subprocess, sys

def test_waits_for_ever():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as child:
        child.wait()

def test_after_it():
    pass
"""

COMPILING = """
import subprocess, sys

def test_here():
    import numba

def test_in_a_child():
    subprocess.run([sys.executable, "-c", "import numba"], check=True)

def test_without():
    pass
"""
OF_ONE_KIND = """
import pytest
import numba

pytestmark = pytest.mark.compiled

def test_it():
    numba.njit
"""


def run(tests: Path, *arguments: str, before: Callable[[], object] | None = None) -> subprocess.CompletedProcess[str]:
    """Run other tests under this suite's conftest.py and configuration."""
    command = [sys.executable, "-m", "pytest", "-c", TESTS.parent / "pyproject.toml", "--rootdir", tests.parent]
    plugins = ["-p", "no:cacheprovider", "-p", "conftest", "-o", f"pythonpath={TESTS}"]
    return subprocess.run(
        [*command, *plugins, *arguments, tests],
        preexec_fn=before,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tests.parent,
    )


def test_ctrl_c_is_heard_where_the_suite_was_started_without_it(tmp_path: Path) -> None:
    test = tmp_path / "test_interrupted.py"
    test.write_text(INTERRUPTED)
    result = run(test, before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert result.returncode == 0, result.stdout


def test_a_test_that_is_stuck_fails_and_the_rest_goes_on(tmp_path: Path) -> None:
    test = tmp_path / "test_stuck.py"
    test.write_text(STUCK)
    start = time.monotonic()
    result = run(test, "--timeout=2")
    assert time.monotonic() - start < 60
    assert "1 failed, 1 passed" in result.stdout, result.stdout
    assert "Timeout" in result.stdout


def test_where_the_compiler_is_left_out_loading_it_fails(tmp_path: Path) -> None:
    (tmp_path / "test_compiling.py").write_text(COMPILING)
    (tmp_path / "test_of_one_kind.py").write_text(OF_ONE_KIND)
    result = run(tmp_path, "-m", "not slow and not compiled")
    assert "2 failed, 1 passed in" in result.stdout, result.stdout
    assert "Numba is loaded by a test that is not marked `compiled`" in result.stdout


def test_it_says_which_copy_was_tested(tmp_path: Path) -> None:
    test = tmp_path / "test_nothing.py"
    test.write_text("def test_nothing():\n    pass\n")
    import amazons_solver  # noqa: PLC0415 (the copy that this process tests)

    result = run(test, "-q")
    assert f"tested: {Path(amazons_solver.__file__).parent}" in result.stdout.splitlines()


def test_the_source_distribution_has_all_that_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = TESTS.parent
    if not (root / ".git").exists():
        pytest.skip("this is no checkout: what is kept is not known")
    kept = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split()
    monkeypatch.chdir(root)
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert packed >= set(kept)  # so its tests find what they read: .ci/run, CITATION.cff, ...
