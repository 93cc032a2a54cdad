"""What ledgers say, variant by variant, beside what is published."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from amazons_solver.model.rules import Rules
from amazons_solver.surveys.ledgers.ledger import Entry, Ledger
from amazons_solver.surveys.plan import SOLVER, joined
from amazons_solver.surveys.statistics import Interval, wilson

__all__ = ["PUBLISHED", "Claim", "Row", "fitting", "json_of", "markdown_of", "median", "rows_of"]

_RARE_SHARE = 0.001
_RARE_MOST = 1_000
_FIT = 1.25

RuleNames = Callable[[Rules], str]


@attrs.frozen
class Row:
    """One survey of a ledger."""

    rules: Rules
    player: str
    """``solver``, or the strategy that played."""
    ranges: tuple[range, ...]
    """The deals that were surveyed."""
    won: int
    lost: int
    undecided: int
    interval: Interval
    """Of the share of deals that can be won, or that the strategy wins."""
    unit: str
    states_total: int
    deals_per_second: float
    """Of one worker."""
    redeals: Mapping[int, int] = attrs.field(hash=False)
    hardest: tuple[tuple[int, int], ...]
    rare: str | None
    """The verdict that one deal in a thousand has at most: ``won`` or ``lost``."""
    rare_deals: tuple[int, ...]
    """The numbers of those deals; of more than a thousand the first ones."""
    undecided_deals: tuple[int, ...]
    version: str

    @property
    def deals(self) -> int:
        """How many."""
        return self.won + self.lost + self.undecided

    @property
    def by_solver(self) -> bool:
        """Whether it says what can be won at all."""
        return self.player == SOLVER


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
    tally, _ = book.tally(entry)
    if not tally.deals:
        return None
    rare: str | None = None
    numbers: list[int] = []
    for verdict, count in (("won", tally.won), ("lost", tally.lost)):
        if 0 < count <= _RARE_SHARE * tally.deals:
            rare = verdict
            found = book.numbers(entry, "won" if verdict == "won" else "lost")
            numbers = [number for number, _ in zip(found, range(_RARE_MOST), strict=False)]
    return Row(
        rules=entry.question.rules,
        player=entry.question.player,
        ranges=tuple(joined(book.done(entry))),
        won=tally.won,
        lost=tally.lost,
        undecided=tally.undecided,
        interval=wilson(tally.won, tally.lost, tally.undecided),
        unit=entry.unit,
        states_total=tally.states_total,
        deals_per_second=tally.deals / tally.seconds if tally.seconds else 0.0,
        redeals=dict(sorted(tally.redeals.items())),
        hardest=tally.hardest,
        rare=rare,
        rare_deals=tuple(numbers),
        undecided_deals=tuple(tally.undecided_deals),
        version=entry.question.version,
    )


def fitting(claim: Claim, rows: Iterable[Row]) -> list[Row]:
    """The surveys that measured about what is claimed: all of the interval is within a quarter more, or less, of it.

    Readings of the rules under which it can be won so often, and strategies that win it so often, nearest first; of a
    claim about a strategy, that strategy with any patience. A survey of few or undecided deals fits nothing.
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


def median(histogram: Mapping[int, int]) -> int | None:
    """The least value that at least half of the deals do not exceed.

    >>> median({3: 1, 7: 2, 9: 1})
    7
    """
    half, seen = sum(histogram.values()) / 2, 0
    for value, count in sorted(histogram.items()):
        seen += count
        if seen >= half:
            return value
    return None


def json_of(rows: Sequence[Row]) -> dict[str, object]:
    """The report as JSON has it."""
    return {
        "surveys": [
            {
                "rules": row.rules.to_dict(),
                "player": row.player,
                "ranges": [[part.start, part.stop] for part in row.ranges],
                "deals": row.deals,
                "winnable" if row.by_solver else "won": row.won,
                "unwinnable" if row.by_solver else "lost": row.lost,
                "undecided": row.undecided,
                "interval": [row.interval.low, row.interval.high],
                "deals_per_second": round(row.deals_per_second, 1),
                "states_total": row.states_total,
                "unit": row.unit,
                "redeals": row.redeals,
                "hardest": [{"deal": number, "states": states} for number, states in row.hardest],
                "rare": row.rare,
                "rare_deals": list(row.rare_deals),
                "undecided_deals": list(row.undecided_deals),
                "version": row.version,
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


def cells_of(row: Row, name: RuleNames) -> tuple[str, ...]:
    """A row of the report's table under `COLUMNS`; redeals are the median and the most."""
    middle = median(row.redeals)
    return (
        name(row.rules).replace(" rules", "", 1),
        row.player,
        f"{row.deals:,}",
        f"{row.won:,}",
        f"{row.lost:,}",
        f"{row.undecided:,}",
        row.interval.pretty.removesuffix(" %"),
        "" if middle is None else f"{middle}, {max(row.redeals)}",
        f"{row.hardest[0][0]}: {row.hardest[0][1]:,}" if row.hardest and row.by_solver else "",
        f"{row.deals_per_second:,.0f}",
    )


def remarks_of(rows: Sequence[Row], name: RuleNames) -> list[str]:
    """What deserves a line of its own: rare deals, undecided ones, and that no sample says 100 %."""
    remarks = []
    for row in (row for row in rows if row.by_solver):
        what, where = name(row.rules), ", ".join(f"{part.start} - {part.stop - 1}" for part in row.ranges)
        if row.rare is not None:
            numbers = ", ".join(map(str, row.rare_deals))
            word = "winnable" if row.rare == "won" else "unwinnable"
            more = " ..." if len(row.rare_deals) == _RARE_MOST else ""
            remarks.append(f"{what}: of deals {where} these are {word}: {numbers}{more}")
        for count, word in ((row.lost, "unwinnable"), (row.won, "winnable")):
            if not count:
                beside = f", and {row.undecided:,} are undecided" if row.undecided else ""
                share = row.interval.pretty
                remarks.append(
                    f"{what}: none of the deals {where} is {word}{beside}; the sample says {share} can be won"
                )
        if row.undecided_deals:
            numbers = ", ".join(map(str, row.undecided_deals))
            more = " ..." if row.undecided > len(row.undecided_deals) else ""
            remarks.append(f"{what}: undecided: {numbers}{more}")
    return remarks


def claims_of(rows: Sequence[Row], name: RuleNames) -> list[str]:
    """The published odds, and what fits them."""
    lines = []
    for claim in PUBLISHED:
        found = [
            f"{name(row.rules)} as {'best' if row.by_solver else row.player} play has it ({row.interval.pretty})"
            for row in fitting(claim, rows)
        ]
        lines.append(f"{claim.text} ({claim.source}): " + ("; ".join(found) if found else "fits nothing here"))
    return lines


def markdown_of(rows: Sequence[Row], name: RuleNames) -> str:
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
        *(f"| {' | '.join(cells_of(row, name))} |" for row in rows),
        "",
    ]
    remarks = remarks_of(rows, name)
    if remarks:
        lines += ["## Deals by number", "", *(f"- {remark}" for remark in remarks), ""]
    lines += [
        "## Published odds",
        "",
        "What was measured, with all of its interval, within a quarter more or less of what is published, nearest",
        "first; beside odds of one ace at a time, that strategy alone:",
        "",
        *(f"- {line}" for line in claims_of(rows, name)),
        "",
        f"Measured with amazons-solver {', '.join(sorted({row.version for row in rows}))}.",
        "",
    ]
    return "\n".join(lines)
