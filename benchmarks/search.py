"""The readable model against the plain program, in one run: states a second and forced deals a second.

Run it with ``python benchmarks/search.py [rounds]``. Every round measures each program once, in turn, so that a machine
whose speed drifts does not favour one; the table gives medians, and the ratio round by round.
"""

import statistics
import sys
import time
from collections.abc import Callable

import plain

from amazons_solver import Deal, Limits, Rules, State, solve
from amazons_solver.search.explore import explore
from amazons_solver.solving.game import Game, Identity

STATES = 100_000
DEALS = 200
WIKIPEDIA = Rules.preset("wikipedia")
FORCED = WIKIPEDIA.evolve(withhold="nothing")


def cards(number: int) -> list[str]:
    return str(Deal.numbered(number, WIKIPEDIA)).split()


def rate(count: int, work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def model_explores(identity: Identity) -> None:
    start = State.initial(Deal.numbered(0, WIKIPEDIA), WIKIPEDIA)
    stats = explore(Game(start, identity), stop_at_goal=False, limits=Limits(states=STATES)).stats
    assert stats.states == STATES


def main(rounds: int) -> None:
    deals = [Deal.numbered(number, FORCED) for number in range(DEALS)]
    texts = [cards(number) for number in range(DEALS)]
    work: dict[str, Callable[[], float]] = {
        "plain, states/s": lambda: rate(STATES, lambda: plain.explore(texts[0], withhold="bases", max_states=STATES)),
        "model, exact states/s": lambda: rate(STATES, lambda: model_explores("exact")),
        "model, canonical states/s": lambda: rate(STATES, lambda: model_explores("canonical")),
        "plain, forced deals/s": lambda: rate(
            DEALS, lambda: [plain.decide(text, withhold="nothing") for text in texts]
        ),
        "model, forced deals/s": lambda: rate(DEALS, lambda: [solve(deal, FORCED) for deal in deals]),
    }
    figures: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, measure in work.items():
            figures[name].append(measure())
    base: list[float] = []
    for name, values in figures.items():
        if name.startswith("plain"):
            base = values
        ratio = statistics.median(value / other for value, other in zip(values, base, strict=True))
        print(f"{name:28} {statistics.median(values):10,.0f}   {ratio:.2f} of plain")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
