"""Pickles, read as data.

They are never unpickled: `pickletools.genops` names their operations, and the machine below knows those that build
numbers, texts, lists, tuples and dicts; what would look up a class or call it makes an inert node. Nothing here
recurses into what was built, copies or hashes it, so shared and cyclic values cost nothing.
"""

import io
import pickletools
from collections.abc import Iterator
from typing import Any

from amazons_solver.errors import NotationError

__all__ = ["MOST_BITS", "MOST_BYTES", "MOST_OPERATIONS", "Node", "pickles"]

MOST_BYTES = 4 << 20  # a game of 10,000 moves has about 1.5 MB
MOST_OPERATIONS = 1_000_000
MOST_BITS = 1001  # of an integer: a deal number with its marks
KEYS_END = 1 << 20  # of the integers that are keys: games are counted by them

VALUES = frozenset(
    (
        *("BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1", "LONG4", "BINFLOAT", "FLOAT"),
        *("SHORT_BINUNICODE", "BINUNICODE", "UNICODE", "SHORT_BINSTRING", "BINSTRING", "STRING"),
        *("SHORT_BINBYTES", "BINBYTES"),
    )
)
CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}


class Node:
    """Something that a pickle would have made by calling a class: the class's name, its arguments, its state."""

    __slots__ = ("args", "state", "what")

    def __init__(self, what: str, args: Any = ()) -> None:
        self.what = what
        self.args = args
        self.state: Any = {}


class _Mark:
    """Where a sequence of items begins on the stack."""


_MARK = _Mark()


def pickles(data: bytes) -> Iterator[Any]:
    """The values of a sequence of pickles that share one memo, as each is read.

    Raises:
        NotationError: an operation is out of bounds. Damage may also raise what the operations of lists and dicts do.
    """
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
            # The hash of a tuple may take for ever, and large integers can be chosen so that they collide.
            if not (key is None or isinstance(key, str) or (isinstance(key, int) and 0 <= key < KEYS_END)):
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
            stack.append(Node(str(arg).rpartition(" ")[2]))
        elif name == "STACK_GLOBAL":
            attribute, _module = stack.pop(), stack.pop()
            stack.append(Node(attribute))
        elif name in ("REDUCE", "NEWOBJ"):
            args, made = stack.pop(), stack.pop()
            if made.what == "_reconstructor":  # how protocols 0 and 1 make an object
                made = args[0]
            stack.append(Node(made.what, args))
        elif name == "BUILD":
            state = stack.pop()
            if isinstance(stack[-1], Node) and isinstance(state, dict):
                stack[-1].state = state  # kept, not copied: many may share it
        elif name == "INST":
            stack.append(Node(str(arg).rpartition(" ")[2], tuple(to_mark())))
        elif name == "OBJ":
            made, *rest = to_mark()
            stack.append(Node(made.what, tuple(rest)))
        else:
            raise NotationError(f"got an operation that none has: {name}")
    raise NotationError("got one that ends too early")
