"""Writers of decision graphs: GraphML, GEXF, DOT, node-link JSON, SVG drawn by Graphviz, and a page to walk in.

What a writer makes depends on the graph alone, to the byte. GraphML and JSON are read back by networkx to an equal
graph: ``nx.read_graphml(path, node_type=str, edge_key_type=str, force_multigraph=True)`` and ``nx.node_link_graph(data,
edges="edges")``. GEXF and DOT hold the same nodes, edges and attributes; GEXF has no place for those of the graph as a
whole.
"""

import html
import io
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import networkx as nx
from networkx.readwrite.graphml import write_graphml_xml

from amazons_solver.errors import AmazonsError, MissingToolError, OptionError
from amazons_solver.explorer import explorer_page, space_of_graph
from amazons_solver.files import write_whole
from amazons_solver.graph import DecisionGraph
from amazons_solver.model.cards import shorten
from amazons_solver.model.rules import Rules

__all__ = ["FORMATS", "check_format", "export_graph", "write_graph"]

# Colours that people who do not tell red from green tell apart, after Okabe and Ito; shapes and lines say the same.
_BLUE, _PALE_BLUE, _ORANGE, _PALE_ORANGE, _GREY = "#0072B2", "#CFE6F5", "#D55E00", "#FBE0CC", "#666666"
_FONT = "Helvetica,Arial,sans-serif"
_STATUS_STYLES: Mapping[str, Mapping[str, str]] = {
    "won": {"shape": "ellipse", "style": "filled", "fillcolor": _BLUE, "fontcolor": "white", "color": _BLUE},
    "winnable": {"shape": "box", "style": "rounded,filled", "fillcolor": _PALE_BLUE, "color": _BLUE},
    "unwinnable": {"shape": "box", "style": "filled", "fillcolor": _PALE_ORANGE, "color": _ORANGE},
    "blocked": {
        "shape": "octagon",
        "style": "filled",
        "fillcolor": _ORANGE,
        "fontcolor": "white",
        "color": _ORANGE,
        "margin": "0",
    },
    "undecided": {"shape": "box", "style": "filled", "fillcolor": "white", "color": _GREY},
}
_MOST_TALON_CARDS = 8


def export_graph(decision_graph: DecisionGraph, format: str) -> bytes:  # noqa: A002 (the word people use)
    """A decision graph in one of the `FORMATS`.

    Args:
        decision_graph: the graph.
        format: ``graphml``, ``gexf``, ``dot``, ``json``, ``svg`` or ``html``. Graphviz draws hundreds of states in a
            moment, and takes minutes for thousands.

    Raises:
        OptionError: there is no such format, or the format is ``html`` and the graph merged.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.

    >>> from amazons_solver import Deal, Rules, decision_graph
    >>> rules = Rules(suits="C", ranks="A")
    >>> text = export_graph(decision_graph(Deal.numbered(0, rules), rules), "json")
    >>> graph = nx.node_link_graph(json.loads(text), edges="edges")
    >>> [attributes["state"] for attributes in graph.nodes.values()]
    ['AC | - | -', '- | AC | -', '- | - | AC']
    """
    check_format(format)
    return _WRITERS[format](decision_graph)


def check_format(format: str) -> None:  # noqa: A002
    """Find out before there is a graph whether `export_graph` can write it.

    Raises:
        OptionError: there is no such format.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
    """
    if format not in FORMATS:
        raise OptionError(f"expected a format ({', '.join(FORMATS)}), got {shorten(format)}")
    if format == "svg":
        _graphviz()


