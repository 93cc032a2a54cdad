"""Why an unwinnable state is lost."""

from collections.abc import Sequence
from typing import Literal

import attrs

from amazons_solver.model.arguments import checked
from amazons_solver.model.moves import REDEAL
from amazons_solver.model.state import State

__all__ = ["Lost", "told", "why_lost"]


@attrs.frozen
class Lost:
    """Why no play wins from a state.

    - ``blocked``: there is no legal move, because of a limit;
    - ``no-play``: no card can ever be played again; redeals go round in a cycle, or a limit ends the game;
    - ``every-play``: every play that is left leads, sooner or later, to one of these.
    """

    reason: Literal["blocked", "no-play", "every-play"]
    cycle: int | None = None
    """For ``no-play`` without a block: the redeals after which the same table comes back, again and again."""
    limits: tuple[str, ...] = ()
    """The fields of the rules, such as ``max_redeals=2``, that block the game or end it without a play."""

    def __str__(self) -> str:
        limits = " and ".join(self.limits)
        if self.reason == "blocked":
            return f"blocked: no card can be played, and {limits} allows no redeal"
        if self.reason == "every-play":
            return "every play that is left leads to a table that no play can save"
        if self.cycle is None:
            return f"no card can ever be played again, and {limits} ends the game"
        every = "every redeal" if self.cycle == 1 else f"every {self.cycle} redeals"
        return f"no card can ever be played again: {every} the same table comes back"

    def to_dict(self) -> dict[str, object]:
        """As JSON has it: the fields, and the sentence as ``text``."""
        return {"reason": self.reason, "cycle": self.cycle, "limits": list(self.limits), "text": str(self)}


@checked
def why_lost(state: State) -> Lost:
    """Why an unwinnable state is lost; that it is unwinnable is taken for granted.

    >>> from amazons_solver import Rules
    >>> rules = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
    >>> print(why_lost(State.parse("- | 7D ; 7C | AC ; AD", rules)))
    no card can ever be played again: every redeal the same table comes back
    """
    # As long as no card can be played there is one move at most. So this is a walk, into a block or round a cycle.
    redeals, seen = 0, dict[State, int]()
    while state not in seen:
        seen[state] = redeals
        successors = state.successors()
        if not successors:
            return Lost("no-play" if len(seen) > 1 else "blocked", limits=_limits_hit(state))
        move, state = successors[0]
        if move.kind == "play":
            return Lost("every-play")
        redeals += move == REDEAL
    return Lost("no-play", cycle=redeals - seen[state])


def _limits_hit(state: State) -> tuple[str, ...]:
    """The limits that allow no redeal in a blocked state."""
    rules = state.rules
    hit = []
    if rules.max_redeals is not None and state.redeals >= rules.max_redeals:
        hit.append(f"max_redeals={rules.max_redeals}")
    if rules.idle_passes is not None and not state.played and state.idle + 1 >= rules.idle_passes:
        hit.append(f"idle_passes={rules.idle_passes}")
    return tuple(hit)


def told(heading: str, facts: Sequence[tuple[str, str]]) -> str:
    """A heading, and facts under their labels."""
    width = max((len(label) for label, _ in facts), default=0)
    return "\n".join([heading, *(f"{label:<{width}}  {fact}" for label, fact in facts)])
