"""Hints that are never wrong: what each legal move does to the chance of winning."""

from collections.abc import Callable

import attrs

from amazons_solver.hints.knowledge import Knowledge
from amazons_solver.hints.lost import Lost, told, why_lost
from amazons_solver.model.arguments import checked, no_truth
from amazons_solver.model.moves import REDEAL, Move
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress
from amazons_solver.solving.solve import Verdict

__all__ = ["Hint", "MoveHint", "hint"]


@attrs.frozen
class MoveHint:
    """What a legal move does to the chance of winning."""

    move: Move
    verdict: Verdict
    """Of the state that the move leads to: *winnable* if the move keeps the win."""
    line: tuple[Move, ...] | None
    """The best winning line known that begins with the move."""
    redeals_at_least: int | None
    """Every winning line that begins with the move has at least this many redeals."""

    __bool__ = no_truth("a hint on a move", "compare its verdict with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")

    @property
    def redeals(self) -> int | None:
        """The redeals of `line`: the minimum if they equal `redeals_at_least`, else an upper bound."""
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

    The moves that keep the win come first, by redeals and then by moves left; then the unknown ones, then those after
    which the game is lost.
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

    @checked
    def facts(self, named: Callable[[Move], str] = str) -> list[tuple[str, str]]:
        """What each move does, and why the game is lost if it is, under labels; moves as `named` has them."""
        facts = [(named(choice.move), self.in_words(choice)) for choice in self.moves]
        facts += [("won", "every foundation is complete")] if self.state.is_won else []
        return facts + ([] if self.lost is None else [("why", str(self.lost))])

    def __str__(self) -> str:
        return told(self.verdict.value, self.facts())

    def _repr_html_(self) -> str:
        """How notebooks show it: what the moves do, and the table with the moves marked."""
        from amazons_solver.render.html import table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import state_svg  # noqa: PLC0415

        marks = {choice.move: choice.verdict.keeps_win for choice in self.moves}
        return table_html(self.facts(), caption=self.verdict.value) + state_svg(self.state, marks=marks)


@checked
def hint(
    state: State,
    *,
    limits: Limits | None = None,
    knowledge: Knowledge | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Hint:
    """Say of every legal move whether it keeps the win, and how many redeals are left.

    Args:
        state: where the game stands.
        limits: of each search, after which a move is *undecided* or its redeals are a bound; the default limits when
            absent.
        knowledge: what is known already; new findings are added.
        progress: called with the counts of each search a few times a second.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.

    >>> from amazons_solver import Rules
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
