"""Decide numbered deals under every preset and combination of the encyclopedia's rules, for docs/results.md.

Run it with ``python benchmarks/decide_everything.py [deals under each preset] [deals under each combination]``; the
defaults, 100,000 and 10,000, are those of the published table. No deal may need more than 2 GiB.
"""

import itertools
import sys
import time
from collections.abc import Iterator

from amazons_solver import PRESETS, Limits, Rules
from amazons_solver.kernel.batch import UNDECIDED, UNWINNABLE, WINNABLE, decide_numbered

CHUNK = 1_000
LIMITS = Limits(memory_bytes=2 * 2**30)


def variants() -> Iterator[tuple[str, Rules]]:
    """Gather × skip_complete × withhold × top_anywhere × leftmost and any placement, building by suit."""
    choices = itertools.product(
        ("leftmost", "any"),
        ("left-over-right", "right-over-left"),
        (True, False),
        ("nothing", "bases", "any"),
        (False, True),
    )
    for placement, gather, skip, withhold, top in choices:
        name = " ".join([placement, gather, "skip" if skip else "no-skip", withhold, "top-anywhere" if top else ""])
        yield (
            name.strip(),
            Rules(
                base_placement=placement,  # type: ignore[arg-type]
                gather=gather,  # type: ignore[arg-type]
                skip_complete=skip,
                withhold=withhold,  # type: ignore[arg-type]
                top_anywhere=top,
            ),
        )


def row(name: str, rules: Rules, deals: int) -> str:
    """Decide deals 0 … `deals` - 1 and report them as a line of a Markdown table."""
    counts = dict.fromkeys((WINNABLE, UNWINNABLE, UNDECIDED), 0)
    slowest = most = total = 0
    decide_numbered(0, 1, rules)  # compiled before the clock runs
    started = time.process_time()
    for first in range(0, deals, CHUNK):
        found = decide_numbered(first, min(CHUNK, deals - first), rules, limits=LIMITS)
        for verdict in counts:
            counts[verdict] += int((found.verdict == verdict).sum())
        total += int(found.states.sum())
        if found.states.max() > most:
            most, slowest = int(found.states.max()), first + int(found.states.argmax())
    rate = deals / (time.process_time() - started)
    cells = [*(f"{counts[verdict]:,}" for verdict in counts), f"{slowest}", f"{most:,}", f"{total / deals:,.0f}"]
    return f"| {name} | {deals:,} | {' | '.join(cells)} | {rate:,.0f} |"


def main(preset_deals: int, variant_deals: int) -> None:
    print("| rules | deals | winnable | unwinnable | undecided | slowest deal | its states | states a deal | deals/s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for preset in PRESETS.values():
        print(row(f"`{preset.name}`", preset.rules, preset_deals), flush=True)
    for name, rules in variants():
        print(row(name, rules, variant_deals), flush=True)


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    main(*(arguments + [100_000, 10_000][len(arguments) :]))
