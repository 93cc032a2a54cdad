"""How an exact state is laid out in numbers, and what a move makes of them.

Cards are their real numbers, 1 … 28, suit by suit and ranks ascending, whatever `build` says. A state is three int64:

- its cards, five bits each and twelve a word, the first lowest: the depots one after the other, each bottom to top, in
  the order in which they are gathered, and then the talon; 0 after the last. So a redeal moves no card.
- word 2, which has four cards only: the foundations' top cards (5 bits each, 20 … 39), and for each depot, in the order
  above, how many cards lie in it and in those before it (5 bits each, 40 … 59);
- the counters, as one number of 12 bits: four from bit 60 of each word, the lowest in word 0. It is
  ``redeals * radix + idle * 2 + played``, where `radix` is twice the limit on idle passes, and 1 without one.
"""

import itertools
from typing import cast

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import UNLIMITED, Config
from amazons_solver.kernel.fits import MOST_CARDS
from amazons_solver.kernel.packing import CARDS_A_WORD, TOPS, card_at, top_at
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

ENDS, COUNTER = 40, 60
"""The lowest bits of the fields."""

ZERO, ONE = cast("int", np.int64(0)), cast("int", np.int64(1))
"""As int64, so that what is made of them is, too."""

_ALL_CARDS = (ONE << COUNTER) - ONE
_LAST_CARDS = (ONE << TOPS) - ONE

Words = tuple[int, int, int]
"""The three words of a state, as int64."""


@compiled
def radix_of(config: Config) -> int:
    """What a redeal counts in the number that holds the counters."""
    return 1 if config.idle_passes == UNLIMITED else 2 * config.idle_passes


@compiled
def counter_of(word0: int, word1: int, word2: int) -> int:
    """The number that holds the counters of a state."""
    return ((word0 >> COUNTER) & 15) | (((word1 >> COUNTER) & 15) << 4) | (((word2 >> COUNTER) & 15) << 8)


@compiled
def with_counter(word0: int, word1: int, word2: int, counter: int) -> Words:
    """A state with another number for its counters."""
    return (
        (word0 & _ALL_CARDS) | ((ONE * counter) << COUNTER),
        (word1 & _ALL_CARDS) | ((ONE * (counter >> 4)) << COUNTER),
        (word2 & _ALL_CARDS) | ((ONE * (counter >> 8)) << COUNTER),
    )


@inlined
def end_at(word2: int, index: int) -> int:
    """How many cards lie in a depot and in those before it, in the order in which they are gathered."""
    return (word2 >> (ENDS + 5 * index)) & 31


@compiled
def _without(word: int, cards: int, following: int, place: int) -> int:
    """A word with the card at a place taken out, if that is in it or before it.

    Args:
        word: the word.
        cards: the bits in which it has cards.
        following: the first card of the next word, where the last one of this word is.
        place: the place, counted from the first of this word.
    """
    after = cards & (-ONE << (5 * min(max(place, 0), 12)))
    return (word & ~after) | ((((word & cards) >> 5) | following) & after)


@compiled
def take_out(word0: int, word1: int, word2: int, place: int) -> Words:
    """A state with a card taken out of the order: those after it move up."""
    return (
        _without(word0, _ALL_CARDS, (word1 & 31) << 55, place),
        _without(word1, _ALL_CARDS, (word2 & 31) << 55, place - 12),
        _without(word2, _LAST_CARDS, ZERO, place - 24),
    )


@compiled
def _moved(word: int, card: int, old_place: int, new_place: int) -> int:
    """A word whose cards from the new place to before the old one have moved back, to let a card in before them.

    The places are counted from the first of this word, and may be outside of it.
    """
    begin, end = 5 * min(max(new_place, 0), 12), 5 * min(max(old_place + 1, 0), 12)
    among = (-ONE << begin) & ~(-ONE << end)
    return (word & ~among) | ((((word & among) << 5) | (card << begin)) & among)


@compiled
def move_forward(word0: int, word1: int, word2: int, old_place: int, new_place: int) -> Words:
    """A state with a card moved to an earlier place of the order: those between move back by one."""
    card = card_at(word0, word1, word2, old_place)
    return (
        _moved(word0, card, old_place, new_place),
        _moved(word1, card if new_place >= 12 else (word0 >> 55) & 31, old_place - 12, new_place - 12),
        _moved(word2, card if new_place >= 24 else (word1 >> 55) & 31, old_place - 24, new_place - 24),
    )


def words_of(config: Config, state: State) -> NDArray[np.int64]:
    """A state of the model as three words."""
    table = bytearray(256)
    for number, card in enumerate(state.rules.deck, start=1):
        table[card.code] = number
    piles = state.depot_codes if config.gather else state.depot_codes[::-1]
    cards = (b"".join(piles) + state.talon_codes).translate(bytes(table))
    words = [0, 0, 0]
    for place, card_number in enumerate(cards):
        words[place // CARDS_A_WORD] |= card_number << (5 * (place % CARDS_A_WORD))
    end = 0
    for index, (top, pile) in enumerate(zip(state.foundation_codes.translate(bytes(table)), piles, strict=True)):
        end += len(pile)
        words[2] |= top << (TOPS + 5 * index) | end << (ENDS + 5 * index)
    redeals, idle, played = state.counters
    counter = redeals * radix_of(config) + 2 * idle + played
    return np.array(with_counter(ONE * words[0], ONE * words[1], ONE * words[2], counter), np.int64)


def state_of(rules: Rules, config: Config, words: NDArray[np.int64]) -> State:
    """Three words as a state of the model."""
    codes = bytes([0, *(card.code for card in rules.deck)])
    parts = [int(word) for word in words]
    cards = bytes(codes[card_at(parts[0], parts[1], parts[2], place)] for place in range(MOST_CARDS)).rstrip(b"\0")
    ends = [0, *(end_at(parts[2], index) for index in range(config.depots))]
    piles = [cards[begin:end] for begin, end in itertools.pairwise(ends)]
    tops = bytes(codes[top_at(parts[2], index)] for index in range(config.depots))
    redeals, rest = divmod(int(counter_of(*words)), radix_of(config))
    counters = (redeals, rest >> 1, bool(rest & 1))
    return State(rules, cards[ends[-1] :], tuple(piles if config.gather else piles[::-1]), tops, counters)
