"""Decision graphs from the compiled exploration against those from the model: every node, every edge, every byte."""

import itertools
import os
import random
import subprocess
import sys
import time
import tracemalloc
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import Deal, Limits, Rules, State, Stats, StopReason, Verdict
from amazons_solver.export import FORMATS, export_graph
from amazons_solver.graphs import building
from amazons_solver.graphs import graph as graph_module
from amazons_solver.graphs.arrays import STATUSES
from amazons_solver.graphs.graph import DecisionGraph, decision_graph
from amazons_solver.solving.game import Game
from support import arbitrary as strategies
from support.choices import COMBINATIONS, name
from support.known import load_verdicts

pytestmark = pytest.mark.compiled

LIMITS: list[dict[str, Any]] = [
    {},
    {"max_redeals": 0},
    {"max_redeals": 11},
    {"idle_passes": 1},
    {"idle_passes": 3},
    {"max_redeals": 3, "idle_passes": 2},
]
BIG = Rules(withhold="any")
"""Deal 3 of these rules has millions of states."""


def both(deal: Deal, rules: Rules, states: int | None = None, decide: bool = False) -> tuple[DecisionGraph, ...]:
    """The model's graph, and the kernel's however small it is."""
    graphs = []
    for builder in (building.by_model, building.by_kernel):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(graph_module, "explored", builder)
            limits = Limits(states=states)
            graphs.append(decision_graph(deal, rules, limits=limits, decide_unexpanded=decide))
    return tuple(graphs)


def same(deal: Deal, rules: Rules, states: int | None = None, decide: bool = False) -> DecisionGraph:
    """Everything about the two is the same, the order included."""
    model, kernel = both(deal, rules, states, decide)
    ours, theirs = kernel.graph, model.graph
    assert ours.graph == theirs.graph
    assert list(ours) == list(theirs)
    assert list(ours.edges(keys=True)) == list(theirs.edges(keys=True))
    for elements in ("nodes", "edges"):
        items = [[list(each.items()) for each in getattr(graph, elements).values()] for graph in (ours, theirs)]
        assert items[0] == items[1]
        assert {type(value) for each in items[0] for _, value in each} <= {str, int, bool}
    assert [list(ours.pred[node]) for node in ours] == [list(theirs.pred[node]) for node in theirs]
    assert repr(kernel) == repr(model)
    assert kernel.shortest_line() == model.shortest_line()
    assert kernel.statuses() == model.statuses()
    assert (kernel.fatal_edges(), kernel.choices()) == (model.fatal_edges(), model.choices())
    assert list(kernel.winning_subgraph()) == list(model.winning_subgraph())
    return kernel


@pytest.mark.slow
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_small_decks_under_every_combination_and_limit(fields: dict[str, Any]) -> None:
    source = random.Random(name(fields))
    for limits in source.sample(LIMITS, 2):
        for suits, ranks in (("S", "TJQ"), ("CH", "A7")):
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            assert same(Deal.numbered(source.getrandbits(32), rules), rules).complete
    # And one that is cut off anywhere.
    rules = Rules(suits="CDHS", ranks="9Q", **fields, **limits)
    same(Deal.numbered(source.getrandbits(32), rules), rules, source.randint(1, 90), decide=source.random() < 0.2)


@pytest.mark.heavy
@pytest.mark.parametrize("fields", COMBINATIONS, ids=name)
def test_every_deal_of_small_decks_under_every_combination(fields: dict[str, Any]) -> None:
    for limits in LIMITS:
        for suits, ranks in (("C", "A7"), ("DS", "7"), ("CH", "A7"), ("S", "TJQ"), ("CDH", "K")):
            rules = Rules(suits=suits, ranks=ranks, **fields, **limits)
            for cards in itertools.permutations(rules.deck):
                same(Deal(cards), rules)


@pytest.mark.slow
@pytest.mark.parametrize("decide", [False, True])
def test_cut_off_at_every_limit(decide: bool) -> None:
    rules = Rules(suits="CD", ranks="A7", withhold="any")
    size = same(Deal.numbered(4, rules), rules).arrays.nodes
    reasons = {same(Deal.numbered(4, rules), rules, states, decide).stop_reason for states in range(1, size + 1)}
    assert reasons == {StopReason.STATES, StopReason.EXHAUSTED}


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["wikipedia", "morehead", "ultimate", "patiencen", "pysolfc"])
def test_full_decks(preset: str) -> None:
    rules = Rules.preset(preset)
    forced = rules.evolve(withhold="nothing")
    for number in range(2):
        same(Deal.numbered(number, rules), rules, 1500)
        same(Deal.numbered(number, forced), forced)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data())
def test_any_rules_any_deal_any_limit(data: st.DataObject) -> None:
    rules = data.draw(strategies.rules(max_ranks=7))
    same(data.draw(strategies.deals(rules)), rules, data.draw(st.integers(1, 200)), data.draw(st.booleans()))


