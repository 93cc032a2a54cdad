"""States as the page writes them: packed in its data, and as codes in links.

Packed, a card is one character (A to Z, then a to z, by its place in the deck), and the piles stand as in the notation
without spaces: ``DBA|C;|;`` and, under rules that count, ``|2,1,0``. In a link a card is its two letters, and only
characters are used that need no escape: ``7C7DAD_AC.-_-.-`` and ``_2.1.0``.
"""

import re
import string
from typing import Final

from amazons_solver.errors import NotationError, shorten
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

__all__ = ["LONGEST_CODE", "code_of", "pack", "packing", "parse_code"]

LONGEST_CODE: Final = 300
"""More characters than any state's code has: 52 cards, separators and counters."""

_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_CODE = re.compile(r"(?:-|[A-Z0-9]+)(?:_(?:-|[A-Z0-9]+)(?:\.(?:-|[A-Z0-9]+))*){2,3}")
_COUNTS = re.compile(r"[0-9]+")


def packing(rules: Rules) -> dict[str, str]:
    """What stands for each token of the notation."""
    cards = {str(card): letter for card, letter in zip(rules.deck, _LETTERS, strict=False)}
    return cards | {"-": "", ";": ";", "|": "|"}


def pack(text: str, tokens: dict[str, str]) -> str:
    """A state's notation, packed.

    >>> pack("7C 7D AD | AC ; - | - ; -", packing(Rules(suits="CD", ranks="A7")))
    'BDC|A;|;'
    """
    cards, bar, counters = text.partition(" | redeals=")
    if not bar:
        cards, bar, counters = text.partition(" | idle=")
    packed = "".join([tokens[token] for token in cards.split()])
    return f"{packed}|{','.join(_COUNTS.findall(counters))}" if bar else packed


def code_of(state: State) -> str:
    """The state's code, as in the page's links.

    >>> code_of(State.parse("7C 7D AD | AC ; - | - ; -", Rules(suits="CD", ranks="A7")))
    '7C7DAD_AC.-_-.-'
    """
    cards, counters = state.text(), ""
    if state.rules.tables.counts:
        cards, _, counters = cards.rpartition(" | ")
        counters = "_" + ".".join(_COUNTS.findall(counters))
    return cards.replace(" | ", "_").replace(" ; ", ".").replace(" ", "") + counters


def parse_code(code: str, rules: Rules) -> State:
    """The state of a code.

    Raises:
        NotationError: the text is no code, or no state of these rules.
    """
    if len(code) > LONGEST_CODE or not _CODE.fullmatch(code):
        raise NotationError(f"expected the code of a state such as 7C7DAD_AC.-_-.-, got {shorten(code)}")
    parts = code.split("_")
    tables = rules.tables
    text = " | ".join(" ; ".join(" ".join(_cards(pile)) for pile in part.split(".")) for part in parts[:3])
    if len(parts) == 4:
        names = ["redeals"] * tables.counts_redeals + ["idle", "played"] * tables.counts_idle
        values = parts[3].split(".")
        if len(names) != len(values):
            raise NotationError(f"expected {len(names)} counters, got {len(values)} in {shorten(code)}")
        text += " | " + " ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))
    return State.parse(text, rules)


def _cards(pile: str) -> list[str]:
    return [pile] if pile == "-" else [pile[i : i + 2] for i in range(0, len(pile), 2)]
