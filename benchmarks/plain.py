"""The plain program: what a good Python programmer would write by hand to search this game.

The library's readable model is measured against it. It knows one deck, the full one, and one
table: build by suit, bases to the leftmost empty foundation, piles gathered left over right, no
limits. It has no classes and no checks, only tuples, a set and a deque.

A card is a small int, suit * 8 + rank, with suits from 1 and ranks from 1 (ace) to 7 (queen): the
next card of a suit is one more, and no card has the number before an ace. A pile is a bytes
object, the most compact sequence of small ints. Run it to see its speed on this machine.
"""

import random
import time
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import networkx as nx

SUITS = "CDHS"
RANKS = "A789TJQ"
BASE, TOP = 1, 7
CODES = {rank + suit: s * 8 + r for s, suit in enumerate(SUITS, start=1) for r, rank in enumerate(RANKS, start=1)}
TOP_CARDS = frozenset(CODES[RANKS[-1] + suit] for suit in SUITS)
NAMES = {code: card for card, code in CODES.items()}

# Talon, next card first; four depots, from bottom to top; the top cards of the four foundations,
# 0 for an empty one.
State: TypeAlias = tuple[bytes, ...]


def initial(cards: Sequence[str]) -> State:
    """The state with the whole deck in the talon."""
    return bytes(CODES[card] for card in cards), b"", b"", b"", b"", bytes(4)


def successors(state: State, withhold: str, skip_complete: bool, top_anywhere: bool) -> list[State]:
    """The states one move on: plays by depot, then the deal or redeal. A won state has none."""
    talon, a, b, c, d, tops = state
    found: list[State] = []
    must_play = False
    for i, pile in enumerate((a, b, c, d)):
        if not pile:
            continue
        card = pile[-1]
        rank = card & 7
        if rank == BASE:
            to = tops.index(0)
        elif tops[i] == card - 1:
            to = i
        elif top_anywhere and rank == TOP and card - 1 in tops:
            to = tops.index(card - 1)
        else:
            continue
        new_tops = tops[:to] + pile[-1:] + tops[to + 1 :]
        found.append((*state[: i + 1], pile[:-1], *state[i + 2 : 5], new_tops))
        if withhold == "nothing" or (withhold == "bases" and rank != BASE):
            must_play = True
    if not must_play:
        if talon:
            found.append(deal(state, skip_complete))
        elif a or b or c or d:
            found.append((d + c + b + a, b"", b"", b"", b"", tops))
    return found


def deal(state: State, skip_complete: bool) -> State:
    """The state after a row has been dealt."""
    talon, a, b, c, d, tops = state
    if skip_complete and not TOP_CARDS.isdisjoint(tops):
        depots = [a, b, c, d]
        for i, top in enumerate(tops):
            if top not in TOP_CARDS:
                depots[i] += talon[:1]
                talon = talon[1:]
        return (talon, *depots, tops)
    return (talon[4:], a + talon[:1], b + talon[1:2], c + talon[2:3], d + talon[3:4], tops)


def move_text(before: State, after: State) -> str:
    """The move between two states: the foundation that changed names the play."""
    for i, top in enumerate(after[5]):
        if top != before[5][i]:
            return f"{NAMES[top]}>{i + 1}"
    return "d" if before[0] else "r"


def explore(
    cards: Sequence[str],
    *,
    withhold: str,
    skip_complete: bool = False,
    top_anywhere: bool = False,
    max_states: int | None = None,
) -> tuple[int, int, int]:
    """Search breadth first and count states, edges and won states.

    It stops at the first new state that max_states leaves no room for; edges and won states are
    those met until then.
    """
    root = initial(cards)
    seen = {root}
    queue = deque([root])
    edges = won = 0
    while queue:
        found = successors(queue.popleft(), withhold, skip_complete, top_anywhere)
        if not found:  # without limits, only a won state has no moves
            won += 1
        for state in found:
            if state not in seen:
                if len(seen) == max_states:
                    return len(seen), edges, won
                seen.add(state)
                queue.append(state)
            edges += 1
    return len(seen), edges, won


def decide(
    cards: Sequence[str],
    *,
    withhold: str,
    skip_complete: bool = False,
    top_anywhere: bool = False,
) -> bool:
    """Whether a won state can be reached: depth first, plays before deals, up to the first."""
    root = initial(cards)
    seen = {root}
    stack = [root]
    while stack:
        found = successors(stack.pop(), withhold, skip_complete, top_anywhere)
        if not found:
            return True
        for state in reversed(found):
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return False


def graph(
    cards: Sequence[str],
    *,
    withhold: str,
    skip_complete: bool = False,
    top_anywhere: bool = False,
    max_states: int | None = None,
) -> "nx.DiGraph[State]":
    """Explore as above and keep the states as nodes and the moves as edges."""
    root = initial(cards)
    result: nx.DiGraph[State] = nx.DiGraph()
    result.add_node(root)
    queue = deque([root])
    while queue:
        before = queue.popleft()
        for state in successors(before, withhold, skip_complete, top_anywhere):
            if state not in result:
                if len(result) == max_states:
                    return result
                queue.append(state)
            result.add_edge(before, state, move=move_text(before, state))
    return result


def main() -> None:
    """Print the speed on this machine: forced play on many deals, free play on one large space."""
    rng = random.Random(0)
    deals = [rng.sample(list(CODES), len(CODES)) for _ in range(1000)]

    begin = time.perf_counter()
    states = sum(explore(deal, withhold="nothing")[0] for deal in deals)
    rate = states / (time.perf_counter() - begin)
    print(f"explore, nothing withheld: {rate:9,.0f} states/s ({states:,} of {len(deals):,} deals)")

    begin = time.perf_counter()
    won = sum(decide(deal, withhold="nothing") for deal in deals)
    rate = len(deals) / (time.perf_counter() - begin)
    print(f"decide,  nothing withheld: {rate:9,.0f} deals/s ({won} of {len(deals):,} winnable)")

    for withhold in ("bases", "any"):
        begin = time.perf_counter()
        states = explore(deals[0], withhold=withhold, max_states=300_000)[0]
        rate = states / (time.perf_counter() - begin)
        print(f"explore, {withhold:7} withheld: {rate:9,.0f} states/s ({states:,} of one deal)")

        begin = time.perf_counter()
        states = len(graph(deals[0], withhold=withhold, max_states=100_000))
        rate = states / (time.perf_counter() - begin)
        print(f"graph,   {withhold:7} withheld: {rate:9,.0f} states/s ({states:,} of one deal)")


if __name__ == "__main__":
    main()
