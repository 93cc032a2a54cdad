"""``report``: what ledgers of surveys say, next to what is published."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.options import AnswerOptions
from amazons_solver.errors import OptionError
from amazons_solver.files import is_same, write_whole

if TYPE_CHECKING:
    from amazons_solver.surveys.reports.report import Row

EXAMPLES = """\b
Examples:
  amazons-solver report odds.db
  amazons-solver report odds.db more.db --markdown odds.md --plots .
"""


def command(
    ledgers: Annotated[
        list[Path],
        typer.Argument(metavar="LEDGER", readable=False, help="Ledgers that survey wrote.", show_default=False),
    ],
    *,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", readable=False, help="Write the report as a Markdown page, too.")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(metavar="FOLDER", readable=False, help="Draw it into SVG files in a folder, too.")
    ] = None,
    answer: AnswerOptions,
) -> None:
    """Report the measured odds: by rules and player, with intervals, rare deals by number, and published odds.

    Ledgers are only read, and may belong to running surveys.
    """
    from amazons_solver.surveys.reports import report
    from amazons_solver.surveys.reports.plots import write_plots

    if markdown is not None:
        check_writable(markdown)
        if any(is_same(markdown, ledger) for ledger in ledgers):
            raise OptionError(f"expected another file for --markdown than the ledgers, got {markdown}")
    if plots is not None and not plots.is_dir():
        raise OptionError(f"expected a folder for --plots, got {plots}")
    for i, ledger in enumerate(ledgers):
        if any(is_same(ledger, other) for other in ledgers[:i]):
            raise OptionError(f"expected every ledger once, got {ledger} again")
    rows = report.rows_of(ledgers)
    if not rows:
        raise OptionError("expected deals in the ledgers, got none")
    if markdown is not None:
        with writing(markdown):
            write_whole(markdown, report.markdown_of(rows).encode())
        console.message(f"report written to {markdown}")
    if plots is not None:
        with writing(plots):
            for path in write_plots(rows, plots):
                console.message(f"plot written to {path}")
    if answer.as_json:
        console.write_json(report.json_of(rows))
        return
    _show(rows)


def _show(rows: "Sequence[Row]") -> None:
    """The report as a person reads it."""
    from rich.table import Table

    from amazons_solver.surveys.reports import report

    table = Table(box=None, padding=(0, 1))
    for column in report.COLUMNS:
        table.add_column(column, justify="left" if column in ("rules", "player") else "right", overflow="fold")
    for row in rows:
        table.add_row(*(console.plain(cell, sys.stdout) for cell in report.cells_of(row)))
    # Where nobody looks on, in a file or a pipe, a row stays a line.
    console.show(table, width=None if console.width() else 1_000)
    for heading, lines in (
        ("deals by number", report.remarks_of(rows)),
        ("published odds, and what is within a quarter of them", report.claims_of(rows)),
    ):
        if lines:
            console.write(f"\n{heading}")
        for line in lines:
            console.write(console.plain(f"  {line}", sys.stdout))
