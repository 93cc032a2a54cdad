"""SplitMix64, by whose numbers deals are shuffled and players draw lots: the same for ever and everywhere."""

__all__ = ["draw"]

_MASK = 2**64 - 1


def draw(state: int) -> tuple[int, int]:
    """The next state of SplitMix64, and its number.

    >>> hex(draw(0)[1])
    '0xe220a8397b1dcdaf'
    """
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return state, z ^ z >> 31
