"""What becomes of a deal that is decided once more."""

from typing import Any, Literal

import pytest

from amazons_solver import CertificateError, Deal, Limits, Rules, Solution, UndecidedError, solve
from amazons_solver.surveys.result import Check
from amazons_solver.surveys.running import checks
from support.known import load_verdicts

pytestmark = pytest.mark.compiled

PATIENCEN = Rules.preset("patiencen")
KNOWN = {
    row["deal"]: row["verdict"]
    for row in load_verdicts()
    if row["preset"] == "patiencen" and row["set"] == {} and isinstance(row.get("deal"), int)
}
WON, LOST = (next(deal for deal in KNOWN if KNOWN[deal] == word) for word in ("winnable", "unwinnable"))


def outcome(number: int, found: Literal["won", "lost", "undecided"]) -> str:
    check = checks.check_deal(PATIENCEN, number, found)
    assert check == Check(number, found, check.outcome)
    return check.outcome


def test_the_truth_is_confirmed_and_nothing_else() -> None:
    assert (outcome(WON, "won"), outcome(LOST, "lost")) == ("by both", "by both")
    assert (outcome(WON, "lost"), outcome(LOST, "won")) == ("wrong", "wrong")
    assert (outcome(WON, "undecided"), outcome(LOST, "undecided")) == ("left out", "left out")


def test_too_large_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a deal won the checker still replays the line that the kernel finds."""

    def gives_up(deal: Deal, rules: Rules, *, engine: Any, limits: Limits | None = None) -> Solution:
        return solve(deal, rules, engine=engine, limits=Limits(states=2) if engine == "model" else limits)

    monkeypatch.setattr(checks, "solve", gives_up)
    assert (outcome(WON, "won"), outcome(LOST, "lost")) == ("by its certificate", "left out")
    assert outcome(LOST, "won") == "wrong"
    monkeypatch.setattr(checks, "MOST_STATES", 2)  # the checker gives up, too
    assert outcome(WON, "won") == "left out"


@pytest.mark.parametrize(("error", "expected"), [(UndecidedError, "by the model"), (CertificateError, "wrong")])
def test_what_the_checker_says_is_told(error: type[Exception], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error("expected better")

    monkeypatch.setattr(checks, "verify", fail)
    assert (outcome(WON, "won"), outcome(LOST, "lost")) == (expected, expected)
