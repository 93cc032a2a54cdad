"""A naive second implementation of the game, the oracle that the library is tested against.

It is written from RULES.md alone, sentence by sentence. It shares no code and no idea with the
library, imports nothing outside the standard library, and takes the obvious way everywhere: cards
are two-letter strings, a state is a plain tuple, a search keeps every state that it has met.
Nothing here is checked or fast; what it says about a small game is meant to be beyond doubt.
"""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict


class Rules(TypedDict):
    """The fields of RULES.md, as a plain dict with exactly these keys."""

    suits: str
    ranks: str
    base_placement: Literal["leftmost", "any", "above", "suit"]
    build: Literal["suit", "rank"]
    top_anywhere: bool
    gather: Literal["left-over-right", "right-over-left"]
    skip_complete: bool
    withhold: Literal["nothing", "bases", "any"]
    max_redeals: int | None
    idle_passes: int | None


# Rank then suit, as in "TC". A foundation is its top card, and "" while it is empty.
Card: TypeAlias = str
# Depots from bottom to top; the talon with the next card to be dealt first.
Pile: TypeAlias = tuple[Card, ...]
# Redeals made; idle passes in a row; 1 if this pass has had a play. "The counters that the rules
# use [...] nothing else": a counter that the rules do not use stays at 0.
Counters: TypeAlias = tuple[int, int, int]
# Talon, depots, foundations, counters.
State: TypeAlias = tuple[Pile, tuple[Pile, ...], tuple[Card, ...], Counters]


def initial(rules: Rules, cards: str) -> State:
    """The state with the whole deck in the talon."""
    k = len(rules["suits"])
    return tuple(cards.split()), ((),) * k, ("",) * k, (0, 0, 0)


def is_won(rules: Rules, state: State) -> bool:
    """Won: every foundation is complete."""
    _, _, foundations, _ = state
    return all(_is_complete(rules, top) for top in foundations)


def moves(rules: Rules, state: State) -> list[tuple[str, State]]:
    """Every legal move with the state after it: plays by depot then foundation, then d or r."""
    if is_won(rules, state):
        return []
    result: list[tuple[str, State]] = []
    plays = _plays(rules, state)
    for depot, foundation in plays:
        card = state[1][depot][-1]
        result.append((f"{card}>{foundation + 1}", _after_play(rules, state, depot, foundation)))
    talon, depots, _, _ = state
    if _may_hold_back(rules, [depots[depot][-1] for depot, _ in plays]):
        # A deal is legal "only while the talon has cards", a redeal "only when the talon is empty
        # and a depot is not".
        if talon:
            result.append(("d", _after_deal(rules, state)))
        elif any(depots) and _limits_allow_redeal(rules, state):
            result.append(("r", _after_redeal(rules, state)))
    return result


def text(rules: Rules, state: State) -> str:
    """The state in the notation of RULES.md."""
    talon, depots, foundations, (redeals, idle, played) = state
    parts = [
        " ".join(talon) or "-",
        " ; ".join(" ".join(pile) or "-" for pile in depots),
        " ; ".join(top or "-" for top in foundations),
    ]
    counters = []
    if rules["max_redeals"] is not None:
        counters.append(f"redeals={redeals}")
    if rules["idle_passes"] is not None:
        counters += [f"idle={idle}", f"played={played}"]
    if counters:
        parts.append(" ".join(counters))
    return " | ".join(parts)


def canonical(rules: Rules, state: State) -> Hashable:
    """What joins the states that the rules cannot tell apart; the counters are kept."""
    talon, depots, foundations, counters = state
    if rules["base_placement"] == "suit":
        # "With base_placement = suit [...] nothing is renamed and canonical identity is exact identity."
        return state
    new_name: dict[Card, str] = {"": ""}
    if rules["build"] == "rank":
        # With build = rank it "drops the suits and keeps the ranks".
        for card in [*foundations, *sum(depots, ()), *talon]:
            new_name[card] = card[:1]
    else:
        # "renames the suits in the order in which they are first met, reading foundations 1…k,
        # then depots 1…k bottom to top, then the talon"
        new_suit: dict[str, str] = {}
        for card in [*foundations, *sum(depots, ()), *talon]:
            if card:
                rank, suit = card[0], card[1]
                new_suit.setdefault(suit, str(len(new_suit) + 1))
                new_name[card] = rank + new_suit[suit]
    return (
        tuple(new_name[card] for card in talon),
        tuple(tuple(new_name[card] for card in pile) for pile in depots),
        tuple(new_name[top] for top in foundations),
        counters,
    )


