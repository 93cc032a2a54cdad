"""A game that is being played: its table on a terminal, and going back and forth in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import DEAL, Deal, IllegalMoveError, Rules, State, parse_line, parse_move
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.cli.play.table import table_text
from amazons_solver.model.saved.records import Record
from support.arbitrary import rules, states

SMALL = Rules(suits="CD", ranks="A9T", withhold="any")
STATE = State.parse("9D AC | TC 9C ; TD | AD ; -", SMALL)


def test_the_table() -> None:
    assert [row.rstrip() for row in table_text(STATE, symbols=True).plain.splitlines()] == [
        "              1     2",
        "foundations   A♦    --",
        "",
        "depots       10♣   10♦",
        "              9♣",
        "",
        "talon         2 cards",
    ]


def test_letters_marks_and_the_talon() -> None:
    marked = [parse_move("9C>2"), DEAL]
    text = table_text(STATE, symbols=False, marked=marked, show_talon=True).plain
    assert [row.rstrip() for row in text.splitlines()][3:] == [
        "depots        TC    TD",
        "              9C*",
        "",
        "talon         2 cards*",
        " 9D AC",
    ]


def test_of_high_piles_the_upper_cards_are_shown() -> None:
    tall = Rules(suits="C", ranks="A23456789T", withhold="any")
    state = State.parse("- | AC 2C 3C 4C 5C 6C 7C 8C 9C TC | -", tall)
    text = table_text(state, symbols=True, height=9).plain
    assert [row.rstrip() for row in text.splitlines()][3:] == [
        "depots        +7",
        "              8♣",
        "              9♣",
        "             10♣",
        "",
        "talon         0 cards",
    ]
    assert "+" not in table_text(state, symbols=True, height=15).plain
    assert "+" in table_text(state, symbols=True, height=14).plain


@pytest.mark.slow
@given(st.data())
def test_whatever_the_room_every_card_that_may_be_played_is_seen(data: st.DataObject) -> None:
    state = data.draw(states(data.draw(rules())))
    height = data.draw(st.integers(1, 30))
    text = table_text(state, symbols=False, height=height).plain
    shown = text.split()
    assert {str(pile[-1]) for pile in state.depots if pile} <= set(shown)
    assert {str(top) for top in state.foundations if top} <= set(shown)
    assert len(text.splitlines()) <= max(height, 3 + 2 + 2)
    assert max(map(len, text.splitlines())) <= 38


class TestPlayedGame:
    """`PlayedGame`."""

    game = Record(Deal.parse("AC 9D TD TC 9C AD", SMALL), parse_line("d d AC>1"), SMALL)

    def test_a_record_is_replayed(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"\(move 3\)"):
            PlayedGame(self.game)
        game = PlayedGame(Record(self.game.deal, parse_line("d AC>1"), SMALL))
        assert game.state == State.initial(self.game.deal, SMALL).play_line(parse_line("d AC>1"))
        assert (game.position, game.redeals) == (2, 0)

    def test_back_and_forth(self) -> None:
        game = PlayedGame(Record(self.game.deal, parse_line("d d d r d"), SMALL))
        states = list(game.states)
        assert game.redeals == 1
        for position in (3, 0, 5, 2):
            game.go_to(position)
            assert (game.state, len(game.line)) == (states[position], position)
        game.go_to(9)
        assert game.position == 5
        game.go_to(-1)
        assert game.position == 0

    def test_the_same_move_keeps_what_was_taken_back_and_another_does_not(self) -> None:
        game = PlayedGame(Record(self.game.deal, parse_line("d d d r d"), SMALL))
        game.go_to(0)
        game.play(DEAL)
        assert (game.position, len(game.moves)) == (1, 5)
        game.play(parse_move("AC>1"))
        assert game.line == tuple(game.moves) == parse_line("d AC>1")
        assert game.states[-1] == game.state
        assert len(game.states) == 3

    def test_a_move_that_is_not_legal_changes_nothing(self) -> None:
        game = PlayedGame(Record(self.game.deal, parse_line("d"), SMALL))
        with pytest.raises(IllegalMoveError):
            game.play(parse_move("9C>1"))
        assert (game.position, len(game.states)) == (1, 2)