@pytest.mark.parametrize("file_format", [each for each in FORMATS if each != "svg"])
def test_the_bytes_are_the_same(file_format: str) -> None:
    rules = Rules(suits="CDH", ranks="A7", gather="right-over-left", withhold="any", max_redeals=2)
    for states, decide in ((None, False), (40, True), (1, False)):
        model, kernel = both(Deal.numbered(8, rules), rules, states, decide)
        assert export_graph(model, file_format) == export_graph(kernel, file_format)


COUNTED = [row for row in load_verdicts() if row.get("states", 0) > 15_000]


@pytest.mark.slow
def test_known_counts_of_larger_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """So large ones come from the compiled exploration by themselves; the counts are those of independent programs."""
    handed_over, by_kernel = [], building.by_kernel

    def note(game: Game, *arguments: Any) -> Any:
        handed_over.append(game)
        return by_kernel(game, *arguments)

    monkeypatch.setattr(building, "by_kernel", note)
    large = 0
    for row in COUNTED[::4]:
        rules = Rules.preset(row["preset"]).evolve(**row["set"])
        if len(rules.deck) > 28:
            continue
        decisions = decision_graph(Deal.numbered(row["deal"], rules), rules, limits=Limits())
        arrays, counts = decisions.arrays, decisions.statuses()
        assert (arrays.nodes, arrays.edges, counts["won"]) == (row["states"], row["edges"], row["won_states"])
        assert decisions.complete
        assert decisions.verdict is Verdict(row["verdict"])
        line = decisions.shortest_line()
        assert (None if line is None else len(line)) == row.get("fewest_moves")
        won = arrays.status == STATUSES.index("won")
        assert min(arrays.redeals[won].tolist(), default=None) == row.get("fewest_redeals")
        large += row["states"] > 20_000
    assert len(handed_over) == large > 2


class TestHandingOver:
    """The model has the first 20,000 states; here fewer."""

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(building, "MODEL_STATES", 100)

    def test_the_graph_is_the_same(self) -> None:
        rules = Rules(suits="CD", ranks="A78", withhold="any")
        deal = Deal.numbered(0, rules)
        model, kernel = both(deal, rules)
        taken_over = decision_graph(deal, rules, limits=Limits())
        assert type(taken_over.arrays.notation) is type(kernel.arrays.notation) is not type(model.arrays.notation)
        assert nx.utils.graphs_equal(taken_over.graph, model.graph)

    @pytest.mark.parametrize(
        ("rules", "merge"),
        [
            (Rules(suits="CD", ranks="A78", withhold="any"), True),
            (Rules(ranks="A23456789TJQK", withhold="nothing"), False),
            (Rules(suits="C", ranks="A", withhold="any", max_redeals=4096), False),
        ],
        ids=["merged", "a large deck", "counters that do not fit"],
    )
    def test_what_stays_with_the_model(self, rules: Rules, merge: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(building, "by_kernel", None)
        decisions = decision_graph(Deal.numbered(0, rules), rules, merge_suits=merge)
        assert decisions.complete
        assert decisions.arrays.nodes > 100

    def test_a_limit_that_the_model_can_keep_loads_no_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(building, "by_kernel", None)
        assert decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(states=100)).arrays.nodes <= 100

    @pytest.mark.parametrize("seconds", [0, 0.3])
    def test_the_limit_on_time_is_for_both(self, seconds: float) -> None:
        decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(states=200))  # everything is loaded
        started = time.monotonic()
        decisions = decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(seconds=seconds))
        assert decisions.stop_reason is StopReason.SECONDS
        assert decisions.verdict is Verdict.UNDECIDED
        assert decisions.arrays.nodes >= (100 if seconds else 1)
        assert seconds <= time.monotonic() - started < seconds + 5  # labels come on top

    def test_time_that_is_up_when_the_kernel_begins_leaves_what_the_model_found(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        by_kernel = building.by_kernel
        monkeypatch.setattr(
            building, "by_kernel", lambda game, limits, _: by_kernel(game, Limits(seconds=0 * limits.states))
        )
        decisions = decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(states=1000))
        assert decisions.stop_reason is StopReason.SECONDS
        assert 90 < decisions.arrays.nodes <= 100

    def test_ctrl_c_while_the_kernel_is_loaded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*_: Any) -> Any:
            raise KeyboardInterrupt

        monkeypatch.setattr(building, "by_kernel", interrupted)
        monkeypatch.setattr(graph_module, "solve_state", None)  # nothing more is begun
        decisions = decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(states=1000), decide_unexpanded=True)
        assert decisions.stop_reason is StopReason.INTERRUPTED
        assert 90 < decisions.arrays.nodes <= 100

    def test_progress_never_falls_and_ctrl_c_keeps_what_there_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("amazons_solver.search.watch._SECONDS_BETWEEN_REPORTS", 0)
        reports: list[Stats] = []

        def note(stats: Stats) -> None:
            reports.append(stats)
            if stats.states > 50_000:
                raise KeyboardInterrupt

        decisions = decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(), progress=note)
        assert decisions.stop_reason is StopReason.INTERRUPTED
        assert reports[0].states <= 100
        assert decisions.arrays.nodes == reports[-1].states > 50_000
        for field in ("states", "generated", "duplicates", "expanded", "seconds"):
            values = [getattr(stats, field) for stats in reports]
            assert values == sorted(values)

    def test_single_states_are_decided_on_request(self) -> None:
        rules = Rules(suits="CD", ranks="A78", withhold="any")
        same(Deal.numbered(0, rules), rules, 300, decide=True)
        decisions = decision_graph(Deal.numbered(0, rules), rules, limits=Limits(states=300), decide_unexpanded=True)
        assert not decisions.complete
        assert decisions.statuses()["undecided"] == 0

    def test_the_limit_on_memory(self) -> None:
        decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(states=200))
        for memory in (4_000_000, 30_000_000):
            tracemalloc.start()
            decisions = decision_graph(Deal.numbered(3, BIG), BIG, limits=Limits(memory_bytes=memory))
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert decisions.stop_reason is StopReason.MEMORY
            assert decisions.arrays.nbytes < most <= memory * 1.1
            assert decisions.arrays.nodes > memory / 150


