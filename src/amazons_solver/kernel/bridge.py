"""Between the model and the compiled search: states in, verdicts and lines out."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel import arrival, decide, fits, stack, table_store
from amazons_solver.kernel.layout import (
    UNLIMITED,
    Config,
    Scratch,
    Search,
    new_scratch,
    new_search,
)
from amazons_solver.kernel.lines import winning_line
from amazons_solver.kernel.orbits import Orbits, orbits
from amazons_solver.kernel.passes import set_top
from amazons_solver.model.moves import Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason

UNIT = "boundary states"
"""What the kernel's counts of states count: tables between a redeal and the next deal, those of one orbit joined."""

TABLE_CARDS = 8
"""The most cards left in the endgame tables that are used when nothing else is said."""

TABLE_AFTER = 20_000
"""The stored boundaries after which a search of one state takes a table: most end before, and a table takes seconds the
first time. It is the same whether the table is in a file already, so that the counts do not depend on that."""

FIRST_CAPACITY = 1 << 12
_SLICE_SECONDS = 0.02
NO_LIMIT = (1 << 62) - 1


def config_of(rules: Rules, *, lemmas: bool = True) -> Config:
    """The rules as the compiled code reads them."""
    ranks = len(rules.ranks)
    return Config(
        depots=len(rules.suits),
        ranks=ranks,
        placement=("leftmost", "any", "above", "suit").index(rules.base_placement),
        by_rank=rules.build == "rank",
        top_anywhere=rules.top_anywhere and ranks > 1,  # with a single rank the base rule applies
        gather=("left-over-right", "right-over-left").index(rules.gather),
        skip_complete=rules.skip_complete,
        withhold=("nothing", "bases", "any").index(rules.withhold),
        max_redeals=UNLIMITED if rules.max_redeals is None else rules.max_redeals,
        idle_passes=UNLIMITED if rules.idle_passes is None else rules.idle_passes,
        lemmas=lemmas,
        rank=np.array([0, *(i % ranks for i in range(31))], np.uint8),
        places=_places_of(rules),
        table=np.zeros(1, np.int64),
        table_cards=-1,
    )


def _places_of(rules: Rules) -> NDArray[np.uint8]:
    """By card number, the foundation of the card's suit; all 0 where no foundation belongs to one."""
    places = np.zeros(32, np.uint8)
    if rules.base_placement == "suit":
        places[1 : len(rules.deck) + 1] = [rules.tables.places[card.code] for card in rules.deck]
    return places


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
    tables: int = TABLE_CARDS,
    tables_in: Path | None = None,
    capacity: int = FIRST_CAPACITY,
) -> SearchResult[Move]:
    """Decide a state, as `search.explore` does; the line is one of moves of the real cards.

    Args:
        state: where the game stands, under rules that `fits.decides`.
        limits: when to give up. The limit on memory bounds the arrays of the search, which are all that grows, and the
            endgame table.
        progress: called with the counts so far a few times a second.
        lemmas: whether boundaries that a lemma proves lost are dropped; the verdict does not depend on it.
        tables: the most cards left in the endgame table, 10 at most; 0 for none. The verdict does not depend on it.
        tables_in: the directory of the table files; the user's cache directory when absent.
        capacity: room for boundaries at first; nothing but time depends on it, and where a limit on memory is met.
    """
    if state.is_won:
        return SearchResult(StopReason.GOAL, (), Stats(1, 1, 0, 0, 1, 0, None, 0.0, UNIT))
    config = config_of(state.rules, lemmas=lemmas)
    if not table_store.applies(config):
        tables = 0
    run = _Run(config, new_search(capacity), limits, progress, tables, tables_in)
    try:
        run.begin(state)
        reason = run.to_the_end()
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPTED
    line = None
    if reason is StopReason.GOAL:
        line = tuple(winning_line(run.config, run.orbits, run.search, state, numbers_of(state.rules)))
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
    tables: int
    """The size of the table that is still to be taken."""
    tables_in: Path | None
    scratch: Scratch = attrs.field(factory=new_scratch)
    orbits: Orbits = attrs.field(factory=orbits)
    started: float = attrs.field(factory=time.monotonic)
    next_report: float = attrs.field(factory=lambda: time.monotonic() + 0.2)

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
        most = self.limits.states or NO_LIMIT
        self.search.counters[stack.MOST_STORED] = min(most, TABLE_AFTER) if self.tables > 0 else most
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
        steps = 1_000
        while True:
            before = time.monotonic()
            if self._is_late():
                return StopReason.SECONDS
            if not self._has_room(0):
                return StopReason.MEMORY
            status = decide.go_on(self.config, self.orbits, self.search, self.scratch, steps)
            now = time.monotonic()
            if status == decide.EXHAUSTED:
                return StopReason.EXHAUSTED
            if status == decide.WON:
                return StopReason.GOAL
            if status == decide.LIMIT_HIT:
                if self.search.counters[stack.MOST_STORED] == (self.limits.states or NO_LIMIT):
                    return StopReason.STATES
                self._take_table()
            if status in (decide.STATES_FULL, decide.STACK_FULL) and not self._grow(status == decide.STATES_FULL):
                return StopReason.MEMORY
            if status == decide.PAUSED:
                # Slices of about the same time, so that limits and Ctrl-C are seen soon.
                steps = max(100, min(4 * steps, int(steps * _SLICE_SECONDS / max(now - before, 1e-6))))
            self._report()

    def _is_late(self) -> bool:
        return self.limits.seconds is not None and time.monotonic() - self.started >= self.limits.seconds

    def _has_room(self, more: int) -> bool:
        """Whether there may be so many bytes more."""
        most = self.limits.memory_bytes
        return most is None or bytes_of(self.search) + self.config.table.nbytes + more <= most

    def _report(self) -> None:
        if self.progress is not None and time.monotonic() >= self.next_report:
            self.next_report = time.monotonic() + 0.2
            self.progress(self.counts())

    def _take_table(self) -> None:
        """Go on with the endgame table, if there is room for it, and three times as much while it is made or read."""
        self.search.counters[stack.MOST_STORED] = self.limits.states or NO_LIMIT
        if fits.waits_for_compiling(self.limits, "table_building.solve_orders"):
            return
        if self._has_room(3 * table_store.plan_of(self.config, self.tables).bytes):
            config = table_store.with_table(self.config, self.tables, self.tables_in, self._keep_on)
            self.config = config or self.config  # without it time is over

    def _keep_on(self) -> bool:
        self._report()
        return not self._is_late()

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
        names = ("keys", "parents", "phases", "arrivals", "covers", "slots") if states else ("stack",)
        sizes = [getattr(self.search, name).nbytes for name in names]
        # While an array is copied, the old one is there, too; so they are copied one at a time.
        if not self._has_room(sum(sizes) + max(sizes)):
            return False
        for name in names:
            self.search = self.search._replace(**{name: twice_as_long(getattr(self.search, name))})
        if states:
            self.search.slots[:] = -1
            decide.fill_slots(self.search)
        return True


def bytes_of(search: Search) -> int:
    """The bytes of a search's arrays, which are all that grows: what the limit on memory counts."""
    return sum(array.nbytes for array in search)


def twice_as_long(array: NDArray[Any]) -> NDArray[Any]:
    """A copy with room for as much again."""
    longer = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
