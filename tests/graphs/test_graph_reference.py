"""Decision graphs, whole and cut short, against tests/support/reference.py: every node, every edge, every label."""

from collections.abc import Hashable
from typing import Any

import attrs
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, Verdict
from amazons_solver.graphs.graph import DecisionGraph, decision_graph
from support import reference
from support.arbitrary import deals, rules

pytestmark = pytest.mark.slow

SHAPES = [
    Rules(suits="CD", ranks="A78", withhold="any"),
    Rules(suits="CD", ranks="A78", gather="right-over-left", base_placement="any"),
    Rules(suits="CD", ranks="A78", gather="right-over-left", withhold="nothing", top_anywhere=True),
    Rules(
        suits="CD", ranks="A78", base_placement="above", withhold="any", skip_complete=True, gather="right-over-left"
    ),
    Rules(suits="CD", ranks="A78", build="rank", base_placement="any", top_anywhere=True),
    Rules(suits="CD", ranks="A78", build="rank", withhold="any", gather="right-over-left", max_redeals=2),
    Rules(suits="CDH", ranks="A7", withhold="any", idle_passes=1),
    Rules(suits="CDH", ranks="A7", build="rank", base_placement="any", withhold="any", max_redeals=1, idle_passes=2),
    Rules(suits="CDHS", ranks="A", withhold="any", base_placement="above"),
    Rules(suits="C", ranks="A23456", withhold="any"),
    Rules(suits="H", ranks="7", idle_passes=1),
]


@attrs.frozen
class Truth:
    """What the reference says of a deal, with states and labels by the notation of the state found first."""

    plain: reference.Rules
    space: reference.Space
    status: dict[str, str]
    redeals: dict[str, int]
    cycle: dict[str, bool]
    edges: dict[tuple[str, str], tuple[str, str]]
    """By source and move: the target, and the state as the move makes it."""

    @classmethod
    def of(cls, deal: Deal, chosen: Rules, merged: bool) -> "Truth":
        plain: reference.Rules = chosen.to_dict()  # type: ignore[assignment]
        space = reference.explore(plain, str(deal), "canonical" if merged else "exact")
        text = {key: reference.text(plain, state) for key, state in space.states.items()}
        status = {text[key]: "unwinnable" if space.edges[key] else "blocked" for key in space.states}
        status |= {text[key]: "winnable" for key in reference.winnable(space)}
        status |= {text[key]: "won" for key in space.won}
        edges = {}
        for key, state in space.states.items():
            followed = zip(space.edges[key], reference.moves(plain, state), strict=True)
            for (move, target), (same_move, successor) in followed:
                assert move == same_move
                edges[text[key], move] = text[target], reference.text(plain, successor)
        redeals = {text[key]: count for key, count in fewest_redeals(space).items()}
        graph = nx.DiGraph([(source, target) for (source, _), (target, _) in edges.items()])
        graph.add_nodes_from(text.values())
        cycle = dict.fromkeys(graph, False)
        for component in nx.strongly_connected_components(graph):
            cycle |= dict.fromkeys(component, graph.subgraph(component).number_of_edges() > 0)
        return cls(plain, space, status, redeals, cycle, edges)


def fewest_redeals(space: reference.Space) -> dict[Hashable, int]:
    """Lower every state's count by its predecessors' until nothing changes."""
    counts: dict[Hashable, int] = {space.root: 0}
    changed = True
    while changed:
        changed = False
        for key in space.states:
            for move, target in space.edges[key]:
                count = counts.get(key, 10**6) + (move == "r")
                if count < counts.get(target, 10**6):
                    counts[target], changed = count, True
    return counts


def by_text(decisions: DecisionGraph) -> dict[str, dict[str, Any]]:
    return {attributes["state"]: attributes for attributes in decisions.graph.nodes.values()}


def edges_by_text(decisions: DecisionGraph) -> dict[tuple[str, str], tuple[str, dict[str, Any]]]:
    states = nx.get_node_attributes(decisions.graph, "state")
    return {
        (states[source], key): (states[target], attributes)
        for (source, target, key), attributes in decisions.graph.edges.items()
    }


def renamed(text: str, relabel: str) -> str:
    """A state in which cards, or the suits of all cards, have other names."""
    table = dict(pair.split(">") for pair in relabel.split())
    words = []
    for word in text.split():
        if word in table:
            words.append(table[word])
        elif len(word) == 2 and word[1] in table:
            words.append(word[0] + table[word[1]])
        else:
            words.append(word)
    return " ".join(words)


def check_whole(decisions: DecisionGraph, truth: Truth) -> None:
    nodes, edges = by_text(decisions), edges_by_text(decisions)
    assert len(nodes) == len(decisions.graph)
    assert decisions.complete
    assert {text: attributes["status"] for text, attributes in nodes.items()} == truth.status
    assert {text: attributes["redeals"] for text, attributes in nodes.items()} == truth.redeals
    assert {text: attributes["cycle"] for text, attributes in nodes.items()} == truth.cycle
    assert all(attributes["expanded"] for attributes in nodes.values())
    assert {edge: target for edge, (target, _) in edges.items()} == {
        edge: target for edge, (target, _) in truth.edges.items()
    }
    for text, attributes in nodes.items():
        assert attributes["cards_left"] == sum(word[1:2].isalpha() for word in text_without_foundations(text))
    check_line(decisions, truth)
    fatal = {edge for edge, (target, _) in truth.edges.items() if wins(truth, edge[0]) and not wins(truth, target)}
    states = nx.get_node_attributes(decisions.graph, "state")
    assert {(states[source], key) for source, _, key in decisions.fatal_edges()} == fatal
    kept = {source for (source, _), (target, _) in truth.edges.items() if wins(truth, target)}
    assert [states[node] for node in decisions.choices()] == [
        text for text in nodes if text in kept and text in {source for source, _ in fatal}
    ]
    assert {states[node] for node in decisions.winning_subgraph()} == {text for text in nodes if wins(truth, text)}


