"""Measure the odds in docs/results.md, and write its tables and plots.

Run ``python benchmarks/results.py LEDGER`` in a checkout; it takes about half an hour on two idle cores. Deals that
the ledger has are not decided again, so an interrupted run resumes; the tables are always of one version of the solver.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from amazons_solver import PRESETS, Rules, survey
from amazons_solver.model.rules import described
from amazons_solver.surveys.reports.plots import write_plots
from amazons_solver.surveys.reports.report import COLUMNS, Row, cells_of, claims_of, remarks_of, rows_of

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "results.md"
MILLION = 1_000_000
PLAYERS = ("greedy", "one-ace", "one-ace:2", "random", "greedy:2", "random:2")
SLOW = {"wikipedia": MILLION, "morehead": MILLION, "pysolfc-2.16": MILLION}
"""Presets of which fewer deals are decided than ten million."""


def solved() -> Iterator[tuple[Rules, int]]:
    """The rules, and how many deals are decided by each."""
    for name, preset in PRESETS.items():
        yield preset.rules, SLOW.get(name, 10 * MILLION)
    for gather, skip, withhold in product(
        ("left-over-right", "right-over-left"), (False, True), ("nothing", "bases", "any")
    ):
        slow = withhold == "bases" and not skip
        hardest = slow and gather == "right-over-left"
        rules = Rules().with_settings(
            [f"gather={gather}", f"skip_complete={str(skip).lower()}", f"withhold={withhold}"]
        )
        yield rules, 360_000 if hardest else MILLION if slow else 10 * MILLION
    yield PRESETS["morehead"].rules.evolve(withhold="nothing"), 10 * MILLION
    yield PRESETS["patiencen"].rules.evolve(idle_passes=None), 10 * MILLION


def played() -> Iterator[tuple[Rules, str]]:
    """The rules, and the strategies that play the first 100,000 deals by them."""
    yield from product((preset.rules for preset in PRESETS.values()), PLAYERS)
    for settings in ({"skip_complete": True}, {"skip_complete": True, "withhold": "any"}, {"withhold": "any"}):
        yield from product([Rules().evolve(**settings)], PLAYERS[:4])


def table(rows: Iterable[Row], columns: Sequence[str]) -> str:
    """Some columns of the report's table."""
    shown = [COLUMNS.index(column) for column in columns]
    lines = [columns, ["---" if column in ("rules", "player") else "--:" for column in columns]]
    lines += [[cells_of(row)[i] for i in shown] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def replaced(page: str, name: str, text: str) -> str:
    """The page with the text between the two comments of this name."""
    begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
    found, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{text}\n{end}", page, flags=re.DOTALL
    )
    assert count == 1, f"expected one block {name} on the page, got {count}"
    return found


def main(ledger: Path) -> None:
    """Decide what is not in the ledger, and write the page."""
    done: set[Rules] = set()
    for rules, deals in solved():
        if rules not in done:
            done.add(rules)
            print(
                described(rules),
                survey(range(deals), rules, ledger=ledger, add=True, on="threads").interval,
                flush=True,
            )
    for rules, player in played():
        survey(range(100_000), rules, player=player, ledger=ledger, add=True, on="threads")
    rows = rows_of([ledger])
    won = [row for row in rows if row.by_solver]
    (version,) = {row.entry.question.version for row in rows}
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    page = PAGE.read_text(encoding="utf-8")
    for name, text in {
        "odds": table(won, [column for column in COLUMNS if column != "player"]),
        "rare": "\n".join(f"- {remark}" for remark in remarks_of(won)),
        "players": table(
            [row for row in rows if not row.by_solver], ["rules", "player", "deals", "won", "lost", "%", "redeals"]
        ),
        "published": "\n".join(f"- {line}" for line in claims_of(rows)),
        "version": f"The tables above are of amazons-solver {version}, commit {commit}.",
    }.items():
        page = replaced(page, name, text)
    PAGE.write_text(page, encoding="utf-8")
    write_plots(rows, ROOT / "docs" / "plots")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
