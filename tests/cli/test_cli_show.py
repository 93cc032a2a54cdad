"""The command `show`."""

from pathlib import Path

import pytest

from amazons_solver import Deal, Rules, State, parse_line, parse_move, solve
from amazons_solver.render.svg import deal_svg, line_svg, state_svg
from support.command_line import SMALL, SMALL_DEALS, assert_refused, program, run

RULES = Rules(suits="CD", ranks="A78", withhold="any")
DEAL = Deal.parse(SMALL_DEALS[0], RULES)
# One depot, one pass: AC>1 wins, and d buries the ace for good.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = ["--set", "suits=C", "--set", "ranks=A7", "--set", "max_redeals=0"]
TRAP_STATE = "7C | AC | - | redeals=0"
BY = "by wikipedia rules with suits=CD, ranks=A78, withhold=any"
BY_TRAP = "by wikipedia rules with suits=C, ranks=A7, max_redeals=0"


def picture(tmp_path: Path, *arguments: str) -> str:
    file = tmp_path / "picture.svg"
    result = run("show", *arguments, "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    written, _, by = result.stderr.rstrip("\n").partition(": ")
    assert written == f"picture written to {file}"
    assert by in ("", f"numbered:0 {BY}", f"this state {BY}", f"this state {BY_TRAP}")
    assert bool(by) == any(option in arguments for option in ("--state", "--line", "--win"))
    return file.read_text(encoding="utf-8").removesuffix("\n")


def test_a_deal_is_laid_out_in_its_rows(tmp_path: Path) -> None:
    assert run("show", "--number", "0", *SMALL).stdout.splitlines() == [
        "deal          7♣   A♦",
        "              7♦   A♣",
        "              8♣   8♦",
    ]
    assert picture(tmp_path, "--number", "0", *SMALL) == deal_svg(Deal.numbered(0, RULES))


def test_a_state(tmp_path: Path) -> None:
    state = ["--state", "8D 8C | 7D ; AC | 7C ; AD", *SMALL]
    refused = run("show", *state)
    assert_refused(refused, "each card of the deck once")  # the ace of clubs is below the seven
    state[1] = "8D 8C | 7D ; - | 7C ; AD"
    assert run("show", *state).stdout.splitlines() == [
        f"this state {BY}",
        "foundations   7♣   A♦",
        "depots        7♦   --",
        "talon (2)    8♦ 8♣",
    ]
    assert picture(tmp_path, *state) == state_svg(State.parse(state[1], RULES))


def test_a_line_pass_by_pass(tmp_path: Path) -> None:
    line = "d AD>1 d d r d"
    printed = run("show", "--number", "0", "--line", line, *SMALL).stdout.splitlines()
    # Dealt: 7C AD, 7D AC, 8C 8D; gathered, the rightmost pile comes first: AC 8D, then 7C 7D 8C.
    assert printed == [
        f"numbered:0 {BY}",
        "pass 1       d A♦>1 d d r",
        "foundations   A♦   --",
        "depots        7♣   A♣",
        "              7♦   8♦",
        "              8♣",
        "talon (0)    --",
        "",
        "pass 2       d",
        "foundations   A♦   --",
        "depots        A♣   8♦",
        "talon (3)    7♣ 7♦ 8♣",
        "",
        "state        7C 7D 8C | AC ; 8D | AD ; -",
    ]
    start = State.initial(DEAL, RULES)
    drawn = picture(tmp_path, "--number", "0", "--line", line, "--theme", "dark", *SMALL)
    assert drawn == line_svg(start, parse_line(line), theme="dark")


def test_no_move_is_a_line_too() -> None:
    printed = run("show", "--number", "0", "--line", "", *SMALL).stdout
    assert printed == f"numbered:0 {BY}\nstate        {State.initial(DEAL, RULES).text()}\n"


def test_the_line_that_wins_is_the_one_that_solve_finds(tmp_path: Path) -> None:
    solution = solve(DEAL, RULES)
    assert solution.line is not None
    assert picture(tmp_path, "--number", "0", "--win", *SMALL) == line_svg(solution.start, solution.line)
    assert "won" in picture(tmp_path, "--state", TRAP_STATE, "--win", *TRAP)


def test_marks(tmp_path: Path) -> None:
    state = ["--state", TRAP_STATE, "--marks", *TRAP]
    assert run("show", *state).stdout.splitlines() == [
        f"this state {BY_TRAP}",
        "foundations   --",
        "depots        A♣",
        "talon (1)    7♣",
        "counters     redeals 0",
        "keeps win    A♣>1",
        "loses        d",
    ]
    marks = {parse_move("AC>1"): True, parse_move("d"): False}
    assert picture(tmp_path, *state) == state_svg(State.parse(TRAP_STATE, TRAP_RULES), marks=marks)


def test_what_a_limit_leaves_open_is_not_known() -> None:
    state = State.initial(Deal.numbered(0, RULES), RULES).text()
    result = run("show", "--state", state, "--marks", "--max-states", "1", *SMALL)
    assert result.exit_code == 3
    assert result.stdout.splitlines()[-1] == "not known    d"


def test_a_game_that_is_over_has_no_marks() -> None:
    result = run("show", "--state", "- | - | 7C | redeals=0", "--marks", *TRAP)
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ([], ["expected a deal or --state, got neither"]),
        (["--number", "0", "--state", TRAP_STATE], ["expected a deal or --state, got both"]),
        (["--number", "0", "--pysolfc", "1"], ["--number and --pysolfc"]),
        (["--number", "0", "--line", "d", "--win"], ["expected --line or --win, got both"]),
        (["--number", "0", "--marks"], ["expected --state alone for --marks, got a deal"]),
        (["--state", TRAP_STATE, "--win", "--marks"], ["expected --state alone for --marks, got a line"]),
        (["--number", "0", "--line", "d x"], ["expected a move such as d, r or 7H>2, got 'x' (move 2)"]),
        (["--number", "0", "--line", "d r"], ["got r in", "(move 2)"]),
        (["--number", "0", "-o", "picture.png"], ["expected a file that ends in .svg, got 'picture.png'"]),
        (["--number", "0", "-o", "no/where.svg"], ["expected a file to write", "there is no directory"]),
        (["--number", "0", "--theme", "blue", "-o", "p.svg"], ["--theme", "'blue'"]),
        (["--state", "nonsense"], ["expected a state as talon | depots | foundations"]),
        (["--number", "0", "--max-states", "0", "--win"], ["--max-states"]),
    ],
    ids=str,
)
def test_refused(arguments: list[str], fragments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run("show", *arguments), *fragments)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_cannot_be_won_has_no_line_to_show() -> None:
    lost = ["--pysolfc", "24680", "--rules", "patiencen"]  # the README's deal
    assert_refused(run("show", *lost, "--win"), "expected a game that can be won for --win, got an unwinnable one")
    result = run("show", *lost, "--win", "--max-states", "5")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "error: gave up at the limit on states before a winning line was found\n"


def test_a_file_of_one_deal(tmp_path: Path) -> None:
    (tmp_path / "deals.txt").write_text("\n".join(SMALL_DEALS))
    assert_refused(run("show", "--file", tmp_path / "deals.txt", *SMALL), "expected one deal to show, got another")
    (tmp_path / "deals.txt").write_text(SMALL_DEALS[0])
    assert run("show", "--file", tmp_path / "deals.txt", *SMALL).stdout == run("show", "--number", "0", *SMALL).stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_letters_where_the_output_has_no_symbols(encoding: str) -> None:
    result = program("show", "--number", "0", *SMALL, env={"PYTHONIOENCODING": encoding})
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode("ascii").split() == ["deal", *SMALL_DEALS[0].split()]


def test_quiet(tmp_path: Path) -> None:
    assert run("show", "--number", "0", *SMALL, "-o", tmp_path / "p.svg", "--quiet").stderr == ""