def write_graph(decision_graph: DecisionGraph, path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write a decision graph to a file, whole or not at all.

    Args:
        decision_graph: the graph.
        path: the file; an old one is replaced.
        format: one of the `FORMATS`; when absent, the ending of the file's name says which.

    Raises:
        OptionError: there is no such format.
        MissingToolError: the format is ``svg`` and Graphviz is not installed.
        OSError: the file cannot be written.
    """
    path = Path(path)
    if format is None:
        format = path.suffix.removeprefix(".").lower()  # noqa: A001
        if format not in FORMATS:
            raise OptionError(f"expected a file that ends in .{', .'.join(FORMATS)}; got {shorten(path.name)}")
    write_whole(path, export_graph(decision_graph, format))


def _graphml(decision_graph: DecisionGraph) -> bytes:
    # By name, this is the writer that needs nothing but the standard library: write_graphml takes lxml if it is there.
    file = io.BytesIO()
    write_graphml_xml(decision_graph.graph, file, named_key_ids=True)
    return file.getvalue()


def _gexf(decision_graph: DecisionGraph) -> bytes:
    file = io.BytesIO()
    nx.write_gexf(decision_graph.graph, file)
    # Out with today's date and the version of networkx.
    creator = rb"<meta><creator>amazons-solver</creator></meta>"
    return re.sub(rb"<meta .*?</meta>", creator, file.getvalue(), count=1, flags=re.DOTALL)


def _json(decision_graph: DecisionGraph) -> bytes:
    return json.dumps(nx.node_link_data(decision_graph.graph, edges="edges")).encode() + b"\n"


def _graphviz() -> str:
    """Where the program is."""
    program = shutil.which("dot")
    if program is None:
        raise MissingToolError(
            "expected Graphviz's program dot to draw SVG, found none: see https://graphviz.org/download"
        )
    return program


def _svg(decision_graph: DecisionGraph) -> bytes:
    drawn = subprocess.run([_graphviz(), "-Tsvg"], input=_dot(decision_graph), capture_output=True, check=False)  # noqa: S603
    if drawn.returncode != 0:
        raise AmazonsError(
            f"expected Graphviz to draw the graph, got: {shorten(drawn.stderr.decode(errors='replace'), 200)}"
        )
    return drawn.stdout


def _html(decision_graph: DecisionGraph) -> bytes:
    if decision_graph.graph.graph["merged"]:
        raise OptionError("expected a graph of exact states for html, whose cards are moved; got a merged one")
    return explorer_page(space_of_graph(decision_graph), decision_graph.game.start).encode()


def _dot(decision_graph: DecisionGraph) -> bytes:
    return "".join(f"{line}\n" for line in _dot_lines(decision_graph)).encode()


_WRITERS: Final[Mapping[str, Callable[[DecisionGraph], bytes]]] = {
    "graphml": _graphml,
    "gexf": _gexf,
    "dot": _dot,
    "json": _json,
    "svg": _svg,
    "html": _html,
}
FORMATS: Final = tuple(_WRITERS)
"""The formats by name, which are the endings of the files as well."""


# DOT. Every attribute of the graph is there, and beside it those that Graphviz draws by. They stand with each node and
# edge, since pydot takes the statement that sets defaults for nodes to be a node.


def _dot_lines(decision_graph: DecisionGraph) -> Iterator[str]:
    graph = decision_graph.graph
    page = {"fontname": _FONT, "fontsize": 12, "labelloc": "t", "labeljust": "l", "nodesep": 0.2, "ranksep": 0.35}
    yield "digraph decisions {"
    for name, value in {**graph.graph, **page}.items():
        if not isinstance(value, dict):  # those are networkx's
            yield f"  {name}={_quoted(str(value))};"
    yield f"  label=<{_legend(decision_graph)}>;"
    for node, attributes in graph.nodes.items():
        look = _node_look(attributes) | ({"penwidth": "3"} if node == decision_graph.root else {})
        yield f"  {_quoted(node)} [{_dot_attributes({**attributes, **look})}];"
    for (source, target, key), attributes in graph.edges.items():
        look = _edge_look(attributes, graph.nodes[source]["status"])
        everything = _dot_attributes({"key": key, **attributes, **look})
        yield f"  {_quoted(source)} -> {_quoted(target)} [{everything}];"
    yield "}"


def _node_look(attributes: Mapping[str, object]) -> dict[str, str]:
    status, state = str(attributes["status"]), str(attributes["state"])
    look = {
        "label": _node_label(status, state),
        "tooltip": f"{status}: {state}",
        "fontname": _FONT,
        "fontsize": "10",
        "margin": "0.08,0.04",
        **_STATUS_STYLES[status],
    }
    if attributes["cycle"]:
        look["peripheries"] = "2"
    if not attributes["expanded"]:
        look["style"] += ",dashed"
    return look


def _node_label(status: str, state: str) -> str:
    """The table in a few short lines: each foundation with the depot below it, and the first cards of the talon."""
    if status == "won":
        return "won"
    talon, depots, foundations, *counters = state.split(" | ")
    lines = [f"{top} | {depot}" for top, depot in zip(foundations.split(" ; "), depots.split(" ; "), strict=True)]
    cards = talon.split()
    more = len(cards) - _MOST_TALON_CARDS
    lines.append("talon " + " ".join(cards[:_MOST_TALON_CARDS]) + (f" +{more}" if more > 0 else ""))
    return "".join(f"{line}\\l" for line in [*lines, *counters])


def _edge_look(attributes: Mapping[str, object], source_status: str) -> dict[str, str]:
    keeps_win = attributes.get("keeps_win")
    label = f" {attributes['move']} "  # the spaces keep it off the line
    if "relabel" in attributes:
        label += f"\\n {attributes['relabel']} "
    fatal = keeps_win is False and source_status == "winnable"
    color = _BLUE if keeps_win else _ORANGE if fatal else _GREY
    look = {"label": label, "fontname": _FONT, "fontsize": "10", "fontcolor": color, "color": color, "arrowsize": "0.7"}
    if fatal:
        look["penwidth"] = "3"
    if attributes["kind"] == "redeal":
        look["style"] = "dashed"
    if keeps_win is None:
        look["style"] = "dotted"
    return look


def _legend(decision_graph: DecisionGraph) -> str:
    """What the picture shows and how to read it, as one of Graphviz's HTML-like labels."""
    graph = decision_graph.graph
    defaults = Rules().to_dict()
    rules = decision_graph.game.start.rules.to_dict().items()
    changed = [f"{name}={value}" for name, value in rules if value != defaults[name]]
    extent = "" if decision_graph.complete else ", cut short"
    texts = [
        f"{decision_graph.verdict.value}: {len(graph)} states, {graph.number_of_edges()} moves{extent}",
        f"deal: {graph.graph['deal']}",
        f"rules: wikipedia{', but ' if changed else ''}{' '.join(changed)}",
    ]
    counts = Counter(str(attributes["status"]) for attributes in graph.nodes.values())
    statuses = "".join(
        f'<TD BGCOLOR="{look["fillcolor"]}"><FONT COLOR="{look.get("fontcolor", "black")}"> {status}: {counts[status]} '
        "</FONT></TD>"
        for status, look in _STATUS_STYLES.items()
    )
    arrows = [
        f'<FONT COLOR="{_BLUE}">blue: the game can still be won</FONT>',
        f'<FONT COLOR="{_ORANGE}"><B>orange and thick: throws the win away</B></FONT>',
        f'<FONT COLOR="{_GREY}">grey: nothing to lose</FONT>',
        "dotted: not known",
        "dashed: a redeal",
    ]
    table = '<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="2">'
    rows = [
        *map(html.escape, texts),
        f"{table}<TR>{statuses}</TR></TABLE>",
        "border double: on a redeal cycle, dashed: moves not followed, thick: where it starts",
        f"arrow {', '.join(arrows)}",
    ]
    return table + "".join(f'<TR><TD ALIGN="LEFT">{row}</TD></TR>' for row in rows) + "</TABLE>"


def _dot_attributes(attributes: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={_quoted(str(value))}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'
