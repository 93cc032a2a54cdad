"""Endgame tables (tablebases): one bit a boundary of few cards, won or lost. docs/kernel.md says when there are any.

With all foundations begun and building by suit, suits are renamed so that foundation i is of suit i. A boundary is then
the number of cards that each foundation still needs (its *shape*), and the order of those cards in the talon. A card's
*label* numbers them foundation by foundation, the next one needed first; an order's index is its rank among the n!
orders of the labels. A table is one array of int64: first, for the shape ``a, b, …`` at ``a + b·m + …`` with m one more
than the cards of the table, the bit at which its orders begin; then those bits, 64 a word, 1 for *won*.
"""

import numpy as np

from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import Config

_ONES = 0x111111111111111
_FREE_BELOW = 0x0123456789ABCDE
"""Of 15 labels, the lowest in the highest four bits: how many lower ones are still to come."""


@inlined
def bit_of(config: Config, scratch: Scratch, count: int) -> int:
    """The bit of the boundary whose talon, of `count` cards, is in `scratch.next`; or -1 if a foundation is empty."""
    shape, scale, label = 0, 1, 0
    labels = scratch.labels
    for foundation in range(config.depots):
        top = scratch.tops[foundation]
        if top == 0:
            return -1
        needed = config.ranks - 1 - np.int64(config.rank[top])
        for i in range(1, needed + 1):
            labels[top + i] = label
            label += 1
        shape += needed * scale
        scale *= config.table_cards + 1
    index, below = 0, _FREE_BELOW
    for i in range(count):
        label = np.int64(labels[scratch.next[i]])
        index = index * (count - i) + ((below >> (56 - 4 * label)) & 15)
        below -= _ONES >> (4 * label + 4)
    return config.table[shape] + index


@inlined
def is_won(config: Config, bit: int) -> bool:
    """Whether the table says won."""
    return (config.table[bit >> 6] >> (bit & 63)) & 1 == 1


@inlined
def is_lost_by_table(config: Config, scratch: Scratch, count: int) -> bool:
    """Whether the table has the boundary whose talon, of `count` cards, is in `scratch.next`, and says lost."""
    if count > config.table_cards:
        return False
    bit = bit_of(config, scratch, count)
    return bit >= 0 and not is_won(config, bit)
