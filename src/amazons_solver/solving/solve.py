"""Could that deal have been won?"""

import enum
import importlib
import sys
from collections.abc import Callable
from typing import Literal, get_args

import attrs

from amazons_solver.errors import MissingToolError, OptionError
from amazons_solver.kernel import fits, waiting
from amazons_solver.model.arguments import checked, no_truth
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, format_line
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State
from amazons_solver.search.explore import Order, explore
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress, SearchResult, Stats, StopReason
from amazons_solver.search.watch import Watch
from amazons_solver.solving.game import Game

__all__ = ["Solution", "Verdict", "solve", "solve_state"]

Engine = Literal["auto", "model", "kernel"]

MODEL_STATES = 2_000
"""How many states the model gets before ``engine="auto"`` turns to the kernel, which takes half a second to load.

Most deals under forced rules are decided within them, in some 15 ms, without loading a compiler.
"""


_LOADING_SECONDS = 2.0
"""With less time left, the model continues alone unless the compiler is already loaded."""


class Verdict(enum.Enum):
    """What is known of a deal. Three values do not fit into a bool, so ``bool()`` of a verdict raises."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"

    @property
    def keeps_win(self) -> bool | None:
        """Whether a move keeps the win after which this is the verdict; ``None`` where that is not known.

        >>> [verdict.keeps_win for verdict in Verdict]
        [True, False, None]
        """
        return None if self is Verdict.UNDECIDED else self is Verdict.WINNABLE

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare it with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")


@attrs.frozen(repr=False)
class Solution:
    """The answer for one deal, or for one state.

    The line is there exactly when the verdict is *winnable*: played from `start` it ends in a won state. The verdict is
    *unwinnable* only when every state that can be reached has been seen.
    """

    start: State
    verdict: Verdict
    line: tuple[Move, ...] | None
    stats: Stats
    """Counts; `Stats.unit` says what the engine stores and counts as a state."""
    stop_reason: StopReason
    engine: str = "model"
    """The engine that gave the verdict: ``model`` or ``kernel``."""

    __bool__ = no_truth("a solution", "compare its verdict with Verdict.WINNABLE, UNWINNABLE or UNDECIDED")

    @property
    def moves(self) -> int | None:
        """Moves of the line, redeals included."""
        return None if self.line is None else len(self.line)

    @property
    def redeals(self) -> int | None:
        """Redeals of the line."""
        return None if self.line is None else self.line.count(REDEAL)

    def __str__(self) -> str:
        return self.verdict.value if self.line is None else f"{self.verdict.value}: {format_line(self.line)}"

    def __repr__(self) -> str:
        detail = f"{self.moves} moves" if self.line is not None else self.stop_reason.value
        return f"<Solution {self.verdict.value}, {detail}, {self.stats.states} {self.stats.unit}>"

    def _repr_html_(self) -> str:
        """How notebooks show it: the facts, and the line as a strip of pictures. The time it took is left out."""
        from amazons_solver.render.html import scrolled, table_html  # noqa: PLC0415 (only notebooks need it)
        from amazons_solver.render.svg import line_svg  # noqa: PLC0415

        facts: list[tuple[str, object]] = [
            ("ended by", self.stop_reason.value),
            (f"stored {self.stats.unit}", f"{self.stats.states:,}"),
        ]
        if self.line is None:
            return table_html(facts, caption=self.verdict.value)
        facts += [("moves", self.moves), ("redeals", self.redeals)]
        return table_html(facts, caption=self.verdict.value) + scrolled(line_svg(self.start, self.line))


@checked
def solve(
    deal: Deal,
    rules: Rules | None = None,
    *,
    order: Order = "dfs",
    engine: Engine = "auto",
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Decide a deal.

    Args:
        deal: the deal.
        rules: the rules; the default rules when absent.
        order: ``"dfs"`` plays before it deals and finds a line quickly; ``"bfs"`` promises a line of fewest moves.
        engine: ``"model"``, the reference implementation; ``"kernel"``, the compiled one, for decks of at most 28 cards
            and ``order="dfs"``; or ``"auto"``: the model for the first 2,000 states, then the kernel if it can.
        limits: when to give up undecided; the default limits when absent. A limit on seconds is wall time, and
            compiling counts, which takes 10 to 50 s once on a machine: with less than a minute, and no machine code
            kept, ``"auto"`` stays with the model.
        progress: called with the counts so far a few times a second.

    Raises:
        NotationError: the deal is not of the rules' deck.
        OptionError: there is no such order or engine, or the kernel cannot answer as asked.
        MissingToolError: ``engine="kernel"``, and Numba cannot be imported.

    >>> solution = solve(Deal.pysolfc("24680"), Rules.preset("pysolfc"))
    >>> solution.verdict
    <Verdict.WINNABLE: 'winnable'>
    >>> solution.start.play_line(solution.line).is_won
    True
    """
    return solve_state(State.initial(deal, rules), order=order, engine=engine, limits=limits, progress=progress)


