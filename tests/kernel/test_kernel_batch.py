"""Many deals in one call: the same as one by one, and other threads run on."""

import _thread
import itertools
import random
import threading
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from amazons_solver import REDEAL, Deal, Limits, Rules, State
from amazons_solver.errors import OptionError
from amazons_solver.kernel import batch
from amazons_solver.kernel.batch import UNDECIDED, UNWINNABLE, WINNABLE, Verdicts, decide_deals, decide_numbered
from amazons_solver.kernel.boundaries.search import search_state
from amazons_solver.kernel.config import numbers_of
from amazons_solver.model.cards import pile_of
from amazons_solver.search.result import StopReason
from support.choices import COMBINATIONS, LIMITS
from support.games import HARD

pytestmark = pytest.mark.compiled

VERDICTS = {StopReason.GOAL: WINNABLE, StopReason.EXHAUSTED: UNWINNABLE, StopReason.STATES: UNDECIDED}
Answer = tuple[int, int, int]


def one_by_one(deal: Deal, rules: Rules, limits: Limits | None = None) -> Answer:
    start = State.initial(deal, rules)
    result = search_state(start, limits or Limits(), tables=0)
    if result.line is None:
        return VERDICTS[result.stop_reason], result.stats.states, -1
    assert start.play_line(result.line).is_won
    return WINNABLE, result.stats.states, result.line.count(REDEAL)


def answers(found: Verdicts) -> list[Answer]:
    return [(int(verdict), int(states), int(redeals)) for verdict, states, redeals in zip(*found, strict=True)]


@pytest.mark.slow
def test_small_deals_under_every_combination() -> None:
    source, seen = random.Random(7), set()
    for fields in COMBINATIONS:
        suits, ranks = source.choice([("C", "A78"), ("CD", "A789"), ("CDH", "A78"), ("CDHS", "A7"), ("CDHS", "A78")])
        rules = Rules(suits=suits, ranks=ranks, **fields, **source.choice(LIMITS))
        first = source.getrandbits(63)
        found = answers(decide_numbered(first, 6, rules, tables=0))
        deals = [Deal.numbered(first + i, rules) for i in range(6)]
        assert found == answers(decide_deals(deals, rules, tables=0))
        assert found == [one_by_one(deal, rules) for deal in deals]
        seen |= {(verdict, min(redeals, 3)) for verdict, _, redeals in found}
    assert seen == {(UNWINNABLE, -1), *((WINNABLE, redeals) for redeals in range(4))}


@pytest.mark.parametrize("withhold", ["nothing", "bases", "any"])
@pytest.mark.parametrize("changes", [{}, {"skip_complete": True}, {"max_redeals": 5}, {"idle_passes": 3}], ids=str)
def test_full_deals(withhold: str, changes: dict[str, object]) -> None:
    rules = Rules(withhold=withhold, **changes)  # type: ignore[arg-type]
    limits = Limits(states=3_000)
    found = answers(decide_numbered(500, 12, rules, limits=limits, tables=0))
    assert found == [one_by_one(Deal.numbered(500 + i, rules), rules, limits) for i in range(12)]


def test_endgame_tables_change_no_verdict(tmp_path: Path) -> None:
    for rules in (Rules(), HARD, Rules.preset("pysolfc").evolve(build="suit", gather="right-over-left")):
        plain = decide_numbered(0, 30, rules, limits=Limits(states=20_000), tables=0)
        tabled = decide_numbered(0, 30, rules, limits=Limits(states=20_000), tables=5, tables_in=tmp_path)
        decided = (plain.verdict != UNDECIDED) & (tabled.verdict != UNDECIDED)
        assert (plain.verdict == tabled.verdict)[decided].all()
        assert decided.sum() > 10
        assert ((tabled.redeals >= 0) == (tabled.verdict == WINNABLE)).all()


@pytest.mark.parametrize("first", [0, 1, 2**32 - 2, 2**63 - 2, 2**64 - 5])
@pytest.mark.parametrize("changes", [{}, {"suits": "D", "ranks": "7"}, {"ranks": "789TJQ", "build": "rank"}], ids=str)
def test_numbered_deals_are_those_of_the_model(first: int, changes: dict[str, str]) -> None:
    rules = Rules().evolve(**changes)
    table = numbers_of(rules)
    deck = np.frombuffer(pile_of(rules.deck).translate(table), np.uint8)
    dealt = np.empty((5, len(deck)), np.uint8)
    batch.deal_numbered(np.uint64(first), deck, dealt)
    expected = [pile_of(Deal.numbered(first + i, rules).cards).translate(table) for i in range(5)]
    assert [row.tobytes() for row in dealt] == expected


def test_numbers_to_the_last() -> None:
    rules = Rules(suits="CDH", ranks="A78")
    found = answers(decide_numbered(2**64 - 4, 4, rules, tables=0))
    assert found == [one_by_one(Deal.numbered(2**64 - 4 + i, rules), rules) for i in range(4)]


