"""Decides deals of the patience Amazons, proves both verdicts, and builds decision graphs.

>>> from amazons_solver import Deal, Rules, solve
>>> solve(Deal.pysolfc("24680"), Rules.preset("patiencen")).verdict.value
'unwinnable'
"""

from amazons_solver.errors import (
    AmazonsError,
    CertificateError,
    IllegalMoveError,
    MissingToolError,
    NotationError,
    OptionError,
    RulesError,
    UndecidedError,
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

__all__ = [
    "DEAL",
    "PRESETS",
    "REDEAL",
    "AmazonsError",
    "Card",
    "CertificateError",
    "Deal",
    "DealRow",
    "IllegalMoveError",
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
    "UndecidedError",
    "Verdict",
    "format_line",
    "parse_line",
    "parse_move",
    "solve",
    "solve_state",
]
