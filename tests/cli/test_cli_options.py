"""Groups of options: each is declared once, and stands in every command as if it were written there."""

import re
from typing import Annotated

import attrs
import pytest
import typer
from typer.testing import CliRunner

from amazons_solver.cli.options import ChosenRules, LimitOptions, grouped
from amazons_solver.errors import OptionError
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits
from support.command_line import run

LIMITS = ["--max-states", "--max-seconds", "--max-memory"]
RULES = ["--rules", "--set"]
DEAL = ["--file", "--number", "--pysolfc"]
GROUPS = {
    "solve": [DEAL, RULES, LIMITS],
    "hint": [DEAL, ["--state"], RULES, LIMITS],
    "annotate": [DEAL, RULES, LIMITS],
    "play": [DEAL, ["--state"], RULES],
    "explore": [DEAL, ["--state"], RULES, LIMITS],
    "graph": [DEAL, RULES, LIMITS],
    "show": [DEAL, ["--state"], RULES, LIMITS],
    "deal": [DEAL, RULES, LIMITS],
    "strategy": [DEAL, RULES],
}


@attrs.frozen
class Wood:
    """A group."""

    trees: Annotated[list[str] | None, typer.Argument()] = None
    tall: Annotated[bool, typer.Option("--tall")] = False
    _old: Annotated[str | None, typer.Option("--old")] = attrs.field(default="no", alias="old")
    age: int = attrs.field(init=False, default=7)


def test_a_group_stands_where_its_parameter_is() -> None:
    given: list[object] = []

    @grouped
    def command(
        first: Annotated[str, typer.Option("--first")] = "1",
        *,
        wood: Wood,
        last: Annotated[str, typer.Option("--last")] = "2",
    ) -> None:
        given.append((first, wood, last))

    program = typer.Typer(rich_markup_mode=None, add_completion=False)
    program.command()(command)
    text = CliRunner().invoke(program, ["--help"]).stdout
    assert re.findall(r"--\w+", text.partition("Options:")[2]) == ["--first", "--tall", "--old", "--last", "--help"]
    assert CliRunner().invoke(program, []).exit_code == 0
    assert CliRunner().invoke(program, ["oak", "--last", "9", "ash", "--tall", "--old", "x"]).exit_code == 0
    assert given == [("1", Wood(), "2"), ("1", Wood(["oak", "ash"], True, "x"), "9")]


@pytest.mark.parametrize("command", GROUPS)
def test_options_that_belong_together_stand_together(command: str) -> None:
    found = re.findall(r"^  (?:-\w, )?(--[\w-]+)", run(command, "--help").stdout, flags=re.MULTILINE)
    places = [[found.index(option) for option in group] for group in GROUPS[command]]
    for place in places:
        assert place == list(range(place[0], place[0] + len(place)))
    assert places == sorted(places)


def test_limits() -> None:
    assert LimitOptions().value() == Limits()
    assert LimitOptions().value(5) == Limits(states=5)
    given = LimitOptions(max_states="7", max_seconds="0.5", max_memory="1k").value(5)
    assert given == Limits(states=7, seconds=0.5, memory_bytes=1000)
    with pytest.raises(OptionError, match="--max-states, got '0'"):
        LimitOptions(max_states="0").value(5)


def test_rules_that_are_asked_for() -> None:
    brought = Rules.preset("pysolfc")
    assert ChosenRules().over(brought) == brought
    assert ChosenRules(settings=["ranks=A7"]).over(brought) == brought.evolve(ranks="A7")
    assert ChosenRules("ultimate").over(brought) == Rules.preset("ultimate")
    assert [rules.given for rules in (ChosenRules(), ChosenRules("ultimate"), ChosenRules(settings=["ranks=A7"]))] == [
        False,
        True,
        True,
    ]
