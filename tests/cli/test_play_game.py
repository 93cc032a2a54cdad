"""The text in which a game that is played is kept."""

import pytest

from amazons_solver import Deal, Rules, format_line, parse_line
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.model.saved.records import Record

RULES = Rules(suits="C", ranks="A78", withhold="any")
HEAD = "# pysolfc:1, the one of Monday\nrules wikipedia suits=C ranks=A78 withhold=any\n7C AC 8C  # my deal"


def opened(text: str) -> PlayedGame:
    return PlayedGame(Record.parse(text), text)


def test_a_file_that_was_not_played_on_stays_as_it_is() -> None:
    text = f"{HEAD}\n\n# the first pass\nd d\td r\n\nd  # better?\n# end\n"
    assert opened(text).text() == text
    game = opened(text)
    game.play(parse_line("d")[0])
    assert not game.is_saved
    assert Record.parse(game.text()).line == parse_line("d d d r d d")
    assert game.text() == text + "d\n"


def test_a_pass_goes_on_in_its_line_and_another_begins_a_line() -> None:
    game = opened(f"{HEAD}\nd d\n")
    for move in parse_line("d r d"):
        game.play(move)
    assert game.text() == f"{HEAD}\nd d d r\nd\n"


@pytest.mark.parametrize(
    ("back_to", "kept"),
    [
        (5, "d d d r  # one\n# two\nd  # three"),
        (4, "d d d r  # one\n# two\n# three"),
        (2, "d d  # one\n# two\n# three"),
        (0, "# one\n# two\n# three"),
    ],
)
def test_moves_that_were_taken_back_are_kept_and_comments_stay(back_to: int, kept: str) -> None:
    game = opened(f"{HEAD}\nd d d r  # one\n# two\nd d  # three\n")
    game.go_to(back_to)
    assert game.is_saved  # a file has them all
    taken_back = format_line(parse_line("d d d r d d")[back_to:])
    assert game.text() == f"{HEAD}\n{kept}\n# taken back: {taken_back}\n"
    again = opened(game.text())
    assert (again.position, again.moves) == (back_to, game.moves)
    assert again.text() == game.text()
    again.go_to(6)
    assert "taken back" not in again.text()
    assert Record.parse(again.text()).line == game.record.line


def test_another_way_replaces_what_was_taken_back_and_no_comment() -> None:
    game = opened(f"{HEAD}\nd d AC>1 d r  # one\n# two\nd  # three\n")
    game.go_to(2)
    game.play(parse_line("d")[0])
    assert game.text() == f"{HEAD}\nd d  # one\n# two\n# three\nd\n"


@pytest.mark.parametrize("comment", ["# taken back: d r r", "# taken back: whist", "#taken back: AC>1"])
def test_a_comment_binds_nobody(comment: str) -> None:
    game = opened(f"{HEAD}\nd\n{comment}\n")
    assert (game.position, len(game.moves)) == (1, 1)
    assert game.text() == f"{HEAD}\nd\n{comment}\n"


def test_line_ends_of_other_systems() -> None:
    text = f"{HEAD}\nd d\n# end \u2028 d d\n"
    for line_end in ("\r\n", "\r"):
        game = opened(text.replace("\n", line_end))
        assert game.text() == text
        game.go_to(1)
        assert game.text() == f"{HEAD}\nd\n# end \u2028 d d\n# taken back: d\n"


def test_rules_and_deal_that_are_not_in_the_file_are_added() -> None:
    rules = Rules(suits="C", ranks="A78")
    text = "# a comment\nd  # another\n"
    game = PlayedGame(Record.parse(text, rules, Deal.numbered(0, rules)), text)
    assert game.text() == f"# a comment\n# another\n{game.record.text()}\n"
    assert Record.parse(game.text()) == game.record
    again = opened(game.text())
    assert again.text() == game.text()


def test_a_game_without_a_file_is_saved_when_nothing_was_played() -> None:
    game = PlayedGame(Record(Deal.numbered(0, RULES), (), RULES))
    assert game.is_saved
    game.play(parse_line("d")[0])
    game.go_to(0)
    assert not game.is_saved
    assert opened(game.text()).moves == game.moves
