"""Many deals in one compiled call, which needs no GIL."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import OptionError
from amazons_solver.kernel import fits
from amazons_solver.kernel.boundaries import table_store
from amazons_solver.kernel.boundaries.arrival import arrive
from amazons_solver.kernel.boundaries.keys import Scratch, Search, new_scratch, new_search, unpack
from amazons_solver.kernel.boundaries.orbits import Orbits, orbits
from amazons_solver.kernel.boundaries.passes import list_active, set_tops
from amazons_solver.kernel.boundaries.search import TABLE_CARDS
from amazons_solver.kernel.boundaries.search_loop import resume
from amazons_solver.kernel.boundaries.stack import MOST_STORED, STORED, UNLISTED, WON_BOUNDARY, WON_PHASE
from amazons_solver.kernel.compiling import compiled
from amazons_solver.kernel.config import Config, config_of, numbers_of
from amazons_solver.kernel.packing import TOPS
from amazons_solver.kernel.shuffling import deal_numbered
from amazons_solver.kernel.slices import EXHAUSTED, FULL, GOAL, PAUSED
from amazons_solver.kernel.storage import FIRST_CAPACITY, NO_LIMIT, bytes_of, clear_slots
from amazons_solver.model.arguments import checked
from amazons_solver.model.cards import pile_of
from amazons_solver.model.deals import Deal
from amazons_solver.model.names import check_numbers
from amazons_solver.model.rules import Rules
from amazons_solver.search.limits import Limits
from amazons_solver.search.watch import Watch, next_size

UNWINNABLE, WINNABLE, UNDECIDED = range(3)
"""Values of `Verdicts.verdict`."""
VERDICTS = ("unwinnable", "winnable", "undecided")
"""What they mean: `Verdict` of it is the verdict."""

_CHUNK = 1 << 16
_STEPS = 1 << 16  # of one deal, some 0.1 s
_FIRST_SLICE = 16


class StoppedError(Exception):
    """Work was ended from another thread."""


class Verdicts(NamedTuple):
    """What a batch finds, a deal an element."""

    verdict: NDArray[np.int8]
    """UNWINNABLE, WINNABLE or UNDECIDED."""
    states: NDArray[np.int64]
    """Boundary states stored."""
    redeals: NDArray[np.int32]
    """Redeals of the line found, -1 without one."""


@checked
def decide_deals(
    deals: Sequence[Deal],
    rules: Rules,
    *,
    limits: Limits | None = None,
    tables: int = TABLE_CARDS,
    tables_in: Path | None = None,
) -> Verdicts:
    """Decide deals of the rules' deck.

    Args:
        deals: the deals; that they are of the deck is not checked again.
        rules: rules that `fits.decides`.
        limits: when to give up a deal: on states and memory, but not on time.
        tables: the most cards left in the endgame table, which is computed before the first deal if there is no file of
            it; 10 at most, 0 for none. Verdicts do not depend on it.
        tables_in: the directory of the table files; the user's cache directory when absent.

    Raises:
        OptionError: the kernel does not support the rules, or there is a limit on seconds.
    """
    packed = b"".join([pile_of(deal.cards) for deal in deals])
    piles = np.frombuffer(packed, np.uint8).reshape(len(deals), len(rules.deck))
    return decide_piles(piles, rules, limits=limits, tables=tables, tables_in=tables_in)


def decide_piles(
    piles: NDArray[np.uint8],
    rules: Rules,
    *,
    limits: Limits | None = None,
    tables: int = TABLE_CARDS,
    tables_in: Path | None = None,
) -> Verdicts:
    """Decide deals given as card codes, a deal a row; the other arguments are those of `decide_deals`.

    Raises:
        OptionError: the kernel does not support the rules, or there is a limit on seconds.
    """
    cards = np.frombuffer(numbers_of(rules), np.uint8)[piles]
    return _decide(cards, rules, limits or Limits(), tables, tables_in)


@checked
def decide_numbered(
    first: int,
    count: int,
    rules: Rules,
    *,
    limits: Limits | None = None,
    tables: int = TABLE_CARDS,
    tables_in: Path | None = None,
    keep_on: Callable[[], bool] = lambda: True,
) -> Verdicts:
    """Decide the numbered deals from `first` on, `count` of them.

    Args:
        first: the number of the first deal.
        count: how many.
        rules: rules that `fits.decides`.
        limits: as for `decide_deals`, and so are the tables.
        tables: the most cards left in the endgame tables.
        tables_in: where they are kept.
        keep_on: asked a few times a second, in whichever thread this is.

    Raises:
        StoppedError: it was not to keep on.
        OptionError: the kernel does not support the rules, or there is a limit on seconds, or the numbers run beyond
            2⁶⁴ - 1.
    """
    check_numbers(first, count)
    numbers = np.frombuffer(pile_of(rules.deck).translate(numbers_of(rules)), np.uint8)
    chunks = []
    for start in range(first, first + count, _CHUNK):
        cards = np.empty((min(_CHUNK, first + count - start), len(numbers)), np.uint8)
        deal_numbered(np.uint64(start), numbers, cards)
        chunks.append(_decide(cards, rules, limits or Limits(), tables, tables_in, keep_on))
    if not chunks:
        return _decide(np.empty((0, len(numbers)), np.uint8), rules, limits or Limits(), tables, tables_in)
    return Verdicts(*(np.concatenate(arrays) for arrays in zip(*chunks, strict=True)))


def _decide(
    cards: NDArray[np.uint8],
    rules: Rules,
    limits: Limits,
    tables: int,
    tables_in: Path | None,
    keep_on: Callable[[], bool] = lambda: True,
) -> Verdicts:
    if not fits.decides(rules):
        raise OptionError(fits.refusal(rules))
    if limits.seconds is not None:
        raise OptionError(f"expected no limit on the seconds of a deal in a batch, got {limits.seconds}")
    count = len(cards)
    found = Verdicts(np.zeros(count, np.int8), np.zeros(count, np.int64), np.full(count, -1, np.int32))
    search, scratch = new_search(FIRST_CAPACITY), new_scratch()
    watch = Watch(limits)
    if watch.limit_hit(bytes_of(search)) is not None:
        found.verdict[:] = UNDECIDED
        return found
    config = config_of(rules)
    if count > 0 and tables > 0 and table_store.applies(config):
        needed = bytes_of(search) + 3 * table_store.plan_of(config, tables).bytes  # two more while it is made or read
        if watch.limit_hit(needed) is None:
            config = table_store.with_table(config, tables, tables_in, keep_on) or config
    done, size, resumed = 0, _FIRST_SLICE, False
    most = limits.states or NO_LIMIT
    while done < count:
        if not keep_on():
            raise StoppedError
        before, end = time.monotonic(), min(count, done + size)
        done = _decide_batch(config, orbits(), search, scratch, cards[:end], most, done, resumed, *found)
        resumed = done < 0
        if resumed:
            done, size = -1 - done, _FIRST_SLICE  # in the middle of a deal that takes long
            continue
        if done == end:
            size = next_size(size, time.monotonic() - before)  # Ctrl-C is heard between slices
            continue
        # A deal needs more room: it is begun again with twice as much, and the others continue with that.
        if watch.limit_hit(2 * bytes_of(search) + config.table.nbytes) is not None:
            found.verdict[done] = UNDECIDED
            found.states[done] = search.counters[STORED]
            search.slots[:] = 0
            done += 1
        else:
            capacity, stack = len(search.keys), len(search.stack)
            del search  # before more is asked for
            search = new_search(2 * capacity, 2 * stack)
    return found


@compiled
def _decide_batch(
    config: Config,
    orbits: Orbits,
    search: Search,
    scratch: Scratch,
    cards: NDArray[np.uint8],
    most_stored: int,
    done: int,
    resumed: bool,
    verdict: NDArray[np.int8],
    states: NDArray[np.int64],
    redeals: NDArray[np.int32],
) -> int:
    """Decide the deals from number `done` on; the first may be under way.

    Returns:
        the number of the first that needs more room, or that of all; -1 less that of one that is under way.
    """
    count = cards.shape[1]
    for number in range(done, cards.shape[0]):
        if number > done or not resumed:
            for i in range(count):
                scratch.next[i] = cards[number, i]
            set_tops(config, scratch, 0)
            search.counters[:] = 0
            search.counters[MOST_STORED] = most_stored
            arrive(config, orbits, search, scratch, count, 0, 0, -1, 0)
        status = resume(config, orbits, search, scratch, _STEPS)
        if status == PAUSED:
            return -1 - number
        if status >= FULL:
            return number
        verdict[number] = WINNABLE if status == GOAL else UNWINNABLE if status == EXHAUSTED else UNDECIDED
        states[number] = search.counters[STORED]
        if status == GOAL:
            redeals[number] = _redeals_of_line(config, orbits, search, scratch)
        clear_slots(search.keys, search.slots, search.counters[UNLISTED], search.counters[STORED])
    return cards.shape[0]


@compiled
def _redeals_of_line(config: Config, orbits: Orbits, search: Search, scratch: Scratch) -> int:
    """The redeals on the way to the win just found: after the idle passes at each boundary, and the pass with plays."""
    number, phase = search.counters[WON_BOUNDARY], search.counters[WON_PHASE]
    redeals = -1  # the last pass needs none
    while number >= 0:
        count = unpack(search.keys, number, scratch.cards)
        set_tops(config, scratch, search.keys[number, 2] >> TOPS)
        order = orbits.order[config.gather, list_active(config, scratch), count]
        redeals += (phase - search.arrivals[number]) % order + 1
        number, phase = search.parents[number], search.phases[number]
    return redeals