@checked
def solve_state(
    state: State,
    *,
    order: Order = "dfs",
    engine: Engine = "auto",
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Decide whether a state can still be won; the arguments are those of `solve`.

    Raises:
        OptionError: there is no such order or engine, or the kernel cannot answer as asked.

    >>> rules = Rules(suits="C", ranks="A78", withhold="any", max_redeals=0)
    >>> solve_state(State.parse("- | 8C 7C AC | - | redeals=0", rules)).verdict
    <Verdict.WINNABLE: 'winnable'>
    """
    if engine not in get_args(Engine):
        raise OptionError(f"expected engine to be one of {', '.join(get_args(Engine))}; got {engine!r}")
    limits = limits or Limits()
    if engine == "kernel":
        if order != "dfs":
            raise OptionError(f"expected order dfs with engine kernel, which promises no fewest moves; got {order}")
        if not fits.decides(state.rules):
            raise OptionError(fits.refusal(state.rules))
        return _solution(state, _kernel_search(state, limits, progress), "kernel")
    if engine == "auto" and order == "dfs" and (limits.states is None or limits.states > MODEL_STATES):
        return _handed_over(state, limits, progress)
    return _solution(state, explore(Game(state), order=order, limits=limits, progress=progress), "model")


def _handed_over(state: State, limits: Limits, progress: Callable[[Progress], None] | None) -> Solution:
    """What the model finds within its first states, or else the kernel, or the model where the kernel cannot."""
    watch = Watch(limits)
    result = explore(Game(state), order="dfs", limits=attrs.evolve(limits, states=MODEL_STATES), progress=progress)
    if result.stop_reason is not StopReason.STATES:
        return _solution(state, result, "model")
    engine = "model"
    there_is_time = limits.seconds is None or limits.seconds > _LOADING_SECONDS or "numba" in sys.modules
    fitting = fits.decides(state.rules)
    declined = fitting and fits.waits_for_compiling(limits, "boundaries.search_loop.resume")
    if there_is_time and fitting and not declined:
        try:
            importlib.import_module("amazons_solver.kernel.boundaries.search")
            engine = "kernel"
        except (MissingToolError, ImportError):  # a damaged Numba or numpy: the model continues as far as it gets
            pass
        except KeyboardInterrupt:
            return _solution(state, attrs.evolve(result, stop_reason=StopReason.INTERRUPTED), "model")
    before = attrs.evolve(result.stats, seconds=watch.seconds)
    onward = None if progress is None else lambda counts: progress(_together(before, counts))
    if engine == "kernel":
        result = _kernel_search(state, watch.left, onward)
    else:
        result = explore(Game(state), order="dfs", limits=watch.left, progress=onward)
        if declined and result.stop_reason is StopReason.SECONDS:
            waiting.declined.append("boundaries.search_loop.resume")
    stats = attrs.evolve(result.stats, seconds=result.stats.seconds + before.seconds)
    return _solution(state, attrs.evolve(result, stats=stats), engine)


def _together(before: Stats, now: Progress) -> Progress:
    """The counts of two searches, one after the other, so that what is reported never falls."""
    counts = ("states", "generated", "duplicates", "expanded", "seconds")
    return attrs.evolve(now, **{name: getattr(before, name) + getattr(now, name) for name in counts})


def _solution(state: State, result: SearchResult[Move], engine: str) -> Solution:
    if result.line is not None:
        verdict = Verdict.WINNABLE
    elif result.stop_reason is StopReason.EXHAUSTED:
        verdict = Verdict.UNWINNABLE
    else:
        verdict = Verdict.UNDECIDED
    return Solution(state, verdict, result.line, result.stats, result.stop_reason, engine)


def _kernel_search(state: State, limits: Limits, progress: Callable[[Progress], None] | None) -> SearchResult[Move]:
    from amazons_solver.kernel.boundaries.search import search_state  # noqa: PLC0415 (numba takes half a second to load)

    before = waiting.seconds()

    def without_compiling(counts: Stats) -> Stats:
        return attrs.evolve(counts, seconds=max(0.0, counts.seconds - (waiting.seconds() - before)))

    onward = None if progress is None else lambda counts: progress(without_compiling(counts))
    result = search_state(state, limits, onward)
    return attrs.evolve(result, stats=without_compiling(result.stats))
