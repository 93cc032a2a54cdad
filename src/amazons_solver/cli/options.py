"""The options that the commands share, and what rules and limits their texts stand for."""

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import attrs
import typer

from amazons_solver.cli import console
from amazons_solver.cli.files import read_text
from amazons_solver.errors import OptionError, RulesError, shorten
from amazons_solver.model.names import DealName
from amazons_solver.model.rules import PRESETS, Rules
from amazons_solver.search.limits import Limits

DEFAULT_RULES = "wikipedia"
OtherT = TypeVar("OtherT")

# Typer checks nothing of files (readable=False): errors are in our words.

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
StateText = Annotated[
    str | None,
    typer.Option("--state", metavar="STATE", help="A state, such as '7C | AC | -', in place of a deal."),
]
PRESET_OR_FILE = f"{', '.join(PRESETS)}; or a .toml or .json file."
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the rules; may be repeated."),
]
MaxStates = Annotated[
    str | None,
    typer.Option("--max-states", metavar="N", help="Give up after N stored states."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON: an object for each answer, on a line of its own.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", callback=console.set_quiet, help="Nothing on stderr but errors.")]
"""Read by its callback: no command looks at it."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command, for typer to read, with options in place of its parameters that are groups of options.

    A group is an attrs class whose fields are annotated as typer has it. Where the parameter stands, `--help` has its
    fields in their order; the command is given the group.
    """
    signature = inspect.signature(command)
    groups: dict[str, type[attrs.AttrsInstance]] = {}
    options: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if attrs.has(parameter.annotation):
            groups[parameter.name] = parameter.annotation
            options += [
                inspect.Parameter(name, parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
                for name, field in _fields(parameter.annotation).items()
            ]
        else:
            options.append(parameter.replace(kind=parameter.KEYWORD_ONLY))

    @functools.wraps(command)
    def expanded(**values: Any) -> None:
        given = {
            name: group(**{field: values.pop(field) for field in _fields(group)}) for name, group in groups.items()
        }
        command(**values, **given)

    expanded.__dict__["__signature__"] = signature.replace(parameters=options)
    return expanded


def _fields(group: type[attrs.AttrsInstance]) -> "dict[str, attrs.Attribute[Any]]":
    """What a group is made from, by name."""
    return {field.alias or field.name: field for field in attrs.fields(group) if field.init}


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


def _rules(default: str) -> Any:
    return typer.Option("--rules", metavar="NAME|FILE", help=f"{PRESET_OR_FILE}  [default: {default}]")


@attrs.define
class ChosenRules:
    """The rules that options ask for. Where they name none, a deal or a saved game may bring its own.

    Raises:
        RulesError: there are no such rules.
        OptionError: the file cannot be read.
    """

    _name: Annotated[str | None, _rules(f"pysolfc for a PySolFC number, else {DEFAULT_RULES}")] = attrs.field(
        default=None, alias="rules"
    )
    _settings: Settings = None
    _default: Rules = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._default = rules_of(DEFAULT_RULES if self._name is None else self._name, self._settings)

    @property
    def given(self) -> bool:
        """Whether the options ask for any."""
        return self._name is not None or bool(self._settings)

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
        named = self._name is not None
        return self._default if named or brought is None else brought.with_settings(self._settings or ())


@attrs.define
class GameRules(ChosenRules):
    """The same where a game is asked for, which may name its rules."""

    _name: Annotated[str | None, _rules(f"those of the game; pysolfc for a PySolFC number; else {DEFAULT_RULES}")] = (
        attrs.field(default=None, alias="rules")
    )
    _settings: Settings = None


@attrs.frozen
class LimitOptions:
    """When a search is to give up."""

    max_states: MaxStates = None
    max_seconds: Annotated[
        str | None,
        typer.Option("--max-seconds", metavar="S", help="Give up after S seconds, such as 0.5."),
    ] = None
    max_memory: Annotated[
        str | None,
        typer.Option(
            "--max-memory",
            metavar="SIZE",
            help="Give up when the search has stored this many bytes: 500M, 2G, 2GiB. [default: half of what the "
            "process may have: of the machine's memory, a container's limit or ulimit's, whichever is least]",
        ),
    ] = None

    def value(self, states: int | None = None) -> Limits:
        """The limits that were asked for; otherwise this many states and the default limits.

        Raises:
            OptionError: a text is no such limit.
        """
        limits = Limits(states=number_of(self.max_states, "--max-states", states))
        if (seconds := self.max_seconds) is not None:
            if not _DECIMAL.fullmatch(seconds):
                raise OptionError(f"expected a number of seconds such as 0.5 for --max-seconds, got {shorten(seconds)}")
            limits = attrs.evolve(limits, seconds=float(seconds))
        if self.max_memory is not None:
            limits = attrs.evolve(limits, memory_bytes=bytes_of(self.max_memory))
        return limits


@attrs.frozen
class AnswerOptions:
    """How the answer is given."""

    as_json: AsJson = False
    quiet: Quiet = False


def number_of(text: str | None, option: str, otherwise: OtherT, *, least: int = 1) -> int | OtherT:
    """The whole number that an option gives; something else where the option is not given.

    Raises:
        OptionError: the text is no number of at least `least`.
    """
    if text is None:
        return otherwise
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
