"""Decides deals of the patience Amazons, proves both verdicts, and builds decision graphs.

>>> from amazons_solver import Deal, Rules, solve
>>> solve(Deal.pysolfc("24680"), Rules.preset("patiencen")).verdict.value
'unwinnable'
"""

from typing import TYPE_CHECKING

from amazons_solver.certificate import Certificate, certificate_of, certify
from amazons_solver.errors import (
    AmazonsError,
    CertificateError,
    IllegalMoveError,
    LedgerError,
    MissingToolError,
    NotationError,
    OptionError,
    RulesError,
    UndecidedError,
    WorkerError,
)
from amazons_solver.model.cards import Card, Rank, Suit
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import (
    DEAL,
    REDEAL,
    DealRow,
    Move,
    Play,
    Redeal,
    format_line,
    parse_line,
    parse_move,
)
from amazons_solver.model.rules import PRESETS, Preset, Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Stats, StopReason
from amazons_solver.solve import Solution, Verdict, solve, solve_state
from amazons_solver.survey.result import SurveyProgress, SurveyResult
from amazons_solver.survey.run import survey
from amazons_solver.verify import verify

if TYPE_CHECKING:
    from amazons_solver.graph import DecisionGraph, decision_graph

__all__ = [
    "DEAL",
    "PRESETS",
    "REDEAL",
    "AmazonsError",
    "Card",
    "Certificate",
    "CertificateError",
    "Deal",
    "DealRow",
    "DecisionGraph",
    "IllegalMoveError",
    "LedgerError",
    "Limits",
    "MissingToolError",
    "Move",
    "NotationError",
    "OptionError",
    "Play",
    "Preset",
    "Rank",
    "Redeal",
    "Rules",
    "RulesError",
    "Solution",
    "State",
    "Stats",
    "StopReason",
    "Suit",
    "SurveyProgress",
    "SurveyResult",
    "UndecidedError",
    "Verdict",
    "WorkerError",
    "certificate_of",
    "certify",
    "decision_graph",
    "format_line",
    "parse_line",
    "parse_move",
    "solve",
    "solve_state",
    "survey",
    "verify",
]


def __getattr__(name: str) -> object:
    """The names of the decision graph, fetched when they are first asked for: they bring networkx with them."""
    if name not in ("DecisionGraph", "decision_graph"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from amazons_solver import graph  # noqa: PLC0415

    return getattr(graph, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
