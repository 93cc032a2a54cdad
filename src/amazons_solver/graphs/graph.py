"""The decision graph: every state of a deal, every move, and what each move does to the chance of winning."""

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np
from numpy.typing import NDArray

from amazons_solver.graphs.arrays import (
    BLOCKED,
    STATUSES,
    UNDECIDED,
    UNWINNABLE,
    WINNABLE,
    WON,
    DecisionArrays,
    Explored,
    labelled,
)
from amazons_solver.graphs.building import explored
from amazons_solver.model.arguments import checked, no_truth
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.search.watch import Watch
from amazons_solver.solving.game import Game
from amazons_solver.solving.solve import Verdict, solve_state

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["DEFAULT_STATES", "DecisionGraph", "decision_graph"]

DEFAULT_STATES = 100_000
"""The limit on states when no limits are given."""

_VERDICTS = {
    WON: Verdict.WINNABLE,
    WINNABLE: Verdict.WINNABLE,
    BLOCKED: Verdict.UNWINNABLE,
    UNWINNABLE: Verdict.UNWINNABLE,
    UNDECIDED: Verdict.UNDECIDED,
}


@attrs.frozen(repr=False, eq=False)
class DecisionGraph:
    """Every state that can be reached from a deal, as nodes, and every move between them, as edges.

    A node's id is the state's key in hexadecimal. Nodes stand in the order in which they were found, breadth first.
    Node attributes:

    - ``state``: the state in notation; in a merged graph the first one found of those that the node stands for;
    - ``cards_left``: cards that are not yet on a foundation;
    - ``redeals``: the fewest redeals of any path to it in this graph;
    - ``status``: ``won``, ``winnable``, ``blocked``, ``unwinnable`` or, where the graph does not say, ``undecided``;
    - ``cycle``: whether play can come back to it in this graph, which takes a redeal;
    - ``expanded``: whether all its moves are in the graph.

    An edge's key is the move in notation. Edge attributes:

    - ``move``: the same; in a merged graph the move of the source's ``state``;
    - ``kind``: ``play``, ``deal`` or ``redeal``;
    - ``keeps_win``: whether the game can still be won after it; absent if that is not known;
    - ``relabel``: in merged graphs, where the move makes another state than the target's ``state``: the renaming that
      makes the one the other. ``C>D D>C`` says that what is a club after the move is a diamond in the target's
      ``state`` and the other way round. With ``build = rank`` it is cards that are renamed: ``7C>7D 7D>7C``.

    The graph's own attributes are ``deal``, ``rules`` (JSON), ``merged``, ``root``, ``complete``, ``verdict``, and
    networkx's empty ``node_default`` and ``edge_default``.

    Everything else is made from `arrays` on demand. `graph` is meant for networkx algorithms: it is ten times slower to
    build, takes 25 times the memory, ignores the limits, and is cached.
    """

    arrays: DecisionArrays
    """The nodes and edges as arrays; every other answer comes from them."""
    deal: str
    """The deal, its name before its cards, or the state from which it was explored, in notation."""
    game: Game
    """The initial state, and the identity of states."""
    stop_reason: StopReason
    """Why the exploration ended, or the deciding of single states when that was interrupted."""

    __bool__ = no_truth("a decision graph", "compare its verdict with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")

    @functools.cached_property
    def graph(self) -> "nx.MultiDiGraph[str]":
        """The graph with all its attributes, made on first use."""
        with _collector_paused():
            return _networkx(self)

    @functools.cached_property
    def root(self) -> str:
        """The node of the initial state."""
        return self.ids([0])[0]

    @functools.cached_property
    def complete(self) -> bool:
        """Whether every node is expanded, so that nothing is undecided."""
        return bool(self.arrays.expanded.all())

    @property
    def verdict(self) -> Verdict:
        """The verdict on the deal, as far as the graph knows."""
        return _VERDICTS[int(self.arrays.status[0])]

    @property
    def attributes(self) -> dict[str, str | bool]:
        """The attributes of the graph as a whole."""
        return {
            "deal": self.deal,
            "rules": self.game.start.rules.to_json(),
            "merged": self.game.identity == "canonical",
            "root": self.root,
            "complete": self.complete,
            "verdict": self.verdict.value,
        }

    def statuses(self) -> dict[str, int]:
        """How many nodes there are of each status."""
        counts = np.bincount(self.arrays.status, minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, counts, strict=True))

    def ids(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """The ids of nodes by their numbers in the arrays."""
        return self.arrays.notation.ids(np.asarray(numbers, np.int64))

    def winning_subgraph(self) -> "nx.MultiDiGraph[str]":
        """The won and winnable states with the moves between them, as a view of the graph."""
        wins = (self.arrays.status == WON) | (self.arrays.status == WINNABLE)
        return self.graph.subgraph(self.ids(np.flatnonzero(wins)))

    def fatal_edges(self) -> list[tuple[str, str, str]]:
        """The moves that throw the win away, from a winnable state to an unwinnable one: source, target and key."""
        arrays, fatal = self.arrays, self.arrays.fatal
        keys = [str(arrays.every_move[code]) for code in arrays.moves[fatal].tolist()]
        return list(zip(self.ids(arrays.sources[fatal]), self.ids(arrays.targets[fatal]), keys, strict=True))

    def choices(self) -> list[str]:
        """The choices that matter: states in which at least one move keeps the win and at least one loses it."""
        # A state with a move in the graph is expanded, so one that is winnable has a move that keeps the win.
        return self.ids(np.unique(self.arrays.sources[self.arrays.fatal]))

    def shortest_line(self) -> tuple[Move, ...] | None:
        """A winning line of fewest moves, playable with the deal's cards; ``None`` if no won state is in the graph."""
        won = np.flatnonzero(self.arrays.status == WON)
        if len(won) == 0:
            return None
        # Nodes stand in the order of their distance from the root, so that no other won state is nearer.
        line, state = [], self.game.start
        for node in self.ids(self.arrays.path_to(int(won[0])))[1:]:
            # In a merged graph the cards may differ from those of the nodes' states: the key finds the move.
            move, state = next(step for step in state.successors() if self.game.key(step[1]).hex() == node)
            line.append(move)
        return tuple(line)

    def __repr__(self) -> str:
        extent = "complete" if self.complete else f"cut short ({self.stop_reason.value})"
        nodes, edges = self.arrays.nodes, self.arrays.edges
        return f"<DecisionGraph {self.verdict.value}, {nodes} nodes, {edges} edges, {extent}>"

    def _repr_html_(self) -> str:
        """How notebooks show it: counts, and the first choice on the shortest way to win."""
        from amazons_solver.render.html import table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import state_svg  # noqa: PLC0415

        line, choice = self.shortest_line(), self._first_choice()
        statuses = ", ".join(f"{count:,} {status}" for status, count in self.statuses().items() if count)
        facts = [
            ("states", f"{self.arrays.nodes:,} ({statuses})"),
            ("moves", f"{self.arrays.edges:,}"),
            ("moves that throw the win away", f"{len(self.fatal_edges()):,}"),
            ("states with a choice that matters", f"{len(self.choices()):,}"),
            ("shortest win", "none" if line is None else f"{len(line)} moves"),
            ("extent", "complete" if self.complete else f"cut short ({self.stop_reason.value})"),
        ]
        if choice is None:
            return table_html(facts, caption=self.verdict.value)
        state, marks = choice
        facts.append(("below", "where a move can first throw the shortest win away"))
        return table_html(facts, caption=self.verdict.value) + state_svg(state, marks=marks)

    def _first_choice(self) -> tuple[State, dict[Move, bool]] | None:
        """The first choice that matters on the shortest line, with whether each move keeps the win; if all is known."""
        fatal = {(source, target) for source, target, _ in self.fatal_edges()}
        sources = {source for source, _ in fatal}
        for state in self.game.start.states_along(self.shortest_line() or ())[:-1]:
            node = self.game.key(state).hex()
            if self.complete and node in sources:
                return state, {
                    option: (node, self.game.key(after).hex()) not in fatal for option, after in state.successors()
                }
        return None


@checked
def decision_graph(
    deal: Deal | State,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    merge_suits: bool = False,
    decide_unexpanded: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> DecisionGraph:
    """Build the decision graph of a deal, breadth first, and label it.

    A limit, or Ctrl-C while states are explored or decided, cuts the graph short. The states whose moves were not
    followed are then not ``expanded``, and what depends on them is ``undecided``.

    The model explores the first 20,000 states. If there are more, the compiled exploration begins again where it can
    (exact states, decks of at most 28 cards): the graph is the same, but a million states take seconds. The limit on
    memory bounds its arrays; in the model's graph it counts what networkx takes, too.

    Args:
        deal: the deal; or a state from which to explore, which has its own rules.
        rules: the rules of a deal; the default rules when absent.
        limits: when to stop exploring; 100,000 states and the default memory when absent.
        merge_suits: join the states that the rules cannot tell apart (see `State.canonical`). Moves along a path are
            then no longer moves of the same cards; the edges say where cards change their names.
        decide_unexpanded: decide each state that was not expanded on its own, so that the labels of a graph that is cut
            short are exact. The limit on seconds is for the graph and all decisions together, that on memory for each,
            that on states for the graph alone.
        progress: called with the counts so far a few times a second while states are explored.

    Raises:
        NotationError: the deal is not of the rules' deck.

    >>> rules = Rules(suits="CD", ranks="A78", withhold="any")
    >>> decisions = decision_graph(Deal.numbered(0, rules), rules)
    >>> decisions
    <DecisionGraph winnable, 698 nodes, 994 edges, complete>
    >>> decisions.game.start.play_line(decisions.shortest_line()).is_won
    True
    """
    start = deal if isinstance(deal, State) else State.initial(deal, rules)
    text = start.text() if isinstance(deal, State) else f"{deal.name} {deal}".strip()
    game = Game(start, "canonical" if merge_suits else "exact")
    with _collector_paused():
        return _decision_graph(game, text, limits or Limits(states=DEFAULT_STATES), decide_unexpanded, progress)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python's cyclic garbage collector from running.

    Exploring, deciding and building make objects by the million, and no garbage in cycles. The collector would walk
    through all of them again and again, which takes as long as the building.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _decision_graph(
    game: Game, deal: str, limits: Limits, decide_unexpanded: bool, progress: Callable[[Progress], None] | None
) -> DecisionGraph:
    watch = Watch(attrs.evolve(limits, states=None))
    found, reason = explored(game, limits, progress)
    decided: dict[int, int] = {}
    if decide_unexpanded and reason is not StopReason.INTERRUPTED:
        decided, interrupted = _decide(found, watch)
        reason = StopReason.INTERRUPTED if interrupted else reason
    return DecisionGraph(labelled(found, decided), deal, game, reason)


def _decide(found: Explored, watch: Watch) -> tuple[dict[int, int], bool]:
    """The statuses of the unexpanded states, each decided on its own, and whether Ctrl-C ended that."""
    decided: dict[int, int] = {}
    try:
        for number in np.flatnonzero(~found.expanded).tolist():
            if watch.limit_hit() is not None:
                break
            state = found.state(number)
            solution = solve_state(state, limits=watch.left)
            if solution.stop_reason is StopReason.INTERRUPTED:
                return decided, True
            if solution.verdict is Verdict.WINNABLE:
                decided[number] = WINNABLE
            elif solution.verdict is Verdict.UNWINNABLE:
                decided[number] = BLOCKED if state.is_blocked else UNWINNABLE
    except KeyboardInterrupt:
        return decided, True
    return decided, False


def _networkx(decisions: DecisionGraph) -> "nx.MultiDiGraph[str]":
    """The graph as networkx has it."""
    import networkx as nx  # noqa: PLC0415 (only who wants it waits for it)

    # networkx adds these two to what it reads from GraphML: with them, what is read is equal to what was written.
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(**decisions.attributes, node_default={}, edge_default={})
    # networkx's own dictionaries are filled: its methods for adding nodes and edges would take as long as the search.
    nodes, successors, predecessors = (vars(graph)[name] for name in ("_node", "_adj", "_pred"))
    ids = []
    for node, attributes in decisions.arrays.node_items():
        ids.append(node)
        nodes[node] = attributes
        successors[node] = {}
        predecessors[node] = {}
    for sources, targets, rows in decisions.arrays.edge_rows():
        for number, to, attributes in zip(sources.tolist(), targets.tolist(), rows, strict=True):
            source, target = ids[number], ids[to]
            # No other move from here leads there: two moves leave other piles or other foundations higher.
            successors[source][target] = predecessors[target][source] = {attributes["move"]: attributes}
    return graph
