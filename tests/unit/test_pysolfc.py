"""Saved games of PySolFC: a real one, and files that would harm who unpickles them."""

import io
import os
import pickle
import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import Deal, NotationError, Rules, State
from amazons_solver.model.moves import Play, Redeal
from amazons_solver.pysolfc import read_saved_game

REAL = (Path(__file__).parents[1] / "fixtures" / "amazons-12345678901234567890.pso").read_bytes()


class Call:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return os.mkdir, (self.path,)


def test_real_save() -> None:
    game = read_saved_game(REAL, "real.pso")
    assert game.number == "12345678901234567890"
    state = State.initial(game.deal, game.rules)
    for move in game.line + game.undone:
        state = state.play(move)


@given(st.integers(0, 11_000))  # the moves end after that
def test_truncated(size: int) -> None:
    with pytest.raises(NotationError, match=r"cut\.pso"):
        read_saved_game(REAL[:size], "cut.pso")


@given(st.binary() | st.binary().map(lambda end: pickle.dumps("PySolFC") + end))
def test_random_bytes(data: bytes) -> None:
    with pytest.raises(NotationError):
        read_saved_game(data, "x")


@given(st.lists(st.tuples(st.integers(0, len(REAL) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_bytes(changes: list[tuple[int, int]]) -> None:
    data = bytearray(REAL)
    for at, byte in changes:
        data[at] = byte
    with suppress(NotationError):  # what is believed leads to the table that is saved, whatever was changed
        read_saved_game(bytes(data), "x")


@pytest.mark.parametrize("protocol", range(6))
def test_calls_nothing(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "called"
    with pytest.raises(NotationError):
        read_saved_game(pickle.dumps(Call(str(path)), protocol), "x")
    assert not path.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"\x8b\xff\xff\xff\x7f1.",
        b"X\xff\xff\xff\xff.",
        b")" + b"q\x00h\x00\x86" * 200_000 + b".",
        b"}" + b")" + b"q\x00h\x00\x86" * 60 + b"K\x01s.",
        b"]q\x00h\x00a.",
        b"(" * 1_100_000,
        bytes(5 << 20),
        b"r1",
    ],
)
def test_bombs(data: bytes) -> None:
    with pytest.raises(NotationError):
        read_saved_game(data, "x")


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


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("version", [(1, 0), (2, 16, 0), (2, 18, 0), (3, 4, 1)])
@pytest.mark.parametrize("number", ["7", "ms24680", "12345678901234567890"])
def test_random_play(number: str, version: tuple[int, ...], protocol: int) -> None:
    for seed in range(3):
        data, state = saved(number, version, protocol, seed)
        game = read_saved_game(data, "x")
        assert (game.number, game.version) == (number, version)
        assert State.initial(game.deal, game.rules).play_line(game.line).text() == state.text()
