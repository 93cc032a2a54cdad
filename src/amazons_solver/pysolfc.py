"""Saved games of PySolFC (.pso, holdgame.dat), read as data.

Such a file is a row of pickles that share one memo. It is never unpickled: `pickletools.genops` names its operations,
and the machine below knows those that build numbers, texts, lists, tuples and dicts; what would look up a class or call
it makes an inert node. Nothing here recurses into what was built, copies or hashes it, so shared and cyclic values cost
nothing. A file is believed only if its moves, replayed by the rules, lead to the table that it saves; what follows the
moves in the file is not needed and not read.
"""

import io
import pickletools
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from amazons_solver.errors import AmazonsError, NotationError
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import REDEAL, Move, parse_move
from amazons_solver.model.names import split_name
from amazons_solver.model.rules import Rules
from amazons_solver.model.state import State

__all__ = ["MOST_BYTES", "SavedGame", "counter", "is_pickled", "plays", "read_saved_game"]

MOST_BYTES = 4 << 20  # a game of 10,000 moves has about 1.5 MB
MOST_OPERATIONS = 1_000_000
MOST_BITS = 1001  # of an integer: a deal number with its marks
AMAZONS = 406  # the number of the game Amazons in PySolFC
MS, CUSTOM = 1 << 1000, 1 << 999  # bits of the deal number: Microsoft's generator, a deal typed in
RANKS, SUITS = "A789TJQ", "CSHD"  # card id = 7 * suit + rank
OWN_SUIT_UNTIL = (2, 18)  # versions before it played by the rules pysolfc-2.16

# How a saved game begins in every protocol, and anything of protocol 2 or later, as no text does.
_BEGINNING = re.compile(rb"\x80|(?:V|S'|U\x07|X\x07\0\0\0)PySolFC")

VALUES = frozenset(
    (
        *("BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1", "LONG4", "BINFLOAT", "FLOAT"),
        *("SHORT_BINUNICODE", "BINUNICODE", "UNICODE", "SHORT_BINSTRING", "BINSTRING", "STRING"),
        *("SHORT_BINBYTES", "BINBYTES"),
    )
)
CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}


class SavedGame(NamedTuple):
    """A game as PySolFC saved it; `line` leads to the saved table and `undone` goes on from there."""

    version: tuple[int, ...]
    number: str
    rules: Rules
    deal: Deal
    line: tuple[Move, ...]
    undone: tuple[Move, ...]


class _Node:
    """Something that a pickle would have made by calling a class: the class's name, its arguments, its state."""

    __slots__ = ("args", "state", "what")

    def __init__(self, what: str, args: Any = ()) -> None:
        self.what = what
        self.args = args
        self.state: Any = {}


class _Mark:
    """Where a row of items begins on the stack."""


_MARK = _Mark()


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
    try:
        if len(data) > MOST_BYTES:
            raise NotationError(f"expected at most {MOST_BYTES} bytes, got {len(data)}")
        return _replayed(*_fields(_pickles(data)))
    except (AmazonsError, LookupError, TypeError, AttributeError, ValueError, StopIteration, OverflowError) as error:
        reason = str(error) if isinstance(error, AmazonsError) else f"got a damaged one ({type(error).__name__})"
        raise NotationError(f"expected a saved game of PySolFC, {reason} ({source})") from None


def _pickles(data: bytes) -> Iterator[Any]:
    stream, memo, left = io.BytesIO(data), dict[int, Any](), MOST_OPERATIONS
    while stream.tell() < len(data):
        value, left = _load(stream, memo, left)
        yield value


