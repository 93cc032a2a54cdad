"""Checks: deals of a survey decided once more by the model, and proved to the checker of certificates."""

import random
import threading
from typing import Literal

from amazons_solver.errors import CertificateError, UndecidedError
from amazons_solver.kernel import fits
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.proofs.certificate import certificate_of
from amazons_solver.proofs.checker import verify
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import StopReason
from amazons_solver.solving.solve import Verdict, solve
from amazons_solver.surveys.result import Check

__all__ = ["check_deal", "sample_of"]

MOST_STATES = 1_000_000
"""States that the model, the search for a closed set and the checker may have, each."""


def sample_of(deals: range, count: int, seed: int) -> list[int]:
    """Deals drawn at random without one twice, the same for the same seed; all of them if there are no more."""
    source = random.Random(seed)  # noqa: S311 (a sample, not a secret)
    return sorted(source.sample(deals, min(count, len(deals))))


def check_deal(
    rules: Rules,
    number: int,
    found: Literal["won", "lost", "undecided"],
    stop: threading.Event | None = None,
) -> Check:
    """Decide a deal by the model, and have its certificate checked; `found` is what the survey says of it.

    For a deal that is too large for the model, the checker still replays the line that the kernel finds.
    """
    if found == "undecided" or (stop is not None and stop.is_set()):
        return Check(number, found, "left out")
    deal, limits = Deal.numbered(number, rules), Limits(states=MOST_STATES)
    solution = solve(deal, rules, engine="model", limits=limits)
    by_model = solution.verdict is not Verdict.UNDECIDED
    if not by_model and fits.decides(rules) and found == "won":
        solution = solve(deal, rules, engine="kernel")
    if solution.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if solution.verdict is Verdict.UNDECIDED:
        return Check(number, found, "left out")
    if solution.verdict is not (Verdict.WINNABLE if found == "won" else Verdict.UNWINNABLE):
        return Check(number, found, "wrong")
    try:
        verify(certificate_of(solution, limits=limits), max_states=MOST_STATES)
    except UndecidedError:
        return Check(number, found, "by the model" if by_model else "left out")
    except CertificateError:
        return Check(number, found, "wrong")
    return Check(number, found, "by both" if by_model else "by its certificate")
