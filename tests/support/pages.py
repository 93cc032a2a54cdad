"""Pages of documentation for tests: their blocks of code, run in the order in which a reader meets them.

Blocks in fences are run:

- ``python`` blocks as scripts, ``pycon`` blocks as examples with their output, in one namespace for each page;
- ``console`` blocks as transcripts of `amazons-solver`, in one folder for each page. ``> FILE`` keeps what is printed,
  and ``$ echo $?`` shows the exit code where it is not 0. Where no output is shown, the command has to succeed. Times
  are not compared, lines that say what a search cost may be left out, and a server, which never ends, is not started;
- a block after ``<!-- file: NAME -->`` is a file in that folder.

Not run are blocks after ``<!-- not run: why -->`` and indented ones, which are commands that take minutes or need other
programs: those of `amazons-solver` are parsed, and scripts of ours must be there.
"""

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import attrs
import typer
from markdown_it import MarkdownIt
from typer.exceptions import TyperException

from amazons_solver.cli.app import app
from support.command_line import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

UNCHECKED = {"text", "html", "{toctree}", "{eval-rst}"}
"""Blocks that are no code, or that tests of their own or the site's builder read."""

_MARK = re.compile(r"<!-- (file|not run): (.+) -->\s*")
_TIME = re.compile(r" in [0-9.]+ s$|(?<=\"seconds\": )[0-9.e-]+", flags=re.MULTILINE)
_COST = re.compile(r"^(?:searched |now  |compiling |[\d,]+ of [\d,]+ deals, ).*\n", flags=re.MULTILINE)
_COMMAND = re.compile(r"amazons-solver (?P<arguments>.*?)(?: > (?P<file>\S+))?")


@attrs.frozen
class Block:
    """A block of code on a page."""

    kind: str
    """What the fence says; ``indented`` for a block without one."""
    text: str
    line: int
    """Of the page, counted from 1."""
    mark: Literal["", "file", "not run"] = ""
    note: str = ""
    """The name of the file, or why the block is not run."""


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page in Markdown."""
    mark: Any = ("", "")
    for token in MarkdownIt().parse(page):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "fence":
            yield Block(token.info.split()[0] if token.info else "", token.content, line, *mark)
        elif token.type == "code_block":
            yield Block("indented", token.content, line, *mark)
        found = _MARK.fullmatch(token.content) if token.type == "html_block" else None
        mark = found.groups() if found else ("", "")


def run_page(page: str, name: str) -> None:
    """Run the blocks of a page in the current folder; what is not as it is shown fails the test."""
    names: dict[str, Any] = {"__name__": name}
    for block in blocks(page):
        place = f"{name}:{block.line}"
        if block.mark == "file":
            Path(block.note).write_text(block.text, encoding="utf-8")
        elif block.mark == "not run" or block.kind == "indented":
            _look_over(block.text, place)
        elif block.kind == "python":
            exec(compile("\n" * block.line + block.text, name, "exec"), names)  # noqa: S102 (our own text)
        elif block.kind == "pycon":
            _run_examples(block.text, names, name, block.line)
        elif block.kind == "console":
            _run_transcript(block.text, place)
        else:
            assert block.kind in UNCHECKED, f"{place}: nothing says how to check a block of {block.kind!r}"


def _run_examples(text: str, names: dict[str, Any], name: str, line: int) -> None:
    examples = doctest.DocTestParser().get_doctest(text, names, name, name, line)
    assert examples.examples, f"{name}:{line}: no example"
    report: list[str] = []
    doctest.DocTestRunner().run(examples, out=report.append, clear_globs=False)
    assert not report, "".join(report)
    names.update(examples.globs)


def _run_transcript(text: str, place: str) -> None:
    first, *shown = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not first, f"{place}: expected a command first, got {first!r}"
    code = 0
    for part in shown:
        command, _, output = part.partition("\n")
        if command == "echo $?":
            assert output.strip() == str(code), place
            code = 0
            continue
        assert code == 0, f"{place}: exit code {code} is not shown before $ {command}"
        found = _COMMAND.fullmatch(command)
        assert found, f"{place}: expected a command of amazons-solver, got {command!r}"
        words = shlex.split(found["arguments"])
        if "--serve" in words:
            _parse_command(words, place)
            continue
        result = run(*words)
        code, printed = result.exit_code, result.output
        if found["file"]:
            Path(found["file"]).write_text(result.stdout, encoding="utf-8")
            printed = result.stderr
        if not _COST.search(output):
            printed = _COST.sub("", printed)
        assert not output.strip() or _plain(printed) == _plain(output), f"{place}: $ {command}\n{printed}"
    assert code == 0, f"{place}: exit code {code} is not shown"


def _plain(output: str) -> list[str]:
    """What is compared: without times, and without the empty lines that part one command from the next."""
    return _TIME.sub("", output).strip().splitlines()


def _look_over(text: str, place: str) -> None:
    for line in text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[:1] == ["amazons-solver"]:
            _parse_command(words[1:], place)
        elif words[:1] == ["python"]:
            assert (ROOT / words[1]).is_file(), f"{place}: no file {words[1]}"


def _parse_command(words: list[str], place: str) -> None:
    """Assert that the command line has such a command, such options, and such values for them."""
    group: Any = typer.main.get_command(app)
    with typer.Context(group) as context:
        command = group.get_command(context, words[0])
        assert command, f"{place}: no command {words[0]}"
        try:
            command.make_context(words[0], words[1:], parent=context)
        except TyperException as error:
            raise AssertionError(f"{place}: {error}") from error
