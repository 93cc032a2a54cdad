"""What a search needs to know of a problem."""

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

StateT = TypeVar("StateT")
MoveT_co = TypeVar("MoveT_co", covariant=True)


class Problem(Protocol[StateT, MoveT_co]):
    """A state space: where it starts, what follows, what is sought, and which states are the same.

    Two states of the same key must have the same goal status, and their successors must have the same keys in some
    order: the search continues from whichever state it met first.
    """

    def initial(self) -> StateT:
        """The state in which the search starts."""
        ...

    def successors(self, state: StateT) -> Sequence[tuple[MoveT_co, StateT]]:
        """Every move with the state it leads to, always in the same order."""
        ...

    def is_goal(self, state: StateT) -> bool:
        """Whether this state is sought."""
        ...

    def key(self, state: StateT) -> Hashable:
        """The full identity of the state: equal keys mean the same state, so a digest will not do."""
        ...

    def size_of(self, state: StateT) -> int:
        """About how many bytes a state like this one takes, for the limit on memory."""
        ...
