"""Answers in Python: what refuses to be a yes or a no, what can be hashed, and what cannot be changed."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable

import attrs
import pytest

import amazons_solver
from amazons_solver import (
    PRESETS,
    Card,
    Certificate,
    Deal,
    IllegalMoveError,
    Knowledge,
    Mark,
    NotationError,
    Preset,
    Rank,
    Rules,
    State,
    Suit,
    annotate,
    certify,
    decision_graph,
    format_line,
    hint,
    parse_line,
    parse_move,
    play_out,
    solve,
    strategy_of,
    survey,
)
from amazons_solver.render.html import scrolled
from amazons_solver.render.svg import line_svg, state_svg
from amazons_solver.surveys.result import Check

# 7C is dealt before AC: 'd d AC>1 7C>1' wins, and after 'd d r' it is the other way round.
RULES = Rules(suits="C", ranks="A7", withhold="any")
DEAL = Deal.parse("7C AC", RULES)
START = State.initial(DEAL, RULES)
FINISHED = parse_line("d d AC>1 7C>1")


def a_survey() -> object:
    return survey(range(3), RULES, on="threads")


ANSWERS: dict[str, Callable[[], object]] = {
    "solution": lambda: solve(DEAL, RULES),
    "verdict": lambda: solve(DEAL, RULES).verdict,
    "hint": lambda: hint(START),
    "hint on a move": lambda: hint(START).moves[0],
    "annotation": lambda: annotate(DEAL, FINISHED, RULES),
    "mark": lambda: Mark.LOST,
    "certificate": lambda: certify(DEAL, RULES),
    "graph": lambda: decision_graph(DEAL, RULES),
    "play-out": lambda: play_out(strategy_of("greedy"), DEAL, RULES),
    "check": lambda: Check(7, "won", "wrong"),
    "survey": a_survey,
}


@pytest.mark.compiled
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_no_truth_value(name: str) -> None:
    answer = ANSWERS[name]()
    with pytest.raises(TypeError, match=r"compare|ask|look"):
        bool(answer)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ANSWERS)
def test_answers_can_be_hashed(name: str) -> None:
    answer = ANSWERS[name]()
    assert {answer: 1}[answer] == 1


def test_equal_certificates_are_one_in_a_set() -> None:
    certificate = certify(DEAL, RULES)
    assert {certificate, Certificate.from_json(certificate.to_json())} == {certificate}


@pytest.mark.compiled
def test_every_frozen_class_leaves_what_has_no_hash_out_of_its_hash() -> None:
    unhashable = []
    for module in pkgutil.walk_packages(amazons_solver.__path__, "amazons_solver."):
        if module.name.endswith(("__main__", "hook-amazons_solver")):
            continue
        for _, found in inspect.getmembers(importlib.import_module(module.name), attrs.has):
            if found.__hash__ in (None, object.__hash__):  # not frozen, or compared by identity
                continue
            for field in attrs.fields(found):
                hashed = field.eq if field.hash is None else field.hash
                words = str(field.type)
                if hashed and any(word in words for word in ("dict[", "Mapping[", "list[", "set[", "Counter[")):
                    unhashable.append(f"{found.__name__}.{field.name}: {words}")
    assert not unhashable


def test_presets_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["mine"] = Preset("mine", "me", Rules())  # type: ignore[index]
    assert next(iter(PRESETS)) == "wikipedia"


@pytest.mark.parametrize("text", ["7H", "7h", "7♥", "🂷"])
def test_a_card_is_read_from_text(text: str) -> None:
    assert Card.parse(text) == Card(Rank.SEVEN, Suit.HEARTS)


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(NotationError, match="expected a card such as 7H"):
        Card.parse("1H")


def test_text_is_a_move_where_a_move_is_wanted() -> None:
    state = START.play("d").play("d").play("AC>1")
    assert state == START.play_line(FINISHED[:3]) == START.play_line("d d AC>1")
    assert state == START.play_line(["d", parse_move("d"), "AC>1"])
    assert format_line(["d", parse_move("AC>1")]) == "d AC>1"
    assert annotate(DEAL, "d d AC>1 7C>1", RULES) == annotate(DEAL, FINISHED, RULES)
    assert line_svg(START, "d d AC>1") == line_svg(START, FINISHED[:3])
    assert state_svg(START, marks={"d": True}) == state_svg(START, marks={parse_move("d"): True})
    knowledge = Knowledge()
    knowledge.add_line(START, "d d AC>1 7C>1")
    assert knowledge.line(START) == FINISHED


def test_text_that_is_no_legal_move_is_refused_with_its_place() -> None:
    with pytest.raises(NotationError, match=r"expected a move such as d, r or 7H>2, got 'x' \(move 2\)"):
        START.play_line("d x")
    with pytest.raises(NotationError, match=r"got 'x' \(move 2\)"):
        START.play_line(["d", "x"])
    with pytest.raises(IllegalMoveError, match=r"\(move 3\)"):
        START.play_line("d d d")
    with pytest.raises(NotationError, match="expected a move such as d, r or 7H>2, got 'deal'"):
        START.play("deal")


# Nothing may be held back but bases, and there is no redeal: after AC is dealt, 'd' buries it for good.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
BLOCKED = "blocked: no card can be played, and max_redeals=0 allows no redeal"
TRAP = State.parse("7C | AC | - | redeals=0", TRAP_RULES)


def test_a_hint_reads_as_the_command_tells_it() -> None:
    assert str(hint(TRAP)) == "winnable\nAC>1  keeps the win, no redeals to go\nd     throws it away"
    assert [str(choice) for choice in hint(TRAP).moves] == ["AC>1: winnable, no redeals to go", "d: unwinnable"]
    assert str(hint(TRAP.play("d"))) == f"unwinnable\nwhy  {BLOCKED}"
    assert str(hint(TRAP.play_line("AC>1 d 7C>1"))) == "winnable\nwon  every foundation is complete"


def test_an_annotation_reads_as_the_command_tells_it() -> None:
    told = [
        ("threw it away (1)", "d"),
        ("lost because", BLOCKED),
        ("the win that was there after move 0", "AC>1 d 7C>1"),
    ]
    assert str(annotate(TRAP, "d")) == "\n".join(
        ["move 1 threw the win away", *(f"{label:<35}  {fact}" for label, fact in told)]
    )
    assert str(annotate(TRAP, "AC>1 d 7C>1")) == "won\nkept the win (1-3)  AC>1 d 7C>1"


def test_hints_and_annotations_show_themselves_in_notebooks() -> None:
    html = hint(TRAP)._repr_html_()
    assert html.startswith("<table><caption>winnable</caption>")
    assert "<td>throws it away</td>" in html
    assert html.endswith(state_svg(TRAP, marks={"AC>1": True, "d": False}))
    html = annotate(TRAP, "d")._repr_html_()
    assert html.startswith("<table><caption>move 1 threw the win away</caption>")
    assert state_svg(TRAP, marks={"AC>1": True, "d": False}) in html
    assert html.endswith(scrolled(line_svg(TRAP, "AC>1 d 7C>1")))
    lost = annotate(TRAP.play("d"), ())
    assert lost._repr_html_().startswith("<table><caption>unwinnable from the start</caption>")
    assert "<svg" not in lost._repr_html_()
