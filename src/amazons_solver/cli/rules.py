"""``rules``: the published readings of the rules, as data."""

import json
from typing import Annotated, get_args

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.options import DEFAULT_RULES, AsJson, rules_of
from amazons_solver.model.records import differences
from amazons_solver.model.rules import PRESETS, Rules

EXAMPLES = """\b
Examples:
  amazons-solver rules
  amazons-solver rules patiencen > mine.toml
  amazons-solver solve --number 7 --rules mine.toml
"""


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME|FILE", help="A preset, or a .toml or .json file.", show_default=False),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List the presets and their sources, or print one as a file.

    The file is TOML, with --json JSON, and --rules reads either. The list is name, source and rules with --json.
    """
    if name is not None:
        rules = rules_of(name, None)
        console.write(json.dumps(rules.to_dict()) if as_json else _commented_toml(name, rules))
    elif as_json:
        for preset in PRESETS.values():
            fields = {"name": preset.name, "source": preset.source, "rules": preset.rules.to_dict()}
            console.write(json.dumps(fields))
    else:
        _show_table()


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
