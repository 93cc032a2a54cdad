"""Between the model and the compiled search: states in, verdicts and lines out."""

import functools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from amazons_solver.kernel import fits
from amazons_solver.kernel.boundaries import fewest_loop, search_loop, stack, table_store
from amazons_solver.kernel.boundaries.keys import Layers, Scratch, Search, new_layers, new_scratch, new_search
from amazons_solver.kernel.boundaries.lines import stations_in_layers, stations_of, winning_line
from amazons_solver.kernel.boundaries.orbits import Orbits, orbits
from amazons_solver.kernel.boundaries.passes import set_top
from amazons_solver.kernel.config import Config, config_of, numbers_of
from amazons_solver.kernel.slices import LIMIT_HIT, enter, run_in_slices
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, UNIT, bytes_of, fill_slots, longer
from amazons_solver.model.moves import Move
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason
from amazons_solver.search.watch import Watch

TABLE_CARDS = 8
"""The most cards left in the endgame tables that are used when nothing else is said."""

TABLE_AFTER = 20_000
"""How many boundaries a search of one state stores before it uses a table: most end before, and a table takes seconds
the first time. It is the same even if the file exists already, so that the counts do not depend on that."""

_TABLE_DUE = search_loop.STACK_FULL + 1
"""What a slice returns, besides, when enough boundaries are stored to use a table."""


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
        capacity: room for boundaries at first.
    """
    if state.is_won:
        return _WON
    run = _Run.of(state, limits, progress, search_loop, new_search(capacity), lemmas, tables, tables_in)
    reason = run_in_slices(run, least=100)
    line = None
    if reason is StopReason.GOAL:
        line = tuple(winning_line(state, numbers_of(state.rules), stations_of(run.config, run.orbits, run.search)))
    return SearchResult(reason, line, run.counts(goals=int(line is not None)))


def search_fewest(
    state: State,
    below: int,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    *,
    lemmas: bool = True,
    tables: int = TABLE_CARDS,
    tables_in: Path | None = None,
    capacity: int = FIRST_CAPACITY,
) -> tuple[SearchResult[Move], int]:
    """Look for a winning line of fewer than `below` redeals, and for one of fewest.

    Args:
        state: where the game stands, under rules that `fits.decides`.
        below: the redeals that the line must stay below, 1 at least.
        limits: when to give up; the others are those of `search_state`, too.
        progress: called with the counts so far a few times a second.
        lemmas: whether boundaries that a lemma proves lost are dropped.
        tables: the most cards left in the endgame table.
        tables_in: the directory of the table files.
        capacity: room for boundaries at first.

    Returns:
        what was found, EXHAUSTED if there is no such line; and the redeals that every winning line has at least,
        `below` at most.
    """
    if state.is_won:
        return _WON, 0
    run = _Run.of(state, limits, progress, fewest_loop, new_layers(capacity), lemmas, tables, tables_in)
    most = below - 1
    if state.rules.max_redeals is not None:
        most = min(most, state.rules.max_redeals - state.redeals)
    run.search.counters[fewest_loop.MOST_REDEALS] = most
    reason = run_in_slices(run, least=100)
    layer, line = int(run.search.counters[fewest_loop.LAYER]), None
    if reason is StopReason.GOAL:
        line = tuple(winning_line(state, numbers_of(state.rules), stations_in_layers(run.config, run.search)))
    result = SearchResult(reason, line, run.counts(goals=int(line is not None)))
    return result, below if reason is StopReason.EXHAUSTED else layer


_WON = SearchResult[Move](StopReason.GOAL, (), Stats(1, 1, 0, 0, 1, 0, None, 0.0, UNIT))
"""The answer for a state that is won."""


def _began_inside(state: State) -> bool:
    """Whether a state is none in which a pass begins, or may be none."""
    return any(state.depot_codes) or state.played


@attrs.define
class _Run:
    """One search with its storage, which grows."""

    state: State
    config: Config
    loop: ModuleType
    """The compiled loop: `search_loop` or `fewest_loop`."""
    search: Any
    """What the loop keeps: `Search` or `Layers`."""
    watch: Watch
    tables: int
    """The size of the table that is still to be taken."""
    tables_in: Path | None
    scratch: Scratch = attrs.field(factory=new_scratch)
    orbits: Orbits = attrs.field(factory=orbits)

    @classmethod
    def of(
        cls,
        state: State,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
        loop: ModuleType,
        search: Search | Layers,
        lemmas: bool,
        tables: int,
        tables_in: Path | None,
    ) -> "_Run":
        """A search of a state."""
        config = config_of(state.rules, lemmas=lemmas)
        tables = tables if table_store.applies(config) else 0
        return cls(state, config, loop, search, Watch(limits, progress), tables, tables_in)

    def begin(self) -> None:
        """Store the first boundary."""
        state, most = self.state, self.most_stored
        table = numbers_of(state.rules)
        talon, piles = (
            state.talon_codes.translate(table),
            [pile.translate(table) for pile in state.depot_codes],
        )
        for foundation, top in enumerate(state.foundation_codes.translate(table)):
            set_top(self.config, self.scratch, foundation, top)
        cards = b"".join(piles) + talon
        self.scratch.next[: len(cards)] = list(cards)
        self.search.counters[stack.MOST_STORED] = min(most, TABLE_AFTER) if self.tables > 0 else most
        self.search.counters[stack.INITIAL_PLAYED] = state.played
        if not _began_inside(state):
            self.loop.begin(self.config, self.orbits, self.search, self.scratch, len(cards), state.redeals, state.idle)
            return
        # The middle of a pass: a boundary of the same cards that no redeal leads to, with the depots' cards dealt.
        dealt = 0
        for depot, pile in enumerate(piles):
            self.scratch.piles[depot] = ((1 << len(pile)) - 1) << dealt
            dealt += len(pile)
        self.loop.begin_inside(self.config, self.search, self.scratch, len(cards), dealt, state.redeals, state.idle)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays, and of the table."""
        return bytes_of(self.search) + self.config.table.nbytes

    @property
    def most_stored(self) -> int:
        """How many boundaries may be stored."""
        return self.watch.limits.states or NO_LIMIT

    def resume(self, steps: int) -> int:
        """Take some entries from the stack."""
        status: int = self.loop.resume(self.config, self.orbits, self.search, self.scratch, steps)
        is_due = status == LIMIT_HIT and self.search.counters[stack.MOST_STORED] < self.most_stored
        return _TABLE_DUE if is_due else status

    def grow(self, status: int) -> StopReason | None:
        """Double the room for boundaries, or for the stack; or take the table."""
        if status == _TABLE_DUE:
            self._take_table()
            return None
        of_states = status == search_loop.STATES_FULL
        fixed = {"stack", "counters"}
        names = [name for name in self.search._fields if name not in fixed] if of_states else ["stack"]
        sizes = [getattr(self.search, name).nbytes for name in names]
        # While an array is copied, the old one is there, too; so they are copied one at a time.
        hit = self.watch.limit_hit(self.nbytes + sum(sizes) + max(sizes))
        if hit is not None:
            return hit
        for name in names:
            array = getattr(self.search, name)
            self.search = self.search._replace(**{name: longer(array, len(array))})
        if not of_states:
            return None
        self.search.slots[:] = 0
        first, end = self.search.counters[[stack.UNLISTED, stack.STORED]].tolist()
        return enter(functools.partial(fill_slots, self.search.keys, self.search.slots), first, end, self.watch)

    def _take_table(self) -> None:
        """Continue with the endgame table, if there is room for it (three times that while it is made or read)."""
        self.search.counters[stack.MOST_STORED] = self.most_stored
        if fits.waits_for_compiling(self.watch.limits, "boundaries.table_building.solve_orders"):
            return
        if self.watch.limit_hit(self.nbytes + 3 * table_store.plan_of(self.config, self.tables).bytes) is None:
            config = table_store.with_table(self.config, self.tables, self.tables_in, self._keep_on)
            self.config = config or self.config  # without it time is over

    def _keep_on(self) -> bool:
        self.watch.report(self.counts)
        return self.watch.limit_hit() is None

    def counts(self, goals: int = 0) -> Stats:
        """The counts so far: states are stored boundaries, and expanded are the passes taken up."""
        stored, duplicates, steps = self.search.counters[[stack.STORED, stack.DUPLICATES, stack.STEPS]].tolist()
        return self.watch.counts(stored, duplicates, steps, goals, unit=UNIT)
