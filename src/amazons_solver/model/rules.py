"""The rules of the game as data: one frozen object, and the published readings as named presets."""

import functools
import json
import tomllib
import types
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Self

import attrs

from amazons_solver.errors import MissingToolError, RulesError, shorten
from amazons_solver.model.arguments import (
    boolean,
    checked,
    checked_fields,
    choice,
    distinct,
    int_fields,
    letters,
    limit,
    suggest,
)
from amazons_solver.model.cards import CARDS, RANK_LETTERS, SUIT_LETTERS, Card, card_code

__all__ = ["PRESETS", "Preset", "Rules", "described", "differences", "nearest_preset"]

BasePlacement = Literal["leftmost", "any", "above", "suit"]
Build = Literal["suit", "rank"]
Gather = Literal["left-over-right", "right-over-left"]
Withhold = Literal["nothing", "bases", "any"]

_MOST_CHARACTERS = 10_000
"""Of rules as text, which need some hundred."""

_FOUNDATION_ORDER = "CSHD"
"""Clubs, spades, hearts, diamonds: PySolFC's order, in which its foundations of one suit each stand."""


@attrs.frozen(kw_only=True, slots=False, field_transformer=int_fields)  # no slots: `tables` is computed once and kept
class Rules:
    """One reading of the rules; the defaults are the preset ``wikipedia``.

    A deck is `suits` × `ranks`. The first rank is the base, which opens a foundation; the last is the top, which
    completes it. Every combination of legal values is a legal game.

    Raises:
        RulesError: a value is not one of the choices; the message names the field and lists them.

    >>> Rules.preset("pysolfc").withhold
    'any'
    >>> Rules(withhold="some")
    Traceback (most recent call last):
    amazons_solver.errors.RulesError: expected withhold to be one of nothing, bases, any; got 'some'
    """

    suits: str = attrs.field(
        default=SUIT_LETTERS,
        validator=letters(SUIT_LETTERS),
        metadata={"help": "the suits of the deck; as many depots and foundations"},
    )
    ranks: str = attrs.field(
        default="A789TJQ",
        validator=letters(RANK_LETTERS),
        metadata={"help": "the ranks of the deck, from the base to the top"},
    )
    base_placement: BasePlacement = attrs.field(
        default="leftmost",
        validator=choice("leftmost", "any", "above", "suit"),
        metadata={"help": "which empty foundations a base card may go to (suit: the one of its own suit)"},
    )
    build: Build = attrs.field(
        default="suit",
        validator=choice("suit", "rank"),
        metadata={"help": "foundations are built up in suit, or by rank whatever the suit"},
    )
    top_anywhere: bool = attrs.field(
        default=False,
        validator=boolean,
        metadata={"help": "a card of the top rank may be played from any depot"},
    )
    gather: Gather = attrs.field(
        default="left-over-right",
        validator=choice("left-over-right", "right-over-left"),
        metadata={"help": "how the depots are gathered: the rightmost pile comes first, or the leftmost"},
    )
    skip_complete: bool = attrs.field(
        default=False,
        validator=boolean,
        metadata={"help": "depots below a complete foundation are dealt no more cards"},
    )
    withhold: Withhold = attrs.field(
        default="bases",
        validator=choice("nothing", "bases", "any"),
        metadata={"help": "which legal plays may be held back when dealing or redealing"},
    )
    max_redeals: int | None = attrs.field(
        default=None,
        validator=limit(0),
        metadata={"help": "at most so many redeals in a game"},
    )
    idle_passes: int | None = attrs.field(
        default=None,
        validator=limit(1),
        metadata={"help": "no redeal when it ends so many passes in a row without a play"},
    )

    def __attrs_post_init__(self) -> None:
        if self.base_placement == "suit" and self.build != "suit":
            raise RulesError(f"expected build to be suit with base_placement=suit, got {shorten(self.build)}")

    @classmethod
    @checked
    def preset(cls, name: str) -> "Rules":
        """The rules of a named preset.

        Raises:
            RulesError: there is no preset of that name; the message lists them.
        """
        if name not in PRESETS:
            raise RulesError(f"expected a preset ({', '.join(PRESETS)}), got {shorten(name)}{suggest(name, PRESETS)}")
        return PRESETS[name].rules

    def evolve(self, /, **changes: Any) -> Self:
        """The same rules with some fields changed by name.

        Raises:
            RulesError: a field is unknown or its value is not one of the choices.

        >>> Rules.preset("patiencen").evolve(idle_passes=None) == Rules.preset("patiencen")
        False
        """
        for name in changes:
            _field(name)
        return attrs.evolve(self, **changes)

    @checked
    def with_settings(self, settings: Iterable[str]) -> Self:
        """The same rules with fields changed by texts such as ``withhold=any`` or ``idle_passes=none``.

        Raises:
            RulesError: a text is not ``field=value``, or the field or the value is not legal.
        """
        changes: dict[str, object] = {}
        for setting in settings:
            name, equals, value = (part.strip() for part in setting.partition("="))
            if not equals:
                raise RulesError(f"expected a setting such as withhold=any, got {shorten(setting)}")
            changes[name] = _parse_value(_field(name), value)
        return self.evolve(**changes)

    @classmethod
    @checked
    def from_dict(cls, fields: Mapping[str, object]) -> "Rules":
        """Rules from a mapping of field names; an absent field has the default (the preset ``wikipedia``)."""
        return cls().evolve(**dict(fields))

    def to_dict(self) -> dict[str, object]:
        """Every field by name, in the order of the documentation; a limit that is off is ``None``."""
        return attrs.asdict(self)

    @classmethod
    @checked
    def from_json(cls, text: str) -> "Rules":
        """Read what `to_json` writes.

        Raises:
            RulesError: the text is no JSON object, has a key twice or 10,000 characters and more, or a field is unknown
                or not legal.
        """
        _check_size(text)
        try:
            fields = json.loads(text, object_pairs_hook=distinct("field", RulesError))
        except (ValueError, RecursionError) as error:
            raise RulesError(f"expected rules as a JSON object: {error}") from None
        if not isinstance(fields, dict):
            raise RulesError(f"expected rules as a JSON object, got {shorten(fields)}")
        return cls.from_dict(fields)

    def to_json(self) -> str:
        """The rules as a JSON object with every field."""
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    @checked
    def from_toml(cls, text: str) -> "Rules":
        """Read what `to_toml` writes; an absent field has the default.

        Raises:
            RulesError: the text is no TOML or has 10,000 characters and more, or a field is unknown or not legal.
        """
        _check_size(text)
        try:
            fields = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise RulesError(f"expected rules in TOML: {error}") from None
        return cls.from_dict(fields)

    def to_toml(self) -> str:
        """The rules as TOML; a limit that is off is absent, since TOML has no null."""
        try:
            import tomli_w  # noqa: PLC0415 (only who writes TOML needs it)
        except ImportError:
            raise MissingToolError("expected tomli-w to write TOML: pip install tomli-w") from None

        return tomli_w.dumps({name: value for name, value in self.to_dict().items() if value is not None})

    @functools.cached_property
    def deck(self) -> tuple[Card, ...]:
        """Every card of the deck: suit by suit in the order of `suits`, ranks ascending."""
        return tuple(CARDS[card_code(rank, suit)] for suit in self.suits for rank in self.ranks)

    @functools.cached_property
    def suits_by_foundation(self) -> str:
        """The suits of the foundations, left to right, with ``base_placement = suit``: not in the deck's order."""
        return "".join(suit for suit in _FOUNDATION_ORDER if suit in self.suits)

    @functools.cached_property
    def tables(self) -> "RuleTables":
        """What the move generator looks up, by card code."""
        return RuleTables.of(self)


