"""The command `play`, driven by keys: the game, its marks, and the screen."""

import pytest
from textual.widgets import Input

from amazons_solver import Deal, Rules, parse_line
from amazons_solver.cli.options import ChosenRules
from amazons_solver.cli.play.prompts import HELP, Help, Prompt
from amazons_solver.cli.play.report import keys_text
from amazons_solver.model.saved.records import Record
from support.playing import CHOICE, KEPT, STUCK, TRAP, Player, play

pytestmark = pytest.mark.slow


def test_a_game_is_won_by_keys() -> None:
    async def script(player: Player) -> None:
        assert player.reads("verdict") == "The game can be won."
        await player.press("d 1")
        assert player.line == "d AC>1"
        await player.press("space 1")
        assert player.app.game.state.is_won
        assert player.reads("verdict") == "Won: 4 moves, redeals: 0. n: another deal."
        await player.press("d")
        assert player.reads("notice") == "The game is won."

    play(TRAP, script)


def test_a_lost_game_is_said_to_be_lost_and_why_and_one_can_go_back() -> None:
    async def script(player: Player) -> None:
        await player.press("d")
        assert player.reads("verdict") == KEPT
        await player.press("d")
        assert player.reads("verdict").splitlines() == [
            "Lost: blocked: no card can be played, and max_redeals=0 allows no redeal.",
            "Move 2 (d) threw the win away. b: back to before it.",
        ]
        await player.press("r")
        assert player.reads("notice") == "No move is legal: the game is blocked."
        await player.press("b")
        assert player.line == "d"
        assert player.reads("verdict") == KEPT
        await player.press("b")
        assert player.reads("notice") == "b: there is nothing known to go back to."

    play(TRAP, script)


def test_a_deal_that_cannot_be_won() -> None:
    async def script(player: Player) -> None:
        await player.press("d 1")
        assert player.reads("notice") == "1: there is no such play."
        await player.press("r")
        assert player.reads("notice") == "r: there are cards in the talon. d deals them."
        await player.press("d")
        assert (player.line, player.reads("notice")) == ("d", "A card must be played first.")
        await player.press("2")
        assert player.reads("verdict").splitlines() == [
            "Lost: every play that is left leads to a table that no play can save.",
            "The deal cannot be won by these rules. n: another deal.",
        ]
        await player.press("d 1 d")
        assert player.reads("notice") == "d: the talon is empty. r redeals."
        assert player.reads("verdict").startswith("Lost: no card can ever be played again: every redeal the same table")
        await player.press("space")
        assert player.line == "d AC>1 d AD>2 r"

    play(STUCK, script)


def test_where_there_is_a_choice_of_foundations_it_is_asked_for() -> None:
    async def script(player: Player) -> None:
        await player.press("d")
        assert [row.split()[:2] for row in player.reads("moves").splitlines()] == [
            ["1", "1"],
            ["1", "2"],
            ["d", "deal"],
        ]
        await player.press("1")
        assert player.reads("notice") == "To which foundation (1, 2)? Escape: none."
        await player.press("escape 2")
        assert (player.line, player.reads("notice")) == ("d", "2: there is no such play.")
        await player.press("1 4")
        assert (player.line, player.reads("notice")) == ("d", "4: there is no such play.")
        await player.press("1 2")
        assert player.line == "d AC>2"

    play(CHOICE, script)


def test_marks() -> None:
    async def script(player: Player) -> None:
        await player.press("d question_mark")
        assert player.reads("moves").splitlines() == [
            "1    AC to 1  * wins in 0 redeals",
            "d    deal       throws it away",
        ]
        assert "AC*" in player.reads("table")
        await player.press("1")
        assert "*" not in player.reads("table") + player.reads("moves")
        await player.press("u d question_mark")
        assert player.reads("moves") == ""

    play(TRAP, script)


def test_going_back_and_forth() -> None:
    async def script(player: Player) -> None:
        await player.press("u")
        assert player.reads("notice") == "There is no move to take back."
        await player.press("d 1 u u")
        assert player.line == ""
        await player.press("y right")
        assert player.line == "d AC>1"
        await player.press("y")
        assert player.reads("notice") == "There is no move to be made again."
        await player.press("left d")  # another way
        assert player.line == "d d"
        await player.press("y")
        assert player.line == "d d"

    play(TRAP, script)


