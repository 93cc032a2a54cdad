"""How people play: strategies that see what a player sees.

A strategy chooses; the play-out deals, and ends the game exactly. Between two plays the passes run round a *redeal
cycle*: gathered often enough, the talon returns to its old order (building by rank: to that of its ranks, since suits
make no difference then). If no play was legal in the whole cycle, none ever will be, and the game is lost. If plays
were held back, the strategy is told that the cycle has closed (`Table.came_round`), and the game continues. If the same
talon then comes back and the strategy's memory is unchanged, it would hold the same plays back for ever, and the game
is lost. That ends every game of a strategy whose memory takes finitely many values; one that draws lots sooner or later
plays what can be played.

People do not wait for a full cycle, which can take 252 passes. A player with a *patience* of k treats k consecutive
passes without a play as a full cycle.
"""

import re
from collections.abc import Hashable, Mapping
from typing import Final, Protocol

import attrs

from amazons_solver.errors import OptionError, shorten
from amazons_solver.model.arguments import checked, checked_fields
from amazons_solver.model.cards import Card
from amazons_solver.model.moves import Play
from amazons_solver.model.names import NUMBERED_END
from amazons_solver.model.rules import Rules
from amazons_solver.model.shuffling import draw
from amazons_solver.model.state import State

__all__ = ["STRATEGIES", "BuiltIn", "Greedy", "OneAce", "RandomLegal", "Strategy", "Table", "name_of", "strategy_of"]

_PATIENCE = re.compile(r"[1-9][0-9]{0,8}")


@attrs.frozen(repr=False, eq=False)
class Table:
    """What a player sees when a move is to be chosen."""

    _state: State
    plays: tuple[Play, ...]
    """The legal plays, by depot and then by foundation."""
    may_go_on: bool
    """Whether the next row may be dealt, or the depots gathered, now."""
    came_round: bool
    """Whether a full redeal cycle, or what the player treats as one, has passed since the last play."""
    in_first_pass: bool

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._state.rules

    @property
    def depots(self) -> tuple[tuple[Card, ...], ...]:
        """The depots, left to right, each bottom to top."""
        return self._state.depots

    @property
    def foundations(self) -> tuple[Card | None, ...]:
        """The top card of each foundation; ``None`` where it is empty."""
        return self._state.foundations

    @property
    def talon_size(self) -> int:
        """The number of cards in the talon."""
        return len(self._state.talon_codes)

    @property
    def talon(self) -> tuple[Card, ...] | None:
        """The talon, the next card first, as whoever watched the gathering knows it; ``None`` in the first pass."""
        return None if self.in_first_pass else self._state.talon

    def is_base(self, play: Play) -> bool:
        """Whether a play opens a foundation."""
        return play.card.code in self.rules.tables.bases

    @property
    def has_work(self) -> bool:
        """Whether a foundation has been begun and is not complete."""
        tops = self.rules.tables.tops
        return any(top and top not in tops for top in self._state.foundation_codes)


class Strategy(Protocol):
    """A way to play: a function of the table, and of what it chooses to remember."""

    @property
    def patience(self) -> int | None:
        """Passes in a row without a play that it treats as a full cycle; ``None``: it waits for a real one."""
        ...

    def begin(self, seed: int) -> Hashable:
        """Its first memory; the 64-bit seed is the deal's own, for strategies that draw lots."""
        ...

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        """One of the legal plays, or ``None`` to deal or gather; and its memory from then on."""
        ...


def _check_patience(_: object, __: object, value: int | None) -> None:
    if value is not None and value < 1:
        raise OptionError(f"expected a patience of at least 1 pass, got {value}")


@attrs.frozen(field_transformer=checked_fields)
class Greedy:
    """Plays whatever can be played: from the lowest depot, to the lowest foundation. Remembers nothing."""

    patience: int | None = attrs.field(default=None, validator=_check_patience)

    def begin(self, seed: int) -> Hashable:  # noqa: ARG002
        """Nothing is remembered."""
        return None

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        """The first legal play."""
        return (table.plays[0] if table.plays else None), memory


@attrs.frozen(field_transformer=checked_fields)
class OneAce:
    """One ace at a time: works the begun foundations, and holds every other base back until they are stuck.

    Other cards than bases are played whenever possible, from the lowest depot. A base is played, from the lowest depot
    to the lowest foundation, only while no begun foundation waits for a card, or after a full redeal cycle without a
    play, or if the rules allow nothing else. The order of the talon is used only to detect that the cycle has closed.
    """

    patience: int | None = attrs.field(default=None, validator=_check_patience)

    def begin(self, seed: int) -> Hashable:  # noqa: ARG002
        """Nothing: the table says when the talon has come round."""
        return None

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        """The first legal play of another card than a base; else the first of a base if it is time for one."""
        for play in table.plays:
            if not table.is_base(play):
                return play, memory
        if table.plays and (table.came_round or not table.may_go_on or not table.has_work):
            return table.plays[0], memory
        return None, memory


@attrs.frozen(field_transformer=checked_fields)
class RandomLegal:
    """Any legal move with equal probability, drawn by SplitMix64: the same game again on any machine.

    The generator starts from the deal's seed xor `game`, the number of the game among those of one deal. A number
    is drawn only where there are several moves; move j of n (from 0, in the order of `State.legal_moves`) is chosen by
    its upper half h with j = ⌊h·n / 2³²⌋. Remembers the generator's state.
    """

    patience: int | None = attrs.field(default=None, validator=_check_patience)
    game: int = attrs.field(default=0, validator=[attrs.validators.ge(0), attrs.validators.le(NUMBERED_END - 1)])

    def begin(self, seed: int) -> Hashable:
        """The generator's state."""
        return seed ^ self.game

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        """One of the legal moves."""
        moves = len(table.plays) + table.may_go_on
        chosen = 0
        if moves > 1 and isinstance(memory, int):
            memory, number = draw(memory)
            chosen = (number >> 32) * moves >> 32
        return (table.plays[chosen] if chosen < len(table.plays) else None), memory


BuiltIn = Greedy | OneAce | RandomLegal

STRATEGIES: Final[Mapping[str, type[BuiltIn]]] = {"greedy": Greedy, "one-ace": OneAce, "random": RandomLegal}
"""The strategies by name."""


@checked
def strategy_of(text: str) -> BuiltIn:
    """A strategy by its name, with a patience behind a colon if it has one.

    Raises:
        OptionError: there is no such strategy.

    >>> strategy_of("one-ace:3")
    OneAce(patience=3)
    """
    name, colon, patience = text.partition(":")
    if name not in STRATEGIES or (colon and not _PATIENCE.fullmatch(patience)):
        raise OptionError(
            f"expected a strategy ({', '.join(STRATEGIES)}), with a patience as in greedy:2 if any, got {shorten(text)}"
        )
    return STRATEGIES[name](int(patience)) if colon else STRATEGIES[name]()


@checked
def name_of(strategy: BuiltIn) -> str:
    """The text that `strategy_of` reads."""
    name = next(name for name, kind in STRATEGIES.items() if isinstance(strategy, kind))
    return name if strategy.patience is None else f"{name}:{strategy.patience}"