def test_arrays_and_attributes_say_the_same() -> None:
    _, decisions = both(Deal.numbered(3, BIG), BIG, 500)
    arrays, nodes = decisions.arrays, decisions.graph.nodes.values()
    assert [STATUSES[code] for code in arrays.status] == [each["status"] for each in nodes]
    for column in ("cards_left", "redeals", "cycle", "expanded"):
        assert getattr(arrays, column).tolist() == [each[column] for each in nodes]
    ids = decisions.ids(np.arange(arrays.nodes))
    edges = [
        (ids[source], ids[target], str(arrays.every_move[code]))
        for source, target, code in zip(arrays.sources, arrays.targets, arrays.moves.tolist(), strict=True)
    ]
    assert edges == list(decisions.graph.edges(keys=True))
    assert arrays.offsets.tolist() == [0, *np.cumsum([degree for _, degree in decisions.graph.out_degree()])]


def test_the_arrays_are_read_only() -> None:
    for decisions in both(Deal.numbered(3, BIG), BIG, 50):
        for column in ("status", "cards_left", "redeals", "cycle", "expanded", "offsets", "targets", "moves"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(decisions.arrays, column)[0] = 0


def test_the_path_to_a_node_is_a_shortest_one() -> None:
    for decisions in both(Deal.numbered(3, BIG), BIG, 800):
        distances = nx.single_source_shortest_path_length(decisions.graph, decisions.root)
        for number, node in enumerate(decisions.graph):
            path = decisions.ids(decisions.arrays.path_to(number))
            assert nx.is_path(decisions.graph, path)
            assert (path[0], path[-1], len(path)) == (decisions.root, node, distances[node] + 1)


WITHOUT_COMPILING = """
import numpy
from amazons_solver import Deal, Rules
from amazons_solver.graphs import building, graph
from amazons_solver.export import export_graph
rules = Rules(suits="CD", ranks="A7", withhold="any", max_redeals=10, idle_passes=2)
texts = []
for graph.explored in (building.by_model, building.by_kernel):
    with numpy.errstate(over="ignore"):
        texts.append(export_graph(graph.decision_graph(Deal.numbered(1, rules), rules), "json"))
print(texts[0] == texts[1], len(texts[0]) > 10_000)
"""


@pytest.mark.slow
def test_without_compiling() -> None:
    """The same functions as plain Python."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILING], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout == "True True\n"


@pytest.mark.slow
def test_a_million_nodes() -> None:
    rules = Rules.preset("pysolfc")
    decisions = decision_graph(Deal.numbered(0, rules), rules, limits=Limits(states=1_000_000))
    arrays = decisions.arrays
    assert 999_990 < arrays.nodes <= 1_000_000
    assert arrays.nbytes < 60 * arrays.nodes
    for number in range(0, arrays.nodes, 9_973):
        state = State.parse(arrays.notation.texts(np.array([number]))[0], rules)
        assert decisions.ids([number]) == [state.exact_key().hex()]
        assert state.cards_left == arrays.cards_left[number]
        edges = range(arrays.offsets[number], arrays.offsets[number + 1])
        targets = zip(arrays.moves[edges].tolist(), decisions.ids(arrays.targets[edges]), strict=True)
        followed = [(arrays.every_move[code], target) for code, target in targets]
        legal = [(move, after.exact_key().hex()) for move, after in state.successors()]
        assert followed == (legal if arrays.expanded[number] else [])
    # Each label follows from those of the successors.
    loses, undecided = (np.isin(arrays.status, codes) for codes in ((2, 3), (4,)))
    wins = ~loses & ~undecided
    reaches_win, reaches_undecided = (
        np.bincount(arrays.sources, weights=label[arrays.targets], minlength=arrays.nodes) > 0
        for label in (wins, undecided)
    )
    assert (wins == (reaches_win | (arrays.status == 0))).all()
    assert (undecided == ~wins & (reaches_undecided | ~arrays.expanded)).all()
