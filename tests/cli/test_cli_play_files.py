"""The command `play`, driven by keys: games saved, opened and kept, and bad answers."""

import os
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from amazons_solver import Deal, State, format_line, parse_line
from amazons_solver.model.saved.records import Record
from support.playing import STUCK, STUCK_RULES, TRAP, TRAP_RULES, Player, play

pytestmark = pytest.mark.slow


def test_games_are_saved_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(player: Player) -> None:
        await player.press("d 1 d u s")
        await player.answer("game.txt")
        assert player.reads("notice") == "Saved game.txt."
        assert (
            Path("game.txt").read_text()
            == "rules wikipedia suits=C ranks=A7 max_redeals=0\nAC 7C\nd AC>1\n# taken back: d\n"
        )
        await player.press("d s enter")  # once more to the same file
        assert Path("game.txt").read_text().endswith("\nd AC>1 d\n")
        Path("other.txt").write_text(f"{STUCK.text()}\nd AC>1\n")
        await player.press("s")
        await player.answer("other.txt")
        assert "There is a file other.txt." in str(player.app.screen.query_one("Static").render())
        await player.press("escape")
        assert Path("other.txt").read_text().endswith("\nd AC>1\n")
        await player.press("o")
        await player.answer("other.txt")
        assert (player.line, player.app.game.record.rules) == ("d AC>1", STUCK_RULES)
        await player.press("s")
        await player.answer("game.txt")
        await player.press("enter")
        assert Path("game.txt").read_text() == Path("other.txt").read_text()

    play(TRAP, script)


def test_the_name_that_is_asked_about_cannot_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(f"{name} of mine")

    async def script(player: Player) -> None:
        await player.press("d s")
        await player.answer("a.txt")
        question = str(player.app.screen.query_one("Static").render())
        assert question == "There is a file a.txt. Enter: write over it. Escape: do not."
        await player.press("home delete b enter")
        assert Path("b.txt").read_text() == "b.txt of mine"
        assert Path("a.txt").read_text().endswith("\nd\n")
        await player.press("s")
        await player.answer("b.txt")  # another name: asked again
        await player.press("escape")
        assert Path("b.txt").read_text() == "b.txt of mine"
        await player.press("s")
        assert player.app.screen.query_one(Input).value == "a.txt"
        Path("a.txt").write_text("somebody else wrote this")
        await player.press("enter")
        assert "There is a file a.txt." in str(player.app.screen.query_one("Static").render())
        await player.press("escape")
        assert Path("a.txt").read_text() == "somebody else wrote this"

    play(TRAP, script)


def test_a_game_from_a_file_keeps_what_else_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"# pysolfc:1\n{TRAP.text()}\n# my game\nd AC>1  # so far\n"
    Path("game.txt").write_text(text)

    async def script(player: Player) -> None:
        await player.press("o")
        await player.answer("game.txt")
        await player.press("d u u s enter")
        assert player.reads("notice") == "Saved game.txt."
        moved = text.replace("d AC>1", "d")
        assert Path("game.txt").read_text() == f"{moved}# taken back: AC>1 d\n"
        await player.press("o")
        await player.answer("game.txt")
        assert player.line == "d"
        await player.press("y y")
        assert player.line == "d AC>1 d"
        assert player.app.unsaved() == []

    play(TRAP, script)


def test_games_that_are_left_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(f"{STUCK.text()}\nd\n")

    async def script(player: Player) -> None:
        kept = "The game before it is not saved: it will be printed when you quit."
        await player.press("n enter")
        assert (player.reads("notice"), player.app.unsaved()) == ("", [])
        await player.press("d n")
        await player.answer("AC 7C")
        assert player.reads("notice") == kept
        await player.press("d u o")
        await player.answer("game.txt")
        assert player.reads("notice") == f"Opened game.txt. {kept}"
        await player.press("u o")
        await player.answer("bad.txt")
        await player.press("escape y 2 q")
        games = [Record.parse(text) for text in player.app.unsaved()]
        assert [(str(game.deal), format_line(game.line)) for game in games][1:] == [
            ("AC 7C", ""),
            ("7D AC AD 7C", "d AC>1"),
        ]
        assert player.app.unsaved()[1].endswith("\n# taken back: d\n")
        assert format_line(games[0].line) == "d"

    play(TRAP, script)


def test_only_plain_files_are_opened_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe would be waited for without end."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")

    async def script(player: Player) -> None:
        for key in "os":
            await player.press(f"d {key}")
            await player.answer("pipe")
            assert player.reads("notice") == "expected a plain file, got pipe"
            await player.press("escape")

    play(TRAP, script)


@pytest.mark.parametrize(
    ("key", "answer", "notice"),
    [
        ("o", "nowhere.txt", "expected a file to read, got nowhere.txt"),
        ("o", "bad.txt", "expected a legal move (d), got r"),
        ("o", "-", "expected a file to read, got "),
        ("s", "x" * 300, "expected a file to write, got xxx"),
        ("s", "", "expected a plain file, got ."),
        ("o", "latin-1.txt", "expected UTF-8 text, got byte 0xe4 in latin-1.txt"),
        ("o", "a\0b", "expected the name of a file, got 'a"),
        ("s", "a\0b", "expected the name of a file, got 'a"),
        ("s", "no/folder.txt", "expected a file to write, got no/folder.txt"),
        ("o", "\N{SNOWMAN}\x1b", "expected a file to read, got \\u2603\\x1b"),
        ("n", "1C", "expected a card such as 7H, 10H or QS, got '1C'"),
        ("n", "7C", "expected 2 cards, got 1: AC is missing"),
        ("n", "pysolfc:0", "expected a PySolFC game number from 1 to 10^20"),
        ("n", "numbered:99999999999999999999", "expected a deal number from 0 to 2^64 - 1"),
        ("n", "7", "expected cards or a deal's name (pysolfc:7 or numbered:7), got the number 7 alone"),
    ],
)
def test_bad_answers_are_said_to_be_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, answer: str, notice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text(f"{TRAP.text()}\nr\n")
    Path("latin-1.txt").write_bytes(b"# Pl\xe4tze\n" + TRAP.text().encode())

    async def script(player: Player) -> None:
        await player.press(f"d {key}")
        await player.answer(answer)
        assert player.reads("notice").startswith(notice)
        # What was typed is still there, to be mended.
        assert str(player.app.screen.query(Static).first().render()).startswith(notice)
        assert player.app.screen.query_one(Input).value == answer
        await player.press("escape")
        assert (player.line, player.reads("notice"), len(player.app.screen_stack)) == ("d", "", 1)

    play(TRAP, script)


def test_a_game_from_a_state_is_played_judged_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    state = State.initial(TRAP.deal, TRAP_RULES).play_line(parse_line("d")) if isinstance(TRAP.deal, Deal) else None
    assert state is not None

    async def script(player: Player) -> None:
        assert player.reads("title").startswith("Amazons  this state by ")
        assert player.reads("verdict") == "The game can be won."
        await player.press("d")
        assert "Move 1 (d) threw the win away" in player.reads("verdict")
        await player.press("s")
        await player.answer("kept.txt")

    play(Record(state, (), TRAP_RULES), script)
    assert Record.parse(Path("kept.txt").read_text()) == Record(state, parse_line("d"), TRAP_RULES)
