"""A game as a strategy plays it, to its end."""

from collections.abc import Hashable
from typing import Literal

import attrs

from amazons_solver.errors import IllegalMoveError
from amazons_solver.model.arguments import checked, no_truth
from amazons_solver.model.cards import pile_of
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import DEAL, REDEAL, Move, Play
from amazons_solver.model.rules import Rules
from amazons_solver.model.shuffling import draw
from amazons_solver.model.state import State
from amazons_solver.strategies.players import Strategy, Table

__all__ = ["Playout", "play_out"]


_RANK_OF = bytes(code & 15 for code in range(256))


@attrs.frozen(repr=False)
class Playout:
    """A game as a strategy played it."""

    won: bool
    end: Literal["won", "blocked", "gave up"]
    """Why it ended: *blocked* by a limit of the rules; given up since the talon came round, or patience was at an end.
    """
    line: tuple[Move, ...]
    """Every move that was made."""
    idle_passes: int
    """Passes without a play, including the last one if it is given up or blocked."""

    __bool__ = no_truth("a play-out", "ask whether it was won")

    @property
    def redeals(self) -> int:
        """The redeals made."""
        return self.line.count(REDEAL)

    def __repr__(self) -> str:
        return f"<Playout {self.end}, {len(self.line)} moves, {self.redeals} redeals>"


@checked
def play_out(strategy: Strategy, deal: Deal, rules: Rules | None = None) -> Playout:
    """Play a deal as the strategy does, to the end.

    Raises:
        NotationError: the deal is not of the rules' deck.
        IllegalMoveError: the strategy chose what is not legal.

    >>> from amazons_solver import Greedy
    >>> play_out(Greedy(), Deal.pysolfc("24680"), Rules.preset("pysolfc")).won
    True
    """
    state = State.initial(deal, rules)
    memory = strategy.begin(_seed_of(deal))
    line: list[Move] = []
    cycle = _Cycle(_RANK_OF if state.rules.build == "rank" else None, strategy.patience, state.talon_codes)
    while True:
        successors = dict(state.successors())
        if not successors:
            won = state.is_won
            cycle.idle_passes += not won and not cycle.played
            return Playout(won, "won" if won else "blocked", tuple(line), cycle.idle_passes)
        plays = tuple([move for move in successors if isinstance(move, Play)])
        table = Table(state, plays, len(plays) < len(successors), cycle.came_round, cycle.first)
        play, memory = strategy.choose(table, memory)
        move = play or (DEAL if state.talon_codes else REDEAL)
        if move not in successors:
            legal = " ".join(map(str, successors))
            raise IllegalMoveError(f"expected a legal move ({legal}) of a strategy, got {move} in {state.text()}")
        state = successors[move]
        if play is not None:
            cycle.has_play()
        else:
            cycle.held_back |= bool(plays)
            if move == REDEAL and cycle.ends(state.talon_codes, memory):
                return Playout(False, "gave up", tuple(line), cycle.idle_passes)
        line.append(move)


def _seed_of(deal: Deal) -> int:
    """A 64-bit hash of the order of the cards."""
    seed = 0
    for code in pile_of(deal.cards):
        seed = draw(seed ^ code)[1]
    return seed


@attrs.define
class _Cycle:
    """The passes since the last play: whether they have come round, and whether they always will."""

    names: bytes | None
    """What tells cards apart: their ranks alone where suits make no difference."""
    patience: int | None
    start: bytes
    """The talon's order when the cycle began."""
    waited: int = 0
    """Passes since then."""
    held_back: bool = False
    """Whether a legal play was held back in them."""
    came_round: bool = False
    played: bool = False
    """Whether this pass has had a play."""
    first: bool = True
    idle_passes: int = 0
    """Those of the whole game."""
    remembered: set[tuple[bytes, Hashable]] = attrs.field(factory=set)
    """What the strategy remembered whenever a cycle without a play had come round."""

    def has_play(self) -> None:
        """There was a play: all waiting begins anew."""
        self.played, self.came_round = True, False

    def ends(self, talon: bytes, memory: Hashable) -> bool:
        """End a pass by gathering the talon; whether that ends the game."""
        if self.played:
            self.remembered.clear()
            self._begin(talon)
        else:
            self.idle_passes += 1
            self.waited += 1
            if talon.translate(self.names) == self.start.translate(self.names) or self.waited == self.patience:
                if not self.held_back or (talon, memory) in self.remembered:
                    return True
                self.remembered.add((talon, memory))
                self.came_round = True
                self._begin(talon)
        self.played = self.first = False
        return False

    def _begin(self, talon: bytes) -> None:
        self.start, self.waited, self.held_back = talon, 0, False
