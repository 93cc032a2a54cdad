"""Rules as the compiled functions take them: numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.compiling import inlined
from amazons_solver.model.rules import Rules

LEFTMOST, ANY_EMPTY, ABOVE, OWN_SUIT = range(4)
"""Values of `Config.placement`."""
NOTHING, BASES, ANYTHING = range(3)
"""Values of `Config.withhold`."""
UNLIMITED = -1


class Config(NamedTuple):
    """The rules as numbers."""

    depots: int
    ranks: int
    placement: int
    by_rank: bool
    top_anywhere: bool
    gather: int
    skip_complete: bool
    withhold: int
    max_redeals: int
    idle_passes: int
    lemmas: bool
    """Whether boundaries that a lemma proves lost are dropped."""
    rank: NDArray[np.uint8]
    """The rank of each card, 0 for the base: shape (32,)."""
    places: NDArray[np.uint8]
    """The foundation of each card's suit, if foundations belong to suits: shape (32,)."""
    table: NDArray[np.int64]
    """The endgame table, laid out as kernel/boundaries/tables.py says."""
    table_cards: int
    """The most cards of a boundary in the table; -1 without a table."""


@inlined
def may_deal(config: Config, others: int) -> bool:
    """Whether a row may be dealt, or a redeal made, though something can be played: `others` times no base."""
    return config.withhold == ANYTHING or (config.withhold == BASES and others == 0)


def config_of(rules: Rules, *, lemmas: bool = True) -> Config:
    """The rules as the compiled code reads them."""
    ranks = len(rules.ranks)
    return Config(
        depots=len(rules.suits),
        ranks=ranks,
        placement=("leftmost", "any", "above", "suit").index(rules.base_placement),
        by_rank=rules.build == "rank",
        top_anywhere=rules.top_anywhere and ranks > 1,  # with a single rank the base rule applies
        gather=("left-over-right", "right-over-left").index(rules.gather),
        skip_complete=rules.skip_complete,
        withhold=("nothing", "bases", "any").index(rules.withhold),
        max_redeals=UNLIMITED if rules.max_redeals is None else rules.max_redeals,
        idle_passes=UNLIMITED if rules.idle_passes is None else rules.idle_passes,
        lemmas=lemmas,
        rank=np.array([0, *(i % ranks for i in range(31))], np.uint8),
        places=_places_of(rules),
        table=np.zeros(1, np.int64),
        table_cards=-1,
    )


def _places_of(rules: Rules) -> NDArray[np.uint8]:
    """By card number, the foundation of the card's suit; all 0 where no foundation belongs to one."""
    places = np.zeros(32, np.uint8)
    if rules.base_placement == "suit":
        places[1 : len(rules.deck) + 1] = [rules.tables.places[card.code] for card in rules.deck]
    return places


def numbers_of(rules: Rules) -> bytes:
    """A translation table from the model's card codes to the kernel's card numbers."""
    table = bytearray(256)
    for i, card in enumerate(rules.deck):
        table[card.code] = 1 + (i % len(rules.ranks) if rules.build == "rank" else i)
    return bytes(table)
