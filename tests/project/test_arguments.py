"""Arguments of the wrong type are told in words; whatever is an integer to Python is one."""

import importlib
import inspect
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import amazons_solver
from amazons_solver import (
    Card,
    Certificate,
    Deal,
    IllegalMoveError,
    Knowledge,
    Limits,
    OptionError,
    Play,
    Rules,
    RulesError,
    State,
    annotate,
    certificate_of,
    certify,
    decision_graph,
    difficulty,
    find_deals,
    format_line,
    hint,
    parse_line,
    parse_move,
    play_out,
    solve,
    solve_state,
    strategy_of,
    survey,
    verify,
    why_lost,
)
from amazons_solver.export import export_graph, write_graph
from amazons_solver.model.arguments import checked
from amazons_solver.render.cards import card_symbols
from amazons_solver.render.svg import deal_svg, line_svg, state_svg
from amazons_solver.strategies.players import Greedy, OneAce, RandomLegal
from amazons_solver.surveys.statistics import wilson

RULES = Rules(suits="CD", ranks="A78")
DEAL = Deal.numbered(7, RULES)
START = State.initial(DEAL, RULES)

# What is wrong, what is to be told of it.
WRONG: dict[str, tuple[Callable[..., object], tuple[Any, ...], dict[str, Any], str]] = {
    "solve rules": (
        solve,
        (DEAL, "pysolfc"),
        {},
        "rules as Rules (such as Rules.preset(\"pysolfc\")) or none, got 'pysolfc' (solve)",
    ),
    "solve deal": (solve, ("24680",), {}, "deal as Deal (such as Deal.pysolfc(24680)), got '24680' (solve)"),
    "solve a state": (solve, (START,), {}, "deal as Deal"),
    "solve limits": (
        solve,
        (DEAL, RULES),
        {"limits": 5},
        "limits as Limits (such as Limits(seconds=5)) or none, got 5 (solve)",
    ),
    "solve progress": (solve, (DEAL, RULES), {"progress": True}, "progress as a function or none, got True"),
    "solve_state": (solve_state, (DEAL,), {}, "state as State"),
    "card": (Card, ("7", "H"), {}, "rank as Rank (such as Rank.SEVEN), got '7' (Card)"),
    "card text": (Card.parse, (7,), {}, "text as text, got 7"),
    "play": (Play, ("7H", 2), {}, 'card as Card (such as Card.parse("7H"))'),
    "deal of a list": (Deal, (list(DEAL.cards),), {}, "cards as a tuple of Card"),
    "deal of texts": (Deal, (("7C", "AC"),), {}, "cards as a tuple of Card"),
    "deal text": (Deal.parse, (7,), {}, "text as text, got 7 (Deal.parse)"),
    "deal rules": (Deal.numbered, (7, "pysolfc"), {}, "rules as Rules"),
    "deal seed": (Deal.random, (), {"seed": "x"}, "seed as a whole number or none, got 'x'"),
    "preset": (Rules.preset, ([],), {}, "name as text, got []"),
    "settings": (RULES.with_settings, ("withhold=any",), {}, "settings as a sequence, got 'withhold=any'"),
    "rules fields": (Rules.from_dict, (5,), {}, "fields as a mapping, got 5"),
    "rules json": (Rules.from_json, (b"{}",), {}, "text as text"),
    "state": (State.initial, (7,), {}, "deal as Deal"),
    "state text": (State.parse, (None,), {}, "text as text, got None"),
    "line": (START.play_line, (5,), {}, "moves as a sequence or text, got 5"),
    "parse_line": (parse_line, (["d"],), {}, "text as text, got ['d']"),
    "parse_move": (parse_move, (1,), {}, "text as text, got 1"),
    "format_line": (format_line, (1,), {}, "moves as a sequence or text, got 1"),
    "limits seconds": (Limits, (), {"seconds": "5"}, "seconds as a number or none, got '5' (Limits)"),
    "limits states": (Limits, (), {"states": 2.5}, "states as a whole number or none, got 2.5 (Limits)"),
    "limits bool": (Limits, (), {"states": True}, "states as a whole number or none, got True (Limits)"),
    "limits bool seconds": (Limits, (), {"seconds": True}, "seconds as a number or none, got True (Limits)"),
    "find_deals": (find_deals, ("pysolfc",), {}, "rules as Rules"),
    "find_deals first": (find_deals, (RULES,), {"first": 1.5}, "first as a whole number, got 1.5"),
    "difficulty": (difficulty, (7,), {}, "deal as Deal"),
    "certify": (certify, (DEAL, 5), {}, "rules as Rules"),
    "certificate_of": (certificate_of, (DEAL,), {}, "solution as Solution (such as solve(deal, rules))"),
    "certificate": (Certificate, (5, "", "winnable"), {}, "rules as a mapping, got 5"),
    "certificate states": (Certificate, ({}, "", "unwinnable"), {"states": "AC"}, "states as a tuple of text or none"),
    "certificate json": (Certificate.from_json, (5,), {}, "text as text, got 5"),
    "certificate path": (Certificate.read, (5,), {}, "path as text or a path, got 5"),
    "verify": (verify, (5,), {}, "certificate as Proof (such as certify(deal, rules)), got 5"),
    "graph": (decision_graph, ("7C AC",), {}, "deal as Deal"),
    "graph merge": (decision_graph, (DEAL, RULES), {"merge_suits": "no"}, "merge_suits as true or false, got 'no'"),
    "export": (export_graph, (START, "json"), {}, "decision_graph as DecisionGraph"),
    "export path": (write_graph, (START, 5), {}, "decision_graph as DecisionGraph"),
    "hint": (hint, (DEAL,), {}, "state as State (such as State.initial(deal, rules))"),
    "hint knowledge": (hint, (START,), {"knowledge": {}}, "knowledge as Knowledge or none, got {}"),
    "annotate": (annotate, (DEAL, 5, RULES), {}, "line as a sequence or text, got 5"),
    "why_lost": (why_lost, ("x",), {}, "state as State"),
    "knowledge": (Knowledge().verdict, ("x",), {}, "state as State"),
    "play_out": (
        play_out,
        ("greedy", DEAL),
        {},
        "strategy as Strategy (such as strategy_of(\"greedy\")), got 'greedy'",
    ),
    "strategy_of": (strategy_of, (5,), {}, "text as text, got 5"),
    "patience": (OneAce, ("3",), {}, "patience as a whole number or none, got '3' (OneAce)"),
    "survey": (survey, (5,), {}, "deals as a range (such as range(1000)), got 5 (survey)"),
    "survey workers": (survey, (range(5), RULES), {"workers": "2"}, "workers as a whole number or none, got '2'"),
    "survey ledger": (survey, (range(5), RULES), {"ledger": 5}, "ledger as text or a path or none, got 5"),
    "wilson": (wilson, ("1", 2), {}, "won as a whole number, got '1'"),
    "state_svg": (state_svg, (DEAL,), {}, "state as State"),
    "deal_svg": (deal_svg, (START,), {}, "deal as Deal"),
    "line_svg": (line_svg, (DEAL, "d"), {}, "start as State"),
    "card_symbols": (card_symbols, (7,), {}, "cards as a sequence, got 7"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_told_in_words(name: str) -> None:
    function, arguments, named, told = WRONG[name]
    with pytest.raises(OptionError, match=re.escape(f"expected {told}")):
        function(*arguments, **named)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("census", ("pysolfc",), "rules as Rules"),
        ("decide_numbered", ("0", 5, RULES), "first as a whole number, got '0'"),
        ("decide_deals", (5, RULES), "deals as a sequence, got 5"),
    ],
)
def test_a_wrong_type_is_told_in_words_by_what_is_loaded_with_the_compiler(
    name: str, arguments: tuple[Any, ...], told: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(f"expected {told}")):
        getattr(amazons_solver, name)(*arguments)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_integers_of_numpy_are_integers(kind: Callable[[int], Any]) -> None:
    seven = kind(7)
    assert Deal.numbered(seven) == Deal.numbered(7)
    assert Deal.numbered(seven).name == "numbered:7"
    assert Deal.pysolfc(seven) == Deal.pysolfc(7)
    assert Deal.random(seed=seven) == Deal.random(seed=7)
    assert Limits(states=seven, seconds=seven, memory_bytes=seven) == Limits(states=7, seconds=7, memory_bytes=7)
    rules = RULES.evolve(max_redeals=seven, idle_passes=seven)
    assert rules.to_json() == RULES.evolve(max_redeals=7, idle_passes=7).to_json()
    assert [found.number for found in islice(find_deals(RULES, first=seven), 3)] == [
        found.number for found in islice(find_deals(RULES, first=7), 3)
    ]
    assert str(Play(Card.parse("7H"), kind(2))) == "7H>2"
    assert (OneAce(seven), Greedy(seven), RandomLegal(seven)) == (OneAce(7), Greedy(7), RandomLegal(7))
    assert wilson(seven, kind(2)) == wilson(7, 2)
    decide_numbered = amazons_solver.decide_numbered
    assert decide_numbered(seven, kind(3), RULES).verdict.tolist() == decide_numbered(7, 3, RULES).verdict.tolist()
    found = survey(range(seven, 20), RULES, on="threads", workers=kind(1), chunk=seven, seed=seven)
    assert (found.won + found.lost, found.asked) == (13, range(7, 20))


