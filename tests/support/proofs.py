"""Whether a certificate is a true proof, judged by the naive reference alone: the oracle for the proof checker."""

import functools
import itertools
import json
import re
from collections.abc import Hashable
from typing import Any

from support import reference
from support.choices import CHOICES, RANKS, SUITS


def truth(rules: reference.Rules, deal: str) -> str:
    """The verdict for a deal, by exploring all there is."""
    return _truth(json.dumps(rules), deal)


@functools.cache
def _truth(rules_json: str, deal: str) -> str:
    space = reference.explore(json.loads(rules_json), deal, "canonical")
    return "winnable" if space.root in reference.winnable(space) else "unwinnable"


def is_true_proof(fields: dict[str, Any], *, decide: bool = True) -> bool:
    """Whether these fields of a certificate's file prove what they say.

    With `decide` the verdict itself is compared with the truth too, which takes a deck small enough to explore.
    """
    if set(fields) != {"format", "version", "rules", "deal", "verdict", "line" if "line" in fields else "states"}:
        return False
    if (fields["format"], fields["version"]) != ("amazons-solver certificate", 1):
        return False
    rules, deal = fields["rules"], _words(fields["deal"])
    if not _is_legal(rules) or sorted(deal) != sorted(_deck(rules)):
        return False
    start = reference.initial(rules, " ".join(deal))
    if fields["verdict"] == "winnable":
        proved = "line" in fields and _wins(rules, start, fields["line"])
    else:
        proved = fields["verdict"] == "unwinnable" and "states" in fields and _is_closed(rules, start, fields["states"])
    assert not (proved and decide) or truth(rules, " ".join(deal)) == fields["verdict"], "a false proof of the oracle's"
    return proved


def _words(text: str) -> list[str]:
    """Cards as the reference writes them."""
    return text.upper().replace(",", " ").replace("10", "T").split()


def _deck(rules: reference.Rules) -> list[str]:
    return [rank + suit for suit in rules["suits"] for rank in rules["ranks"]]


def _is_legal(rules: Any) -> bool:
    if set(rules) != {"suits", "ranks", *CHOICES, "max_redeals", "idle_passes"}:
        return False
    letters = all(
        value and value == "".join(letter for letter in allowed if letter in value)
        for value, allowed in ((rules["suits"], SUITS), (rules["ranks"], RANKS))
    )
    choices = all(any(rules[name] is c or rules[name] == c for c in CHOICES[name]) for name in CHOICES)
    limits = all(rules[n] is None or rules[n] >= least for n, least in (("max_redeals", 0), ("idle_passes", 1)))
    together = (rules["base_placement"], rules["build"]) != ("suit", "rank")
    return letters and choices and limits and together


def _wins(rules: reference.Rules, state: reference.State, line: str) -> bool:
    for word in line.split():
        move = word if word in ("d", "r") else word.upper().replace("10", "T")
        following = dict(reference.moves(rules, state))
        if move not in following:
            return False
        state = following[move]
    return reference.is_won(rules, state)


def _is_closed(rules: reference.Rules, start: reference.State, texts: list[str]) -> bool:
    members: dict[Hashable, reference.State] = {}
    for text in texts:
        member = _read_state(rules, text)
        if member is None or reference.canonical(rules, member) in members:
            return False
        members[reference.canonical(rules, member)] = member
    if reference.canonical(rules, start) not in members:
        return False
    for member in members.values():
        waiting, met = [member], {member}
        while waiting:
            state = waiting.pop()
            if reference.is_won(rules, state):
                return False
            for move, successor in reference.moves(rules, state):
                if move == "r":
                    if reference.canonical(rules, successor) not in members and not is_lost(rules, successor):
                        return False
                elif successor not in met:
                    met.add(successor)
                    waiting.append(successor)
    return True


def is_lost(rules: reference.Rules, state: reference.State) -> bool:
    """Whether lemma 1, 2 or 3 of docs/lemmas.md proves this state, in which a pass begins, lost."""
    talon, _, tops, _ = state
    base, last = rules["ranks"][0], rules["ranks"][-1]
    if rules["skip_complete"]:
        return False
    card, top = talon[0], tops[0]
    bound = card[0] != base and not (rules["top_anywhere"] and card[0] == last)
    if rules["gather"] == "right-over-left" and top and bound:
        if rules["build"] == "suit" and card[1] != top[1]:
            return True
        if rules["build"] == "rank" and RANKS.index(card[0]) <= RANKS.index(top[0]):
            return True
    if not all(tops) or rules["top_anywhere"]:
        return False
    incomplete = [depot for depot, top in enumerate(tops, start=1) if top[0] != last]
    return 1 not in incomplete or any(len(talon) < depot for depot in incomplete)


def _read_state(rules: reference.Rules, text: str) -> reference.State | None:
    """A state from its notation, None if it is no state of these rules."""
    names = ["redeals"] * (rules["max_redeals"] is not None) + ["idle", "played"] * (rules["idle_passes"] is not None)
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != (4 if names else 3):
        return None
    counts = dict.fromkeys(("redeals", "idle", "played"), 0)
    if names:
        match = re.fullmatch(r"\s*".join(f"{name}=(\\d+)" for name in names), parts[3])
        if match is None:
            return None
        counts.update(zip(names, map(int, match.groups()), strict=True))
    within = [
        counts["redeals"] <= (rules["max_redeals"] or 0),
        counts["idle"] <= (rules["idle_passes"] or 1) - 1,
        counts["played"] <= 1,
    ]
    piles = [parts[0], *(pile for part in parts[1:3] for pile in part.split(";"))]
    if not all(within) or not all(_words(pile) for pile in piles):
        return None
    talon, *rest = [() if _words(pile) == ["-"] else tuple(_words(pile)) for pile in piles]
    k = len(rules["suits"])
    depots, tops = tuple(rest[:k]), tuple(" ".join(pile) for pile in rest[k:])
    if parts[1].count(";") != k - 1 or len(tops) != k or not _has_the_deck(rules, [*talon, *sum(depots, ())], tops):
        return None
    return talon, depots, tops, (counts["redeals"], counts["idle"], counts["played"])


def _has_the_deck(rules: reference.Rules, left: list[str], tops: tuple[str, ...]) -> bool:
    """Whether the cards, with those that the foundations' tops cover, are the deck."""
    shown = [*left, *(top for top in tops if top)]
    if len(set(shown)) != len(shown) or not set(shown) <= set(_deck(rules)):
        return False
    ranks = rules["ranks"]
    own = [suit for suit in "CSHD" if suit in rules["suits"]]
    if rules["base_placement"] == "suit" and any(top and top[1] != suit for top, suit in zip(tops, own, strict=True)):
        return False
    covered = [rank + top[1] for top in tops if top for rank in ranks[: ranks.index(top[0])]]
    if rules["build"] == "suit":
        return sorted([*shown, *covered]) == sorted(_deck(rules))
    return sorted(card[0] for card in [*shown, *covered]) == sorted(itertools.chain(*[ranks] * len(rules["suits"])))
