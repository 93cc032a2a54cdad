"""From the boundaries of a won search to a line of real moves, found by the model."""

import numpy as np

from amazons_solver.kernel import arrival, stack
from amazons_solver.kernel.layout import Config, Search, unpack
from amazons_solver.kernel.orbits import Orbits
from amazons_solver.model.moves import DEAL, REDEAL, Move
from amazons_solver.model.state import State

Table = tuple[bytes, bytes]
"""A boundary: the talon and the foundations' tops, as card numbers."""


def winning_line(
    config: Config, orbits: Orbits, search: Search, start: State, numbers: bytes, began_inside: bool
) -> list[Move]:
    """The moves from `start` to the win that the search has found.

    The search has noted the boundaries on the way and in which phase each was left. The model walks from one to the
    next: idle passes up to that phase, then the pass that leads on, found among the ways to play it.

    Args:
        config: the rules as numbers.
        orbits: the permutations.
        search: the search, just after it has found a win.
        start: the state in which it began.
        numbers: the translation table from card codes to card numbers.
        began_inside: whether that is in the middle of a pass.
    """
    targets = [_table(config, orbits, search, number, phase) for number, phase in _stations(search)]
    state, line = start, list[Move]()
    if not began_inside:
        arrived = _idle_until(state, targets[0], numbers)
        if arrived is None:
            raise AssertionError(f"no way to the first pass with a play from {state.text()}")
        state = arrived[0]
        line += arrived[1]
    for target in [*targets[1:], None]:
        state, moves = _play_pass(state, target, numbers)
        line += moves
    return line


def _stations(search: Search) -> list[tuple[int, int]]:
    """The boundaries on the way to the win, the first one first, each with the phase in which its last pass begins."""
    number, phase = int(search.counters[stack.WON_BOUNDARY]), int(search.counters[stack.WON_PHASE])
    found = []
    while number >= 0:
        found.append((number, phase))
        number, phase = int(search.parents[number]), int(search.phases[number])
    return found[::-1]


def _table(config: Config, orbits: Orbits, search: Search, number: int, phase: int) -> Table:
    """A stored boundary in a phase."""
    cards, turned = np.zeros(32, np.int64), np.zeros(32, np.int64)
    count = unpack(search.keys, number, cards)
    tops = [(int(search.keys[number, 2]) >> (20 + 5 * foundation)) & 31 for foundation in range(config.depots)]
    complete = sum(top != 0 and config.rank[top] == config.ranks - 1 for top in tops)
    dealt_to = config.depots - (complete if config.skip_complete else 0)
    arrival.turn(config, orbits, cards, count, dealt_to, phase, turned)
    return bytes(turned[:count].tolist()), bytes(tops)


def _idle_until(state: State, target: Table, numbers: bytes) -> tuple[State, list[Move]] | None:
    """Pass without plays until the talon is the one sought; ``None`` if it never is, or the rules forbid a pass."""
    if state.foundation_codes.translate(numbers) != target[1]:
        return None
    first, moves = state.talon_codes, list[Move]()
    while state.talon_codes.translate(numbers) != target[0]:
        while True:
            after = dict(state.successors()).get(DEAL if state.talon_codes else REDEAL)
            if after is None:
                return None
            moves.append(DEAL if state.talon_codes else REDEAL)
            state = after
            if moves[-1] is REDEAL:
                break
        if state.talon_codes == first:
            return None
    return state, moves


def _play_pass(start: State, target: Table | None, numbers: bytes) -> tuple[State, list[Move]]:
    """Play a pass out so that it wins (no target), or ends where idle passes lead to the talon sought."""
    left = sorted(target[0]) if target is not None else []
    stack: list[tuple[State, tuple[Move, ...]]] = [(start, ())]
    seen = {start.exact_key()}
    while stack:
        state, moves = stack.pop()
        if target is None and state.is_won:
            return state, list(moves)
        for move, child in reversed(state.successors()):
            if move is REDEAL:
                if target is not None and _cards(child, numbers) == left:
                    found = _idle_until(child, target, numbers)
                    if found is not None:
                        return found[0], [*moves, move, *found[1]]
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
