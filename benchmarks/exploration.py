"""The compiled exploration against the plain program, in one run: states a second, and bytes a state.

Run it with ``python benchmarks/exploration.py [states] [rounds]``. Compiling is not counted. Every round measures each
program once, in turn, so that a machine whose speed drifts does not favour one. Speeds are by processor time, so that
what else the machine does counts less; the table gives medians, and the ratio round by round. The plain program
explores a tenth of a million states, which is where it is fastest.
"""

import statistics
import sys
import time
from collections.abc import Callable

import plain

from amazons_solver import Deal, Limits, Rules, State
from amazons_solver.kernel.exact.exploration import Exploration, explore_exact

PLAIN_STATES = 100_000


def rate(count: int, work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return count / (time.process_time() - started)


def explored(name: str, states: int, *, edges: bool = False) -> Exploration:
    rules = Rules.preset(name)
    limits = Limits(states=states, memory_bytes=None)
    found = explore_exact(State.initial(Deal.numbered(0, rules), rules), limits=limits, edges=edges)
    assert found.states == states
    return found


def main(states: int, rounds: int) -> None:
    cards = str(Deal.numbered(0, Rules.preset("wikipedia"))).split()
    explored("wikipedia", 1000, edges=True)
    work: dict[str, Callable[[], float]] = {
        "plain, wikipedia": lambda: rate(
            PLAIN_STATES, lambda: plain.explore(cards, withhold="bases", max_states=PLAIN_STATES)
        ),
        "wikipedia": lambda: rate(states, lambda: explored("wikipedia", states)),
        "wikipedia, edges kept": lambda: rate(states, lambda: explored("wikipedia", states, edges=True)),
        "pysolfc": lambda: rate(states, lambda: explored("pysolfc", states)),
    }
    figures: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, measure in work.items():
            figures[name].append(measure())
    base = figures["plain, wikipedia"]
    for name, values in figures.items():
        ratio = statistics.median(value / other for value, other in zip(values, base, strict=True))
        print(f"{name:24} {statistics.median(values):12,.0f} states/s   {ratio:6.1f} of plain")
    for edges in (False, True):
        found = explored("wikipedia", states, edges=edges)
        kept = "with edges" if edges else "without edges"
        print(f"{found.memory_bytes / found.states:.1f} bytes a state {kept}, {found.edges / found.states:.2f} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3] + ["5000000", "5"][len(sys.argv[1:3]) :]))
