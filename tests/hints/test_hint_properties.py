"""Hints and annotations of random games under any rules."""

import random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Knowledge, Limits, Mark, Rules, State, Verdict, annotate, format_line, hint
from support.arbitrary import rules

pytestmark = pytest.mark.slow

ENOUGH = Limits(states=5_000)


@st.composite
def larger_games(draw: st.DrawFn) -> tuple[Rules, Deal, random.Random]:
    """Rules with choices, a deal that is not near to order, and a player who does not know what is good."""
    decks = st.sampled_from([("CD", "A789"), ("CD", "A78"), ("CDH", "A7"), ("C", "A789TJ")])
    suits, ranks = draw(decks)
    chosen = draw(rules()).evolve(suits=suits, ranks=ranks, withhold=draw(st.sampled_from(["bases", "any"])))
    # Numbers in place of drawn choices, which would mostly be the first ones.
    return chosen, Deal.numbered(draw(st.integers(0, 2**64 - 1)), chosen), random.Random(draw(st.integers()))


@settings(max_examples=100)
@given(st.data())
def test_annotations_agree_with_hints(data: st.DataObject) -> None:
    chosen, deal, player = data.draw(larger_games())
    states, line = [State.initial(deal, chosen)], []
    while len(line) < 40 and (moves := states[-1].legal_moves()):
        line.append(player.choice(moves))
        states.append(states[-1].play(line[-1]))
    game = annotate(deal, line, chosen, limits=ENOUGH)
    assert (game.start, game.end, format_line(game.line)) == (states[0], states[-1], format_line(line))
    event(f"fatal move: {game.fatal is not None}")
    # Every state on its own, with nothing known from elsewhere.
    hints = [hint(state, limits=ENOUGH) for state in states]
    for advice, verdict in zip(hints, game.verdicts, strict=True):
        assert verdict is advice.verdict or Verdict.UNDECIDED in (verdict, advice.verdict)
        assert (advice.lost is None) is (advice.verdict is not Verdict.UNWINNABLE)
    for mark, move, advice in zip(game.marks, line, hints, strict=False):
        (choice,) = (choice for choice in advice.moves if choice.move == move)
        if mark is Mark.KEPT:
            assert choice.verdict is not Verdict.UNWINNABLE
        elif mark is not Mark.UNKNOWN:
            assert choice.verdict is not Verdict.WINNABLE
            assert (mark is Mark.LOST) is (advice.verdict is not Verdict.WINNABLE)
    if game.last_winnable is not None:
        assert game.winning_line is not None
        assert states[game.last_winnable].play_line(game.winning_line).is_won
    if game.fatal is not None:
        assert game.fatal == (game.last_winnable or 0) + 1
        assert game.marks[: game.fatal] == (Mark.KEPT,) * (game.fatal - 1) + (Mark.THREW,)
        assert set(game.marks[game.fatal :]) <= {Mark.LOST}


@settings(max_examples=100)
@given(st.data())
def test_the_best_move_leads_to_the_win_with_the_redeals_promised(data: st.DataObject) -> None:
    chosen, deal, _ = data.draw(larger_games())
    state, knowledge = State.initial(deal, chosen), Knowledge()
    advice = hint(state, limits=ENOUGH, knowledge=knowledge)
    if advice.best is None:
        assert advice.verdict is not Verdict.WINNABLE
        return
    event(f"redeals: {advice.moves[0].redeals if advice.moves else None}")
    promised, redeals = advice.moves[0].redeals, 0
    while not state.is_won:
        best = hint(state, limits=ENOUGH, knowledge=knowledge).best
        assert best is not None
        redeals += best.kind == "redeal"
        state = state.play(best)
    assert promised is not None
    assert redeals <= promised
    if advice.moves[0].redeals_at_least == promised:
        assert redeals == promised
