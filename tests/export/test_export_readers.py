"""Exported graphs as others read them: igraph, rustworkx, pydot, Graphviz, graphology, cytoscape.js."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import igraph
import pytest
import rustworkx

from amazons_solver import Deal, DecisionGraph, Rules, decision_graph
from amazons_solver.export import write_graph

pytestmark = pytest.mark.slow

READERS = Path(__file__).parent / "readers"
RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="any")


@pytest.fixture(scope="module")
def decisions() -> DecisionGraph:
    return decision_graph(Deal.numbered(1, RULES), RULES)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what reads graphs in JavaScript."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("readers")
    for file in READERS.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    found = subprocess.run(["npm", "ci", "--silent"], cwd=folder, capture_output=True, timeout=300, check=False)
    if found.returncode:
        pytest.skip("the packages of npm cannot be had")
    return folder


def nodes_of(decisions: DecisionGraph) -> set[str]:
    return set(decisions.graph.nodes)


def edges_of(decisions: DecisionGraph) -> set[tuple[str, str, str]]:
    """Source, target and move: no two moves of a state lead to the same one, so there are as many as edges."""
    return {(source, target, move) for source, target, move in decisions.graph.edges(data="move")}


def triples(edges: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(edge["source"], edge["target"], edge["move"]) for edge in edges]


def check(decisions: DecisionGraph, nodes: list[str], edges: list[tuple[str, str, str]]) -> None:
    assert len(nodes) == decisions.arrays.nodes
    assert set(nodes) == nodes_of(decisions)
    assert len(edges) == decisions.arrays.edges
    assert set(edges) == edges_of(decisions)


def test_graphml_by_igraph(decisions: DecisionGraph, tmp_path: Path) -> None:
    write_graph(decisions, tmp_path / "game.graphml")
    graph = igraph.Graph.Read_GraphML(str(tmp_path / "game.graphml"))
    ids = graph.vs["id"]
    check(decisions, ids, [(ids[edge.source], ids[edge.target], edge["move"]) for edge in graph.es])
    cycles = dict(zip(ids, graph.vs["cycle"], strict=True))
    assert cycles == dict(decisions.graph.nodes(data="cycle"))


def test_graphml_by_rustworkx(decisions: DecisionGraph, tmp_path: Path) -> None:
    write_graph(decisions, tmp_path / "game.graphml")
    (graph,) = rustworkx.read_graphml(str(tmp_path / "game.graphml"))
    ids = {number: graph[number]["id"] for number in graph.node_indices()}
    edges = [(ids[source], ids[target], data["move"]) for source, target, data in graph.weighted_edge_list()]
    check(decisions, list(ids.values()), edges)
    assert {graph[number]["id"]: graph[number]["expanded"] for number in ids} == dict(
        decisions.graph.nodes(data="expanded")
    )


@pytest.mark.parametrize("file_format", ["graphml", "gexf"])
def test_xml_by_graphology(decisions: DecisionGraph, tmp_path: Path, libraries: Path, file_format: str) -> None:
    found = by_node(libraries, decisions, file_format, tmp_path)
    check(decisions, found["nodes"], triples(found["edges"]))
    assert len({edge["key"] for edge in found["edges"]}) == decisions.arrays.edges


def test_json_by_cytoscape(decisions: DecisionGraph, tmp_path: Path, libraries: Path) -> None:
    found = by_node(libraries, decisions, "json", tmp_path)
    check(decisions, found["nodes"], triples(found["edges"]))


def test_json_by_rustworkx(decisions: DecisionGraph, tmp_path: Path) -> None:
    write_graph(decisions, tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    # Its reader takes nodes by number and attributes as texts.
    numbers = {node["id"]: number for number, node in enumerate(data["nodes"])}
    plain = {
        "directed": True,
        "multigraph": True,
        "attrs": {},
        "nodes": [{"id": numbers[node["id"]], "data": {"id": node["id"]}} for node in data["nodes"]],
        "links": [
            {
                "source": numbers[edge["source"]],
                "target": numbers[edge["target"]],
                "id": i,
                "data": {"move": edge["move"]},
            }
            for i, edge in enumerate(data["edges"])
        ],
    }
    graph = rustworkx.parse_node_link_json(json.dumps(plain))
    ids = {number: graph[number]["id"] for number in graph.node_indices()}
    edges = [(ids[source], ids[target], edge["move"]) for source, target, edge in graph.weighted_edge_list()]
    check(decisions, list(ids.values()), edges)


@pytest.mark.filterwarnings("ignore")  # pydot and pyparsing warn of each other's code
def test_dot_by_pydot(decisions: DecisionGraph, tmp_path: Path) -> None:
    import pydot  # noqa: PLC0415 (it warns when its parser is loaded)

    write_graph(decisions, tmp_path / "game.dot")
    (graph,) = pydot.graph_from_dot_file(str(tmp_path / "game.dot"))
    ids = {node.get_name().strip('"') for node in graph.get_nodes()} & nodes_of(decisions)
    assert ids == nodes_of(decisions)
    edges = [(edge.get_source().strip('"'), edge.get_destination().strip('"')) for edge in graph.get_edges()]
    assert sorted(edges) == sorted((source, target) for source, target, _ in edges_of(decisions))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_dot_by_graphviz(decisions: DecisionGraph, tmp_path: Path) -> None:
    write_graph(decisions, tmp_path / "game.dot")
    found = subprocess.run(["dot", "-Tjson0", tmp_path / "game.dot"], capture_output=True, check=True, timeout=60)
    graph = json.loads(found.stdout)
    names = {each["_gvid"]: each["name"] for each in graph["objects"]}
    edges = [(names[edge["tail"]], names[edge["head"]]) for edge in graph["edges"]]
    assert sorted(edges) == sorted((source, target) for source, target, _ in edges_of(decisions))


def by_node(libraries: Path, decisions: DecisionGraph, file_format: str, tmp_path: Path) -> dict[str, Any]:
    file = tmp_path / f"game.{file_format}"
    write_graph(decisions, file)
    command = ["node", libraries / "read.mjs", file_format, file]
    found = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert found.returncode == 0, found.stderr.decode()
    read: dict[str, Any] = json.loads(found.stdout)
    return read
