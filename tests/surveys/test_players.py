"""Strategies in the place of the solver."""

from pathlib import Path

import pytest

from amazons_solver import Deal, OptionError, Rules, play_out, strategy_of, survey
from amazons_solver.errors import LedgerError
from support.command_line import run

pytestmark = pytest.mark.compiled

RULES = Rules(ranks="A789", skip_complete=True)


@pytest.mark.slow
@pytest.mark.parametrize("player", ["greedy", "one-ace", "one-ace:2", "random"])
def test_what_is_won_is_what_the_strategy_wins(player: str) -> None:
    played = [play_out(strategy_of(player), Deal.numbered(number, RULES), RULES) for number in range(60)]
    found = survey(range(60), RULES, player=player, on="threads", chunk=25)
    assert (found.won, found.undecided, found.unit) == (sum(game.won for game in played), 0, "moves")
    assert found.won > 0
    assert sum(found.redeals.values()) == found.won


@pytest.mark.slow
def test_best_play_wins_no_fewer(tmp_path: Path) -> None:
    best = survey(range(200), RULES, ledger=tmp_path / "odds.db", on="threads")
    with pytest.raises(LedgerError, match="got one with player"):
        survey(range(200), RULES, ledger=tmp_path / "odds.db", player="greedy", on="threads")
    greedy = survey(range(200), RULES, ledger=tmp_path / "odds.db", player="greedy", add=True, on="threads")
    assert best.won > greedy.won > 0
    assert survey(range(200), RULES, ledger=tmp_path / "odds.db", player="greedy", on="threads") == greedy
    told = run("report", tmp_path / "odds.db").stdout
    assert "greedy" in told
    assert "solver" in told


def test_what_only_the_solver_has() -> None:
    with pytest.raises(OptionError, match=r"expected a strategy \(greedy, one-ace, random\).*, got 'cheat'"):
        survey(range(10), RULES, player="cheat")
    for options in ({"max_states": 10}, {"verify_sample": 1}):
        with pytest.raises(OptionError, match="expected limits, samples and retries for the solver alone"):
            survey(range(10), RULES, player="greedy", **options)


def test_the_command(tmp_path: Path) -> None:
    options = ("--set", "ranks=A789", "--deals", "0:100", "--ledger", tmp_path / "odds.db", "--threads", "--quiet")
    result = run("survey", *options, "--player", "greedy")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "% winnable" not in result.stdout
    bad = run("survey", *options, "--player", "lucky")
    assert (bad.exit_code, bad.stdout) == (2, "")
    assert bad.stderr.startswith("error: expected a strategy (greedy, one-ace, random)")


def test_notebooks_show_what_was_found() -> None:
    shown = survey(range(60), RULES, on="threads")._repr_html_()
    assert "<td>60</td>" in shown
    assert "% winnable</caption>" in shown
    assert " s</td>" not in shown  # no times: the same survey shows the same
    greedy = survey(range(60), RULES, player="greedy", on="threads")._repr_html_()
    assert "won by greedy" in greedy
