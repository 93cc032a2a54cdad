"""Boundaries that no play can save. docs/lemmas.md states and proves each; `Config.lemmas` switches them all."""

from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import Config


@inlined
def is_lost(config: Config, first: int, tops: int) -> bool:
    """Whether a lemma proves a boundary lost.

    Args:
        config: the rules.
        first: the first card of the talon, which has one.
        tops: the foundations' top cards, five bits each.
    """
    if config.skip_complete:
        return False
    return _first_card_is_stuck(config, first, tops & 31) or (
        not config.top_anywhere and _a_foundation_is_closed(config, tops)
    )


@inlined
def _first_card_is_stuck(config: Config, card: int, top: int) -> bool:
    """Lemma 1: gathered right over left, the first card comes back to depot 1 for ever, and cannot be played there."""
    rank = config.rank[card]
    if config.gather == 0 or top == 0 or rank == 0 or (config.top_anywhere and rank == config.ranks - 1):
        return False
    if config.by_rank:
        return rank <= config.rank[top]
    return (card - 1) // config.ranks != (top - 1) // config.ranks


@inlined
def _a_foundation_is_closed(config: Config, tops: int) -> bool:
    """Lemmas 2 and 3: all foundations are begun, and a depot that must still give a card cannot."""
    last = config.ranks - 1
    left = config.depots * last
    for foundation in range(config.depots):
        top = (tops >> (5 * foundation)) & 31
        if top == 0:
            return False
        left -= config.rank[top]
    if config.rank[tops & 31] == last:
        return True
    for foundation in range(left, config.depots):  # noqa: SIM110 (no generators in compiled code)
        if config.rank[(tops >> (5 * foundation)) & 31] != last:
            return True
    return False
