"""From the boundaries of a won search to a line of real moves, found by the model."""

import numpy as np

from amazons_solver.kernel.boundaries import arrival, stack
from amazons_solver.kernel.boundaries.keys import Search, unpack
from amazons_solver.kernel.boundaries.orbits import Orbits
from amazons_solver.kernel.config import Config
from amazons_solver.kernel.packing import top_at
from amazons_solver.model.moves import DEAL, REDEAL, Move
from amazons_solver.model.state import State

Table = tuple[bytes, bytes]
"""A boundary: the talon and the foundations' tops, as card numbers."""


def winning_line(config: Config, orbits: Orbits, search: Search, start: State, numbers: bytes) -> list[Move]:
    """The moves from `start` to the win that the search has found.

    The search has noted the boundaries on the way, in which phase each was reached and in which it was left. The model
    walks from one to the next: as many idle passes, then the pass that leads on, found among the ways to play it.

    Args:
        config: the rules as numbers.
        orbits: the permutations.
        search: the search, just after it has found a win.
        start: the state in which it began.
        numbers: the translation table from card codes to card numbers.
    """
    state, line = start, list[Move]()
    for number, phase in _stations(search):
        reached, idle_passes = _station(config, orbits, search, number, phase)
        if number > 0:
            state, moves = _play_pass(state, reached, numbers)
            line += moves
        for _ in range(idle_passes):
            state, moves = _idle_pass(state)
            line += moves
    return line + _play_pass(state, None, numbers)[1]


def _stations(search: Search) -> list[tuple[int, int]]:
    """The boundaries on the way to the win, the first one first, each with the phase in which its last pass begins."""
    number, phase = int(search.counters[stack.WON_BOUNDARY]), int(search.counters[stack.WON_PHASE])
    found = []
    while number >= 0:
        found.append((number, phase))
        number, phase = int(search.parents[number]), int(search.phases[number])
    return found[::-1]


def _station(config: Config, orbits: Orbits, search: Search, number: int, phase: int) -> tuple[Table, int]:
    """The table when a stored boundary was reached, and the idle passes from there to a phase."""
    cards, turned = np.zeros(32, np.uint8), np.zeros(32, np.uint8)
    count = unpack(search.keys, number, cards)
    tops = [int(top_at(search.keys[number, 2], foundation)) for foundation in range(config.depots)]
    complete = sum(top != 0 and config.rank[top] == config.ranks - 1 for top in tops)
    dealt_to = config.depots - (complete if config.skip_complete else 0)
    reached_in = int(search.arrivals[number])
    arrival.turn(config, orbits, cards, count, dealt_to, reached_in, turned)
    idle_passes = (phase - reached_in) % int(orbits.order[config.gather, dealt_to, count])
    return (bytes(turned[:count].tolist()), bytes(tops)), idle_passes


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
