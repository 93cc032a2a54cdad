"""DOT, and pictures that Graphviz draws of it."""

import html
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from typing import Final

from amazons_solver.errors import AmazonsError, MissingToolError, OptionError, UndecidedError, shorten
from amazons_solver.files import discarded
from amazons_solver.graphs.graph import DecisionGraph
from amazons_solver.model.rules import Rules, differences

__all__ = ["MOST_DRAWN", "TIME_IS_UP", "dot_lines", "graphviz", "svg"]

# Colours that red-green colour-blind people can tell apart, after Okabe and Ito; shapes and lines say the same.
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
MOST_DRAWN: Final = 5_000
"""The most states that Graphviz is given to draw; it takes some ten seconds for them."""
TIME_IS_UP = "expected the graph to be written within {:.1f} s, got no further than a part of it"


def graphviz() -> str:
    """Where the program is."""
    program = shutil.which("dot")
    if program is None:
        raise MissingToolError(
            "expected Graphviz's program dot to draw SVG, found none: see https://graphviz.org/download"
        )
    return program


def svg(decisions: DecisionGraph, seconds: float) -> Iterator[bytes]:
    """The graph as Graphviz draws it within this many seconds."""
    if decisions.arrays.nodes > MOST_DRAWN:
        raise OptionError(
            f"expected at most {MOST_DRAWN:,} states for Graphviz to draw, got {decisions.arrays.nodes:,}: a limit on "
            "states makes fewer, html shows any number, graphml and gexf are for programs that lay out more"
        )
    text = "".join(f"{line}\n" for line in dot_lines(decisions)).encode()
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([graphviz(), "-Tsvg"], stdin=pipe, stdout=pipe, stderr=pipe) as drawing,  # noqa: S603
        discarded(drawing.kill),
    ):
        try:
            drawn, complaint = drawing.communicate(text, timeout=max(0.0, seconds))
        except subprocess.TimeoutExpired:
            raise UndecidedError(TIME_IS_UP.format(seconds)) from None
    if drawing.returncode != 0:
        raise AmazonsError(
            f"expected Graphviz to draw the graph, got: {shorten(complaint.decode(errors='replace'), 200)}"
        )
    yield drawn


def dot_lines(decisions: DecisionGraph) -> Iterator[str]:
    """The graph in Graphviz's language, line by line."""
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
    changed = differences(decisions.game.start.rules, Rules())
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
