"""Every decision of a small game: which are fatal, and what does the graph look like in other programs?"""

import tempfile
from pathlib import Path

from amazons_solver import Deal, Rules, decision_graph, format_line, write_graph

rules = Rules(suits="CD", ranks="A78", base_placement="any", withhold="any", max_redeals=2)
deal = Deal.numbered(7, rules)
decisions = decision_graph(deal, rules)
graph = decisions.graph

print(f"{deal}: {graph.number_of_nodes()} states, {graph.number_of_edges()} moves, {decisions.verdict.value}")
line = decisions.shortest_line()
print("shortest winning line:", "none" if line is None else format_line(line))
for source, _, move in decisions.fatal_edges():
    print(f"fatal: {move:5} in {graph.nodes[source]['state']}")

with tempfile.TemporaryDirectory() as folder:
    for ending in ("graphml", "gexf", "dot", "json"):
        path = Path(folder) / f"decisions.{ending}"
        write_graph(decisions, path)
        print(f"{path.name}: {path.stat().st_size:,} bytes")
