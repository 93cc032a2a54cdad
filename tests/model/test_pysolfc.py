"""Files of PySolFC: a real save, others written as it writes them, and what would harm who unpickles them."""

import io
import os
import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amazons_solver import NotationError, Rules, State
from amazons_solver.model.moves import Redeal
from amazons_solver.model.saved.pysolfc import LostGame, counter, read_lost_games, read_saved_game, rules_of
from support.pysolfc_files import LOST, WON, Statistics, played, saved, statistics

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


@pytest.mark.slow
@given(st.integers(0, 11_000))  # the moves end after that
def test_truncated(size: int) -> None:
    with pytest.raises(NotationError, match=r"cut\.pso"):
        read_saved_game(REAL[:size], "cut.pso")


@pytest.mark.slow
@given(st.binary() | st.binary().map(lambda end: pickle.dumps("PySolFC") + end))
def test_random_bytes(data: bytes) -> None:
    with pytest.raises(NotationError):
        read_saved_game(data, "x")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


GAMES = {
    "ann": [played("7", LOST), played("8", WON), played("00000000000000000007", LOST, game=2), played("ms9", LOST)],
    "Bob B\u00f6": [played("7", LOST, (2, 6, 4)), played("12", 2), played("12345678901234567890", LOST, (3, 0))],
}


@pytest.mark.parametrize("protocol", range(2, 6))
def test_lost_games(protocol: int) -> None:
    data = statistics(GAMES, protocol)
    assert read_lost_games(data, "x") == [
        LostGame("7", (3, 4, 1)),
        LostGame("ms9", (3, 4, 1)),
        LostGame("7", (2, 6, 4)),
        LostGame("12345678901234567890", (3, 0)),
    ]
    with pytest.raises(NotationError, match="got another file"):
        read_saved_game(data, "x")


def test_rules_of_versions() -> None:
    assert [rules_of(version) for version in ((1, 0), (2, 16, 0), (2, 18), (3, 4, 1))] == [
        *[Rules.preset("pysolfc-2.16")] * 2,
        *[Rules.preset("pysolfc")] * 2,
    ]
    for version in ((), (0, 9)):
        with pytest.raises(NotationError, match="not known"):
            rules_of(version)


def test_statistics_written_by_python_2() -> None:
    """There, the class is made by OBJ, and text is bytes."""
    game = pickle.dumps(played("7", LOST, (2, 6, 4)), 2)[2:-1]
    data = b"\x80\x02(cpysollib.app\nStatistics\no}U\nprev_games}U\x03ann](" + game + b"essb."
    assert read_lost_games(data, "x") == [LostGame("7", (2, 6, 4))]


ODD: list[object] = [
    Statistics(),
    Statistics(prev_games=[]),
    Statistics(prev_games={"ann": 7}),
    Statistics(prev_games={"ann": [7]}),
    Statistics(prev_games={"ann": [(406, "7")]}),
    Statistics(prev_games={"ann": [("406", "7", 0)]}),
    Statistics(prev_games={"ann": [(406, 7, 0, 1.0, 1.0, (3, 4))]}),
    Statistics(prev_games={"ann": [(406, "7", 0, 1.0, 1.0, "3.4")]}),
    Statistics(prev_games={"ann": [(406, "7", 0, 1.0, 1.0, (3, -4))]}),
    Statistics(prev_games={1 << 20: []}),
    Statistics(prev_games={(1, 2): []}),
    Statistics(prev_games=dict.fromkeys(range(2000), [(1, "1", 0)] * 2000)),
    7,
    {"prev_games": {}},
]


@pytest.mark.parametrize("value", ODD)
def test_odd_statistics(value: object) -> None:
    with pytest.raises(NotationError, match=r"expected statistics of PySolFC, got .* \(odd\.dat\)"):
        read_lost_games(pickle.dumps(value), "odd.dat")


STATISTICS = statistics(GAMES, 4)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, len(STATISTICS) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_statistics(changes: list[tuple[int, int]]) -> None:
    data = bytearray(STATISTICS)
    for at, byte in changes:
        data[at] = byte
    with suppress(NotationError):
        read_lost_games(bytes(data), "x")


@pytest.mark.slow
@given(st.integers(0, len(STATISTICS) - 1))
def test_truncated_statistics(size: int) -> None:
    with pytest.raises(NotationError):
        read_lost_games(STATISTICS[:size], "x")


def test_statistics_call_nothing(tmp_path: Path) -> None:
    path = tmp_path / "called"
    data = pickle.dumps(Statistics(prev_games={"ann": [played("7", LOST)]}, more=Call(str(path))))
    assert read_lost_games(data, "x") == [LostGame("7", (3, 4, 1))]
    assert not path.exists()
