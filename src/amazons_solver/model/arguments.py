"""Checks the arguments of public functions and classes against their annotations.

Errors name the argument and what was called. Whatever `operator.index` takes, such as numpy's integers, is a whole
number and is passed on as an int; a bool is not. The function itself checks what a sequence holds (unless it is a
tuple), and words from a list of choices; for fields of the rules there are validators here.
"""

import difflib
import functools
import inspect
import numbers
import operator
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import attrs

from amazons_solver.errors import AmazonsError, OptionError, RulesError, shorten

__all__ = [
    "as_int",
    "boolean",
    "checked",
    "checked_fields",
    "choice",
    "distinct",
    "int_fields",
    "letters",
    "limit",
    "no_truth",
    "suggest",
]

P = ParamSpec("P")
T = TypeVar("T")

_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    range: "a range (such as range(1000))",
    tuple: "a tuple",
    Sequence: "a sequence",
    Iterable: "a sequence",
    Mapping: "a mapping",
    Callable: "a function",
    os.PathLike: "a path",
    Path: "a path",
    type(None): "none",
}
# How one is had, since these are what is handed over as a word or a number by mistake.
_EXAMPLES = {
    "Rules": 'Rules.preset("pysolfc")',
    "Deal": "Deal.pysolfc(24680)",
    "State": "State.initial(deal, rules)",
    "Limits": "Limits(seconds=5)",
    "Card": 'Card.parse("7H")',
    "Rank": "Rank.SEVEN",
    "Suit": "Suit.HEARTS",
    "Strategy": 'strategy_of("greedy")',
    "Solution": "solve(deal, rules)",
    "Proof": "certify(deal, rules)",
}


