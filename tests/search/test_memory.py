"""What memory a process may have: the machine's, a container's, a shell's."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from amazons_solver.search.memory import usable_memory

resource = pytest.importorskip("resource")  # Windows has none

MACHINE = psutil.virtual_memory().total
GIB = 2**30
NO_LIMIT_V1 = str(0x7FFFFFFFFFFFF000)
"""What cgroup v1 says where there is no limit: the largest page-aligned number."""


def surroundings(root: Path, groups: str, **limits: str) -> Path:
    """A file system with these lines of /proc/self/cgroup, and these files below sys/fs/cgroup (``__`` for a slash)."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for name, text in limits.items():
        file = root / "sys/fs/cgroup" / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        pytest.param("0::/\n", {"memory_dot_max": str(GIB)}, GIB, id="v2: a container with its own root"),
        pytest.param("0::/\n", {"memory_dot_max": "max"}, None, id="v2: no limit"),
        pytest.param("0::/\n", {"memory_dot_max": "max", "memory_dot_high": str(GIB)}, GIB, id="v2: slowed beyond"),
        pytest.param(
            "0::/docker.scope/app\n",
            {"docker.scope__app__memory_dot_max": str(2 * GIB), "docker.scope__memory_dot_max": str(GIB)},
            GIB,
            id="v2: a group of a smaller group",
        ),
        pytest.param("0::/system.slice/docker-1f\n", {"memory_dot_max": str(GIB)}, GIB, id="v2: a path from outside"),
        pytest.param(
            "4:memory:/docker/1f\n0::/\n", {"memory__docker__1f__memory_dot_limit_in_bytes": str(GIB)}, GIB, id="v1"
        ),
        pytest.param(
            "7:cpuset,memory:/docker/1f\n",
            {"memory__memory_dot_limit_in_bytes": str(GIB)},
            GIB,
            id="v1: its own root",
        ),
        pytest.param("4:memory:/\n", {"memory__memory_dot_limit_in_bytes": NO_LIMIT_V1}, None, id="v1: no limit"),
        pytest.param("no groups at all\n\n:\n4:memory\n", {"memory_dot_max": "?"}, None, id="nothing that makes sense"),
    ],
)
def test_a_container_has_its_own_memory(
    tmp_path: Path, groups: str, limits: dict[str, str], expected: int | None
) -> None:
    assert usable_memory(surroundings(tmp_path, groups, **limits)) == (expected or MACHINE)


def test_without_control_groups_there_is_the_machine(tmp_path: Path) -> None:
    assert usable_memory(tmp_path) == MACHINE


@pytest.mark.slow
@pytest.mark.parametrize("kind", [resource.RLIMIT_AS, resource.RLIMIT_DATA])
def test_a_shell_sets_limits(kind: int) -> None:
    code = "from amazons_solver import Limits; print(Limits().memory_bytes)"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: resource.setrlimit(kind, (3 * GIB, resource.RLIM_INFINITY)),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert int(answer.stdout) == min(3 * GIB, usable_memory() or MACHINE) // 2
