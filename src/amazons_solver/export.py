"""Writers of decision graphs: GraphML, GEXF, DOT, node-link JSON, SVG drawn by Graphviz, and a page to walk in.

What a writer makes depends on the graph alone, to the byte. GraphML and JSON are read back by networkx to an equal
graph, but for GraphML's keys, which number the edges: ``nx.read_graphml(path, node_type=str, edge_key_type=str,
force_multigraph=True)`` and ``nx.node_link_graph(data, edges="edges")``. GEXF and DOT hold the same nodes, edges and
attributes; GEXF has no place for those of the graph as a whole. They are written from the arrays, node by node and edge
by edge, so that a large graph needs no more memory to be written; what was changed in `DecisionGraph.graph` is not in
them, and networkx has writers of its own.
"""

import html
import itertools
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import numpy as np

from amazons_solver.decision_arrays import UNDECIDED
from amazons_solver.errors import AmazonsError, MissingToolError, OptionError, UndecidedError
from amazons_solver.explorer import explorer_page, space_of_graph
from amazons_solver.files import write_whole
from amazons_solver.graph import DecisionGraph
from amazons_solver.model.cards import shorten
from amazons_solver.model.rules import Rules

__all__ = ["FORMATS", "check_format", "export_graph", "export_parts", "write_graph"]

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
_TEXTS_A_PART = 4096

MOST_DRAWN: Final = 5_000
"""The most states that Graphviz is given to draw; it takes some ten seconds for them."""

_DRAWING_SECONDS = 60.0
_TIME_IS_UP = "expected the graph to be written within {:.1f} s, got no further than a part of it"


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


def export_parts(decision_graph: DecisionGraph, format: str, *, seconds: float | None = None) -> Iterator[bytes]:  # noqa: A002
    """The same in parts, as they are made; those of a large graph would fill the memory.

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
        return _svg(decision_graph, _DRAWING_SECONDS if seconds is None else seconds)
    parts = _WRITERS[format](decision_graph)
    return parts if seconds is None else _in_time(parts, time.monotonic() + seconds, seconds)


def _in_time(parts: Iterator[bytes], end: float, seconds: float) -> Iterator[bytes]:
    for part in parts:
        if time.monotonic() > end:
            raise UndecidedError(_TIME_IS_UP.format(seconds))
        yield part


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


# GraphML and GEXF, to the byte as networkx writes them, but for GEXF's date and version of networkx.

_XML = "<?xml version='1.0' encoding='utf-8'?>\n"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_NODE_TYPES = {
    "state": "string",
    "cards_left": "long",
    "redeals": "long",
    "status": "string",
    "cycle": "boolean",
    "expanded": "boolean",
}
_EDGE_TYPES = {
    "move": "string",
    "kind": "string",
    "keeps_win": "boolean",
    "relabel": "string",
    "networkx_key": "string",
}


def _edge_names(decisions: DecisionGraph, *every: str) -> list[str]:
    """The names of the attributes that edges have, in the order in which one first has them.

    Args:
        decisions: the graph.
        every: what each edge has beside ``move`` and ``kind``, after everything else.
    """
    arrays = decisions.arrays
    known = np.flatnonzero(arrays.status[arrays.targets] != UNDECIDED)[:1].tolist()
    firsts = {"move": 0, "kind": 0} | dict.fromkeys(every, 0) if arrays.edges else {}
    firsts |= {"keeps_win": known[0]} if known else {}
    firsts |= {"relabel": min(arrays.relabels)} if arrays.relabels else {}
    order = ["move", "kind", "keeps_win", "relabel", *every]
    return sorted(firsts, key=lambda name: (firsts[name], order.index(name)))


def _graphml(decisions: DecisionGraph) -> Iterator[bytes]:
    return _encoded(_graphml_texts(decisions))


def _graphml_texts(decisions: DecisionGraph) -> Iterator[str]:
    home = "http://graphml.graphdrawing.org/xmlns"
    yield (f'{_XML}<graphml xmlns="{home}" xmlns:xsi="{_XSI}" xsi:schemaLocation="{home} {home}/1.0/graphml.xsd">\n')
    types = {name: "boolean" if isinstance(value, bool) else "string" for name, value in decisions.attributes.items()}
    keys = [("graph", name, kind) for name, kind in types.items()]
    keys += [("node", name, kind) for name, kind in _NODE_TYPES.items()]
    keys += [("edge", name, _EDGE_TYPES[name]) for name in _edge_names(decisions)]
    for owner, name, kind in reversed(keys):
        yield f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}" />\n'
    yield '  <graph edgedefault="directed">\n'
    for node, attributes in decisions.arrays.node_items():
        yield f'    <node id="{node}">\n{_graphml_data(attributes)}    </node>\n'
    for number, (source, target, attributes) in enumerate(decisions.arrays.edge_items()):
        yield f'    <edge source="{source}" target="{target}" id="e{number}">\n'
        yield f"{_graphml_data(attributes)}    </edge>\n"
    for name, value in decisions.attributes.items():
        yield f'    <data key="{name}">{escape(_xml_value(value))}</data>\n'
    yield "  </graph>\n</graphml>\n"


def _graphml_data(attributes: Mapping[str, object]) -> str:
    return "".join(
        [f'      <data key="{name}">{escape(_xml_value(value))}</data>\n' for name, value in attributes.items()]
    )


def _xml_value(value: object) -> str:
    """A value as XML Schema writes it: booleans in small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _gexf(decisions: DecisionGraph) -> Iterator[bytes]:
    return _encoded(_gexf_texts(decisions))


