"""Count the winnable deals of every small deck, for docs/small-decks.md.

Run it with ``python benchmarks/census.py [most cards]``; 10 is the default. With 12 it takes half an hour.
"""

import math
import sys

from amazons_solver import PRESETS
from amazons_solver.survey.census import census

SUITS, RANKS = "CDHS", "A23456789TJQK"


def main(most_cards: int) -> None:
    print(f"| suits × ranks | deals | {' | '.join(f'`{name}`' for name in PRESETS)} |")
    print(f"|---|--:|{'--:|' * len(PRESETS)}")
    for suits in range(1, len(SUITS) + 1):
        for ranks in range(1, min(len(RANKS), most_cards // suits) + 1):
            cells = [f"{suits} × {ranks}", f"{math.factorial(suits * ranks):,}"]
            for preset in PRESETS.values():
                share = census(preset.rules.evolve(suits=SUITS[:suits], ranks=RANKS[:ranks]))
                exact = f"{share.numerator:,}/{share.denominator:,}" if share.denominator > 1 else f"{share}"
                cells.append(exact if share.denominator == 1 else f"{exact} = {100 * float(share):.3f} %")
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
