"""GraphML and GEXF."""

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

import numpy as np

from amazons_solver.graphs.arrays import UNDECIDED
from amazons_solver.graphs.graph import DecisionGraph

__all__ = ["gexf", "graphml"]

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
        every: what each edge has besides ``move`` and ``kind``, after everything else.
    """
    arrays = decisions.arrays
    known = np.flatnonzero(arrays.status[arrays.targets] != UNDECIDED)[:1].tolist()
    firsts = {"move": 0, "kind": 0} | dict.fromkeys(every, 0) if arrays.edges else {}
    firsts |= {"keeps_win": known[0]} if known else {}
    firsts |= {"relabel": min(arrays.relabels)} if arrays.relabels else {}
    order = ["move", "kind", "keeps_win", "relabel", *every]
    return sorted(firsts, key=lambda name: (firsts[name], order.index(name)))


def graphml(decisions: DecisionGraph) -> Iterator[str]:
    """The graph as GraphML, in texts that follow one another."""
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


def gexf(decisions: DecisionGraph) -> Iterator[str]:
    """The graph as GEXF, in texts that follow one another."""
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
