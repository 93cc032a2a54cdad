"""From the boundaries of a won search to a line of real moves, found by the model."""

import numpy as np
from numpy.typing import NDArray

from amazons_solver.kernel.boundaries import arrival, stack
from amazons_solver.kernel.boundaries.keys import Layers, Search, unpack
from amazons_solver.kernel.boundaries.orbits import Orbits
from amazons_solver.kernel.config import Config
from amazons_solver.kernel.packing import top_at
from amazons_solver.model.moves import DEAL, REDEAL, Move
from amazons_solver.model.state import State

Table = tuple[bytes, bytes]
"""A boundary: the talon and the foundations' tops, as card numbers."""

Station = tuple[Table, int]
"""A boundary on the way to a win, and the passes without a play from there."""


def winning_line(start: State, numbers: bytes, stations: list[Station]) -> list[Move]:
    """The moves from `start` to the win that a search has found, put together by the model.

    The model walks from one boundary to the next: as many idle passes as are said, then the pass that leads on, found
    among the ways to play it.

    Args:
        start: the state in which the search began.
        numbers: the translation table from card codes to card numbers.
        stations: the boundaries on the way, from the first one.
    """
    state, line = start, list[Move]()
    for number, (table, idle_passes) in enumerate(stations):
        if number > 0:
            state, moves = _play_pass(state, table, numbers)
            line += moves
        for _ in range(idle_passes):
            state, moves = _idle_pass(state)
            line += moves
    return line + _play_pass(state, None, numbers)[1]


def stations_of(config: Config, orbits: Orbits, search: Search) -> list[Station]:
    """The boundaries on the way to the win that the search has just found."""
    number, phase = int(search.counters[stack.WON_BOUNDARY]), int(search.counters[stack.WON_PHASE])
    found = []
    while number >= 0:
        found.append(_station(config, orbits, search, number, phase))
        number, phase = int(search.parents[number]), int(search.phases[number])
    return found[::-1]


def stations_in_layers(config: Config, layers: Layers) -> list[Station]:
    """The boundaries on the way to the win that the search in the order of redeals has just found."""
    number, found = int(layers.counters[stack.WON_BOUNDARY]), list[Station]()
    while number >= 0:
        cards, tops = _cards_of(config, layers.keys, number)
        found.append(((bytes(cards.tolist()), tops), 0))
        number = int(layers.parents[number])
    return found[::-1]


def _cards_of(config: Config, keys: NDArray[np.int64], number: int) -> tuple[NDArray[np.uint8], bytes]:
    """The talon and the foundations of a stored boundary."""
    cards = np.zeros(32, np.uint8)
    count = unpack(keys, number, cards)
    return cards[:count], bytes(int(top_at(keys[number, 2], foundation)) for foundation in range(config.depots))


def _station(config: Config, orbits: Orbits, search: Search, number: int, phase: int) -> Station:
    """The table when a stored boundary was reached, and the idle passes from there to a phase."""
    cards, tops = _cards_of(config, search.keys, number)
    complete = sum(top != 0 and config.rank[top] == config.ranks - 1 for top in tops)
    dealt_to = config.depots - (complete if config.skip_complete else 0)
    reached_in, turned = int(search.arrivals[number]), np.zeros(32, np.uint8)
    arrival.turn(config, orbits, cards, len(cards), dealt_to, reached_in, turned)
    idle_passes = (phase - reached_in) % int(orbits.order[config.gather, dealt_to, len(cards)])
    return (bytes(turned[: len(cards)].tolist()), tops), idle_passes


def _idle_pass(state: State) -> tuple[State, list[Move]]:
    """Pass without a play."""
    moves = list[Move]()
    while not moves or moves[-1] is not REDEAL:
        moves.append(DEAL if state.talon_codes else REDEAL)
        state = state.play(moves[-1])
    return state, moves


def _play_pass(start: State, target: Table | None, numbers: bytes) -> tuple[State, list[Move]]:
    """Play a pass out so that it wins (no target), or ends with the table sought."""
    left = sorted(target[0]) if target is not None else []
    stack: list[tuple[State, tuple[Move, ...]]] = [(start, ())]
    seen = {start.exact_key()}
    while stack:
        state, moves = stack.pop()
        if target is None and state.is_won:
            return state, list(moves)
        for move, child in reversed(state.successors()):
            if move is REDEAL:
                if (child.talon_codes.translate(numbers), child.foundation_codes.translate(numbers)) == target:
                    return child, [*moves, move]
            elif child.exact_key() not in seen and _has(_cards(child, numbers), left):
                seen.add(child.exact_key())
                stack.append((child, (*moves, move)))
    raise AssertionError(f"no way to play the pass from {start.text()}")


def _cards(state: State, numbers: bytes) -> list[int]:
    """The card numbers that are not on a foundation, in order."""
    return sorted((state.talon_codes + b"".join(state.depot_codes)).translate(numbers))


def _has(cards: list[int], wanted: list[int]) -> bool:
    """Whether the cards wanted are all there, each as often as it is wanted."""
    return all(cards.count(card) >= wanted.count(card) for card in set(wanted))
