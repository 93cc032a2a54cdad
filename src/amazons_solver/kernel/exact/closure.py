"""The closed set that proves a deal unwinnable, gathered by compiled code: see kernel/exact/closure_loop.py."""

import functools
import sys
from collections.abc import Callable

import attrs
import numpy as np

from amazons_solver.kernel.config import Config, config_of
from amazons_solver.kernel.exact import closure_loop, exploration_loop
from amazons_solver.kernel.exact.closure_loop import Boundaries
from amazons_solver.kernel.exact.exploration_loop import BATCH, Space, new_space
from amazons_solver.kernel.exact.notation import Notation
from amazons_solver.kernel.exact.words import words_of
from amazons_solver.kernel.slices import enter, run_in_slices
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, UNIT, bytes_of, fill_slots, longer
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, Stats, StopReason
from amazons_solver.search.watch import Watch

__all__ = ["ClosedSet", "closed_set"]

_TEXTS_A_SLICE = 1 << 12


@attrs.frozen
class ClosedSet:
    """What was gathered."""

    stop_reason: StopReason
    """EXHAUSTED; GOAL if a won state was met, so that there is no such set; or the limit that was hit."""
    stats: Stats
    """`Stats.states` counts boundaries, each phase of an orbit as one."""
    states: tuple[str, ...] = ()
    """The boundaries in notation, sorted; the one in whose pass a won state was met; none if a limit was hit."""


def closed_set(
    start: State,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    *,
    capacity: int = FIRST_CAPACITY,
) -> ClosedSet:
    """Gather the canonical forms of a state in which a pass begins, and of all such states that can be reached from it.

    Those that `model.lemmas.is_lost` are left out, and nothing is followed from them.

    Args:
        start: the first of them, under rules that `fits.explores`.
        limits: when to give up. The limit on memory bounds the arrays, which are all that grows, and the texts.
        progress: called with the counts so far a few times a second.
        capacity: room for boundaries at first.
    """
    capacity = max(capacity, 2 * BATCH)
    keys, slots = np.zeros((capacity, 3), np.int64), np.zeros(1 << (2 * capacity - 1).bit_length(), np.uint32)
    boundaries, walk = Boundaries(keys, slots, np.zeros(4, np.int64)), new_space(2 * BATCH, edges=False)
    run = _Run(start, config_of(start.rules), Watch(limits, progress), boundaries, walk)
    reason = run_in_slices(run, least=10)
    if reason.is_limit:
        return ClosedSet(reason, run.counts())
    begun = int(run.boundaries.counters[closure_loop.BEGUN])
    numbers = np.arange(begun - 1 if reason is StopReason.GOAL else 0, begun)
    notation = Notation(start.rules, run.boundaries.keys, run.config)
    texts: list[str] = []
    for first in range(0, len(numbers), _TEXTS_A_SLICE):
        if run.watch.limit_hit() is not None:
            return ClosedSet(StopReason.SECONDS, run.counts())
        texts += notation.texts(numbers[first : first + _TEXTS_A_SLICE])
    return ClosedSet(reason, run.counts(), tuple(sorted(texts)))


@attrs.define
class _Run:
    """One closed set in the making with its storage, which grows."""

    start: State
    config: Config
    watch: Watch
    boundaries: Boundaries
    walk: Space
    bytes_a_text: int = attrs.field()

    @bytes_a_text.default
    def _bytes_of_the_longest_text(self) -> int:
        """The text of the first boundary, which has the most cards, and its places in two lists and a tuple."""
        return sys.getsizeof(self.start.text()) + 3 * 8

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays, and of the texts that the boundaries may come to."""
        return bytes_of((*self.boundaries, *self.walk)) + len(self.boundaries.keys) * self.bytes_a_text

    def begin(self) -> None:
        """Store the first boundary."""
        self.boundaries.counters[closure_loop.MOST_STORED] = self.watch.limits.states or NO_LIMIT
        closure_loop.begin(self.config, self.boundaries, *words_of(self.config, self.start))

    def resume(self, steps: int) -> int:
        """Walk some passes."""
        return closure_loop.resume(self.config, self.boundaries, self.walk, steps)

    def grow(self, status: int) -> StopReason | None:
        """Double the room for boundaries, or for states of a pass."""
        of_boundaries = status == closure_loop.BOUNDARIES_FULL
        store = self.boundaries if of_boundaries else self.walk
        more = 2 * store.keys.nbytes + store.slots.nbytes  # while the keys are copied, the old ones are there, too
        more += len(store.keys) * self.bytes_a_text if of_boundaries else 0
        hit = self.watch.limit_hit(self.nbytes + more)
        if hit is not None:
            return hit
        keys, slots = longer(store.keys, len(store.keys)), np.zeros(2 * len(store.slots), np.uint32)
        if of_boundaries:
            self.boundaries = self.boundaries._replace(keys=keys, slots=slots)
            first, end = 0, int(self.boundaries.counters[closure_loop.STORED])
        else:
            self.walk = self.walk._replace(keys=keys, slots=slots)
            first, end = 1, int(self.walk.counters[exploration_loop.STATES])
        return enter(functools.partial(fill_slots, keys, slots), first, end, self.watch)

    def counts(self) -> Stats:
        """The counts so far: states are stored boundaries, and expanded are the passes begun."""
        counters = self.boundaries.counters[[closure_loop.STORED, closure_loop.DUPLICATES, closure_loop.BEGUN]]
        stored, duplicates, begun = counters.tolist()
        return self.watch.counts(stored, duplicates, begun, unit=UNIT)
