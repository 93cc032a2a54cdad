"""Single changes to a certificate's fields, all of each kind."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from support.choices import CHOICES, RANKS, SUITS

Fields = dict[str, Any]


def with_field(fields: Fields, **changes: Any) -> Fields:
    return {**fields, **changes}


def without(sequence: list[Any], index: int) -> list[Any]:
    return [*sequence[:index], *sequence[index + 1 :]]


def swapped(sequence: list[Any], i: int, j: int) -> list[Any]:
    changed = list(sequence)
    changed[i], changed[j] = changed[j], changed[i]
    return changed


def replaced(sequence: list[Any], index: int, value: Any) -> list[Any]:
    return [*sequence[:index], value, *sequence[index + 1 :]]


def deck(fields: Fields) -> list[str]:
    return [rank + suit for suit in fields["rules"]["suits"] for rank in fields["rules"]["ranks"]]


def subsets(letters: str) -> Iterator[str]:
    for size in range(1, len(letters) + 1):
        for chosen in itertools.combinations(letters, size):
            yield "".join(chosen)


def rules_changes(fields: Fields) -> Iterator[Fields]:
    rules = fields["rules"]
    values: dict[str, list[Any]] = {
        **CHOICES,
        "suits": list(subsets(SUITS)),
        "ranks": [*subsets(rules["ranks"]), *(r for r in subsets(RANKS) if len(r) == len(rules["ranks"]))],
        "max_redeals": [None, *range(7)],
        "idle_passes": [None, *range(1, 7)],
    }
    for name, choices in values.items():
        yield with_field(fields, rules={key: value for key, value in rules.items() if key != name})
        for value in choices:
            if value != rules[name]:
                yield with_field(fields, rules={**rules, name: value})


def deal_changes(fields: Fields) -> Iterator[Fields]:
    cards = fields["deal"].split()
    for i, j in itertools.combinations(range(len(cards)), 2):
        yield with_field(fields, deal=" ".join(swapped(cards, i, j)))
    for i in range(len(cards)):
        yield with_field(fields, deal=" ".join(without(cards, i)))
        yield with_field(fields, deal=" ".join([*cards, cards[i]]))
        yield with_field(fields, deal=" ".join(replaced(cards, i, "KS")))


def verdict_changes(fields: Fields) -> Iterator[Fields]:
    flipped = {"winnable": "unwinnable", "unwinnable": "winnable"}[fields["verdict"]]
    rest = {key: value for key, value in fields.items() if key not in ("line", "states")}
    yield with_field(fields, verdict=flipped)
    yield with_field(fields, verdict="undecided")
    yield rest
    for line in ("", "d", "d d", fields.get("line", "r")):
        yield {**rest, "verdict": flipped, "line": line}
    for states in ([], fields.get("states", []), [f"{fields['deal']} | - ; - | - ; -"]):
        yield {**rest, "verdict": flipped, "states": states}
    yield with_field(fields, line="d", states=[])


def envelope_changes(fields: Fields) -> Iterator[Fields]:
    yield from (without_key for key in fields if (without_key := {k: v for k, v in fields.items() if k != key}))
    yield from (with_field(fields, version=version) for version in (0, 2, -1, None, "1", True, [1]))
    yield from (with_field(fields, format=name) for name in ("amazons-solver", "", None, 1))
    yield with_field(fields, comment="")


def line_changes(fields: Fields) -> Iterator[Fields]:
    moves = fields.get("line", "").split()
    places = range(1, len(fields["rules"]["suits"]) + 1)
    every = ["d", "r", *(f"{card}>{place}" for card in deck(fields) for place in places)]
    for i, move in enumerate(moves):
        yield with_field(fields, line=" ".join(without(moves, i)))
        yield with_field(fields, line=" ".join(moves[:i]))
        for other in every:
            yield with_field(fields, line=" ".join([*moves[:i], other, *moves[i:]]))
            if other != move:
                yield with_field(fields, line=" ".join(replaced(moves, i, other)))
        for j in range(i):
            yield with_field(fields, line=" ".join(swapped(moves, i, j)))
        yield with_field(fields, line=" ".join([*moves, move]))


def set_changes(fields: Fields) -> Iterator[Fields]:
    states = fields.get("states", [])
    for i, state in enumerate(states):
        yield with_field(fields, states=without(states, i))
        yield with_field(fields, states=[*states, state])
        yield with_field(fields, states=[state])
        yield with_field(fields, states=[state, *without(states, i)])


def state_changes(fields: Fields) -> Iterator[Fields]:
    for i, state in enumerate(fields.get("states", [])):
        for words in word_changes(state.split(" "), deck(fields)):
            yield with_field(fields, states=replaced(fields["states"], i, " ".join(words)))


def word_changes(words: list[str], cards: list[str]) -> Iterator[list[str]]:
    """Each card and separator of a state dropped, doubled, altered, exchanged with another; each counter altered."""
    for i, word in enumerate(words):
        yield without(words, i)
        yield [*words[:i], word, *words[i:]]
        if "=" in word:
            name = word.split("=")[0]
            yield from (replaced(words, i, f"{name}={value}") for value in range(5))
            continue
        yield from (replaced(words, i, card) for card in [*cards, "-"])
        yield from (swapped(words, i, j) for j in range(i))


KINDS: list[Callable[[Fields], Iterator[Fields]]] = [
    rules_changes,
    deal_changes,
    verdict_changes,
    envelope_changes,
    line_changes,
    set_changes,
    state_changes,
]
