"""Boundaries that no play can save. docs/lemmas.md states and proves each lemma; this is what proofs may rest on."""

from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

__all__ = ["is_lost"]


def is_lost(state: State) -> bool:
    """Whether lemma 1, 2 or 3 proves that a state, whose cards are all in the talon, cannot be won.

    >>> is_lost(State.parse("7D 7C | - ; - | AC ; AD", Rules(suits="CD", ranks="A7", gather="right-over-left")))
    True
    """
    rules, talon, tops = state.rules, state.talon_codes, state.foundation_codes
    if rules.skip_complete or not talon or any(state.depot_codes):
        return False
    return _first_card_is_stuck(rules, talon[0], tops[0]) or _depot_is_closed(rules, len(talon), tops)


def _first_card_is_stuck(rules: Rules, card: int, top: int) -> bool:
    """Lemma 1: gathered right over left, the first card comes back to depot 1 for ever, and never fits there."""
    tables = rules.tables
    if rules.gather == "left-over-right" or not top or card in tables.bases or card in tables.single_tops:
        return False
    # A card's code is sixteen times its suit plus its rank.
    return card >> 4 != top >> 4 if rules.build == "suit" else card & 15 <= top & 15


def _depot_is_closed(rules: Rules, cards: int, tops: bytes) -> bool:
    """Lemmas 2 and 3: all foundations are begun, and depot 1 or one that gets no card must still give one."""
    if rules.top_anywhere or not all(tops):
        return False
    complete = rules.tables.tops
    return tops[0] in complete or any(top not in complete for top in tops[cards:])
