"""Hypothesis profiles, a cache directory of the tests, tests that end or load no compiler, and which copy is tested."""

import contextlib
import os
import re
import signal
import sys
import tempfile
import threading
from pathlib import Path

import hypothesis
import psutil
import pytest

import amazons_solver

# Endgame tables are kept in the user's cache directory: not those of tests. Workers take over the first process's.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _CACHE = tempfile.TemporaryDirectory(prefix="amazons-solver-tests-")
    os.environ["XDG_CACHE_HOME"] = _CACHE.name

# `pytest &` in a script starts with Ctrl-C ignored, and children inherit that: tests of Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile("default")

_TESTED = Path(amazons_solver.__file__).parent
_BESIDE = Path(__file__).parent.parent / "src" / "amazons_solver"


# Where tests that need the compiler are left out, importing it fails, here and in every process that a test starts: a
# module of that name is found first. So a test without the marker `compiled` cannot come to need it unnoticed.
_NO_COMPILER = str(Path(__file__).parent / "support" / "no_compiler")
_MARKS_OF_ALL = re.compile(r"^pytestmark = (.*)", re.MULTILINE)


def _left_out(config: pytest.Config, marker: str) -> bool:
    return f"not {marker}" in config.option.markexpr


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files all of which is left out are not so much as imported: that takes longer than many a test."""
    if collection_path.suffix != ".py":
        return None
    of_all = _MARKS_OF_ALL.search(collection_path.read_text(encoding="utf-8"))
    markers = re.findall(r"pytest\.mark\.(\w+)", of_all[1]) if of_all else []
    return True if any(_left_out(config, marker) for marker in markers) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what is known to take long take as long as it needs."""
    for item in items:
        if item.get_closest_marker("heavy"):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.timeout(0))


class _KillChildren:
    """A test that is given up waits for the processes that it started: they are killed a moment later.

    (pytest-timeout ends the test itself, and only by an exception.)
    """

    timer: threading.Timer | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, settings: object) -> None:
        self.timer = threading.Timer(settings.timeout + 1, self.kill)  # type: ignore[attr-defined]
        self.timer.daemon = True
        self.timer.start()

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    @staticmethod
    def kill() -> None:
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()


def pytest_configure(config: pytest.Config) -> None:
    """Watch over the children of tests, and over what is not to be loaded."""
    config.pluginmanager.register(_KillChildren())
    if _left_out(config, "compiled"):
        sys.path.insert(0, _NO_COMPILER)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [_NO_COMPILER, os.environ.get("PYTHONPATH")]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which copy of the package was tested."""
    terminalreporter.write_line(f"tested: {_TESTED}")
    if not _BESIDE.is_dir() or not _TESTED.samefile(_BESIDE):
        terminalreporter.write_line(f"which is not the source beside these tests, {_BESIDE}", yellow=True)
