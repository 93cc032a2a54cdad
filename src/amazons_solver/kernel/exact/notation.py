"""Keys and texts of the model for exact states in numbers, many at a time."""

import itertools
from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import compiled
from amazons_solver.kernel.config import UNLIMITED, Config
from amazons_solver.kernel.exact.words import counter_of, end_at, radix_of
from amazons_solver.kernel.fits import MOST_CARDS
from amazons_solver.kernel.packing import TOPS, card_at, top_at
from amazons_solver.model.canonical import KEY_VERSION
from amazons_solver.model.rules import Rules

Bytes = NDArray[np.uint8]

_MOST_BYTES = 192
"""More than the bytes of a key or a text: 28 cards with a space each, 20 piles at most, and two counters."""
_AT_A_TIME = 4096
_VERSION = KEY_VERSION[0]


def _bytes(text: bytes) -> Bytes:
    return np.frombuffer(text, np.uint8).copy()


_REDEALS, _IDLE, _PLAYED = _bytes(b"redeals="), _bytes(b"idle="), _bytes(b" played=")
_SPACE, _NO_CARD, _SEMICOLON, _BAR = _bytes(b" "), _bytes(b"-"), _bytes(b" ; "), _bytes(b" | ")


@attrs.frozen(eq=False)
class Notation:
    """The states of an exploration as the model writes them."""

    rules: Rules
    keys: NDArray[np.int64]
    """The states, three words each (see `kernel.exact`)."""
    config: Config

    def ids(self, numbers: NDArray[np.integer]) -> list[str]:
        """The exact keys of states, in hexadecimal."""
        codes = np.array([0, *(card.code for card in self.rules.deck)], np.uint8)
        return self._written(_write_keys, codes, numbers, bytes.hex, 2)

    def texts(self, numbers: NDArray[np.integer]) -> list[str]:
        """States in notation."""
        cards = _bytes("".join(["- ", *map(str, self.rules.deck)]).encode())
        return self._written(_write_texts, cards, numbers, bytes.decode, 1)

    def cards_left(self) -> NDArray[np.uint8]:
        """By state: cards that are not yet on a foundation."""
        height = np.array([0, *(1 + self.config.rank[1:])], np.uint8)
        left = np.full(len(self.keys), len(self.rules.deck), np.uint8)
        for begin in range(0, len(left), _AT_A_TIME):
            part = slice(begin, begin + _AT_A_TIME)
            for depot in range(self.config.depots):
                left[part] -= height[(self.keys[part, 2] >> (TOPS + 5 * depot)) & 31]
        return left

    def _written(
        self,
        write: Callable[[Config, NDArray[np.int64], Bytes, Bytes, NDArray[np.int64]], None],
        cards: Bytes,
        numbers: NDArray[np.integer],
        text_of: Callable[[bytes], str],
        width: int,
    ) -> list[str]:
        """What a compiled function writes of states, as strings, `width` characters a byte."""
        most = min(len(numbers), _AT_A_TIME)
        written, ends = np.zeros(_MOST_BYTES * most, np.uint8), np.zeros(most + 1, np.int64)
        texts: list[str] = []
        for begin in range(0, len(numbers), _AT_A_TIME):
            words = self.keys[numbers[begin : begin + _AT_A_TIME]]
            write(self.config, words, cards, written, ends)
            places = (width * ends[: len(words) + 1]).tolist()
            text = text_of(written[: ends[len(words)]].tobytes())
            texts += [text[a:b] for a, b in itertools.pairwise(places)]
        return texts


@compiled
def _put(out: Bytes, at: int, text: Bytes) -> int:
    """Write a text; returns where it ends."""
    for i in range(len(text)):
        out[at + i] = text[i]
    return at + len(text)


@compiled
def _put_number(out: Bytes, at: int, number: int) -> int:
    """Write a number from 0 in decimal; returns where it ends."""
    digits, rest = 1, number // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for i in range(digits):
        out[at + digits - 1 - i] = 48 + number % 10
        number //= 10
    return at + digits


