"""SplitMix64 and the shuffles of numbered deals, compiled."""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled, inlined

STEP = np.uint64(0x9E3779B97F4A7C15)
"""What SplitMix64 adds to its state for the next number."""


@inlined
def mixed(state: np.uint64) -> np.uint64:
    """The number of SplitMix64 in a state."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def drawn(number: np.uint64, count: int) -> int:
    """One of `count` for a random number: RULES' draw, from its upper half."""
    return np.int64(((number >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@compiled
def deal_numbered(first: int, numbers: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
    """Deal numbered deals, one a row: RULES' shuffle with SplitMix64, as in `Deal.numbered`."""
    count = numbers.shape[0]
    for row in range(cards.shape[0]):
        state = first + np.uint64(row)
        for i in range(count):
            cards[row, i] = numbers[i]
        for i in range(count - 1, 0, -1):
            state += STEP
            j = drawn(mixed(state), i + 1)
            cards[row, i], cards[row, j] = cards[row, j], cards[row, i]