def _gexf_texts(decisions: DecisionGraph) -> Iterator[str]:
    home = "http://www.gexf.net/1.2draft"
    yield f'{_XML}<gexf xmlns="{home}" xmlns:xsi="{_XSI}" xsi:schemaLocation="{home} {home}/gexf.xsd" version="1.2">\n'
    yield "  <meta><creator>amazons-solver</creator></meta>\n"
    yield '  <graph defaultedgetype="directed" mode="static" name="">\n'
    names = _edge_names(decisions, "networkx_key")
    node_numbers = {name: number for number, name in enumerate(_NODE_TYPES)}
    edge_numbers = {name: number for number, name in enumerate(names, start=len(_NODE_TYPES))}
    for owner, types, numbers in (("edge", _EDGE_TYPES, edge_numbers), ("node", _NODE_TYPES, node_numbers)):
        if numbers:
            yield f'    <attributes mode="static" class="{owner}">\n'
            for name, number in numbers.items():
                yield f'      <attribute id="{number}" title="{name}" type="{types[name]}" />\n'
            yield "    </attributes>\n"
    yield "    <nodes>\n"
    for node, attributes in decisions.arrays.node_items():
        yield f'      <node id="{node}" label="{node}">\n{_gexf_values(attributes, node_numbers)}      </node>\n'
    yield "    </nodes>\n"
    yield "    <edges>\n" if names else "    <edges />\n"
    for number, (source, target, attributes) in enumerate(decisions.arrays.edge_items()):
        yield f'      <edge source="{source}" target="{target}" id="{number}">\n'
        yield _gexf_values({**attributes, "networkx_key": attributes["move"]}, edge_numbers)
        yield "      </edge>\n"
    if names:
        yield "    </edges>\n"
    yield "  </graph>\n</gexf>\n"


def _gexf_values(attributes: Mapping[str, object], numbers: Mapping[str, int]) -> str:
    values = [
        f'          <attvalue for="{numbers[name]}" value="{escape(_xml_value(value))}" />\n'
        for name, value in attributes.items()
    ]
    return f"        <attvalues>\n{''.join(values)}        </attvalues>\n"


def _graphviz() -> str:
    """Where the program is."""
    program = shutil.which("dot")
    if program is None:
        raise MissingToolError(
            "expected Graphviz's program dot to draw SVG, found none: see https://graphviz.org/download"
        )
    return program


