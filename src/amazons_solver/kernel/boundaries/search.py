"""Between the model and the compiled search: states in, verdicts and lines out."""

import time
from collections.abc import Callable
from pathlib import Path

import attrs

from amazons_solver.kernel import fits
from amazons_solver.kernel.boundaries import arrival, search_loop, stack, table_store
from amazons_solver.kernel.boundaries.keys import Scratch, Search, new_scratch, new_search
from amazons_solver.kernel.boundaries.lines import winning_line
from amazons_solver.kernel.boundaries.orbits import Orbits, orbits
from amazons_solver.kernel.boundaries.passes import set_top
from amazons_solver.kernel.config import Config, config_of, numbers_of
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, UNIT, twice_as_long
from amazons_solver.model.moves import Move
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason

TABLE_CARDS = 8
"""The most cards left in the endgame tables that are used when nothing else is said."""

TABLE_AFTER = 20_000
"""The stored boundaries after which a search of one state takes a table: most end before, and a table takes seconds the
first time. It is the same whether the table is in a file already, so that the counts do not depend on that."""

_SLICE_SECONDS = 0.02


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
        search_loop.begin_inside(self.config, self.search, self.scratch, len(cards), dealt, state.redeals, state.idle)

    def to_the_end(self) -> StopReason:
        """Search, making room when it is needed, until there is an answer or a limit is hit."""
        steps = 1_000
        while True:
            before = time.monotonic()
            if self._is_late():
                return StopReason.SECONDS
            if not self._has_room(0):
                return StopReason.MEMORY
            status = search_loop.resume(self.config, self.orbits, self.search, self.scratch, steps)
            now = time.monotonic()
            if status == search_loop.EXHAUSTED:
                return StopReason.EXHAUSTED
            if status == search_loop.WON:
                return StopReason.GOAL
            if status == search_loop.LIMIT_HIT:
                if self.search.counters[stack.MOST_STORED] == (self.limits.states or NO_LIMIT):
                    return StopReason.STATES
                self._take_table()
            if status in (search_loop.STATES_FULL, search_loop.STACK_FULL) and not self._grow(
                status == search_loop.STATES_FULL
            ):
                return StopReason.MEMORY
            if status == search_loop.PAUSED:
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
        if fits.waits_for_compiling(self.limits, "boundaries.table_building.solve_orders"):
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
            search_loop.fill_slots(self.search)
        return True


def bytes_of(search: Search) -> int:
    """The bytes of a search's arrays, which are all that grows: what the limit on memory counts."""
    return sum(array.nbytes for array in search)
