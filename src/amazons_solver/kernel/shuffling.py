"""SplitMix64 and the shuffles of numbered deals, compiled."""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled, inlined


@compiled
def deal_numbered(first: int, numbers: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
    """Deal numbered deals, one a row: RULES' shuffle with SplitMix64, as in `Deal.numbered`."""
    count = numbers.shape[0]
    for row in range(cards.shape[0]):
        state = first + np.uint64(row)
        for i in range(count):
            cards[row, i] = numbers[i]
        for i in range(count - 1, 0, -1):
            state += np.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            draw = z ^ (z >> np.uint64(31))
            j = np.int64(((draw >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
            cards[row, i], cards[row, j] = cards[row, j], cards[row, i]


@inlined
def draw(random: NDArray[np.uint64]) -> None:
    """Go from one state of SplitMix64, random[0], to the next; its number is random[1] then."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    random[1] = z ^ (z >> np.uint64(31))
