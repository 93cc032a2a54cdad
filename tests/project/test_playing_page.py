"""The screen in docs/playing.md is what the program shows; test_docs.py runs the rest of the page."""

import asyncio
import re
from pathlib import Path

from amazons_solver.cli.play.app import PlayApp
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.model.saved.records import Record

PAGE = (Path(__file__).parent.parent.parent / "docs" / "playing.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


GAME, SCREEN = blocks("text")


def test_the_screen_is_true() -> None:
    async def screen() -> str:
        record = Record.parse(GAME)
        app = PlayApp(PlayedGame(Record(record.deal, record.line[:8], record.rules)), symbols=True)
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("question_mark")
            await app.workers.wait_for_complete()
            await pilot.pause()
            return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())

    assert asyncio.run(screen()).strip() == SCREEN.strip()
