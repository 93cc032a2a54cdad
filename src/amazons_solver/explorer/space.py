"""What the page knows of the states: some or all of a deal's, with their moves and verdicts.

Of each state there are the verdict, the shortest way to win that is known, and, if it is lost, why; and the moves,
unless the state is at the edge of what is known.
"""

import heapq
import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import attrs
import numpy as np

from amazons_solver.graphs.arrays import STATUSES
from amazons_solver.graphs.graph import DecisionGraph
from amazons_solver.hints.knowledge import Knowledge
from amazons_solver.hints.lost import Lost, why_lost
from amazons_solver.kernel import fits
from amazons_solver.model.moves import REDEAL
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress
from amazons_solver.solving.solve import Verdict

__all__ = ["MOST_WHOLE", "Space", "new_knowledge", "space_around", "space_of_graph", "space_of_lines"]

MOST_WHOLE: Final = 20_000
"""A deal of up to this many states goes into a page whole."""
AROUND_LINES: Final = 3_000
"""How many states of a larger one are put into a file: those on the lines, and around them."""

_LOST = ("blocked", "unwinnable")
_EVERY_PLAY = str(Lost("every-play"))
Edge = tuple[str, int]
"""A move in notation, and the number of the state it leads to."""


@attrs.frozen(kw_only=True, eq=False)
class Space:
    """States by number, in notation, with what is known of them."""

    rules: Rules
    states: Sequence[str]
    statuses: Sequence[str]
    """``won``, ``winnable``, ``blocked``, ``unwinnable`` or ``undecided``."""
    edges: Sequence[Sequence[Edge] | None]
    """The moves of each state; ``None`` where they are not here."""
    to_go: Sequence[tuple[int, int] | None]
    """Redeals and moves of the best way to win that is known."""
    reasons: Sequence[str]
    """Why a lost state is lost; else empty."""
    complete: bool
    """Whether all states of the deal are here, so that `to_go` are the fewest redeals, and then moves."""
    depth: int = 0
    """If not: everything is here within this many moves of the start, or of the states that were asked for."""


def space_of_graph(decisions: DecisionGraph) -> Space:
    """What a decision graph, not merged, knows."""
    arrays, rules = decisions.arrays, decisions.game.start.rules
    states = arrays.notation.texts(np.arange(arrays.nodes))
    statuses = [STATUSES[code] for code in arrays.status.tolist()]
    words = {code: str(move) for code, move in arrays.every_move.items()}
    moves = list(zip([words[code] for code in arrays.moves.tolist()], arrays.targets.tolist(), strict=True))
    spans = itertools.pairwise(arrays.offsets.tolist())
    edges = [moves[begin:end] if whole else None for (begin, end), whole in zip(spans, arrays.expanded, strict=True)]
    return Space(
        rules=rules,
        states=states,
        statuses=statuses,
        edges=edges,
        to_go=_to_go(edges, {i: (0, 0) for i, status in enumerate(statuses) if status == "won"}),
        reasons=_reasons(lambda number: State.parse(states[number], rules), statuses, edges),
        complete=decisions.complete,
        depth=_depth(edges),
    )


def _depth(edges: Sequence[Sequence[Edge] | None]) -> int:
    """How many moves from the first state the nearest is whose moves are not here; 0 if there is none."""
    distances, waiting = {0: 0}, deque([0])
    while waiting:
        number = waiting.popleft()
        moves = edges[number]
        if moves is None:
            return distances[number]
        for _, target in moves:
            if target not in distances:
                distances[target] = distances[number] + 1
                waiting.append(target)
    return 0


def new_knowledge(rules: Rules) -> Knowledge:
    """An empty knowledge that is filled by the fastest engine for these rules."""
    return Knowledge(engine="kernel" if fits.decides(rules) else "auto")


