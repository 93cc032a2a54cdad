"""The kernel against the plain program and the model, two cores against one, and what a first and a warm start take.

Run it with ``python benchmarks/kernel.py [rounds]``. Compiling and endgame tables are not counted but where it says so.
Every round measures each program once, in turn; the table gives medians, and the median of the ratios round by round.
Speeds are by processor time; starts, and two threads against one, by the clock.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import plain

from amazons_solver import Deal, Limits, Rules, solve
from amazons_solver.kernel.batch import UNDECIDED, decide_numbered

WIKIPEDIA, PATIENCEN = Rules(), Rules.preset("patiencen").evolve(idle_passes=None)
BACKWARDS = PATIENCEN.evolve(skip_complete=False)

# name, rules, deals of the kernel, what it is measured against, deals of that
CASES: list[tuple[str, Rules, int, str, int]] = [
    ("patiencen", Rules.preset("patiencen"), 60_000, "model", 200),
    ("ultimate", Rules.preset("ultimate"), 60_000, "model", 200),
    ("wikipedia, nothing", WIKIPEDIA.evolve(withhold="nothing"), 60_000, "plain", 300),
    ("pysolfc", Rules.preset("pysolfc"), 60_000, "model", 100),
    ("wikipedia, skip", WIKIPEDIA.evolve(skip_complete=True), 60_000, "plain", 300),
    ("wikipedia, skip, any", WIKIPEDIA.evolve(skip_complete=True, withhold="any"), 60_000, "plain", 300),
    ("wikipedia", WIKIPEDIA, 3_000, "plain", 5),
    ("morehead", Rules.preset("morehead"), 10_000, "model", 10),
    ("wikipedia, any", WIKIPEDIA.evolve(withhold="any"), 10_000, "plain", 10),
    ("patiencen, no skip, nothing", BACKWARDS, 60_000, "model", 200),
    ("patiencen, no skip, bases", BACKWARDS.evolve(withhold="bases"), 1_000, "", 0),
    ("patiencen, no skip, any", BACKWARDS.evolve(withhold="any"), 5_000, "", 0),
]


def kernel_rate(rules: Rules, deals: int) -> float:
    """Deals a second."""
    started = time.process_time()
    found = decide_numbered(0, deals, rules)
    seconds = time.process_time() - started
    assert not (found.verdict == UNDECIDED).any()
    return deals / seconds


def other_rate(program: str, rules: Rules, deals: int) -> float:
    """Deals a second of the plain program, or of the model's search."""
    chosen = [Deal.numbered(number, rules) for number in range(deals)]
    cards = [str(deal).split() for deal in chosen]
    started = time.process_time()
    if program == "plain":
        for deal in cards:
            plain.decide(deal, withhold=rules.withhold, skip_complete=rules.skip_complete)
    else:
        for deal in chosen:
            solve(deal, rules, engine="model", limits=Limits(memory_bytes=None))
    return deals / (time.process_time() - started)


def two_threads_against_one(rules: Rules, deals: int) -> float:
    """How many times as fast two threads decide twice the deals."""

    def decide(first: int) -> Any:
        return decide_numbered(first, deals, rules)

    started = time.perf_counter()
    decide(0)
    one = time.perf_counter() - started
    with ThreadPoolExecutor(2) as pool:
        started = time.perf_counter()
        list(pool.map(decide, [0, deals]))
    return 2 * one / (time.perf_counter() - started)


def seconds_of(*arguments: str, **environment: str) -> float:
    """The seconds that a command takes."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "amazons_solver", *arguments]
    subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False)  # noqa: S603
    return time.perf_counter() - started


def report(name: str, values: list[float], unit: str) -> None:
    print(f"{name:32} {statistics.median(values):10,.2f} {unit}")


def main(rounds: int) -> None:
    print(f"{'deals a second':32} {'kernel':>10} {'other':>10}    ratio")
    for name, rules, deals, program, other_deals in CASES:
        decide_numbered(0, 1, rules)  # compiled, and its table there, before the clock runs
        rates = [
            (kernel_rate(rules, deals), other_rate(program, rules, other_deals) if program else 0.0)
            for _ in range(rounds)
        ]
        kernel, other = (statistics.median(values) for values in zip(*rates, strict=True))
        line = f"{name:32} {kernel:10,.0f}"
        if program:
            line += f" {other:10,.1f} {statistics.median(a / b for a, b in rates):8,.0f} × {program}"
        print(line, flush=True)
    for name, rules, deals in (("patiencen", Rules.preset("patiencen"), 1_000_000), ("wikipedia", WIKIPEDIA, 10_000)):
        report(f"two threads, {name}", [two_threads_against_one(rules, deals) for _ in range(rounds)], "× one")
    starts: dict[str, Callable[[], float]] = {
        "--help": lambda: seconds_of("--help"),
        "an error": lambda: seconds_of("solve", "--rules", "nonsense", "7C"),
        "solve, warm": lambda: seconds_of("solve", "--number", "205"),
        "solve, warm, kernel alone": lambda: seconds_of("solve", "--number", "205", "--engine", "kernel"),
    }
    for name, measure in starts.items():
        report(name, [measure() for _ in range(rounds)], "s")
    with tempfile.TemporaryDirectory() as folder:
        first = seconds_of(
            "solve", "--number", "205", "--engine", "kernel", NUMBA_CACHE_DIR=folder, XDG_CACHE_HOME=folder
        )
    report("solve, first ever", [first], "s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
