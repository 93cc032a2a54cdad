"""Deals from every source, against values from independent programs."""

from pathlib import Path

import pytest

from amazons_solver import Deal, NotationError, Rules, RulesError

FIXTURES = Path(__file__).parent.parent / "fixtures"
SMALL = Rules(suits="CD", ranks="A7")


def rows(name: str) -> list[list[str]]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("number", "deck", "cards"), rows("numbered-deals.txt"))
def test_numbered_deals(number: str, deck: str, cards: str) -> None:
    suits, ranks = {"4x7": ("CDHS", "A789TJQ"), "4x6": ("CDHS", "789TJQ"), "2x3": ("CD", "A78")}[deck]
    deal = Deal.numbered(int(number), Rules(suits=suits, ranks=ranks))
    assert str(deal) == cards
    assert deal.name == f"numbered:{number}"


@pytest.mark.parametrize(("number", "cards"), rows("pysolfc-deals.txt"))
def test_pysolfc_deals(number: str, cards: str) -> None:
    assert str(Deal.pysolfc(number)) == cards
    if number.isdigit():
        assert Deal.pysolfc(int(number)) == Deal.pysolfc(number)


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "-1",
        "ms0",
        "ms8589934592",
        "100000000000000000001",
        pytest.param("9" * 5000, id="long"),
        "1.5",
        "",
        "ms",
        "MS",
        "#",
        "ms-1",
        "1-",
        "1#2",
        "7\u00b2",
        "abc",
        "٣",
    ],
)
def test_no_pysolfc_number(number: str) -> None:
    with pytest.raises(NotationError, match="expected a PySolFC game number"):
        Deal.pysolfc(number)


def test_the_largest_pysolfc_numbers_are_dealt() -> None:
    for number in ("100000000000000000000", "ms8589934591"):
        assert len(set(Deal.pysolfc(number).cards)) == 28


def test_pysolfc_deals_the_28_card_deck_only() -> None:
    with pytest.raises(RulesError, match=r"expected the 28-card deck .* got suits CDHS, ranks 789TJQ"):
        Deal.pysolfc("1", Rules.preset("ultimate"))


@pytest.mark.parametrize("number", [-1, 2**64, pytest.param(10**5000, id="huge"), True, 1.5, "7"])
def test_no_numbered_deal(number: object) -> None:
    with pytest.raises(NotationError, match=r"expected a deal number from 0 to 2\^64 - 1"):
        Deal.numbered(number)  # type: ignore[arg-type]


def test_random_deals_follow_their_seed_and_differ_without_one() -> None:
    assert Deal.random(seed=7) == Deal.random(seed=7) != Deal.random(seed=8)
    assert Deal.random(seed=0) == Deal.random(seed=0)
    assert len({Deal.random() for _ in range(5)}) == 5


def test_a_random_deal_is_a_numbered_one() -> None:
    deal = Deal.random(SMALL, seed=1)
    assert Deal.numbered(int(deal.name.removeprefix("numbered:")), SMALL) == deal


def test_a_deal_is_its_cards() -> None:
    deal = Deal.parse("AC, 7d\n7c ad", SMALL)
    assert str(deal) == "AC 7D 7C AD"
    assert repr(deal) == "<Deal AC 7D 7C AD>"
    assert Deal.parse(str(deal), SMALL) == deal
    assert len({deal, Deal(deal.cards, "another name")}) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 4 cards, got none: AC is missing, 7C is missing, AD is missing, 7D is missing"),
        ("AC 7C AD", "expected 4 cards, got 3: 7D is missing"),
        ("AC 7C AD 7D AC", "expected 4 cards, got 5: AC is repeated"),
        ("AC 7C AD AD", "expected each of the 4 cards once, got 4: AD is repeated, 7D is missing"),
        ("AC 7C AD KS", "expected a card of the deck (suits CD, ranks A7), got KS (card 4)"),
        ("AC 7C XX 7D", "expected a card such as 7H, 10H or QS, got 'XX' (card 3)"),
    ],
)
def test_what_is_no_deal_says_why(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Deal.parse(text, SMALL)
    assert str(caught.value) == message


def test_many_faults_are_cut_short() -> None:
    with pytest.raises(NotationError, match=r"got 1: .* and 23 more faults$"):
        Deal.parse("QS")


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("24680", "pysolfc:24680"),
        ("0024680", "pysolfc:24680"),
        (" 24680\n", "pysolfc:24680"),
        ("#24680", "pysolfc:24680"),
        ("#00000000000000032000", "pysolfc:32000"),
        ("12 345-678", "pysolfc:12345678"),
        ("12_345,678", "pysolfc:12345678"),
        ("0" * 5000 + "7", "pysolfc:7"),
        ("#ms24680", "pysolfc:ms24680"),
        ("MS24680", "pysolfc:ms24680"),
        ("ms 0024680", "pysolfc:ms24680"),
    ],
)
def test_a_number_as_pysolfc_shows_or_takes_it_is_one_deal_of_one_name(shown: str, name: str) -> None:
    deal = Deal.pysolfc(shown)
    assert deal.name == name
    assert deal == Deal.pysolfc(name.removeprefix("pysolfc:"))


@pytest.mark.parametrize("text", ["numbered:0", "numbered:000", "Numbered:0", " ,numbered:0 # mine"])
def test_a_name_is_a_deal(text: str) -> None:
    cards = {tuple(row): row[2] for row in rows("numbered-deals.txt")}
    deal = Deal.parse(text)
    assert (str(deal), deal.name) == (
        next(c for (n, deck, _), c in cards.items() if (n, deck) == ("0", "4x7")),
        "numbered:0",
    )


def test_a_name_may_stand_beside_its_cards() -> None:
    for deal in (Deal.numbered(7), Deal.pysolfc("ms617")):
        read = Deal.parse(f"{deal.name} {deal}")
        assert (read, read.name) == (deal, deal.name)
    first, second, *others = str(Deal.numbered(7)).split()
    with pytest.raises(NotationError) as caught:
        Deal.parse(" ".join(["numbered:7", second, first, *others]))
    assert str(caught.value) == f"expected the cards of numbered:7 beside its name, {first} as card 1, got {second}"


def test_a_comment_names_no_deal() -> None:
    assert Deal.parse(f"# pysolfc:24680\n{Deal.numbered(7)}").name == ""


@pytest.mark.parametrize(
    ("number", "readings"),
    [("0", "pysolfc:0 or numbered:0"), ("24680", "pysolfc:24680 or numbered:24680"), ("MS617", "pysolfc:MS617")],
)
def test_a_bare_number_could_be_two_deals(number: str, readings: str) -> None:
    with pytest.raises(NotationError) as caught:
        Deal.parse(number)
    assert str(caught.value) == f"expected cards or a deal's name ({readings}), got the number {number} alone"


def test_of_larger_numbers_it_is_this_library_that_deals_none() -> None:
    for number in (10**20 + 1, 10**30):
        with pytest.raises(NotationError, match=r"PySolFC deals larger numbers, too, but this library does not$"):
            Deal.pysolfc(str(number))
    with pytest.raises(NotationError, match=r"got '0'$"):  # which PySolFC does not deal
        Deal.pysolfc("0")
