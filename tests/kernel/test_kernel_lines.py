"""The kernel's lines: found again by the model, pass by pass, so that they fit the counters, too."""

import pytest

from amazons_solver import REDEAL, Deal, Limits, Rules, State
from amazons_solver.kernel.batch import decide_deals
from amazons_solver.kernel.boundaries.search import search_state

pytestmark = pytest.mark.compiled

# In these deals the same cards can be played in one pass in several ways, which end in several phases of one orbit; the
# limit on redeals leaves no passes to go from one phase to another.
SEVERAL_WAYS = [
    (Rules(ranks="A7", build="rank", max_redeals=2, idle_passes=2), "7D 7H AS 7C AH 7S AD AC"),
    (
        Rules(suits="CDH", ranks="A78", build="rank", top_anywhere=True, gather="right-over-left", max_redeals=3),
        "7H AD AH AC 8H 7C 7D 8C 8D",
    ),
]


@pytest.mark.parametrize(("rules", "cards"), SEVERAL_WAYS)
def test_a_pass_is_played_so_that_it_ends_in_the_phase_the_search_went_on_from(rules: Rules, cards: str) -> None:
    deal = Deal.parse(cards, rules)
    start = State.initial(deal, rules)
    line = search_state(start, Limits()).line
    assert line is not None
    assert start.play_line(line).is_won
    assert decide_deals([deal], rules).redeals.tolist() == [line.count(REDEAL)]
