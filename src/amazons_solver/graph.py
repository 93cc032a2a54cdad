"""The decision graph: every state of a deal, every move, and what each move does to the chance of winning."""

import contextlib
import functools
import gc
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import attrs
import networkx as nx

from amazons_solver.game import Game
from amazons_solver.model.cards import CARD_TEXT, SUIT_LETTERS
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.explorer import Edge, explore
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solve import Verdict, solve_state

__all__ = ["DEFAULT_STATES", "DecisionGraph", "decision_graph"]

DEFAULT_STATES = 100_000
"""The limit on states when no limits are given."""

_WINS = ("won", "winnable")
_LOSSES = ("blocked", "unwinnable")

# A node of the graph and its edges take about this many times what the search notes of a state.
_MEMORY_FACTOR = 8


@attrs.frozen(repr=False, eq=False)
class DecisionGraph:
    """Every state that can be reached from a deal, as nodes, and every move between them, as edges.

    A node's id is the state's key in hexadecimal. Nodes stand in the order in which they were found, breadth first.
    Node attributes:

    - ``state``: the state in notation; in a merged graph the first one found of those that the node stands for;
    - ``cards_left``: cards that are not yet on a foundation;
    - ``redeals``: the fewest redeals of any path to it in this graph;
    - ``status``: ``won``, ``winnable``, ``blocked``, ``unwinnable`` or, where the graph does not tell, ``undecided``;
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
    """

    graph: "nx.MultiDiGraph[str]"
    root: str
    """The node of the initial state."""
    complete: bool
    """Whether every node is expanded, so that nothing is undecided."""
    game: Game
    """The initial state, and how states are told apart."""
    stop_reason: StopReason
    """Why the exploration ended, or the deciding of single states when that was interrupted."""

    @property
    def verdict(self) -> Verdict:
        """The verdict on the deal, so far as the graph tells."""
        return _verdict(self.graph.nodes[self.root]["status"])

    def statuses(self) -> dict[str, int]:
        """How many nodes there are of each status."""
        counts = Counter(labels["status"] for labels in self.graph.nodes.values())
        return {status: counts[status] for status in ("won", "winnable", "blocked", "unwinnable", "undecided")}

    def winning_subgraph(self) -> "nx.MultiDiGraph[str]":
        """The won and winnable states with the moves between them, as a view of the graph."""
        return self.graph.subgraph([node for node, labels in self.graph.nodes.items() if labels["status"] in _WINS])

    def fatal_edges(self) -> list[tuple[str, str, str]]:
        """The moves that throw the win away, from a winnable state to an unwinnable one: source, target and key."""
        nodes = self.graph.nodes
        return [
            edge
            for edge, labels in self.graph.edges.items()
            if labels.get("keeps_win") is False and nodes[edge[0]]["status"] in _WINS
        ]

    def choices(self) -> list[str]:
        """The choices that matter: states in which at least one move keeps the win and at least one loses it."""
        # A state with a move in the graph is expanded, so one that is winnable has a move that keeps the win.
        return list(dict.fromkeys(source for source, _, _ in self.fatal_edges()))

    def shortest_line(self) -> tuple[Move, ...] | None:
        """A winning line of fewest moves, playable with the deal's cards; ``None`` if no won state is in the graph."""
        won = next((node for node, labels in self.graph.nodes.items() if labels["status"] == "won"), None)
        if won is None:
            return None
        # Nodes stand in the order of their distance from the root, so that no other won state is nearer.
        line, state = [], self.game.start
        for node in nx.shortest_path(self.graph, self.root, won)[1:]:
            # In a merged graph the cards may differ from those of the nodes' states: the key finds the move.
            move, state = next(step for step in state.successors() if _node_id(self.game, step[1]) == node)
            line.append(move)
        return tuple(line)

    def __repr__(self) -> str:
        extent = "complete" if self.complete else f"cut short ({self.stop_reason.value})"
        nodes, edges = self.graph.number_of_nodes(), self.graph.number_of_edges()
        return f"<DecisionGraph {self.verdict.value}, {nodes} nodes, {edges} edges, {extent}>"

    def _repr_html_(self) -> str:
        """How notebooks show it: counts, and the first choice on the shortest way to win."""
        from amazons_solver.render.html import table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import state_svg  # noqa: PLC0415

        line, choice = self.shortest_line(), self._first_choice()
        statuses = ", ".join(f"{count:,} {status}" for status, count in self.statuses().items() if count)
        facts = [
            ("states", f"{self.graph.number_of_nodes():,} ({statuses})"),
            ("moves", f"{self.graph.number_of_edges():,}"),
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
        state = self.game.start
        for move in self.shortest_line() or ():
            node = _node_id(self.game, state)
            if self.complete and node in sources:
                return state, {
                    option: (node, _node_id(self.game, after)) not in fatal for option, after in state.successors()
                }
            state = state.play(move)
        return None


def decision_graph(
    deal: Deal,
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

    Args:
        deal: the deal.
        rules: the rules; the default rules when absent.
        limits: when to stop exploring; 100,000 states and the default memory when absent.
        merge_suits: join the states that the rules cannot tell apart (see `State.canonical`). Moves along a path are
            then no longer moves of the same cards; the edges say where cards change their names.
        decide_unexpanded: decide each state that was not expanded on its own, so that the labels of a graph that is cut
            short are exact. The limits on seconds and memory hold for each decision; that on states is the graph's.
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
    game = Game(State.initial(deal, rules), "canonical" if merge_suits else "exact")
    with _collector_paused():
        return _decision_graph(game, str(deal), limits or Limits(states=DEFAULT_STATES), decide_unexpanded, progress)


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
    found, reason = _explore(game, limits, progress)
    verdicts: dict[int, Verdict] = {}
    if decide_unexpanded and reason is not StopReason.INTERRUPTED:
        verdicts, interrupted = _decide(found, attrs.evolve(limits, states=None))
        reason = StopReason.INTERRUPTED if interrupted else reason
    graph = _build(game, found, _statuses(found, verdicts))
    root, complete = _node_id(game, game.start), all(found.expanded)
    graph.graph.update(
        deal=deal,
        rules=game.start.rules.to_json(),
        merged=game.identity == "canonical",
        root=root,
        complete=complete,
        verdict=_verdict(graph.nodes[root]["status"]).value,
        # networkx adds these two to what it reads from GraphML: with them, what is read is equal to what was written.
        node_default={},
        edge_default={},
    )
    return DecisionGraph(graph, root, complete, game, reason)


@attrs.frozen
class _Found:
    """What was found: the states by number, in the order of their distance from the first, and the moves."""

    states: list[State]
    """Under each key, the state that was found first."""
    edges: list[Sequence[Edge[Move, State]]]
    """By state: its moves, the numbers of the states they lead to, and the states they make."""
    expanded: list[bool]
    """By state: whether all its moves are here; a won state has none."""


def _explore(game: Game, limits: Limits, progress: Callable[[Progress], None] | None) -> tuple[_Found, StopReason]:
    """Find states and moves, and say why that ended."""
    edges: list[Sequence[Edge[Move, State]]] = []  # breadth first, so those of state 0, 1, 2 …
    memory = limits.memory_bytes and max(1, limits.memory_bytes // _MEMORY_FACTOR)
    reason = explore(
        game,
        order="bfs",
        stop_at_goal=False,
        limits=attrs.evolve(limits, memory_bytes=memory),
        progress=progress,
        # A single append, of which Ctrl-C cannot leave half.
        on_expand=lambda _number, _state, followed: edges.append(followed),
    ).stop_reason
    states = [game.start]
    for _, target, state in itertools.chain.from_iterable(edges):
        if target == len(states):
            states.append(state)
    expanded = [number < len(edges) or state.is_won for number, state in enumerate(states)]
    edges += [()] * (len(states) - len(edges))
    return _Found(states, edges, expanded), reason


def _decide(found: _Found, limits: Limits) -> tuple[dict[int, Verdict], bool]:
    """The verdicts of the unexpanded states, each decided on its own, and whether Ctrl-C ended that."""
    verdicts: dict[int, Verdict] = {}
    try:
        for number, state in enumerate(found.states):
            if not found.expanded[number]:
                solution = solve_state(state, limits=limits)
                if solution.stop_reason is StopReason.INTERRUPTED:
                    return verdicts, True
                verdicts[number] = solution.verdict
    except KeyboardInterrupt:
        return verdicts, True
    return verdicts, False


def _statuses(found: _Found, verdicts: dict[int, Verdict]) -> list[str]:
    """The status of every state, from one pass backward over the moves.

    The pass goes first from the states that are known to be won or winnable, then from those of which nothing is
    known. From what neither wave reaches, nothing but known losses can be reached.
    """
    predecessors: list[list[int]] = [[] for _ in found.states]
    for source, edges in enumerate(found.edges):
        for _, target, _ in edges:
            predecessors[target].append(source)
    won = [number for number, state in enumerate(found.states) if state.is_won]
    winnable = won + [number for number, verdict in verdicts.items() if verdict is Verdict.WINNABLE]
    unknown = [
        number
        for number, expanded in enumerate(found.expanded)
        if not expanded and verdicts.get(number, Verdict.UNDECIDED) is Verdict.UNDECIDED
    ]
    statuses = [""] * len(found.states)
    for status, pending in (("winnable", winnable), ("undecided", unknown)):
        while pending:
            number = pending.pop()
            if not statuses[number]:
                statuses[number] = status
                pending.extend(predecessors[number])
    for number, status in enumerate(statuses):
        if not status:
            blocked = not found.edges[number] and found.states[number].is_blocked
            statuses[number] = "blocked" if blocked else "unwinnable"
    for number in won:
        statuses[number] = "won"
    return statuses


def _fewest_redeals(found: _Found) -> list[int]:
    """By state, the fewest redeals that lead to it: the search in which a redeal costs 1 and any other move 0."""
    fewest = [-1] * len(found.states)
    redeals, pending = 0, [0]
    while pending:
        after_redeal: list[int] = []
        while pending:
            number = pending.pop()
            if fewest[number] < 0:
                fewest[number] = redeals
                for move, target, _ in found.edges[number]:
                    (after_redeal if move is REDEAL else pending).append(target)
        redeals, pending = redeals + 1, after_redeal
    return fewest


def _on_cycles(found: _Found) -> list[bool]:
    """By state, whether it is on a cycle, that is, in a strongly connected component that holds one.

    A play takes a card away for good, so a cycle is made of deals and redeals. A state has one of these at most, and
    so each component is a single cycle, into which one runs by going on and on.
    """
    onward = [edges[-1][1] if edges and edges[-1][0].kind != "play" else -1 for edges in found.edges]
    on_cycle = [False] * len(onward)
    walks = [-1] * len(onward)  # by state, the walk that came by first
    for start in range(len(onward)):
        number = start
        while number >= 0 and walks[number] < 0:
            walks[number] = start
            number = onward[number]
        if number >= 0 and walks[number] == start:
            while not on_cycle[number]:
                on_cycle[number] = True
                number = onward[number]
    return on_cycle


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


def _build(game: Game, found: _Found, statuses: list[str]) -> "nx.MultiDiGraph[str]":
    """The labelled graph."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    # networkx's own dictionaries are filled: its methods for adding nodes and edges would take as long as the search.
    nodes, successors, predecessors = (vars(graph)[name] for name in ("_node", "_adj", "_pred"))
    ids = [_node_id(game, state) for state in found.states]
    labels = zip(_fewest_redeals(found), statuses, _on_cycles(found), found.expanded, strict=True)
    for node, state, (redeals, status, cycle, expanded) in zip(ids, found.states, labels, strict=True):
        nodes[node] = vars(_NodeAttributes(state.text(), state.cards_left, redeals, status, cycle, expanded))
        successors[node] = {}
        predecessors[node] = {}
    merged = game.identity == "canonical"
    keeps_win = [None if status == "undecided" else status in _WINS for status in statuses]
    for source, edges in zip(ids, found.edges, strict=True):
        targets = successors[source]
        for move, number, state in edges:
            text, target = _text(move), ids[number]
            attributes = vars(_EdgeAttributes(text, move.kind, keeps_win[number]))
            if attributes["keeps_win"] is None:
                del attributes["keeps_win"]
            if merged and state != found.states[number]:
                attributes["relabel"] = _relabel(state, found.states[number])
            # No other move from here leads there: two moves leave other piles or other foundations higher.
            targets[target] = predecessors[target][source] = {text: attributes}
    return graph


def _node_id(game: Game, state: State) -> str:
    return game.key(state).hex()


@functools.cache
def _text(move: Move) -> str:
    """The move in notation: one text for all its edges."""
    return str(move)


def _relabel(state: State, same: State) -> str:
    """What to rename in a state to make it another of the same canonical form: suits, or cards where ranks count."""
    pairs = {(a, b) for a, b in zip(state.exact_key(), same.exact_key(), strict=True) if a != b}
    if state.rules.build == "suit":
        suits = sorted({(a >> 4, b >> 4) for a, b in pairs})
        return " ".join(f"{SUIT_LETTERS[a]}>{SUIT_LETTERS[b]}" for a, b in suits)
    return " ".join(f"{CARD_TEXT[a]}>{CARD_TEXT[b]}" for a, b in sorted(pairs))


def _verdict(status: str) -> Verdict:
    if status in _WINS:
        return Verdict.WINNABLE
    return Verdict.UNWINNABLE if status in _LOSSES else Verdict.UNDECIDED
