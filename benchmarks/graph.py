"""Decision graphs against the plain program's networkx graph, in one run: nodes a second, bytes a node.

Run it with ``python benchmarks/graph.py [rounds]``. Every round builds each graph once, in turn, so that a machine
whose speed drifts does not favour one; the table gives medians, and the ratio to the plain program round by round.
Speeds are by processor time, so that what else the machine does counts less. The plain program has tuples as nodes and
the move on each edge. ``arrays`` is what `decision_graph` returns, with all labels, of as many nodes and of a million;
``networkx`` is that with its `graph`, which has an id, the notation and five labels on each node, and three attributes
on each edge. Compiling is not counted, the model's first 20,000 states are. Memory is what tracemalloc counts for the
finished graph, and at most while it is built.
"""

import gc
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import plain

from amazons_solver import Deal, Limits, Rules, decision_graph
from amazons_solver.export import FORMATS, write_graph
from amazons_solver.graphs.graph import DecisionGraph

NODES = 100_000
MANY = 1_000_000
NODES_WEIGHED = 40_000
CASES = {
    "wikipedia": (0, Rules.preset("wikipedia")),
    "withhold any": (3, Rules.preset("wikipedia").evolve(withhold="any")),
    "morehead": (5, Rules.preset("morehead")),
}
Build = Callable[[int, Rules, int], object]


def plain_graph(number: int, rules: Rules, states: int) -> object:
    cards = str(Deal.numbered(number, rules)).split()
    return plain.graph(cards, withhold=rules.withhold, top_anywhere=rules.top_anywhere, max_states=states)


def arrays(number: int, rules: Rules, states: int) -> DecisionGraph:
    return decision_graph(Deal.numbered(number, rules), rules, limits=Limits(states=states))


def networkx_graph(number: int, rules: Rules, states: int) -> object:
    decisions = arrays(number, rules, states)
    assert len(decisions.graph) > 0.99 * states
    return decisions


WORK: dict[str, tuple[Build, int, int]] = {
    "plain": (plain_graph, NODES, NODES_WEIGHED),
    "networkx": (networkx_graph, NODES, NODES_WEIGHED),
    "arrays": (arrays, NODES, NODES),
    "arrays, many": (arrays, MANY, MANY),
}


def speed(build: Build, case: tuple[int, Rules], nodes: int) -> float:
    gc.collect()
    started = time.process_time()
    graph = build(*case, nodes)
    seconds = time.process_time() - started
    del graph
    return nodes / seconds


def weight(build: Build, case: tuple[int, Rules], nodes: int) -> tuple[float, float]:
    gc.collect()
    tracemalloc.start()
    graph = build(*case, nodes)
    gc.collect()
    now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del graph
    return now / nodes, most / nodes


def main(rounds: int) -> None:
    arrays(0, Rules(), 30_000)  # compiles
    print(f"{'':14} {'':14} {'nodes':>9} {'nodes/s':>10} {'of plain':>8} {'bytes/node':>11} {'at most':>8}")
    for name, case in CASES.items():
        speeds: dict[str, list[float]] = {kind: [] for kind in WORK}
        for _ in range(rounds):
            for kind, (build, nodes, _weighed) in WORK.items():
                speeds[kind].append(speed(build, case, nodes))
        for kind, (build, nodes, weighed) in WORK.items():
            ratio = statistics.median(a / b for a, b in zip(speeds[kind], speeds["plain"], strict=True))
            now, most = weight(build, case, weighed)
            rate = statistics.median(speeds[kind])
            print(f"{name:14} {kind:14} {nodes:9,} {rate:10,.0f} {ratio:8.2f} {now:11,.0f} {most:8,.0f}")
    print()
    decisions = arrays(*CASES["wikipedia"], MANY)
    with tempfile.TemporaryDirectory() as folder:
        for file_format in FORMATS:
            if file_format != "svg":
                started = time.process_time()
                file = Path(folder) / f"graph.{file_format}"
                write_graph(decisions, file)
                seconds = time.process_time() - started
                megabytes = file.stat().st_size / 1e6
                print(f"wikipedia, {MANY:,} nodes as {file_format:8} {seconds:6.1f} s {megabytes:7,.0f} MB")
                file.unlink()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
