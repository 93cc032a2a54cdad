"""What a survey costs beyond the bare kernel, what a second worker brings, and what memory it takes.

Run it with ``python benchmarks/survey.py [deals]``; the default, 10,000,000 deals under the forced rules `patiencen`,
takes some ten minutes. The bare kernel and the surveys take turns, range by range, so that all see the machine in the
same moods. Start-up of the workers is reported apart.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from amazons_solver import Limits, Rules, survey
from amazons_solver.kernel.batch import WINNABLE, decide_numbered
from amazons_solver.surveys.plan import MAX_MEMORY

RULES = Rules.preset("patiencen")
ROUNDS = 5


def bare(deals: range) -> tuple[int, float, float]:
    """Deals won, seconds, and seconds of start-up, by one call of the kernel."""
    started = time.perf_counter()
    found = decide_numbered(deals.start, len(deals), RULES, limits=Limits(memory_bytes=MAX_MEMORY))
    return int((found.verdict == WINNABLE).sum()), time.perf_counter() - started, 0.0


def surveyed(folder: Path, on: str, workers: int) -> Callable[[range], tuple[int, float, float]]:
    """The same by a survey, into a ledger that grows from range to range."""
    ledger = folder / f"{on}-{workers}.db"

    def run(deals: range) -> tuple[int, float, float]:
        found = survey(deals, RULES, ledger=ledger, on=on, workers=workers)
        return found.won, found.seconds, found.startup_seconds

    return run


def speed(deals: int) -> None:
    """Compare the times."""
    bare(range(1))  # compiled before the clock runs
    with tempfile.TemporaryDirectory() as folder:
        ways: dict[str, Callable[[range], tuple[int, float, float]]] = {"bare kernel": bare}
        for on in ("threads", "processes"):
            for workers in (1, 2):
                ways[f"{on}, {workers}"] = surveyed(Path(folder), on, workers)
        seconds, startup = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0.0)
        for turn in range(ROUNDS):
            part = range(turn * deals // ROUNDS, (turn + 1) * deals // ROUNDS)
            results = {}
            for name, way in ways.items():
                results[name], took, before = way(part)
                seconds[name] += took
                startup[name] += before
            assert len(set(results.values())) == 1, results
    print("| | seconds | deals/s | of the bare kernel | start-up, s |")
    print("|---|--:|--:|--:|--:|")
    for name, took in seconds.items():
        share = seconds["bare kernel"] / took
        print(f"| {name} | {took:.2f} | {deals / took:,.0f} | {share:.3f} | {startup[name] / ROUNDS:.2f} |")
    for on in ("threads", "processes"):
        print(f"{on}: two workers are {seconds[f'{on}, 1'] / seconds[f'{on}, 2']:.2f} times one")


def memory(deals: int) -> None:
    """Compare the memory of this process and its workers for a tenth of the deals and all of them."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (deals // 10, deals):
            most = 0

            def look(_: object) -> None:
                nonlocal most
                processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
                most = max(most, sum(process.memory_info().rss for process in processes))

            survey(range(count), RULES, ledger=Path(folder) / f"{count}.db", workers=2, progress=look)
            size = (Path(folder) / f"{count}.db").stat().st_size
            print(f"{count:,} deals: {most / 1e6:.0f} MB of memory at most, a ledger of {size / 1e6:.2f} MB")
    print(f"this process, at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    speed(asked)
    memory(asked)
