"""States: the moves of RULES.md one by one, what identifies a state, and how it is shown."""

import attrs
import pytest

from amazons_solver import DEAL, Deal, IllegalMoveError, NotationError, Rules, State, parse_line

TWO = Rules(suits="CD", ranks="A78")


def moves(text: str, rules: Rules) -> str:
    return " ".join(map(str, State.parse(text, rules).legal_moves()))


def after(text: str, line: str, rules: Rules) -> str:
    return State.parse(text, rules).play_line(parse_line(line)).text()


@pytest.mark.parametrize(
    ("placement", "expected"),
    # Depots 2 and 3 show aces; foundation 1 is begun, 2, 3 and 4 are empty.
    [("leftmost", "AD>2 AH>2 d"), ("any", "AD>2 AD>3 AD>4 AH>2 AH>3 AH>4 d"), ("above", "AD>2 AH>3 d")],
)
def test_where_a_base_card_may_go(placement: str, expected: str) -> None:
    rules = Rules(ranks="A7", base_placement=placement)  # type: ignore[arg-type]
    assert moves("7C 7D 7H 7S | - ; AD ; AH ; AS | AC ; - ; - ; -", rules).startswith(expected[:-2])
    assert moves("7C 7D 7H AS 7S | - ; AD ; AH ; - | AC ; - ; - ; -", rules) == expected


def test_above_means_any_empty_one_when_the_one_above_is_taken() -> None:
    rules = Rules(ranks="A7", base_placement="above")
    assert moves("7C 7D 7H AS AH 7S | AD ; - ; - ; - | AC ; - ; - ; -", rules) == "AD>2 AD>3 AD>4 d"


def test_a_foundation_may_belong_to_a_suit() -> None:
    """From left to right clubs, spades, hearts, diamonds, whatever stands above the base's depot."""
    rules = Rules(ranks="A7", base_placement="suit")
    text = "7C 7D 7H 7S | AD ; AC ; AS ; AH | - ; - ; - ; -"
    assert moves(text, rules) == "AD>4 AC>1 AS>2 AH>3 d"
    assert after(text, "AD>4 AS>2", rules) == "7C 7D 7H 7S | - ; AC ; - ; AH | - ; AS ; - ; AD"
    # Of fewer suits, those that the deck has, in the same order.
    fewer = "7D 7H 7S | AD ; AS ; AH | - ; - ; -"
    assert moves(fewer, rules.evolve(suits="DHS")) == "AD>3 AS>1 AH>2 d"
    # What goes on a base is played from the depot below it, but for a top card with `top_anywhere`.
    apart = "- | 8C ; 8D 7D | 7C ; AD"
    assert moves(apart, TWO.evolve(base_placement="suit")) == "8C>1 7D>2"
    assert moves("- | 8D ; 8C | 7C ; 7D", TWO.evolve(base_placement="suit")) == "r"
    assert moves("- | 8D ; 8C | 7C ; 7D", TWO.evolve(base_placement="suit", top_anywhere=True)) == "8D>2 8C>1"


def test_another_card_goes_to_the_foundation_above_its_own_depot() -> None:
    text = "8C 8D | 7C ; 7D | {} ; {}"
    assert moves(text.format("AC", "AD"), TWO) == "7C>1 7D>2"
    assert moves(text.format("AD", "AC"), TWO) == "d"
    assert moves(text.format("AD", "AC"), TWO.evolve(build="rank")) == "7C>1 7D>2"


def test_a_top_card_may_go_from_anywhere_with_top_anywhere() -> None:
    text = "- | 8C ; 8D 7D | 7C ; AD"
    swapped = "- | 8D 7D ; 8C | 7C ; AD"
    assert moves(text, TWO) == "8C>1 7D>2"
    assert moves(swapped, TWO) == "r"
    assert moves(swapped, TWO.evolve(top_anywhere=True)) == "8C>1"
    # Building by rank, the 8 fits both foundations: a choice.
    both = "- | 8C ; 8D | 7C ; 7D"
    assert moves(both, TWO.evolve(build="rank", top_anywhere=True)) == "8C>1 8C>2 8D>1 8D>2"
    assert moves(both, TWO.evolve(build="rank")) == "8C>1 8D>2"


