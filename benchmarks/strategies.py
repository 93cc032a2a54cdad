"""Play out numbered deals by every strategy, for docs/odds.md.

Run it with ``python benchmarks/strategies.py [deals]``; the published tables have 100,000 deals.
"""

import itertools
import sys
import time
from collections.abc import Iterator

from amazons_solver import PRESETS, Rules
from amazons_solver.strategies.many import play_numbered
from amazons_solver.strategies.players import strategy_of
from amazons_solver.surveys.statistics import wilson

NAMES = ("greedy", "greedy:2", "one-ace", "one-ace:2", "random", "random:2")


def rules_of_tables() -> Iterator[tuple[str, Rules]]:
    """The presets, and the combinations of withhold, skip_complete, gather and top_anywhere."""
    for preset in PRESETS.values():
        yield f"`{preset.name}`", preset.rules
    choices = itertools.product(
        ("nothing", "bases", "any"), (False, True), ("left-over-right", "right-over-left"), (False, True)
    )
    for withhold, skip, gather, top in choices:
        words = [withhold, "skip" if skip else "no-skip", gather, *(["top-anywhere"] if top else [])]
        rules = Rules(withhold=withhold, skip_complete=skip, gather=gather, top_anywhere=top)  # type: ignore[arg-type]
        yield " ".join(words), rules


def main(deals: int) -> None:
    print(f"| rules | {' | '.join(f'{name}, %' for name in NAMES)} | games/s |")
    print(f"|---|{'--:|' * (len(NAMES) + 1)}")
    for name, rules in rules_of_tables():
        started = time.process_time()
        counts = [play_numbered(strategy_of(strategy), 0, deals, rules) for strategy in NAMES]
        rate = deals * len(NAMES) / (time.process_time() - started)
        cells = [wilson(count.won, count.lost).pretty.removesuffix(" %") for count in counts]
        print(f"| {name} | {' | '.join(cells)} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    play_numbered(strategy_of("greedy"), 0, 1, Rules())  # compiled before the clock runs
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
