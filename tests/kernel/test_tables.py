"""Endgame tables: against the model's search, and their effect on verdicts."""

import functools
import itertools
import operator
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, State, Verdict, solve_state
from amazons_solver.kernel.batch import WINNABLE, decide_deals, decide_numbered
from amazons_solver.kernel.boundaries import search, table_store
from amazons_solver.kernel.boundaries.keys import new_scratch, new_search
from amazons_solver.kernel.boundaries.passes import set_top
from amazons_solver.kernel.boundaries.search import search_state
from amazons_solver.kernel.boundaries.table_store import plan_of
from amazons_solver.kernel.boundaries.tables import is_lost_by_table
from amazons_solver.kernel.config import Config, config_of, numbers_of
from amazons_solver.kernel.storage import FIRST_CAPACITY, bytes_of
from amazons_solver.search.result import StopReason
from support.arbitrary import rules as any_rules
from support.arbitrary import states
from support.choices import combinations
from support.kernel_checks import config_with_table

pytestmark = pytest.mark.compiled

WIKIPEDIA = Rules.preset("wikipedia")
GERMAN = Rules.preset("patiencen").evolve(idle_passes=None, skip_complete=False)
SMALL = Rules(suits="CDH", ranks="A78")
COMBINATIONS = combinations("top_anywhere", "gather", "skip_complete", "withhold")


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of other tests are forgotten, so that the files count."""
    monkeypatch.setattr(table_store, "_kept", {})


def boundary(rules: Rules, needed: tuple[int, ...], talon: list[int]) -> State:
    """All cards left in the talon, as labels; foundation i is of suit i and needs so many cards."""
    ranks = rules.ranks
    left = [r + s for s, n in zip(rules.suits, needed, strict=True) for r in ranks[len(ranks) - n :]]
    tops = [ranks[len(ranks) - n - 1] + s for s, n in zip(rules.suits, needed, strict=True)]
    depots = " ; ".join("-" * len(tops))
    return State.parse(f"{' '.join(left[label] for label in talon)} | {depots} | {' ; '.join(tops)}", rules)


def is_lost(config: Config, state: State) -> bool:
    """What the table says of a boundary, asked as the search asks."""
    scratch, numbers = new_scratch(), numbers_of(state.rules)
    for foundation, top in enumerate(state.foundation_codes.translate(numbers)):
        set_top(config, scratch, foundation, top)
    talon = state.talon_codes.translate(numbers)
    scratch.next[: len(talon)] = list(talon)
    return bool(is_lost_by_table(config, scratch, len(talon)))


def random_boundary(rules: Rules, cards: int, draw: random.Random) -> State:
    while True:
        needed = tuple(draw.randrange(len(rules.ranks)) for _ in rules.suits)
        if sum(needed) == cards:
            return boundary(rules, needed, draw.sample(range(cards), cards))


def won_by_model(state: State) -> bool:
    verdict = solve_state(state, engine="model").verdict
    assert verdict is not Verdict.UNDECIDED
    return verdict is Verdict.WINNABLE


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "ranks", "most"), [("C", "A789T", 4), ("CD", "A78", 4), ("CDH", "A78", 3)])
@pytest.mark.parametrize("fields", COMBINATIONS, ids=lambda fields: " ".join(map(str, fields.values())))
def test_every_entry_of_small_tables(suits: str, ranks: str, most: int, fields: dict[str, object]) -> None:
    rules = Rules(suits=suits, ranks=ranks).evolve(**fields)
    config = config_with_table(rules, most)
    for cards in range(1, most + 1):
        for needed in plan_of(config, most).shapes(cards):
            for talon in itertools.permutations(range(cards)):
                state = boundary(rules, needed, list(talon))
                assert is_lost(config, state) != won_by_model(state), state.text()


@pytest.mark.parametrize("fields", COMBINATIONS[1:], ids=lambda fields: " ".join(map(str, fields.values())))
def test_entries_of_small_tables(fields: dict[str, object]) -> None:
    draw = random.Random(str(fields))
    for suits, ranks in [("CD", "A89TJQ"), ("CDH", "A789"), ("CDHS", "A78"), ("CDHS", "A789")]:
        rules = Rules(suits=suits, ranks=ranks).evolve(**fields)
        config = config_with_table(rules, 5)
        for cards in (3, 4, 5, 5):
            state = random_boundary(rules, cards, draw)
            assert is_lost(config, state) != won_by_model(state), state.text()


FULL = [WIKIPEDIA, GERMAN.evolve(withhold="any"), WIKIPEDIA.evolve(withhold="any", skip_complete=True)]


@pytest.mark.slow
@pytest.mark.parametrize("rules", FULL, ids=["bases", "right-over-left any", "any skipping"])
def test_entries_of_full_tables(rules: Rules) -> None:
    draw = random.Random(8)
    config = config_with_table(rules, 8)
    lost = 0
    for number in range(240):
        state = random_boundary(rules, 6 + number % 3, draw)
        claim = is_lost(config, state)
        lost += claim
        found = search_state(state, Limits(), tables=0).stop_reason
        assert found is (StopReason.EXHAUSTED if claim else StopReason.GOAL), state.text()
        if number < 12:
            assert claim != won_by_model(state)
    assert lost > 0 or rules.skip_complete


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "percent"),
    [(FULL[2], 99.8), (WIKIPEDIA.evolve(withhold="any"), 48), (FULL[1], 14)],
    ids=["skipping", "left-over-right", "right-over-left"],
)
def test_share_of_won_states(rules: Rules, percent: float) -> None:
    """Shares of all 8-card states that another program, written before this one, has found."""
    config = config_with_table(rules, 8)
    bits = np.unpackbits(config.table.astype("<i8").view(np.uint8), bitorder="little")
    shapes = list(plan_of(config, 8).shapes(8))
    assert len(shapes) == 165 - 4 * 4  # sums of four numbers to 8, less those with a 7 or an 8
    starts = [config.table[sum(n * 9**i for i, n in enumerate(shape))] for shape in shapes]
    won = sum(int(bits[start : start + 40_320].sum()) for start in starts)
    assert 100 * won / (149 * 40_320) == pytest.approx(percent, abs=0.06 if percent > 99 else 0.5)


def test_a_foundation_not_begun() -> None:
    config = config_with_table(SMALL, 4)
    assert not is_lost(config, State.parse("AD 7D 8D | - ; - ; - | 8C ; - ; 8H", SMALL))


def test_other_suits() -> None:
    """Foundation i need not be of suit i: the last card comes to depot 1 for ever, without skipping."""
    rules = Rules(suits="CDH", ranks="A78")
    config = config_with_table(rules, 4)
    assert not is_lost(config, State.parse("8H | - ; - ; - | 7H ; 8C ; 8D", rules))
    assert is_lost(config, State.parse("8H | - ; - ; - | 8C ; 7H ; 8D", rules))


@pytest.mark.slow
@pytest.mark.parametrize("placement", ["leftmost", "any", "above", "suit"])
@pytest.mark.parametrize("fields", COMBINATIONS, ids=lambda fields: " ".join(map(str, fields.values())))
def test_same_verdicts_for_all_small_deals(fields: dict[str, object], placement: str, tmp_path: Path) -> None:
    rules = Rules(suits="CD", ranks="A78", base_placement=placement).evolve(**fields)
    deals = [Deal(cards) for cards in itertools.permutations(rules.deck)]
    off, on = (decide_deals(deals, rules, tables=cards, tables_in=tmp_path) for cards in (0, 4))
    assert (on.verdict == off.verdict).all()
    assert (on.redeals == off.redeals).all()  # what is dropped leads to no win, so the same win is found
    assert (on.states <= off.states).all()


def test_the_table_is_the_same_where_foundations_belong_to_suits() -> None:
    """With all bases played, rules only ask whether a card and a foundation are of one suit, whichever it is."""
    for fields in COMBINATIONS:
        own = Rules(suits="CDHS", ranks="A789", base_placement="suit").evolve(**fields)
        first, second = (config_with_table(rules, 5).table for rules in (own, own.evolve(base_placement="leftmost")))
        assert (first == second).all()
        plans = {plan_of(config_of(rules), 5) for rules in (own, own.evolve(base_placement="leftmost"))}
        assert len(plans) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "ranks"), [("DHS", "A7"), ("CDHS", "A7")])
@pytest.mark.parametrize("fields", COMBINATIONS, ids=lambda fields: " ".join(map(str, fields.values())))
def test_same_verdicts_where_foundations_are_not_in_the_deck_s_order(
    fields: dict[str, object], suits: str, ranks: str, tmp_path: Path
) -> None:
    rules = Rules(suits=suits, ranks=ranks, base_placement="suit").evolve(**fields)
    deals = [Deal(cards) for cards in itertools.islice(itertools.permutations(rules.deck), 0, None, len(suits) ** 2)]
    off, on = (decide_deals(deals, rules, tables=cards, tables_in=tmp_path) for cards in (0, 3))
    assert (on.verdict == off.verdict).all()


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (WIKIPEDIA, 100),
        (WIKIPEDIA.evolve(withhold="any"), 500),
        (GERMAN.evolve(withhold="nothing"), 5000),
        (GERMAN.evolve(withhold="any"), 150),
        (WIKIPEDIA.evolve(top_anywhere=True, base_placement="above"), 200),
        (WIKIPEDIA.evolve(base_placement="suit"), 100),
        (WIKIPEDIA.evolve(base_placement="suit", withhold="any"), 500),
    ],
)
def test_same_verdicts_for_full_deals(rules: Rules, count: int, tmp_path: Path) -> None:
    off, on = (decide_numbered(0, count, rules, tables=cards, tables_in=tmp_path) for cards in (0, 6))
    assert (on.verdict == off.verdict).all()
    assert set(on.verdict) == {0, 1} or rules.withhold != "nothing"  # few others are lost
    assert ((on.redeals >= 0) == (on.verdict == WINNABLE)).all()
    assert on.states.sum() < off.states.sum()


def test_a_search_that_takes_a_table_on_its_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TABLE_AFTER", 50)
    rules = WIKIPEDIA.evolve(withhold="any")
    taken = 0
    for number in range(40):
        state = State.initial(Deal.numbered(number, rules), rules)
        off = search_state(state, Limits(), tables=0)
        built = search_state(state, Limits(), tables=6, tables_in=tmp_path, capacity=64)
        table_store._kept.clear()
        read = search_state(state, Limits(), tables=6, tables_in=tmp_path)
        assert built.stop_reason is read.stop_reason is off.stop_reason
        assert built.line == read.line
        assert built.stats.states == read.stats.states
        assert (built.stats.states != off.stats.states) <= (off.stats.states > 50)
        if built.line is not None:
            assert functools.reduce(State.play, built.line, state).is_won
        taken += built.stats.states < off.stats.states
    assert taken > 0
    assert len(list(tmp_path.iterdir())) == 1


@settings(max_examples=60)
@given(st.data())
def test_random_states_of_random_rules(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    chosen = data.draw(any_rules(max_ranks=3))
    state = data.draw(states(chosen))
    directory = tmp_path_factory.getbasetemp() / "tables of random rules"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "TABLE_AFTER", 1)
        on = search_state(state, Limits(), tables=data.draw(st.integers(1, 5)), tables_in=directory)
    off = search_state(state, Limits(), tables=0)
    assert on.stop_reason is off.stop_reason
    assert on.line is None or functools.reduce(State.play, on.line, state).is_won


def long_search() -> State:
    """The deal of the first 200 whose search stores most boundaries."""
    rules = WIKIPEDIA.evolve(withhold="any")
    states = decide_numbered(0, 200, rules, tables=0).states
    return State.initial(Deal.numbered(int(states.argmax()), rules), rules)


def test_time_is_kept_while_a_table_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TABLE_AFTER", 5)
    state = long_search()
    reports: list[object] = []
    before = time.monotonic()
    found = search_state(state, Limits(seconds=0.5), reports.append, tables=10, tables_in=tmp_path)
    assert found.stop_reason is StopReason.SECONDS
    assert 0.5 <= time.monotonic() - before < 1.5  # generously: other processes run, too
    assert reports
    assert not list(tmp_path.iterdir())


def test_an_interrupt_while_a_table_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "TABLE_AFTER", 5)
    monkeypatch.setattr(table_store, "build_table", interrupt)
    assert search_state(long_search(), Limits(), tables_in=tmp_path).stop_reason is StopReason.INTERRUPTED


def test_limits_on_states_and_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TABLE_AFTER", 20)
    state = long_search()
    for most in (10, 20, 30):
        found = search_state(state, Limits(states=most), tables=6, tables_in=tmp_path)
        assert found.stop_reason is StopReason.STATES
        assert len(list(tmp_path.iterdir())) == (most == 30)
    plan = plan_of(config_of(state.rules), 7)
    room = bytes_of(new_search(FIRST_CAPACITY)) + config_of(state.rules).table.nbytes
    for memory, files in ((room + 3 * plan.bytes - 1, 1), (room + 3 * plan.bytes, 2)):
        search_state(state, Limits(memory_bytes=memory), tables=7, tables_in=tmp_path)
        assert len(list(tmp_path.iterdir())) == files


@pytest.mark.parametrize("fields", [{"build": "rank"}, {"max_redeals": 9}, {"idle_passes": 2}])
def test_rules_without_tables(fields: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TABLE_AFTER", 1)
    rules = SMALL.evolve(**fields)
    assert table_store.applies(config_of(SMALL))
    assert not table_store.applies(config_of(rules))
    decide_numbered(0, 50, rules, tables_in=tmp_path)
    search_state(State.initial(Deal.numbered(0, rules), rules), Limits(), tables_in=tmp_path)
    assert not list(tmp_path.iterdir())


def test_plans_tell_tables_apart() -> None:
    """Equal plans exactly where nothing that a table depends on differs."""
    plans = {}
    for fields in COMBINATIONS:
        plans.setdefault(plan_of(config_of(SMALL.evolve(**fields)), 4), []).append(fields["withhold"])
    assert sorted(map(sorted, plans.values())) == [["any"]] * 8 + [["bases", "nothing"]] * 8
    assert len({(plan.header, plan.file_name) for plan in plans}) == 16
    plan = plan_of(config_of(SMALL), 4)
    assert plan == plan_of(config_of(SMALL.evolve(base_placement="any")), 4)
    assert plan != plan_of(config_of(SMALL.evolve(ranks="A789")), 4)
    assert plan_of(config_of(WIKIPEDIA), 5) == plan_of(config_of(WIKIPEDIA.evolve(ranks="A789TJ")), 5)
    assert plan_of(config_of(SMALL), 8).cards == 6  # three suits, two cards each


def test_one_card_left() -> None:
    """Without skipping, the only card is dealt to depot 1 for ever; with skipping, to its own foundation's depot."""
    for skip, lost in ((False, [False, True, True]), (True, [False, False, False])):
        rules = SMALL.evolve(skip_complete=skip)
        left = [boundary(rules, needed, [0]) for needed in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        assert [is_lost(config_with_table(rules, 4), state) for state in left] == lost


def test_bytes_of_a_full_table() -> None:
    """9^4 words for the shapes; the ways to write n as a sum of four numbers up to 6, times n! orders, a bit each."""
    ways = [1, 4, 10, 20, 35, 56, 84, 116, 149]
    orders = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320]
    bits = sum(map(operator.mul, ways, orders))
    assert plan_of(config_of(WIKIPEDIA), 8).bytes == 8 * 9**4 + 8 * -(-bits // 64)
