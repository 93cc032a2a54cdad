"""What ledgers say, variant by variant, next to what is published."""

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs

from amazons_solver.model.rules import Rules, described
from amazons_solver.surveys.ledgers.ledger import Entry, Ledger
from amazons_solver.surveys.plan import SOLVER, joined
from amazons_solver.surveys.statistics import Interval, wilson
from amazons_solver.surveys.tally import Tally

__all__ = ["PUBLISHED", "Claim", "Row", "fitting", "json_of", "markdown_of", "quartiles", "rows_of"]

_RARE_SHARE = 0.001
_RARE_MOST = 1_000
_FIT = 1.25


@attrs.frozen
class Row:
    """One survey of a ledger."""

    entry: Entry
    ranges: tuple[range, ...]
    """The deals that were surveyed."""
    counts: Tally
    rare: Literal["won", "lost"] | None
    """The verdict that one deal in a thousand has at most."""
    rare_deals: tuple[int, ...]
    """The numbers of those deals; of more than a thousand the first ones."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.entry.question.rules

    @property
    def player(self) -> str:
        """``solver``, or the strategy that played."""
        return self.entry.question.player

    @property
    def by_solver(self) -> bool:
        """Whether it says what can be won at all."""
        return self.player == SOLVER

    @property
    def interval(self) -> Interval:
        """Of the share of deals that can be won, or that the strategy wins."""
        return wilson(self.counts.won, self.counts.lost, self.counts.undecided)

    @property
    def deals_per_second(self) -> float:
        """Of one worker."""
        return self.counts.deals / self.counts.seconds if self.counts.seconds else 0.0


@attrs.frozen
class Claim:
    """Odds as published."""

    text: str
    source: str
    share: float
    strategy: str | None = None
    """The strategy that it is about; others are about the game, so about best play or anybody's."""


PUBLISHED = (
    Claim("1 in 5", "Ultimate Book of Card Games", 1 / 5),
    Claim("1 in 10", "encyclopedia, info box", 1 / 10),
    Claim("as many as half, one ace at a time", "encyclopedia, strategy section", 1 / 2, "one-ace"),
)


def rows_of(paths: Iterable[Path]) -> list[Row]:
    """The surveys of some ledgers, in the order of the ledgers and of their beginning; empty ones are left out.

    Raises:
        LedgerError: a file is no ledger, or damaged.
    """
    rows = []
    for path in paths:
        with Ledger.open(path, write=False) as book:
            rows += [row for entry in book.entries() if (row := _row_of(book, entry)) is not None]
    return rows


def _row_of(book: Ledger, entry: Entry) -> Row | None:
    counts, _ = book.tally(entry)
    if not counts.deals:
        return None
    rare: Literal["won", "lost"] | None = None
    if 0 < counts.won <= _RARE_SHARE * counts.deals:
        rare = "won"
    if 0 < counts.lost <= _RARE_SHARE * counts.deals:
        rare = "lost"
    numbers = () if rare is None else tuple(itertools.islice(book.numbers(entry, rare), _RARE_MOST))
    return Row(entry, tuple(joined(book.done(entry))), counts, rare, numbers)


def fitting(claim: Claim, rows: Iterable[Row]) -> list[Row]:
    """The surveys that measured about what is claimed: all of the interval is within a quarter more, or less, of it.

    Readings of the rules under which it can be won that often, and strategies that win that often, nearest first; for a
    claim about a strategy, only that strategy, with any patience. A survey of few or undecided deals fits nothing.
    """

    def fits(row: Row) -> bool:
        return (
            claim.strategy in (None, row.player.partition(":")[0])
            and claim.share / _FIT <= row.interval.low
            and row.interval.high <= claim.share * _FIT
        )

    def off(row: Row) -> float:
        middle = row.interval.midpoint
        return max(middle / claim.share, claim.share / middle)

    return sorted(filter(fits, rows), key=off)


def quartiles(histogram: Mapping[int, int]) -> list[int]:
    """The least value, the lower quartile, the median, the upper quartile and the most.

    >>> quartiles({3: 1, 7: 2, 9: 1})
    [3, 3, 7, 7, 9]
    """
    values = sorted(histogram)
    seen = list(itertools.accumulate(histogram[value] for value in values))
    return [values[bisect_left(seen, share * seen[-1])] for share in (0, 0.25, 0.5, 0.75, 1)]