def as_int(value: Any) -> Any:
    """An int for whatever `operator.index` takes, except a bool; anything else unchanged."""
    if type(value) is int or isinstance(value, bool):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return value


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose arguments are checked against its annotations, which are read at the first call.

    The function raises OptionError for an argument of another type.

    >>> @checked
    ... def half(number: int) -> int: return number // 2
    >>> half("8")
    Traceback (most recent call last):
    amazons_solver.errors.OptionError: expected number as a whole number, got '8' (half)
    """
    parameters = inspect.signature(function).parameters.values()
    positional = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    annotated = {
        one.name: one.annotation
        for one in parameters
        if one.annotation is not one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }

    @functools.cache
    def kinds() -> dict[str, _Kind]:
        return {name: _Kind.of(_evaluated(of, function.__globals__)) for name, of in annotated.items()}

    def held(name: str, value: Any) -> Any:
        kind = kinds().get(name)
        return value if kind is None else kind.held(value, name, function.__qualname__)

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        given: list[Any] = [held(name, value) for name, value in zip(positional, args, strict=False)]
        given += args[len(given) :]
        return function(*given, **{name: held(name, value) for name, value in kwargs.items()})

    return wrapper


def checked_fields(cls: type, fields: list["attrs.Attribute[Any]"]) -> list["attrs.Attribute[Any]"]:
    """For `attrs.frozen(field_transformer=...)`: check a class's fields against their annotations.

    Validators of the fields then see values of the right type.
    """
    return [field.evolve(converter=_converter(cls, field)) if field.init else field for field in fields]


def int_fields(_: type, fields: list["attrs.Attribute[Any]"]) -> list["attrs.Attribute[Any]"]:
    """The same for a class that checks its own fields: only what counts as an int is made one."""
    return [field.evolve(converter=_annotated(as_int, field.type)) for field in fields]


def _converter(cls: type, field: "attrs.Attribute[Any]") -> Callable[[Any], Any]:
    @functools.cache
    def kind() -> "_Kind":
        return _Kind.of(_evaluated(field.type, vars(sys.modules[cls.__module__])))

    return _annotated(lambda value: kind().held(value, field.name, cls.__name__), field.type)


def _annotated(convert: Callable[[Any], Any], annotation: Any) -> Callable[[Any], Any]:
    """The converter, as one of values of this type: attrs annotates ``__init__`` with it."""

    def converter(value: Any) -> Any:
        return convert(value)

    converter.__annotations__["value"] = annotation
    return converter


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    return eval(annotation, names) if isinstance(annotation, str) else annotation  # noqa: S307 (our own source)


@attrs.frozen
class _Kind:
    """What an argument may be."""

    allowed: tuple[Any, ...]
    """Types; anything if there are none."""
    items: dict[Any, type] = attrs.field(hash=False)
    """By a type among them: what its values hold."""

    @classmethod
    def of(cls, annotation: Any) -> "_Kind":
        parts = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
        if any(part in (Any, object) or isinstance(part, TypeVar) or get_origin(part) is Literal for part in parts):
            return cls((), {})
        items = {}
        for part in parts:
            held = get_args(part)
            if get_origin(part) is tuple and held[1:] == (...,) and isinstance(held[0], type):
                items[tuple] = held[0]
        return cls(tuple(type(None) if part is None else get_origin(part) or part for part in parts), items)

    def held(self, value: Any, name: str, place: str) -> Any:
        """The value, with what counts as an int made one; OptionError if it is not allowed."""
        if not self.allowed or (type(value) in self.allowed and not self.items):
            return value
        number = as_int(value) if int in self.allowed else value
        for part in self.allowed:
            if _is(number, part) and (
                part not in self.items or all(isinstance(one, self.items[part]) for one in number)
            ):
                return number
        raise OptionError(f"expected {name} as {self}, got {shorten(value)} ({place})")

    def __str__(self) -> str:
        told = [
            _words(part) + (f" of {_words(self.items[part])}" if part in self.items else "") for part in self.allowed
        ]
        return " or ".join(dict.fromkeys(told))


def _is(value: Any, part: Any) -> bool:
    if part is int or part is float:
        return isinstance(value, numbers.Real if part is float else int) and not isinstance(value, bool)
    if getattr(part, "_is_protocol", False):
        return all(hasattr(value, name) for name in vars(part) if not name.startswith("_"))
    if isinstance(value, str | bytes) and part is not type(value) and issubclass(part, Iterable):
        return False  # whose characters are not what is meant
    return isinstance(value, part)


def _words(part: Any) -> str:
    if part in _WORDS:
        return _WORDS[part]
    name: str = part.__name__
    return f"{name} (such as {_EXAMPLES[name]})" if name in _EXAMPLES else name


def no_truth(what: str, instead: str) -> Callable[[object], bool]:
    """A ``__bool__`` that raises TypeError, and says what to write instead of ``if answer:``."""

    def refuse(_: object) -> bool:
        raise TypeError(f"{what} is neither true nor false: {instead}")

    return refuse


def letters(allowed: str) -> Any:
    """A validator: distinct letters of `allowed`, in its order, at least one."""

    def check(_: Any, attribute: "attrs.Attribute[str]", value: object) -> None:
        valid = isinstance(value, str) and value and value == "".join(c for c in allowed if c in value)
        if not valid:
            raise RulesError(
                f"expected {attribute.name} to be distinct letters of {allowed} in that order, got {shorten(value)}"
            )

    return check


def choice(*choices: str) -> Any:
    """A validator: one of these words."""

    def check(_: Any, attribute: "attrs.Attribute[str]", value: object) -> None:
        if value not in choices:
            raise RulesError(
                f"expected {attribute.name} to be one of {', '.join(choices)}; got {shorten(value)}"
                f"{suggest(value, choices)}"
            )

    return check


def boolean(_: Any, attribute: "attrs.Attribute[bool]", value: object) -> None:
    if not isinstance(value, bool):
        raise RulesError(f"expected {attribute.name} to be true or false, got {shorten(value)}")


def limit(least: int) -> Any:
    """A validator: none, or a whole number of at least `least`."""

    def check(_: Any, attribute: "attrs.Attribute[int | None]", value: object) -> None:
        number = isinstance(value, int) and not isinstance(value, bool) and value >= least
        if value is not None and not number:
            raise RulesError(
                f"expected {attribute.name} to be none or a whole number of at least {least}, got {shorten(value)}"
            )

    return check


def suggest(value: object, choices: Iterable[str]) -> str:
    """`` (did you mean …?)`` when a choice is near, else nothing."""
    near = difflib.get_close_matches(str(value)[:40], list(choices), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def distinct(what: str, error: type[AmazonsError]) -> Callable[[list[tuple[str, object]]], dict[str, object]]:
    """For `json.loads(object_pairs_hook=...)`: the error is raised for an object that has a key twice."""

    def read(pairs: list[tuple[str, object]]) -> dict[str, object]:
        fields: dict[str, object] = {}
        for key, value in pairs:
            if key in fields:
                raise error(f"expected each {what} once, got {shorten(key)} again")
            fields[key] = value
        return fields

    return read