def space_of_lines(
    game: Sequence[State],
    *,
    knowledge: Knowledge,
    limits: Limits | None = None,
    most: int = AROUND_LINES,
    seconds: float | None = None,
    alone: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Space:
    """The states on a played game and on the best winning lines, and those around them.

    Args:
        game: the states of the game, in order, as `State.states_along` has them.
        knowledge: what is known already; new findings are added.
        limits: when to give up on a single state, which is then *undecided*.
        most: how many states there may be; those on the lines are there in any case.
        seconds: after which no state off the lines is decided or followed.
        alone: standalone: the page has no server, so distances count only paths that are fully included.
        progress: called with the counts of each search a few times a second.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.
    """
    lines = dict.fromkeys(game)
    last = next(
        (
            state
            for state in reversed(game)
            if knowledge.verdict(state, limits=limits, progress=progress) is Verdict.WINNABLE
        ),
        None,
    )
    for state in (game[0], last):
        if state is not None and knowledge.verdict(state, limits=limits, progress=progress) is Verdict.WINNABLE:
            knowledge.fewest_redeals(state, limits=limits, progress=progress)  # for a line that is good to look at
            lines.update(dict.fromkeys(state.states_along(knowledge.line(state) or ())))
    return space_around(
        list(lines),
        knowledge=knowledge,
        limits=limits,
        most=most,
        seconds=seconds,
        alone=alone,
        progress=progress,
    )


def space_around(
    states: Sequence[State],
    *,
    knowledge: Knowledge,
    limits: Limits | None = None,
    most: int,
    seconds: float | None = None,
    alone: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Space:
    """Some states and those to which moves lead from there, breadth first.

    Args:
        states: the states to begin with, of the same rules.
        knowledge: what is known already; new findings are added.
        limits: when to give up on a single state, which is then *undecided*.
        most: how many states there may be; the first ones are there in any case.
        seconds: after which no further state is decided or followed.
        alone: standalone: the page has no server, so distances count only paths that are fully included.
        progress: called with the counts of each search a few times a second.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.
    """
    until = None if seconds is None else time.monotonic() + seconds
    late = False
    numbers = {state: number for number, state in enumerate(states)}
    verdicts: list[Verdict | None] = [None] * len(numbers)
    edges: list[list[Edge] | None] = [None] * len(numbers)
    distances = [0] * len(numbers)
    waiting = deque(numbers)
    depth: int | None = None
    while waiting:
        state = waiting.popleft()
        number = numbers[state]
        late = late or (until is not None and time.monotonic() > until)
        verdict = verdicts[number]
        if verdict is None:
            verdict = Verdict.UNDECIDED if late else knowledge.verdict(state, limits=limits, progress=progress)
            verdicts[number] = verdict
        successors = state.successors()
        new = [after for _, after in successors if after not in numbers]
        # The first states have their moves in any case, so that a line is whole.
        full = late or len(numbers) + len(new) > max(most, len(states))
        if full and not (alone and number < len(states)):
            depth = distances[number] if depth is None and successors else depth
            edges[number] = None if successors else []
            continue
        for after in new:
            numbers[after] = len(numbers)
            # What is lost stays lost.
            verdicts.append(Verdict.UNWINNABLE if verdict is Verdict.UNWINNABLE else None)
            edges.append(None)
            distances.append(distances[number] + 1)
            waiting.append(after)
        edges[number] = [(str(move), numbers[after]) for move, after in successors]
    statuses = [_status(state, verdict, moves) for state, verdict, moves in zip(numbers, verdicts, edges, strict=True)]
    known = {
        number: (line.count(REDEAL), len(line))
        for number, (state, status) in enumerate(zip(numbers, statuses, strict=True))
        if status in (("won",) if alone else ("won", "winnable")) and (line := knowledge.line(state)) is not None
    }
    return Space(
        rules=states[0].rules,
        states=[state.text() for state in numbers],
        statuses=statuses,
        edges=edges,
        to_go=_to_go(edges, known),
        reasons=_reasons(list(numbers).__getitem__, statuses, edges),
        complete=depth is None,
        depth=depth or 0,
    )


def _status(state: State, verdict: Verdict | None, moves: Sequence[Edge] | None) -> str:
    if state.is_won:
        return "won"
    if verdict is None:
        return "undecided"
    return "blocked" if verdict is Verdict.UNWINNABLE and moves == [] else verdict.value


def _to_go(edges: Sequence[Sequence[Edge] | None], known: dict[int, tuple[int, int]]) -> list[tuple[int, int] | None]:
    """By state: the fewest redeals, and then moves, on a way to a state of which they are known, and from there."""
    before: list[list[tuple[int, int]]] = [[] for _ in edges]
    for source, moves in enumerate(edges):
        for move, target in moves or ():
            before[target].append((source, int(move == "r")))
    best: list[tuple[int, int] | None] = [None] * len(edges)
    waiting = [(*counts, number) for number, counts in known.items()]
    heapq.heapify(waiting)
    while waiting:
        redeals, moves_to_go, number = heapq.heappop(waiting)
        if best[number] is None:
            best[number] = (redeals, moves_to_go)
            for source, redeal in before[number]:
                if best[source] is None:
                    heapq.heappush(waiting, (redeals + redeal, moves_to_go + 1, source))
    return best


def _reasons(
    state: Callable[[int], State], statuses: Sequence[str], edges: Sequence[Sequence[Edge] | None]
) -> list[str]:
    """Why each lost state is lost.

    As long as no card can be played there is one move at most, and so a state is lost for the reason for which the next
    one is. That is followed here, lest each state is walked from on its own.
    """
    reasons = [""] * len(statuses)
    for first in range(len(statuses)):
        walk: dict[int, None] = {}
        number: int | None = first
        while number is not None and statuses[number] in _LOST and not reasons[number] and number not in walk:
            walk[number] = None
            moves = edges[number]
            number = moves[0][1] if moves and ">" not in moves[0][0] else None
        going_on = number is not None and number not in walk and statuses[number] != "blocked"
        reason = reasons[number] if number is not None and going_on else ""
        for number in reversed(walk):
            moves = edges[number]
            if moves and ">" in moves[0][0]:
                reason = _EVERY_PLAY
            reasons[number] = reason = reason or str(why_lost(state(number)))
            if statuses[number] == "blocked":
                reason = ""  # before a block it is another: no play leads elsewhere
    return reasons
