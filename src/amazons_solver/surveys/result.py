"""What a survey reports on the way, and what it found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import attrs

from amazons_solver.model.arguments import no_truth
from amazons_solver.model.rules import Rules
from amazons_solver.render.html import table_html
from amazons_solver.surveys.plan import SOLVER

if TYPE_CHECKING:
    from amazons_solver.surveys.statistics import Interval

__all__ = ["Check", "SurveyProgress", "SurveyResult"]


@attrs.frozen
class SurveyProgress:
    """How far a survey is."""

    deals: int
    """Deals asked for; of retries, deals to be retried."""
    done: int
    """Those finished, including the ones that the ledger already had."""
    decided_now: int
    """Those finished by this run."""
    won: int
    lost: int
    undecided: int
    seconds: float
    """Time since the workers were ready."""
    checking: bool = False
    """Whether these are the deals of the sample, which are decided once more."""

    @property
    def rate(self) -> float:
        """Deals a second in this run."""
        return self.decided_now / self.seconds if self.seconds > 0 else 0.0

    @property
    def interval(self) -> "Interval | None":
        """Wilson's interval of the share of deals won, 95 %; ``None`` as long as there is no deal."""
        return _interval(self.won, self.lost, self.undecided)

    @property
    def seconds_left(self) -> float | None:
        """Time left at that rate; ``None`` as long as there is no rate."""
        return (self.deals - self.done) / self.rate if self.rate > 0 else None


@attrs.frozen
class Check:
    """What became of a deal that was decided once more."""

    number: int
    found: str
    """What the survey says: ``won``, ``lost`` or ``undecided``."""
    outcome: Literal["by both", "by the model", "by its certificate", "left out", "wrong"]
    """By what it was confirmed: the model and a certificate that the checker accepted, or one of them, where the deal
    is too large for the other; or it was too large for both, or undecided; or it was contradicted."""

    __bool__ = no_truth("a check", 'compare its outcome with "wrong"')


@attrs.frozen
class SurveyResult:
    """What a survey found of the deals asked for, whoever decided them and when."""

    rules: Rules
    player: str
    """Who played: the solver or a strategy."""
    asked: range
    """The deals asked for."""
    deals: int
    """Deals counted here: all of those asked for, unless the survey was interrupted."""
    won: int
    lost: int
    undecided: int
    states_total: int
    """States of the deals decided."""
    unit: str
    """What is counted as a state."""
    states: Mapping[int, int] = attrs.field(hash=False)
    """Deals decided, by the bit length of their number of states: b counts those of 2^(b-1) to 2^b - 1."""
    redeals: Mapping[int, int] = attrs.field(hash=False)
    """Deals won, by the redeals of the line found."""
    hardest: tuple[tuple[int, int], ...]
    """Number and states of the ten deals decided that have most states, most first."""
    undecided_deals: tuple[int, ...]
    """The undecided deals by number; of more than a thousand the first ones (the ledger has all)."""
    checks: tuple[Check, ...]
    """The sample that was decided once more, by number."""
    interrupted: bool
    """Whether Ctrl-C ended the survey before all was done."""
    decided_now: int = attrs.field(eq=False)
    """Deals that this run decided; the ledger had the others."""
    not_tried: int = attrs.field(eq=False)
    """Undecided deals that were not retried: these limits were no larger than those of their last try."""
    seconds: float = attrs.field(eq=False)
    """Wall-clock time of this run from the workers' being ready to the end."""
    startup_seconds: float = attrs.field(eq=False)
    """Wall-clock time before that: to compile what was not yet, and to start the workers."""

    __bool__ = no_truth("what a survey found", "compare its counts")

    @property
    def interval(self) -> "Interval | None":
        """Wilson's interval of the share of deals won, 95 %; ``None`` as long as there is no deal."""
        return _interval(self.won, self.lost, self.undecided)

    def _repr_html_(self) -> str:
        """How notebooks show it: what was found. The time it took is left out."""
        won, lost = ("winnable", "unwinnable") if self.player == SOLVER else (f"won by {self.player}", "lost")
        facts = [("deals", self.deals), (won, self.won), (lost, self.lost), ("undecided", self.undecided)]
        rows = [(name, f"{count:,}") for name, count in facts]
        if self.hardest:
            rows.append(("hardest", f"numbered:{self.hardest[0][0]}, {self.hardest[0][1]:,} {self.unit}"))
        return table_html(rows, caption="nothing known" if self.interval is None else f"{self.interval.pretty} {won}")

    @property
    def rate(self) -> float:
        """Deals a second that this run decided."""
        return self.decided_now / self.seconds if self.seconds > 0 else 0.0


def _interval(won: int, lost: int, undecided: int) -> "Interval | None":
    from amazons_solver.surveys.statistics import wilson  # noqa: PLC0415 (the standard library's takes a while to load)

    return wilson(won, lost, undecided) if won + lost + undecided else None
