"""The commands `hint` and `annotate`."""

import json
import shlex
from pathlib import Path

import pytest

from amazons_solver import Deal, Limits, Rules, Solution, State, StopReason, Verdict, solve
from amazons_solver.cli.commands import annotate, hint
from amazons_solver.hints import knowledge
from support.command_line import assert_refused, program, run

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP = ["--set", "suits=C", "--set", "ranks=A7", "--set", "max_redeals=0"]
# Compulsory plays: see tests/hints/test_hints.py.
STUCK = [*shlex.split("--set suits=CD --set ranks=A7 --set gather=right-over-left --set withhold=nothing")]
HARD = ["--number", "0", "--max-states", "1"]


class TestHint:
    """`hint`."""

    def test_a_state(self) -> None:
        result = run("hint", "7C | AC | - | redeals=0", *TRAP)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines() == [
            "this state by wikipedia rules with suits=C, ranks=A7, max_redeals=0: winnable",
            "state  7C | AC | - | redeals=0",
            "A♣>1   keeps the win, no redeals to go",
            "d      throws it away",
        ]

    def test_why_it_is_lost(self) -> None:
        lines = run("hint", "- | AC 7C | - | redeals=0", *TRAP).stdout.splitlines()
        assert lines[0].endswith(": unwinnable")
        assert lines[-1] == "why    blocked: no card can be played, and max_redeals=0 allows no redeal"
        lines = run("hint", "- | 7D ; 7C | AC ; AD", *STUCK).stdout.splitlines()
        assert lines[-2:] == [
            "r      already lost",
            "why    no card can ever be played again: every redeal the same table comes back",
        ]

    def test_a_won_state(self) -> None:
        lines = run("hint", "- | - | 7C | redeals=0", *TRAP).stdout.splitlines()
        assert lines[-1] == "won    every foundation is complete"
        assert run("hint", "-|-|7C|redeals=0", *TRAP).stdout.splitlines() == lines
        assert_refused(run("hint", "-x", *TRAP), "No such option: -x")

    def test_after_moves(self, tmp_path: Path) -> None:
        expected = run("hint", "7C | AC | - | redeals=0", *TRAP, "--json").stdout
        assert run("hint", "AC 7C", "d", *TRAP, "--json").stdout == expected
        game = "rules wikipedia suits=C ranks=A7 max_redeals=0\nAC 7C\nd\n"
        assert run("hint", "--file", "-", "--json", stdin=game).stdout == expected
        assert (
            run("hint", "--file", "-", "--json", *TRAP, stdin="# a state\n7C | AC | - | redeals=0").stdout == expected
        )
        (tmp_path / "game.txt").write_text(game)
        assert run("hint", "--file", tmp_path / "game.txt", "--json").stdout == expected
        assert run("hint", "AC 7C d", *TRAP).stdout.startswith("this deal after 1 move by wikipedia")

    @pytest.mark.slow
    def test_a_deal_by_number(self) -> None:
        lines = run(
            "hint", "--pysolfc", "24680", "d d", "--rules", "pysolfc", "--max-states", "5000"
        ).stdout.splitlines()
        assert lines[0] == "pysolfc:24680 after 2 moves (1 in PySolFC) by pysolfc rules: winnable"
        assert sorted(line.split()[0] for line in lines[2:]) == sorted(["d", "A♠>1", "A♠>2", "A♠>3", "A♠>4"])
        result = json.loads(run("hint", "--number", "7", "--max-states", "1", "--json").stdout)
        assert result["state"] == State.initial(Deal.numbered(7)).text()

    def test_json(self) -> None:
        rules = Rules(suits="C", ranks="A7", max_redeals=0)
        result = json.loads(run("hint", "7C | AC | - | redeals=0", *TRAP, "--json").stdout)
        assert result == {
            "state": "7C | AC | - | redeals=0",
            "rules": rules.to_dict(),
            "verdict": "winnable",
            "best": "AC>1",
            "moves": [
                {
                    "move": "AC>1",
                    "kind": "play",
                    "keeps_win": True,
                    "redeals": 0,
                    "redeals_at_least": 0,
                    "line": "AC>1 d 7C>1",
                },
                {
                    "move": "d",
                    "kind": "deal",
                    "keeps_win": False,
                    "redeals": None,
                    "redeals_at_least": None,
                    "line": None,
                },
            ],
            "lost": None,
        }
        lost = json.loads(run("hint", "- | AC 7C | - | redeals=0", *TRAP, "--json").stdout)
        assert (lost["verdict"], lost["best"], lost["moves"]) == ("unwinnable", None, [])
        assert lost["lost"]["reason"] == "blocked"
        assert (lost["lost"]["cycle"], lost["lost"]["limits"]) == (None, ["max_redeals=0"])

    def test_undecided(self) -> None:
        result = run("hint", *HARD)
        assert (result.exit_code, result.stdout.splitlines()[-1]) == (3, "d      unknown within the limits")
        assert result.stdout.splitlines()[0] == "numbered:0 by wikipedia rules: undecided"

    @pytest.mark.compiled
    def test_bounds_are_said_to_be_bounds(self) -> None:
        line = run("hint", "--pysolfc", "24680", "--rules", "wikipedia", "--max-states", "20000").stdout.splitlines()[
            -1
        ]
        assert line.startswith("d      keeps the win, at most ")
        redeals = solve(Deal.pysolfc("24680")).redeals
        assert f"at most {redeals} redeals to go" in line

    @pytest.mark.slow
    def test_letters_where_there_are_no_symbols(self) -> None:
        result = program("hint", "7C | AC | - | redeals=0", *TRAP, env={"PYTHONIOENCODING": "ascii"})
        assert b"AC>1   keeps the win" in result.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("arguments", "fragment"),
        [
            ([], "expected a game as DEAL and LINE, --file, --number or --pysolfc; got none"),
            (["a | b"], "expected a state as talon | depots | foundations"),
            (["7C | AC | -", *TRAP], "got 3 of these parts"),
            (["- | - | -", "--number", "1"], "expected a state alone, got a deal too"),
            (["7C", "--number", "1"], "expected moves alone for a deal that is given, got '7C'"),
            (["--number", "1", "--pysolfc", "1"], "expected one of --number and --pysolfc, got both"),
            (["--number", "-1"], "expected a deal number from 0 to 2^64 - 1"),
            (["r", "--number", "1"], "expected a legal move (d"),
            (["d x", "--number", "1"], "got 'x' (move 2)"),
            (["d", "--file", "-"], "expected a game as arguments or as --file, got both"),
            (["--file", "no such file"], "expected a file to read"),
            (["--number", "1", "--rules", "whist"], "whist"),
            (["--number", "1", "--max-seconds", "x"], "expected a number of seconds"),
        ],
    )
    def test_bad_input(self, arguments: list[str], fragment: str) -> None:
        assert_refused(run("hint", *arguments), fragment)

    @pytest.mark.parametrize(
        ("content", "fragment"),
        [
            (b"7C | \xff | -", "expected UTF-8 text, got byte 0xff in -"),
            (b"7C AC | - | x", "in foundation 1 (in standard input)"),
            (b"rules whist\n7C", "(the game's rules) (in standard input)"),
            (b"", "expected 28 cards, got none"),
        ],
    )
    def test_bad_files(self, content: bytes, fragment: str) -> None:
        assert_refused(run("hint", "--file", "-", stdin=content), fragment)

    def test_rules_in_two_places(self) -> None:
        result = run("hint", "--file", "-", "--rules", "pysolfc", stdin="rules wikipedia\n7C")
        assert_refused(result, "expected rules once, got others in the game: 'rules wikipedia' (in standard input)")

    def test_ctrl_c(self, monkeypatch: pytest.MonkeyPatch) -> None:
        start = State.initial(Deal.numbered(0))
        stats = solve(Deal.numbered(0), limits=Limits(states=1)).stats
        stopped = Solution(start, Verdict.UNDECIDED, None, stats, StopReason.INTERRUPTED)
        monkeypatch.setattr(knowledge, "solve_state", lambda *_, **__: stopped)
        for command in ("hint", "annotate"):
            result = run(command, "--number", "0", "d")
            assert (result.exit_code, result.stdout, result.stderr) == (130, "", "error: interrupted\n")


