"""The names of numbered deals: ``numbered:7``, ``pysolfc:24680``, ``pysolfc:ms617``."""

import random
import re
from typing import Literal

import attrs

from amazons_solver.errors import NotationError, OptionError, shorten
from amazons_solver.model.cards import without_comments

__all__ = ["NUMBERED_END", "DealName", "check_numbers", "split_name"]

NUMBERED_END = 2**64
"""Deals of our own are numbered from 0 up to this."""
_PYSOLFC_LAST = 10**20
_MICROSOFT_END = 2**33

_FIRST_WORD = re.compile(r"[\s,\ufeff]*([^\s,\ufeff]+)")
_NAME = re.compile(r"(numbered|pysolfc):(.*)", re.IGNORECASE)
_BARE = re.compile(r"(ms)?[0-9]+", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+")
# As PySolFC shows a number (#00000000000000032000), and takes one: in any case, with something between the digits.
_PYSOLFC = re.compile(r"#?\s*(ms)?\s*([0-9]+(?:[\s,_-]+[0-9]+)*)", re.IGNORECASE)
_LONGEST = 25
"""Digits of a number that is looked at: Python refuses to read the longest ones."""


def check_numbers(first: int, count: int | None = None) -> None:
    """Raise OptionError unless there are deals of our own from this number on, `count` of them if that is said."""
    if not (first >= 0 and (count or 0) >= 0 and first + (1 if count is None else count) <= NUMBERED_END):
        got = first if count is None else f"{count} from {first} on"
        raise OptionError(f"expected deal numbers from 0 to 2^64 - 1, got {got}")


@attrs.frozen
class DealName:
    """The name of a numbered deal, in its one canonical form.

    >>> str(DealName.pysolfc("#0024680")), str(DealName.pysolfc("MS 617")), str(DealName.numbered("007"))
    ('pysolfc:24680', 'pysolfc:ms617', 'numbered:7')
    """

    source: Literal["numbered", "pysolfc"]
    number: int
    microsoft: bool = False
    """Whether PySolFC deals it as Microsoft's programs do: such numbers are written ``ms617``."""

    def __str__(self) -> str:
        return f"{self.source}:{'ms' if self.microsoft else ''}{self.number}"

    @classmethod
    def numbered(cls, text: str) -> "DealName":
        """The name of the library's own deal of this number.

        Raises:
            NotationError: the text is no number, or there is no such deal.
        """
        value = _value(text) if _DIGITS.fullmatch(text) else NUMBERED_END
        if value >= NUMBERED_END:
            raise NotationError(f"expected a deal number from 0 to 2^64 - 1, got {shorten(text)}")
        return cls("numbered", value)

    @classmethod
    def pysolfc(cls, text: str) -> "DealName":
        """The name of PySolFC's game of this number, as PySolFC shows it or takes it: ``#ms617``, ``12 345-678``.

        Raises:
            NotationError: the text is no number, or there is no such game.
        """
        match = _PYSOLFC.fullmatch(text.strip())
        microsoft = match is not None and match[1] is not None
        value = 0 if match is None else _value("".join(_DIGITS.findall(match[2])))
        if not 1 <= value <= (_MICROSOFT_END - 1 if microsoft else _PYSOLFC_LAST):
            ours = "; PySolFC deals larger numbers, too, but this library does not"
            raise NotationError(
                f"expected a PySolFC game number from 1 to 10^20, or ms1 to ms{_MICROSOFT_END - 1}, got {shorten(text)}"
                + (ours if value and not microsoft else "")
            )
        return cls("pysolfc", value, microsoft)

    @classmethod
    def random(cls, seed: int | None = None) -> "DealName":
        """The name of a deal of the library's own, drawn at random: from `seed` if given, else anew each time."""
        source = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 (cards, not secrets)
        return cls("numbered", source.getrandbits(64))

    @property
    def preset(self) -> str | None:
        """The rules of the game whose number it is, if it is one program's."""
        return "pysolfc" if self.source == "pysolfc" else None

    def following(self, count: int) -> "DealName":
        """The name `count` numbers on.

        Raises:
            NotationError: there is no such deal.
        """
        text = f"{'ms' if self.microsoft else ''}{self.number + count}"
        return DealName.numbered(text) if self.source == "numbered" else DealName.pysolfc(text)


def split_name(text: str) -> tuple[DealName | None, str]:
    """The name with which a text begins, if it does, and what is left of the text without comments.

    Raises:
        NotationError: there is no deal of this name, or the text begins with a number, which could be two deals'.

    >>> split_name("pysolfc:0024680 JC TH")
    (DealName(source='pysolfc', number=24680, microsoft=False), ' JC TH')
    """
    text = without_comments(text)
    first = _FIRST_WORD.match(text)
    if first is None:
        return None, text
    word = first[1]
    if bare := _BARE.fullmatch(word):
        shown = shorten(word).strip("'")
        readings = f"pysolfc:{shown}" + ("" if bare[1] else f" or numbered:{shown}")
        raise NotationError(f"expected cards or a deal's name ({readings}), got the number {shown} alone")
    match = _NAME.fullmatch(word)
    if match is None:
        return None, text
    name = DealName.numbered(match[2]) if match[1].lower() == "numbered" else DealName.pysolfc(match[2])
    return name, text[first.end() :]


def _value(digits: str) -> int:
    """The number in digits; of one too long to be of any use, only the first digits count."""
    return int(digits.lstrip("0")[:_LONGEST] or "0")
