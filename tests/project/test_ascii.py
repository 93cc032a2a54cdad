"""Every output can write what the library says: messages, intervals and examples are ASCII."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import amazons_solver
from amazons_solver import AmazonsError, Deal, Rules, State, parse_line
from amazons_solver.surveys.statistics import wilson
from support.command_line import environment

ROOT = Path(__file__).parent.parent.parent
MORE_THAN_ASCII = {
    "model/cards.py": "suit symbols are read, and written by Card.pretty",
    "surveys/statistics.py": "Interval.pretty",
    "cli/console.py": "replaces the sign where it cannot be written",
    "cli/files.py": "bytes that are not UTF-8, as Python reads them",
    "render/svg.py": "SVG is UTF-8",
}
BAD: list[Callable[[], object]] = [
    lambda: Deal.parse("7X"),
    lambda: Deal.parse("7H" * 100),
    lambda: Deal.parse("AS"),
    lambda: State.parse("AS | - ; -"),
    lambda: parse_line("d 7H>x"),
    lambda: Rules(withhold="some"),  # type: ignore[arg-type]
    lambda: Rules.from_toml("x" * 1_000_000),
    lambda: Deal.numbered(-1),
    lambda: Deal.pysolfc("10" * 30),
]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "latin-1"])
def test_errors_and_intervals_can_be_printed(encoding: str) -> None:
    for bad in BAD:
        with pytest.raises(AmazonsError) as found:
            bad()
        str(found.value).encode(encoding)
    str(wilson(3, 97)).encode(encoding)


@pytest.mark.slow
def test_no_message_has_more_than_ascii() -> None:
    """String constants, docstrings left out: what is not ASCII is in the files named above alone."""
    package = Path(amazons_solver.__file__).parent
    found = set()
    for file in package.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        found |= {
            file.relative_to(package).as_posix()
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not node.value.isascii()
            and id(node) not in documents
        }
    assert found == set(MORE_THAN_ASCII)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run_whatever_the_output_can_write(example: Path, encoding: str) -> None:
    env = environment({"PYTHONIOENCODING": encoding})
    found = subprocess.run([sys.executable, example], env=env, capture_output=True, check=False, timeout=120)
    assert found.returncode == 0, found.stderr.decode()
    assert found.stdout
