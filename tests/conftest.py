"""Hypothesis profiles, and the known values that several test files share."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import hypothesis

FIXTURES = Path(__file__).parent / "fixtures"

# Endgame tables are kept in the user's cache directory: not those of tests. Workers take over the first process's.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _CACHE = tempfile.TemporaryDirectory(prefix="amazons-solver-tests-")
    os.environ["XDG_CACHE_HOME"] = _CACHE.name

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile("default")


def load_verdicts() -> list[dict[str, Any]]:
    """Known verdicts and counts from independent programs; fixtures/README.md says what each field counts."""
    lines = (FIXTURES / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