def test_other_deals() -> None:
    rules = Rules.preset("ultimate")

    async def script(player: Player) -> None:
        for answer, deal in (
            ("numbered:007", Deal.numbered(7, rules)),
            ("numbered:8", Deal.numbered(8, rules)),
            (str(Deal.numbered(9, rules)), Deal.numbered(9, rules)),
        ):
            await player.press("d n")
            await player.answer(answer)
            assert (player.app.game.record.deal, player.line) == (deal, "")
        await player.press("n enter")
        assert player.app.game.record.deal.name.startswith("numbered:")
        assert "by ultimate rules" in player.reads("title")
        await player.press("d n escape")
        assert player.line == "d"

    play(Record(Deal.numbered(0, rules), (), rules), script)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        (ChosenRules(None, None), Rules.preset("pysolfc")),
        (ChosenRules(None, ["withhold=bases"]), Rules.preset("pysolfc").evolve(withhold="bases")),
        (ChosenRules("morehead", None), Rules.preset("morehead")),
    ],
    ids=["none", "--set", "--rules"],
)
def test_another_deal_by_pysolfcs_number_brings_its_rules(asked: ChosenRules, rules: Rules) -> None:
    async def script(player: Player) -> None:
        player.app.rules = asked
        await player.press("n")
        await player.answer("pysolfc:0024680")
        game = player.app.game.record
        assert (game.deal.name, game.deal, game.rules) == ("pysolfc:24680", Deal.pysolfc("24680"), rules)
        assert player.reads("title").startswith("Amazons  pysolfc:24680 by ")

    play(Record(Deal.numbered(0), (), Rules()), script)


def test_the_talon_can_be_looked_at() -> None:
    async def script(player: Player) -> None:
        assert "7C" not in player.reads("table")
        await player.press("t")
        assert "AC 7C" in player.reads("table")
        await player.press("t")
        assert "7C" not in player.reads("table")

    play(TRAP, script)


@pytest.mark.parametrize(("size", "symbols"), [((80, 24), True), ((60, 14), True), ((80, 24), False)])
def test_everything_is_within_the_screen(size: tuple[int, int], symbols: bool) -> None:
    rules = Rules.preset("pysolfc")
    record = Record(Deal.pysolfc("24680", rules), parse_line("d d d d d d d"), rules)

    async def script(player: Player) -> None:
        parts = [player.app.query_one(f"#{part}") for part in ("title", "table", "moves", "verdict", "notice", "keys")]
        screen = player.app.screen.region
        assert all(screen.contains_region(part.region) for part in parts)
        rows = player.reads("table").splitlines()
        # The top cards, which are what can be played.
        assert rows[-3].split() == (["A♥", "10♠", "8♥", "10♣"] if symbols else ["AH", "TS", "8H", "TC"])
        text = "".join(player.reads(part) for part in ("title", "table", "moves", "verdict", "notice", "keys"))
        assert text.isascii() is not symbols

    play(record, script, size=size, symbols=symbols)


def test_depots_unfold_when_the_terminal_grows() -> None:
    rules = Rules.preset("pysolfc")
    record = Record(Deal.pysolfc("24680", rules), parse_line("d d d d d d d"), rules)

    async def script(player: Player) -> None:
        folded = player.reads("table")
        assert "+" in folded
        for size, is_folded in (((80, 40), False), ((80, 14), True)):
            await player.pilot.resize_terminal(*size)
            await player.settle()
            assert ("+" in player.reads("table")) is is_folded
        assert player.reads("table") == folded

    play(record, script, size=(80, 14))


@pytest.mark.parametrize("width", [80, 50, 40])
def test_all_keys_are_shown_whatever_the_width(width: int) -> None:
    async def script(player: Player) -> None:
        keys = player.app.query_one("#keys").region
        assert player.app.screen.region.contains_region(keys)
        assert "\n".join(player.reads("keys").splitlines()) == keys_text(width)
        assert (keys.height, keys.width) == (len(keys_text(width).splitlines()), width)
        await player.press("d s")
        assert player.app.screen.region.contains_region(player.app.screen.query_one(Input).region)

    play(TRAP, script, size=(width, 24))


def test_keys_in_upper_case_and_keys_that_there_are_not() -> None:
    async def script(player: Player) -> None:
        await player.press("D 1 D U Y U")
        assert player.line == "d AC>1"
        await player.press("T")
        assert "7C" in player.reads("table")
        await player.press("D B R")
        assert player.line == "d AC>1 d"
        for key, sign in (("x", "x"), ("X", "X"), ("5", "5"), ("plus", "+")):
            await player.press(key)
            assert player.reads("notice") == f"{sign}: there is no such key. h: all keys."
        for key in ("S", "O", "N"):
            await player.press(key)
            assert isinstance(player.app.screen, Prompt)
            await player.press("escape")
        await player.press("Q")
        assert not player.app.is_running

    play(TRAP, script)


def test_help() -> None:
    async def script(player: Player) -> None:
        for key in ("h", "H", "f1"):
            await player.press(key)
            assert isinstance(player.app.screen, Help)
            await player.press("down d")
            assert (player.line, len(player.app.screen_stack)) == ("", 1)
        assert max(map(len, HELP.split("\n\n", maxsplit=1)[0].splitlines())) <= 50

    play(TRAP, script, size=(50, 14))


@pytest.mark.parametrize("keys", ["ctrl+c", "ctrl+q", "s ctrl+c", "n ctrl+q"])
def test_keys_that_always_quit(keys: str) -> None:
    async def script(player: Player) -> None:
        await player.press(f"d {keys}")
        assert not player.app.is_running
        assert len(player.app.unsaved()) == 1

    play(TRAP, script)
