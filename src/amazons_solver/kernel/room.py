"""What fits into the exact states of the compiled code; to ask loads no compiler."""

from amazons_solver.model.rules import Rules

MOST_CARDS = 28
MOST_COUNTERS = 1 << 12


def supports(rules: Rules) -> bool:
    """Whether states of these rules fit: 28 cards at most, and limits whose counters take no more than 4096 values."""
    counters = 1 + (rules.max_redeals or 0)
    if rules.idle_passes is not None:
        counters *= 2 * rules.idle_passes
    return len(rules.deck) <= MOST_CARDS and counters <= MOST_COUNTERS
