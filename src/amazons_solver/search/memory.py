"""How much memory this process may have."""

import contextlib
import functools
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["usable_memory"]

_CONTROLLED = {
    "": ("sys/fs/cgroup", ("memory.max", "memory.high")),  # cgroup v2 names no controllers
    "memory": ("sys/fs/cgroup/memory", ("memory.limit_in_bytes",)),  # v1
}
"""By the controllers of a line of /proc/self/cgroup: where its groups are mounted, and the files that hold limits."""


def usable_memory(root: Path = Path("/")) -> int | None:
    """The memory that this process may have, in bytes; none where it cannot be known.

    It is the least of the machine's memory, the limits of its control groups (cgroup v1 and v2, as containers and
    services have them), and those of ``ulimit -v`` and ``ulimit -d``.

    Args:
        root: the folder below which ``proc`` and ``sys`` are.
    """
    return min((*_machine(), *_control_groups(root), *_resource_limits()), default=None)


def _machine() -> Iterator[int]:
    if hasattr(os, "sysconf"):
        with contextlib.suppress(ValueError, OSError):  # a system without these names
            yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return
    with contextlib.suppress(ImportError):
        import psutil  # noqa: PLC0415 (where the system itself does not say: Windows)

        yield int(psutil.virtual_memory().total)


@functools.cache  # every search asks, and reading these files takes a tenth of a millisecond
def _control_groups(root: Path) -> tuple[int, ...]:
    return tuple(_limits_of_groups(root))


def _limits_of_groups(root: Path) -> Iterator[int]:
    """The limits of the process's groups and of all groups that these are in.

    A container may see its own group as the root of what is mounted, while its path is the one seen from outside:
    folders that are not there have no limits.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text(errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, _, named = line.partition(":")
        controllers, _, path = named.partition(":")
        for controller in controllers.split(","):
            mount, names = _CONTROLLED.get(controller, ("", ()))
            group = Path(path.lstrip("/"))
            for folder in (group, *group.parents):
                for name in names:
                    with contextlib.suppress(OSError, ValueError):  # no such file; "max" is no limit
                        yield int((root / mount / folder / name).read_text())


def _resource_limits() -> Iterator[int]:
    with contextlib.suppress(ImportError):  # Windows has none
        import resource  # noqa: PLC0415

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            soft, _ = resource.getrlimit(kind)
            if soft != resource.RLIM_INFINITY:
                yield soft
