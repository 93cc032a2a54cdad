"""Pictures of a report, drawn by matplotlib."""

import importlib.util
import itertools
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from amazons_solver.errors import MissingToolError
from amazons_solver.files import write_whole
from amazons_solver.survey.report import Row, RuleNames

__all__ = ["write_plots"]

_INCHES_A_ROW = 0.3


def write_plots(rows: Sequence[Row], folder: Path, name: RuleNames) -> list[Path]:
    """Write what the rows have: winnability by rules, players beside best play, redeals of the lines found.

    Raises:
        MissingToolError: matplotlib is not installed.
        OSError: a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingToolError("expected matplotlib for plots: pip install matplotlib")
    best = [row for row in rows if row.by_solver]
    figures = {}
    if best:
        figures["winnability"] = _shares(best, [name(row.rules) for row in best], "deals that can be won, %")
    if len(best) < len(rows):
        played = list(dict.fromkeys(row.rules for row in rows if not row.by_solver))
        beside = [row for rules in played for row in rows if row.rules == rules]
        labels = [f"{name(row.rules)}, {row.player if not row.by_solver else 'best play'}" for row in beside]
        figures["players"] = _shares(beside, labels, "games won, %")
    if any(row.redeals for row in best):
        figures["redeals"] = _redeals(best, name)
    paths = []
    for file, figure in figures.items():
        data = BytesIO()
        # No date and fixed ids: the same report gives the same bytes.
        figure.savefig(data, format="svg", metadata={"Date": None})
        paths.append(folder / f"{file}.svg")
        write_whole(paths[-1], data.getvalue())
    return paths


def _figure(width: float, height: float) -> tuple[Any, Any]:
    import matplotlib as mpl  # noqa: PLC0415 (an optional package)
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcParams["svg.hashsalt"] = "amazons-solver"
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _shares(rows: Sequence[Row], labels: Sequence[str], what: str) -> Any:
    """A point a row, with its interval."""
    figure, axes = _figure(9, 1.2 + _INCHES_A_ROW * len(rows))
    places = range(len(rows))
    axes.errorbar(
        [100 * row.interval.midpoint for row in rows],
        list(places),
        xerr=[100 * row.interval.half_width for row in rows],
        fmt="o",
        markersize=4,
        capsize=3,
    )
    axes.set_yticks(list(places), labels=list(labels))
    axes.invert_yaxis()
    axes.set_xlim(-2, 102)
    axes.set_xlabel(what + " (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _redeals(rows: Sequence[Row], name: RuleNames) -> Any:
    """A line a row: the share of the winnable deals whose line has at most so many redeals."""
    from matplotlib.ticker import ScalarFormatter  # noqa: PLC0415 (an optional package)

    figure, axes = _figure(9, 5)
    for row in rows:
        if row.redeals:
            won = sum(row.redeals.values())
            shares = [100 * deals / won for deals in itertools.accumulate(row.redeals.values())]
            axes.step(list(row.redeals), shares, where="post", label=name(row.rules))
    axes.set_xlabel("at most so many redeals in the line found")
    axes.set_ylabel("winnable deals, %")
    axes.set_xscale("symlog", linthresh=10)
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    return figure
