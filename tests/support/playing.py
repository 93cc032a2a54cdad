"""Games for the command `play`, and one who plays them by keys."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot
from textual.widgets import Input

from amazons_solver import Deal, Rules
from amazons_solver.cli.play.app import PlayApp
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.cli.play.prompts import Prompt
from amazons_solver.model.saved.records import Record

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = Record(Deal.parse("AC 7C", TRAP_RULES), (), TRAP_RULES)
# Compulsory plays: see tests/hints/test_hints.py.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
STUCK = Record(Deal.parse("7D AC AD 7C", STUCK_RULES), (), STUCK_RULES)
# Aces go to any empty foundation.
CHOICE_RULES = Rules(suits="CD", ranks="A7", base_placement="any", withhold="any")
CHOICE = Record(Deal.parse("AC 7D AD 7C", CHOICE_RULES), (), CHOICE_RULES)

KEPT = "The game can be won. No move has thrown it away."


class Player:
    """Presses keys and reads the screen."""

    def __init__(self, app: PlayApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, keys: str) -> None:
        """Press keys one after the other, each when all is found out that the one before it asked for."""
        for key in keys.split():
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def answer(self, text: str) -> None:
        """Answer the question that was asked."""
        screen = self.app.screen
        assert isinstance(screen, Prompt)
        screen.query_one(Input).value = text
        await self.press("enter")

    def reads(self, part: str) -> str:
        """What a part of the screen says."""
        return str(self.app.screen_stack[0].query_one(f"#{part}").render())

    @property
    def line(self) -> str:
        return " ".join(map(str, self.app.game.line))


def play(
    record: Record, script: Callable[[Player], Awaitable[None]], size: tuple[int, int] = (80, 24), symbols: bool = False
) -> None:
    """Run a script of keys against a game."""

    async def main() -> None:
        app = PlayApp(PlayedGame(record), symbols=symbols)
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.settle()
            await script(player)

    asyncio.run(main())
