"""Cards and their text, as RULES.md's notation has them."""

import pytest

from amazons_solver import Card, NotationError, Rank, Suit
from amazons_solver.errors import shorten
from amazons_solver.model.cards import CARDS, cards_of, parse_card, parse_cards, pile_of, pile_text


def test_a_card_is_written_rank_then_suit() -> None:
    assert str(Card(Rank.TEN, Suit.DIAMONDS)) == "TD"
    assert Card(Rank.TEN, Suit.DIAMONDS).pretty == "10♦"
    assert Card(Rank.ACE, Suit.SPADES).pretty == "A♠"


def test_repr_is_a_constructor_call_in_effect() -> None:
    assert repr(Card(Rank.SEVEN, Suit.HEARTS)) == "Card(rank=<Rank.SEVEN: '7'>, suit=<Suit.HEARTS: 'H'>)"


@pytest.mark.parametrize("text", ["TH", "10H", "th", "10h", "Th", "10♥", "T♥", "10♡", "10♥\ufe0f", "10♥\ufe0e", "🂺"])
def test_every_spelling_of_the_ten_of_hearts(text: str) -> None:
    assert parse_card(text) == Card(Rank.TEN, Suit.HEARTS)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        # Unicode's names: U+1F0A1 ace of spades, U+1F0B7 seven of hearts, U+1F0CB jack, U+1F0CD queen, U+1F0CE king
        # of diamonds, U+1F0DD queen of clubs, U+1F0D2 two of clubs.
        ("\U0001f0a1", "AS"),
        ("\U0001f0b7", "7H"),
        ("\U0001f0cb", "JD"),
        ("\U0001f0cd", "QD"),
        ("\U0001f0ce", "KD"),
        ("\U0001f0dd", "QC"),
        ("\U0001f0d2", "2C"),
        ("q♣", "QC"),
        ("q♧", "QC"),
        ("a♤", "AS"),
        ("8♢", "8D"),
    ],
)
def test_unicode_cards_and_suits(text: str, card: str) -> None:
    assert str(parse_card(text)) == card


@pytest.mark.parametrize(
    "text", ["", "7", "H", "1H", "H7", "7HH", "11H", "A10", "10", "7X", "\U0001f0ac", "\U0001f0a0", "7\u017f", "ZZ"]
)
def test_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="expected a card such as 7H"):
        parse_card(text)


def test_each_of_the_52_cards_is_read_back() -> None:
    assert len(CARDS) == 52
    for code, card in CARDS.items():
        assert parse_card(str(card)) is card
        assert parse_card(card.pretty) is card
        assert card.code == code


def test_cards_are_separated_by_space_and_commas_and_comments_end_with_the_line() -> None:
    text = "\ufeff7H,,8h\t, 10♥ # a comment, 9C\r\n\n🂡 #"
    assert [str(card) for card in parse_cards(text)] == ["7H", "8H", "TH", "AS"]
    assert parse_cards(" ,# only a comment") == ()


def test_a_bad_card_is_named_with_its_place() -> None:
    with pytest.raises(NotationError, match=r"got '7Z' \(card 3\)$"):
        parse_cards("7H # first\n8H, 7Z 9H")


def test_a_packed_pile_is_the_cards() -> None:
    cards = parse_cards("7H TD AS")
    assert cards_of(pile_of(cards)) == cards
    assert pile_text(pile_of(cards)) == "7H TD AS"
    assert pile_text(b"") == "-"


def test_values_in_messages_are_cut() -> None:
    assert shorten("x" * 1000) == "'" + "x" * 40 + "...'"
    assert shorten(10**5000) == "a number of more than 64 bits"
    assert shorten(17) == "17"
