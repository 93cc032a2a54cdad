"""Where searches keep what they have found: hash tables, and arrays that grow."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled, inlined

UNIT = "boundary states"
"""What counts of states count: tables between a redeal and the next deal; to a search, those of one orbit are one."""

FIRST_CAPACITY = 1 << 12
"""States for which there is room at first. Nothing but time depends on it, and where a limit on memory is met."""

NO_LIMIT = (1 << 62) - 1
"""Stands for no limit on states."""


@inlined
def hash_of(word0: int, word1: int, word2: int) -> int:
    """A slot to begin with; keys are compared in full."""
    h = word0 * np.int64(-7046029254386353131)
    h ^= (h >> 29) & np.int64(0x7FFFFFFFF)
    h = (h + word1) * np.int64(-4658895280553007687)
    h ^= (h >> 31) & np.int64(0x1FFFFFFFF)
    h = (h + word2) * np.int64(-7723592293110705685)
    return h ^ ((h >> 32) & np.int64(0xFFFFFFFF))


@inlined
def find(keys: NDArray[np.int64], slots: NDArray[np.uint32], word0: int, word1: int, word2: int) -> int:
    """The number of a state in a hash table; or, if it is not there, -1 less the slot where it is to be entered.

    Args:
        keys: the states by number, three words each.
        slots: the hash table, a power of two long: 0, or a state's number plus 1.
        word0: the state's first word.
        word1: its second word.
        word2: its third word.
    """
    mask = slots.shape[0] - 1
    slot = hash_of(word0, word1, word2) & mask
    while slots[slot] != 0:
        number = np.int64(slots[slot]) - 1
        if keys[number, 0] == word0 and keys[number, 1] == word1 and keys[number, 2] == word2:
            return number
        slot = (slot + 1) & mask
    return -1 - slot


@compiled
def fill_slots(keys: NDArray[np.int64], slots: NDArray[np.uint32], begin: int, end: int) -> None:
    """Enter the states from `begin` to before `end`, each another, into a hash table that has none of them."""
    for number in range(begin, end):
        slots[-1 - find(keys, slots, keys[number, 0], keys[number, 1], keys[number, 2])] = number + 1


@compiled
def clear_slots(keys: NDArray[np.int64], slots: NDArray[np.uint32], begin: int, end: int) -> None:
    """Empty a hash table of the states from `begin` to before `end`: one by one if they are few, else at one go."""
    if (end - begin) * 8 > slots.shape[0]:
        slots[:] = 0
        return
    mask = slots.shape[0] - 1
    for number in range(end - 1, begin - 1, -1):  # so every probe still finds its way
        slot = hash_of(keys[number, 0], keys[number, 1], keys[number, 2]) & mask
        while slots[slot] != number + 1:
            slot = (slot + 1) & mask
        slots[slot] = 0


def bytes_of(arrays: Iterable[NDArray[Any]]) -> int:
    """What a limit on memory counts."""
    return sum(array.nbytes for array in arrays)


def longer(array: NDArray[Any], more: int) -> NDArray[Any]:
    """A copy with room for this many more elements."""
    copy = np.zeros((len(array) + more, *array.shape[1:]), array.dtype)
    copy[: len(array)] = array
    return copy
