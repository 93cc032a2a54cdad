"""The nodes and edges of a decision graph as arrays, and the labels that follow from them."""

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.graphs import labels
from amazons_solver.model.moves import DEAL, PLAYS, REDEAL, Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

__all__ = ["STATUSES", "DecisionArrays", "Explored", "labelled", "moves_by_code"]

STATUSES: Final = ("won", "winnable", "blocked", "unwinnable", "undecided")
WON, WINNABLE, BLOCKED, UNWINNABLE, UNDECIDED = range(len(STATUSES))
"""What stands in `DecisionArrays.status`."""

DEAL_CODE, REDEAL_CODE = 252, 253
"""Codes of the moves that are not plays (see `DecisionArrays.moves`)."""

_AT_A_TIME = 8192


class Notation(Protocol):
    """How states are written."""

    def ids(self, numbers: NDArray[np.integer]) -> list[str]:
        """The keys of states, in hexadecimal."""
        ...

    def texts(self, numbers: NDArray[np.integer]) -> list[str]:
        """States in notation."""
        ...


@attrs.frozen(eq=False, repr=False)
class _Nodes:
    """States by number, in the order of their distance from the first, and the moves between them.

    The edges of node i, in the order of its moves, are those from ``offsets[i]`` to before ``offsets[i + 1]``.
    """

    rules: Rules
    notation: Notation
    cards_left: NDArray[np.uint8]
    expanded: NDArray[np.bool_]
    """By node: whether all its moves are here; a won state has none."""
    offsets: NDArray[np.int64]
    """By node, and one more: where its edges begin."""
    targets: NDArray[np.uint32]
    """By edge: the node it leads to."""
    moves: NDArray[np.uint8]
    """By edge: 252 a deal, 253 a redeal, else a play, four times the card (from 1 in the deck's order) plus the
    foundation (from 0)."""
    relabels: Mapping[int, str]
    """By edge of a merged graph that renames something: what it renames."""


@attrs.frozen(eq=False, repr=False)
class Explored(_Nodes):
    """What an exploration found."""

    won: NDArray[np.bool_]
    state: Callable[[int], State]
    """A state by its number."""
    run: Callable[..., Any]
    """What runs the loops of `graphs.labels`."""

    @property
    def states(self) -> int:
        """How many states were found."""
        return len(self.won)


@attrs.define(slots=False)
class _NodeAttributes:
    """The attributes of a node; the dictionaries of such objects share their keys, which halves their memory."""

    state: str
    cards_left: int
    redeals: int
    status: str
    cycle: bool
    expanded: bool


@attrs.define(slots=False)
class _EdgeAttributes:
    """The attributes that nearly every edge has."""

    move: str
    kind: str
    keeps_win: bool | None


