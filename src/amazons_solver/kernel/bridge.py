"""Between the model and the compiled search: states in, verdicts and lines out."""

import time
from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel import arrival, decide, stack
from amazons_solver.kernel.layout import (
    MOST_IDLE,
    MOST_REDEALS,
    UNLIMITED,
    Config,
    Scratch,
    Search,
    new_scratch,
    new_search,
)
from amazons_solver.kernel.lines import winning_line
from amazons_solver.kernel.orbits import MOST_CARDS, Orbits, orbits
from amazons_solver.kernel.passes import set_top
from amazons_solver.model.moves import Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason

UNIT = "boundary states"
"""What the kernel's counts of states count: tables between a redeal and the next deal, those of one orbit joined."""

FIRST_CAPACITY = 1 << 12
_SLICE_SECONDS = 0.02
NO_LIMIT = (1 << 62) - 1


def supports(rules: Rules) -> bool:
    """Whether the kernel can decide deals of these rules: 28 cards at most, and limits that a key has room for."""
    return (
        len(rules.deck) <= MOST_CARDS
        and (rules.max_redeals or 0) <= MOST_REDEALS
        and (rules.idle_passes or 0) <= MOST_IDLE
    )


def config_of(rules: Rules, *, lemmas: bool = True) -> Config:
    """The rules as the compiled code reads them."""
    ranks = len(rules.ranks)
    return Config(
        depots=len(rules.suits),
        ranks=ranks,
        placement=("leftmost", "any", "above").index(rules.base_placement),
        by_rank=rules.build == "rank",
        top_anywhere=rules.top_anywhere and ranks > 1,  # with a single rank the base rule applies
        gather=("left-over-right", "right-over-left").index(rules.gather),
        skip_complete=rules.skip_complete,
        withhold=("nothing", "bases", "any").index(rules.withhold),
        max_redeals=UNLIMITED if rules.max_redeals is None else rules.max_redeals,
        idle_passes=UNLIMITED if rules.idle_passes is None else rules.idle_passes,
        lemmas=lemmas,
        rank=np.array([0, *(i % ranks for i in range(31))], np.int64),
    )


def numbers_of(rules: Rules) -> bytes:
    """A translation table from the model's card codes to the kernel's card numbers."""
    table = bytearray(256)
    for i, card in enumerate(rules.deck):
        table[card.code] = 1 + (i % len(rules.ranks) if rules.build == "rank" else i)
    return bytes(table)


def search_state(
    state: State,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    *,
    lemmas: bool = True,
    capacity: int = FIRST_CAPACITY,
) -> SearchResult[Move]:
    """Decide a state, as `search.explore` does; the line is one of moves of the real cards.

    Args:
        state: where the game stands, under rules that the kernel supports.
        limits: when to give up. The limit on memory bounds the arrays of the search, which are all that grows.
        progress: called with the counts so far a few times a second.
        lemmas: whether boundaries that a lemma proves lost are dropped; the verdict does not depend on it.
        capacity: room for boundaries at first; nothing but time depends on it.
    """
    if state.is_won:
        return SearchResult(StopReason.GOAL, (), Stats(1, 1, 0, 0, 1, 0, None, 0.0, UNIT))
    run = _Run(config_of(state.rules, lemmas=lemmas), new_search(capacity), limits, progress)
    run.begin(state)
    try:
        reason = run.to_the_end()
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPTED
    line = None
    if reason is StopReason.GOAL:
        inside = _began_inside(state)
        line = tuple(winning_line(run.config, run.orbits, run.search, state, numbers_of(state.rules), inside))
    return SearchResult(reason, line, run.counts(goals=int(line is not None)))


def _began_inside(state: State) -> bool:
    """Whether a state is none in which a pass begins, or may be none."""
    return any(state.depot_codes) or state.played


