"""States and moves in words, for those who do not see the pictures."""

from collections.abc import Iterable

from amazons_solver.model.cards import Card
from amazons_solver.model.moves import Move, Play
from amazons_solver.model.state import State

__all__ = ["card_name", "card_names", "counters", "heading", "move_name", "state_in_words"]


def card_name(card: Card) -> str:
    """The card in words, such as ``ten of hearts``."""
    return f"{card.rank.name} of {card.suit.name}".lower()


def card_names(cards: Iterable[Card]) -> str:
    """Cards in words, separated by commas."""
    return ", ".join(map(card_name, cards))


def move_name(move: Move) -> str:
    """A move in words, such as ``ten of hearts to foundation 2``."""
    return f"{card_name(move.card)} to foundation {move.foundation}" if isinstance(move, Play) else move.kind


def heading(state: State) -> str:
    """A state in a few words: ``12 cards left``."""
    if state.is_won:
        return "won"
    return f"{state.cards_left} card{'' if state.cards_left == 1 else 's'} left"


def counters(state: State) -> list[str]:
    """The counters that the rules use, such as ``redeals 1``."""
    rules = state.rules
    redeals = [f"redeals {state.redeals}"] if rules.max_redeals is not None else []
    idle = [f"idle {state.idle}", "played" if state.played else "no play"] if rules.idle_passes is not None else []
    return redeals + idle


def state_in_words(state: State) -> str:
    """All that lies on the table.

    >>> from amazons_solver import Rules
    >>> print(state_in_words(State.parse("7C | - | AC", Rules(suits="C", ranks="A7"))))
    Foundations: 1 ace of clubs. Depots, bottom to top: 1 empty. Talon, next card first: seven of clubs.
    """
    tops = [f"{i} {'empty' if top is None else card_name(top)}" for i, top in enumerate(state.foundations, start=1)]
    depots = [f"{i} {card_names(pile) or 'empty'}" for i, pile in enumerate(state.depots, start=1)]
    counted = counters(state)
    return (
        f"Foundations: {'; '.join(tops)}. Depots, bottom to top: {'; '.join(depots)}. "
        f"Talon, next card first: {card_names(state.talon) or 'empty'}."
        + (f" Counters: {', '.join(counted)}." if counted else "")
    )
