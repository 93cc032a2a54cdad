"""The program: its commands, and one place where whatever goes wrong becomes a line on stderr and an exit code."""

import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from amazons_solver.cli import console, ending
from amazons_solver.cli.commands import (
    annotate,
    deal,
    explore,
    graph,
    hint,
    play,
    report,
    rules,
    show,
    solve,
    strategy,
    survey,
    verify,
    warm_up,
)
from amazons_solver.cli.options import grouped
from amazons_solver.model.version import commit
from amazons_solver.model.version import version as this_version

__all__ = ["app"]

_HELP = """Decides deals of the patience Amazons, proves the verdicts, and draws every decision.

\b
Examples:
  amazons-solver solve --pysolfc 24680
  amazons-solver solve --file deals.txt --json > answers.jsonl
  amazons-solver hint --pysolfc 24680 "d d"
  amazons-solver graph --number 9 --rules ultimate -o graph.svg
  amazons-solver survey --rules ultimate --deals 0:1000000 --ledger odds.db
  amazons-solver explore --number 9 --rules ultimate -o decisions.html

\b
Exit codes:
  0    the question was answered, whatever the answer
  1    a certificate is invalid; with --exit-code also: a deal is unwinnable
  2    bad usage or bad input, be it one line of many
  3    undecided: a limit was reached, be it for one deal of many
  70   an internal error, and no answer
  130  interrupted
"""


_EMPTY_TALON = re.compile(r"^-(?=[\s|])")


class Program(TyperGroup):
    """The group of commands, with errors reported our way."""

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: Any, **__: Any) -> Any:
        """Run a command and exit."""
        # A state whose talon is empty, "- | 7C ; ...", is no option.
        arguments = [_EMPTY_TALON.sub(" -", argument) for argument in (sys.argv[1:] if args is None else args)]

        def command() -> None:
            with self.make_context(prog_name, arguments) as context:
                self.invoke(context)

        ending.end(console.run(command))


app = typer.Typer(
    cls=Program,
    help=_HELP,
    add_completion=False,
    rich_markup_mode=None,  # plain help: loading rich for it would double the time it takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _no_command(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version, and what it is made of.")] = False,
) -> None:
    if version:
        built = commit()
        typer.echo(f"amazons-solver {this_version()}" + (f" (commit {built})" if built else ""))
        raise typer.Exit(console.ANSWERED)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(console.BAD_INPUT)


_COMMANDS = (solve, hint, annotate, play, explore, graph, show, verify, rules, deal, strategy, survey, report, warm_up)
for _module in _COMMANDS:
    _name = _module.__name__.rpartition(".")[2].replace("_", "-")
    app.command(_name, epilog=_module.EXAMPLES)(grouped(_module.command))