@compiled
def _put_counters(config: Config, counter: int, out: Bytes, at: int) -> int:
    """Write the counters that the rules use; returns where that ends."""
    redeals = counter // radix_of(config)
    rest = counter - redeals * radix_of(config)
    if config.max_redeals != UNLIMITED:
        at = _put_number(out, _put(out, at, _REDEALS), redeals)
    if config.idle_passes != UNLIMITED:
        if config.max_redeals != UNLIMITED:
            at = _put(out, at, _SPACE)
        at = _put_number(out, _put(out, at, _IDLE), rest >> 1)
        at = _put_number(out, _put(out, at, _PLAYED), rest & 1)
    return at


@compiled
def _ends_of(config: Config, word2: int, depot: int) -> tuple[int, int]:
    """The first place of a depot's cards, and the place after its last; of the talon for the number of depots."""
    k = config.depots
    if depot == k:
        return end_at(word2, k - 1), MOST_CARDS
    index = depot if config.gather else k - 1 - depot
    begin = end_at(word2, index - 1) if index > 0 else 0
    return begin, end_at(word2, index)


@compiled
def _write_keys(config: Config, words: NDArray[np.int64], codes: Bytes, out: Bytes, ends: NDArray[np.int64]) -> None:
    """Write keys one after the other: version, foundations, depots, talon, and the counters if there are any."""
    at = 0
    for i in range(words.shape[0]):
        word0, word1, word2 = words[i, 0], words[i, 1], words[i, 2]
        out[at] = _VERSION
        at += 1
        for depot in range(config.depots):
            out[at] = codes[top_at(word2, depot)]
            at += 1
        for pile in range(config.depots + 1):
            if pile > 0:
                out[at] = 0
                at += 1
            begin, end = _ends_of(config, word2, pile)
            for place in range(begin, end):
                card = card_at(word0, word1, word2, place)
                if card == 0:
                    break
                out[at] = codes[card]
                at += 1
        if config.max_redeals != UNLIMITED or config.idle_passes != UNLIMITED:
            out[at] = 0
            at = _put_counters(config, counter_of(word0, word1, word2), out, at + 1)
        ends[i + 1] = at


@compiled
def _put_pile(config: Config, word0: int, word1: int, word2: int, pile: int, cards: Bytes, out: Bytes, at: int) -> int:
    """Write the cards of a depot or of the talon; returns where that ends."""
    begin, end = _ends_of(config, word2, pile)
    first = at
    for place in range(begin, end):
        card = card_at(word0, word1, word2, place)
        if card == 0:
            break
        if at > first:
            at = _put(out, at, _SPACE)
        at = _put(out, at, cards[2 * card : 2 * card + 2])
    return _put(out, at, _NO_CARD) if at == first else at


@compiled
def _write_texts(config: Config, words: NDArray[np.int64], cards: Bytes, out: Bytes, ends: NDArray[np.int64]) -> None:
    """Write states one after the other, each as `State.text` does."""
    at = 0
    for i in range(words.shape[0]):
        word0, word1, word2 = words[i, 0], words[i, 1], words[i, 2]
        at = _put_pile(config, word0, word1, word2, config.depots, cards, out, at)
        for depot in range(config.depots):
            at = _put(out, at, _SEMICOLON if depot > 0 else _BAR)
            at = _put_pile(config, word0, word1, word2, depot, cards, out, at)
        for depot in range(config.depots):
            at = _put(out, at, _SEMICOLON if depot > 0 else _BAR)
            top = top_at(word2, depot)
            at = _put(out, at, cards[2 * top : 2 * top + 2 if top > 0 else 1])
        if config.max_redeals != UNLIMITED or config.idle_passes != UNLIMITED:
            at = _put_counters(config, counter_of(word0, word1, word2), out, _put(out, at, _BAR))
        ends[i + 1] = at