@attrs.define
class _Run:
    """One search with its storage, which grows."""

    config: Config
    search: Search
    limits: Limits
    progress: Callable[[Progress], None] | None
    scratch: Scratch = attrs.field(factory=new_scratch)
    orbits: Orbits = attrs.field(factory=orbits)
    started: float = attrs.field(factory=time.monotonic)

    def begin(self, state: State) -> None:
        """Store the first boundary."""
        table = numbers_of(state.rules)
        talon, piles = (
            state.talon_codes.translate(table),
            [pile.translate(table) for pile in state.depot_codes],
        )
        for foundation, top in enumerate(state.foundation_codes.translate(table)):
            set_top(self.config, self.scratch, foundation, top)
        cards = b"".join(piles) + talon
        self.scratch.next[: len(cards)] = list(cards)
        self.search.counters[stack.MOST_STORED] = self.limits.states or NO_LIMIT
        self.search.counters[stack.INITIAL_PLAYED] = state.played
        if not _began_inside(state):
            arrival.arrive(
                self.config, self.orbits, self.search, self.scratch, len(cards), state.redeals, state.idle, -1, 0
            )
            return
        # The middle of a pass: a boundary of the same cards that no redeal leads to, with the depots' cards dealt.
        dealt = 0
        for depot, pile in enumerate(piles):
            self.scratch.piles[depot] = ((1 << len(pile)) - 1) << dealt
            dealt += len(pile)
        decide.begin_inside(self.config, self.search, self.scratch, len(cards), dealt, state.redeals, state.idle)

    def to_the_end(self) -> StopReason:
        """Search, making room when it is needed, until there is an answer or a limit is hit."""
        steps, next_report = 1_000, self.started + 0.2
        while True:
            before = time.monotonic()
            if self.limits.seconds is not None and before - self.started >= self.limits.seconds:
                return StopReason.SECONDS
            if self.limits.memory_bytes is not None and bytes_of(self.search) > self.limits.memory_bytes:
                return StopReason.MEMORY
            status = decide.go_on(self.config, self.orbits, self.search, self.scratch, steps)
            now = time.monotonic()
            if status == decide.EXHAUSTED:
                return StopReason.EXHAUSTED
            if status == decide.WON:
                return StopReason.GOAL
            if status == decide.LIMIT_HIT:
                return StopReason.STATES
            if status in (decide.STATES_FULL, decide.STACK_FULL) and not self._grow(status == decide.STATES_FULL):
                return StopReason.MEMORY
            if status == decide.PAUSED:
                # Slices of about the same time, so that limits and Ctrl-C are seen soon.
                steps = max(100, min(4 * steps, int(steps * _SLICE_SECONDS / max(now - before, 1e-6))))
            if self.progress is not None and now >= next_report:
                next_report = now + 0.2
                self.progress(self.counts())

    def counts(self, goals: int = 0) -> Stats:
        """The counts so far: states are stored boundaries, and expanded are the passes taken up."""
        counters = self.search.counters
        stored, duplicates = int(counters[stack.STORED]), int(counters[stack.DUPLICATES])
        return Stats(
            states=stored,
            generated=stored + duplicates,
            duplicates=duplicates,
            expanded=int(counters[stack.STEPS]),
            goals=goals,
            dead_ends=0,
            cycles=None,
            seconds=time.monotonic() - self.started,
            unit=UNIT,
        )

    def _grow(self, states: bool) -> bool:
        """Double the room for boundaries, or for the stack; false if that would be more memory than there may be."""
        old = self.search
        capacity, room = len(old.keys) * (2 if states else 1), len(old.stack) * (1 if states else 2)
        grown = (capacity - len(old.keys)) * (7 * 8 + 2 * 4) + (room - len(old.stack)) * 4 * 8
        # While an array is copied, the old one is there, too.
        largest = len(old.keys) * 3 * 8 if states else len(old.stack) * 4 * 8
        if self.limits.memory_bytes is not None and bytes_of(self.search) + grown + largest > self.limits.memory_bytes:
            return False
        arrays = {
            name: _longer(getattr(old, name), capacity) for name in ("keys", "parents", "phases", "arrivals", "covers")
        }
        slots = np.full(2 * capacity, -1, np.int32) if states else old.slots
        self.search = Search(**arrays, slots=slots, stack=_longer(old.stack, room), counters=old.counters)
        if states:
            decide.fill_slots(self.search)
        return True


def bytes_of(search: Search) -> int:
    """The bytes of a search's arrays, which are all that grows: what the limit on memory counts."""
    return sum(array.nbytes for array in search)


def _longer(array: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    if len(array) == length:
        return array
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
