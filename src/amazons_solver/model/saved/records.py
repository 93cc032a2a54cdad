"""Games as text: the rules, the deal and the moves, so that a game can be kept and continued."""

import re

import attrs

from amazons_solver.errors import NotationError, RulesError, shorten
from amazons_solver.model.cards import without_comments
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import Move, format_line, parse_line, passes
from amazons_solver.model.names import DealName, split_name
from amazons_solver.model.rules import Rules, nearest_preset
from amazons_solver.model.state import State

__all__ = ["Record", "deal_name_in"]

_RULES = re.compile(r"[\s\ufeff]*rules\b([^\n\r]*)")
_SEPARATORS = re.compile(r"[\s,\ufeff]+")


@attrs.frozen
class Record:
    """A game that was played, or begun.

    As text it is a line ``rules NAME FIELD=VALUE ...``, which may be missing, the deal as `Deal.parse` reads it (its
    name, its cards, or both) or a state in notation, and the moves, a pass a line; ``#`` starts a comment.

    >>> rules = Rules(suits="C", ranks="A7", withhold="any")
    >>> game = Record.parse("7C AC d d r d", rules)
    >>> print(game.text())
    rules wikipedia suits=C ranks=A7 withhold=any
    7C AC
    d d r
    d
    >>> Record.parse(game.text()) == game
    True
    """

    deal: Deal | State
    """How it began; a state if it was not played from the start."""
    line: tuple[Move, ...] = ()
    rules: Rules = attrs.field(factory=Rules)

    @property
    def start(self) -> State:
        """The state with which it began.

        Raises:
            NotationError: the deal is not of the rules' deck.
        """
        return self.deal if isinstance(self.deal, State) else State.initial(self.deal, self.rules)

    @property
    def name(self) -> str:
        """The deal's name, if it has one."""
        return "" if isinstance(self.deal, State) else self.deal.name

    @property
    def heading(self) -> str:
        """What a person calls the deal, or the state with which it began."""
        return self.name or ("this state" if isinstance(self.deal, State) else "this deal")

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None, deal: Deal | State | None = None) -> "Record":
        """Read a game, without checking whether its moves are legal.

        Args:
            text: the moves, after the rules and the deal where they are not given.
            rules: the rules; when absent those that the text names, or PySolFC's for a deal by its number
                (``pysolfc:24680``), or the default rules.
            deal: the deal; when absent, that of the text.

        Raises:
            NotationError: a word is neither card nor move, the cards are not the deck, or the text has what was given.
            RulesError: the text names rules that do not exist, or that have no PySolFC deals.
        """
        heading, text = _split_rules(text)
        if heading is not None:
            if rules is not None:
                raise NotationError(
                    f"expected rules once, got others in the game: {shorten(f'rules{heading}'.strip())}"
                )
            rules = _parse_rules(heading)
        words = [word for word in _SEPARATORS.split(text) if word]
        cards = 0
        while cards < len(words) and not _is_move(words[cards]):
            cards += 1
        if deal is not None and cards:
            raise NotationError(f"expected moves alone for a deal that is given, got {shorten(words[0])}")
        line = parse_line(" ".join(words[cards:]))
        if deal is None:
            name, _ = split_name(text)
            if rules is None and name is not None and name.preset is not None:
                rules = Rules.preset(name.preset)
            begun = " ".join(words[:cards])
            deal = State.parse(begun, rules) if "|" in begun else Deal.parse(begun, rules)
        return cls(deal, line, rules or Rules())

    def text(self) -> str:
        """The game as text, read back by `Record.parse`."""
        preset, settings = nearest_preset(self.rules)
        rules, deal = " ".join(["rules", preset, *settings]), self._beginning()
        return "\n".join([rules, deal, *map(format_line, passes(self.line))])

    def _beginning(self) -> str:
        return self.deal.text() if isinstance(self.deal, State) else f"{self.name} {self.deal}".strip()


def deal_name_in(text: str) -> DealName | None:
    """The name of the deal of a game in text, if it has one.

    Raises:
        NotationError: there is no deal of this name.
    """
    return split_name(_split_rules(text)[1])[0]


def _split_rules(text: str) -> tuple[str | None, str]:
    """What stands after ``rules`` if a text begins with it, and the rest, both without comments."""
    text = without_comments(text)
    named = _RULES.match(text)
    return (None, text) if named is None else (named[1], text[named.end() :])


def _is_move(word: str) -> bool:
    return word in ("d", "r") or ">" in word


def _parse_rules(text: str) -> Rules:
    name, *settings = text.split() or [""]
    try:
        return Rules.preset(name).with_settings(settings)
    except RulesError as error:
        raise RulesError(f"{error} (the game's rules)") from None
