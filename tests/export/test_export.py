"""The writers of decision graphs: what they write is read back equal, is the same every time, and can be drawn."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from networkx.readwrite.graphml import write_graphml_xml

from amazons_solver import AmazonsError, Deal, Limits, MissingToolError, OptionError, Rules
from amazons_solver.export import FORMATS, check_format, export_graph, export_parts, write_graph
from amazons_solver.graphs.graph import DecisionGraph, decision_graph

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")

BY_SUIT = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="any")
BY_RANK = BY_SUIT.evolve(build="rank", base_placement="any", max_redeals=1, idle_passes=1)


def sample(rules: Rules, states: int | None, merge: bool, decide: bool = False) -> DecisionGraph:
    return decision_graph(
        Deal.numbered(1, rules), rules, limits=Limits(states=states), merge_suits=merge, decide_unexpanded=decide
    )


SAMPLES = {
    "whole": sample(BY_SUIT, None, merge=False),
    "merged": sample(BY_SUIT, None, merge=True),
    "merged by rank": sample(BY_RANK, None, merge=True),
    "cut short": sample(BY_SUIT, 30, merge=False),
    "cut short, merged and decided": sample(BY_SUIT, 30, merge=True, decide=True),
    "a single node": sample(BY_SUIT, 1, merge=False),
}
every_sample = pytest.mark.parametrize("decisions", SAMPLES.values(), ids=SAMPLES.keys())


def test_the_samples_have_all_there_is_to_write() -> None:
    graphs = [decisions.graph for decisions in SAMPLES.values()]
    nodes = [attributes for graph in graphs for attributes in graph.nodes.values()]
    edges = [attributes for graph in graphs for attributes in graph.edges.values()]
    statuses = {"won", "winnable", "blocked", "unwinnable", "undecided"}
    assert {attributes["status"] for attributes in nodes} == statuses
    assert (
        {attributes["cycle"] for attributes in nodes}
        == {attributes["expanded"] for attributes in nodes}
        == {True, False}
    )
    assert {attributes.get("keeps_win") for attributes in edges} == {True, False, None}
    assert {attributes["kind"] for attributes in edges} == {"deal", "redeal", "play"}
    assert {attributes.get("relabel", "")[2:3] for attributes in edges} == {"", "D", ">"}  # C>D D>C and AC>AD AD>AC
    assert any(decisions.fatal_edges() for decisions in SAMPLES.values())


@pytest.mark.slow
@every_sample
def test_graphml_is_read_back_equal(decisions: DecisionGraph) -> None:
    content = io.BytesIO(export_graph(decisions, "graphml"))
    read = nx.read_graphml(content, node_type=str, edge_key_type=str, force_multigraph=True)
    assert type(read) is nx.MultiDiGraph
    keys = [key for _, _, key in read.edges(keys=True)]
    assert len(set(keys)) == len(keys)
    by_move = nx.MultiDiGraph(**read.graph)
    by_move.add_nodes_from(read.nodes.items())
    for source, target, attributes in read.edges(data=True):
        by_move.add_edge(source, target, attributes["move"], **attributes)
    assert nx.utils.graphs_equal(by_move, decisions.graph)  # but for the keys, which are numbered through the file


@every_sample
def test_json_is_read_back_equal(decisions: DecisionGraph) -> None:
    read = nx.node_link_graph(json.loads(export_graph(decisions, "json")), edges="edges")
    assert type(read) is nx.MultiDiGraph
    assert nx.utils.graphs_equal(read, decisions.graph)


def by_networkx(graph: "nx.MultiDiGraph[str]", file_format: str) -> bytes:
    """What networkx itself writes."""
    if file_format == "json":
        return json.dumps(nx.node_link_data(graph, edges="edges")).encode() + b"\n"
    file = io.BytesIO()
    if file_format == "graphml":
        numbered = nx.MultiDiGraph(**graph.graph)
        numbered.add_nodes_from(graph.nodes.items())
        for number, (source, target, attributes) in enumerate(graph.edges(data=True)):
            numbered.add_edge(source, target, f"e{number}", **attributes)
        write_graphml_xml(numbered, file, named_key_ids=True)
        return re.sub(rb">(True|False)<", lambda match: match[0].lower(), file.getvalue())
    nx.write_gexf(graph, file)
    creator = rb"<meta><creator>amazons-solver</creator></meta>"
    return re.sub(rb"<meta .*?</meta>", creator, file.getvalue(), count=1, flags=re.DOTALL)


@pytest.mark.parametrize("file_format", ["graphml", "gexf", "json"])
@every_sample
def test_the_bytes_are_those_of_networkx(decisions: DecisionGraph, file_format: str) -> None:
    assert export_graph(decisions, file_format) == by_networkx(decisions.graph, file_format)


@pytest.mark.slow
@pytest.mark.parametrize("file_format", ["graphml", "gexf"])
@pytest.mark.parametrize("rules", [BY_SUIT, BY_RANK.evolve(idle_passes=None, max_redeals=0)], ids=["suit", "rank"])
def test_attributes_are_declared_in_the_order_in_which_they_are_first_met(file_format: str, rules: Rules) -> None:
    orders = set()
    for states in range(2, 36):
        decisions = sample(rules, states, merge=True)
        assert export_graph(decisions, file_format) == by_networkx(decisions.graph, file_format)
        orders.add(tuple(dict.fromkeys(name for edge in decisions.graph.edges.values() for name in edge)))
    assert len(orders) > 2


@pytest.mark.slow
def test_parts_of_a_large_file_are_made_one_by_one() -> None:
    rules = Rules(withhold="any")
    decisions = decision_graph(Deal.numbered(3, rules), rules, limits=Limits(states=4000))
    for name in FORMATS:
        if name not in ("svg", "html"):  # which are made whole
            parts = list(export_parts(decisions, name))
            assert len(parts) > 1
            assert max(map(len, parts)) < 4_000_000
            assert b"".join(parts) == export_graph(decisions, name)


def texts(attributes: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in attributes.items()}


def expected(decisions: DecisionGraph) -> tuple[dict[str, Any], dict[tuple[str, str, str], Any]]:
    """Nodes and edges with their attributes as texts; an edge's key is its move."""
    graph = decisions.graph
    nodes = {node: texts(attributes) for node, attributes in graph.nodes.items()}
    return nodes, {edge: texts(attributes) for edge, attributes in graph.edges.items()}


