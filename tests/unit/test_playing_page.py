"""What docs/playing.md shows is what the program does."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

from amazons_solver.cli.play_app import PlayApp
from amazons_solver.cli.play_game import PlayedGame
from amazons_solver.model.records import Record
from command_line import run

PAGE = (Path(__file__).parent.parent.parent / "docs" / "playing.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


GAME, SCREEN = blocks("text")


def test_the_transcripts_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(GAME)
    transcripts = blocks("console")
    assert len(transcripts) == 3
    for transcript in transcripts:
        command, _, output = transcript.removeprefix("$ amazons-solver ").partition("\n")
        result = run(*shlex.split(command))
        assert (result.exit_code, result.stdout, result.stderr) == (0, output, "")


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


def test_the_python_example_runs() -> None:
    (example,) = blocks("python")
    exec(compile(example, "playing.md", "exec"), {})  # noqa: S102 (our own text)
