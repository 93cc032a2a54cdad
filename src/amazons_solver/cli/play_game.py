"""A game under way: moves made, taken back and made again."""

import attrs

from amazons_solver.model.moves import REDEAL, Move
from amazons_solver.model.records import Record
from amazons_solver.model.state import State

__all__ = ["PlayedGame"]


@attrs.define
class PlayedGame:
    """The states of a game in which one can go back and forth.

    >>> from amazons_solver import DEAL, Deal
    >>> game = PlayedGame(Record(Deal.numbered(0)))
    >>> game.play(DEAL)
    >>> game.go_to(0)
    >>> game.position, len(game.moves)
    (0, 1)
    """

    record: Record
    """The game with which it began."""
    position: int = attrs.field(init=False)
    """Moves made, those that were taken back not counted."""
    moves: list[Move] = attrs.field(init=False)
    """Moves made, and after them those that can be made again."""
    states: list[State] = attrs.field(init=False)
    """One more than there are moves."""

    def __attrs_post_init__(self) -> None:
        """Replay the record.

        Raises:
            IllegalMoveError: a move is not legal; the message counts the moves from 1.
        """
        start = State.initial(self.record.deal, self.record.rules)
        start.play_line(self.record.line)
        self.moves, self.states = list(self.record.line), [start]
        for move in self.moves:
            self.states.append(self.states[-1].play(move))
        self.position = len(self.moves)

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[self.position]

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves made, without those that were taken back."""
        return tuple(self.moves[: self.position])

    @property
    def redeals(self) -> int:
        """Redeals made."""
        return self.line.count(REDEAL)

    def play(self, move: Move) -> None:
        """Make a move. What was taken back can be made again only if this was its first move.

        Raises:
            IllegalMoveError: the move is not legal.
        """
        state = self.state.play(move)
        if self.moves[self.position : self.position + 1] != [move]:
            self.moves[self.position :] = [move]
            self.states[self.position + 1 :] = [state]
        self.position += 1

    def go_to(self, position: int) -> None:
        """Go to where the game stood, or will stand, after so many moves; not further than there are moves."""
        self.position = max(0, min(position, len(self.moves)))

    def kept(self) -> Record:
        """The game as it is to be saved: up to where it stands."""
        return Record(self.record.deal, self.line, self.record.rules)
