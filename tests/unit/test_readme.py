"""The README's commands are those that CI runs; test_docs.py runs its examples."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")]


def test_the_second_command_is_the_one_that_ci_runs() -> None:
    assert len(COMMANDS) == 2
    assert COMMANDS[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