# --- the rules, one question a function --------------------------------------------------------


def _is_base(rules: Rules, card: Card) -> bool:
    return card[0] == rules["ranks"][0]


def _is_top(rules: Rules, card: Card) -> bool:
    return card[0] == rules["ranks"][-1]


def _is_complete(rules: Rules, foundation: Card) -> bool:
    """Whether the foundation, of which only the top card is kept, has cards of all ranks."""
    return foundation != "" and _is_top(rules, foundation)


def _continues(rules: Rules, foundation: Card, card: Card) -> bool:
    """Whether the card is "the next rank, and with build = suit the same suit"."""
    if foundation == "":
        return False
    if rules["build"] == "suit" and card[1] != foundation[1]:
        return False
    ranks = rules["ranks"]
    return ranks.index(card[0]) == ranks.index(foundation[0]) + 1


def _plays(rules: Rules, state: State) -> list[tuple[int, int]]:
    """Every play that the rules allow, as depot and foundation, both counted from 0."""
    _, depots, foundations, _ = state
    plays = []
    for depot, pile in enumerate(depots):
        if pile:
            card = pile[-1]
            # The base rule comes first: "with a single rank the base rule applies to it".
            if _is_base(rules, card):
                targets = _targets_of_base(rules, foundations, depot, card)
            else:
                targets = _targets_of_other(rules, foundations, depot, card)
            plays += [(depot, foundation) for foundation in targets]
    return plays


def _targets_of_base(rules: Rules, foundations: tuple[Card, ...], depot: int, card: Card) -> list[int]:
    """Choose as in "a base card goes to an empty foundation, chosen by base_placement"."""
    empty = [foundation for foundation, top in enumerate(foundations) if top == ""]
    match rules["base_placement"]:
        case "leftmost":
            return empty[:1]
        case "any":
            return empty
        case "above":
            # "the one directly above its depot if empty, else every empty one is a legal choice"
            return [depot] if depot in empty else empty
        case "suit":
            # "the one of its own suit: the foundations belong, from left to right, to those of the
            # suits clubs, spades, hearts, diamonds that the deck has"
            order = [suit for suit in "CSHD" if suit in rules["suits"]]
            return [order.index(card[1])]
    raise ValueError(rules["base_placement"])


def _targets_of_other(rules: Rules, foundations: tuple[Card, ...], depot: int, card: Card) -> list[int]:
    # "That foundation must stand directly above the card's own depot, except that with
    # top_anywhere a card of the top rank may go from any depot."
    anywhere = rules["top_anywhere"] and _is_top(rules, card)
    in_reach = range(len(foundations)) if anywhere else [depot]
    return [i for i in in_reach if _continues(rules, foundations[i], card)]


def _may_hold_back(rules: Rules, playable: list[Card]) -> bool:
    """Whether a deal or redeal may be made while these cards could be played."""
    match rules["withhold"]:
        case "nothing":
            return not playable
        case "bases":
            return all(_is_base(rules, card) for card in playable)
        case "any":
            return True
    raise ValueError(rules["withhold"])


def _limits_allow_redeal(rules: Rules, state: State) -> bool:
    redeals, idle, played = state[3]
    # "at most n redeals in a game"
    if rules["max_redeals"] is not None and redeals >= rules["max_redeals"]:
        return False
    # "A redeal is illegal if it would end the n-th pass in a row without a play."
    ends_idle_pass = not played
    return not (rules["idle_passes"] is not None and ends_idle_pass and idle + 1 >= rules["idle_passes"])


def _after_play(rules: Rules, state: State, depot: int, foundation: int) -> State:
    talon, depots, foundations, (redeals, idle, played) = state
    new_depots = list(depots)
    new_foundations = list(foundations)
    new_foundations[foundation] = depots[depot][-1]
    new_depots[depot] = depots[depot][:-1]
    if rules["idle_passes"] is not None:
        played = 1
    return talon, tuple(new_depots), tuple(new_foundations), (redeals, idle, played)


