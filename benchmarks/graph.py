"""Labelled decision graphs against the plain program's networkx graph, in one run: nodes a second, bytes a node.

Run it with ``python benchmarks/graph.py [rounds]``. Every round builds each graph once, in turn, so that a machine
whose speed drifts does not favour one; the table gives medians, and the ratio round by round. The plain program has
tuples as nodes and the move on each edge; a decision graph has an id, the notation and five labels on each node, and
three attributes on each edge. Memory is what tracemalloc counts for the finished graph, and at most while it is built.
"""

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sized

import plain

from amazons_solver import Deal, Limits, Rules, decision_graph

NODES = 100_000
NODES_WEIGHED = 20_000
CASES = {
    "wikipedia": (0, Rules.preset("wikipedia")),
    "withhold any": (3, Rules.preset("wikipedia").evolve(withhold="any")),
    "morehead": (5, Rules.preset("morehead")),
}


def plain_graph(number: int, rules: Rules, states: int) -> Sized:
    cards = str(Deal.numbered(number, rules)).split()
    return plain.graph(cards, withhold=rules.withhold, top_anywhere=rules.top_anywhere, max_states=states)


def labelled_graph(number: int, rules: Rules, states: int) -> Sized:
    return decision_graph(Deal.numbered(number, rules), rules, limits=Limits(states=states)).graph


def speed(build: Callable[[int, Rules, int], Sized], number: int, rules: Rules) -> float:
    gc.collect()
    started = time.perf_counter()
    graph = build(number, rules, NODES)
    return len(graph) / (time.perf_counter() - started)


def weight(build: Callable[[int, Rules, int], Sized], number: int, rules: Rules) -> tuple[float, float]:
    gc.collect()
    tracemalloc.start()
    graph = build(number, rules, NODES_WEIGHED)
    gc.collect()
    now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return now / len(graph), most / len(graph)


def main(rounds: int) -> None:
    print(
        f"{'':14} {'nodes/s':>10} {'plain':>10} {'ratio':>6}   {'bytes/node':>10} {'plain':>6} {'ratio':>6} {'most':>6}"
    )
    for name, case in CASES.items():
        pairs = [(speed(labelled_graph, *case), speed(plain_graph, *case)) for _ in range(rounds)]
        ours, theirs = (statistics.median(figures) for figures in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        (now, most), (plain_now, _) = weight(labelled_graph, *case), weight(plain_graph, *case)
        print(
            f"{name:14} {ours:10,.0f} {theirs:10,.0f} {ratio:6.2f}   "
            f"{now:10,.0f} {plain_now:6,.0f} {now / plain_now:6.2f} {most:6,.0f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
