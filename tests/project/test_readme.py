"""The README's commands are those that CI runs; test_docs.py runs its examples."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
EXPLORE = re.compile(r"amazons-solver (explore --pysolfc \d+ --line \"[^\"]+\")")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")]


def test_the_second_command_is_the_one_that_ci_runs() -> None:
    assert len(COMMANDS) == 2
    assert COMMANDS[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def explore_command(page: str) -> str:
    """The first command on a page that makes a page of a game."""
    found = EXPLORE.search((ROOT / page).read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def test_the_pictures_of_the_explorer_page_are_of_the_command_beside_them() -> None:
    """docs/images/explorer.py takes them of the one on docs/explorer.md."""
    assert explore_command("README.md") == explore_command("docs/explorer.md")