@attrs.frozen(eq=False, repr=False)
class DecisionArrays(_Nodes):
    """A labelled decision graph as arrays, which are read-only.

    Nodes have numbers, breadth first from 0, the initial state. The edges of node i, in the order of its moves, are
    those from ``offsets[i]`` to before ``offsets[i + 1]``.
    """

    status: NDArray[np.uint8]
    """By node: its place in `STATUSES`."""
    redeals: NDArray[np.uint32]
    cycle: NDArray[np.bool_]

    def __attrs_post_init__(self) -> None:
        for array in attrs.asdict(self, recurse=False).values():
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.status)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.targets)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays and of what the states are written from, if that is an array, too."""
        arrays = [*attrs.asdict(self, recurse=False).values(), getattr(self.notation, "keys", None)]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    @functools.cached_property
    def sources(self) -> NDArray[np.uint32]:
        """By edge: the node it comes from."""
        return np.repeat(np.arange(self.nodes, dtype=np.uint32), np.diff(self.offsets))

    @functools.cached_property
    def fatal(self) -> NDArray[np.int64]:
        """The edges from a winnable to an unwinnable state."""
        loses = np.isin(self.status, (BLOCKED, UNWINNABLE))
        return np.flatnonzero((self.status == WINNABLE)[self.sources] & loses[self.targets])

    @functools.cached_property
    def every_move(self) -> dict[int, Move]:
        """The moves by their codes in `moves`."""
        return moves_by_code(self.rules)

    def path_to(self, node: int) -> list[int]:
        """The nodes on a shortest path from the root: each is followed by one that was found from it."""
        # The edge by which a node was found is the first that leads to one of its number or a higher one.
        highest = np.maximum.accumulate(self.targets) if self.edges else self.targets
        path = [node]
        while node:
            edge = int(np.searchsorted(highest, node))
            node = int(np.searchsorted(self.offsets, edge, side="right")) - 1
            path.append(node)
        return path[::-1]

    def node_items(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The nodes in order: id and attributes."""
        for begin in range(0, self.nodes, _AT_A_TIME):
            part = slice(begin, min(begin + _AT_A_TIME, self.nodes))
            numbers = np.arange(part.start, part.stop)
            columns = [array[part].tolist() for array in (self.cards_left, self.redeals, self.cycle, self.expanded)]
            statuses = [STATUSES[code] for code in self.status[part].tolist()]
            rows = zip(self.notation.ids(numbers), self.notation.texts(numbers), statuses, *columns, strict=True)
            for node, text, status, cards_left, redeals, cycle, expanded in rows:
                yield node, vars(_NodeAttributes(text, cards_left, redeals, status, cycle, expanded))

    def edge_rows(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32], list[dict[str, Any]]]]:
        """The edges in order, some thousands at a time: sources, targets, and attributes."""
        kinds = {code: (str(move), move.kind) for code, move in self.every_move.items()}
        keeps_win = [code in (WON, WINNABLE) for code in range(len(STATUSES))]
        for begin in range(0, self.edges, _AT_A_TIME):
            part = slice(begin, begin + _AT_A_TIME)
            targets = self.targets[part]
            rows: list[dict[str, Any]] = []
            for code, status in zip(self.moves[part].tolist(), self.status[targets].tolist(), strict=True):
                attributes = vars(_EdgeAttributes(*kinds[code], keeps_win[status]))
                if status == UNDECIDED:
                    del attributes["keeps_win"]
                rows.append(attributes)
            if self.relabels:
                for edge, attributes in enumerate(rows, start=begin):
                    if edge in self.relabels:
                        attributes["relabel"] = self.relabels[edge]
            yield self.sources[part], targets, rows

    def edge_items(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """The edges in order: the ids of their nodes, and their attributes; ``move`` is also the key."""
        for sources, targets, rows in self.edge_rows():
            yield from zip(self.notation.ids(sources), self.notation.ids(targets), rows, strict=True)


def moves_by_code(rules: Rules) -> dict[int, Move]:
    """Every move of these rules' deck by its code (see `DecisionArrays.moves`)."""
    cards = enumerate(rules.deck, start=1)
    plays = {4 * number + foundation: PLAYS[card.code, foundation] for number, card in cards for foundation in range(4)}
    return {**plays, DEAL_CODE: DEAL, REDEAL_CODE: REDEAL}


def labelled(found: Explored, decided: Mapping[int, int]) -> DecisionArrays:
    """Label what was found.

    Args:
        found: the states and moves.
        decided: by unexpanded state that was decided on its own: its status, not `UNDECIDED`.
    """
    nodes = {field.name: getattr(found, field.name) for field in attrs.fields(_Nodes)}
    status, redeals, cycle = _statuses(found, decided), _fewest_redeals(found), _on_cycles(found)
    return DecisionArrays(**nodes, status=status, redeals=redeals, cycle=cycle)


def _statuses(found: Explored, decided: Mapping[int, int]) -> NDArray[np.uint8]:
    """The status of every state, by one backward pass over the moves (retrograde labelling).

    The pass starts from the states that are known to be won or winnable, then from the unknown ones. What neither wave
    reaches leads only to known losses.
    """
    starts = np.zeros(found.states + 2, np.int64)
    sources = np.zeros(len(found.targets), np.uint32)
    found.run(labels.transpose, found.offsets, found.targets, starts, sources)
    marks, pending = np.zeros(found.states, np.uint8), np.zeros(found.states, np.uint32)
    known = np.array([*decided], np.int64)
    unknown = ~found.expanded
    unknown[known] = False
    winnable = found.won.copy()
    winnable[[number for number, code in decided.items() if code == WINNABLE]] = True
    for code, seeds in ((WINNABLE, winnable), (UNDECIDED, unknown)):
        numbers = np.flatnonzero(seeds)
        pending[: len(numbers)] = numbers
        found.run(labels.reach_back, starts, sources, marks, code, pending, len(numbers))
    marks[marks == 0] = UNWINNABLE
    marks[(marks == UNWINNABLE) & (np.diff(found.offsets) == 0)] = BLOCKED
    marks[known] = [*decided.values()]  # these have no moves here, and are not blocked for that
    marks[found.won] = WON
    return marks


def _fewest_redeals(found: Explored) -> NDArray[np.uint32]:
    """By state, the fewest redeals that lead to it."""
    fewest, queue, pending = (np.zeros(found.states + more, np.uint32) for more in (0, 1, 0))
    found.run(labels.zero_one_search, found.offsets, found.targets, found.moves, REDEAL_CODE, fewest, queue, pending)
    fewest -= 1
    return fewest


def _on_cycles(found: Explored) -> NDArray[np.bool_]:
    """By state, whether it is on a cycle, that is, in a strongly connected component that holds one.

    A play takes a card away for good, so a cycle is made of deals and redeals. A state has one of these at most, its
    last move, and so each component is a single cycle, which a walk along these moves runs into.
    """
    onward = np.zeros(found.states, np.uint32)
    last = found.offsets[1:] - 1
    goes_on = np.flatnonzero(np.diff(found.offsets))
    goes_on = goes_on[found.moves[last[goes_on]] >= DEAL_CODE]
    onward[goes_on] = found.targets[last[goes_on]] + np.uint32(1)
    cycle, walks = np.zeros(found.states, np.bool_), np.zeros(found.states, np.uint32)
    found.run(labels.mark_cycles, onward, walks, cycle)
    return cycle
