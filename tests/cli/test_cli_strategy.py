"""The command `strategy`."""

import json
import re

import pytest
from typer.testing import CliRunner

from amazons_solver import Deal, Rules, State, parse_line
from amazons_solver.cli.app import app
from amazons_solver.strategies.players import strategy_of
from amazons_solver.strategies.playout import play_out
from amazons_solver.surveys.statistics import wilson
from support.command_line import SMALL, SMALL_DEALS, assert_refused, run

PAIRS = ["--set", "suits=CD", "--set", "ranks=A7", "--set", "withhold=any"]


def test_a_game_for_a_person() -> None:
    # tests/strategies/test_strategies.py plays these by hand.
    won = run("strategy", "greedy", "AC AD 7D 7C", *PAIRS)
    assert (won.exit_code, won.stderr) == (0, "")
    assert won.stdout.splitlines() == [
        "this deal by wikipedia rules with suits=CD, ranks=A7, withhold=any, greedy: won, 1 redeal, 8 moves",
        "deal  A♣ A♦ 7♦ 7♣",
        "pass 1  d A♣>1 A♦>2 d r",
        "pass 2  d 7♣>1 7♦>2",
        "d: deal a row; r: redeal; A♣>1: play A♣ to foundation 1",
        "every foundation is complete",
    ]
    lost = run("strategy", "one-ace", "AC AD 7D 7C", *PAIRS).stdout
    assert "one-ace: lost, 3 redeals, 13 moves\n" in lost
    assert lost.endswith("\ngiven up: passes without a play, and no hope of one\n")
    blocked = run("strategy", "one-ace", "AC AD 7D 7C", *PAIRS, "--set", "max_redeals=1").stdout
    assert blocked.endswith("\na limit of the rules ended it\n")


@pytest.mark.parametrize("name", ["greedy", "one-ace", "random:2"])
def test_a_game_as_json(name: str) -> None:
    rules = Rules.preset("morehead")
    answer = json.loads(run("strategy", name, "--number", "4", "--rules", "morehead", "--json").stdout)
    game = play_out(strategy_of(name), Deal.numbered(4), rules)
    assert answer == {
        "deal": 4,
        "cards": str(Deal.numbered(4)),
        "rules": rules.to_dict(),
        "strategy": name,
        "won": game.won,
        "end": game.end,
        "line": " ".join(map(str, game.line)),
        "moves": len(game.line),
        "redeals": game.redeals,
        "idle_passes": game.idle_passes,
    }
    end = State.initial(Deal.numbered(4), rules).play_line(parse_line(answer["line"]))
    assert end.is_won == answer["won"]


@pytest.mark.compiled
@pytest.mark.slow
def test_many_games() -> None:
    rules = Rules.preset("ultimate")
    games = [play_out(strategy_of("greedy"), Deal.numbered(number, rules), rules) for number in range(50, 450)]
    won = [game.redeals for game in games if game.won]
    ask = ["strategy", "greedy", "--number", "50", "--count", "400", "--rules", "ultimate"]
    answer = json.loads(run(*ask, "--json").stdout)
    interval = wilson(len(won), 400 - len(won))
    assert answer == {
        "rules": rules.to_dict(),
        "strategy": "greedy",
        "first": 50,
        "deals": 400,
        "won": len(won),
        "lost": 400 - len(won),
        "interval": [interval.low, interval.high],
        "redeals": {str(redeals): won.count(redeals) for redeals in sorted(won)},
    }
    expected = f"deals 50 to 449 by ultimate rules, greedy: {len(won)} of 400 won, {interval.pretty}\n"
    assert run(*ask).stdout == expected


def test_a_file_with_a_bad_line() -> None:
    text = f"{SMALL_DEALS[0]}\nAC\n{SMALL_DEALS[1]}\n"
    result = run("strategy", "greedy", "--file", "-", *SMALL, "--json", stdin=text)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["deal"] for answer in answers] == ["line 1", "line 2", "line 3"]
    assert ["error" in answer for answer in answers] == [False, True, False]
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ([], "Missing argument 'NAME'"),
        (["greed", "--number", "1"], "expected a strategy (greedy, one-ace, random)"),
        (["greedy:0", "--number", "1"], "with a patience as in greedy:2 if any, got 'greedy:0'"),
        (["greedy"], "expected one of DEAL, --file, --number, --pysolfc; got none"),
        (["greedy", "--number", "1", "--count", "0"], "at least 1 for --count"),
        (["greedy", "--number", "x", "--count", "2"], "expected a deal number"),
        (["greedy", "--pysolfc", "1", "--count", "2"], "expected --number for --count"),
        (["greedy", "--number", str(2**64 - 1), "--count", "2"], "expected deal numbers from 0 to 2^64 - 1"),
        (["greedy", "--number", str(2**64)], "expected a deal number from 0 to 2^64 - 1"),
    ],
)
def test_bad_input(arguments: list[str], fragment: str) -> None:
    assert_refused(run("strategy", *arguments), fragment)


@pytest.mark.compiled
def test_an_output_without_the_sign() -> None:
    words = ["strategy", "greedy", "--number", "0", "--count", "100", *map(str, SMALL)]
    result = CliRunner(charset="ascii").invoke(app, words)
    assert result.exit_code == 0
    assert re.search(r" won, [\d.]+ \+- [\d.]+ %\n$", result.stdout)