@pytest.mark.parametrize(
    ("withhold", "ace_only", "seven"),
    [("nothing", "AD>2", "7C>1"), ("bases", "AD>2 d", "7C>1"), ("any", "AD>2 d", "7C>1 d")],
)
def test_what_may_be_withheld(withhold: str, ace_only: str, seven: str) -> None:
    rules = TWO.evolve(withhold=withhold)
    assert moves("7C 8C 7D 8D | - ; AD | AC ; -", rules) == ace_only
    assert moves("8C 7D 8D AD | 7C ; - | AC ; -", rules) == seven
    # Under `bases` an ace may be held back only while nothing else can be played.
    both = {"nothing": "7C>1 AD>2", "bases": "7C>1 AD>2", "any": "7C>1 AD>2 d"}[withhold]
    assert moves("8C 7D 8D | 7C ; AD | AC ; -", rules) == both


def test_a_row_is_dealt_left_to_right_and_the_last_may_be_short() -> None:
    assert after("AC 7C 8C 7D AD | 8D ; - | - ; -", "d d d", TWO) == "- | 8D AC 8C AD ; 7C 7D | - ; -"


def test_skip_complete_deals_nothing_below_a_complete_foundation() -> None:
    text = "AD 7D 8D | - ; - | 8C ; -"
    assert after(text, "d", TWO) == "8D | AD ; 7D | 8C ; -"
    assert after(text, "d", TWO.evolve(skip_complete=True)) == "7D 8D | - ; AD | 8C ; -"


@pytest.mark.parametrize(
    ("gather", "talon"),
    # The depots are 8C 7C and AD 7D 8D, bottom to top.
    [("left-over-right", "AD 7D 8D 8C 7C"), ("right-over-left", "8C 7C AD 7D 8D")],
)
def test_gathering_keeps_the_order_within_each_pile(gather: str, talon: str) -> None:
    rules = TWO.evolve(gather=gather, withhold="any")
    assert after("- | 8C 7C ; AD 7D 8D | AC ; -", "r", rules) == f"{talon} | - ; - | AC ; -"


def test_max_redeals_counts_redeals_and_blocks() -> None:
    rules = Rules(suits="C", ranks="A7", max_redeals=1)
    state = State.parse("7C AC | - | - | redeals=0", rules).play_line(parse_line("d d AC>1"))
    assert state.text() == "- | 7C | AC | redeals=0"
    blocked = State.parse("- | AC 7C | - | redeals=1", rules)
    assert blocked.is_blocked
    assert State.parse("- | AC 7C | - | redeals=0", rules).play_line(parse_line("r")).redeals == 1


def test_idle_passes_count_passes_without_a_play_in_a_row() -> None:
    rules = Rules(suits="CD", ranks="A7", idle_passes=2, withhold="any")
    state = State.parse("AC 7C AD 7D | - ; - | - ; - | idle=0 played=0", rules)
    # The first idle pass may end in a redeal, the second may not; a play starts the count again.
    once = state.play_line(parse_line("d d r"))
    assert once.text() == "7C 7D AC AD | - ; - | - ; - | idle=1 played=0"
    assert [str(move) for move in once.play_line(parse_line("d d")).legal_moves()] == ["AC>1", "AD>1"]
    played = once.play_line(parse_line("d d AC>1"))
    assert (played.idle, played.played) == (1, True)
    assert played.play_line(parse_line("r")).text().endswith("| idle=0 played=0")


def test_a_won_state_has_no_moves_and_is_not_blocked() -> None:
    won = State.parse("- | - ; - | 8C ; 8D", TWO)
    assert (won.is_won, won.is_blocked, won.legal_moves(), won.cards_left) == (True, False, (), 0)
    # With a single rank the base rule applies: the ace opens and completes.
    assert moves("- | AC ; AD | - ; -", Rules(suits="CD", ranks="A", top_anywhere=True)) == "AC>1 AD>1 r"


def test_an_illegal_move_is_refused_and_the_legal_ones_are_listed() -> None:
    state = State.parse("8C 8D | 7C ; 7D | AC ; AD", TWO)
    with pytest.raises(IllegalMoveError, match=r"expected a legal move \(7C>1 7D>2\), got d in 8C 8D \|"):
        state.play(DEAL)
    with pytest.raises(IllegalMoveError, match=r"\(move 3\)$"):
        state.play_line(parse_line("7C>1 7D>2 7D>2"))
    with pytest.raises(IllegalMoveError, match=r"got d in .* \(move 4\)$"):
        state.states_along("7C>1 7D>2 d d")
    with pytest.raises(IllegalMoveError, match="none: the game is over"):
        State.parse("- | - ; - | 8C ; 8D", TWO).play(DEAL)


