"""What the README shows is what the program does."""

import re
import shlex
from pathlib import Path

from command_line import run

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")]


def test_the_second_command_is_the_one_that_ci_runs() -> None:
    assert len(COMMANDS) == 2
    assert COMMANDS[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_transcript_is_true() -> None:
    transcript = README.split("```console\n")[1].split("```")[0]
    shown = transcript.split("$ amazons-solver ")[1:]
    assert len(shown) == 2
    for part in shown:
        command, _, output = part.partition("\n")
        # The time differs from run to run, so the README leaves it out.
        printed = re.sub(r" in [0-9.]+ s$", "", run(*shlex.split(command)).stdout, flags=re.MULTILINE)
        without_counts = [line for line in printed.splitlines() if not line.startswith("searched")]
        assert without_counts == output.strip().splitlines()


def test_the_python_example_runs() -> None:
    example = README.split("```python\n")[1].split("```")[0]
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 (our own text)
