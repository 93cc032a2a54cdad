"""Games played out by the strategies of `amazons_solver.strategies.players`, compiled: many deals in a call."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.errors import OptionError
from amazons_solver.kernel import fits
from amazons_solver.kernel.boundaries.keys import Scratch, new_scratch
from amazons_solver.kernel.boundaries.passes import (
    all_complete,
    deal_row,
    gather,
    is_complete,
    list_plays,
    locate,
    play,
    set_top,
)
from amazons_solver.kernel.compiling import compiled, inlined
from amazons_solver.kernel.config import UNLIMITED, Config, config_of, may_deal, numbers_of
from amazons_solver.kernel.shuffling import STEP, deal_numbered, drawn, mixed
from amazons_solver.model.cards import pile_of
from amazons_solver.model.deals import Deal
from amazons_solver.model.names import check_numbers
from amazons_solver.model.rules import Rules

GREEDY, ONE_ACE, RANDOM = range(3)
"""The strategies."""

_NO_PATIENCE = -1
_TYPES = (np.bool_, np.int32, np.int32, np.int32)


class Games(NamedTuple):
    """What came of the games, a deal an element."""

    won: NDArray[np.bool_]
    moves: NDArray[np.int32]
    redeals: NDArray[np.int32]
    idle_passes: NDArray[np.int32]


def play_deals(
    deals: Sequence[Deal],
    rules: Rules,
    strategy: int,
    *,
    patience: int | None = None,
    game: int | Sequence[int] = 0,
) -> Games:
    """Play out deals of the rules' deck.

    Args:
        deals: the deals; that they are of the deck is not checked again.
        rules: rules that `fits.decides`.
        strategy: GREEDY, ONE_ACE or RANDOM.
        patience: passes in a row without a play that are taken for a whole redeal cycle, if not the cycle itself.
        game: which of the random games of a deal, the same of all or one of each; other strategies have but one.

    Raises:
        OptionError: the kernel does not support the rules.
    """
    positions = {card.code: 1 + i for i, card in enumerate(rules.deck)}
    table = bytes(positions.get(code, 0) for code in range(256))
    packed = b"".join([pile_of(deal.cards).translate(table) for deal in deals])
    cards = np.frombuffer(packed, np.uint8).reshape(len(deals), len(rules.deck))
    return _play(cards, rules, strategy, patience, game)


def play_numbered(
    first: int, count: int, rules: Rules, strategy: int, *, patience: int | None = None, game: int = 0
) -> Games:
    """Play out the numbered deals from `first` on, `count` of them; the other arguments are those of `play_deals`.

    Raises:
        OptionError: the kernel does not support the rules, or the numbers run beyond 2⁶⁴ - 1.
    """
    check_numbers(first, count)
    cards = np.empty((count, len(rules.deck)), np.uint8)
    deal_numbered(np.uint64(first), np.arange(1, 1 + len(rules.deck), dtype=np.uint8), cards)
    return _play(cards, rules, strategy, patience, game)


def games_of(games: Sequence[tuple[bool, int, int, int]]) -> Games:
    """Games that were played out elsewhere."""
    columns = zip(*games, strict=True) if games else ((),) * 4
    return Games(*(np.array(column, kind) for column, kind in zip(columns, _TYPES, strict=True)))


def _play(
    cards: NDArray[np.uint8], rules: Rules, strategy: int, patience: int | None, game: int | Sequence[int]
) -> Games:
    """Play out deals whose cards are places in the deck, from 1."""
    if not fits.decides(rules):
        raise OptionError(fits.refusal(rules))
    codes = pile_of(rules.deck)
    count = len(cards)
    games = Games(*(np.zeros(count, kind) for kind in _TYPES))
    _play_all(
        config_of(rules),
        new_scratch(),
        cards,
        np.frombuffer(b"\0" + codes, np.uint8),
        np.frombuffer(b"\0" + codes.translate(numbers_of(rules)), np.uint8),
        strategy,
        _NO_PATIENCE if patience is None else patience,
        np.full(count, game, np.uint64),
        np.zeros(1, np.uint64),
        *games,
    )
    return games


@inlined
def _has_work(config: Config, scratch: Scratch) -> bool:
    """Whether a foundation has been begun and is not complete."""
    for foundation in range(config.depots):
        if scratch.tops[foundation] != 0 and not is_complete(config, scratch.tops[foundation]):
            return True
    return False


@inlined
def _choose(
    config: Config,
    scratch: Scratch,
    strategy: int,
    plays: int,
    others: int,
    may_go_on: bool,
    came_round: bool,
    random: NDArray[np.uint64],
) -> int:
    """The play that the strategy chooses; -1 to go on."""
    if strategy == RANDOM:
        moves = plays + (1 if may_go_on else 0)
        chosen = 0
        if moves > 1:
            random[0] += STEP
            chosen = drawn(mixed(random[0]), moves)
        return chosen if chosen < plays else -1
    if plays == 0:
        return -1
    if strategy == GREEDY:
        return 0
    if others > 0:
        for i in range(plays):
            # A base goes to an empty foundation, and nothing else does.
            if scratch.tops[scratch.to_foundation[i]] != 0:
                return i
    return 0 if came_round or not may_go_on or not _has_work(config, scratch) else -1


@compiled
def _play_all(  # noqa: C901 (the game in one loop)
    config: Config,
    scratch: Scratch,
    cards: NDArray[np.uint8],
    codes: NDArray[np.uint8],
    numbers: NDArray[np.uint8],
    strategy: int,
    patience: int,
    game: NDArray[np.uint64],
    random: NDArray[np.uint64],
    won: NDArray[np.bool_],
    moves: NDArray[np.int32],
    redeals: NDArray[np.int32],
    idle_passes: NDArray[np.int32],
) -> None:
    """Play out deals, one a row."""
    talon, gathered, start = scratch.talon, scratch.next, scratch.start
    for row in range(cards.shape[0]):
        count = cards.shape[1]
        seed = np.uint64(0)
        for i in range(count):
            talon[i] = start[i] = numbers[cards[row, i]]
            seed = mixed((seed ^ np.uint64(codes[cards[row, i]])) + STEP)
        random[0] = seed ^ game[row]
        locate(config, talon, count, scratch.talon_at)
        for depot in range(config.depots):
            scratch.piles[depot] = 0
            set_top(config, scratch, depot, 0)
        dealt = waited = idle = 0
        held_back = came_round = played = False
        while True:
            plays, others, _ = list_plays(config, scratch)
            may_go_on = plays == 0 or may_deal(config, others)
            if may_go_on and dealt == count:
                out_of_redeals = config.max_redeals != UNLIMITED and redeals[row] >= config.max_redeals
                out_of_passes = config.idle_passes != UNLIMITED and not played and idle + 1 >= config.idle_passes
                may_go_on = not out_of_redeals and not out_of_passes
            if plays == 0 and not may_go_on:
                if not played:
                    idle_passes[row] += 1
                break
            choice = _choose(config, scratch, strategy, plays, others, may_go_on, came_round, random)
            moves[row] += 1
            if choice >= 0:
                card = play(config, scratch, scratch.from_depot[choice], scratch.to_foundation[choice])
                played, came_round = True, False
                if config.rank[card] == config.ranks - 1 and all_complete(config, scratch):
                    won[row] = True
                    break
                continue
            if plays > 0:
                held_back = True
            if dealt < count:
                dealt = deal_row(config, scratch, dealt, count)
                continue
            left = gather(config, scratch)
            begins_anew = played
            if played:
                idle = 0
            else:
                idle += 1
                idle_passes[row] += 1
                waited += 1
                same = True
                for i in range(left):
                    if gathered[i] != start[i]:
                        same = False
                        break
                if same or waited == patience:
                    if not held_back:
                        moves[row] -= 1
                        break
                    came_round = begins_anew = True
            if begins_anew:
                waited, held_back = 0, False
                for i in range(left):
                    start[i] = gathered[i]
            for i in range(left):
                talon[i] = gathered[i]
            for depot in range(config.depots):
                scratch.piles[depot] = 0
            count, dealt, played = left, 0, False
            locate(config, talon, count, scratch.talon_at)
            redeals[row] += 1
