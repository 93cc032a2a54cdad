"""Where searches keep what they have found: hash tables, and arrays that grow."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import inlined

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


def bytes_of(arrays: Iterable[NDArray[Any]]) -> int:
    """What a limit on memory counts."""
    return sum(array.nbytes for array in arrays)


def longer(array: NDArray[Any], more: int) -> NDArray[Any]:
    """A copy with room for so many elements more."""
    copy = np.zeros((len(array) + more, *array.shape[1:]), array.dtype)
    copy[: len(array)] = array
    return copy
