"""The game as a problem for the search."""

import sys
from typing import Literal

import attrs

from amazons_solver.model.moves import Move
from amazons_solver.model.state import State

Identity = Literal["exact", "canonical"]


@attrs.frozen
class Game:
    """The state space of one deal, or of what is left of one, under exact or canonical identity."""

    start: State
    identity: Identity = "canonical"

    def initial(self) -> State:
        """The state from which the search starts."""
        return self.start

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """Every legal move with the state it leads to."""
        return state.successors()

    def is_goal(self, state: State) -> bool:
        """Whether the state is won."""
        return state.is_won

    def key(self, state: State) -> bytes:
        """The state's exact or canonical key."""
        return state.key() if self.identity == "canonical" else state.exact_key()

    def size_of(self, state: State) -> int:
        """Bytes that a state takes: itself and its piles."""
        piles = (state.talon_codes, *state.depot_codes, state.foundation_codes)
        return sys.getsizeof(state) + sys.getsizeof(state.depot_codes) + sum(map(sys.getsizeof, piles))