def _after_deal(rules: Rules, state: State) -> State:
    """Lay out "one card from the talon onto each depot, left to right", the last row short."""
    talon, depots, foundations, counters = state
    new_depots = list(depots)
    for depot, pile in enumerate(depots):
        # "With skip_complete, depots whose foundation is complete get none from then on."
        if rules["skip_complete"] and _is_complete(rules, foundations[depot]):
            continue
        if talon:
            new_depots[depot] = (*pile, talon[0])
            talon = talon[1:]
    return talon, tuple(new_depots), foundations, counters


def _after_redeal(rules: Rules, state: State) -> State:
    """Turn the depots into the talon: they "are gathered [...], order within each pile kept"."""
    _, depots, foundations, (redeals, idle, played) = state
    talon: Pile = ()
    match rules["gather"]:
        case "left-over-right":
            # "the rightmost pile comes first, each pile from its bottom card up"
            for pile in reversed(depots):
                talon += pile
        case "right-over-left":
            # "the leftmost pile comes first"
            for pile in depots:
                talon += pile
        case _:
            raise ValueError(rules["gather"])
    if rules["max_redeals"] is not None:
        redeals += 1
    if rules["idle_passes"] is not None:
        # The idle passes in a row: "to 0 if this pass had a play, else plus 1".
        idle = 0 if played else idle + 1
        played = 0
    return talon, ((),) * len(depots), foundations, (redeals, idle, played)


# --- the whole space of a deal -----------------------------------------------------------------


@dataclass
class Space:
    """All that can be reached from a deal. Keys are states, or canonical forms of states."""

    states: dict[Hashable, State]
    """The real state that was first found under each key, in the order of finding."""
    edges: dict[Hashable, list[tuple[str, Hashable]]]
    """The moves of that real state, each with the key that it leads to."""
    won: set[Hashable]
    root: Hashable


def explore(rules: Rules, cards: str, identity: Literal["exact", "canonical"] = "exact") -> Space:
    """Explore breadth first, always going on from the real state that was found."""

    def key_of(state: State) -> Hashable:
        return state if identity == "exact" else canonical(rules, state)

    start = initial(rules, cards)
    root = key_of(start)
    space = Space({root: start}, {}, set(), root)
    queue = deque([root])
    while queue:
        key = queue.popleft()
        state = space.states[key]
        if is_won(rules, state):
            space.won.add(key)
        space.edges[key] = []
        for move, successor in moves(rules, state):
            successor_key = key_of(successor)
            space.edges[key].append((move, successor_key))
            if successor_key not in space.states:
                space.states[successor_key] = successor
                queue.append(successor_key)
    return space


def winnable(space: Space) -> set[Hashable]:
    """The keys from which a won state can be reached: a walk backward from the won states."""
    predecessors: dict[Hashable, list[Hashable]] = {key: [] for key in space.states}
    for key, edges in space.edges.items():
        for _, successor in edges:
            predecessors[successor].append(key)
    found = set(space.won)
    stack = list(found)
    while stack:
        for predecessor in predecessors[stack.pop()]:
            if predecessor not in found:
                found.add(predecessor)
                stack.append(predecessor)
    return found


def fewest_moves(space: Space) -> int | None:
    """The length of a shortest winning line from the root, None if there is none."""
    return _cheapest_win(space, redeals_only=False)


def fewest_redeals(space: Space) -> int | None:
    """The redeals of the winning line that has fewest, None if there is no winning line."""
    return _cheapest_win(space, redeals_only=True)


def _cheapest_win(space: Space, *, redeals_only: bool) -> int | None:
    """Search where a move costs 0 or 1: free moves go to the queue's front, others to its end."""
    queue: deque[tuple[int, Hashable]] = deque([(0, space.root)])
    done: set[Hashable] = set()
    while queue:
        cost, key = queue.popleft()
        if key in done:
            continue
        done.add(key)
        if key in space.won:
            return cost
        for move, successor in space.edges[key]:
            if redeals_only and move != "r":
                queue.appendleft((cost, successor))
            else:
                queue.append((cost + 1, successor))
    return None