@attrs.frozen
class RuleTables:
    """The rules as look-ups by card code, computed once for each `Rules`."""

    bases: bytes
    """The base cards."""
    tops: bytes
    """The cards that complete a foundation."""
    predecessors: tuple[bytes, ...]
    """By card code: the foundation tops that the card continues; none for a base."""
    places: bytes
    """By card code, with ``base_placement = suit``: the foundation of the card's suit, from 0; empty otherwise."""
    single_tops: bytes
    """Cards that may leave from any depot: the tops with `top_anywhere`, but no base."""
    covered: tuple[bytes, ...]
    """By card code: the cards below it on its foundation (by its own suit even with ``build = rank``)."""
    deck: bytes
    counts_redeals: bool
    counts_idle: bool
    counts: bool
    """Whether a state of these rules has any counter."""

    @classmethod
    def of(cls, rules: Rules) -> "RuleTables":
        bases = bytes(card_code(rules.ranks[0], suit) for suit in rules.suits)
        tops = bytes(card_code(rules.ranks[-1], suit) for suit in rules.suits)
        predecessors, covered, places = [b""] * 256, [b""] * 256, bytearray(256)
        for card in rules.deck:
            places[card.code] = rules.suits_by_foundation.index(card.suit.value)
        for below, rank in zip(rules.ranks, rules.ranks[1:], strict=False):
            for suit in rules.suits:
                suits = suit if rules.build == "suit" else rules.suits
                predecessors[card_code(rank, suit)] = bytes(card_code(below, other) for other in suits)
                covered[card_code(rank, suit)] = covered[card_code(below, suit)] + bytes([card_code(below, suit)])
        return cls(
            bases=bases,
            tops=tops,
            predecessors=tuple(predecessors),
            covered=tuple(covered),
            places=bytes(places) if rules.base_placement == "suit" else b"",
            deck=bytes(sorted(card.code for card in rules.deck)),
            single_tops=tops if rules.top_anywhere and len(rules.ranks) > 1 else b"",
            counts_redeals=rules.max_redeals is not None,
            counts_idle=rules.idle_passes is not None,
            counts=rules.max_redeals is not None or rules.idle_passes is not None,
        )


