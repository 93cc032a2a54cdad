"""A state as it is shown on a terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from amazons_solver import Deal, Rules, State
from amazons_solver.model.cards import parse_cards
from amazons_solver.render.text import state_text
from support.arbitrary import rules, states

RULES = Rules(suits="CD", ranks="A7T")
STATE = State.parse("TC 7D | TD 7C ; AD | AC ; -", RULES)


def printed(symbols: bool, **options: object) -> str:
    file = io.StringIO()
    Console(file=file, width=80, **options).print(state_text(STATE, symbols=symbols))  # type: ignore[arg-type]
    return file.getvalue()


def test_symbols_and_letters() -> None:
    assert state_text(STATE, symbols=True).plain.splitlines() == [
        "foundations   A♣   --",
        "depots       10♦   A♦",
        "              7♣",
        "talon (2)    10♣ 7♦",
    ]
    assert state_text(STATE, symbols=False).plain.splitlines() == [
        "foundations   AC   --",
        "depots        TD   AD",
        "              7C",
        "talon (2)    TC 7D",
    ]


def test_letters_are_plain_ascii() -> None:
    assert state_text(STATE, symbols=False).plain.isascii()


def test_colours_only_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    coloured = printed(True, force_terminal=True, color_system="standard")
    assert "\x1b[30;107m A♣\x1b[0m" in coloured  # black on white
    assert "\x1b[31;107m10♦\x1b[0m" in coloured  # red on white
    assert "\x1b" not in printed(True)
    monkeypatch.setenv("NO_COLOR", "1")
    uncoloured = printed(True, force_terminal=True, color_system="standard")
    assert "107" not in uncoloured
    assert "31" not in uncoloured


def test_a_long_talon_keeps_within_the_width() -> None:
    start = State.initial(Deal.numbered(0))
    lines = state_text(start, symbols=True, width=40).plain.splitlines()
    assert max(map(len, lines)) <= 40
    assert len(lines) > 3


@pytest.mark.slow
@given(st.data())
def test_every_card_is_read_back_from_its_place(data: st.DataObject) -> None:
    state = data.draw(states(data.draw(rules())))
    symbols = data.draw(st.booleans())
    lines = state_text(state, symbols=symbols).plain.splitlines()
    cells = [[line[12 + 5 * i : 17 + 5 * i].strip() for i in range(len(state.depots))] for line in lines]
    tops = [parse_cards(cell)[0] if cell != "--" else None for cell in cells[0]]
    assert tuple(tops) == state.foundations
    end = next(number for number, line in enumerate(lines) if line.startswith("talon"))
    columns = zip(*cells[1:end], strict=True)
    assert tuple(parse_cards(" ".join(column).replace("--", "")) for column in columns) == state.depots
    assert parse_cards(lines[end][13:].replace("--", "")) == state.talon
    assert all(line == line.rstrip() for line in lines)
