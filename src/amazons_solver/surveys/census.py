"""Exact odds of small decks: one deal decided of each class that differs only in the names of the cards.

With ``build = suit`` the suits may be renamed, and each renaming of a deal is another deal: s! deals of s suits are won
or lost together. One of them has its bases in the order of the deck's suits, and that one is decided. With
``build = rank`` the cards of each rank may be exchanged: (s!)^r deals of r ranks are won or lost together, and the one
is decided in which the cards of each rank come in that order. With ``base_placement = suit`` each suit has its own
foundation, nothing may be renamed, and every deal is decided. So all classes are of one size, and the share of winnable
classes is that of winnable deals.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import OptionError, UndecidedError
from amazons_solver.kernel import fits
from amazons_solver.kernel.batch import UNDECIDED, WINNABLE, decide_piles
from amazons_solver.model.arguments import checked
from amazons_solver.model.cards import cards_of, pile_of
from amazons_solver.model.deals import Deal
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits
from amazons_solver.surveys.chunks import decide_by_model

__all__ = ["MOST_CLASSES", "census", "classes_of"]

ItemT = TypeVar("ItemT")

MOST_CLASSES = 10**9
"""A deck of more is refused: it would take hours or for ever."""

_BATCH = 1 << 18


@checked
def census(rules: Rules, *, limits: Limits | None = None) -> Fraction:
    """The share of the deals of a small deck that can be won.

    Args:
        rules: rules with a deck of at most ten cards or so.
        limits: when to give up a deal, on states and memory; the default limits when absent.

    Raises:
        OptionError: the deck has too many deals, or there is a limit on seconds.
        UndecidedError: a limit was hit.

    >>> census(Rules.preset("ultimate").evolve(suits="CD", ranks="A7"))
    Fraction(11, 12)
    """
    classes = classes_of(rules)
    if classes > MOST_CLASSES:
        raise OptionError(f"expected a deck with at most {MOST_CLASSES:,} deals to decide, got {classes:,}")
    winnable = decided = 0
    for piles in _representatives(rules):
        verdicts = _decide(piles, rules, limits or Limits())
        undecided = np.flatnonzero(verdicts == UNDECIDED)
        if len(undecided):
            deal = Deal(cards_of(piles[undecided[0]].tobytes()))
            raise UndecidedError(f"expected a verdict on every deal, got undecided: {deal}")
        winnable += int((verdicts == WINNABLE).sum())
        decided += len(verdicts)
    if decided != classes:
        raise AssertionError(f"expected {classes} deals, got {decided}")
    return Fraction(winnable, classes)


@checked
def classes_of(rules: Rules) -> int:
    """How many classes there are of deals that the rules cannot tell apart.

    >>> classes_of(Rules(suits="CD", ranks="A78")), classes_of(Rules(suits="CD", ranks="A78", build="rank"))
    (360, 90)
    """
    exchanged = 1 if rules.base_placement == "suit" else math.factorial(len(rules.suits))
    if rules.build == "rank":
        exchanged **= len(rules.ranks)
    return math.factorial(len(rules.deck)) // exchanged


def _decide(piles: NDArray[np.uint8], rules: Rules, limits: Limits) -> NDArray[np.int8]:
    if fits.decides(rules):
        return decide_piles(piles, rules, limits=limits, tables=0).verdict
    return decide_by_model([Deal(cards_of(pile.tobytes())) for pile in piles], rules, limits).verdict


def _representatives(rules: Rules) -> Iterator[NDArray[np.uint8]]:
    """One deal of each class, as arrays of card codes, a deal a row."""
    ranks = [pile_of(card for card in rules.deck if card.rank.value == rank) for rank in rules.ranks]
    if rules.build == "rank":
        for batch in _batches(_in_order(ranks, tuple(range(len(rules.deck))))):
            yield np.frombuffer(b"".join(batch), np.uint8).reshape(len(batch), -1)
        return
    if rules.base_placement == "suit":
        for orders in _batches(itertools.permutations(pile_of(rules.deck))):
            yield np.array(orders, np.uint8)
        return
    others = b"".join(ranks[1:])
    for orders in _batches(itertools.permutations(others)):
        rows = np.array(orders, np.uint8)
        for places in itertools.combinations(range(len(rules.deck)), len(rules.suits)):
            piles = np.empty((len(rows), len(rules.deck)), np.uint8)
            piles[:, places] = np.frombuffer(ranks[0], np.uint8)
            piles[:, [place for place in range(len(rules.deck)) if place not in places]] = rows
            yield piles


def _batches(items: Iterator[ItemT]) -> Iterator[list[ItemT]]:
    while batch := list(itertools.islice(items, _BATCH)):
        yield batch


def _in_order(groups: Sequence[bytes], places: tuple[int, ...]) -> Iterator[bytes]:
    """Every pile of these cards, with these places, in which the cards of each group come in their order."""
    pile = bytearray(len(places))

    def fill(number: int, free: tuple[int, ...]) -> Iterator[bytes]:
        if number == len(groups):
            yield bytes(pile)
            return
        for chosen in itertools.combinations(free, len(groups[number])):
            for place, code in zip(chosen, groups[number], strict=True):
                pile[place] = code
            yield from fill(number + 1, tuple([place for place in free if place not in chosen]))

    yield from fill(0, places)
