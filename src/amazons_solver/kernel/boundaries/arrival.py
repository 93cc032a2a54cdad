"""Reaching a boundary: is it lost, is it known, and which of its phases are to be tried?"""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.boundaries.keys import Scratch, Search, key_of
from amazons_solver.kernel.boundaries.orbits import NEVER, Orbits
from amazons_solver.kernel.boundaries.passes import list_active, locate, packed_tops
from amazons_solver.kernel.boundaries.stack import DUPLICATES, STACK, START, STORED, UNLISTED, push
from amazons_solver.kernel.boundaries.tables import is_lost_by_table
from amazons_solver.kernel.compiling import inlined
from amazons_solver.kernel.config import ANYTHING, BASES, NOTHING, UNLIMITED, Config
from amazons_solver.kernel.instructions import lowest_bit
from amazons_solver.kernel.lemmas import is_lost
from amazons_solver.kernel.storage import find

_ONE = np.int64(1)


@inlined
def count_bases(config: Config, scratch: Scratch) -> int:
    """How many bases are not played yet: one for each empty foundation."""
    count = 0
    for foundation in range(config.depots):
        count += scratch.tops[foundation] == 0
    return count


@inlined
def waits_for_top(config: Config, scratch: Scratch) -> bool:
    """Whether a top card can be played from anywhere."""
    if config.top_anywhere:
        for foundation in range(config.depots):
            if config.rank[scratch.needs[foundation]] == config.ranks - 1:
                return True
    return False


@inlined
def first_phase(
    config: Config, orbits: Orbits, scratch: Scratch, at: NDArray[np.int64], count: int, dealt_to: int
) -> int:
    """The first phase in which a card that is no base comes to its foundation, or NEVER, if nothing is played before.

    Args:
        config: the rules.
        orbits: the permutations.
        scratch: registers; the foundations, and the depots dealt to, are read.
        at: the positions of the talon's cards in phase 0.
        count: the cards of the talon.
        dealt_to: how many depots are dealt to.
    """
    earliest = NEVER
    phases = orbits.first[config.gather, dealt_to, count]
    for a in range(dealt_to):
        need = scratch.needs[scratch.active[a]]
        if need != 0:
            positions = at[need]
            while positions != 0:
                earliest = min(earliest, phases[lowest_bit(positions), a])
                positions &= positions - 1
    return earliest


@inlined
def fits(
    config: Config,
    orbits: Orbits,
    scratch: Scratch,
    at: NDArray[np.int64],
    count: int,
    dealt_to: int,
    phase: int,
) -> bool:
    """Whether in this phase some card that is no base comes to its foundation; the arguments are as above."""
    begin = orbits.begin[config.gather, dealt_to, count] + phase * count
    for a in range(dealt_to):
        need = scratch.needs[scratch.active[a]]
        if need != 0:
            positions = at[need]
            while positions != 0:
                if orbits.places[begin + lowest_bit(positions)] % dealt_to == a:
                    return True
                positions &= positions - 1
    return False


@inlined
def _places_in(orbits: Orbits, begin: int, positions: int) -> int:
    """Where the cards at some positions have come to in the phase whose places begin there; all as bits."""
    places = _ONE << orbits.places[begin + lowest_bit(positions)]
    positions &= positions - 1
    while positions != 0:
        places |= _ONE << orbits.places[begin + lowest_bit(positions)]
        positions &= positions - 1
    return places


@inlined
def _chosen_phase(config: Config, orbits: Orbits, scratch: Scratch, count: int, dealt_to: int) -> int:
    """A phase of the orbit of `scratch.next`, such that the talon in it is the same for all talons of the orbit.

    Of all phases those in which the places of the first card are the least number, of these those in which the places
    of the second one are, and so on.
    """
    order, begin = orbits.order[config.gather, dealt_to, count], orbits.begin[config.gather, dealt_to, count]
    phase, step = 0, 1  # the phases that are left: from this one on, one a step
    for card in range(1, config.ranks + 1 if config.by_rank else config.depots * config.ranks + 1):
        if step == order:
            break
        positions = scratch.next_at[card]
        if positions == 0 or lowest_bit(positions) >= count or scratch.next[lowest_bit(positions)] != card:
            continue  # it is played
        here = least = _places_in(orbits, begin + phase * count, positions)
        chosen, other, passes = phase, phase, 0
        while True:
            passes += 1
            other += step
            if other >= order:
                other -= order
            places = _places_in(orbits, begin + other * count, positions)
            if places == here:
                break
            if places < least:
                least, chosen = places, other
        phase, step = chosen, step * passes
    return phase


