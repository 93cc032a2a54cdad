"""Deals: the order of the cards, typed, numbered for ever, as PySolFC deals them, or at random."""

from collections import Counter
from typing import Any, SupportsIndex

import attrs

from amazons_solver.errors import MissingToolError, NotationError, RulesError, shorten
from amazons_solver.model.arguments import as_int, checked, checked_fields
from amazons_solver.model.cards import Card, parse_cards, pile_of, pile_text
from amazons_solver.model.names import NUMBERED_END, DealName, split_name
from amazons_solver.model.rules import Rules
from amazons_solver.model.shuffling import draw

__all__ = ["Deal", "named_deal"]

_LAST_OF_MICROSOFT = 31_999
"""Up to this number PySolFC deals as Microsoft's programs do, even without ``ms``."""


@attrs.frozen(repr=False, field_transformer=checked_fields)
class Deal:
    """The deck's cards in the order in which they are dealt.

    `name` says where a deal comes from (``numbered:7``, ``pysolfc:24680``, or nothing); it is no part of equality.

    >>> Deal.parse("8c ac, 10♦ 7c # my deal", Rules(suits="CD", ranks="A8"))
    Traceback (most recent call last):
    amazons_solver.errors.NotationError: expected a card of the deck (suits CD, ranks A8), got TD (card 3)
    """

    cards: tuple[Card, ...]
    name: str = attrs.field(default="", eq=False)

    def __repr__(self) -> str:
        return f"<Deal {self}>"

    def __str__(self) -> str:
        return pile_text(pile_of(self.cards))

    def _repr_svg_(self) -> str:
        """How notebooks show it."""
        from amazons_solver.render.svg import deal_svg  # noqa: PLC0415 (upward, and only here: see architecture.md)

        return deal_svg(self)

    @classmethod
    @checked
    def parse(cls, text: str, rules: Rules | None = None) -> "Deal":
        """Read a deal: every card of the deck once, first dealt first, separated by white space and commas.

        Args:
            text: the cards, or the name of a numbered deal (``numbered:7``, ``pysolfc:24680``), or its name and its
                cards; `#` starts a comment up to the line's end.
            rules: the rules whose deck it must be; the default rules when absent.

        Raises:
            NotationError: a word is no card, the cards are not the deck, or not those of the deal that is named.
            RulesError: the rules have no PySolFC deals.

        >>> Deal.parse("numbered:007 # mine").name
        'numbered:7'
        """
        name, rest = split_name(text)
        cards = parse_cards(rest)
        if name is None:
            check_deck(cards, rules or Rules())
            return cls(cards)
        deal = named_deal(name, rules)
        if cards and cards != deal.cards:
            check_deck(cards, rules or Rules())
            pairs = zip(deal.cards, cards, strict=True)
            at, (its, other) = next((at, pair) for at, pair in enumerate(pairs, start=1) if pair[0] != pair[1])
            raise NotationError(f"expected the cards of {name} beside its name, {its} as card {at}, got {other}")
        return deal

    @classmethod
    @checked
    def numbered(cls, number: SupportsIndex, rules: Rules | None = None) -> "Deal":
        """Deal `number` of the rules' deck, 0 ≤ number < 2⁶⁴: the same for ever and everywhere.

        The deck is shuffled by Fisher and Yates with the numbers of SplitMix64.

        Raises:
            NotationError: the number is out of range.

        >>> str(Deal.numbered(0, Rules(suits="CD", ranks="A78")))
        '7C AD 7D AC 8C 8D'
        """
        number = as_int(number)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < NUMBERED_END:
            raise NotationError(f"expected a deal number from 0 to 2^64 - 1, got {shorten(number)}")
        cards = list((rules or Rules()).deck)
        state = number
        for i in range(len(cards) - 1, 0, -1):
            state, drawn = draw(state)
            j = ((drawn >> 32) * (i + 1)) >> 32
            cards[i], cards[j] = cards[j], cards[i]
        return cls(tuple(cards), f"numbered:{number}")

    @classmethod
    @checked
    def pysolfc(cls, number: str | SupportsIndex, rules: Rules | None = None) -> "Deal":
        """The deal that PySolFC shows for this game number of its Amazons; only the 28-card deck has such deals.

        The number does not choose the rules: `solve` and the rest use the default rules unless given others, and
        whoever asks about PySolFC's game means ``Rules.preset("pysolfc")``.

        Args:
            number: ``24680``, or ``ms617`` for the numbers of the Microsoft generator; as PySolFC shows it or takes it
                (``#ms617``, ``12 345-678``).
            rules: the rules whose deck it must be; the default rules when absent.

        Raises:
            NotationError: there is no such game number.
            RulesError: the rules have another deck.

        >>> str(Deal.pysolfc("24680"))[:14]
        'JC TH 8C QC AS'
        """
        return _pysolfc_deal(DealName.pysolfc(number if isinstance(number, str) else shorten(as_int(number))), rules)

    @classmethod
    @checked
    def random(cls, rules: Rules | None = None, seed: int | None = None) -> "Deal":
        """A numbered deal, its number drawn at random: from `seed` if given, else anew each time.

        >>> Deal.random(seed=7) == Deal.random(seed=7)
        True
        """
        return cls.numbered(DealName.random(seed).number, rules)


