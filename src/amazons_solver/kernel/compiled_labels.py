"""The loops of `kernel.labels`, compiled."""

from amazons_solver.kernel import labels
from amazons_solver.kernel.compiling import compiled

turn_round = compiled(labels.turn_round)
spread = compiled(labels.spread)
fewest_costly = compiled(labels.fewest_costly)
mark_cycles = compiled(labels.mark_cycles)
