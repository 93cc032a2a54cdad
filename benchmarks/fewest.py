"""The fewest redeals by the kernel, against the model's search in the order of redeals.

Run it with ``python benchmarks/fewest.py [rounds]``. Compiling is not counted, nor are the endgame tables. Every round
takes each program once, in turn, on other deals; the table has medians over the rounds, by processor time.
"""

import statistics
import sys
import time

from amazons_solver import Deal, Limits, Rules, State
from amazons_solver.kernel.boundaries.search import search_fewest
from amazons_solver.solving.redeals import fewest_redeals

WIKIPEDIA = Rules()

# name, rules, deals a round of the kernel, and of the model
CASES: list[tuple[str, Rules, int, int]] = [
    ("patiencen", Rules.preset("patiencen"), 2_000, 100),
    ("ultimate", Rules.preset("ultimate"), 2_000, 100),
    ("wikipedia, nothing", WIKIPEDIA.evolve(withhold="nothing"), 2_000, 100),
    ("pysolfc", Rules.preset("pysolfc"), 30, 0),
    ("pysolfc-2.16", Rules.preset("pysolfc-2.16"), 30, 0),
    ("wikipedia", WIKIPEDIA, 30, 0),
    ("morehead", Rules.preset("morehead"), 30, 0),
    ("wikipedia, skip, any", WIKIPEDIA.evolve(skip_complete=True, withhold="any"), 6, 0),
    ("wikipedia, any", WIKIPEDIA.evolve(withhold="any"), 3, 0),
]
BELOW = 1_000
UNLIMITED = Limits(memory_bytes=None)


def main(rounds: int) -> None:
    """Print the table."""
    print("| work | deals/s | boundaries a deal, median | slowest deal, s | times the model |")
    print("|---|--:|--:|--:|--:|")
    for name, rules, deals, others in CASES:
        rates, ratios, stored, slowest = [], [], [], 0.0
        search_fewest(State.initial(Deal.numbered(0, rules), rules), BELOW, UNLIMITED)
        for number in range(rounds):
            starts = [State.initial(Deal.numbered(number * deals + i, rules), rules) for i in range(deals)]
            seconds = 0.0
            for start in starts:
                began = time.process_time()
                result, _ = search_fewest(start, BELOW, UNLIMITED)
                took = time.process_time() - began
                seconds, slowest = seconds + took, max(slowest, took)
                stored.append(result.stats.states)
            rates.append(deals / seconds)
            if others:
                began = time.process_time()
                for start in starts[:others]:
                    fewest_redeals(start, BELOW, engine="model", limits=UNLIMITED)
                ratios.append(rates[-1] * (time.process_time() - began) / others)
        ratio = f"{statistics.median(ratios):.0f}" if ratios else "-"
        rate = statistics.median(rates)
        speed, boundaries = f"{rate:,.{0 if rate >= 10 else 1}f}", f"{statistics.median(stored):,.0f}"
        print(f"| {name} | {speed} | {boundaries} | {slowest:.2f} | {ratio} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
