"""The fewest redeals that win: a search in the order of redeals, by the model or the kernel."""

from collections.abc import Callable
from typing import get_args

import attrs

from amazons_solver.errors import OptionError
from amazons_solver.kernel import fits
from amazons_solver.model.arguments import checked
from amazons_solver.model.moves import REDEAL, Move
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats, StopReason
from amazons_solver.search.watch import EXPANSIONS_BETWEEN_CHECKS, Watch
from amazons_solver.solving.engines import MODEL_STATES, Engine, kernel_search, summed, without_compiling
from amazons_solver.solving.game import Game

__all__ = ["FewestRedeals", "fewest_redeals"]

_SEARCH = "boundaries.fewest_loop.resume"

# What a stored state takes beside its key: its place in the dictionary, the parent and the move.
_BYTES_STORED = 200
# Bytes of a state that waits, besides itself and its key.
_BYTES_WAITING = 150


@attrs.frozen
class FewestRedeals:
    """What a search in the order of redeals has found."""

    at_least: int
    """No winning line has fewer redeals."""
    line: tuple[Move, ...] | None
    """A winning line with just so many; ``None`` if none was found."""
    stats: Stats = attrs.field(eq=False)
    """Counts; `Stats.unit` says what the engine stores and counts as a state."""
    stop_reason: StopReason
    """GOAL with a line, EXHAUSTED if there is none with fewer redeals than was asked for, or the limit that was hit."""


@checked
def fewest_redeals(
    state: State,
    below: int,
    *,
    engine: Engine = "auto",
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> FewestRedeals:
    """Look for a winning line with fewer than `below` redeals, and for the one with fewest of them.

    Without a line, `at_least` is `below` if everything nearer was seen, and less if a limit was hit.

    Args:
        state: where the game stands.
        below: the redeals that the line must stay below.
        engine: as for `solve`.
        limits: when to give up; the default limits when absent.
        progress: called with the counts so far a few times a second.

    Raises:
        OptionError: the kernel cannot answer as asked.

    >>> from amazons_solver import Rules
    >>> state = State.parse("7C AC | - | -", Rules(suits="C", ranks="A7", withhold="nothing"))
    >>> [str(move) for move in fewest_redeals(state, 5).line]
    ['d', 'd', 'AC>1', '7C>1']
    """
    limits = limits or Limits()
    if engine not in get_args(Engine):
        raise OptionError(f"expected engine to be one of {', '.join(get_args(Engine))}; got {engine!r}")
    if engine == "kernel":
        if not fits.decides(state.rules):
            raise OptionError(fits.refusal(state.rules))
        return _by_kernel(state, below, limits, progress)
    if engine == "model" or (limits.states is not None and limits.states <= MODEL_STATES):
        return _by_model(state, below, limits, progress)
    watch = Watch(limits)
    first = _by_model(state, below, attrs.evolve(limits, states=MODEL_STATES), progress)
    if first.stop_reason is not StopReason.STATES:
        return first
    try:
        by = _by_model if kernel_search(state.rules, watch.left, _SEARCH) is None else _by_kernel
    except KeyboardInterrupt:
        return attrs.evolve(first, stop_reason=StopReason.INTERRUPTED)
    before = attrs.evolve(first.stats, seconds=watch.seconds)
    onward = None if progress is None else lambda counts: progress(summed(before, counts))
    found = by(state, below, watch.left, onward)
    stats = attrs.evolve(found.stats, seconds=found.stats.seconds + before.seconds)
    return attrs.evolve(found, stats=stats, at_least=max(found.at_least, first.at_least))


def _by_kernel(state: State, below: int, limits: Limits, progress: Callable[[Progress], None] | None) -> FewestRedeals:
    from amazons_solver.kernel.boundaries.search import search_fewest  # noqa: PLC0415 (numba takes half a second)

    if below == 0:
        return _by_model(state, below, limits, progress)
    without = without_compiling()
    onward = None if progress is None else lambda counts: progress(without(counts))
    result, at_least = search_fewest(state, below, limits, onward)
    return FewestRedeals(at_least, result.line, without(result.stats), result.stop_reason)


def _by_model(state: State, below: int, limits: Limits, progress: Callable[[Progress], None] | None) -> FewestRedeals:
    search = _Search(Game(state), Watch(limits, progress))
    if state.is_won:
        return FewestRedeals(0, (), search.counts(), StopReason.GOAL)
    redeals = 0
    try:
        while redeals < below and search.layer:
            won = search.one_layer()
            if won is not None:
                return FewestRedeals(redeals, tuple(won), search.counts(), StopReason.GOAL)
            if search.hit is not None:
                return FewestRedeals(redeals, None, search.counts(), search.hit)
            redeals += 1
    except KeyboardInterrupt:
        return FewestRedeals(redeals, None, search.counts(), StopReason.INTERRUPTED)
    return FewestRedeals(below, None, search.counts(), StopReason.EXHAUSTED)


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
    hit: StopReason | None = None
    """The limit that was hit."""

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
            if len(came) % EXPANSIONS_BETWEEN_CHECKS == 0:
                self.hit = self._limit_hit(len(layer) + len(later))
                if self.hit is not None:
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

    def _limit_hit(self, waiting: int) -> StopReason | None:
        """The limit that is hit; reports on the way."""
        limits, states, key_size = self.watch.limits, len(self.came), len(self.game.start.key())
        used = states * (key_size + _BYTES_STORED)
        used += waiting * (key_size + self.game.size_of(self.game.start) + _BYTES_WAITING)
        self.watch.report(self.counts)
        if limits.states is not None and states >= limits.states:
            return StopReason.STATES
        return self.watch.limit_hit(used)

    def counts(self) -> Stats:
        """The counts so far."""
        states = len(self.came)
        return self.watch.counts(states, self.generated - states, states)
