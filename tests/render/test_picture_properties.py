"""What must hold of the picture of any state, deal or line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import State
from amazons_solver.render.svg import deal_svg, line_svg, state_svg
from support.arbitrary import deals, rules, states
from support.pictures import SVG, cards, ids, parse, piles, texts

pytestmark = pytest.mark.slow


@given(st.data())
def test_every_card_of_a_state_is_read_back_from_its_picture(data: st.DataObject) -> None:
    state = data.draw(states(data.draw(rules())))
    verdicts = st.sampled_from([True, False, None])
    marks = {move: data.draw(verdicts) for move in state.legal_moves() if data.draw(st.booleans())}
    root = parse(state_svg(state, marks=marks))
    assert ids(root) == []
    placed = cards(root)
    tops = [top for top in state.foundations if top is not None]
    heights = sorted({y for _, y in placed})
    above = {corner: card for corner, card in placed.items() if tops and corner[1] == heights[0]}
    below = {corner: card for corner, card in placed.items() if corner not in above}
    assert [card for (card,) in piles(above)] == tops
    assert piles(below) == [list(pile) for pile in state.depots if pile]
    assert texts(root)[:2] == ["talon", str(len(state.talon))]
    badges = [element for element in root.iter(f"{SVG}g") if element.get("class", "").startswith("amz-badge")]
    assert len(badges) == len(marks)


@given(st.data())
def test_every_card_of_a_deal_is_read_back_from_its_picture(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    deal = data.draw(deals(chosen))
    columns = piles(cards(parse(deal_svg(deal))))
    k = len(chosen.suits)
    assert columns == [list(deal.cards[i::k]) for i in range(k)]


@given(st.data())
@settings(max_examples=25)
def test_any_line_is_well_formed_and_uses_what_it_defines(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    start = state = State.initial(data.draw(deals(chosen)), chosen)
    line = []
    for _ in range(data.draw(st.integers(0, 30))):
        moves = state.legal_moves()
        if not moves:
            break
        line.append(data.draw(st.sampled_from(moves)))
        state = state.play(line[-1])
    root = parse(line_svg(start, line))
    assert len(ids(root)) == len(set(ids(root))) == len(chosen.deck)
    assert {use.attrib["href"].removeprefix("#") for use in root.iter(f"{SVG}use")} <= set(ids(root))
