"""The closed set that proves a deal unwinnable, gathered by compiled code: see kernel/exact/closure_loop.py."""

import functools
import sys
from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.config import Config, config_of
from amazons_solver.kernel.exact import closure_loop, exploration_loop
from amazons_solver.kernel.exact.closure_loop import Boundaries
from amazons_solver.kernel.exact.exploration_loop import BATCH, Space
from amazons_solver.kernel.exact.words import CARDS_A_WORD, TOPS, counter_of, radix_of, words_of
from amazons_solver.kernel.fits import MOST_CARDS
from amazons_solver.kernel.slices import enter, run_in_slices
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, UNIT, longer
from amazons_solver.model.rules import Rules
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
    run = _Run(start, config_of(start.rules), Watch(limits, progress), *_room(max(capacity, 2 * BATCH)))
    reason = run_in_slices(run, least=10)
    texts: list[str] = []
    if reason is StopReason.GOAL:
        last = int(run.boundaries.counters[closure_loop.BEGUN]) - 1
        texts = run.texts(last, last + 1)
    elif reason is StopReason.EXHAUSTED:
        stored = int(run.boundaries.counters[closure_loop.STORED])
        for first in range(0, stored, _TEXTS_A_SLICE):
            if run.watch.limit_hit() is not None:
                return ClosedSet(StopReason.SECONDS, run.counts())
            texts += run.texts(first, min(stored, first + _TEXTS_A_SLICE))
    return ClosedSet(reason, run.counts(), tuple(sorted(texts)))


def _room(capacity: int) -> tuple[Boundaries, Space]:
    """Empty storage for so many boundaries, and for the states of a pass."""
    keys, slots = np.zeros((capacity, 3), np.int64), np.zeros(_slots_for(capacity), np.uint32)
    walk = Space(
        keys=np.zeros((2 * BATCH, 3), np.int64),
        slots=np.zeros(_slots_for(2 * BATCH), np.uint32),
        offsets=np.zeros(0, np.int64),
        targets=np.zeros(0, np.uint32),
        labels=np.zeros(0, np.uint8),
        counters=np.zeros(8, np.int64),
        batch=np.zeros((BATCH, 6), np.int64),
    )
    return Boundaries(keys, slots, np.zeros(4, np.int64)), walk


def _slots_for(capacity: int) -> int:
    return 1 << (2 * capacity - 1).bit_length()


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
        return bytes_of(self.boundaries, self.walk) + len(self.boundaries.keys) * self.bytes_a_text

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
        return enter(functools.partial(closure_loop.fill_slots, keys, slots), first, end, self.watch)

    def counts(self) -> Stats:
        """The counts so far: states are stored boundaries, and expanded are the passes begun."""
        counters = self.boundaries.counters[[closure_loop.STORED, closure_loop.DUPLICATES, closure_loop.BEGUN]]
        stored, duplicates, begun = counters.tolist()
        return self.watch.counts(stored, duplicates, begun, unit=UNIT)

    def texts(self, first: int, end: int) -> list[str]:
        """The boundaries from `first` to before `end` in notation."""
        return _texts(self.start.rules, self.config, self.boundaries.keys[first:end])


def _texts(rules: Rules, config: Config, keys: NDArray[np.int64]) -> list[str]:
    """Boundaries in notation, as `State.text` has them."""
    tokens = ["-", *map(str, rules.deck)]
    places = np.arange(MOST_CARDS)
    talons = ((keys[:, places // CARDS_A_WORD] >> (5 * (places % CARDS_A_WORD))) & 31).tolist()
    foundations = ((keys[:, [2]] >> (TOPS + 5 * np.arange(config.depots))) & 31).tolist()
    depots = " ; ".join("-" * config.depots)
    texts = []
    for talon, tops in zip(talons, foundations, strict=True):
        cards = " ".join([tokens[card] for card in talon if card]) or "-"
        texts.append(f"{cards} | {depots} | {' ; '.join([tokens[top] for top in tops])}")
    if not rules.tables.counts:
        return texts
    return [f"{text} | {_counters(rules, config, words)}" for text, words in zip(texts, keys, strict=True)]


def _counters(rules: Rules, config: Config, words: NDArray[np.int64]) -> str:
    redeals, rest = divmod(int(counter_of(*words)), int(radix_of(config)))
    parts = [f"redeals={redeals}"] if rules.tables.counts_redeals else []
    parts += [f"idle={rest >> 1} played=0"] if rules.tables.counts_idle else []
    return " ".join(parts)


def bytes_of(boundaries: Boundaries, walk: Space) -> int:
    """The bytes of the arrays."""
    return sum(array.nbytes for array in (*boundaries, *walk))