def text_without_foundations(text: str) -> list[str]:
    return [word for part in text.split(" | ")[:2] for word in part.split()]


def wins(truth: Truth, text: str) -> bool:
    return truth.status[text] in ("won", "winnable")


def check_edges(decisions: DecisionGraph, truth: Truth) -> None:
    """Every edge there is, is true."""
    kinds = {"d": "deal", "r": "redeal"}
    for (source, move), (target, attributes) in edges_by_text(decisions).items():
        true_target, made = truth.edges[source, move]
        assert target == true_target
        assert attributes["move"] == move
        assert attributes["kind"] == kinds.get(move, "play")
        assert attributes.get("keeps_win", wins(truth, target)) == wins(truth, target)
        assert renamed(made, attributes.get("relabel", "")) == target
        assert ("relabel" in attributes) == (made != target)


def check_line(decisions: DecisionGraph, truth: Truth) -> None:
    """If a won state is in the graph, the line has the fewest moves there are and is played with the deal's cards."""
    line = decisions.shortest_line()
    won = "won" in nx.get_node_attributes(decisions.graph, "status").values()
    assert (line is not None) == won
    if line is not None:
        assert len(line) == reference.fewest_moves(truth.space)
        cards = decisions.graph.graph["deal"].split()
        state = reference.initial(truth.plain, " ".join(cards[":" in cards[0] :]))  # a name may stand before them
        for move in line:
            state = dict(reference.moves(truth.plain, state))[str(move)]
        assert reference.is_won(truth.plain, state)


def check_cut(decisions: DecisionGraph, truth: Truth, decided: bool) -> None:
    """Nothing that the graph says is wrong, and it says all that follows from what is in it."""
    graph = decisions.graph
    status, expanded = (nx.get_node_attributes(graph, name) for name in ("status", "expanded"))
    moves: dict[str, set[str]] = {}
    for source, move in truth.edges:
        moves.setdefault(source, set()).add(move)
    for node, attributes in graph.nodes.items():
        text = attributes["state"]
        followed = {key for _, _, key in graph.out_edges(node, keys=True)}
        assert followed == (moves.get(text, set()) if expanded[node] else set())
        assert status[node] in ("undecided", truth.status[text])
        assert attributes["redeals"] >= truth.redeals[text]
        assert attributes["cycle"] <= truth.cycle[text]
        if status[node] == "undecided":
            assert not decided
            reached = nx.descendants(graph, node) | {node}
            assert "won" not in {status[other] for other in reached}
            assert not all(expanded[other] for other in reached)
        for _, target, keeps_win in graph.out_edges(node, data="keeps_win"):
            assert (keeps_win is None) == (status[target] == "undecided")
    fatal = {
        (source, target, key)
        for source, target, key in graph.edges(keys=True)
        if status[source] == "winnable" and status[target] in ("blocked", "unwinnable")
    }
    assert set(decisions.fatal_edges()) == fatal
    assert set(decisions.choices()) == {source for source, _, _ in fatal}
    assert decisions.complete == all(expanded.values())
    verdicts = {"won": "winnable", "blocked": "unwinnable"}
    assert decisions.verdict is Verdict(verdicts.get(status[decisions.root], status[decisions.root]))
    check_line(decisions, truth)


def name(chosen: Rules) -> str:
    return ",".join(str(value) for field, value in chosen.to_dict().items() if value != Rules().to_dict()[field])


@pytest.mark.parametrize("merged", [False, True], ids=["exact", "merged"])
@pytest.mark.parametrize("chosen", SHAPES, ids=name)
def test_whole_graphs(chosen: Rules, merged: bool) -> None:
    for number in range(4):
        deal = Deal.numbered(number, chosen)
        truth = Truth.of(deal, chosen, merged)
        decisions = decision_graph(deal, chosen, merge_suits=merged)
        check_whole(decisions, truth)
        check_edges(decisions, truth)


@pytest.mark.parametrize("merged", [False, True], ids=["exact", "merged"])
@pytest.mark.parametrize("chosen", SHAPES, ids=name)
def test_graphs_cut_short_at_many_limits(chosen: Rules, merged: bool) -> None:
    deal = Deal.numbered(11, chosen)
    truth = Truth.of(deal, chosen, merged)
    size = len(truth.space.states)
    few = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377]
    for states in sorted({*few, size // 2, size - 1, size} & set(range(1, size + 1))):
        for decide in (False, True):
            limits = Limits(states=states)
            decisions = decision_graph(deal, chosen, merge_suits=merged, limits=limits, decide_unexpanded=decide)
            check_cut(decisions, truth, decide)
            check_edges(decisions, truth)
            if states == size:
                check_whole(decisions, truth)


@settings(max_examples=60)
@given(st.data())
def test_any_rules_any_deal_any_limit(data: st.DataObject) -> None:
    chosen = data.draw(rules(max_suits=3, max_ranks=3).filter(lambda found: len(found.deck) <= 6))
    deal = data.draw(deals(chosen))
    merged, decide = data.draw(st.booleans()), data.draw(st.booleans())
    truth = Truth.of(deal, chosen, merged)
    limits = Limits(states=data.draw(st.integers(1, len(truth.space.states))))
    decisions = decision_graph(deal, chosen, merge_suits=merged, limits=limits, decide_unexpanded=decide)
    check_cut(decisions, truth, decide)
    check_edges(decisions, truth)
