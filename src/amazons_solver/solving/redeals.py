"""The fewest redeals that win: 0-1 breadth-first search by the model; a redeal costs 1, any other move 0."""

from collections.abc import Callable

import attrs

from amazons_solver.model.arguments import checked
from amazons_solver.model.moves import REDEAL, Move
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats
from amazons_solver.search.watch import EXPANSIONS_BETWEEN_CHECKS, Watch
from amazons_solver.solving.game import Game

__all__ = ["FewestRedeals", "fewest_redeals"]

# Bytes of a stored state besides its key: its place in the dictionary, the parent and the move.
_BYTES_STORED = 200
# Bytes of a state that waits, besides itself and its key.
_BYTES_WAITING = 150


@attrs.frozen
class FewestRedeals:
    """What a search in the order of redeals has found."""

    at_least: int
    """No winning line has fewer redeals."""
    line: tuple[Move, ...] | None
    """A winning line with exactly that many; ``None`` if none was found."""


@checked
def fewest_redeals(
    state: State,
    below: int,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> FewestRedeals:
    """Look for a winning line with fewer than `below` redeals, and for the one with fewest of them.

    Without a line, `at_least` is `below` if everything nearer was seen, and less if a limit was hit.

    Args:
        state: where the game stands.
        below: the redeals that the line must stay below.
        limits: when to give up; the default limits when absent.
        progress: called with the counts so far a few times a second.

    >>> from amazons_solver import Rules
    >>> state = State.parse("7C AC | - | -", Rules(suits="C", ranks="A7", withhold="nothing"))
    >>> [str(move) for move in fewest_redeals(state, 5).line]
    ['d', 'd', 'AC>1', '7C>1']
    """
    search = _Search(Game(state), Watch(limits or Limits(), progress))
    for redeals in range(below):
        if not search.layer:
            break
        won = search.one_layer()
        if won is not None:
            return FewestRedeals(redeals, tuple(won))
        if search.limit_hit:
            return FewestRedeals(redeals, None)
    return FewestRedeals(below, None)


Waiting = tuple[bytes, State, bytes | None, Move | None]
"""A state under its key, with the key of the state before it and the move from there."""


@attrs.define
class _Search:
    """A search whose layers are the states to which the same number of redeals leads, but none fewer."""

    game: Game
    watch: Watch
    came: dict[bytes, tuple[bytes | None, Move | None]] = attrs.field(factory=dict)
    """By key of a state that was expanded: how it was reached."""
    layer: list[Waiting] = attrs.field(init=False)
    generated: int = 1
    limit_hit: bool = False

    def __attrs_post_init__(self) -> None:
        self.layer = [(self.game.key(self.game.start), self.game.start, None, None)]

    def one_layer(self) -> list[Move] | None:
        """Expand a layer, which leaves the next one; returns the line if a won state was met."""
        came, key_of, layer = self.came, self.game.key, self.layer
        later: list[Waiting] = []
        while layer:
            key, state, parent, move = layer.pop()
            if key in came:
                continue
            if len(came) % EXPANSIONS_BETWEEN_CHECKS == 0 and self._is_over(len(layer) + len(later)):
                self.limit_hit = True
                return None
            came[key] = parent, move  # not before: a state that waits for the next layer may still be met in this one
            for step, child in reversed(state.successors()):
                self.generated += 1
                if child.is_won:
                    return [*self._line_to(key), step]
                child_key = key_of(child)
                if child_key not in came:
                    (later if step is REDEAL else layer).append((child_key, child, key, step))
        self.layer = later
        return None

    def _line_to(self, key: bytes | None) -> list[Move]:
        line = []
        while key is not None:
            key, move = self.came[key]
            if move is not None:
                line.append(move)
        return line[::-1]

    def _is_over(self, waiting: int) -> bool:
        """Whether a limit is hit; reports on the way."""
        limits, states, key_size = self.watch.limits, len(self.came), len(self.game.start.key())
        used = states * (key_size + _BYTES_STORED)
        used += waiting * (key_size + self.game.size_of(self.game.start) + _BYTES_WAITING)
        self.watch.report(self._counts)
        return (limits.states is not None and states >= limits.states) or self.watch.limit_hit(used) is not None

    def _counts(self) -> Stats:
        states = len(self.came)
        return self.watch.counts(states, self.generated - states, states)