def test_the_states_along_a_line() -> None:
    state = State.parse("8C 8D | 7C ; 7D | AC ; AD", TWO)
    assert [each.text() for each in state.states_along("7C>1 7D>2 d")] == [
        "8C 8D | 7C ; 7D | AC ; AD",
        "8C 8D | - ; 7D | 7C ; AD",
        "8C 8D | - ; - | 7C ; 7D",
        "- | 8C ; 8D | 7C ; 7D",
    ]
    assert state.states_along(()) == [state]


def test_states_are_frozen_hashable_and_equal_by_value() -> None:
    state = State.initial(Deal.numbered(0, TWO), TWO)
    assert len({state, State.parse(state.text(), TWO)}) == 1
    assert state != State.parse(state.text(), TWO.evolve(withhold="any"))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        state.talon_codes = b""  # type: ignore[misc]


def test_a_state_shows_itself() -> None:
    rules = TWO.evolve(max_redeals=2)
    state = State.parse("AD 7D | 8D ; 8C 7C | AC ; - | redeals=1", rules)
    assert repr(state) == "<State AD 7D | 8D ; 8C 7C | AC ; - | redeals=1>"
    assert str(state).splitlines() == [
        "foundations  AC  --",
        "depots       8D  8C",
        "                 7C",
        "talon (2)    AD 7D",
        "counters     redeals=1",
    ]
    assert str(State.parse("- | - ; - | 8C ; 8D | redeals=0", rules)).splitlines()[:3] == [
        "foundations  8C  8D",
        "depots       --  --",
        "talon (0)    --",
    ]


def test_the_table_is_given_as_cards() -> None:
    state = State.parse("AD 7D | 8D ; 8C 7C | AC ; -", TWO)
    assert [str(card) for card in state.talon] == ["AD", "7D"]
    assert [[str(card) for card in pile] for pile in state.depots] == [["8D"], ["8C", "7C"]]
    assert [str(card) for card in state.foundations] == ["AC", "None"]
    assert state.cards_left == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a state as talon | depots | foundations, got 1 of these parts"),
        ("- | - | - | -", "got 4 of these parts"),
        ("AC 7C AD 7D 8C 8D | - | - ; -", "expected 2 depots, one for each suit, got 1"),
        ("AC 7C AD 7D 8C 8D | - ; - | - ; - ; -", "expected 2 foundations, one for each suit, got 3"),
        ("AC 7C AD 7D 8C | - ; - | - ; -", "8D is missing"),
        ("AC 7C AD 7D 8C 8D | AC ; - | - ; -", "expected each card once, got AC twice"),
        ("AC 7C AD 7D 8C 8S | - ; - | - ; -", "expected cards of the deck (suits CD, ranks A78), got 8S"),
        ("AC 7C AD 7D 8D | - ; - | 8C ; -", "AC is shown although a foundation has passed it"),
        ("AD 7D 8D | - ; - | 8C ; 7C", "AC is below more than one foundation"),
        ("| - ; - | 8C ; 8D", "expected cards, or - for none, in the talon"),
        ("- | - ;  | 8C ; 8D", "expected cards, or - for none, in depot 2"),
        ("- | 9Z ; - | 8C ; 8D", "got '9Z' (card 1) in depot 1"),
        ("- | - ; - | 7C 8C ; 8D", "expected the top card of foundation 1 alone, got 7C 8C"),
    ],
)
def test_what_is_no_state_says_why(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        State.parse(text, TWO)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("foundations", "message"),
    [
        ("- ; 7C ; - ; -", "expected a card of suit S on foundation 2 (base_placement=suit), got 7C"),
        ("- ; - ; AD ; -", "expected a card of suit H on foundation 3 (base_placement=suit), got AD"),
        ("AC ; AS ; AD ; AH", "expected a card of suit H on foundation 3 (base_placement=suit), got AD"),
    ],
)
def test_a_foundation_of_another_suit_is_refused(foundations: str, message: str) -> None:
    rules = Rules(ranks="A7", base_placement="suit")
    state = State.parse("7C 7D 7H 7S | - ; - ; - ; - | AC ; AS ; AH ; AD", rules)
    on = set(foundations.split())
    talon = " ".join(sorted({"AC", "AD", "AH", "AS", "7C", "7D", "7H", "7S"} - on - ({"AC"} if "7C" in on else set())))
    with pytest.raises(NotationError) as caught:
        State.parse(f"{talon} | - ; - ; - ; - | {foundations}", rules)
    assert str(caught.value) == message
    assert State.parse(f"{talon} | - ; - ; - ; - | {foundations}", Rules(ranks="A7"))
    tops = state.foundation_codes
    with pytest.raises(NotationError, match="on foundation 3"):
        attrs.evolve(state, foundation_codes=tops[:2] + tops[:1:-1])


