"""The known values of independent programs that several test files share."""

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"


def load_verdicts() -> list[dict[str, Any]]:
    """Known verdicts and counts; fixtures/README.md says what each field counts."""
    lines = (FIXTURES / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
