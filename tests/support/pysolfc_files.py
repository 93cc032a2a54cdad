"""Files of PySolFC for tests, written as it writes them."""

import io
import pickle
import random

from amazons_solver import Deal, Rules, State
from amazons_solver.model.moves import Play, Redeal


class Thing:
    """What PySolFC saves as an object of its own; its classes are known by their names alone."""

    def __init__(self, **state: object) -> None:
        self.__dict__.update(state)


class AMoveMove(Thing): ...


class ANextRoundMove(Thing): ...


def saved(number: str, version: tuple[int, ...], protocol: int, seed: int) -> tuple[bytes, State]:
    """A game of random play as PySolFC writes it, and the table where it stands."""
    rules = Rules.preset("pysolfc" if version >= (2, 18) else "pysolfc-2.16")
    first, *legal = State.initial(Deal.pysolfc(number, rules), rules).legal_moves()
    assert not legal
    state, steps, again = State.initial(Deal.pysolfc(number, rules), rules).play(first), [], False
    choose = random.Random(seed)
    while (len(steps) < 30 or again) and (moves := state.legal_moves()):
        move = choose.choice(moves)
        if isinstance(move, Play):
            origin = next(i for i, pile in enumerate(state.depots) if pile and str(move).startswith(str(pile[-1])))
            target = int(str(move).rpartition(">")[2])
            steps.append([AMoveMove(from_stack_id=5 + origin, to_stack_id=target)])
        elif not isinstance(move, Redeal):
            steps.append([ANextRoundMove(), Thing()] if again else [Thing()])
        again = isinstance(move, Redeal)
        state = state.play(move)
    out = io.BytesIO()
    pickler = pickle.Pickler(out, protocol)
    game = int(number[2:]) | 1 << 1000 if number.startswith("ms") else int(number)
    piles = [state.talon[::-1], *([top] if top else [] for top in state.foundations), *state.depots]
    cards = [["CSHD".index(str(c)[1]) * 7 + "A789TJQ".index(str(c)[0]) for c in pile] for pile in piles]
    flat = [part for pile in cards for part in (len(pile), *(x for card in pile for x in (card, 1)))]
    moves = Thing(history=steps, index=len(steps))
    for value in ("PySolFC", "v", version, 0, 0, 406, game, 0, len(cards), *flat, 1, 0, Thing(), Thing(), moves):
        pickler.dump(value)
    return out.getvalue(), state


class Statistics(Thing): ...


class GameStat(Thing): ...


LOST, WON = 0, 1


def played(number: str, status: int, version: tuple[int, ...] = (3, 4, 1), game: int = 406) -> tuple[object, ...]:
    """A game as PySolFC logs it."""
    return (game, number, status, 1.6e9, 84.5, version, None, None, 1)


def statistics(games: dict[str, list[tuple[object, ...]]], protocol: int) -> bytes:
    """The statistics of some players as PySolFC writes them."""
    counted = {406: GameStat(gameid=406, num_lost=1, time_result=Thing(top=[], average=1.5)), "all": GameStat()}
    everything = Statistics(
        version_tuple=(3, 4, 1),
        saved=7,
        games_stats={None: {}, **dict.fromkeys(games, counted)},
        prev_games=games,
        all_prev_games={player: [played("1", LOST), *listed] for player, listed in games.items()},  # before a reset
        session_games={None: [played("2", -1)]},
        total_balance={406: -12, 2: 30},
        session_balance={},
        gameid_balance=0,
    )
    return pickle.dumps(everything, protocol)