@inlined
def turn(
    config: Config,
    orbits: Orbits,
    cards: NDArray[np.uint8],
    count: int,
    dealt_to: int,
    phase: int,
    out: NDArray[np.uint8],
) -> None:
    """Write the talon in another phase."""
    at = orbits.begin[config.gather, dealt_to, count] + phase * count
    for i in range(count):
        out[orbits.places[at + i]] = cards[i]


@inlined
def arrive(  # noqa: C901 (one decision, step by step)
    config: Config,
    orbits: Orbits,
    search: Search,
    scratch: Scratch,
    count: int,
    redeals: int,
    idle: int,
    parent: int,
    parent_phase: int,
) -> int:
    """Store the boundary whose talon is in `scratch.next`, and push what is to be tried from it.

    Returns:
        its number, with its talon in `scratch.cards`; or -1 if no play is possible any more.
    """
    if is_lost_by_table(config, scratch, count):
        return -1
    tops = packed_tops(config, scratch)
    if config.lemmas and is_lost(config, scratch.next[0], tops):
        return -1
    dealt_to = list_active(config, scratch)
    order = orbits.order[config.gather, dealt_to, count]
    locate(config, scratch.next, count, scratch.next_at)
    bases = count_bases(config, scratch)
    first = 0
    if not waits_for_top(config, scratch):
        first = first_phase(config, orbits, scratch, scratch.next_at, count, dealt_to)
    if bases == 0 and first == NEVER:
        return -1
    # The phases from `begin` on are to be tried, `tries` of them; stored is the boundary in phase `stored`.
    begin, tries, stored = 0, order, 0
    whole_orbit = config.withhold == ANYTHING or (config.withhold == BASES and first == NEVER)
    if not whole_orbit:
        if bases == 0:
            begin, tries = first, 1  # nothing can be played before, and then something must be
        elif config.withhold == NOTHING:
            tries = 1  # a base must be played in this pass
        else:
            tries = first + 1  # bases may wait until another card must be played
        stored = begin + tries - 1
    if config.max_redeals != UNLIMITED or config.idle_passes != UNLIMITED:
        # Every phase further is a redeal and an idle pass more, so states of one orbit differ.
        most = NEVER
        if config.max_redeals != UNLIMITED:
            most = config.max_redeals - redeals
        if config.idle_passes != UNLIMITED:
            most = min(most, config.idle_passes - 1 - idle)
        stored, tries = 0, min(tries, most - begin + 1)
        if tries <= 0:
            return -1
    elif whole_orbit:
        stored = _chosen_phase(config, orbits, scratch, count, dealt_to)
    turn(config, orbits, scratch.next, count, dealt_to, stored, scratch.cards)
    word0, word1, word2 = key_of(scratch.cards, count, tops, redeals, idle)
    cover = 0 if whole_orbit else max(0, stored - begin)

    keys, counters = search.keys, search.counters
    # All that is found from here on has fewer cards, so if nothing else is to be tried, it is not met again.
    alone = counters[STACK] == 0 and counters[STORED] == counters[UNLISTED]
    number = -1 if alone else find(keys, search.slots, word0, word1, word2)
    if number >= 0:
        counters[DUPLICATES] += 1
        more = cover - search.covers[number]
        if more > 0:
            # It was reached later in its orbit before: the phases until there are new. All found from it so far can be
            # reached from here, too.
            search.covers[number] = cover
            search.parents[number] = parent
            search.phases[number] = parent_phase
            search.arrivals[number] = -stored % order
            push(search, more, 0, START, number, (begin - stored) % order)
        return number
    slot = -1 - number
    number = counters[STORED]
    counters[STORED] = number + 1
    if alone:
        counters[UNLISTED] = number + 1
    else:
        search.slots[slot] = number + 1
    keys[number, 0], keys[number, 1], keys[number, 2] = word0, word1, word2
    search.covers[number] = cover
    search.parents[number] = parent
    search.phases[number] = parent_phase
    search.arrivals[number] = -stored % order
    push(search, tries, 0, START, number, (begin - stored) % order)
    return number
