"""Hints that are never wrong, why a game is lost, and which move of a played game threw it away."""

import enum
import itertools
from collections.abc import Callable, Sequence

import attrs

from amazons_solver.arguments import checked
from amazons_solver.knowledge import Knowledge
from amazons_solver.lost import Lost, why_lost
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, Moves, as_line, format_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress
from amazons_solver.solve import Verdict
from amazons_solver.truth import no_truth

__all__ = ["Annotation", "Hint", "Knowledge", "Lost", "Mark", "MoveHint", "annotate", "hint", "why_lost"]


@attrs.frozen
class MoveHint:
    """What a legal move does to the chance of winning."""

    move: Move
    verdict: Verdict
    """Of the state that the move leads to: *winnable* if the move keeps the win."""
    line: tuple[Move, ...] | None
    """The best winning line known that begins with the move."""
    redeals_at_least: int | None
    """Every winning line that begins with the move has so many redeals."""

    __bool__ = no_truth("a hint on a move", "compare its verdict with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")

    @property
    def redeals(self) -> int | None:
        """The redeals of `line`: the fewest to go if they equal `redeals_at_least`, else a bound from above."""
        return None if self.line is None else self.line.count(REDEAL)

    def __str__(self) -> str:
        return f"{self.move}: {self.verdict.value}{self.to_go}"

    @property
    def to_go(self) -> str:
        """The redeals to go in words, after a comma: ``, at most 3 redeals to go (at least 1)``; or nothing."""
        if self.redeals is None:
            return ""
        count = f"{self.redeals or 'no'} redeal{'' if self.redeals == 1 else 's'} to go"
        if self.redeals == self.redeals_at_least:
            return f", {count}"
        return f", at most {count}" + (f" (at least {self.redeals_at_least})" if self.redeals_at_least else "")


@attrs.frozen
class Hint:
    """What may be done in a state, and what is best.

    The moves that keep the win come first, by the redeals to go and then by the moves; then those of which nothing is
    known, then those after which the game is lost.
    """

    state: State
    verdict: Verdict
    moves: tuple[MoveHint, ...]
    lost: Lost | None
    """Why the state is lost, if it is unwinnable."""

    __bool__ = no_truth("a hint", "compare its verdict with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")

    @property
    def best(self) -> Move | None:
        """The move that keeps the win with the fewest redeals known; ``None`` if none is known to keep it."""
        return self.moves[0].move if self.moves and self.moves[0].verdict is Verdict.WINNABLE else None

    @checked
    def in_words(self, choice: MoveHint) -> str:
        """What one of the moves does, in a few words."""
        if choice.verdict is Verdict.UNDECIDED:
            return "unknown within the limits"
        if choice.verdict is Verdict.WINNABLE:
            return f"keeps the win{choice.to_go}"
        said = {Verdict.WINNABLE: "throws it away", Verdict.UNDECIDED: "cannot win", Verdict.UNWINNABLE: "already lost"}
        return said[self.verdict]

    def _facts(self) -> list[tuple[str, str]]:
        facts = [(str(choice.move), self.in_words(choice)) for choice in self.moves]
        facts += [("won", "every foundation is complete")] if self.state.is_won else []
        return facts + ([] if self.lost is None else [("why", str(self.lost))])

    def __str__(self) -> str:
        return _told(self.verdict.value, self._facts())

    def _repr_html_(self) -> str:
        """How notebooks show it: what the moves do, and the table with the moves marked."""
        from amazons_solver.render.html import table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import state_svg  # noqa: PLC0415

        known = {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False, Verdict.UNDECIDED: None}
        marks = {choice.move: known[choice.verdict] for choice in self.moves}
        return table_html(self._facts(), caption=self.verdict.value) + state_svg(self.state, marks=marks)