def check_deck(cards: tuple[Card, ...], rules: Rules) -> None:
    """Raise NotationError unless `cards` are the rules' deck, each card once."""
    deck = rules.deck
    known = set(deck)
    for position, card in enumerate(cards, start=1):
        if card not in known:
            raise NotationError(
                f"expected a card of the deck (suits {rules.suits}, ranks {rules.ranks}), got {card} (card {position})"
            )
    counts = Counter(cards)
    faults = [f"{card} is repeated" for card in deck if counts[card] > 1]
    faults += [f"{card} is missing" for card in deck if counts[card] == 0]
    if faults:
        shown = ", ".join(faults[:4]) + (f" and {len(faults) - 4} more faults" if len(faults) > 4 else "")
        expected = f"{len(deck)} cards" if len(cards) != len(deck) else f"each of the {len(deck)} cards once"
        raise NotationError(f"expected {expected}, got {len(cards) or 'none'}: {shown}")


@checked
def named_deal(name: DealName, rules: Rules | None = None) -> Deal:
    """The numbered deal of this name.

    Raises:
        RulesError: the rules have no PySolFC deals.
    """
    return Deal.numbered(name.number, rules) if name.source == "numbered" else _pysolfc_deal(name, rules)


def _pysolfc_deal(name: DealName, rules: Rules | None) -> Deal:
    rules = rules or Rules()
    if (rules.suits, rules.ranks) != ("CDHS", "A789TJQ"):
        raise RulesError(
            "expected the 28-card deck (suits CDHS, ranks A789TJQ) for a PySolFC game number, "
            f"got suits {rules.suits}, ranks {rules.ranks}"
        )
    cards: list[Card] = [card for suit in "CSHD" for card in rules.deck if card.suit.value == suit]
    _pysolfc_generator(name).shuffle(cards)
    return Deal(tuple(reversed(cards)), str(name))


def _pysolfc_generator(name: DealName) -> Any:
    """The generator that PySolFC uses for a game number (the package pysol_cards has no types)."""
    try:
        from pysol_cards.random import LCRandom31, MTRandom  # noqa: PLC0415 (only these deals need it)
    except ImportError:
        raise MissingToolError("expected pysol-cards for the deals of PySolFC: pip install pysol-cards") from None

    # The package's own shuffle() sends 32000 to the wrong generator, so the choice is made here.
    if name.microsoft or name.number <= _LAST_OF_MICROSOFT:
        generator = LCRandom31()
        generator.setSeed(name.number)
        return generator
    return MTRandom(name.number)
