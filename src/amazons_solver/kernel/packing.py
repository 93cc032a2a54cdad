"""What the kernel's two layouts of states in three int64 share.

A card is five bits, and there are twelve to a word, the first lowest; 0 is none. The last word has four cards only, and
above them the foundations' top cards.
"""

from amazons_solver.kernel.compiling import inlined

CARDS_A_WORD = 12
TOPS = 20
"""The lowest bit of the foundations' top cards in word 2."""


@inlined
def card_at(word0: int, word1: int, word2: int, place: int) -> int:
    """The card at a place of the order of a state's cards."""
    word, first = (word0, 0) if place < 12 else (word1, 12) if place < 24 else (word2, 24)
    return (word >> (5 * (place - first))) & 31


@inlined
def top_at(word2: int, foundation: int) -> int:
    """The top card of a foundation."""
    return (word2 >> (TOPS + 5 * foundation)) & 31
