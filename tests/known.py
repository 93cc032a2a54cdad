"""The known values of independent programs that several test files share."""

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"


def load_verdicts(name: str = "verdicts.jsonl") -> list[dict[str, Any]]:
    """Known verdicts and counts; fixtures/README.md says what each field counts."""
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]
