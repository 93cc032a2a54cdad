"""Saved games of PySolFC (.pso, holdgame.dat) and its statistics (statistics.dat), read as data.

They are pickles, and never unpickled. A saved game is a sequence of them. It is believed only if its moves, replayed by
the rules, lead to the table that it saves; what follows the moves in the file is not needed and not read. Statistics
are one object, which lists the games of each player.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from amazons_solver.errors import AmazonsError, NotationError
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, parse_move
from amazons_solver.model.names import split_name
from amazons_solver.model.rules import Rules
from amazons_solver.model.saved.pickles import MOST_BITS, MOST_BYTES, MOST_OPERATIONS, Node, pickles
from amazons_solver.model.state import State

__all__ = [
    "LostGame",
    "SavedGame",
    "counter",
    "is_pickled",
    "is_saved_game",
    "plays",
    "read_lost_games",
    "read_saved_game",
    "rules_of",
]

AMAZONS = 406  # the number of the game Amazons in PySolFC
MS, CUSTOM = 1 << 1000, 1 << 999  # bits of the deal number: Microsoft's generator, a deal typed in
RANKS, SUITS = "A789TJQ", "CSHD"  # card id = 7 * suit + rank
OWN_SUIT_UNTIL = (2, 18)  # versions before it played by the rules pysolfc-2.16

# How a saved game begins in every protocol, and anything of protocol 2 or later, as no text does.
_SAVE = re.compile(rb"(?:\x80.(?:\x95.{8})?)?(?:V|S'|U\x07|X\x07\0\0\0|\x8c\x07)PySolFC", re.DOTALL)
_BEGINNING = re.compile(rb"\x80|(?:V|S'|U\x07|X\x07\0\0\0)PySolFC")

Read = TypeVar("Read")


class SavedGame(NamedTuple):
    """A game as PySolFC saved it; `line` leads to the saved table and `undone` continues from there."""

    version: tuple[int, ...]
    number: str
    rules: Rules
    deal: Deal
    line: tuple[Move, ...]
    undone: tuple[Move, ...]


class LostGame(NamedTuple):
    """A game that PySolFC's statistics list as lost: its number as written there, and the version."""

    number: str
    version: tuple[int, ...]


def plays(deal: Deal, rules: Rules) -> bool:
    """Whether this is a game of PySolFC's: a deal by its number, and the rules of one of its versions."""
    name, _ = split_name(deal.name)
    return name is not None and name.source == "pysolfc" and rules in map(Rules.preset, ("pysolfc", "pysolfc-2.16"))


def counter(line: Sequence[Move], move: int) -> int:
    """What PySolFC's counter shows at a move of a line; moves are counted from 1.

    There the first deal does not count, and a redeal and the deal after it are one.

    >>> from amazons_solver.model.moves import parse_line
    >>> [counter(parse_line("d d AC>1 r d"), move) for move in range(1, 6)]
    [0, 1, 2, 3, 3]
    """
    return move - 1 - list(line[: move - 1]).count(REDEAL)


def is_pickled(start: bytes) -> bool:
    """Whether a file that begins so (a dozen bytes will do) is one of PySolFC's, and no text."""
    return _BEGINNING.match(start) is not None


def read_saved_game(data: bytes, source: str) -> SavedGame:
    """Read a saved game of Amazons from the bytes of its file, named `source` in messages.

    Raises:
        NotationError: the bytes are no saved game of Amazons, or its moves do not lead to its table.
    """
    return _read(data, lambda values: _replayed(*_fields(values)), "a saved game", source)


def is_saved_game(data: bytes) -> bool:
    """Whether the bytes of a file are a saved game's, of whatever game, damaged or not."""
    return _SAVE.match(data) is not None


def read_lost_games(data: bytes, source: str) -> list[LostGame]:
    """Read the games of Amazons that PySolFC's statistics list as lost, from the bytes of their file.

    Those of all players are read, in the order of play. `source` is the name of the file in messages.

    Raises:
        NotationError: the bytes are no statistics of PySolFC.
    """
    return _read(data, _lost, "statistics", source)


def rules_of(version: tuple[int, ...]) -> Rules:
    """The rules by which a version of PySolFC plays Amazons.

    Raises:
        NotationError: they are not known.
    """
    if version < (1, 0):
        raise NotationError("got one of a version from before 1.0 (2007), whose rules are not known")
    return Rules.preset("pysolfc" if version >= OWN_SUIT_UNTIL else "pysolfc-2.16")


def _read(data: bytes, read: Callable[[Iterator[Any]], Read], what: str, source: str) -> Read:
    """What is read from the values of the pickles."""
    try:
        if len(data) > MOST_BYTES:
            raise NotationError(f"expected at most {MOST_BYTES} bytes, got {len(data)}")
        return read(pickles(data))
    except (AmazonsError, LookupError, TypeError, AttributeError, ValueError, StopIteration, OverflowError) as error:
        reason = str(error) if isinstance(error, AmazonsError) else f"got a damaged one ({type(error).__name__})"
        raise NotationError(f"expected {what} of PySolFC, {reason} ({source})") from None


