"""Endgame tables in the user's cache directory: computed once, kept in files that are checked when they are read."""

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amazons_solver.files import write_whole
from amazons_solver.kernel.boundaries.keys import new_scratch
from amazons_solver.kernel.boundaries.orbits import orbits
from amazons_solver.kernel.boundaries.table_building import TRAIL, solve_orders
from amazons_solver.kernel.config import ANYTHING, UNLIMITED, Config
from amazons_solver.kernel.kept import read_plain, table_folder

FORMAT = 1
"""Version of the files. A change of what they hold needs a new one."""

MOST_TABLE_CARDS = 10
"""The largest size: a file of some 130 MB. A card more takes some twelve times the room and the time."""

_CHUNK = 1 << 14
_DIGEST_BYTES = 32
_MOST_KEPT = 8
_kept: dict[Path | tuple[str, bytes], NDArray[np.int64]] = {}


class Plan(NamedTuple):
    """What a table depends on: rules with equal plans have the same table."""

    depots: int
    most_needed: int
    """The most cards that one foundation needs."""
    top_anywhere: bool
    gather: int
    skip_complete: bool
    compulsory: bool
    """Whether plays are; all bases have been played, so `withhold` makes no other difference."""
    cards: int
    """The most cards left."""

    @property
    def header(self) -> bytes:
        """The first line of the file."""
        fields = " ".join(f"{name}={int(value)}" for name, value in self._asdict().items())
        return f"amazons-solver endgame table {FORMAT}: {fields}\n".encode()

    @property
    def file_name(self) -> str:
        """The file's name in the cache directory."""
        return "-".join(["endgame", str(FORMAT), *(str(int(value)) for value in self)]) + ".table"

    @property
    def bytes(self) -> int:
        """The bytes of the table."""
        starts: int = (self.cards + 1) ** self.depots
        bits = sum(math.factorial(cards) for cards in range(self.cards + 1) for _ in self.shapes(cards))
        return 8 * (starts + -(-bits // 64))

    def shapes(self, cards: int) -> Iterator[tuple[int, ...]]:
        """The shapes of this many cards: how many each foundation needs."""
        some = range(min(cards, self.most_needed) + 1)
        return (shape for shape in itertools.product(some, repeat=self.depots) if sum(shape) == cards)


def applies(config: Config) -> bool:
    """Whether there are endgame tables for these rules: built by suit, and no limit on redeals or idle passes."""
    return not config.by_rank and config.max_redeals == UNLIMITED and config.idle_passes == UNLIMITED


def plan_of(config: Config, cards: int) -> Plan:
    """What the table of rules to which tables apply depends on."""
    cards = min(cards, MOST_TABLE_CARDS, config.depots * (config.ranks - 1))
    return Plan(
        config.depots,
        min(config.ranks - 1, cards),
        config.top_anywhere,
        config.gather,
        config.skip_complete,
        config.withhold != ANYTHING,
        cards,
    )


def with_table(
    config: Config, cards: int, directory: Path | None = None, keep_on: Callable[[], bool] = lambda: True
) -> Config | None:
    """The rules with their endgame table: kept from before, read from its file, or else computed and written there.

    A file that is damaged, of another version or of other rules is replaced; one that cannot be read or written is done
    without.

    Args:
        config: rules to which tables apply.
        cards: the most cards left, 10 at most.
        directory: where the files are; the user's cache directory when absent.
        keep_on: asked a few times a second while the table is computed.

    Returns:
        the rules, or ``None`` if it was not to keep on.
    """
    plan = plan_of(config, cards)
    folder = directory or table_folder()
    path = Path(plan.file_name) if folder is None else folder / plan.file_name  # without a folder just a name
    table = _kept.get(path)
    if table is None:
        table = None if folder is None else read_table(path, plan)
        if table is None:
            table = build_table(config, plan, keep_on)
            if table is None:
                return None
            if folder is not None:
                _write_table(path, plan, table)
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)), None)
        _kept[path] = table
    return config._replace(table=table, table_cards=plan.cards)


def build_table(config: Config, plan: Plan, keep_on: Callable[[], bool] = lambda: True) -> NDArray[np.int64] | None:
    """Compute a table, fewest cards first; ``None`` if it was not to keep on."""
    table = np.zeros(plan.bytes // 8, np.int64)
    base = plan.cards + 1
    bit = 64 * base**plan.depots
    table[0] = bit
    table[bit // 64] = 1  # no card left: won
    bit += 1
    config = config._replace(table=table, table_cards=plan.cards)
    scratch, trail = new_scratch(), np.zeros((TRAIL, 3), np.int64)
    for cards in range(1, plan.cards + 1):
        for shape in plan.shapes(cards):
            table[sum(needed * base**foundation for foundation, needed in enumerate(shape))] = bit
            orders = math.factorial(cards)
            bit += orders
            order = np.arange(cards, dtype=np.int64)
            needs = np.array(shape, np.int64)
            for first in range(0, orders, _CHUNK):
                if not keep_on():
                    return None
                last = min(first + _CHUNK, orders)
                solve_orders(config, orbits(), scratch, needs, order, trail, first, last)
    return table


def read_table(path: Path, plan: Plan) -> NDArray[np.int64] | None:
    """Read a table; ``None`` if there is no whole and undamaged file of just this plan."""
    header = plan.header
    length = len(header) + _DIGEST_BYTES + plan.bytes
    try:
        if path.stat().st_size != length:
            return None
    except OSError:
        return None
    whole = read_plain(path)
    if whole is None or len(whole) != length:
        return None
    data = memoryview(whole)
    content = data[len(header) + _DIGEST_BYTES :]
    if data[: len(header)] != header or data[len(header) : -len(content)] != _digest(header, content):
        return None
    return np.frombuffer(content, "<i8").astype(np.int64)


def _write_table(path: Path, plan: Plan, table: NDArray[np.int64]) -> None:
    """Write a table if that is possible. Of several processes that write the same one, the last one's stays."""
    content = memoryview(table.astype("<i8").tobytes())
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            return  # a pipe, or a folder
        write_whole(path, b"".join([plan.header, _digest(plan.header, content), content]), mode=0o644)
    except OSError:
        return


def _digest(header: bytes, content: memoryview) -> bytes:
    digest = hashlib.sha256(header)
    digest.update(content)
    return digest.digest()
