"""Which engine answers: the kernel when asked, the model first otherwise, and what each is told."""

import importlib
import random
import subprocess
import sys
import time
from typing import Any

import attrs
import pytest

from amazons_solver import Deal, Limits, Rules, State, Verdict, solve
from amazons_solver.errors import OptionError
from amazons_solver.search import watch
from amazons_solver.search.result import Progress, SearchResult, StopReason
from amazons_solver.solving.solve import Solution, solve_state
from support.choices import COMBINATIONS, LIMITS
from support.games import HARD

engines = importlib.import_module("amazons_solver.solving.solve")  # the package's `solve` is the function
SMALL = Rules(suits="CD", ranks="A78", withhold="any")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the model hand over after ten states."""
    assert engines.MODEL_STATES == 2_000
    monkeypatch.setattr(engines, "MODEL_STATES", 10)


@pytest.mark.compiled
def test_auto_gives_the_models_verdicts_and_says_who_found_them() -> None:
    source, found = random.Random(8), set()
    for fields in COMBINATIONS:
        rules = Rules(suits="CD", ranks="A78", **fields, **source.choice(LIMITS))
        deal = Deal.numbered(source.getrandbits(64), rules)
        model, auto = solve(deal, rules, engine="model"), solve(deal, rules)
        assert auto.verdict is model.verdict
        assert (auto.line is not None) == (auto.verdict is Verdict.WINNABLE)
        if auto.line is not None:
            assert auto.start.play_line(auto.line).is_won
        assert (model.engine, model.stats.unit) == ("model", "states")
        if model.stats.states <= 10:
            assert attrs.evolve(auto, stats=model.stats) == model
        else:
            assert (auto.engine, auto.stats.unit) == ("kernel", "boundary states")
            kernel = solve(deal, rules, engine="kernel")
            assert attrs.evolve(auto, stats=kernel.stats) == kernel
            assert auto.stats.states == kernel.stats.states
        found.add((auto.engine, auto.verdict))
    assert len(found) == 4


@pytest.mark.slow
@pytest.mark.compiled
def test_auto_stays_with_the_model_where_the_kernel_cannot_answer() -> None:
    deal = Deal.numbered(0, SMALL)
    for rules in (SMALL.evolve(withhold="nothing", max_redeals=2**15), SMALL.evolve(idle_passes=2**8)):
        assert shortened(solve(deal, rules)) == shortened(solve(deal, rules, engine="model"))
        assert solve(deal, rules).engine == "model"
    large = Rules(ranks="A23456789TJQK", withhold="nothing")
    assert solve(Deal.numbered(0, large), large, limits=Limits(states=500)).engine == "model"
    assert solve(deal, SMALL).engine == "kernel"
    assert shortened(solve(deal, SMALL, order="bfs")) == shortened(solve(deal, SMALL, order="bfs", engine="model"))


def shortened(solution: Solution) -> Solution:
    return attrs.evolve(solution, stats=attrs.evolve(solution.stats, seconds=0.0))


@pytest.mark.parametrize("states", [1, 9, 10])
def test_a_small_limit_on_states_is_the_models(states: int) -> None:
    solution = solve(Deal.numbered(2, HARD), HARD, limits=Limits(states=states))
    assert (solution.engine, solution.stats.states, solution.stop_reason) == ("model", states, StopReason.STATES)
    assert solution.verdict is Verdict.UNDECIDED


@pytest.mark.compiled
def test_a_larger_limit_on_states_is_the_kernels() -> None:
    solution = solve(Deal.numbered(2, HARD), HARD, limits=Limits(states=11))
    assert (solution.engine, solution.stats.states, solution.stop_reason) == ("kernel", 11, StopReason.STATES)
    assert solution.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("rules", "order", "message"),
    [
        (SMALL, "bfs", "expected order dfs with engine kernel, which promises no fewest moves; got bfs"),
        (Rules(ranks="A23456789TJQK"), "dfs", "at most 28 cards, .* got 52, None and None"),
        (SMALL.evolve(max_redeals=2**15), "dfs", r"max_redeals below 2\^15 .* got 6, 32768 and None"),
        (SMALL.evolve(idle_passes=2**8), "dfs", r"idle_passes below 2\^8 .* got 6, None and 256"),
    ],
)
def test_what_the_kernel_refuses(rules: Rules, order: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        solve(Deal.numbered(0, rules), rules, order=order, engine="kernel")


def test_there_is_no_other_engine() -> None:
    with pytest.raises(OptionError, match="expected engine to be one of auto, model, kernel; got 'numba'"):
        solve(Deal.numbered(0, SMALL), SMALL, engine="numba")  # type: ignore[arg-type]


@pytest.mark.compiled
def test_a_won_state_needs_no_search() -> None:
    state = State.parse("- | - ; - | 8C ; 8D", SMALL)
    solution = solve_state(state, engine="kernel")
    assert (solution.verdict, solution.line, solution.stats.states) == (Verdict.WINNABLE, (), 1)


@pytest.mark.compiled
@pytest.mark.parametrize(("spent", "left"), [(0.25, 0.75), (1.0, 0.0), (1.5, 0.0)])
@pytest.mark.parametrize("second", ["kernel", "model"])
def test_the_limit_on_seconds_is_shared(
    spent: float, left: float, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Limits] = []

    def model(_: object, *, limits: Limits, **_options: object) -> SearchResult[Any]:
        told.append(limits)
        if len(told) == 1:
            time.sleep(spent)
        return SearchResult(StopReason.STATES if len(told) == 1 else StopReason.SECONDS, None, first.stats)

    def kernel(_: State, limits: Limits, _progress: object) -> SearchResult[Any]:
        told.append(limits)
        return SearchResult(StopReason.SECONDS, None, first.stats)

    first = engines.explore(engines.Game(State.initial(Deal.numbered(0, SMALL), SMALL)), limits=Limits(states=2))
    monkeypatch.setattr(engines, "explore", model)
    monkeypatch.setattr(engines, "_kernel_search", kernel)
    monkeypatch.setattr(engines.fits, "waits_for_compiling", lambda *_: False)  # be it compiled or not
    rules = SMALL if second == "kernel" else SMALL.evolve(max_redeals=2**15)
    limits = Limits(states=500, seconds=1.0, memory_bytes=10_000_000)
    solution = solve(Deal.numbered(0, rules), rules, limits=limits)
    assert (solution.engine, solution.verdict) == (second, Verdict.UNDECIDED)
    assert told[0] == attrs.evolve(limits, states=10)
    assert attrs.evolve(told[1], seconds=1.0) == limits
    assert told[1].seconds == pytest.approx(left, abs=0.15)
    assert solution.stats.seconds >= spent


@pytest.mark.slow
def test_a_short_time_is_kept_though_the_compiler_would_have_to_be_loaded() -> None:
    program = """
import time
from amazons_solver import Deal, Limits, Rules, solve
rules = Rules.preset("patiencen").evolve(idle_passes=None, skip_complete=False, withhold="bases")
started = time.monotonic()
solution = solve(Deal.numbered(9740, rules), rules, limits=Limits(seconds=0.5))
print(solution.verdict.value, solution.stop_reason.value, solution.stats.seconds <= time.monotonic() - started)
"""
    started = time.monotonic()
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["undecided", "seconds", "True"]
    assert time.monotonic() - started < 5.0  # with the start of Python; compiling alone would take longer


@pytest.mark.slow
@pytest.mark.compiled
def test_what_is_reported_never_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MODEL_STATES", 50_000)
    monkeypatch.setattr(watch, "_SECONDS_BETWEEN_REPORTS", 0.01)
    told: list[Progress] = []
    solution = solve(Deal.numbered(9740, HARD), HARD, progress=told.append)
    assert solution.engine == "kernel"
    assert len(told) >= 2
    for name in ("states", "generated", "duplicates", "expanded", "seconds"):
        counts = [getattr(counts, name) for counts in told]
        assert counts == sorted(counts)
    assert told[-1].states > 50_000
    assert solution.stats.seconds >= told[-1].seconds