def json_of(rows: Sequence[Row]) -> dict[str, object]:
    """The report as JSON has it."""
    return {
        "surveys": [
            {
                "rules": row.rules.to_dict(),
                "player": row.player,
                "ranges": [[part.start, part.stop] for part in row.ranges],
                "deals": row.counts.deals,
                "winnable" if row.by_solver else "won": row.counts.won,
                "unwinnable" if row.by_solver else "lost": row.counts.lost,
                "undecided": row.counts.undecided,
                "interval": [row.interval.low, row.interval.high],
                "deals_per_second": round(row.deals_per_second, 1),
                "states_total": row.counts.states_total,
                "unit": row.entry.unit,
                "redeals": dict(sorted(row.counts.redeals.items())),
                "hardest": [{"deal": number, "states": states} for number, states in row.counts.hardest],
                "rare": row.rare,
                "rare_deals": list(row.rare_deals),
                "undecided_deals": list(row.counts.undecided_deals),
                "version": row.entry.question.version,
            }
            for row in rows
        ],
        "published": [
            {
                "claim": claim.text,
                "source": claim.source,
                "share": claim.share,
                "fits": [{"rules": row.rules.to_dict(), "player": row.player} for row in fitting(claim, rows)],
            }
            for claim in PUBLISHED
        ],
    }


COLUMNS = ("rules", "player", "deals", "won", "lost", "undecided", "%", "redeals", "hardest deal", "deals/s")


def cells_of(row: Row) -> tuple[str, ...]:
    """A row of the report's table under `COLUMNS`; redeals are the median and the most."""
    counts = row.counts
    return (
        described(row.rules).replace(" rules", "", 1),
        row.player,
        f"{counts.deals:,}",
        f"{counts.won:,}",
        f"{counts.lost:,}",
        f"{counts.undecided:,}",
        row.interval.pretty.removesuffix(" %"),
        f"{quartiles(counts.redeals)[2]}, {max(counts.redeals)}" if counts.redeals else "",
        f"{counts.hardest[0][0]}: {counts.hardest[0][1]:,}" if counts.hardest and row.by_solver else "",
        f"{row.deals_per_second:,.0f}",
    )


def remarks_of(rows: Sequence[Row]) -> list[str]:
    """What deserves a line of its own: rare deals, undecided ones, and that no sample says 100 %."""
    remarks = []
    for row in (row for row in rows if row.by_solver):
        counts = row.counts
        what, where = described(row.rules), ", ".join(f"{part.start} - {part.stop - 1}" for part in row.ranges)
        if row.rare is not None:
            numbers = ", ".join(map(str, row.rare_deals))
            word = "winnable" if row.rare == "won" else "unwinnable"
            more = " ..." if len(row.rare_deals) == _RARE_MOST else ""
            remarks.append(f"{what}: of deals {where} these are {word}: {numbers}{more}")
        for count, word in ((counts.lost, "unwinnable"), (counts.won, "winnable")):
            if not count:
                beside = f", and {counts.undecided:,} are undecided" if counts.undecided else ""
                share = row.interval.pretty
                remarks.append(
                    f"{what}: none of the deals {where} is {word}{beside}; the sample says {share} can be won"
                )
        if counts.undecided_deals:
            numbers = ", ".join(map(str, counts.undecided_deals))
            more = " ..." if counts.undecided > len(counts.undecided_deals) else ""
            remarks.append(f"{what}: undecided: {numbers}{more}")
    return remarks


def claims_of(rows: Sequence[Row]) -> list[str]:
    """The published odds, and what fits them."""
    lines = []
    for claim in PUBLISHED:
        found = [
            f"{described(row.rules)} as {'best' if row.by_solver else row.player} play has it ({row.interval.pretty})"
            for row in fitting(claim, rows)
        ]
        lines.append(f"{claim.text} ({claim.source}): " + ("; ".join(found) if found else "fits nothing here"))
    return lines


def markdown_of(rows: Sequence[Row]) -> str:
    """The report as a page."""
    right = [column in ("rules", "player") for column in COLUMNS]
    lines = [
        "# Odds",
        "",
        "Won and lost are what can be won and what cannot, or with a strategy as the player what it won; % is Wilson's",
        "interval at 95 %, with undecided deals on either side; redeals are those of the lines found, median and most;",
        "deals/s are of one worker.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'|'.join('---' if left else '--:' for left in right)}|",
        *(f"| {' | '.join(cells_of(row))} |" for row in rows),
        "",
    ]
    remarks = remarks_of(rows)
    if remarks:
        lines += ["## Deals by number", "", *(f"- {remark}" for remark in remarks), ""]
    lines += [
        "## Published odds",
        "",
        "What was measured, with all of its interval, within a quarter more or less of what is published, nearest",
        "first; beside odds of one ace at a time, that strategy alone:",
        "",
        *(f"- {line}" for line in claims_of(rows)),
        "",
        f"Measured with amazons-solver {', '.join(sorted({row.entry.question.version for row in rows}))}.",
        "",
    ]
    return "\n".join(lines)
