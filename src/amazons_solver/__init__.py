"""Decides deals of the patience Amazons, proves both verdicts, and builds decision graphs.

>>> from amazons_solver import Deal, Rules, solve
>>> solve(Deal.pysolfc("24680"), Rules.preset("patiencen")).verdict.value
'unwinnable'
"""

# isort: off
from amazons_solver.cli import ending

if ending.is_program():  # Ctrl-C may come while the rest is imported, and is then no fault to be shown
    ending.catch_signals()
# isort: on

import importlib
from typing import TYPE_CHECKING

from amazons_solver.certificate import Certificate, certificate_of, certify
from amazons_solver.difficulty import Difficulty, difficulty
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
from amazons_solver.finding import find_deals
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
from amazons_solver.model.version import version
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Stats, StopReason
from amazons_solver.solve import Solution, Verdict, solve, solve_state
from amazons_solver.strategies import Playout, Strategy, play_out, strategy_of
from amazons_solver.survey.result import SurveyProgress, SurveyResult
from amazons_solver.survey.run import survey
from amazons_solver.verify import verify

if TYPE_CHECKING:
    from amazons_solver.analysis import Annotation, Hint, Knowledge, Lost, Mark, MoveHint, annotate, hint, why_lost
    from amazons_solver.graph import DecisionGraph, decision_graph

__all__ = [
    "DEAL",
    "PRESETS",
    "REDEAL",
    "AmazonsError",
    "Annotation",
    "Card",
    "Certificate",
    "CertificateError",
    "Deal",
    "DealRow",
    "DecisionGraph",
    "Difficulty",
    "Hint",
    "IllegalMoveError",
    "Knowledge",
    "LedgerError",
    "Limits",
    "Lost",
    "Mark",
    "MissingToolError",
    "Move",
    "MoveHint",
    "NotationError",
    "OptionError",
    "Play",
    "Playout",
    "Preset",
    "Rank",
    "Redeal",
    "Rules",
    "RulesError",
    "Solution",
    "State",
    "Stats",
    "StopReason",
    "Strategy",
    "Suit",
    "SurveyProgress",
    "SurveyResult",
    "UndecidedError",
    "Verdict",
    "WorkerError",
    "annotate",
    "certificate_of",
    "certify",
    "decision_graph",
    "difficulty",
    "find_deals",
    "format_line",
    "hint",
    "parse_line",
    "parse_move",
    "play_out",
    "solve",
    "solve_state",
    "strategy_of",
    "survey",
    "verify",
    "why_lost",
]


_FETCHED = {
    **dict.fromkeys(["DecisionGraph", "decision_graph"], "graph"),
    **dict.fromkeys(
        ["Annotation", "Hint", "Knowledge", "Lost", "Mark", "MoveHint", "annotate", "hint", "why_lost"], "analysis"
    ),
}


def __getattr__(name: str) -> object:
    """The names that are fetched when they are first asked for: graphs bring networkx with them."""
    if name == "__version__":
        return version()
    if name not in _FETCHED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"amazons_solver.{_FETCHED[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
