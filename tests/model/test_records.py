"""Games as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import Deal, NotationError, Rules, RulesError, State, parse_line
from amazons_solver.model.rules import nearest_preset
from amazons_solver.model.saved.records import Record
from support.arbitrary import deals, rules

SMALL = Rules(suits="CD", ranks="A78", withhold="any")
TEXT = """\
rules wikipedia suits=CD ranks=A78 withhold=any
8C AC 7C 7D 8D AD
d AC>1 d d r
d
"""


def test_a_game_is_written_a_pass_a_line() -> None:
    game = Record(Deal.parse("8C AC 7C 7D 8D AD", SMALL), parse_line("d AC>1 d d r d"), SMALL)
    assert game.text() == TEXT.strip()
    assert Record.parse(TEXT) == game


@pytest.mark.parametrize("deal", [Deal.pysolfc("1"), Deal.pysolfc("ms617"), Deal.numbered(7)], ids=lambda d: d.name)
@pytest.mark.parametrize("preset", ["pysolfc", "patiencen"])
def test_the_name_of_a_deal_is_kept(deal: Deal, preset: str) -> None:
    game = Record(deal, parse_line("d d"), Rules.preset(preset))
    assert game.text() == f"rules {preset}\n{deal.name} {deal}\nd d"
    read = Record.parse(game.text())
    assert (read, read.deal.name) == (game, deal.name)


def test_pysolfc_numbers_bring_rules_where_none_are_named() -> None:
    deal = Deal.pysolfc("24680")
    for text in ("pysolfc:24680 d d", f"PySolFC:0024680\n{deal}\nd d", "# a game\npysolfc:24680 # mine\nd d"):
        assert Record.parse(text) == Record(deal, parse_line("d d"), Rules.preset("pysolfc"))
        assert Record.parse(f"rules morehead\n{text}").rules == Rules.preset("morehead")
        assert Record.parse(text, Rules.preset("patiencen")).rules == Rules.preset("patiencen")
    assert Record.parse(f"# pysolfc:24680\n{deal}\nd d").rules == Rules()
    assert Record.parse("numbered:7 d d") == Record(Deal.numbered(7), parse_line("d d"), Rules())


@pytest.mark.parametrize(
    "text",
    [
        "8C,AC,7C,7D,8D,AD d AC>1 d d r d",
        "# a game\n8♣ A♣ 7♣ # the first cards\n 7♦ 8♦ A♦\r\nd A♣>1 d # well\nd r d",
        "\ufeff8c ac 7c 7d 8d ad d ac>1 d d r d",
    ],
)
def test_games_may_be_typed_freely(text: str) -> None:
    assert Record.parse(text, SMALL) == Record.parse(TEXT)
    assert Record.parse(f"\ufeff\n# mine\nrules wikipedia suits=CD ranks=A78 withhold=any\n{text}") == Record.parse(
        TEXT
    )


def test_moves_alone_for_a_deal_that_is_given() -> None:
    deal = Deal.numbered(1, SMALL)
    assert Record.parse("d d", SMALL, deal) == Record(deal, parse_line("d d"), SMALL)
    assert Record.parse("", SMALL, deal) == Record(deal, (), SMALL)
    with pytest.raises(NotationError, match="expected moves alone for a deal that is given, got '8C'"):
        Record.parse("8C d", SMALL, deal)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 28 cards, got none"),
        ("d d", "expected 28 cards, got none"),
        ("7C AC | - | -", "expected 4 depots, one for each suit, got 1"),
        ("7C AC | -", "expected a state as talon | depots | foundations, got 2 of these parts"),
        ("pysolfc:1 | - | -", "expected a card such as 7H"),
        ("8C AC 7C 7D 8D AD d 7C d", r"expected a move such as d, r or 7H>2, got '7C' \(move 2\)"),
        ("8C AC 7C 7D 8D d", "expected 6 cards, got 5: AD is missing"),
        ("8C AC 7C 7D 8D AD d AC>9", r"expected a move .* got 'AC>9' \(move 2\)"),
        (TEXT, "expected rules once, got others in the game: 'rules wikipedia"),
    ],
)
def test_what_is_no_game_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Record.parse(text, SMALL if "8C" in text else None)


@pytest.mark.parametrize("heading", ["rules", "rules whist", "rules withhold=any", "rules pysolfc withhold"])
def test_rules_that_there_are_not_are_refused(heading: str) -> None:
    with pytest.raises(RulesError, match=r"^expected .*\(the game's rules\)$"):
        Record.parse(f"{heading}\n8C AC 7C 7D 8D AD")


@pytest.mark.slow
@given(st.data())
def test_every_game_is_read_back(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    deal = data.draw(deals(chosen))
    line, state = [], State.initial(deal, chosen)
    for _ in range(data.draw(st.integers(0, 20))):
        if not (moves := state.legal_moves()):
            break
        line.append(data.draw(st.sampled_from(moves)))
        state = state.play(line[-1])
    game = Record(deal, tuple(line), chosen)
    assert Record.parse(game.text()) == game


def test_the_nearest_preset() -> None:
    assert nearest_preset(Rules.preset("patiencen").evolve(idle_passes=3)) == ("patiencen", ["idle_passes=3"])
