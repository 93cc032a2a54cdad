"""Hypothesis profiles, and the known values that several test files share."""

import json
from pathlib import Path
from typing import Any

import hypothesis

FIXTURES = Path(__file__).parent / "fixtures"

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile("default")


def load_verdicts() -> list[dict[str, Any]]:
    """Known verdicts and counts from independent programs; fixtures/README.md says what each field counts."""
    lines = (FIXTURES / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
