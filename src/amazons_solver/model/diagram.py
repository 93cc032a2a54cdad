"""The table as a person sees it, in plain text."""

from collections.abc import Sequence
from itertools import zip_longest


def diagram(talon: Sequence[str], depots: Sequence[Sequence[str]], foundations: Sequence[str]) -> str:
    """Foundations above their depots, depots bottom to top downwards, and the talon, next card first.

    Every argument holds card texts; an empty foundation is an empty text.
    """
    rows: list[Sequence[str]] = [[top or "--" for top in foundations]]
    rows += zip_longest(*depots, fillvalue="") if any(depots) else [["--"] * len(depots)]
    width = max(len(text) for row in rows for text in row)
    labels = ["foundations", "depots"] + [""] * (len(rows) - 2)
    lines = [
        f"{label:<12} " + "  ".join(f"{text:<{width}}" for text in row) for label, row in zip(labels, rows, strict=True)
    ]
    lines.append(f"{f'talon ({len(talon)})':<12} " + (" ".join(talon) or "--"))
    return "\n".join(line.rstrip() for line in lines)
