"""The states and moves of a decision graph: found by the model, or, when there are many, by compiled code."""

import importlib
import itertools
from collections.abc import Callable, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import MissingToolError
from amazons_solver.graphs import labels
from amazons_solver.graphs.arrays import Explored, moves_by_code
from amazons_solver.kernel import fits, waiting
from amazons_solver.model.cards import CARD_TEXT, SUIT_LETTERS
from amazons_solver.model.moves import Move
from amazons_solver.model.state import State
from amazons_solver.search.explore import Edge, explore
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.search.watch import Watch
from amazons_solver.solving.game import Game

__all__ = ["explored"]

MODEL_STATES = 20_000
"""How many states of a graph the model makes in less time than it takes to load the compiler."""

# A node of networkx's graph, with its edges, takes about this many times the bytes of a state in the model's search.
_MODEL_FACTOR = 8
# While labels are made, arrays take up to 1.5 times what they take while states are found.
_KERNEL_FACTOR = 1.5


def explored(
    game: Game, limits: Limits, progress: Callable[[Progress], None] | None = None
) -> tuple[Explored, StopReason]:
    """Find states and moves, breadth first, and say why that ended.

    The model finds the first 20,000 states in less time than it takes to load the compiler. The result does not depend
    on which of them finds it.
    """
    supported = game.identity == "exact" and fits.explores(game.start.rules)
    if not supported or (limits.states is not None and limits.states <= MODEL_STATES):
        return by_model(game, limits, progress)
    if fits.waits_for_compiling(limits, "exact.exploration_loop.resume"):
        found, reason = by_model(game, limits, progress)
        if reason is StopReason.SECONDS:
            waiting.declined.append("exact.exploration_loop.resume")
        return found, reason
    watch = Watch(limits)
    found, reason = by_model(game, attrs.evolve(limits, states=MODEL_STATES), progress)
    if reason is not StopReason.STATES:
        return found, reason

    def go_on_counting(counts: Progress) -> None:
        if progress is not None and counts.states >= MODEL_STATES:
            progress(attrs.evolve(counts, seconds=watch.seconds))

    try:
        importlib.import_module("amazons_solver.kernel.exact.exploration")  # the time that it takes counts, too
        more, reason = by_kernel(game, watch.left, go_on_counting)
    except MissingToolError:
        return by_model(game, limits, progress)
    except KeyboardInterrupt:
        return found, StopReason.INTERRUPTED
    # It begins again, and may have been stopped before it came as far.
    return (more if more.states > found.states else found), reason


def by_kernel(
    game: Game, limits: Limits, progress: Callable[[Progress], None] | None = None
) -> tuple[Explored, StopReason]:
    """What the compiled exploration finds."""
    from amazons_solver.kernel.exact.exploration import explore_exact  # noqa: PLC0415 (numba takes half a second to load)

    if limits.memory_bytes is not None:
        limits = attrs.evolve(limits, memory_bytes=max(1, int(limits.memory_bytes / _KERNEL_FACTOR)))
    exploration = explore_exact(game.start, limits=limits, progress=progress, edges=True)
    # Where the limit on states was hit, no move leads to some of them; the model leaves those out.
    states = 1 + int(exploration.targets.max(initial=0))
    expanded = len(exploration.offsets) - 1
    offsets = exploration.offsets
    if expanded < states:
        offsets = np.full(states + 1, len(exploration.targets), np.int64)
        offsets[: expanded + 1] = exploration.offsets
    exploration = attrs.evolve(exploration, keys=exploration.keys[:states], offsets=offsets)
    won = exploration.keys[:, 0] & 31 == 0  # no card is left
    found = Explored(
        rules=game.start.rules,
        notation=exploration.notation,
        cards_left=exploration.notation.cards_left(),
        won=won,
        expanded=won | (np.arange(states, dtype=np.uint32) < expanded),
        offsets=offsets,
        targets=exploration.targets,
        moves=exploration.labels,
        relabels={},
        state=exploration.state,
        run=labels.by_compiler,
    )
    return found, exploration.stop_reason


def by_model(
    game: Game, limits: Limits, progress: Callable[[Progress], None] | None = None
) -> tuple[Explored, StopReason]:
    """What the model finds."""
    edges: list[Sequence[Edge[Move, State]]] = []  # breadth first, so those of state 0, 1, 2 …
    memory = limits.memory_bytes and max(1, limits.memory_bytes // _MODEL_FACTOR)
    reason = explore(
        game,
        order="bfs",
        stop_at_goal=False,
        limits=attrs.evolve(limits, memory_bytes=memory),
        progress=progress,
        # A single append, which Ctrl-C cannot leave half done.
        on_expand=lambda _number, _state, followed: edges.append(followed),
    ).stop_reason
    states = [game.start]
    for _, target, state in itertools.chain.from_iterable(edges):
        if target == len(states):
            states.append(state)
    return _found(game, states, edges), reason


def _found(game: Game, states: list[State], edges: list[Sequence[Edge[Move, State]]]) -> Explored:
    """The model's states and moves as arrays."""
    rules = game.start.rules
    codes: dict[Move, int] = {move: code for code, move in moves_by_code(rules).items()}
    every_edge = list(itertools.chain.from_iterable(edges))
    offsets = np.full(len(states) + 1, len(every_edge), np.int64)
    offsets[: len(edges) + 1] = [0, *itertools.accumulate(map(len, edges))]
    relabels = {}
    if game.identity == "canonical":
        relabels = {
            edge: _relabel(state, states[target])
            for edge, (_, target, state) in enumerate(every_edge)
            if state != states[target]
        }
    return Explored(
        rules=rules,
        notation=_Written([game.key(state).hex() for state in states], [state.text() for state in states]),
        cards_left=np.array([state.cards_left for state in states], np.uint8),
        won=np.array([state.is_won for state in states], np.bool_),
        expanded=np.array([number < len(edges) or state.is_won for number, state in enumerate(states)], np.bool_),
        offsets=offsets,
        targets=np.array([target for _, target, _ in every_edge], np.uint32),
        moves=np.array([codes[move] for move, _, _ in every_edge], np.uint8),
        relabels=relabels,
        state=states.__getitem__,
        run=labels.by_python,
    )


@attrs.frozen(eq=False)
class _Written:
    """Ids and texts that were written when the states were found."""

    every_id: list[str]
    every_text: list[str]

    def ids(self, numbers: NDArray[np.integer]) -> list[str]:
        return [self.every_id[number] for number in numbers.tolist()]

    def texts(self, numbers: NDArray[np.integer]) -> list[str]:
        return [self.every_text[number] for number in numbers.tolist()]


def _relabel(state: State, same: State) -> str:
    """What to rename in a state to make it another of the same canonical form: suits, or cards where ranks count."""
    pairs = {(a, b) for a, b in zip(state.exact_key(), same.exact_key(), strict=True) if a != b}
    if state.rules.build == "suit":
        suits = sorted({(a >> 4, b >> 4) for a, b in pairs})
        return " ".join(f"{SUIT_LETTERS[a]}>{SUIT_LETTERS[b]}" for a, b in suits)
    return " ".join(f"{CARD_TEXT[a]}>{CARD_TEXT[b]}" for a, b in sorted(pairs))