@pytest.mark.parametrize(
    ("counters", "message"),
    [
        ("", "expected the counters as redeals=0 idle=0 played=0, got ''"),
        ("redeals=1", "expected the counters as"),
        ("redeals=1idle=0 played=0", "expected the counters as"),
        ("redeals=١ idle=0 played=0", "expected the counters as"),
        ("idle=0 played=0", "expected the counters as"),
        ("redeals=1 idle=0 played=2", "expected the counters as"),
        ("redeals=4 idle=0 played=0", "expected redeals from 0 to 3, got 4"),
        ("redeals=0 idle=2 played=0", "expected idle from 0 to 1, got 2"),
        pytest.param("redeals=" + "9" * 5000 + " idle=0 played=0", "expected the counters as", id="long"),
    ],
)
def test_bad_counters_say_why(counters: str, message: str) -> None:
    rules = TWO.evolve(max_redeals=3, idle_passes=2)
    with pytest.raises(NotationError) as caught:
        State.parse(f"- | - ; - | 8C ; 8D | {counters}", rules)
    assert message in str(caught.value)


def test_the_constructor_checks_what_it_is_given() -> None:
    with pytest.raises(NotationError, match="got 255"):
        State(TWO, b"\xff", (b"", b""), bytes(2))
    with pytest.raises(NotationError, match="expected redeals from 0 to 0, got 1"):
        attrs.evolve(State.parse("- | - ; - | 8C ; 8D", TWO), counters=(1, 0, False))
    with pytest.raises(NotationError, match="played=0"):
        attrs.evolve(State.parse("- | - ; - | 8C ; 8D", TWO), counters=(0, 0, True))


def test_by_rank_the_cards_below_a_top_may_be_of_any_suit() -> None:
    rules = TWO.evolve(build="rank")
    # Foundations 7C and AD cover one more ace; the ace shown in the depot would be a third.
    assert State.parse("8C 8D | 7D ; - | 7C ; AD", rules).cards_left == 3
    with pytest.raises(NotationError, match="rank A is shown although"):
        State.parse("8C 8D | 7D ; AC | 7C ; AD", rules)


def test_keys_hold_the_version_and_tell_counters_apart() -> None:
    rules = TWO.evolve(max_redeals=300)
    low, high = (State.parse(f"- | - ; - | 8C ; 8D | redeals={n}", rules) for n in (2, 258))
    assert low.exact_key() != high.exact_key()
    assert low.key() != high.key()
    # By hand: version 1; foundations 8C (suit 0, rank index 7) and 8D; empty depots and talon; the counters.
    assert low.exact_key() == b"\x01" + bytes([8, 16 + 8]) + b"\0\0" + b"\0redeals=2"


def test_canonical_form_renames_suits_as_they_are_first_met() -> None:
    state = State.parse("7D AC | 8D ; 8C 7C | - ; AD", TWO)
    # Reading the foundations first, D is met before C.
    assert state.canonical().text() == "7C AD | 8C ; 8D 7D | - ; AC"
    assert state.key() == state.canonical().key() == state.canonical().exact_key() != state.exact_key()
    other = State.parse("7C AD | 8C ; 8D 7D | - ; AC", TWO)
    assert other.key() == state.key()


def test_where_a_foundation_belongs_to_a_suit_nothing_is_renamed() -> None:
    rules = TWO.evolve(base_placement="suit")
    state = State.parse("7D AC | 8D ; 8C 7C | - ; AD", rules)
    other = State.parse("7C AD | 8C ; 8D 7D | AC ; -", rules)
    assert state.canonical() == state
    assert state.key() == state.exact_key() != other.key()


def test_canonical_form_by_rank_drops_the_suits() -> None:
    rules = TWO.evolve(build="rank")
    first, second = (
        State.parse(text, rules) for text in ("7D AC | 8D ; 8C 7C | - ; AD", "7C AD | 8C ; 8D 7D | - ; AC")
    )
    third = State.parse("7D AC | 8C ; 8D 7C | - ; AD", rules)
    assert first.key() == second.key() == third.key()
    assert first.canonical() == second.canonical() == third.canonical()
    assert State.parse("AC 7D | 8D ; 8C 7C | - ; AD", rules).key() != first.key()
