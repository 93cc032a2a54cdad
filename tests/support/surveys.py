"""What the tests of surveys share."""

import contextlib
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from amazons_solver import Deal, Rules, Verdict, solve
from amazons_solver.surveys.ledgers.ledger import Ledger
from support.command_line import environment

FORCED = Rules(suits="CD", ranks="A789", withhold="nothing", idle_passes=3)
"""Eight cards: some deals are won, most are lost, and no endgame table applies, so that counts are those of `solve`."""


def rows(ledger: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a ledger holds, but for times."""
    with contextlib.closing(sqlite3.connect(ledger)) as connection:
        found = {}
        for table in ("surveys", "chunks", "retries"):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "seconds"]
            found[table] = sorted(connection.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=repr)  # noqa: S608
    return found


def verdicts(ledger: Path) -> list[tuple[int, Any]]:
    """What a ledger says of each deal, whatever its chunks."""
    with Ledger.open(ledger, write=False) as book:
        return [
            (number, book.verdict_of(entry, number, book.retries(entry)))
            for entry in book.entries()
            for part in book.done(entry)
            for number in part
        ]


def decided(ledger: Path) -> int:
    """The deals that a ledger has."""
    with Ledger.open(ledger, write=False) as book:
        return sum(len(part) for entry in book.entries() for part in book.done(entry))


def one_by_one(deals: range, rules: Rules, engine: Any = "kernel") -> dict[str, Any]:
    """The counts of a survey, by deciding deal after deal."""
    found = [(number, solve(Deal.numbered(number, rules), rules, engine=engine)) for number in deals]
    return {
        "won": sum(solution.verdict is Verdict.WINNABLE for _, solution in found),
        "lost": sum(solution.verdict is Verdict.UNWINNABLE for _, solution in found),
        "states_total": sum(solution.stats.states for _, solution in found),
        "states": dict(sorted(Counter(solution.stats.states.bit_length() for _, solution in found).items())),
        "redeals": dict(
            sorted(Counter(solution.redeals for _, solution in found if solution.redeals is not None).items())
        ),
        "hardest": tuple(
            sorted(((number, solution.stats.states) for number, solution in found), key=lambda d: (-d[1], d[0]))[:10]
        ),
    }


def script(code: str, *arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """A Python process of its own that runs this code."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(options.pop("env", None)),
        **options,
    )
