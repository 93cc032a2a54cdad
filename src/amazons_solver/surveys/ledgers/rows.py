"""The rows of a ledger: how surveys, chunks and retries stand in them, and whether what is read makes sense.

A row may be forged, digest and all, so nothing in it is used before it has been checked against the rest.
"""

import json
from typing import Any

from amazons_solver.errors import OptionError, RulesError
from amazons_solver.model.rules import Rules
from amazons_solver.surveys.chunks import HARDEST, Chunk
from amazons_solver.surveys.ledgers.storage import CHUNK_COLUMNS
from amazons_solver.surveys.plan import MOST_DEALS, Question
from amazons_solver.surveys.tally import Retry

__all__ = ["chunk_from", "question_from", "retry_from", "row_of"]

_LONGEST_ITEM = 48
"""Characters of two numbers below 2^63 and what stands about them."""
_LONGEST_WORD = 200


def row_of(found: Chunk | Retry, columns: str) -> tuple[object, ...]:
    """What stands in these columns, which have the names of its fields."""
    values = (getattr(found, name) for name in columns.split(", "))
    return tuple(json.dumps(value) if isinstance(value, tuple | dict) else value for value in values)


def chunk_from(row: tuple[Any, ...]) -> Chunk:
    """The chunk of CHUNK_COLUMNS and seconds.

    Raises:
        ValueError: no chunk is written so.
    """
    first, count, won, lost, undecided, wins, states_total, states, redeals, hardest, records, seconds = row
    for value in (first, count, won, lost, states_total):
        _need(_is_number(value))
    decided = won + lost
    _need(1 <= count <= MOST_DEALS - first and decided <= count)
    _need(type(wins) is bytes and len(wins) == (count + 7) // 8 and (records is None or type(records) is bytes))
    _need(type(seconds) is float and 0 <= seconds < float("inf"))
    chunk = Chunk(
        first=first,
        count=count,
        won=won,
        lost=lost,
        undecided=_pairs(undecided, count - decided),
        wins=wins,
        states_total=states_total,
        states=_histogram(states, decided),
        redeals=_histogram(redeals, won),
        hardest=_pairs(hardest, min(decided, HARDEST)),
        seconds=seconds,
        records=records,
    )
    _need(row_of(chunk, CHUNK_COLUMNS) == row[:-1])
    _check_bits(chunk)
    _check_states(chunk)
    return chunk


def retry_from(row: tuple[Any, ...]) -> Retry:
    """The retry of RETRY_COLUMNS and seconds.

    Raises:
        ValueError: no retry is written so.
    """
    number, max_states, max_memory, verdict, states, redeals, seconds = row
    _need(_is_number(number) and number < MOST_DEALS and _is_number(states))
    _need((max_states is None or (_is_number(max_states) and max_states >= 1)) and _is_number(max_memory))
    _need(verdict in ("won", "lost", "undecided") and max_memory >= 1)
    _need((_is_number(redeals) and redeals < 2**31) if verdict == "won" else redeals is None)
    _need(type(seconds) is float and 0 <= seconds < float("inf"))
    return Retry(*row)


def question_from(row: tuple[Any, ...]) -> Question:
    """The question of SURVEY_COLUMNS.

    Raises:
        ValueError: no question is written so.
    """
    _, rules, player, max_states, max_memory, version, unit = row
    for text in (player, version, unit):
        _need(type(text) is str and 0 < len(text) <= _LONGEST_WORD and text.isprintable())
    _need(type(rules) is str and (max_states is None or _is_number(max_states)) and _is_number(max_memory))
    try:
        return Question(Rules.from_json(rules), max_states, max_memory, player, version)
    except (RulesError, OptionError) as error:
        raise ValueError(str(error)) from None


def _need(sense: object) -> None:
    if not sense:
        raise ValueError("it makes no sense")


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _parsed(text: Any, most: int) -> Any:
    """JSON of at most this many items."""
    _need(type(text) is str and len(text) <= 2 + most * _LONGEST_ITEM)
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested") from None


def _pairs(text: Any, length: int) -> tuple[tuple[int, int], ...]:
    """Deals and their states."""
    found = _parsed(text, length)
    _need(type(found) is list and len(found) == length)
    for pair in found:
        _need(type(pair) is list and len(pair) == 2 and _is_number(pair[0]) and _is_number(pair[1]))
    return tuple((number, states) for number, states in found)


def _histogram(text: Any, deals: int) -> dict[int, int]:
    found = _parsed(text, deals)
    _need(type(found) is dict and all(_is_number(value) and value for value in found.values()))
    _need(sum(found.values()) == deals)
    _need(all(key.isascii() and key.isdigit() and len(key) <= 10 for key in found))
    return {int(key): value for key, value in found.items()}


def _check_bits(chunk: Chunk) -> None:
    """A bit for every deal won, which is none of those that were given up, and none behind the last deal."""
    bits, size = int.from_bytes(chunk.wins), 8 * len(chunk.wins)
    _need(bits.bit_count() == chunk.won and not bits & ((1 << (size - chunk.count)) - 1))
    before = chunk.first - 1
    for number, _ in chunk.undecided:
        _need(before < number < chunk.deals.stop)
        offset = number - chunk.first
        _need(not chunk.wins[offset // 8] & (0x80 >> offset % 8))
        before = number


def _check_states(chunk: Chunk) -> None:
    """The hardest deals, the sum and the histogram are of the same numbers of states."""
    given_up = {number for number, _ in chunk.undecided}
    numbers = {number for number, _ in chunk.hardest}
    _need(len(numbers) == len(chunk.hardest) and not numbers & given_up)
    _need(all(number in chunk.deals for number in numbers))
    _need(list(chunk.hardest) == sorted(chunk.hardest, key=lambda deal: (-deal[1], deal[0])))
    _need(all(bits < 64 for bits in chunk.states) and all(number < 2**31 for number in chunk.redeals))
    _need(max(chunk.states, default=0) == (chunk.hardest[0][1].bit_length() if chunk.hardest else 0))
    least = sum(deals << bits >> 1 for bits, deals in chunk.states.items() if bits)
    most = sum((deals << bits) - deals for bits, deals in chunk.states.items())
    _need(least <= chunk.states_total <= most and sum(states for _, states in chunk.hardest) <= chunk.states_total)