class TestAnnotate:
    """`annotate`."""

    def test_the_fatal_move(self) -> None:
        result = run("annotate", "AC 7C", "d d", *TRAP)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines() == [
            "this deal by wikipedia rules with suits=C, ranks=A7, max_redeals=0: move 2 threw the win away",
            "kept the win (1)        d",
            "threw it away (2)       d",
            "lost because            blocked: no card can be played, and max_redeals=0 allows no redeal",
            "the win that was there  3 moves after move 1:",
            "pass 1  A♣>1 d 7♣>1",
        ]

    def test_other_games(self) -> None:
        def shown(*arguments: str) -> list[str]:
            return run("annotate", *arguments).stdout.splitlines()

        assert shown("AC 7C", "d AC>1 d 7C>1", *TRAP)[0].endswith(": won")
        assert shown("AC 7C", "d", *TRAP)[-2:] == [
            "the win that is there  3 moves after move 1:",
            "pass 1  A♣>1 d 7♣>1",
        ]
        assert shown("AC 7C", *TRAP)[0].endswith(": winnable")
        lost = shown("7D AC AD 7C", "d AC>1 d AD>2 r", *STUCK)
        assert lost[0].endswith(": unwinnable from the start")
        assert lost[1] == "already lost (1-5)  d A♣>1 d A♦>2 r"
        assert lost[-1].endswith("every play that is left leads to a table that no play can save")

    def test_json(self) -> None:
        result = json.loads(run("annotate", "AC 7C", "d d", *TRAP, "--json").stdout)
        assert result == {
            "deal": None,
            "cards": "AC 7C",
            "rules": Rules(suits="C", ranks="A7", max_redeals=0).to_dict(),
            "won": False,
            "verdict": "unwinnable",
            "moves": [{"move": "d", "mark": "kept"}, {"move": "d", "mark": "threw"}],
            "fatal": 2,
            "last_winnable": 1,
            "winning_line": "AC>1 d 7C>1",
            "lost": {
                "reason": "blocked",
                "cycle": None,
                "limits": ["max_redeals=0"],
                "text": "blocked: no card can be played, and max_redeals=0 allows no redeal",
            },
        }

    def test_games_from_files_and_by_number(self) -> None:
        game = "rules wikipedia suits=C ranks=A7 max_redeals=0\nAC 7C\nd d\n"
        typed = run("annotate", "AC 7C d d", *TRAP, "--json").stdout
        assert run("annotate", "--file", "-", "--json", stdin=game).stdout == typed
        result = json.loads(run("annotate", "--number", "3", "d d", *TRAP, "--json").stdout)
        assert (result["deal"], result["cards"]) == (3, str(Deal.numbered(3, Rules(suits="C", ranks="A7"))))
        result = json.loads(run("annotate", "--pysolfc", "ms617", "--max-states", "1", "--json").stdout)
        assert (result["deal"], result["moves"]) == ("pysolfc:ms617", [])

    def test_undecided(self) -> None:
        result = run("annotate", *HARD, "d")
        assert (result.exit_code, result.stdout.splitlines()) == (
            3,
            ["numbered:0 by wikipedia rules: undecided", "unknown (1)  d"],
        )

    @pytest.mark.parametrize(
        ("arguments", "fragment"),
        [
            ([], "expected a game as DEAL and LINE, --file, --number or --pysolfc; got none"),
            (["AC 7C", "d r", *TRAP], "expected a legal move"),
            (["AC 7C", "d r", *TRAP], "(move 2)"),
            (["AC 7C", "d 7C", *TRAP], "expected a move such as d, r or 7H>2, got '7C' (move 2)"),
            (["AC 7C", "d"], "expected 28 cards"),
            (["AC", "d", *TRAP], "7C is missing"),
            (["d d"], "expected 28 cards, got none"),
        ],
    )
    def test_bad_input(self, arguments: list[str], fragment: str) -> None:
        assert_refused(run("annotate", *arguments), fragment)


@pytest.mark.slow
@pytest.mark.parametrize("module", [hint, annotate])
def test_the_examples_of_the_help_run(module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text("rules wikipedia suits=C ranks=A7\n7C AC\nd d\n")
    examples = [line.strip() for line in module.EXAMPLES.splitlines() if "amazons-solver" in line]  # type: ignore[attr-defined]
    assert len(examples) == 3
    for example in examples:
        assert run(*shlex.split(example)[1:]).exit_code == 0


@pytest.mark.compiled
def test_the_passes_of_the_win_that_was_there_go_on_from_the_game() -> None:
    game = ["--pysolfc", "24680", "d d AS>1 d d d d d r d AC>2 7C>2 d"]
    lines = run("annotate", *game, "--rules", "wikipedia").stdout.splitlines()
    begun = next(i for i, line in enumerate(lines) if line.startswith("the win that was there"))
    assert lines[begun].endswith("moves after move 10:")
    assert [line.split()[:2] for line in lines[begun + 1 : begun + 3]] == [["pass", "2"], ["pass", "3"]]
