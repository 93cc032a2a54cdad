"""What certificates of unwinnable deals cost: gathered by the kernel and by the model, written, and checked.

Run it with ``python benchmarks/certificates.py``; its table is in docs/results.md. Seconds are of CPU time, compiling
not counted. The model has a million states to decide with, and as many to gather with.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from amazons_solver import Deal, Limits, Rules, Verdict, solve
from amazons_solver.proofs.certificate import Certificate, certificate_of
from amazons_solver.proofs.checker import verify

ResultT = TypeVar("ResultT")

MODEL_LIMITS = Limits(states=1_000_000)
HARD: dict[str, Any] = {"idle_passes": None, "skip_complete": False, "withhold": "bases"}
ROWS: list[tuple[str, dict[str, Any], int]] = [
    ("patiencen", {}, 3),
    ("patiencen", {"skip_complete": False, "withhold": "bases"}, 3),
    ("patiencen", HARD, 81),
    ("patiencen", HARD, 989),
    ("patiencen", HARD, 9740),
    ("pysolfc", {"max_redeals": 2}, 3),
    ("wikipedia", {"withhold": "any", "max_redeals": 6}, 2),
]


def timed(act: Callable[[], ResultT]) -> tuple[ResultT, float]:
    """What comes of it, and the CPU seconds that it takes."""
    started = time.process_time()
    result = act()
    return result, time.process_time() - started


def size_of(certificate: Certificate, path: Path) -> int:
    """Bytes of the certificate's file."""
    certificate.write(path)
    return path.stat().st_size


def row(preset: str, changes: dict[str, Any], number: int, directory: Path) -> str:
    """A line of a Markdown table for one deal."""
    rules = Rules.preset(preset).evolve(**changes)
    deal = Deal.numbered(number, rules)
    solution, deciding = timed(lambda: solve(deal, rules, engine="kernel"))
    certificate, gathering = timed(lambda: certificate_of(solution))
    decided = solve(deal, rules, engine="model", limits=MODEL_LIMITS)
    gathering_by_model = "–"
    if decided.verdict is Verdict.UNWINNABLE:
        same, seconds = timed(lambda: certificate_of(decided, limits=MODEL_LIMITS))
        assert same == certificate
        gathering_by_model = f"{seconds:.2f} s"
    _, checking = timed(lambda: verify(certificate))
    states = certificate.states or ()
    bytes_plain, bytes_packed = (size_of(certificate, directory / name) for name in ("proof.json", "proof.json.gz"))
    changed = " ".join(f"{name}={'none' if value is None else value}".lower() for name, value in changes.items())
    cells = [
        f"`{preset}` {changed}".strip(),
        f"{number}",
        f"{len(states):,}",
        f"{deciding:.2f} s",
        f"{gathering:.2f} s",
        gathering_by_model,
        f"{bytes_plain / 1000:,.0f} kB",
        f"{bytes_packed / 1000:,.0f} kB",
        f"{checking:.2f} s",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    small = Rules(suits="CD", ranks="A7", withhold="nothing")
    certificate_of(solve(Deal.parse("7D AC 7C AD", small), small, engine="kernel"))  # compiled before the clock runs
    print("| rules | deal | states | decided | gathered | by the model | file | packed | checked |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as directory:
        for preset, changes, number in ROWS:
            print(row(preset, changes, number, Path(directory)), flush=True)


if __name__ == "__main__":
    main()