def _load(stream: io.BytesIO, memo: dict[int, Any], left: int) -> tuple[Any, int]:  # noqa: C901 (a case for each operation)
    """The value of the next pickle, and how many operations the others may have."""
    stack: list[Any] = []

    def to_mark() -> list[Any]:
        at = len(stack) - 1
        while stack[at] is not _MARK:
            at -= 1
            if at < 0:
                raise NotationError("got a row without a beginning")
        items = stack[at + 1 :]
        del stack[at:]
        return items

    def put(into: Any, items: list[Any]) -> None:
        if not isinstance(into, dict) or len(items) % 2:
            raise NotationError("got items of what is no dict")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, str):  # the hash of a tuple may take for ever, chosen integers collide
                raise NotationError(f"got a key of type {type(key).__name__}")
            into[key] = value

    for op, arg, _ in pickletools.genops(stream):
        left -= 1
        if left < 0:
            raise NotationError(f"got more than {MOST_OPERATIONS} operations")
        name = op.name
        if name in ("PROTO", "FRAME"):
            continue
        if name == "STOP":
            return stack.pop(), left
        if name in VALUES:
            if isinstance(arg, int) and arg.bit_length() > MOST_BITS:
                raise NotationError(f"got an integer of more than {MOST_BITS} bits")
            stack.append(arg)
        elif name in CONSTANTS:
            stack.append(CONSTANTS[name])
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "POP":
            stack.pop()
        elif name == "POP_MARK":
            to_mark()
        elif name == "EMPTY_LIST":
            stack.append([])
        elif name == "EMPTY_DICT":
            stack.append({})
        elif name == "EMPTY_TUPLE":
            stack.append(())
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            if len(stack) < count:
                raise NotationError("got a tuple of too few items")
            stack[-count:] = [tuple(stack[-count:])]
        elif name == "TUPLE":
            stack.append(tuple(to_mark()))
        elif name == "LIST":
            stack.append(to_mark())
        elif name == "DICT":
            items = to_mark()
            stack.append({})
            put(stack[-1], items)
        elif name in ("APPEND", "APPENDS"):
            items = [stack.pop()] if name == "APPEND" else to_mark()
            if not isinstance(stack[-1], list):
                raise NotationError("got items of what is no list")
            stack[-1].extend(items)
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            put(stack[-1], [key, value])
        elif name == "SETITEMS":
            items = to_mark()
            put(stack[-1], items)
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            if not 0 <= (at := int(str(arg))) < MOST_OPERATIONS:
                raise NotationError("got a place out of range")
            memo[at] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[int(str(arg))])
        elif name == "GLOBAL":
            stack.append(_Node(str(arg).rpartition(" ")[2]))
        elif name == "STACK_GLOBAL":
            attribute, _module = stack.pop(), stack.pop()
            stack.append(_Node(attribute))
        elif name in ("REDUCE", "NEWOBJ"):
            args, made = stack.pop(), stack.pop()
            if made.what == "_reconstructor":  # how protocols 0 and 1 make an object
                made = args[0]
            stack.append(_Node(made.what, args))
        elif name == "BUILD":
            state = stack.pop()
            if isinstance(stack[-1], _Node) and isinstance(state, dict):
                stack[-1].state = state  # kept, not copied: many may share it
        elif name == "INST":
            stack.append(_Node(str(arg).rpartition(" ")[2], tuple(to_mark())))
        elif name == "OBJ":
            made, *rest = to_mark()
            stack.append(_Node(made.what, tuple(rest)))
        else:
            raise NotationError(f"got an operation that none has: {name}")
    raise NotationError("got one that ends too early")


_Fields = tuple[tuple[int, ...], str, list[list[int]], list[Any], int]


def _take(values: Iterator[Any], kind: type) -> Any:
    value = next(values)
    if type(value) is not kind:
        raise NotationError(f"got {type(value).__name__} in the place of {kind.__name__}")
    return value


def _head(values: Iterator[Any]) -> tuple[tuple[int, ...], int, str]:
    """Version, bookmark and deal number."""
    if _take(values, str) != "PySolFC":
        raise NotationError("got another file")
    _take(values, str)
    version, bookmark, _, game = _take(values, tuple), _take(values, int), _take(values, int), _take(values, int)
    if not all(type(part) is int and 0 <= part < 10_000 for part in version) or not 2 <= len(version) <= 4:
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
        _take(values, _Node), _take(values, _Node)
    moves = _take(values, _Node).state
    history, index = moves["history"], moves["index"]
    if type(history) is not list or type(index) is not int or not 0 <= index <= len(history):
        raise NotationError("got no history of moves")
    return version, number, piles, history, index


def _replayed(
    version: tuple[int, ...], number: str, piles: list[list[int]], history: list[Any], index: int
) -> SavedGame:
    if version < (1, 0):
        raise NotationError("got one of a version from before 1.0 (2007), whose rules are not known")
    rules = Rules.preset("pysolfc" if version >= OWN_SUIT_UNTIL else "pysolfc-2.16")
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
