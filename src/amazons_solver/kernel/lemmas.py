"""Boundaries that no play can save. docs/lemmas.md states and proves each; `Config.lemmas` switches them all."""

from amazons_solver.kernel.boundaries.keys import Scratch
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import Config


@inlined
def is_lost(config: Config, scratch: Scratch, count: int) -> bool:
    """Whether a lemma proves lost the boundary whose talon, of `count` cards, is in `scratch.next`."""
    if config.skip_complete or count == 0:
        return False
    return _first_card_is_stuck(config, scratch) or (
        not config.top_anywhere and (_first_foundation_is_closed(config, scratch, count))
    )


@inlined
def _first_card_is_stuck(config: Config, scratch: Scratch) -> bool:
    """Lemma 1: gathered right over left, the first card comes back to depot 1 for ever, and cannot be played there."""
    card, top = scratch.next[0], scratch.tops[0]
    rank = config.rank[card]
    if config.gather == 0 or top == 0 or rank == 0 or (config.top_anywhere and rank == config.ranks - 1):
        return False
    if config.by_rank:
        return card <= top
    return (card - 1) // config.ranks != (top - 1) // config.ranks


@inlined
def _first_foundation_is_closed(config: Config, scratch: Scratch, count: int) -> bool:
    """Lemmas 2 and 3: all foundations are begun, and a depot that must still give a card cannot."""
    for foundation in range(config.depots):
        if scratch.tops[foundation] == 0:
            return False
    if scratch.needs[0] == 0:
        return True
    for foundation in range(count, config.depots):  # noqa: SIM110 (no generators in compiled code)
        if scratch.needs[foundation] != 0:
            return True
    return False
