"""Saved games of PySolFC: a real one, and files that would harm who unpickles them."""

import io
import os
import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import NotationError, State
from amazons_solver.model.moves import Redeal
from amazons_solver.pysolfc import counter, read_saved_game
from pysolfc_files import saved

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


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("version", [(1, 0), (2, 16, 0), (2, 18, 0), (3, 4, 1)])
@pytest.mark.parametrize("number", ["7", "ms24680", "12345678901234567890"])
def test_random_play(number: str, version: tuple[int, ...], protocol: int) -> None:
    for seed in range(3):
        data, state = saved(number, version, protocol, seed)
        game = read_saved_game(data, "x")
        assert (game.number, game.version) == (number, version)
        assert State.initial(game.deal, game.rules).play_line(game.line).text() == state.text()
        last = len(game.line) - isinstance(game.line[-1], Redeal)
        assert counter(game.line, last) == steps_of(data), game.line


def steps_of(data: bytes) -> int:
    """How many steps PySolFC counts as made in a file that was written here: its counter shows them."""
    unpickler = pickle.Unpickler(io.BytesIO(data))  # noqa: S301 (it was written here)
    with suppress(EOFError):
        while True:
            value = unpickler.load()
    return int(value.index)


def test_counter_of_the_real_save() -> None:
    line = read_saved_game(REAL, "real.pso").line
    assert (len(line), counter(line, len(line))) == (18, 16)  # the index that stands in the file