_Fields = tuple[tuple[int, ...], str, list[list[int]], list[Any], int]


def _take(values: Iterator[Any], kind: type) -> Any:
    value = next(values)
    if type(value) is not kind:
        raise NotationError(f"got {type(value).__name__} in the place of {kind.__name__}")
    return value


def _is_version(value: Any) -> bool:
    return (
        type(value) is tuple
        and 2 <= len(value) <= 4
        and all(type(part) is int and 0 <= part < 10_000 for part in value)
    )


def _lost(values: Iterator[Any]) -> list[LostGame]:
    statistics = next(values)
    if type(statistics) is not Node or statistics.what != "Statistics":
        raise NotationError("got another file")
    players = statistics.state["prev_games"]
    if type(players) is not dict or not all(type(games) is list for games in players.values()):
        raise NotationError("got no games that were played")
    if sum(map(len, players.values())) > MOST_OPERATIONS:  # a list can stand there many times
        raise NotationError(f"got more than {MOST_OPERATIONS} games")
    lost = []
    for game in itertools.chain.from_iterable(players.values()):
        if type(game) is not tuple or len(game) < 3 or type(game[0]) is not int or type(game[2]) is not int:
            raise NotationError("got a game without its number and result")
        if game[0] != AMAZONS or game[2] != 0:
            continue
        if type(game[1]) is not str:
            raise NotationError("got a game without its number and result")
        version = game[5] if len(game) > 5 else ()
        if version and not _is_version(version):
            raise NotationError("got a game of an unknown version")
        lost.append(LostGame(game[1], version))
    return lost


def _head(values: Iterator[Any]) -> tuple[tuple[int, ...], int, str]:
    """Version, bookmark and deal number."""
    if type(mark := next(values)) is not str or mark != "PySolFC":
        raise NotationError("got another file")
    _take(values, str)
    version, bookmark, _, game = _take(values, tuple), _take(values, int), _take(values, int), _take(values, int)
    if not _is_version(version):
        raise NotationError("got one of an unknown version")
    if game != AMAZONS:
        raise NotationError(f"got one of another game than Amazons ({AMAZONS})")
    seed = _take(values, int)
    if seed < 0 or seed.bit_length() > MOST_BITS:
        raise NotationError("got a deal number out of range")
    if seed & MS and seed & CUSTOM:
        raise NotationError("got a deal that was typed in")
    number = f"ms{seed & ~MS}" if seed & MS else str(seed)
    return version, bookmark, number


def _fields(values: Iterator[Any]) -> _Fields:
    """Version, deal number, piles of card ids, the steps, and how many of these are made and not undone."""

    def count(most: int) -> range:
        number = _take(values, int)
        if not 0 <= number <= most:
            raise NotationError(f"got a number out of range, expected 0 to {most}")
        return range(number)

    version, bookmark, number = _head(values)
    next(values)  # the generator's state
    piles = []
    for _ in count(20):
        pile = []
        for _ in count(28):
            pile.append(count(27).stop)
            next(values)  # face up or not
        piles.append(pile)
    _take(values, int)  # the round
    next(values)  # finished or not
    if bookmark < 2:
        _take(values, Node), _take(values, Node)
    moves = _take(values, Node).state
    history, index = moves["history"], moves["index"]
    if type(history) is not list or type(index) is not int or not 0 <= index <= len(history):
        raise NotationError("got no history of moves")
    return version, number, piles, history, index


def _replayed(
    version: tuple[int, ...], number: str, piles: list[list[int]], history: list[Any], index: int
) -> SavedGame:
    rules = rules_of(version)
    deal = Deal.pysolfc(number, rules)
    state, line = State.initial(deal, rules), list[Move]()

    def go(text: str) -> None:
        nonlocal state
        move = parse_move(text)
        state = state.play(move)
        line.append(move)

    def step(atoms: Any) -> None:
        kinds = [atom.what for atom in atoms]
        if kinds != ["AMoveMove"]:
            if "ANextRoundMove" in kinds:
                go("r")
            return go("d")
        origin, target = atoms[0].state["from_stack_id"], atoms[0].state["to_stack_id"]
        if origin not in (5, 6, 7, 8) or target not in (1, 2, 3, 4):  # 0 talon, 1-4 foundations, 5-8 depots
            raise NotationError("got a move between piles that Amazons does not have")
        return go(f"{state.depots[origin - 5][-1]}>{target}")

    go("d")
    for atoms in history[:index]:
        step(atoms)
    if len(piles) < 9:
        raise NotationError("got too few piles")
    parts = [piles[0][::-1]], piles[5:9], [pile[-1:] for pile in piles[1:5]]
    saved = " | ".join(" ; ".join(" ".join(map(_card, pile)) or "-" for pile in part) for part in parts)
    if saved != state.text():
        raise NotationError("got one whose moves lead to another table")
    made = len(line)
    for atoms in history[index:]:
        step(atoms)
    return SavedGame(version, number, rules, deal, tuple(line[:made]), tuple(line[made:]))


def _card(number: int) -> str:
    return RANKS[number % 7] + SUITS[number // 7]
