"""Marks on the moves of a pictured state: an arrow, and a badge that says what the move leads to.

Verdicts differ by the line, by the badge's outline and sign, and by colour. A solid line and a disc with a tick keep
the win, dashes and an octagon with a cross lose it, dots and a square with a question mark are not known.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from amazons_solver.model.cards import Card
from amazons_solver.model.moves import Move, Play
from amazons_solver.model.state import State
from amazons_solver.render.cards import CARD_HEIGHT, CARD_WIDTH, FAN, GAP, painted

__all__ = ["MARK_STYLE", "draw_marks", "mark_symbols"]

_OUTLINES = {
    "keeps": '<circle r="9"/>',
    "loses": '<path d="M-4-9.5H4L9.5-4V4L4 9.5H-4L-9.5 4V-4Z"/>',
    "unknown": '<rect x="-8.5" y="-8.5" width="17" height="17" rx="3"/>',
}
_SIGNS = {
    "keeps": "M-4.5.5-1.5 3.8 4.5-3.5",
    "loses": "M-3.7-3.7 3.7 3.7M3.7-3.7-3.7 3.7",
    "unknown": "M-2.8-2.6A2.9 2.9 0 1 1 .9.2Q0 .7 0 2M0 4.9V5",
}
_STRONGEST = ("keeps", "unknown", "loses", "move")


def draw_marks(
    state: State, marks: Sequence[tuple[Move, str]], *, column: int, foundations_y: int, depots_y: int
) -> str:
    """The marks on legal moves, each of kind ``keeps``, ``loses``, ``unknown`` or ``move``, which is no verdict."""
    plays = [(move, kind) for move, kind in marks if isinstance(move, Play)]
    depots = {pile[-1]: i for i, pile in enumerate(state.depots, start=1) if pile}
    by_card: dict[Card, list[str]] = defaultdict(list)
    by_foundation: dict[int, list[Play]] = defaultdict(list)
    for play, kind in plays:
        by_card[play.card].append(kind)
        by_foundation[play.foundation].append(play)
    drawn, badges = [], []
    for card, kinds in by_card.items():
        y = depots_y + (len(state.depots[depots[card] - 1]) - 1) * FAN
        drawn.append(_outline(GAP + depots[card] * column, y, min(kinds, key=_STRONGEST.index)))
    bottom = foundations_y + CARD_HEIGHT
    lanes = len(plays) + 1
    leaving: dict[int, int] = defaultdict(int)
    for lane, (play, kind) in enumerate(plays, start=1):
        depot, targets = depots[play.card], by_foundation[play.foundation]
        # Up beside the ranks and suits of the depot, then between depots and foundations to the place that is its own.
        x = GAP + depot * column + CARD_WIDTH - 6 + 5 * leaving[depot]
        leaving[depot] += 1
        y = depots_y + (len(state.depots[depot - 1]) - 1) * FAN + 8
        to = GAP + play.foundation * column + (targets.index(play) + 1) * CARD_WIDTH / (len(targets) + 1)
        via = bottom + 9 + lane * (depots_y - bottom - 11) / lanes
        drawn.append(_arrow(f"M{x} {y}V{via:g}H{to:g}V{bottom + 7}", to, bottom, kind, "up"))
        badges.append(_badge(to, bottom - 14, kind))
    for move, kind in marks:
        if not isinstance(move, Play):
            drawn.append(_outline(GAP, foundations_y, kind))
            middle, level = GAP + CARD_WIDTH // 2, depots_y + 30
            edge = GAP + column
            if move.kind == "deal":
                drawn.append(_arrow(f"M{middle} {bottom}V{level}H{edge - 8}", edge - 1, level, kind, "right"))
            else:
                drawn.append(_arrow(f"M{edge} {level}H{middle}V{bottom + 7}", middle, bottom, kind, "up"))
            badges.append(_badge(middle, bottom - 14, kind))
    return "".join(drawn + badges)


def _outline(x: int, y: int, kind: str) -> str:
    return (
        f'<rect class="amz-arrow amz-{kind}" x="{x - 1}" y="{y - 1}" width="{CARD_WIDTH + 2}" '
        f'height="{CARD_HEIGHT + 2}" rx="7"/>'
    )


def _arrow(path: str, x: float, y: float, kind: str, towards: str) -> str:
    head = {"up": "l-5 9h10Z", "right": "l-9-5v10Z"}[towards]
    return f'<path class="amz-arrow amz-{kind}" d="{path}"/><path class="amz-head amz-{kind}" d="M{x:g} {y}{head}"/>'


def _badge(x: float, y: float, kind: str) -> str:
    if kind not in _SIGNS:
        return ""
    return (
        f'<g class="amz-badge amz-{kind}" transform="translate({x:g} {y})">{_OUTLINES[kind]}'
        f'<path class="amz-sign" d="{_SIGNS[kind]}"/></g>'
    )


def mark_symbols() -> str:
    """A ``<symbol>`` for each badge, ``amz-mark-keeps`` and so on, for a page that puts them by ``<use>``.

    >>> mark_symbols().count("<symbol ")
    3
    """
    return "".join(
        f'<symbol id="amz-mark-{kind}" viewBox="-11 -11 22 22">{_badge(0, 0, kind)}</symbol>' for kind in _SIGNS
    )


def _rules(kinds: Iterable[str]) -> str:
    return "".join(
        f".amz-arrow.amz-{kind}{{{painted('stroke', 'ink' if kind == 'move' else kind)}}}"
        f".amz-head.amz-{kind},.amz-badge.amz-{kind}{{{painted('fill', 'ink' if kind == 'move' else kind)}}}"
        for kind in kinds
    )


MARK_STYLE: Final = (
    f".amz-arrow{{fill:none;stroke-width:3;stroke-linejoin:round;}}{_rules(_STRONGEST)}"
    ".amz-arrow.amz-loses{stroke-dasharray:7 4;}.amz-arrow.amz-unknown{stroke-dasharray:1.5 4.5;stroke-linecap:round;}"
    f".amz-badge{{stroke-width:1.5;{painted('stroke', 'face')}}}"
    f".amz-sign{{fill:none;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round;{painted('stroke', 'sign')}}}"
)
"""The style sheet of the marks."""