@checked
def hint(
    state: State,
    *,
    limits: Limits | None = None,
    knowledge: Knowledge | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Hint:
    """Say of every legal move whether it keeps the win, and how many redeals are to go.

    Args:
        state: where the game stands.
        limits: of each search, after which a move is *undecided* or its redeals are a bound; the default limits when
            absent.
        knowledge: what was found out before; what is found out now is added.
        progress: called with the counts of each search a few times a second.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.

    >>> rules = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
    >>> advice = hint(State.parse("7C | AC | - | redeals=0", rules))
    >>> [(str(choice.move), choice.verdict.value, choice.redeals) for choice in advice.moves]
    [('AC>1', 'winnable', 0), ('d', 'unwinnable', None)]
    """
    knowledge = knowledge or Knowledge()
    # The state itself first: if it is lost there is nothing more to search, else its line decides one of the moves.
    verdict = knowledge.verdict(state, limits=limits, progress=progress)
    if verdict is Verdict.UNWINNABLE:
        lost = tuple(MoveHint(move, verdict, None, None) for move in state.legal_moves())
        return Hint(state, verdict, lost, why_lost(state))
    choices = [_choice(move, child, limits, knowledge, progress) for move, child in state.successors()]
    verdicts = {choice.verdict for choice in choices}
    if verdict is Verdict.UNDECIDED and Verdict.UNDECIDED not in verdicts:
        verdict = Verdict.WINNABLE if Verdict.WINNABLE in verdicts else Verdict.UNWINNABLE
    reason = why_lost(state) if verdict is Verdict.UNWINNABLE else None
    return Hint(state, verdict, tuple(sorted(choices, key=_rank)), reason)


def _choice(
    move: Move,
    child: State,
    limits: Limits | None,
    knowledge: Knowledge,
    progress: Callable[[Progress], None] | None,
) -> MoveHint:
    verdict = knowledge.verdict(child, limits=limits, progress=progress)
    if verdict is not Verdict.WINNABLE:
        return MoveHint(move, verdict, None, None)
    _, at_least = knowledge.fewest_redeals(child, limits=limits, progress=progress)
    line = (move, *(knowledge.line(child) or ()))
    return MoveHint(move, verdict, line, at_least + (move == REDEAL))


def _rank(choice: MoveHint) -> tuple[int, int, int]:
    if choice.line is None:
        return (1 if choice.verdict is Verdict.UNDECIDED else 2, 0, 0)
    return (0, choice.redeals or 0, len(choice.line))


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

    def _facts(self) -> list[tuple[str, str]]:
        facts = [(label, format_line(moves)) for label, moves in self.marked()]
        return facts + ([] if self.lost is None else [("lost because", str(self.lost))])

    def __str__(self) -> str:
        known = "was there" if self.lost else "is there"
        win = [(f"the win that {known} after move {self.last_winnable}", format_line(self.winning_line or ()))]
        return _told(self.summary, self._facts() + (win if self.winning_line else []))

    def _repr_html_(self) -> str:
        """How notebooks show it: the marks, where the win was thrown away, and the best line found as a strip."""
        from amazons_solver.render.html import scrolled, table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import line_svg, state_svg  # noqa: PLC0415

        shown = table_html(self._facts(), caption=self.summary)
        if self.last_winnable is None or not self.winning_line:
            return shown
        before = self.start.play_line(self.line[: self.last_winnable])
        if self.fatal is not None:
            shown += state_svg(before, marks={self.line[self.fatal - 1]: False, self.winning_line[0]: True})
        return shown + scrolled(line_svg(before, self.winning_line))


def _told(heading: str, facts: Sequence[tuple[str, str]]) -> str:
    """A heading, and facts under their labels."""
    width = max((len(label) for label, _ in facts), default=0)
    return "\n".join([heading, *(f"{label:<{width}}  {fact}" for label, fact in facts)])


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

    What is lost stays lost, and what can still be won could be won before. So few states are decided, the middle one of
    those in question each time.

    Args:
        deal: the deal; or the state with which the game began, which has its own rules.
        line: the moves of the game, which need not be finished; they may be text such as ``d d AS>1``.
        rules: the rules of a deal; the default rules when absent.
        limits: when to give up on a state; the default limits when absent.
        knowledge: what was found out before; what is found out now is added.
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
    states = [deal if isinstance(deal, State) else State.initial(deal, rules)]
    line = as_line(line)
    states[0].play_line(line)  # which names the first move that is not legal
    for move in line:
        states.append(states[-1].play(move))
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
