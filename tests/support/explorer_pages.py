"""A small deal for tests of the explorer page, a game of it that was thrown away, and how a person moves in a page."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from amazons_solver import DEAL, Deal, Move, Play, Rules, State
from amazons_solver.explorer.codes import code_of, parse_code
from amazons_solver.render.words import card_name
from support import reference

Open = Callable[..., Page]

RULES = Rules(suits="CD", ranks="A78", withhold="any")
DEAL_0 = Deal.numbered(0, RULES)
START = State.initial(DEAL_0, RULES)


def winnable_states() -> set[str]:
    """The states of the deal that can be won, in notation, by the naive reference."""
    plain = reference.Rules(**RULES.to_dict())  # type: ignore[typeddict-item]
    space = reference.explore(plain, str(DEAL_0))
    return {reference.text(plain, space.states[key]) for key in reference.winnable(space)}


WINNABLE = winnable_states()


def lost_game() -> tuple[list[Move], int]:
    """A game that is thrown away and goes on, with the number of its fatal move, from 1."""
    seen, waiting = {START}, [(START, list[Move]())]
    for state, line in waiting:
        for move, after in state.successors():
            if state.text() in WINNABLE and after.text() not in WINNABLE:
                game = [*line, move]
                for _ in range(3):
                    game += START.play_line(game).legal_moves()[-1:]
                return game, len(line) + 1
            if after not in seen:
                seen.add(after)
                waiting.append((after, [*line, move]))
    raise AssertionError("no move of the deal is fatal")


GAME, FATAL = lost_game()
STATES = [START.play_line(GAME[:count]) for count in range(len(GAME) + 1)]


def state_of(page: Page) -> State:
    """Where the page stands, by its address."""
    return parse_code(page.url.partition("#")[2], RULES)


def spoken(move: Move) -> str:
    if isinstance(move, Play):
        return f"play the {card_name(move.card)} to foundation {move.foundation}"
    return "deal a row" if move == DEAL else "gather the depots and redeal"


def click_on_table(page: Page, move: Move) -> None:
    """Make a move by a click on the card, and on the foundation if there is a choice, or on the talon."""
    table = page.locator("#table")
    at_once = table.get_by_role("button", name=re.compile(rf"^{spoken(move)}( \(\d+ in the talon\))?: "))
    if not at_once.count():
        assert isinstance(move, Play)
        table.get_by_role("button", name=re.compile(f"^play the {card_name(move.card)}: choose")).click()
    at_once.click()


def click_in_list(page: Page, move: Move) -> None:
    page.locator(f'#moves button[data-move="{move}"]').click()


def assert_at(page: Page, state: State) -> None:
    page.wait_for_url(f"**#{code_of(state)}")
    expect(page.locator("#table svg desc")).to_have_count(1)
