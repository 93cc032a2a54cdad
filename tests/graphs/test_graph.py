"""Decision graphs of games that are small enough to be played out by hand, in the comments."""

import contextlib
import gc
import inspect
import sys
from typing import Any

import networkx as nx
import pytest

from amazons_solver import Deal, Limits, NotationError, Rules, Solution, State, StopReason, Verdict, format_line
from amazons_solver.graphs import graph as graph_module
from amazons_solver.graphs.graph import DecisionGraph, decision_graph
from support.known import load_verdicts
from support.small_games import CIRCLE_DEAL, CIRCLE_RULES, STUCK_DEAL, STUCK_RULES, TRAP_DEAL, TRAP_RULES

CIRCLE = ["7C AC | - | -", "AC | 7C | -", "- | 7C AC | -", "- | 7C | AC", "- | - | 7C"]
TRAP = [
    f"{state} | redeals=0"
    for state in ["AC 7C | - | -", "7C | AC | -", "7C | - | AC", "- | AC 7C | -", "- | 7C | AC", "- | - | 7C"]
]


def build(deal: str, rules: Rules, **options: Any) -> DecisionGraph:
    return decision_graph(Deal.parse(deal, rules), rules, **options)


def column(decisions: DecisionGraph, attribute: str) -> list[Any]:
    return [attributes[attribute] for attributes in decisions.graph.nodes.values()]


def edges(decisions: DecisionGraph) -> list[tuple[Any, ...]]:
    states = nx.get_node_attributes(decisions.graph, "state")
    return [
        (states[source], key, states[target], attributes["kind"], attributes.get("keeps_win"))
        for (source, target, key), attributes in decisions.graph.edges.items()
    ]


def test_a_won_game_with_a_redeal_cycle() -> None:
    decisions = build(CIRCLE_DEAL, CIRCLE_RULES)
    assert column(decisions, "state") == CIRCLE
    assert column(decisions, "cards_left") == [2, 2, 2, 1, 0]
    assert column(decisions, "redeals") == [0, 0, 0, 0, 0]
    assert column(decisions, "status") == ["winnable"] * 4 + ["won"]
    assert column(decisions, "cycle") == [True, True, True, False, False]
    assert column(decisions, "expanded") == [True] * 5
    assert edges(decisions) == [
        (CIRCLE[0], "d", CIRCLE[1], "deal", True),
        (CIRCLE[1], "d", CIRCLE[2], "deal", True),
        (CIRCLE[2], "AC>1", CIRCLE[3], "play", True),
        (CIRCLE[2], "r", CIRCLE[0], "redeal", True),
        (CIRCLE[3], "7C>1", CIRCLE[4], "play", True),
    ]
    assert all(key == attributes["move"] for (_, _, key), attributes in decisions.graph.edges.items())
    assert decisions.verdict is Verdict.WINNABLE
    assert decisions.complete
    assert decisions.stop_reason is StopReason.EXHAUSTED
    line = decisions.shortest_line()
    assert line is not None
    assert format_line(line) == "d d AC>1 7C>1"
    assert decisions.fatal_edges() == decisions.choices() == []
    assert set(decisions.winning_subgraph()) == set(decisions.graph)


def test_a_game_with_a_fatal_move() -> None:
    decisions = build(TRAP_DEAL, TRAP_RULES)
    assert column(decisions, "state") == TRAP
    assert column(decisions, "status") == ["winnable", "winnable", "winnable", "blocked", "winnable", "won"]
    assert edges(decisions) == [
        (TRAP[0], "d", TRAP[1], "deal", True),
        (TRAP[1], "AC>1", TRAP[2], "play", True),
        (TRAP[1], "d", TRAP[3], "deal", False),
        (TRAP[2], "d", TRAP[4], "deal", True),
        (TRAP[4], "7C>1", TRAP[5], "play", True),
    ]
    nodes = list(decisions.graph)
    assert decisions.fatal_edges() == [(nodes[1], nodes[3], "d")]
    assert decisions.choices() == [nodes[1]]
    winning = decisions.winning_subgraph()
    assert set(winning) == set(nodes) - {nodes[3]}
    assert set(winning.edges(keys=True)) == set(decisions.graph.edges(keys=True)) - {(nodes[1], nodes[3], "d")}


