"""How many redeals a win takes at least: the distribution over numbered deals, which docs/results.md has.

Run it with ``python benchmarks/fewest_results.py PRESET COUNT``: deals 0 to COUNT - 1 by a preset, on all cores.
Nothing is limited but memory, so every number is the least.
"""

import statistics
import sys
from collections import Counter
from multiprocessing import Pool

from amazons_solver import Deal, Limits, Rules, State
from amazons_solver.kernel.boundaries.search import search_fewest
from amazons_solver.search.result import StopReason

BELOW = 100_000


def fewest(question: tuple[str, int]) -> int:
    """The least number of redeals of a deal; -1 if it is unwinnable."""
    preset, number = question
    rules = Rules.preset(preset)
    result, at_least = search_fewest(State.initial(Deal.numbered(number, rules), rules), BELOW, Limits())
    assert not result.stop_reason.is_limit
    return at_least if result.stop_reason is StopReason.GOAL else -1


def main(preset: str, count: int) -> None:
    """Print a row of the table, and the histogram."""
    fewest((preset, 0))  # compiled once
    with Pool() as pool:
        found = pool.map(fewest, [(preset, number) for number in range(count)], chunksize=20)
    won = [redeals for redeals in found if redeals >= 0]
    most = max(won)
    print(f"| {preset} | {count:,} | {len(won):,} | {statistics.mean(won):.2f} | {statistics.median(won):.0f} ", end="")
    print(f"| {min(won)} | {most} | {found.index(most)} |")
    print(", ".join(f"{redeals}: {deals:,}" for redeals, deals in sorted(Counter(won).items())))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