@pytest.mark.slow
@every_sample
def test_gexf_holds_the_same_nodes_edges_and_texts(decisions: DecisionGraph) -> None:
    read = nx.read_gexf(io.BytesIO(export_graph(decisions, "gexf")), node_type=str)
    nodes = {node: texts(attributes) for node, attributes in read.nodes(data=True)}
    edges = {(source, target, each["move"]): texts(each) for source, target, each in read.edges(data=True)}
    # networkx adds labels to the nodes and numbers to the edges.
    assert all(attributes.pop("label") == node for node, attributes in nodes.items())
    assert [attributes.pop("id") for attributes in edges.values()] == [str(number) for number in range(len(edges))]
    assert read.is_directed()
    assert (nodes, edges) == expected(decisions)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # pydot and pyparsing warn of each other's code
@every_sample
def test_dot_holds_the_same_nodes_edges_and_texts(decisions: DecisionGraph) -> None:
    import pydot  # noqa: PLC0415 (it warns when its parser is loaded)

    [read] = pydot.graph_from_dot_data(export_graph(decisions, "dot").decode())
    assert read.get_type() == "digraph"
    nodes = {unquoted(node.get_name()): unquoted_all(node.get_attributes()) for node in read.get_nodes()}
    edges = {}
    for edge in read.get_edges():
        attributes = unquoted_all(edge.get_attributes())
        edges[unquoted(edge.get_source()), unquoted(edge.get_destination()), attributes["key"]] = attributes
    true_nodes, true_edges = expected(decisions)
    assert nodes.keys() == true_nodes.keys()
    assert edges.keys() == true_edges.keys()
    for read_attributes, true_attributes in ((nodes, true_nodes), (edges, true_edges)):
        for element, attributes in true_attributes.items():
            names = NODE_NAMES if isinstance(element, str) else EDGE_NAMES
            assert {name: value for name, value in read_attributes[element].items() if name in names} == attributes
    attributes = unquoted_all(read.get_attributes())
    for name in ("deal", "rules", "merged", "root", "complete", "verdict"):
        assert attributes[name] == str(decisions.graph.graph[name])


