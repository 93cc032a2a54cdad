"""Writers of decision graphs: GraphML, GEXF, DOT, node-link JSON, SVG drawn by Graphviz, and the explorer page.

What a writer makes depends on the graph alone, to the byte. networkx reads GraphML and JSON back to an equal graph,
except for GraphML's keys, which number the edges:
``nx.read_graphml(path, node_type=str, edge_key_type=str, force_multigraph=True)`` and
``nx.node_link_graph(data, edges="edges")``. GEXF and DOT hold the same nodes, edges and attributes; GEXF has no place
for those of the graph as a whole. They are written from the arrays, node by node and edge by edge, so that writing a
large graph takes no more memory. Changes made to `DecisionGraph.graph` are not in them; networkx has its own writers.
"""

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from amazons_solver.errors import OptionError, UndecidedError, shorten
from amazons_solver.explorer import explorer_page, space_of_graph
from amazons_solver.export.dot import TIME_IS_UP, dot_lines, graphviz, svg
from amazons_solver.export.xml import gexf, graphml
from amazons_solver.files import write_whole
from amazons_solver.graphs.graph import DecisionGraph
from amazons_solver.model.arguments import checked

__all__ = ["FORMATS", "check_format", "export_graph", "export_parts", "write_graph"]

_TEXTS_A_PART = 4096


_DRAWING_SECONDS = 60.0


@checked
def export_graph(decision_graph: DecisionGraph, format: str) -> bytes:  # noqa: A002 (the word people use)
    """A decision graph in one of the `FORMATS`.

    Args:
        decision_graph: the graph.
        format: ``graphml``, ``gexf``, ``dot``, ``json``, ``svg`` or ``html``. Graphviz draws up to 5,000 states.

    Raises:
        OptionError: there is no such format, the format is ``html`` and the graph merged, or it is ``svg`` and the
            graph larger than that.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
        UndecidedError: the format is ``svg`` and Graphviz took more than a minute.

    >>> from amazons_solver import Deal, Rules, decision_graph
    >>> rules = Rules(suits="C", ranks="A")
    >>> import networkx as nx
    >>> text = export_graph(decision_graph(Deal.numbered(0, rules), rules), "json")
    >>> graph = nx.node_link_graph(json.loads(text), edges="edges")
    >>> [attributes["state"] for attributes in graph.nodes.values()]
    ['AC | - | -', '- | AC | -', '- | - | AC']
    """
    return b"".join(export_parts(decision_graph, format))


@checked
def export_parts(decision_graph: DecisionGraph, format: str, *, seconds: float | None = None) -> Iterator[bytes]:  # noqa: A002
    """The same in parts, as they are made: the text of a large graph would fill the memory.

    Args:
        decision_graph: the graph.
        format: one of the `FORMATS`.
        seconds: how long it may take; a minute for ``svg`` and no limit for others when absent.

    Raises:
        OptionError: there is no such format, or the graph cannot be written in it.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
        UndecidedError: time was up.
    """
    check_format(format)
    if format == "svg":
        return svg(decision_graph, _DRAWING_SECONDS if seconds is None else seconds)
    parts = _WRITERS[format](decision_graph)
    return parts if seconds is None else _in_time(parts, time.monotonic() + seconds, seconds)


def _in_time(parts: Iterator[bytes], end: float, seconds: float) -> Iterator[bytes]:
    for part in parts:
        if time.monotonic() > end:
            raise UndecidedError(TIME_IS_UP.format(seconds))
        yield part


@checked
def check_format(format: str) -> None:  # noqa: A002
    """Find out before there is a graph whether `export_graph` can write it.

    Raises:
        OptionError: there is no such format.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
    """
    if format not in FORMATS:
        raise OptionError(f"expected a format ({', '.join(FORMATS)}), got {shorten(format)}")
    if format == "svg":
        graphviz()


@checked
def write_graph(
    decision_graph: DecisionGraph,
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    seconds: float | None = None,
) -> None:
    """Write a decision graph to a file, whole or not at all.

    Args:
        decision_graph: the graph.
        path: the file; an old one is replaced.
        format: one of the `FORMATS`; when absent, the ending of the file's name says which.
        seconds: how long it may take; a minute for ``svg`` and no limit for others when absent.

    Raises:
        OptionError: there is no such format, or the graph cannot be written in it.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
        UndecidedError: time was up.
        OSError: the file cannot be written.
    """
    path = Path(path)
    if format is None:
        format = path.suffix.removeprefix(".").lower()  # noqa: A001
        if format not in FORMATS:
            raise OptionError(f"expected a file that ends in .{', .'.join(FORMATS)}; got {shorten(path.name)}")
    write_whole(path, export_parts(decision_graph, format, seconds=seconds))


def _encoded(texts: Iterable[str]) -> Iterator[bytes]:
    """The texts in UTF-8, a good many at a time."""
    texts = iter(texts)
    while part := "".join(itertools.islice(texts, _TEXTS_A_PART)):
        yield part.encode()


def _json(decisions: DecisionGraph) -> Iterator[bytes]:
    return _encoded(_json_texts(decisions))


def _json_texts(decisions: DecisionGraph) -> Iterator[str]:
    """As networkx's ``node_link_data`` has it."""
    # Read back, the graph has the two attributes that reading GraphML makes.
    attributes: dict[str, object] = {**decisions.attributes, "node_default": {}, "edge_default": {}}
    yield f'{{"directed": true, "multigraph": true, "graph": {json.dumps(attributes)}, "nodes": ['
    encode, comma = json.JSONEncoder().encode, ""
    for node, each in decisions.arrays.node_items():
        yield comma + encode({**each, "id": node})
        comma = ", "
    yield '], "edges": ['
    comma = ""
    for source, target, each in decisions.arrays.edge_items():
        yield comma + encode({**each, "source": source, "target": target, "key": each["move"]})
        comma = ", "
    yield "]}\n"


# GraphML and GEXF, to the byte as networkx writes them, except for GEXF's date and version of networkx.


def _html(decisions: DecisionGraph) -> Iterator[bytes]:
    if decisions.game.identity == "canonical":
        raise OptionError("expected a graph of exact states for html, whose cards are moved; got a merged one")
    yield explorer_page(space_of_graph(decisions), decisions.game.start).encode()


_WRITERS: Final[Mapping[str, Callable[[DecisionGraph], Iterator[bytes]]]] = {
    "graphml": lambda decisions: _encoded(graphml(decisions)),
    "gexf": lambda decisions: _encoded(gexf(decisions)),
    "dot": lambda decisions: _encoded(f"{line}\n" for line in dot_lines(decisions)),
    "json": _json,
    "html": _html,
}
FORMATS: Final = ("graphml", "gexf", "dot", "json", "svg", "html")
"""The formats by name, which are the endings of the files as well."""


# DOT. It has every attribute of the graph, and those that Graphviz draws by. They stand with each node and edge, since
# pydot takes the statement that sets defaults for nodes for a node.
