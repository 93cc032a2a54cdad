"""A game that is handed over is replayed once, move by move, whatever is made of it."""

from collections.abc import Callable

import pytest

from amazons_solver import Deal, Knowledge, Rules, State, annotate, parse_line
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.model.moves import Move
from amazons_solver.model.saved.records import Record
from amazons_solver.render.svg import line_svg
from amazons_solver.render.text import line_text

# 7C is dealt before AC, so that the ace lies on the seven; a redeal is made all the same.
RULES = Rules(suits="C", ranks="A7", withhold="any")
DEAL = Deal.parse("7C AC", RULES)
START = State.initial(DEAL, RULES)
GAME = parse_line("d d r d d AC>1 7C>1")

USES: dict[str, Callable[[], object]] = {
    "annotate": lambda: annotate(DEAL, GAME, RULES),
    "knowledge": lambda: Knowledge().add_line(START, GAME),
    "picture": lambda: line_svg(START, GAME),
    "table by table": lambda: line_text(START, GAME, symbols=False),
    "game under way": lambda: PlayedGame(Record(DEAL, GAME, RULES)),
    "taken back": lambda: PlayedGame(Record(DEAL, GAME[:3], RULES), undone=GAME[3:]),
}


@pytest.mark.parametrize("use", USES)
def test_each_move_is_made_once(use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Move | str] = []
    play = State.play

    def counted(state: State, move: Move | str) -> State:
        made.append(move)
        return play(state, move)

    monkeypatch.setattr(State, "play", counted)
    USES[use]()
    assert tuple(made) == GAME
