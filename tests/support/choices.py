"""What the rules page lets a player choose, and every combination of it."""

import itertools
from typing import Any

SUITS, RANKS = "CDHS", "A23456789TJQK"
CHOICES: dict[str, list[Any]] = {
    "base_placement": ["leftmost", "any", "above", "suit"],
    "build": ["suit", "rank"],
    "top_anywhere": [False, True],
    "gather": ["left-over-right", "right-over-left"],
    "skip_complete": [False, True],
    "withhold": ["nothing", "bases", "any"],
}


def combinations(*names: str) -> list[dict[str, Any]]:
    """Every combination of the choices for these names."""
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(CHOICES[name] for name in names))]


COMBINATIONS = [
    fields for fields in combinations(*CHOICES) if (fields["base_placement"], fields["build"]) != ("suit", "rank")
]
"""All that the rules allow: foundations of one suit each are not built by rank."""

LIMITS: list[dict[str, Any]] = [
    {"max_redeals": redeals, "idle_passes": passes} for redeals, passes in [(None, None), (1, None), (None, 1), (2, 2)]
]


def name(fields: dict[str, Any]) -> str:
    """A test's name for such choices."""
    return "-".join(str(value) for value in fields.values())
