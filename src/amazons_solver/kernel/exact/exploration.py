"""All states that can be reached, move by move, by compiled code: the counts, the states, and on request the moves."""

import functools
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import RulesError
from amazons_solver.kernel import fits
from amazons_solver.kernel.config import Config, config_of
from amazons_solver.kernel.exact import exploration_loop
from amazons_solver.kernel.exact.exploration_loop import BATCH, Space, new_space
from amazons_solver.kernel.exact.notation import Notation
from amazons_solver.kernel.exact.words import state_of, words_of
from amazons_solver.kernel.fits import MOST_CARDS, MOST_COUNTERS
from amazons_solver.kernel.slices import enter, run_in_slices
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, bytes_of, longer
from amazons_solver.model.moves import DEAL, PLAYS, REDEAL, Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats, StopReason
from amazons_solver.search.watch import Watch

__all__ = ["Exploration", "explore_exact"]

_SMALL = 1 << 20
"""Below this length arrays are doubled, from then on they get an eighth more, so that little of the room is empty."""
_MOST_SLOTS = 1 << 32


@attrs.frozen(repr=False, eq=False)
class Exploration:
    """What was found: states by number, in the order in which the model's breadth-first search numbers them."""

    rules: Rules
    stop_reason: StopReason
    stats: Stats
    """As of the model's search; `cycles` is not counted."""
    memory_bytes: int
    """The bytes of all arrays at the end, with the room that was not used."""
    keys: NDArray[np.int64]
    """The states, three words each (see `kernel.exact`)."""
    offsets: NDArray[np.int64]
    """The moves of state i, for those that are expanded, are from ``offsets[i]`` to before ``offsets[i + 1]``."""
    targets: NDArray[np.uint32]
    """By move: the number of the state it leads to. Empty, as `offsets` and `labels`, unless asked for."""
    labels: NDArray[np.uint8]
    """By move: which it is (see `move`)."""
    _config: Config

    @property
    def complete(self) -> bool:
        """Whether all states were found and expanded."""
        return self.stop_reason is StopReason.EXHAUSTED

    @property
    def states(self) -> int:
        """States found."""
        return self.stats.states

    @property
    def edges(self) -> int:
        """Moves followed; all moves of the space if it is complete."""
        return self.stats.generated - 1

    @property
    def won(self) -> int:
        """Won states among those found."""
        return self.stats.goals

    @property
    def blocked(self) -> int:
        """Blocked states among those expanded."""
        return self.stats.dead_ends

    def state(self, number: int) -> State:
        """The state of this number.

        Raises:
            IndexError: there is none.
        """
        return state_of(self.rules, self._config, self.keys[number])

    @property
    def notation(self) -> Notation:
        """What writes the states as the model does, many at a time."""
        return Notation(self.rules, self.keys, self._config)

    def moves(self, number: int) -> list[tuple[Move, int]]:
        """The moves of a state that was expanded, each with the state it leads to; needs the edges.

        Raises:
            IndexError: the state was not expanded, or no edges were kept.
        """
        edges = range(int(self.offsets[number]), int(self.offsets[number + 1]))
        return [(self.move(int(self.labels[edge])), int(self.targets[edge])) for edge in edges]

    def move(self, label: int) -> Move:
        """The move that a label says: 252 a deal, 253 a redeal, else a play, four times the card plus the foundation.

        Cards are numbered from 1 in the deck's order, foundations from 0.
        """
        if label >= exploration_loop.DEAL:
            return DEAL if label == exploration_loop.DEAL else REDEAL
        return PLAYS[self.rules.deck[label // 4 - 1].code, label % 4]

    def __repr__(self) -> str:
        extent = "complete" if self.complete else f"cut short ({self.stop_reason.value})"
        return (
            f"<Exploration {self.states} states, {self.edges} edges, {self.won} won, {self.blocked} blocked, {extent}>"
        )


def explore_exact(
    state: State,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    edges: bool = False,
    capacity: int = FIRST_CAPACITY,
) -> Exploration:
    """Find every state that can be reached, by exact identity, as ``explore(Game(state, "exact"))`` of the model does.

    Numbers, counts and, when the limit on states is hit, the place where it stops are the model's.

    Args:
        state: where to begin.
        limits: when to stop; the default limits when absent. The limit on memory bounds the arrays. Time and Ctrl-C are
            looked at every 20 ms or so.
        progress: called with the counts so far a few times a second.
        edges: whether the moves are kept, which takes 8 bytes for each state and 5 for each move.
        capacity: room for states at first.

    Raises:
        RulesError: a state of these rules does not fit into the compiled code's.

    >>> from amazons_solver import Deal
    >>> rules = Rules(suits="CD", ranks="A78", withhold="any")
    >>> found = explore_exact(State.initial(Deal.numbered(0, rules), rules), edges=True)
    >>> found
    <Exploration 698 states, 994 edges, 2 won, 0 blocked, complete>
    >>> [(str(move), found.state(target).text()) for move, target in found.moves(0)]
    [('d', '7D AC 8C 8D | 7C ; AD | - ; -')]
    """
    if not fits.explores(state.rules):
        raise RulesError(
            f"expected at most {MOST_CARDS} cards, and limits with (max_redeals + 1) * 2 * idle_passes of at most "
            f"{MOST_COUNTERS}, got {len(state.rules.deck)} cards, max_redeals {state.rules.max_redeals}, "
            f"idle_passes {state.rules.idle_passes}"
        )
    run = _Run(state, config_of(state.rules), Watch(limits or Limits(), progress), edges, new_space(capacity, edges))
    return run.found(run_in_slices(run, least=1))


@attrs.define
class _Run:
    """One exploration with its storage, which grows."""

    start: State
    config: Config
    watch: Watch
    keeps_edges: bool
    space: Space

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays, which are all that grows."""
        return bytes_of(self.space)

    def begin(self) -> None:
        """Store the first state."""
        space = self.space
        space.keys[0] = words_of(self.config, self.start)
        space.counters[exploration_loop.MOST_STATES] = self.watch.limits.states or NO_LIMIT
        space.counters[exploration_loop.STATES] = 1
        space.counters[exploration_loop.WON_STATES] = self.start.is_won
        exploration_loop.fill_slots(space, 0, 1)

    def resume(self, steps: int) -> int:
        """Expand some states."""
        return exploration_loop.resume(self.config, self.space, steps)

    def grow(self, status: int) -> StopReason | None:
        """Make room for states, their slots, or edges."""
        if status == exploration_loop.SLOTS_FULL:
            return self._grow_slots()
        if status == exploration_loop.EDGES_FULL:
            names = ["targets", "labels"]
        else:
            names = ["keys", "offsets"] if self.keeps_edges else ["keys"]
        arrays = [getattr(self.space, name) for name in names]
        old = len(arrays[0])
        more = max(BATCH, old if old < _SMALL else old // 8)
        # While an array is copied, the old one is there, too; so they are copied one at a time.
        copied = max(array.nbytes for array in arrays) if old < _SMALL else 0
        hit = self.watch.limit_hit(self.nbytes + copied + sum(more * array.strides[0] for array in arrays))
        if hit is None:
            del arrays
            for name in names:
                self.space = self.space._replace(**{name: _with_room(getattr(self.space, name), more)})
        return hit

    def _grow_slots(self) -> StopReason | None:
        slots = len(self.space.slots)
        hit = StopReason.MEMORY if slots >= _MOST_SLOTS else self.watch.limit_hit(self.nbytes + self.space.slots.nbytes)
        if hit is not None:
            return hit
        # The old table is given back before there is a new one.
        self.space = self.space._replace(slots=np.zeros(0, np.uint32))
        self.space = self.space._replace(slots=np.zeros(2 * slots, np.uint32))
        fill_slots = functools.partial(exploration_loop.fill_slots, self.space)
        return enter(fill_slots, 0, int(self.space.counters[exploration_loop.STATES]), self.watch)

    def counts(self) -> Stats:
        """The counts so far."""
        states, edges, expanded, won, blocked = self.space.counters[: exploration_loop.MOST_STATES].tolist()
        return self.watch.counts(states, edges + 1 - states, expanded, won, blocked)

    def found(self, reason: StopReason) -> Exploration:
        """What was found so far."""
        space, stats = self.space, self.counts()
        moves = int(space.offsets[stats.expanded]) if self.keeps_edges else 0
        return Exploration(
            self.start.rules,
            reason,
            stats,
            self.nbytes,
            space.keys[: stats.states],
            space.offsets[: stats.expanded + 1 if self.keeps_edges else 0],
            space.targets[:moves],
            space.labels[:moves],
            self.config,
        )


def _with_room(array: NDArray[Any], more: int) -> NDArray[Any]:
    """An array with room for more: a small one is copied, a large one grows in place where the system can do that.

    NumPy asks for huge pages when it makes an array of some size, not when one grows into it.
    """
    if len(array) < _SMALL:
        return longer(array, more)
    array.resize((len(array) + more, *array.shape[1:]), refcheck=False)
    return array
