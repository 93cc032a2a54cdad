"""Which move threw the game away?"""

import enum
import itertools
from collections.abc import Callable, Sequence

import attrs

from amazons_solver.hints.knowledge import Knowledge
from amazons_solver.hints.lost import Lost, told, why_lost
from amazons_solver.model.arguments import checked, no_truth
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import Move, Moves, as_line, format_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress
from amazons_solver.solving.solve import Verdict

__all__ = ["Annotation", "Mark", "annotate"]


class Mark(enum.Enum):
    """What a move of a played game did."""

    KEPT = "kept the win"
    THREW = "threw it away"
    LOST = "already lost"
    UNKNOWN = "unknown"

    __bool__ = no_truth("a mark", "compare it with Mark.KEPT, THREW, LOST or UNKNOWN")


@attrs.frozen
class Annotation:
    """A played game with a mark on every move."""

    start: State
    line: tuple[Move, ...]
    verdicts: tuple[Verdict, ...]
    """Of the state at the start and after each move: first *winnable*, then *undecided*, then *unwinnable*."""
    end: State
    winning_line: tuple[Move, ...] | None
    """The best line found from the last state known to be winnable; empty if the game was won."""
    lost: Lost | None
    """Why the first state known to be lost is lost; ``None`` if the last one is not known to be."""

    __bool__ = no_truth("an annotation", "ask for its fatal move, its marks or its verdicts")

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What each move did."""
        return tuple(map(_mark, self.verdicts, self.verdicts[1:]))

    @property
    def fatal(self) -> int | None:
        """The number, from 1, of the move that threw the win away; ``None`` if no move did or it is not known which."""
        marks = self.marks
        return marks.index(Mark.THREW) + 1 if Mark.THREW in marks else None

    @property
    def last_winnable(self) -> int | None:
        """After how many moves the game was last known to be winnable; ``None`` if it never was."""
        winnable = self.verdicts.count(Verdict.WINNABLE)
        return winnable - 1 if winnable else None

    @property
    def summary(self) -> str:
        """What became of the game, in a few words."""
        if self.end.is_won:
            return "won"
        if self.fatal is not None:
            return f"move {self.fatal} threw the win away"
        if self.verdicts[0] is Verdict.UNWINNABLE:
            return "unwinnable from the start"
        if self.verdicts[-1] is Verdict.WINNABLE:
            return "no move threw the win away, it can still be won" if self.line else "winnable"
        return "undecided" if self.lost is None else "lost, it is unknown by which move"

    def marked(self) -> list[tuple[str, tuple[Move, ...]]]:
        """The moves in runs of one mark, each after its mark and numbers: ``kept the win (1-4)``."""
        runs, first = [], 1
        for mark, group in itertools.groupby(zip(self.marks, self.line, strict=True), key=lambda pair: pair[0]):
            moves = tuple([move for _, move in group])
            last = first + len(moves) - 1
            runs.append((f"{mark.value} ({first}{'' if last == first else f'-{last}'})", moves))
            first = last + 1
        return runs

    @checked
    def facts(self, named: Callable[[Move], str] = str) -> list[tuple[str, str]]:
        """The moves under their marks, and why the game is lost if it is; moves as `named` has them."""
        facts = [(label, " ".join(map(named, moves))) for label, moves in self.marked()]
        return facts + ([] if self.lost is None else [("lost because", str(self.lost))])

    def __str__(self) -> str:
        known = "was there" if self.lost else "is there"
        win = [(f"the win that {known} after move {self.last_winnable}", format_line(self.winning_line or ()))]
        return told(self.summary, self.facts() + (win if self.winning_line else []))

    def _repr_html_(self) -> str:
        """How notebooks show it: the marks, where the win was thrown away, and the best line found as a strip."""
        from amazons_solver.render.html import scrolled, table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import line_svg, state_svg  # noqa: PLC0415

        shown = table_html(self.facts(), caption=self.summary)
        if self.last_winnable is None or not self.winning_line:
            return shown
        before = self.start.play_line(self.line[: self.last_winnable])
        if self.fatal is not None:
            shown += state_svg(before, marks={self.line[self.fatal - 1]: False, self.winning_line[0]: True})
        return shown + scrolled(line_svg(before, self.winning_line))


def _mark(before: Verdict, after: Verdict) -> Mark:
    if after is Verdict.WINNABLE:
        return Mark.KEPT
    if before is Verdict.UNWINNABLE:
        return Mark.LOST
    return Mark.THREW if (before, after) == (Verdict.WINNABLE, Verdict.UNWINNABLE) else Mark.UNKNOWN


@checked
def annotate(
    deal: Deal | State,
    line: Moves,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    knowledge: Knowledge | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Annotation:
    """Replay a game and mark its moves: which of them threw the win away, if one did?

    What is lost stays lost, and what can still be won could be won before. So the move is found by bisection, and few
    states are decided.

    Args:
        deal: the deal; or the state with which the game began, which has its own rules.
        line: the moves of the game, which need not be finished; they may be text such as ``d d AS>1``.
        rules: the rules of a deal; the default rules when absent.
        limits: when to give up on a state; the default limits when absent.
        knowledge: what is known already; new findings are added.
        progress: called with the counts of each search a few times a second.

    Raises:
        NotationError: the deal is not of the rules' deck.
        IllegalMoveError: a move is not legal; the message counts the moves from 1.
        KeyboardInterrupt: Ctrl-C came meanwhile.

    >>> rules = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
    >>> game = annotate(Deal.parse("AC 7C", rules), "d d", rules)
    >>> [mark.value for mark in game.marks], game.fatal, [str(move) for move in game.winning_line]
    (['kept the win', 'threw it away'], 2, ['AC>1', 'd', '7C>1'])
    """
    knowledge = knowledge or Knowledge()
    line = as_line(line)
    states = (deal if isinstance(deal, State) else State.initial(deal, rules)).states_along(line)
    verdicts = _verdicts(states, limits, knowledge, progress)
    winnable, lost = verdicts.count(Verdict.WINNABLE), verdicts.count(Verdict.UNWINNABLE)
    if winnable:
        knowledge.fewest_redeals(states[winnable - 1], limits=limits, progress=progress)
    return Annotation(
        states[0],
        line,
        tuple(verdicts),
        states[-1],
        knowledge.line(states[winnable - 1]) if winnable else None,
        why_lost(states[-lost]) if lost else None,
    )


def _verdicts(
    states: Sequence[State],
    limits: Limits | None,
    knowledge: Knowledge,
    progress: Callable[[Progress], None] | None,
) -> list[Verdict]:
    """The verdicts on the states of a game, most of which follow from others."""
    if states[-1].is_won:
        return [Verdict.WINNABLE] * len(states)
    verdicts = [Verdict.UNDECIDED] * len(states)
    asked = list(range(len(states)))
    while asked:
        number = asked[len(asked) // 2]
        verdict = knowledge.verdict(states[number], limits=limits, progress=progress)
        if verdict is Verdict.WINNABLE:
            verdicts[: number + 1] = [verdict] * (number + 1)
            asked = [other for other in asked if other > number]
        elif verdict is Verdict.UNWINNABLE:
            verdicts[number:] = [verdict] * (len(states) - number)
            asked = [other for other in asked if other < number]
        else:
            asked.remove(number)
    return verdicts
