"""Could that deal have been won?"""

import enum
from collections.abc import Callable
from typing import get_args

import attrs

from amazons_solver.errors import OptionError
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
from amazons_solver.solving.engines import MODEL_STATES, Engine, kernel_search, summed, without_compiling
from amazons_solver.solving.game import Game
from amazons_solver.solving.redeals import fewest_redeals as search_fewest_redeals

__all__ = ["Solution", "Verdict", "solve", "solve_state"]

_SEARCH = "boundaries.search_loop.resume"


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
    """Counts; `Stats.unit` says what the engine stores and counts as a state. With ``fewest_redeals=True`` they are of
    the search in the order of redeals, but for the seconds, which are of both."""
    stop_reason: StopReason
    """Why the search ended; a limit also where the verdict is known, but not the fewest redeals that were asked for."""
    engine: str = "model"
    """The engine that gave the verdict: ``model`` or ``kernel``."""
    redeals_at_least: int | None = None
    """With ``fewest_redeals=True``: the redeals that every winning line has at least. The line has the fewest if it has
    just so many; it has more only if a limit was hit."""

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
    fewest_redeals: bool = False,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Decide a deal.

    Args:
        deal: the deal.
        rules: the rules; the default rules when absent.
        order: ``"dfs"`` plays before it deals and finds a line quickly; ``"bfs"`` promises a line of fewest moves.
        engine: ``"model"``, the readable one; ``"kernel"``, the compiled one, for decks of at most 28 cards and
            ``order="dfs"``; or ``"auto"``: the model for the first 2,000 states, then the kernel if it can.
        fewest_redeals: whether to look for a line of fewest redeals, too: `Solution.redeals_at_least` says what is
            proven. The limits are those of both searches together, but for the limit on states.
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
    return solve_state(
        State.initial(deal, rules),
        order=order,
        engine=engine,
        fewest_redeals=fewest_redeals,
        limits=limits,
        progress=progress,
    )


@checked
def solve_state(
    state: State,
    *,
    order: Order = "dfs",
    engine: Engine = "auto",
    fewest_redeals: bool = False,
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
    watch = Watch(limits)
    solution = _decided(state, order, engine, limits, progress)
    if not fewest_redeals or solution.redeals is None:
        return solution
    before = solution.stats
    onward = None if progress is None else lambda counts: progress(summed(before, counts))
    found = search_fewest_redeals(state, solution.redeals, engine=engine, limits=watch.left, progress=onward)
    return attrs.evolve(
        solution,
        line=solution.line if found.line is None else found.line,
        stats=attrs.evolve(found.stats, seconds=before.seconds + found.stats.seconds),
        stop_reason=found.stop_reason if found.stop_reason.is_limit else solution.stop_reason,
        redeals_at_least=found.at_least,
    )


def _decided(
    state: State, order: Order, engine: Engine, limits: Limits, progress: Callable[[Progress], None] | None
) -> Solution:
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
    try:
        if kernel_search(state.rules, limits, _SEARCH) is not None:
            engine = "kernel"
    except KeyboardInterrupt:
        return _solution(state, attrs.evolve(result, stop_reason=StopReason.INTERRUPTED), "model")
    before = attrs.evolve(result.stats, seconds=watch.seconds)
    onward = None if progress is None else lambda counts: progress(summed(before, counts))
    if engine == "kernel":
        result = _kernel_search(state, watch.left, onward)
    else:
        result = explore(Game(state), order="dfs", limits=watch.left, progress=onward)
        fitting = fits.decides(state.rules)
        if fitting and result.stop_reason is StopReason.SECONDS and fits.waits_for_compiling(limits, _SEARCH):
            waiting.declined.append(_SEARCH)
    stats = attrs.evolve(result.stats, seconds=result.stats.seconds + before.seconds)
    return _solution(state, attrs.evolve(result, stats=stats), engine)


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

    without = without_compiling()
    result = search_state(state, limits, None if progress is None else lambda counts: progress(without(counts)))
    return attrs.evolve(result, stats=without(result.stats))
