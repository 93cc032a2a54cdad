"""``rules``: the published readings of the rules, as data."""

from pathlib import Path
from typing import Annotated, get_args

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import check_writable, writing
from amazons_solver.cli.options import DEFAULT_RULES, AsJson, rules_of
from amazons_solver.errors import OptionError, shorten
from amazons_solver.files import write_whole
from amazons_solver.model.rules import PRESETS, Rules, differences

EXAMPLES = """\b
Examples:
  amazons-solver rules
  amazons-solver rules patiencen -o mine.toml
  amazons-solver solve --number 7 --rules mine.toml
"""


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME|FILE", help="A preset, or a .toml or .json file.", show_default=False),
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", readable=False, help="Write the rules to a .toml or .json file."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the presets and their sources, or print one, or write it to a file.

    The file is TOML or, by its ending, JSON, and --rules reads either. The list is name, source and rules with --json.
    """
    if output is not None:
        _write(name, output, as_json=as_json)
    elif name is not None:
        rules = rules_of(name, None)
        if as_json:
            console.write_json(rules.to_dict())
        else:
            console.write(_commented_toml(name, rules))
    elif as_json:
        for preset in PRESETS.values():
            fields = {"name": preset.name, "source": preset.source, "rules": preset.rules.to_dict()}
            console.write_json(fields)
    else:
        _show_table()


def _write(name: str | None, path: Path, *, as_json: bool) -> None:
    if name is None:
        raise OptionError("expected NAME with -o FILE, got no rules to write")
    kind = path.suffix.lower()
    if kind not in ((".json",) if as_json else (".toml", ".json")):
        wanted = ".json" if as_json else ".toml or .json"
        raise OptionError(f"expected a file that ends in {wanted} for -o, got {shorten(str(path))}")
    check_writable(path)
    rules = rules_of(name, None)
    text = rules.to_json() if kind == ".json" else _commented_toml(name, rules)
    with writing(path):
        write_whole(path, f"{text}\n".encode())


def _commented_toml(name: str, rules: Rules) -> str:
    """The rules as TOML, every field under a comment on what it means."""
    heading = f"{name}: {PRESETS[name].source}" if name in PRESETS else name
    values = dict(line.split(" = ", 1) for line in rules.to_toml().splitlines())
    lines = [f"# {console.one_line(heading)}"]
    for field in attrs.fields(Rules):
        choices = [str(choice) for choice in get_args(field.type) if isinstance(choice, str)]
        meaning = f"{field.metadata['help']}: {', '.join(choices)}" if choices else field.metadata["help"]
        if field.name in values:
            lines += ["", f"# {meaning}", f"{field.name} = {values[field.name]}"]
        else:
            lines += ["", f"# {meaning}; off when absent", f"# {field.name} = 1"]
    return "\n".join(lines)


def _show_table() -> None:
    from rich import box
    from rich.table import Table

    table = Table("preset", "source", f"differs from {DEFAULT_RULES} in", box=box.SIMPLE_HEAD, pad_edge=False)
    for preset in PRESETS.values():
        table.add_row(preset.name, preset.source, "\n".join(differences(preset.rules, Rules())) or "(the default)")
    console.show(table)
