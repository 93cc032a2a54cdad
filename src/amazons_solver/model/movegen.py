"""The moves of RULES on packed piles: which plays are legal, when a row or a redeal may be made, and what they do."""

from amazons_solver.model.rules import Rules

Depots = tuple[bytes, ...]
FoundationTops = bytes
"""The top card's code of each foundation, left to right; 0 where it is empty."""


def legal_plays(rules: Rules, depots: Depots, foundations: FoundationTops) -> list[tuple[int, int]]:
    """Every legal play as (depot, foundation), counted from 0, by depot and then by foundation."""
    tables = rules.tables
    bases, single_tops, predecessors = tables.bases, tables.single_tops, tables.predecessors
    plays = []
    for depot, pile in enumerate(depots):
        if not pile:
            continue
        card = pile[-1]
        if card in bases:
            plays += [(depot, foundation) for foundation in _base_places(rules, card, depot, foundations)]
        elif card in single_tops:
            below = predecessors[card]
            plays += [(depot, foundation) for foundation, top in enumerate(foundations) if top in below]
        elif foundations[depot] in predecessors[card]:
            plays.append((depot, depot))
    return plays


def _base_places(rules: Rules, card: int, depot: int, foundations: FoundationTops) -> list[int]:
    """The foundations to which a base card may go from this depot."""
    if rules.base_placement == "suit":
        return [rules.tables.places[card]]  # empty as long as the base is not on it
    if rules.base_placement == "above" and not foundations[depot]:
        return [depot]
    empty = [foundation for foundation, top in enumerate(foundations) if not top]
    return empty[:1] if rules.base_placement == "leftmost" else empty


def may_withhold(rules: Rules, depots: Depots, plays: list[tuple[int, int]]) -> bool:
    """Whether a deal or a redeal may be made although these plays are legal."""
    if not plays or rules.withhold == "any":
        return True
    if rules.withhold == "nothing":
        return False
    bases = rules.tables.bases
    return all(depots[depot][-1] in bases for depot, _ in plays)


def deal_row(rules: Rules, talon: bytes, depots: Depots, foundations: FoundationTops) -> tuple[bytes, Depots]:
    """The talon and the depots after one row; the last row of a pass may be short."""
    if rules.skip_complete:
        tops = rules.tables.tops
        dealt = 0
        grown = []
        for pile, top in zip(depots, foundations, strict=True):
            if top in tops:
                grown.append(pile)
            else:
                grown.append(pile + talon[dealt : dealt + 1])
                dealt += 1
        return talon[dealt:], tuple(grown)
    # A slice beyond the talon's end is empty, which leaves the depot as it is.
    return talon[len(depots) :], tuple([pile + talon[i : i + 1] for i, pile in enumerate(depots)])


def gather(rules: Rules, depots: Depots) -> bytes:
    """The new talon: each pile from its bottom card up, the rightmost or the leftmost pile first."""
    return b"".join(depots[::-1] if rules.gather == "left-over-right" else depots)
