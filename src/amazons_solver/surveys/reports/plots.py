"""Pictures of a report, drawn by matplotlib: a labelled row for each survey, so that no legend is needed."""

import importlib.util
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from amazons_solver.errors import MissingToolError
from amazons_solver.files import write_whole
from amazons_solver.model.rules import described
from amazons_solver.surveys.reports.report import Row, quartiles

__all__ = ["write_plots"]

_INCHES_A_ROW, _INCHES_A_LETTER = 0.24, 0.08
_STYLE = {"svg.hashsalt": "amazons-solver", "svg.fonttype": "none"}
"""Fixed ids: the same report gives the same bytes. Letters stay text, which can be searched and read aloud."""

_REDEAL_TICKS = [0, 1, 2, 3, 5, 7, *(step * 10**power for power in range(7) for step in (10, 15, 20, 30, 50, 70))]
"""For an axis that is linear up to 2, and logarithmic from there."""


def write_plots(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write what the rows have: winnability by rules, players against best play, redeals of the lines found.

    Raises:
        MissingToolError: matplotlib is not installed.
        OSError: a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingToolError("expected matplotlib for plots: pip install matplotlib")
    from matplotlib import style  # noqa: PLC0415 (an optional package)

    best = [row for row in rows if row.by_solver]
    pictures = {}
    with style.context(["default", _STYLE]):
        if best:
            pictures["winnability"] = _shares("Deals that can be won", [(described(row.rules), row) for row in best])
        if len(best) < len(rows):
            pictures["players"] = _shares("Games won, by best play and by strategies", _beside(rows))
        if with_lines := [row for row in best if row.counts.redeals]:
            pictures["redeals"] = _redeals("Redeals of the lines found", with_lines)
    paths = []
    for file, picture in pictures.items():
        paths.append(folder / f"{file}.svg")
        write_whole(paths[-1], picture.encode())
    return paths


def _beside(rows: Sequence[Row]) -> list[tuple[str, Row | None]]:
    """Under a heading for each rules that a strategy played by: the strategies, and best play."""
    lines: list[tuple[str, Row | None]] = []
    for rules in dict.fromkeys(row.rules for row in rows if not row.by_solver):
        lines.append((described(rules), None))
        lines += [("best play" if row.by_solver else row.player, row) for row in rows if row.rules == rules]
    return lines


def _shares(title: str, lines: Sequence[tuple[str, Row | None]]) -> str:
    """A point a row, with its interval, best play's a diamond; a line without a row is a heading."""
    figure, axes = _figure(title, [label for label, _ in lines])
    for label, place, (_, row) in zip(axes.get_yticklabels(), axes.get_yticks(), lines, strict=True):
        if row is None:
            label.set_fontweight("bold")
            continue
        axes.errorbar(
            [100 * row.interval.midpoint],
            [place],
            xerr=[100 * row.interval.half_width],
            fmt="D" if row.by_solver else "o",
            color="C0" if row.by_solver else "C1",
            markersize=4,
        )
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, 10))
    axes.set_xlabel("% of all deals (95 % intervals)")
    values = " ".join(f"{label}: {row.interval}." if row else f"{label}:" for label, row in lines)
    return _svg(figure, title, f"Per cent of all deals, with 95 % intervals. {values}")


def _redeals(title: str, rows: Sequence[Row]) -> str:
    """A row's least and most redeals, the middle half of its deals, and the median."""
    figure, axes = _figure(title, [described(row.rules) for row in rows])
    words, far = [], 10
    for place, row in enumerate(rows):
        least, lower, middle, upper, most = quartiles(row.counts.redeals)
        axes.plot([least, most], [place, place], "|-", color="C0", linewidth=1)
        axes.plot([lower, upper], [place, place], color="C0", linewidth=6, alpha=0.5, solid_capstyle="butt")
        axes.plot([middle], [place], "o", color="C0", markersize=4)
        words.append(f"{described(row.rules)}: {least}, {lower}, {middle}, {upper}, {most}.")
        far = max(far, most)
    axes.set_xscale("symlog", linthresh=2, linscale=0.5)
    axes.set_xlim(-0.3, 1.05 * far)
    axes.set_xticks([tick for tick in _REDEAL_TICKS if tick <= far])
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.minorticks_off()
    axes.set_xlabel("redeals (line: least to most; bar: middle half; point: median)")
    return _svg(figure, title, f"Redeals: least, lower quartile, median, upper quartile, most. {' '.join(words)}")


def _figure(title: str, labels: Sequence[str]) -> tuple[Any, Any]:
    """A row for each label, from the top."""
    from matplotlib.figure import Figure  # noqa: PLC0415 (an optional package)

    size = (5 + _INCHES_A_LETTER * max(map(len, labels)), 1 + _INCHES_A_ROW * len(labels))
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title)
    axes = figure.subplots()
    axes.set_yticks(range(len(labels)), labels=labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="x", top=True, labeltop=True)
    axes.grid(alpha=0.3)
    return figure, axes


def _svg(figure: Any, title: str, description: str) -> str:
    data = BytesIO()
    figure.savefig(data, format="svg", metadata={"Date": None, "Title": title})
    # matplotlib writes the title, but no description where programs that read aloud look for it.
    head, end, body = data.getvalue().decode().partition("</title>")
    head = head.replace("<svg ", '<svg role="img" ', 1)
    return f"{head}{end}<desc>{escape(description)}</desc>{body}"
