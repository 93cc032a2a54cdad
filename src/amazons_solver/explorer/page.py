"""The page as one HTML file: its markup, style and program, which are in `static`, and the data it shows."""

import base64
import functools
import hashlib
import html
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final

from amazons_solver.explorer.codes import pack, packing
from amazons_solver.explorer.space import Space
from amazons_solver.model.rules import nearest_preset
from amazons_solver.model.state import State
from amazons_solver.render.cards import CARD_HEIGHT, CARD_WIDTH, FAN, GAP, STYLE, card_symbols
from amazons_solver.render.marks import MARK_STYLE, mark_symbols
from amazons_solver.render.svg import COLUMN, DEPOTS_Y, FOUNDATIONS_Y

__all__ = ["explorer_page", "fragment"]

_STATUS_LETTERS: Final = {"won": "W", "winnable": "w", "blocked": "b", "unwinnable": "u", "undecided": "?"}


def explorer_page(
    space: Space, start: State, *, title: str = "A deal of Amazons", game: Sequence[State] = (), served: bool = False
) -> str:
    """The page, which asks for nothing else, or, if it is served, for more states.

    Args:
        space: what the page knows of the states; of a served page, at first.
        start: the initial state of the deal, one of them.
        title: what a person calls the deal.
        game: the states of a played game, which begins at `start` and is to be looked at first.
        served: whether a server of the same rules answers for the states that are not in `space`.
    """
    rules = space.rules
    preset, changes = nearest_preset(rules)
    tokens = packing(rules)
    data = {
        "title": title,
        "rules": {"preset": preset, "changes": changes, "fields": rules.to_dict()},
        "deck": [str(card) for card in rules.deck],
        "root": pack(start.text(), tokens),
        "game": [pack(state.text(), tokens) for state in game],
        "served": served,
        "geometry": {
            "width": CARD_WIDTH,
            "height": CARD_HEIGHT,
            "fan": FAN,
            "gap": GAP,
            "column": COLUMN,
            "foundations": FOUNDATIONS_Y,
            "depots": DEPOTS_Y,
        },
        "space": fragment(space),
    }
    # The data are no program: no browser runs them, but "<" could end their element.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    program = _static("explorer.js")
    pieces = {
        "title": html.escape(title),
        "policy": _policy(program),
        "card_style": STYLE + MARK_STYLE,
        "style": _static("explorer.css"),
        "symbols": card_symbols(rules.deck) + mark_symbols(),
        "data": text,
        "program": program,
    }
    return _filled(_static("explorer.html"), pieces)


def fragment(space: Space) -> dict[str, object]:
    """What the page knows of some states, as its program reads it."""
    tokens = packing(space.rules)
    reasons = list(dict.fromkeys(["", *space.reasons]))
    numbers = {reason: number for number, reason in enumerate(reasons)}
    return {
        "states": [pack(state, tokens) for state in space.states],
        "statuses": "".join(_STATUS_LETTERS[status] for status in space.statuses),
        "moves": [None if moves is None else _flat(moves) for moves in space.edges],
        "toGo": [None if to_go is None else list(to_go) for to_go in space.to_go],
        "reasons": reasons,
        "why": [numbers[reason] for reason in space.reasons],
        "complete": space.complete,
        "depth": space.depth,
    }


def _flat(moves: Iterable[tuple[str, int]]) -> list[str | int]:
    return [part for move in moves for part in move]


@functools.cache
def _static(name: str) -> str:
    return resources.files("amazons_solver.explorer").joinpath("static", name).read_text("utf-8")


def _policy(program: str) -> str:
    """What the browser lets the page do: run this program, and ask the server it came from."""
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )


def _filled(template: str, pieces: dict[str, str]) -> str:
    """The template with each ``{{name}}`` replaced, in one pass, so that nothing in a piece is taken for a name."""
    head, *rest = template.split("{{")
    filled = [head]
    for part in rest:
        name, _, after = part.partition("}}")
        filled += [pieces[name], after]
    return "".join(filled)
