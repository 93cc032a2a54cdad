"""Moves and lines, and their text."""

import pytest

from amazons_solver import DEAL, REDEAL, NotationError, Play, format_line, parse_line, parse_move
from amazons_solver.model.cards import CARDS, parse_card


def test_moves_are_written_as_the_rules_say() -> None:
    assert [str(DEAL), str(REDEAL), str(Play(parse_card("7H"), 2))] == ["d", "r", "7H>2"]
    assert [move.kind for move in (DEAL, REDEAL, Play(parse_card("7H"), 2))] == ["deal", "redeal", "play"]


def test_every_move_is_read_back() -> None:
    moves = [DEAL, REDEAL, *(Play(card, foundation) for card in CARDS.values() for foundation in range(1, 5))]
    assert len(set(moves)) == 2 + 52 * 4
    for move in moves:
        assert parse_move(str(move)) == move
    assert parse_line(format_line(moves)) == tuple(moves)


def test_cards_of_a_play_may_be_spelled_as_anywhere() -> None:
    assert parse_line(" 10♥>3\n d  r\t") == (Play(parse_card("TH"), 3), DEAL, REDEAL)
    assert parse_line("") == ()


@pytest.mark.parametrize("text", ["", "x", "D", "7H", "7H>", "7H>0", "7H>5", "7H>10", ">1", "7H>1>2", "7Z>1", "7H >1"])
def test_no_move(text: str) -> None:
    with pytest.raises(NotationError, match="expected a"):
        parse_move(text)


def test_a_bad_move_of_a_line_is_named_with_its_place() -> None:
    with pytest.raises(NotationError, match=r"got '8Q' \(move 3\)$"):
        parse_line("d 7H>1 8Q d")