NODE_NAMES = ("state", "cards_left", "redeals", "status", "cycle", "expanded")
EDGE_NAMES = ("move", "kind", "keeps_win", "relabel")


def unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"') if text.startswith('"') else text


def unquoted_all(attributes: dict[str, str]) -> dict[str, str]:
    return {name: unquoted(value) for name, value in attributes.items()}


class TestThePicture:
    def test_statuses_and_fatal_moves_look_different(self) -> None:
        dot = "".join(export_graph(decisions, "dot").decode() for decisions in SAMPLES.values())
        statuses = {"won", "winnable", "blocked", "unwinnable", "undecided"}
        looks = {
            re.search(rf'status="{status}".*?(shape=.*?), fillcolor=("#?\w+")', dot).groups()  # type: ignore[union-attr]
            for status in statuses
        }
        assert len(looks) == len({shape for shape, _ in looks}) + 1 == len({color for _, color in looks}) == 5
        decisions = SAMPLES["whole"]
        thick = re.findall(
            r'^  "(\w+)" -> "(\w+)" \[key="(\S+?)".*penwidth', export_graph(decisions, "dot").decode(), re.MULTILINE
        )
        assert thick == decisions.fatal_edges()

    def test_cycles_and_unexpanded_states_are_marked(self) -> None:
        decisions = SAMPLES["cut short"]
        drawn = dict(re.findall(r'^  "(\w+)" (\[.*\]);$', export_graph(decisions, "dot").decode(), re.MULTILINE))
        for node, attributes in decisions.graph.nodes.items():
            assert ('peripheries="2"' in drawn[node]) == attributes["cycle"]
            assert (",dashed" in drawn[node]) == (not attributes["expanded"])
            assert ("penwidth" in drawn[node]) == (node == decisions.root)

    def test_a_node_shows_the_table(self) -> None:
        rules = Rules.preset("patiencen")
        decisions = decision_graph(Deal.numbered(0, rules), rules, limits=Limits(states=2))
        labels = re.findall(r' label="([^"]*)", tooltip', export_graph(decisions, "dot").decode())
        # The cards of deal 0 as tests/fixtures/numbered-deals.txt has them, the first four dealt in the second node.
        assert labels == [
            r"- | -\l- | -\l- | -\l- | -\ltalon QD TS 9D AS 7C JS JH QH +20\lidle=0 played=0\l",
            r"- | QD\l- | TS\l- | 9D\l- | AS\ltalon 7C JS JH QH 9H 8S AH JC +16\lidle=0 played=0\l",
        ]

    def test_the_legend_has_the_rules_as_settings(self) -> None:
        rules = Rules(suits="C", ranks="A7", skip_complete=True)
        drawn = export_graph(decision_graph(Deal.numbered(0, rules), rules), "dot").decode()
        assert ">rules: wikipedia, but suits=C ranks=A7 skip_complete=true<" in drawn

    @pytest.mark.slow
    @needs_graphviz
    @every_sample
    def test_graphviz_draws_every_node_and_edge(self, decisions: DecisionGraph) -> None:
        picture = ET.fromstring(export_graph(decisions, "svg"))  # noqa: S314 (our own file)
        groups = [element.get("class") for element in picture.iter("{http://www.w3.org/2000/svg}g")]
        assert groups.count("node") == len(decisions.graph)
        assert groups.count("edge") == decisions.graph.number_of_edges()
        text = "".join(picture.itertext())
        assert str(decisions.graph.graph["deal"]) in text
        assert f"{decisions.verdict.value}: {len(decisions.graph)} states" in text

    def test_without_graphviz_there_is_a_clear_message(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(MissingToolError, match=r"expected Graphviz's program dot to draw SVG, found none"):
            write_graph(SAMPLES["whole"], tmp_path / "graph.svg")
        with pytest.raises(MissingToolError):
            check_format("svg")
        check_format("dot")
        assert list(tmp_path.iterdir()) == []

    def test_a_failure_of_graphviz_is_told(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        program = tmp_path / "dot"
        program.write_text("#!/bin/sh\necho out of ink >&2\nexit 1\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        with pytest.raises(AmazonsError, match="out of ink"):
            export_graph(SAMPLES["whole"], "svg")


DIGESTS = """
import hashlib, sys
from amazons_solver import Deal, Limits, Rules
from amazons_solver.export import export_graph
from amazons_solver.graphs.graph import decision_graph
rules = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="any")
for name in sys.argv[1:]:
    merge_suits = name != "html"
    decisions = decision_graph(Deal.numbered(1, rules), rules, limits=Limits(states=30), merge_suits=merge_suits)
    print(name, hashlib.sha256(export_graph(decisions, name)).hexdigest())
"""


@pytest.mark.slow
def test_the_bytes_are_the_same_in_every_process() -> None:
    names = [name for name in FORMATS if name != "svg" or shutil.which("dot")]
    decisions = {merge: sample(BY_SUIT, 30, merge=merge) for merge in (False, True)}
    here = [f"{name} {hashlib.sha256(export_graph(decisions[name != 'html'], name)).hexdigest()}" for name in names]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Pacific/Kiritimati"}
        done = subprocess.run(
            [sys.executable, "-c", DIGESTS, *names], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines() == here


def test_gexf_tells_neither_date_nor_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = export_graph(SAMPLES["whole"], "gexf")
    monkeypatch.setattr("time.strftime", lambda *_: "1898-12-24")
    monkeypatch.setattr(nx, "__version__", "9.9")
    assert export_graph(SAMPLES["whole"], "gexf") == before
    assert b"<creator>amazons-solver</creator>" in before
    assert b"lastmodifieddate" not in before


def test_no_writer_changes_the_graph() -> None:
    for merge in (False, True):
        decisions = sample(BY_RANK, 40, merge=merge)
        before = decisions.graph.copy()
        for name in FORMATS:
            if name != "svg" and not (merge and name == "html"):
                export_graph(decisions, name)
        assert nx.utils.graphs_equal(decisions.graph, before)


class TestFiles:
    @pytest.mark.parametrize("name", [name for name in FORMATS if name != "svg"])
    def test_the_ending_says_the_format(self, name: str, tmp_path: Path) -> None:
        decisions = SAMPLES["cut short"]
        for path in (tmp_path / f"graph.{name}", tmp_path / f"GRAPH.{name.upper()}"):
            write_graph(decisions, path)
            assert path.read_bytes() == export_graph(decisions, name)
        write_graph(decisions, str(tmp_path / "graph.txt"), format=name)
        assert (tmp_path / "graph.txt").read_bytes() == export_graph(decisions, name)

    @pytest.mark.parametrize("name", ["graph.png", "graph", ".json"])
    def test_an_unknown_ending_is_refused(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(
            OptionError, match=r"expected a file that ends in .graphml, .gexf, .dot, .json, .svg, .html; got"
        ):
            write_graph(SAMPLES["whole"], tmp_path / name)
        assert list(tmp_path.iterdir()) == []

    def test_an_unknown_format_is_refused(self, tmp_path: Path) -> None:
        for call in (
            lambda: check_format("png"),
            lambda: export_graph(SAMPLES["whole"], "png"),
            lambda: write_graph(SAMPLES["whole"], tmp_path / "graph.json", format="JSON"),
        ):
            with pytest.raises(OptionError, match=r"expected a format \(graphml, gexf, dot, json, svg, html\), got"):
                call()

    def test_a_file_is_replaced_whole_or_not_at_all(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        path = tmp_path / "graph.json"
        path.write_text("old")
        link = tmp_path / "link.json"
        link.symlink_to(path)

        class Full(io.FileIO):
            def writelines(self, parts: Any) -> None:
                self.write(next(iter(parts))[:10])
                raise OSError(28, "No space left on device")

        def full(self: Path, mode: str) -> Full:
            return Full(self, mode)

        with monkeypatch.context() as context:
            context.setattr(Path, "open", full)
            with pytest.raises(OSError, match="No space left"):
                write_graph(SAMPLES["whole"], path)
        assert path.read_text() == "old"
        assert sorted(tmp_path.iterdir()) == [path, link]
        write_graph(SAMPLES["whole"], link)
        assert link.is_symlink()
        assert path.read_bytes() == export_graph(SAMPLES["whole"], "json")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
    def test_what_is_no_file_is_written_to(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
            try:
                write_graph(SAMPLES["whole"], pipe, format="json")
                assert pipe.is_fifo()
                assert reader.communicate(timeout=30)[0] == export_graph(SAMPLES["whole"], "json")
            finally:
                reader.kill()