@pytest.mark.parametrize(("first", "count"), [(-1, 1), (0, -1), (2**64, 1), (2**64 - 4, 5)])
def test_numbers_out_of_range(first: int, count: int) -> None:
    with pytest.raises(OptionError, match=rf"from 0 to 2\^64 - 1, got {count} from {first} on"):
        decide_numbered(first, count, Rules())


def test_none_at_all() -> None:
    for found in (decide_deals([], Rules()), decide_numbered(5, 0, Rules()), decide_numbered(2**64, 0, Rules())):
        assert answers(found) == []
        assert [array.dtype for array in found] == [np.int8, np.int64, np.int32]


def test_what_it_refuses() -> None:
    unsupported = Rules(ranks="A23456789TJQK")
    with pytest.raises(OptionError, match="at most 28 cards"):
        decide_numbered(0, 1, unsupported)
    with pytest.raises(OptionError, match="at most 28 cards"):
        decide_deals([Deal.numbered(0, unsupported)], unsupported)
    with pytest.raises(OptionError, match="no limit on the seconds of a deal in a batch, got 1"):
        decide_numbered(0, 1, Rules(), limits=Limits(seconds=1))


def test_a_deal_given_up_does_not_touch_the_others() -> None:
    free = decide_numbered(0, 30, HARD, tables=0)
    assert (free.verdict != UNDECIDED).all()
    for states in (1_000, 5_000):
        cut = decide_numbered(0, 30, HARD, limits=Limits(states=states), tables=0)
        expected = [(UNDECIDED, states, -1) if answer[1] > states else answer for answer in answers(free)]
        assert answers(cut) == expected
        assert (UNDECIDED, states, -1) in expected
    # 2 MB have room for some 16,000 boundaries.
    cut = decide_numbered(0, 30, HARD, limits=Limits(memory_bytes=2_000_000), tables=0)
    undecided = cut.verdict == UNDECIDED
    assert 0 < undecided.sum() < 15
    assert free.states[undecided].min() > 8_000
    for given_up, answer, unlimited in zip(undecided, answers(cut), answers(free), strict=True):
        assert given_up or answer == unlimited


def test_neither_chunks_nor_room_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    found = answers(decide_numbered(40, 12, HARD, tables=0))
    monkeypatch.setattr(batch, "_CHUNK", 5)
    assert answers(decide_numbered(40, 12, HARD, tables=0)) == found
    for capacity in (8, 1 << 17):
        monkeypatch.setattr(batch, "FIRST_CAPACITY", capacity)
        assert answers(decide_numbered(40, 12, HARD, tables=0)) == found


def test_other_threads_run_on() -> None:
    """Two batches at a time, and this thread is not kept waiting while they run."""
    expected = answers(decide_numbered(0, 40, HARD, tables=0))
    found: dict[int, tuple[list[Answer], float, float]] = {}

    def work(number: int) -> None:
        started = time.perf_counter()
        verdicts = answers(decide_numbered(0, 40, HARD, tables=0))
        found[number] = (verdicts, started, time.perf_counter())

    longest = both = 0.0
    for _ in range(5):  # another program may take the processor for a while
        found.clear()
        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        ticks = [time.perf_counter()]
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.002)
            ticks.append(time.perf_counter())
        assert [found[number][0] for number in range(2)] == [expected, expected]
        both = min(end for _, _, end in found.values()) - max(start for _, start, _ in found.values())
        longest = max(later - earlier for earlier, later in itertools.pairwise(ticks))
        if both > 0 and longest < 0.3 * both:
            return
    pytest.fail(f"expected threads to take turns all the time, waited {longest:.3f} s of {both:.3f} s")


def test_a_deal_does_not_depend_on_the_deals_before_it() -> None:
    rules = Rules()  # hard enough for searches that go on somewhere else now and then
    together = answers(decide_numbered(0, 20, rules, tables=0))
    assert together == [answers(decide_numbered(number, 1, rules, tables=0))[0] for number in range(20)]
    assert max(states for _, states, _ in together) > 1_000


@pytest.mark.parametrize("memory", [2_000_000, 4_000_000, 10_000_000])
def test_no_deal_takes_more_memory_than_it_may(memory: int) -> None:
    decide_numbered(0, 1, HARD, tables=0)  # compiled before anything is measured
    tracemalloc.start()
    found = decide_numbered(0, 30, HARD, limits=Limits(memory_bytes=memory), tables=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.verdict == UNDECIDED).any() == (memory < 10_000_000)
    assert 0.3 * memory < peak < 1.1 * memory


def test_ctrl_c_is_heard_between_deals() -> None:
    decide_numbered(0, 1, HARD, tables=0)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        decide_numbered(0, 100_000, HARD, tables=0)
    assert time.monotonic() - started < 2.0
