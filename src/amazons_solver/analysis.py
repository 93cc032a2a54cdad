"""Hints that are never wrong, why a game is lost, and which move of a played game threw it away."""

import enum
from collections.abc import Callable, Sequence
from typing import Literal

import attrs

from amazons_solver.arguments import checked
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, Moves, as_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.redeals import fewest_redeals
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solve import Engine, Verdict, solve_state
from amazons_solver.truth import no_truth

__all__ = ["Annotation", "Hint", "Knowledge", "Lost", "Mark", "MoveHint", "annotate", "hint", "why_lost"]

COUNTING_STATES = 50_000
"""The most states that the search for the fewest redeals of a move stores: about half a second's work."""


@attrs.frozen(repr=False)
class _Step:
    """The next move of the best winning line known from a state."""

    redeals: int
    moves: int
    move: Move
    after: State


@attrs.frozen(repr=False, eq=False)
class Knowledge:
    """What was found out about states: handed from call to call, nothing is decided twice.

    A state on a winning line that was found is known to be winnable, too. From a state to the next one that a hint
    names first, the redeals and moves to go never grow.
    """

    _steps: dict[State, _Step] = attrs.field(factory=dict)
    _lost: set[tuple[Rules, bytes]] = attrs.field(factory=set)
    _at_least: dict[tuple[Rules, bytes], int] = attrs.field(factory=dict)
    engine: Engine = attrs.field(default="auto", kw_only=True)
    """The engine that decides, as for `solve_state`."""

    @checked
    def verdict(
        self, state: State, *, limits: Limits | None = None, progress: Callable[[Progress], None] | None = None
    ) -> Verdict:
        """The verdict on a state, decided by `solve_state` unless it is known.

        Raises:
            KeyboardInterrupt: Ctrl-C came while it was decided.
        """
        if state.is_won or state in self._steps:
            return Verdict.WINNABLE
        key = (state.rules, state.key())
        if key in self._lost:
            return Verdict.UNWINNABLE
        solution = solve_state(state, engine=self.engine, limits=limits, progress=progress)
        if solution.stop_reason is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        if solution.line is not None:
            self.add_line(state, solution.line)
        if solution.verdict is Verdict.UNWINNABLE:
            self._lost.add(key)
        return solution.verdict

    @checked
    def line(self, state: State) -> tuple[Move, ...] | None:
        """The best winning line known: of fewest redeals, then of fewest moves; ``None`` if none is known."""
        line = []
        while not state.is_won:
            step = self._steps.get(state)
            if step is None:
                return None
            # What is noted of the state after it is no worse than when this step was noted: so this comes to an end.
            line.append(step.move)
            state = step.after
        return tuple(line)

    @checked
    def add_line(self, state: State, line: Moves) -> None:
        """Note a winning line.

        Raises:
            IllegalMoveError: a move is not legal.
            ValueError: the line does not end in a won state.
        """
        states, line = [state], as_line(line)
        for move in line:
            states.append(states[-1].play(move))
        if not states[-1].is_won:
            raise ValueError("expected a line to a won state, got one that ends before")
        redeals = 0
        for moves, move in enumerate(reversed(line), start=1):
            redeals += move == REDEAL
            known = self._steps.get(states[-moves - 1])
            if known is None or (redeals, moves) < (known.redeals, known.moves):
                self._steps[states[-moves - 1]] = _Step(redeals, moves, move, states[-moves])

    @checked
    def fewest_redeals(
        self, state: State, *, limits: Limits | None = None, progress: Callable[[Progress], None] | None = None
    ) -> tuple[int, int]:
        """Of a state that is known to be winnable: the redeals of the best line known, and a number that all have.

        The two are equal where the first is the minimum. The search stores 50,000 states at most.
        """
        key = (state.rules, state.key())
        redeals, at_least = (self.line(state) or ()).count(REDEAL), self._at_least.get(key, 0)
        if at_least < redeals:
            limits = limits or Limits()
            limits = attrs.evolve(limits, states=min(limits.states or COUNTING_STATES, COUNTING_STATES))
            found = fewest_redeals(state, redeals, limits=limits, progress=progress)
            if found.line is not None:
                self.add_line(state, found.line)
                redeals = found.at_least
            at_least = self._at_least[key] = max(at_least, found.at_least)
        return redeals, at_least

    def __repr__(self) -> str:
        return f"<Knowledge {len(self._steps)} winnable, {len(self._lost)} unwinnable>"


@attrs.frozen
class Lost:
    """Why no play wins from a state.

    - ``blocked``: there is no legal move, because of a limit;
    - ``no-play``: no card can ever be played again; redeals go round in a cycle, or a limit ends the game;
    - ``every-play``: every play that is left leads, sooner or later, to one of the former.
    """

    reason: Literal["blocked", "no-play", "every-play"]
    cycle: int | None = None
    """For ``no-play`` without a block: the redeals after which the same table comes back, again and again."""
    limits: tuple[str, ...] = ()
    """The fields of the rules, such as ``max_redeals=2``, that block the game or end it without a play."""

    def __str__(self) -> str:
        limits = " and ".join(self.limits)
        if self.reason == "blocked":
            return f"blocked: no card can be played, and {limits} allows no redeal"
        if self.reason == "every-play":
            return "every play that is left leads to a table that no play can save"
        if self.cycle is None:
            return f"no card can ever be played again, and {limits} ends the game"
        every = "every redeal" if self.cycle == 1 else f"every {self.cycle} redeals"
        return f"no card can ever be played again: {every} the same table comes back"


@checked
def why_lost(state: State) -> Lost:
    """Why an unwinnable state is lost; that it is unwinnable is taken for granted.

    >>> rules = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
    >>> print(why_lost(State.parse("- | 7D ; 7C | AC ; AD", rules)))
    no card can ever be played again: every redeal the same table comes back
    """
    # As long as no card can be played there is one move at most. So this is a walk, into a block or round a cycle.
    redeals, seen = 0, dict[State, int]()
    while state not in seen:
        seen[state] = redeals
        successors = state.successors()
        if not successors:
            return Lost("no-play" if len(seen) > 1 else "blocked", limits=_limits_hit(state))
        move, state = successors[0]
        if move.kind == "play":
            return Lost("every-play")
        redeals += move == REDEAL
    return Lost("no-play", cycle=redeals - seen[state])


def _limits_hit(state: State) -> tuple[str, ...]:
    """The limits that allow no redeal in a blocked state."""
    rules = state.rules
    hit = []
    if rules.max_redeals is not None and state.redeals >= rules.max_redeals:
        hit.append(f"max_redeals={rules.max_redeals}")
    if rules.idle_passes is not None and not state.played and state.idle + 1 >= rules.idle_passes:
        hit.append(f"idle_passes={rules.idle_passes}")
    return tuple(hit)


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
