"""What is known about the states of a game, so that nothing is decided twice."""

from collections.abc import Callable

import attrs

from amazons_solver.model.arguments import checked
from amazons_solver.model.moves import REDEAL, Move, Moves, as_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, StopReason
from amazons_solver.solving.engines import Engine
from amazons_solver.solving.redeals import fewest_redeals
from amazons_solver.solving.solve import Verdict, solve_state

__all__ = ["Knowledge"]


@attrs.frozen(repr=False)
class _Step:
    """The next move of the best winning line known from a state."""

    redeals: int
    moves: int
    move: Move
    after: State


@attrs.frozen(repr=False, eq=False)
class Knowledge:
    """What is known about states: passed from call to call, so that nothing is decided twice.

    A state on a winning line that was found is known to be winnable, too. From a state to the next one that a hint puts
    first, the redeals and moves left never grow.
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
            # What is noted of the next state can only have improved since this step was noted, so this ends.
            line.append(step.move)
            state = step.after
        return tuple(line)

    @checked
    def add_line(self, state: State, line: Moves) -> None:
        """Note a winning line.

        Raises:
            IllegalMoveError: a move is not legal; the message counts the moves from 1.
            ValueError: the line does not end in a won state.
        """
        line = as_line(line)
        states = state.states_along(line)
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
        """For a state that is known to be winnable: the redeals of the best line known, and a lower bound.

        The two are equal, and the first is the fewest, unless a limit was hit.

        Raises:
            KeyboardInterrupt: Ctrl-C came on the way.
        """
        key = (state.rules, state.key())
        redeals, at_least = (self.line(state) or ()).count(REDEAL), self._at_least.get(key, 0)
        if at_least < redeals:
            found = fewest_redeals(state, redeals, engine=self.engine, limits=limits, progress=progress)
            if found.stop_reason is StopReason.INTERRUPTED:
                raise KeyboardInterrupt
            if found.line is not None:
                self.add_line(state, found.line)
                redeals = found.at_least
            at_least = self._at_least[key] = max(at_least, found.at_least)
        return redeals, at_least

    def __repr__(self) -> str:
        return f"<Knowledge {len(self._steps)} winnable, {len(self._lost)} unwinnable>"