@pytest.mark.compiled
def test_the_last_deal_is_one_of_numpys_numbers() -> None:
    last = np.uint64(2**64 - 1)
    assert Deal.numbered(last) == Deal.numbered(2**64 - 1)
    assert [found.number for found in find_deals(RULES.evolve(withhold="any"), first=last)] in ([], [2**64 - 1])


def test_numbers_that_are_not_whole_ones_of_python() -> None:
    assert Limits(seconds=np.float64(1.5)).seconds == 1.5
    with pytest.raises(RulesError, match="expected max_redeals to be none or a whole number of at least 0, got True"):
        Rules(max_redeals=True)
    with pytest.raises(RulesError, match=r"got 1\.5"):
        Rules(max_redeals=1.5)  # type: ignore[arg-type]


def test_calls_that_python_refuses_are_left_to_it() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        solve()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword"):
        solve(DEAL, RULES, seconds=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional argument"):
        solve(DEAL, RULES, 5)  # type: ignore[misc]


def test_a_function_keeps_its_face() -> None:
    assert solve.__doc__ is not None
    assert str(inspect.signature(solve)).startswith("(deal: amazons_solver.model.deals.Deal, rules:")
    assert "states: int | None = None" in str(inspect.signature(Limits))


@pytest.mark.compiled
def test_the_checks_are_where_the_reference_says_there_are_functions() -> None:
    """Every function that docs/api.md lists is checked."""
    listed = re.findall(
        r"^\.\. autofunction:: (\S+)", Path(__file__, "../../../docs/api.md").resolve().read_text(), re.MULTILINE
    )
    unchecked = []
    for name in listed:
        module, _, function = name.rpartition(".")
        found = getattr(importlib.import_module(module or "amazons_solver"), function)
        if not hasattr(found, "__wrapped__"):
            unchecked.append(name)
    assert len(listed) > 20
    assert unchecked == ["table_html"]  # which shows anything


def test_an_annotation_that_cannot_be_read_is_an_error_of_ours() -> None:
    @checked
    def broken(number: "Nothing") -> None:  # type: ignore[name-defined]  # noqa: F821
        del number

    with pytest.raises(NameError):
        broken(5)


@pytest.mark.compiled
def test_methods_of_public_classes_are_checked() -> None:
    unchecked = []
    called_by_us = {"DecisionArrays", "Greedy", "OneAce", "RandomLegal", "Table"}
    for name in {*amazons_solver.__all__} - called_by_us:
        value = getattr(amazons_solver, name)
        if not (inspect.isclass(value) and attrs.has(value)):
            continue
        for method, found in vars(value).items():
            function = found.__func__ if isinstance(found, classmethod) else found
            if method.startswith("_") or not inspect.isfunction(function) or hasattr(function, "__wrapped__"):
                continue
            if len(inspect.signature(function).parameters) > 1:
                unchecked.append(f"{name}.{method}")
    # These tell it themselves: cards are read by `parse_card`, moves are legal or not, rules have own words.
    assert sorted(unchecked) == ["Card.parse", "DecisionGraph.ids", "Rules.evolve", "State.play"]


def test_moves_are_told_by_the_rules() -> None:
    with pytest.raises(IllegalMoveError, match=r"expected a legal move \(d\), got 5"):
        START.play(5)  # type: ignore[arg-type]
