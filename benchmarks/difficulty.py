"""Measure how hard winnable deals are under every preset, for docs/odds.md.

Run it with ``python benchmarks/difficulty.py [deals]``; the published table has the default, the first 500 winnable
deals of each preset.
"""

import sys
from collections import Counter
from itertools import islice

from amazons_solver import PRESETS, Deal, Verdict
from amazons_solver.strategies.difficulty import BOUNDS, difficulty
from amazons_solver.surveys.finding import find_deals

BINS = 10


def main(deals: int) -> None:
    bins = [f"{100 * i // BINS}–" for i in range(BINS)]
    print(f"| rules | {' | '.join(BOUNDS)} | median | {' | '.join(bins)} | choices | fatal |")
    print(f"|---|{'--:|' * (len(BOUNDS) + 3 + BINS)}")
    for preset in PRESETS.values():
        numbers = [found.number for found in islice(find_deals(preset.rules, Verdict.WINNABLE), deals)]
        measured = [difficulty(Deal.numbered(number, preset.rules), preset.rules) for number in numbers]
        found = sorted((one for one in measured if one is not None), key=lambda one: one.number)
        assert len(found) == deals
        levels = Counter(one.level for one in found)
        histogram = Counter(min(BINS - 1, int(one.number * BINS / 100)) for one in found)
        cells = [f"`{preset.name}`", *(f"{levels[level] / deals:.1%}" for level in BOUNDS)]
        cells += [f"{found[deals // 2].number:.0f}", *(str(histogram[i]) for i in range(BINS))]
        cells += [f"{sum(one.choices for one in found) / deals:.1f}", f"{sum(one.fatal for one in found) / deals:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
