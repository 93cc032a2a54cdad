"""The known values of independent programs that several test files share."""

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[1] / "fixtures"


def load_verdicts() -> list[dict[str, Any]]:
    """Known verdicts and counts; fixtures/README.md says what each field counts."""
    own_suit = _rows("own-suit.jsonl")
    for row in own_suit:  # canonical identity is exact identity there, so the file has one kind of counts
        row.update({f"canonical_{what}": row[what] for what in ("states", "edges", "won_states") if what in row})
    return _rows("verdicts.jsonl") + own_suit


def load_fewest() -> list[dict[str, Any]]:
    """Known fewest redeals of winnable full decks."""
    return _rows("fewest.jsonl")


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]