def test_an_unwinnable_game() -> None:
    decisions = build(STUCK_DEAL, STUCK_RULES)
    # The start, and after d, AC>1, d, AD>2, r; a deal then comes back to the state before the redeal.
    assert column(decisions, "status") == ["unwinnable"] * 6
    assert column(decisions, "cycle") == [False, False, False, False, True, True]
    assert column(decisions, "redeals") == [0, 0, 0, 0, 0, 1]
    assert {keeps_win for *_, keeps_win in edges(decisions)} == {False}
    assert decisions.verdict is Verdict.UNWINNABLE
    assert decisions.shortest_line() is None
    assert decisions.fatal_edges() == decisions.choices() == []
    assert len(decisions.winning_subgraph()) == 0


def test_node_ids_are_keys_in_hexadecimal() -> None:
    exact, merged = (build(STUCK_DEAL, STUCK_RULES, merge_suits=merge) for merge in (False, True))
    for decisions, key in ((exact, State.exact_key), (merged, State.key)):
        states = [State.parse(text, STUCK_RULES) for text in column(decisions, "state")]
        assert list(decisions.graph) == [key(state).hex() for state in states]
        assert decisions.root == key(State.initial(Deal.parse(STUCK_DEAL, STUCK_RULES), STUCK_RULES)).hex()


@pytest.mark.parametrize(("build_by", "relabel"), [("suit", "C>D D>C"), ("rank", "AC>AD AD>AC")])
def test_merged_edges_say_what_to_rename(build_by: str, relabel: str) -> None:
    # d: AC ; AD. Then AC>1 AD>2, which leaves AC ; AD, or AD>1 AC>2, which leaves AD ; AC: the same but for names.
    rules = Rules(suits="CD", ranks="A", withhold="nothing", build=build_by)
    exact, merged = (build("AC AD", rules, merge_suits=merge) for merge in (False, True))
    assert column(exact, "state")[-2:] == ["- | - ; - | AC ; AD", "- | - ; - | AD ; AC"]
    assert column(merged, "state") == column(exact, "state")[:-1]
    assert not any("relabel" in attributes for attributes in exact.graph.edges.values())
    relabelled = {
        (merged.graph.nodes[source]["state"], key, merged.graph.nodes[target]["state"]): attributes["relabel"]
        for (source, target, key), attributes in merged.graph.edges.items()
        if "relabel" in attributes
    }
    assert relabelled == {("- | AC ; - | AD ; -", "AC>2", "- | - ; - | AC ; AD"): relabel}


class TestCutShort:
    def test_what_is_not_known_is_undecided(self) -> None:
        # The fourth state is one too many, so the moves of the third are not followed.
        decisions = build(CIRCLE_DEAL, CIRCLE_RULES, limits=Limits(states=3))
        assert column(decisions, "state") == CIRCLE[:3]
        assert column(decisions, "status") == ["undecided"] * 3
        assert column(decisions, "expanded") == [True, True, False]
        assert edges(decisions) == [
            (CIRCLE[0], "d", CIRCLE[1], "deal", None),
            (CIRCLE[1], "d", CIRCLE[2], "deal", None),
        ]
        assert not any("keeps_win" in attributes for attributes in decisions.graph.edges.values())
        assert not decisions.complete
        assert decisions.stop_reason is StopReason.STATES
        assert decisions.verdict is Verdict.UNDECIDED
        assert decisions.shortest_line() is None

    def test_a_won_state_has_no_moves_to_follow(self) -> None:
        decisions = build(CIRCLE_DEAL, CIRCLE_RULES, limits=Limits(states=5))
        assert column(decisions, "expanded") == [True] * 5
        assert decisions.complete

    def test_single_states_are_decided_on_request(self) -> None:
        decisions = build(TRAP_DEAL, TRAP_RULES, limits=Limits(states=4), decide_unexpanded=True)
        assert column(decisions, "state") == TRAP[:4]
        assert column(decisions, "expanded") == [True, True, False, False]
        assert column(decisions, "status") == ["winnable", "winnable", "winnable", "blocked"]
        assert [keeps_win for *_, keeps_win in edges(decisions)] == [True, True, False]
        assert decisions.choices() == [list(decisions.graph)[1]]
        assert not decisions.complete
        assert decisions.verdict is Verdict.WINNABLE
        assert decisions.shortest_line() is None  # no won state is in the graph

    def test_the_limit_on_time_is_one_for_the_graph_and_all_decisions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        given = []

        def note(state: State, *, limits: Limits) -> Solution:
            given.append(limits)
            return solve_state(state, limits=limits)

        solve_state = graph_module.solve_state
        monkeypatch.setattr(graph_module, "solve_state", note)
        limits = Limits(states=4, seconds=60, memory_bytes=10**8)
        build(TRAP_DEAL, TRAP_RULES, limits=limits, decide_unexpanded=True)
        assert [(each.states, each.memory_bytes) for each in given] == [(None, 10**8)] * 2
        assert 60 > (given[0].seconds or 0) > (given[1].seconds or 0) > 50

    def test_a_state_that_is_not_decided_in_time_stays_undecided(self) -> None:
        decisions = build(TRAP_DEAL, TRAP_RULES, limits=Limits(seconds=0), decide_unexpanded=True)
        assert column(decisions, "status") == ["undecided"]
        assert decisions.stop_reason is StopReason.SECONDS

    def test_the_graph_counts_on_the_limit_on_memory(self) -> None:
        deal, rules = Deal.numbered(0), Rules()
        decisions = decision_graph(deal, rules, limits=Limits(memory_bytes=2_000_000))
        assert decisions.stop_reason is StopReason.MEMORY
        # About 1,100 bytes each, as benchmarks/graph.py measures, and half as much again while it is built.
        assert 400 < len(decisions.graph) < 1_800


