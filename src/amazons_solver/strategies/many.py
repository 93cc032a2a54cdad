"""Many games of a strategy, compiled where they can be."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from amazons_solver.kernel import fits
from amazons_solver.model.arguments import checked
from amazons_solver.model.deals import Deal
from amazons_solver.model.names import NUMBERED_END, check_numbers
from amazons_solver.model.rules import Rules
from amazons_solver.strategies.players import BuiltIn, Greedy, OneAce, RandomLegal
from amazons_solver.strategies.playout import play_out

if TYPE_CHECKING:
    from amazons_solver.kernel.playing import Games

__all__ = ["GameCounts", "play_games", "play_numbered", "win_share"]


_CHUNK = 1 << 16


@attrs.frozen
class GameCounts:
    """The outcomes of many games."""

    won: int
    lost: int
    redeals: Mapping[int, int] = attrs.field(hash=False)
    """Of the games won, how many took each number of redeals, ascending."""


@checked
def play_numbered(strategy: BuiltIn, first: int, count: int, rules: Rules) -> GameCounts:
    """Play out the numbered deals from `first` on, `count` of them; the kernel plays if the deck is one for it.

    Raises:
        OptionError: the numbers run beyond 2⁶⁴ - 1.

    >>> counts = play_numbered(Greedy(), 0, 100, Rules.preset("ultimate"))
    >>> counts.won + counts.lost, sum(counts.redeals.values()) == counts.won
    (100, True)
    """
    check_numbers(first, count)
    redeals = Counter[int]()
    for start in range(first, first + count, _CHUNK):
        games = play_games(strategy, start, min(_CHUNK, first + count - start), rules)
        redeals.update(games.redeals[games.won].tolist())
    return GameCounts(redeals.total(), count - redeals.total(), dict(sorted(redeals.items())))


def play_games(strategy: BuiltIn, first: int, count: int, rules: Rules) -> "Games":
    """The same, with the outcome of each game: arrays `won`, `moves`, `redeals` and `idle_passes`."""
    from amazons_solver.kernel import playing  # noqa: PLC0415 (numba takes half a second to load)

    if not fits.decides(rules):
        games = [play_out(strategy, Deal.numbered(number, rules), rules) for number in range(first, first + count)]
        return playing.games_of([(game.won, len(game.line), game.redeals, game.idle_passes) for game in games])
    game = strategy.game if isinstance(strategy, RandomLegal) else 0
    return playing.play_numbered(first, count, rules, _kind(strategy), patience=strategy.patience, game=game)


@checked
def win_share(strategy: BuiltIn, deal: Deal, rules: Rules, games: int = 1) -> float:
    """The share of wins in this many games of one deal; random games are numbered from the strategy's on.

    >>> win_share(Greedy(), Deal.pysolfc("24680"), Rules.preset("pysolfc"))
    1.0
    """
    first = strategy.game if isinstance(strategy, RandomLegal) else 0
    numbers = [(first + i) % NUMBERED_END for i in range(games)]
    if fits.decides(rules):
        from amazons_solver.kernel import playing  # noqa: PLC0415 (numba takes half a second to load)

        found = playing.play_deals([deal] * games, rules, _kind(strategy), patience=strategy.patience, game=numbers)
        return int(found.won.sum()) / games
    players: list[BuiltIn] = [strategy] * games
    if isinstance(strategy, RandomLegal):
        players = [attrs.evolve(strategy, game=number) for number in numbers]
    return sum(play_out(player, deal, rules).won for player in players) / games


def _kind(strategy: BuiltIn) -> int:
    """The strategy's number in the kernel."""
    return (Greedy, OneAce, RandomLegal).index(type(strategy))