def _svg(decisions: DecisionGraph, seconds: float) -> Iterator[bytes]:
    if decisions.arrays.nodes > MOST_DRAWN:
        raise OptionError(
            f"expected at most {MOST_DRAWN:,} states for Graphviz to draw, got {decisions.arrays.nodes:,}: a limit on "
            "states makes fewer, html shows any number, graphml and gexf are for programs that lay out more"
        )
    try:
        drawn = subprocess.run(  # noqa: S603
            [_graphviz(), "-Tsvg"],
            input=b"".join(_dot(decisions)),
            capture_output=True,
            check=False,
            timeout=max(0.0, seconds),
        )
    except subprocess.TimeoutExpired:
        raise UndecidedError(_TIME_IS_UP.format(seconds)) from None
    if drawn.returncode != 0:
        raise AmazonsError(
            f"expected Graphviz to draw the graph, got: {shorten(drawn.stderr.decode(errors='replace'), 200)}"
        )
    yield drawn.stdout


def _html(decisions: DecisionGraph) -> Iterator[bytes]:
    if decisions.game.identity == "canonical":
        raise OptionError("expected a graph of exact states for html, whose cards are moved; got a merged one")
    yield explorer_page(space_of_graph(decisions), decisions.game.start).encode()


def _dot(decisions: DecisionGraph) -> Iterator[bytes]:
    return _encoded(f"{line}\n" for line in _dot_lines(decisions))


_WRITERS: Final[Mapping[str, Callable[[DecisionGraph], Iterator[bytes]]]] = {
    "graphml": _graphml,
    "gexf": _gexf,
    "dot": _dot,
    "json": _json,
    "html": _html,
}
FORMATS: Final = ("graphml", "gexf", "dot", "json", "svg", "html")
"""The formats by name, which are the endings of the files as well."""


# DOT. Every attribute of the graph is there, and beside it those that Graphviz draws by. They stand with each node and
# edge, since pydot takes the statement that sets defaults for nodes to be a node.


def _dot_lines(decisions: DecisionGraph) -> Iterator[str]:
    page = {"fontname": _FONT, "fontsize": 12, "labelloc": "t", "labeljust": "l", "nodesep": 0.2, "ranksep": 0.35}
    yield "digraph decisions {"
    for name, value in {**decisions.attributes, **page}.items():
        yield f"  {name}={_quoted(str(value))};"
    yield f"  label=<{_legend(decisions)}>;"
    arrays = decisions.arrays
    for node, attributes in arrays.node_items():
        look = _node_look(attributes) | ({"penwidth": "3"} if node == decisions.root else {})
        yield f"  {_quoted(node)} [{_dot_attributes({**attributes, **look})}];"
    fatal = set(arrays.fatal.tolist())
    for number, (source, target, attributes) in enumerate(arrays.edge_items()):
        look = _edge_look(attributes, number in fatal)
        everything = _dot_attributes({"key": attributes["move"], **attributes, **look})
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


def _edge_look(attributes: Mapping[str, object], fatal: bool) -> dict[str, str]:
    keeps_win = attributes.get("keeps_win")
    label = f" {attributes['move']} "  # the spaces keep it off the line
    if "relabel" in attributes:
        label += f"\\n {attributes['relabel']} "
    color = _BLUE if keeps_win else _ORANGE if fatal else _GREY
    look = {"label": label, "fontname": _FONT, "fontsize": "10", "fontcolor": color, "color": color, "arrowsize": "0.7"}
    if fatal:
        look["penwidth"] = "3"
    if attributes["kind"] == "redeal":
        look["style"] = "dashed"
    if keeps_win is None:
        look["style"] = "dotted"
    return look


def _legend(decisions: DecisionGraph) -> str:
    """What the picture shows and how to read it, as one of Graphviz's HTML-like labels."""
    defaults = Rules().to_dict()
    rules = decisions.game.start.rules.to_dict().items()
    changed = [f"{name}={value}" for name, value in rules if value != defaults[name]]
    extent = "" if decisions.complete else ", cut short"
    texts = [
        f"{decisions.verdict.value}: {decisions.arrays.nodes} states, {decisions.arrays.edges} moves{extent}",
        f"deal: {decisions.deal}",
        f"rules: wikipedia{', but ' if changed else ''}{' '.join(changed)}",
    ]
    counts = decisions.statuses()
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
