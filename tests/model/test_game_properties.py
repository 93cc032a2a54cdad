"""What must hold of any rules, any deal and any game."""

import itertools
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, State, Verdict, format_line, parse_line, parse_move, solve
from amazons_solver.model.cards import CARDS, Card, parse_cards
from amazons_solver.search.explore import explore
from amazons_solver.solving.game import Game
from support.arbitrary import deals, rules, states


@pytest.mark.slow
@given(rules())
def test_rules_are_read_back_from_every_text(chosen: Rules) -> None:
    assert Rules.from_toml(chosen.to_toml()) == chosen
    assert Rules.from_json(chosen.to_json()) == chosen
    settings_text = [f"{name}={value}" for name, value in chosen.to_dict().items()]
    assert Rules.preset("patiencen").with_settings(settings_text) == chosen


separators = st.text(" \t\n,", min_size=1, max_size=4)
spellings = st.sampled_from([str, lambda card: card.pretty, lambda card: str(card).lower()])


@pytest.mark.slow
@given(st.data())
def test_deals_are_read_back_however_they_are_spelled(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    deal = data.draw(deals(chosen))
    assert Deal.parse(str(deal), chosen) == deal
    words = [data.draw(spellings)(card) + data.draw(separators) for card in deal.cards]
    assert Deal.parse("".join(words), chosen) == deal


@pytest.mark.slow
@given(st.data())
def test_states_and_moves_are_read_back(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    state = data.draw(states(chosen))
    assert State.parse(state.text(), chosen) == state
    assert State.parse(state.canonical().text(), chosen) == state.canonical()
    moves = state.legal_moves()
    assert [parse_move(str(move)) for move in moves] == list(moves)
    assert parse_line(format_line(moves)) == moves


def all_cards(state: State) -> Counter[Card]:
    """Every card on the table; by suit, the cards below a foundation's top are known."""
    cards = Counter(itertools.chain(state.talon, *state.depots))
    for top in state.foundations:
        if top is not None:
            ranks = state.rules.ranks[: state.rules.ranks.index(top.rank.value) + 1]
            cards.update(parse_cards(" ".join(rank + top.suit.value for rank in ranks)))
    return cards


@pytest.mark.slow
@given(st.data())
def test_cards_are_conserved(data: st.DataObject) -> None:
    chosen = data.draw(rules())
    state = data.draw(states(chosen))
    left = len(state.talon) + sum(map(len, state.depots))
    assert state.cards_left == left
    if chosen.build == "suit":
        assert all_cards(state) == Counter(chosen.deck)
    heights = [0 if top is None else chosen.ranks.index(top.rank.value) + 1 for top in state.foundations]
    assert left + sum(heights) == len(chosen.deck)
    ranks = Counter(card.rank.value for card in itertools.chain(state.talon, *state.depots))
    for height in heights:
        ranks.update(chosen.ranks[:height])
    assert ranks == Counter({rank: len(chosen.suits) for rank in chosen.ranks})


@pytest.mark.slow
@given(st.data())
def test_successors_satisfy_the_checks_of_the_constructor(data: st.DataObject) -> None:
    state = data.draw(states(data.draw(rules())))
    for move, child in state.successors():
        again = State(child.rules, child.talon_codes, child.depot_codes, child.foundation_codes, child.counters)
        assert again == child == state.play(move)


@pytest.mark.slow
@given(st.data())
def test_keys_are_equal_exactly_when_states_and_forms_are(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=3))
    deal = data.draw(deals(chosen))
    found: list[State] = []
    explore(
        Game(State.initial(deal, chosen), "exact"),
        stop_at_goal=False,
        limits=Limits(states=60),
        on_expand=lambda _, state, __: found.append(state),
    )
    other = data.draw(states(chosen))
    for first, second in itertools.combinations([*found, *(state.canonical() for state in found), other], 2):
        assert (first.exact_key() == second.exact_key()) == (first == second)
        assert (first.key() == second.key()) == (first.canonical() == second.canonical())
        assert first.key() == first.canonical().key()


def renamed(deal: Deal, table: dict[Card, Card]) -> Deal:
    return Deal(tuple(table[card] for card in deal.cards))


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_renaming_what_the_rules_cannot_see_changes_no_verdict_and_no_canonical_count(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=3).filter(lambda found: found.base_placement != "suit"))
    deal = data.draw(deals(chosen))
    # By suit, one renaming of the suits for all ranks; by rank, another one for each rank.
    shuffled = {rank: data.draw(st.permutations(chosen.suits)) for rank in chosen.ranks}
    if chosen.build == "suit":
        shuffled = dict.fromkeys(chosen.ranks, shuffled[chosen.ranks[0]])
    by_text = {str(card): card for card in CARDS.values()}
    table = {
        by_text[rank + suit]: by_text[rank + new]
        for rank in chosen.ranks
        for suit, new in zip(chosen.suits, shuffled[rank], strict=True)
    }
    start, other = State.initial(deal, chosen), State.initial(renamed(deal, table), chosen)
    assert start.key() == other.key()
    results = [
        explore(Game(state), stop_at_goal=False, count_cycles=True, limits=Limits(states=5_000))
        for state in (start, other)
    ]
    assume(not results[0].stop_reason.is_limit)
    first, second = (
        (r.stats.states, r.stats.generated, r.stats.goals, r.stats.dead_ends, r.stats.cycles, r.line is None)
        for r in results
    )
    assert first == second


@pytest.mark.compiled
@settings(max_examples=60)
@given(st.data())
def test_a_line_legal_under_a_stricter_withhold_is_legal_under_a_looser_one(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=4))
    deal = data.draw(deals(chosen))
    for strict, loose in (("nothing", "bases"), ("bases", "any")):
        state = State.initial(deal, chosen.evolve(withhold=strict))
        line = []
        while (moves := state.legal_moves()) and len(line) < 40:
            line.append(data.draw(st.sampled_from(moves)))
            state = state.play(line[-1])
        assert State.initial(deal, chosen.evolve(withhold=loose)).play_line(line).text() == state.text()
    verdicts = [
        solve(deal, chosen.evolve(withhold=withhold), limits=Limits(states=5_000)).verdict
        for withhold in ("nothing", "bases", "any")
    ]
    # unwinnable … winnable, never back; what was not decided says nothing.
    known = [verdict is Verdict.WINNABLE for verdict in verdicts if verdict is not Verdict.UNDECIDED]
    assert known == sorted(known)
