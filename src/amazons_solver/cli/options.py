"""The options that the commands share, and what rules and limits their texts stand for."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import read_text
from amazons_solver.errors import OptionError, RulesError
from amazons_solver.model.cards import shorten
from amazons_solver.model.names import DealName
from amazons_solver.model.records import differences, nearest_preset
from amazons_solver.model.rules import PRESETS, Rules
from amazons_solver.search.limits import Limits

DEFAULT_RULES = "wikipedia"

# Of files, typer checks nothing (readable=False): what is wrong with one is said in our words.

Cards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DEAL",
        help="The cards, first dealt first, such as '7H 10D AS ...'; or a name: pysolfc:24680, numbered:7.",
        show_default=False,
    ),
]
File = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="PATH",
        readable=False,
        help="A file with a deal a line, a game that PySolFC saved, or its statistics (the games lost); - reads stdin.",
    ),
]
Number = Annotated[
    str | None,
    typer.Option("--number", metavar="N", help="The library's own deal number N (0 to 2^64 - 1)."),
]
Pysolfc = Annotated[
    str | None,
    typer.Option(
        "--pysolfc", metavar="N", help="PySolFC's game number N, such as 24680 or ms617; pysolfc rules with it."
    ),
]
RulesName = Annotated[
    str,
    typer.Option("--rules", metavar="NAME|FILE", help=f"{', '.join(PRESETS)}; or a .toml or .json file."),
]
DealRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        help=f"{', '.join(PRESETS)}; or a .toml or .json file.  [default: pysolfc for a PySolFC number, else "
        f"{DEFAULT_RULES}]",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the rules; may be repeated."),
]

MaxStates = Annotated[
    str | None,
    typer.Option("--max-states", metavar="N", help="Give up after N stored states."),
]
MaxSeconds = Annotated[
    str | None,
    typer.Option("--max-seconds", metavar="S", help="Give up after S seconds, such as 0.5."),
]
MaxMemory = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        help="Give up when the search has stored so many bytes: 500M, 2G, 2GiB. [default: half of what the process "
        "may have: of the machine's memory, a container's limit or ulimit's, whichever is least]",
    ),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON: an object for each answer, on a line of its own.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", callback=console.set_quiet, help="Nothing on stderr but errors.")]

_WHOLE = re.compile(r"[0-9]{1,20}")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?) ?(?:([KMGT])(I?)B?|B)?", re.IGNORECASE)


def rules_of(name: str, settings: Sequence[str] | None) -> Rules:
    """The rules of a preset or a file, with fields changed as asked.

    Raises:
        RulesError: there are no such rules.
        OptionError: the file cannot be read.
    """
    path = Path(name)
    if path.suffix.lower() in (".toml", ".json"):
        text = read_text(path)
        try:
            rules = Rules.from_json(text) if path.suffix.lower() == ".json" else Rules.from_toml(text)
        except RulesError as error:
            raise RulesError(f"{error} (in {path})") from None
    else:
        rules = Rules.preset(name)
    return rules.with_settings(settings or ())


class ChosenRules:
    """The rules that options ask for. Where they name none, a deal or a saved game may bring its own."""

    def __init__(self, name: str | None, settings: Sequence[str] | None) -> None:
        """Read what was asked for.

        Args:
            name: a preset or a file; ``None`` if none was named.
            settings: fields to be changed, whatever the rules.

        Raises:
            RulesError: there are no such rules.
            OptionError: the file cannot be read.
        """
        self._named = name is not None
        self._settings = settings
        self._default = rules_of(DEFAULT_RULES if name is None else name, settings)
        self.given = self._named or bool(settings)
        """Whether the options ask for any."""

    def of(self, deal: DealName | None) -> Rules:
        """The rules for a deal, which bears this name or none: PySolFC's numbers bring ``pysolfc`` with them.

        Raises:
            RulesError: what is to be changed does not go with the rules that the deal brings.
        """
        return self.over(None if deal is None or deal.preset is None else Rules.preset(deal.preset))

    def over(self, brought: Rules | None) -> Rules:
        """The rules for what brings these with it, or none.

        Raises:
            RulesError: what is to be changed does not go with the rules that are brought.
        """
        return self._default if self._named or brought is None else brought.with_settings(self._settings or ())


def described(rules: Rules) -> str:
    """The rules in a few words: the preset that is nearest, and what differs.

    >>> described(Rules.preset("pysolfc").evolve(idle_passes=2))
    'pysolfc rules with idle_passes=2'
    """
    nearest = nearest_preset(rules)
    changes = differences(rules, PRESETS[nearest].rules)
    return f"{nearest} rules" + (f" with {', '.join(changes)}" if changes else "")


NOTHING_MORE: Final = Limits(states=1)
"""The limits with which what is asked again after Ctrl-C is answered by what was found before, and little else."""


def limits_of(max_states: str | None, max_seconds: str | None, max_memory: str | None) -> Limits:
    """The limits that were asked for; the default limits otherwise.

    Raises:
        OptionError: a text is no such limit.
    """
    limits = Limits()
    if max_states is not None:
        limits = attrs.evolve(limits, states=number_of(max_states, "--max-states"))
    if max_seconds is not None:
        if not _DECIMAL.fullmatch(max_seconds):
            raise OptionError(f"expected a number of seconds such as 0.5 for --max-seconds, got {shorten(max_seconds)}")
        limits = attrs.evolve(limits, seconds=float(max_seconds))
    if max_memory is not None:
        limits = attrs.evolve(limits, memory_bytes=bytes_of(max_memory))
    return limits


def number_of(text: str, option: str, least: int = 1) -> int:
    """A whole number of at least `least`.

    Raises:
        OptionError: the text is none.
    """
    if not _WHOLE.fullmatch(text) or int(text) < least:
        raise OptionError(f"expected a whole number of at least {least} for {option}, got {shorten(text)}")
    return int(text)


def bytes_of(text: str) -> int:
    """A size such as ``500M`` (of 1000s) or ``2GiB`` (of 1024s), or a number of bytes.

    Raises:
        OptionError: the text is no size.

    >>> bytes_of("500M"), bytes_of("2GiB"), bytes_of("4096")
    (500000000, 2147483648, 4096)
    """
    match = _SIZE.fullmatch(text)
    size = 0
    if match is not None:
        power = " KMGT".index(match[2].upper()) if match[2] else 0
        size = int(float(match[1]) * (1024 if match[3] else 1000) ** power)
    if size < 1:
        raise OptionError(f"expected a size such as 500M, 2G or 2GiB for --max-memory, got {shorten(text)}")
    return size
