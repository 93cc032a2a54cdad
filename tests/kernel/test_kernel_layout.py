"""Boundaries packed into keys: read back, and no two alike."""

import itertools
import random

import numpy as np
import pytest
from numpy.typing import NDArray

from amazons_solver import REDEAL, Deal, Rules, State
from amazons_solver.kernel import fits
from amazons_solver.kernel.boundaries.arrival import arrive
from amazons_solver.kernel.boundaries.keys import key_of, new_scratch, new_search, unpack
from amazons_solver.kernel.boundaries.orbits import orbits
from amazons_solver.kernel.boundaries.passes import set_top
from amazons_solver.kernel.compiling import compiled
from amazons_solver.kernel.config import config_of, numbers_of

pytestmark = pytest.mark.compiled

Key = tuple[int, int, int]


@compiled
def packed(cards: NDArray[np.int64], count: int, tops: int) -> Key:
    return key_of(cards, count, tops, 0, 0)


def key(talon: bytes | list[int], tops: bytes | list[int]) -> Key:
    return packed(padded(talon), len(talon), sum(top << (5 * i) for i, top in enumerate(tops)))


@compiled
def cards_of(keys: NDArray[np.int64], number: int, cards: NDArray[np.int64]) -> int:
    return unpack(keys, number, cards)


def padded(numbers: bytes | list[int]) -> NDArray[np.int64]:
    return np.array([*numbers, *[0] * (32 - len(numbers))], np.int64)


@pytest.mark.slow
@pytest.mark.parametrize("count", range(1, 29))
def test_a_talon_of_any_length_is_read_back(count: int) -> None:
    source = random.Random(count)
    for _ in range(20):
        cards = source.sample(range(1, 29), count)
        tops = [source.randrange(32) for _ in range(4)]
        keys = np.array([[-1, -1, -1], key(cards, tops)], np.int64)
        assert (keys[1] >= 0).all()
        found = np.full(32, 99, np.int64)
        assert cards_of(keys, 1, found) == count
        assert found.tolist() == cards + [99] * (32 - count)
        assert [int(keys[1, 2]) >> (20 + 5 * i) & 31 for i in range(4)] == tops
        assert int(keys[1, 2]) >> 40 == 0  # left for the counters


def boundaries(start: State) -> set[State]:
    """Every state just after a redeal, and the first one."""
    found, stack = {start}, [start]
    seen = {start}
    while stack:
        for move, child in stack.pop().successors():
            if move is REDEAL:
                found.add(child)
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("build", ["suit", "rank"])
def test_different_boundaries_have_different_keys(build: str) -> None:
    rules = Rules(suits="CD", ranks="A78", withhold="any", base_placement="any", build=build)  # type: ignore[arg-type]
    numbers = numbers_of(rules)
    met = set[State]()
    for deal in itertools.islice(itertools.permutations(rules.deck), 0, 720, 17):
        met |= boundaries(State.initial(Deal(deal), rules))
    keys: dict[Key, tuple[bytes, bytes]] = {}
    for state in met:
        plain = state.talon_codes.translate(numbers), state.foundation_codes.translate(numbers)
        assert keys.setdefault(key(*plain), plain) == plain
    expected = len(met) if build == "suit" else len({state.key() for state in met})
    assert len(keys) == expected > 100


@pytest.mark.parametrize(("redeals", "idle"), [(0, 0), (1, 0), (0, 1), (2, 3), (32766, 253)])
def test_the_key_has_the_counters(redeals: int, idle: int) -> None:
    rules = Rules(suits="CD", ranks="A78", max_redeals=2**15 - 1, idle_passes=2**8 - 1)
    state = State.parse(f"7D 8D AD 8C | - ; - | 7C ; - | redeals={redeals} idle={idle} played=0", rules)
    config, search, scratch, numbers = config_of(rules), new_search(8), new_scratch(), numbers_of(rules)
    talon, tops = state.talon_codes.translate(numbers), state.foundation_codes.translate(numbers)
    for foundation, top in enumerate(tops):
        set_top(config, scratch, foundation, top)
    scratch.next[:] = padded(talon)
    assert arrive(config, orbits(), search, scratch, 4, redeals, idle, -1, 0) == 0
    plain = key(talon, tops)
    assert search.keys[0].tolist() == [plain[0], plain[1], plain[2] + (redeals << 40) + (idle << 55)]


def test_card_numbers() -> None:
    """1 … 28, suit by suit and ranks ascending; by rank the ranks alone. Each is followed by the one it carries."""
    by_suit = numbers_of(Rules())
    assert [by_suit[card.code] for card in Rules().deck] == list(range(1, 29))
    by_rank = Rules(suits="DS", ranks="9TQ", build="rank")
    assert [numbers_of(by_rank)[card.code] for card in by_rank.deck] == [1, 2, 3, 1, 2, 3]
    assert by_suit[0] == 0
    assert config_of(Rules()).rank[1:29].tolist() == [*range(7)] * 4
    assert config_of(by_rank).rank[1:4].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ({}, True),
        ({"ranks": "A23456789TJQK"}, False),
        ({"ranks": "A23456789TJQK", "suits": "CD"}, True),
        ({"ranks": "A23456789T", "suits": "CDH"}, False),
        ({"max_redeals": 2**15 - 1}, True),
        ({"max_redeals": 2**15}, False),
        ({"idle_passes": 2**8 - 1}, True),
        ({"idle_passes": 2**8}, False),
    ],
)
def test_what_is_supported(changes: dict[str, object], answer: bool) -> None:
    assert fits.decides(Rules().evolve(**changes)) is answer
