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
import sys
from typing import TYPE_CHECKING

try:
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
    from amazons_solver.model.version import version
    from amazons_solver.proofs.certificate import Certificate, certificate_of, certify
    from amazons_solver.proofs.checker import verify
    from amazons_solver.search.limits import Limits
    from amazons_solver.search.result import Stats, StopReason
    from amazons_solver.solving.solve import Solution, Verdict, solve, solve_state
    from amazons_solver.strategies.difficulty import Difficulty, difficulty
    from amazons_solver.strategies.players import Strategy, strategy_of
    from amazons_solver.strategies.playout import Playout, play_out
    from amazons_solver.surveys.finding import find_deals
    from amazons_solver.surveys.result import SurveyProgress, SurveyResult
    from amazons_solver.surveys.running.run import survey
except Exception as _error:  # attrs, say, is damaged: of a command that is no answer, and not exit code 1
    if not ending.is_program():
        raise
    from amazons_solver.cli.unforeseen import report

    sys.exit(report(_error))

if TYPE_CHECKING:
    from amazons_solver.export.writers import export_graph, export_parts, write_graph
    from amazons_solver.graphs.arrays import DecisionArrays
    from amazons_solver.graphs.graph import DecisionGraph, decision_graph
    from amazons_solver.hints.annotation import Annotation, Mark, annotate
    from amazons_solver.hints.hint import Hint, MoveHint, hint
    from amazons_solver.hints.knowledge import Knowledge
    from amazons_solver.hints.lost import Lost, why_lost
    from amazons_solver.kernel.batch import Verdicts as Verdicts
    from amazons_solver.kernel.batch import decide_deals as decide_deals
    from amazons_solver.kernel.batch import decide_numbered as decide_numbered
    from amazons_solver.proofs.checker import Proof
    from amazons_solver.render.cards import card_symbols
    from amazons_solver.render.html import table_html
    from amazons_solver.render.svg import deal_svg, line_svg, state_svg
    from amazons_solver.strategies.players import Greedy, OneAce, RandomLegal, Table
    from amazons_solver.surveys.census import census as census
    from amazons_solver.surveys.finding import Found
    from amazons_solver.surveys.result import Check
    from amazons_solver.surveys.statistics import Interval, wilson

__all__ = [
    "DEAL",
    "PRESETS",
    "REDEAL",
    "AmazonsError",
    "Annotation",
    "Card",
    "Certificate",
    "CertificateError",
    "Check",
    "Deal",
    "DealRow",
    "DecisionArrays",
    "DecisionGraph",
    "Difficulty",
    "Found",
    "Greedy",
    "Hint",
    "IllegalMoveError",
    "Interval",
    "Knowledge",
    "LedgerError",
    "Limits",
    "Lost",
    "Mark",
    "MissingToolError",
    "Move",
    "MoveHint",
    "NotationError",
    "OneAce",
    "OptionError",
    "Play",
    "Playout",
    "Preset",
    "Proof",
    "RandomLegal",
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
    "Table",
    "UndecidedError",
    "Verdict",
    "WorkerError",
    "annotate",
    "card_symbols",
    "certificate_of",
    "certify",
    "deal_svg",
    "decision_graph",
    "difficulty",
    "export_graph",
    "export_parts",
    "find_deals",
    "format_line",
    "hint",
    "line_svg",
    "parse_line",
    "parse_move",
    "play_out",
    "solve",
    "solve_state",
    "state_svg",
    "strategy_of",
    "survey",
    "table_html",
    "verify",
    "why_lost",
    "wilson",
    "write_graph",
]


_FETCHED = {
    name: module
    for module, names in {
        "export.writers": ["export_graph", "export_parts", "write_graph"],
        "graphs.arrays": ["DecisionArrays"],
        "graphs.graph": ["DecisionGraph", "decision_graph"],
        "hints.annotation": ["Annotation", "Mark", "annotate"],
        "hints.hint": ["Hint", "MoveHint", "hint"],
        "hints.knowledge": ["Knowledge"],
        "hints.lost": ["Lost", "why_lost"],
        "kernel.batch": ["Verdicts", "decide_deals", "decide_numbered"],
        "proofs.checker": ["Proof"],
        "render.cards": ["card_symbols"],
        "render.html": ["table_html"],
        "render.svg": ["deal_svg", "line_svg", "state_svg"],
        "strategies.players": ["Greedy", "OneAce", "RandomLegal", "Table"],
        "surveys.census": ["census"],
        "surveys.finding": ["Found"],
        "surveys.result": ["Check"],
        "surveys.statistics": ["Interval", "wilson"],
    }.items()
    for name in names
}
"""By name, the module that is loaded when it is first asked for. Those that load the compiler are not in `__all__`."""


def __getattr__(name: str) -> object:
    """The names that are fetched when they are first asked for: many bring numpy or a compiler with them."""
    if name == "__version__":
        return version()
    if name not in _FETCHED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"amazons_solver.{_FETCHED[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