class TestInterrupted:
    """Ctrl-C may come at any step; here it comes when the states have been asked for their moves so many times."""

    @pytest.mark.parametrize("calls", range(6))
    def test_while_exploring(self, calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
        successors, left = State.successors, iter(range(calls))

        def interrupted(state: State) -> Any:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return successors(state)

        monkeypatch.setattr(State, "successors", interrupted)
        monkeypatch.setattr(graph_module, "solve_state", None)  # nothing more is begun
        decisions = build(CIRCLE_DEAL, CIRCLE_RULES, decide_unexpanded=True)
        monkeypatch.undo()
        # After so many expansions, these are found; all five have been expanded by the fifth.
        found = [1, 2, 3, 4, 5, 5][calls]
        assert column(decisions, "state") == CIRCLE[:found]
        assert column(decisions, "status")[0] == ("winnable" if calls >= 4 else "undecided")
        assert decisions.stop_reason is (StopReason.INTERRUPTED if calls < 5 else StopReason.EXHAUSTED)
        assert decisions.complete == (calls >= 4)
        assert gc.isenabled()

    @pytest.mark.parametrize("from_inside", [False, True])
    def test_while_deciding(self, from_inside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        solve_state, left = graph_module.solve_state, iter([None])

        def interrupted(state: State, *, limits: Limits) -> Solution:
            if next(left, "gone") is None:
                return solve_state(state, limits=limits)
            if not from_inside:
                raise KeyboardInterrupt
            with monkeypatch.context() as context:
                context.setattr(State, "successors", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
                return solve_state(state, limits=limits)

        monkeypatch.setattr(graph_module, "solve_state", interrupted)
        decisions = build(TRAP_DEAL, TRAP_RULES, limits=Limits(states=4), decide_unexpanded=True)
        assert column(decisions, "status") == ["winnable", "winnable", "winnable", "undecided"]
        assert decisions.stop_reason is StopReason.INTERRUPTED


def test_attributes_are_each_nodes_and_each_edges_own() -> None:
    graph = build(CIRCLE_DEAL, CIRCLE_RULES).graph
    nodes = list(graph)
    graph.nodes[nodes[0]]["colour"] = "red"
    graph.edges[nodes[0], nodes[1], "d"]["colour"] = "blue"
    assert nx.get_node_attributes(graph, "colour") == {nodes[0]: "red"}
    assert nx.get_edge_attributes(graph, "colour") == {(nodes[0], nodes[1], "d"): "blue"}
    assert list(graph.in_edges(nodes[1], keys=True, data="colour")) == [(nodes[0], nodes[1], "d", "blue")]


def test_the_graph_is_what_networkx_itself_would_build() -> None:
    rules = Rules(suits="CD", ranks="A78", base_placement="any", withhold="any")
    graph = decision_graph(Deal.numbered(7, rules), rules, merge_suits=True, limits=Limits(states=200)).graph
    again: nx.MultiDiGraph[str] = nx.MultiDiGraph(**graph.graph)
    again.add_nodes_from(graph.nodes(data=True))
    again.add_edges_from(graph.edges(keys=True, data=True))
    assert type(graph) is nx.MultiDiGraph
    assert nx.utils.graphs_equal(graph, again)
    assert vars(graph).keys() >= vars(again).keys()
    for node in graph:
        assert dict(graph.pred[node]) == dict(again.pred[node])
    graph.remove_nodes_from(list(graph)[::2])
    again.remove_nodes_from(list(again)[::2])
    assert nx.utils.graphs_equal(graph, again)
    assert list(graph.in_edges(keys=True)) == list(again.in_edges(keys=True))


def test_the_graph_says_what_it_is_of() -> None:
    decisions = build(TRAP_DEAL, TRAP_RULES, merge_suits=True, limits=Limits(states=4))
    assert decisions.graph.graph == {
        "deal": TRAP_DEAL,
        "rules": TRAP_RULES.to_json(),
        "merged": True,
        "root": decisions.root,
        "complete": False,
        "verdict": "undecided",
        "node_default": {},
        "edge_default": {},
    }
    assert repr(decisions) == "<DecisionGraph undecided, 4 nodes, 3 edges, cut short (states)>"
    assert repr(build(TRAP_DEAL, TRAP_RULES)) == "<DecisionGraph winnable, 6 nodes, 5 edges, complete>"


@pytest.mark.compiled
@pytest.mark.slow
def test_the_default_limit_is_on_states() -> None:
    rules = Rules(withhold="any")
    decisions = decision_graph(Deal.numbered(3, rules), rules)
    assert decisions.stop_reason is StopReason.STATES
    # The state whose moves would not all fit is not expanded: some of its successors, at most five, are not there.
    assert 99_995 <= len(decisions.graph) <= 100_000


def test_a_deal_of_another_deck_is_refused() -> None:
    with pytest.raises(NotationError, match="expected a card of the deck"):
        decision_graph(Deal.numbered(0), CIRCLE_RULES)


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amazons_solver.search.watch._SECONDS_BETWEEN_REPORTS", 0)
    reports: list[int] = []
    build(CIRCLE_DEAL, CIRCLE_RULES, progress=lambda stats: reports.append(stats.states))
    assert reports


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled: bool, fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if fails:
        monkeypatch.setattr(State, "text", lambda _: 1 / 0)
    try:
        if not enabled:
            gc.disable()
        with pytest.raises(ZeroDivisionError) if fails else contextlib.nullcontext():
            build(CIRCLE_DEAL, CIRCLE_RULES)
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


def test_long_games_need_no_deep_stack() -> None:
    rules = Rules(ranks="A23456789TJQK", withhold="nothing")
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 60)
        decisions = decision_graph(Deal.numbered(0, rules), rules)
        line = decisions.shortest_line()
    finally:
        sys.setrecursionlimit(limit)
    assert line is not None
    assert len(line) == 380  # as tests/fixtures/verdicts.jsonl has it


SMALL = [row for row in load_verdicts() if row.get("states", 10**6) <= 800][::3]


@pytest.mark.slow
@pytest.mark.parametrize("row", SMALL, ids=lambda row: f"{row['preset']}-{row['set']}-{row['deal']}")
def test_known_counts(row: dict[str, Any]) -> None:
    rules = Rules.preset(row["preset"]).evolve(**row["set"])
    deal = Deal.numbered(row["deal"], rules)
    for merge, prefix in ((False, ""), (True, "canonical_")):
        decisions = decision_graph(deal, rules, merge_suits=merge)
        won = [attributes for attributes in decisions.graph.nodes.values() if attributes["status"] == "won"]
        counts = len(decisions.graph), decisions.graph.number_of_edges(), len(won)
        assert counts == tuple(row[f"{prefix}{what}"] for what in ("states", "edges", "won_states"))
        assert decisions.verdict is Verdict(row["verdict"])
        assert min((attributes["redeals"] for attributes in won), default=None) == row.get("fewest_redeals")
        line = decisions.shortest_line()
        if "fewest_moves" in row or row["verdict"] == "unwinnable":
            assert (None if line is None else len(line)) == row.get("fewest_moves")
        assert line is None or State.initial(deal, rules).play_line(line).is_won
