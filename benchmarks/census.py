"""Count the winnable deals of every small deck, for docs/small-decks.md.

Run it with ``python benchmarks/census.py [deck ...]``, with decks such as ``4x3``: suits and ranks. The default, every
deck of at most ten cards, takes some minutes.
"""

import math
import sys

from amazons_solver import PRESETS
from amazons_solver.surveys.census import census

SUITS, RANKS = "CDHS", "A23456789TJQK"


def main(decks: list[tuple[int, int]]) -> None:
    print(f"| suits × ranks | deals | {' | '.join(f'`{name}`' for name in PRESETS)} |")
    print(f"|---|--:|{'--:|' * len(PRESETS)}")
    for suits, ranks in decks:
        cells = [f"{suits} × {ranks}", f"{math.factorial(suits * ranks):,}"]
        for preset in PRESETS.values():
            share = census(preset.rules.evolve(suits=SUITS[:suits], ranks=RANKS[:ranks]))
            exact = f"{share.numerator:,}/{share.denominator:,}" if share.denominator > 1 else f"{share}"
            cells.append(exact if share.denominator == 1 else f"{exact} = {100 * float(share):.3f} %")
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    small = [(suits, ranks) for suits in range(1, 5) for ranks in range(1, 14) if suits * ranks <= 10]
    asked = [(int(suits), int(ranks)) for suits, ranks in (deck.split("x") for deck in sys.argv[1:])]
    main(asked or small)