_FIELDS: dict[str, "attrs.Attribute[Any]"] = {field.name: field for field in attrs.fields(Rules)}


def _check_size(text: str) -> None:
    """Raise RulesError for more text than rules ever are, before a parser spends hours on its nesting."""
    if len(text) > _MOST_CHARACTERS:
        raise RulesError(f"expected rules of at most {_MOST_CHARACTERS:,} characters, got {len(text):,}")


def _field(name: str) -> "attrs.Attribute[Any]":
    if name not in _FIELDS:
        raise RulesError(
            f"expected a field of the rules ({', '.join(_FIELDS)}), got {shorten(name)}{suggest(name, _FIELDS)}"
        )
    return _FIELDS[name]


def _parse_value(field: "attrs.Attribute[Any]", text: str) -> object:
    """A field's value from its text; what cannot be read is passed on for the field's validator to refuse."""
    if isinstance(field.default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if field.default is None:
        if text.lower() == "none":
            return None
        # Digits beyond any counter are refused as text: int() has a limit of its own.
        return int(text) if text.lstrip("-").isdecimal() and len(text) < 20 else text
    return text


@attrs.frozen(field_transformer=checked_fields)
class Preset:
    """A published reading of the rules and where it is published."""

    name: str
    source: str
    rules: Rules


_PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "wikipedia",
            "English, Spanish and Russian encyclopedia text; Dick 1898, Parlett",
            Rules(),
        ),
        Preset(
            "morehead",
            "older encyclopedia text and the players' sites after Morehead & Mott-Smith: queens from any pile",
            Rules(top_anywhere=True),
        ),
        Preset(
            "ultimate",
            "Ultimate Book of Card Games",
            Rules(ranks="789TJQ", base_placement="above", withhold="nothing"),
        ),
        Preset(
            "patiencen",
            "the German text Amazonen",
            Rules(gather="right-over-left", skip_complete=True, withhold="nothing", idle_passes=2),
        ),
        Preset(
            "pysolfc",
            "PySolFC's game 406 since version 2.18.0 (2022)",
            Rules(
                base_placement="any",
                build="rank",
                top_anywhere=True,
                skip_complete=True,
                withhold="any",
            ),
        ),
        Preset(
            "pysolfc-2.16",
            "the same game in the versions of 2007 to 2.16.0",
            Rules(base_placement="suit", top_anywhere=True, skip_complete=True, withhold="any"),
        ),
    )
}
PRESETS: Final[Mapping[str, Preset]] = types.MappingProxyType(_PRESETS)
"""The published readings by name, in the order of the documentation."""


def nearest_preset(rules: Rules) -> tuple[str, list[str]]:
    """The name of the preset from which rules differ in fewest fields, and the `differences` from it."""
    each = [(name, differences(rules, preset.rules)) for name, preset in PRESETS.items()]
    return min(each, key=lambda one: len(one[1]))


def described(rules: Rules) -> str:
    """The rules in a few words: the preset that is nearest, and what differs.

    >>> described(Rules.preset("pysolfc").evolve(idle_passes=2))
    'pysolfc rules with idle_passes=2'
    """
    nearest, changes = nearest_preset(rules)
    return f"{nearest} rules" + (f" with {', '.join(changes)}" if changes else "")


def differences(rules: Rules, others: Rules) -> list[str]:
    """The fields in which rules differ from others, as `Rules.with_settings` takes them.

    >>> differences(Rules(withhold="any", max_redeals=3), Rules())
    ['withhold=any', 'max_redeals=3']
    """
    theirs = others.to_dict()
    return [
        f"{field}={'none' if value is None else str(value).lower() if isinstance(value, bool) else value}"
        for field, value in rules.to_dict().items()
        if value != theirs[field]
    ]
