"""The game on a terminal: keys, screens, and verdicts that are found while the game is played."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, cast

import attrs
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static
from textual.worker import WorkerFailed

from amazons_solver.cli import console
from amazons_solver.cli.files import check_plain, check_writable, read_text, reading, writing
from amazons_solver.cli.games import opened
from amazons_solver.cli.options import ChosenRules
from amazons_solver.cli.play.background import in_thread
from amazons_solver.cli.play.game import PlayedGame
from amazons_solver.cli.play.prompts import Confirmation, Help, Prompt
from amazons_solver.cli.play.report import Insight, keys_text, moves_text, plays_from, verdict_text, why_not
from amazons_solver.cli.play.table import table_text
from amazons_solver.cli.play.terminal import driver_of, is_gone, leave
from amazons_solver.errors import AmazonsError
from amazons_solver.files import write_whole
from amazons_solver.hints.annotation import annotate
from amazons_solver.hints.hint import hint
from amazons_solver.hints.knowledge import Knowledge
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import DEAL, REDEAL, Move
from amazons_solver.model.names import split_name
from amazons_solver.model.rules import described
from amazons_solver.model.saved.records import Record
from amazons_solver.search.limits import Limits
from amazons_solver.solving.solve import Verdict

__all__ = ["PlayApp"]

LIMITS = Limits(seconds=60)
"""For each verdict; what takes longer is unknown."""


class Middle(Horizontal):
    """The table and the moves."""

    def on_resize(self) -> None:
        """Draw anew, with as many cards of the depots as there is room for."""
        cast("PlayApp", self.app).draw()


class PlayApp(App[None]):
    """A game of Amazons."""

    CSS = """
    Screen, Static, Input { background: ansi_default; color: ansi_default; }
    Screen { layout: vertical; }
    #title { text-style: bold; height: auto; }
    #middle { height: 1fr; }
    #table { width: 38; }
    #moves { width: 1fr; }
    #verdict, #notice { height: auto; }
    #keys { height: auto; text-style: dim; }
    Prompt, Confirmation { align: center bottom; background: transparent; }
    Prompt Vertical, Confirmation Vertical {
        width: 100%; max-width: 76; height: auto; border: ascii; padding: 0 1; background: ansi_default;
    }
    Prompt Input, Prompt Input:focus { border: none; height: 1; padding: 0; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"number({number})") for number in range(1, 5)),
        Binding("d,D", "move('d')"),
        Binding("r,R", "move('r')"),
        Binding("space", "go_on"),
        Binding("u,U,left", "undo"),
        Binding("y,Y,right", "redo"),
        Binding("question_mark", "hint"),
        Binding("b,B", "back_to_win"),
        Binding("t,T", "talon"),
        Binding("s,S", "save"),
        Binding("o,O", "open"),
        Binding("n,N", "new"),
        Binding("h,H,f1", "help"),
        Binding("escape", "cancel"),
        Binding("q,Q", "quit"),
        Binding("ctrl+c", "quit", priority=True),  # before the screen, which copies by it
    ]

    def __init__(
        self, game: PlayedGame, *, symbols: bool, file: Path | None = None, rules: ChosenRules | None = None
    ) -> None:
        # The terminal's own colours, light or dark.
        super().__init__(ansi_color=True, driver_class=driver_of(self.get_driver_class()))
        self.game = game
        self.left: list[PlayedGame] = []
        """Games that were left for another deal or file, and not saved."""
        self.symbols = symbols
        self.rules = rules or ChosenRules(None, None)
        """What was asked for: the rules of another deal by PySolFC's number."""
        self.own: tuple[Path, str] | None = (file, game.source) if file and game.source else None
        """The file that was read or written last, and its text: while that is in it, it is written without asking."""
        self.failure: BaseException | None = None
        """What nobody foresaw, and ended the program."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.knowledge = Knowledge()
        self.insight: Insight | None = None
        self.marks_wanted = False
        self.talon_shown = False
        self.depot_chosen: int | None = None
        """The depot of a play for which the foundation is still to be named."""
        self.said = ""

    def compose(self) -> ComposeResult:
        """One screen: the table, the moves, what is known, and the keys."""
        yield Static(id="title", markup=False)
        with Middle(id="middle"):
            yield Static(id="table")
            yield Static(id="moves")
        yield Static(id="verdict", markup=False)
        yield Static(id="notice", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin."""
        self.loop = asyncio.get_running_loop()
        if not self.is_headless:
            self.set_interval(1, self._look_at_terminal)
        self.changed()

    # How it ends.

    def end(self) -> bool:
        """Ask the program to end, from a signal's handler; false if it does not run."""
        try:
            if self.loop is not None:
                self.loop.call_soon_threadsafe(self.exit)
        except RuntimeError:  # it has ended
            return False
        return self.loop is not None

    def unsaved(self) -> list[str]:
        """The games that would be lost, as text."""
        return [game.text() for game in [*self.left, self.game] if not game.is_saved]

    def _look_at_terminal(self) -> None:
        """End when the terminal is gone: the system need not have said so."""
        if is_gone():
            leave(signal.SIGHUP, self.unsaved())

    def _handle_exception(self, error: Exception) -> None:
        """Let the caller report it, when the games are kept."""
        if self.failure is None:
            self.failure = error.error if isinstance(error, WorkerFailed) else error
        super()._handle_exception(error)
        self._exit_renderables.clear()

    # What is shown.

    def changed(self, notice: str = "") -> None:
        """Draw the game as it stands now, and find out about it."""
        self.insight, self.marks_wanted, self.depot_chosen = None, False, None
        self.say(notice)
        self.look()

    def say(self, notice: str) -> None:
        """Tell the player something."""
        self.said = self._writable(notice)
        self.draw()

    def _writable(self, text: str) -> str:
        """One line that the terminal can show, whatever words of the player or of a file are in it."""
        line = console.one_line(text)
        return line if self.symbols else line.encode("ascii", "backslashreplace").decode()

    def draw(self) -> None:
        """Write all parts of the screen."""
        game, state = self.game, self.game.state
        heading = f"{game.record.heading} by {described(game.record.rules)}"
        counts = f"move {game.position}, redeals {game.redeals}, cards left {state.cards_left}"
        self._write("title", f"Amazons  {heading}  {counts}")
        advice = self.insight.advice if self.insight else None
        moves = () if advice is None else advice.moves
        marked = [choice.move for choice in moves if choice.verdict is Verdict.WINNABLE]
        height = self.query_one("#middle").size.height or None
        table = table_text(state, symbols=self.symbols, height=height, marked=marked, show_talon=self.talon_shown)
        self._write("table", table)
        self._write("moves", moves_text(state, advice, wanted=self.marks_wanted, symbols=self.symbols))
        self._write("verdict", verdict_text(game, self.insight, symbols=self.symbols))
        self._write("notice", self.said)
        self._write("keys", keys_text(self.size.width))

    def _write(self, part: str, text: Text | str) -> None:
        self.query_one(f"#{part}", Static).update(text)

    # What is found out.

    @work(exclusive=True)
    async def look(self) -> None:
        """Decide the game as it stands, in a thread, and show what is found step by step."""
        game, marks = self.game, self.marks_wanted
        deal, line, rules, state = game.record.deal, game.line, game.record.rules, game.state
        insight = self.insight = Insight(line, await in_thread(self.knowledge.verdict, state, limits=LIMITS))
        self.draw()
        if insight.verdict is Verdict.UNWINNABLE:
            played = await in_thread(annotate, deal, line, rules, limits=LIMITS, knowledge=self.knowledge)
            insight = self.insight = attrs.evolve(insight, played=played)
            self.draw()
        if marks:
            advice = await in_thread(hint, state, limits=LIMITS, knowledge=self.knowledge)
            self.insight = attrs.evolve(insight, advice=advice)
            self.draw()

    # What the keys do.

    def on_key(self, event: events.Key) -> None:
        """Say of a letter or sign that it is no key."""
        if event.is_printable and event.key not in self._bindings.key_to_bindings and len(self.screen_stack) == 1:
            self.say(f"{event.character}: there is no such key. h: all keys.")

    def action_number(self, number: int) -> None:
        """Play from a depot; or, where there is a choice of foundations, name it."""
        if self.depot_chosen is not None:
            plays = [play for play in plays_from(self.game.state, self.depot_chosen) if play.foundation == number]
            self.depot_chosen = None
        else:
            plays = plays_from(self.game.state, number)
        if len(plays) == 1:
            self.game.play(plays[0])
            self.changed()
        elif plays:
            self.depot_chosen = number
            places = ", ".join(str(play.foundation) for play in plays)
            self.say(f"To which foundation ({places})? Escape: none.")
        else:
            self.say(f"{number}: there is no such play.")

    def action_move(self, text: str) -> None:
        """Deal or redeal."""
        move: Move = DEAL if text == "d" else REDEAL
        if move in self.game.state.legal_moves():
            self.game.play(move)
            self.changed()
        else:
            self.say(why_not(self.game.state, move))

    def action_go_on(self) -> None:
        """Deal, or redeal when the talon is empty."""
        self.action_move("d" if self.game.state.talon else "r")

    def action_undo(self) -> None:
        """Take a move back."""
        self._go_to(self.game.position - 1, "There is no move to take back.")

    def action_redo(self) -> None:
        """Make a move again that was taken back."""
        self._go_to(self.game.position + 1, "There is no move to be made again.")

    def action_back_to_win(self) -> None:
        """Go back to the last state that can be won."""
        played = self.insight.played if self.insight else None
        if played is not None and played.last_winnable is not None:
            self._go_to(played.last_winnable, "")
        else:
            self.say("b: there is nothing known to go back to.")

    def _go_to(self, position: int, otherwise: str) -> None:
        before = self.game.position
        self.game.go_to(position)
        if self.game.position == before:
            self.say(otherwise)
        else:
            self.changed()

    def action_hint(self) -> None:
        """Mark the moves that keep the win."""
        self.marks_wanted = True
        self.draw()
        self.look()

    def action_talon(self) -> None:
        """Show the cards of the talon, or hide them."""
        self.talon_shown = not self.talon_shown
        self.draw()

    def action_help(self) -> None:
        """Say what the keys do."""
        self.push_screen(Help())

    def action_cancel(self) -> None:
        """Name no foundation."""
        self.depot_chosen = None
        self.say("")

    def action_new(self) -> None:
        """Ask for another deal."""
        question = "Deal: numbered:N, pysolfc:N or cards; nothing: at random. Escape: go on."
        self._ask(question, "", self._begin)

    def _begin(self, answer: str) -> None:
        rules = self.game.record.rules
        name, _ = split_name(answer)
        if name is not None and name.preset is not None:
            rules = self.rules.of(name)
        deal = Deal.parse(answer, rules) if answer else Deal.random(rules)
        self._leave_for(PlayedGame(Record(deal, (), rules)), None)

    def _leave_for(self, game: PlayedGame, file: Path | None, notice: str = "") -> None:
        """Go to another game; the one that is left is printed at the end, unless it is saved."""
        if not self.game.is_saved:
            self.left.append(self.game)
            notice = f"{notice} The game before it is not saved: it will be printed when you quit.".strip()
        self.game, self.own = game, (file, game.source) if file and game.source else None
        self.changed(notice)

    def action_open(self) -> None:
        """Ask for a file with a game."""
        self._ask("Game file to open. Escape: none.", "", self._open)

    def _open(self, answer: str) -> None:
        path = Path.cwd() / answer if answer == "-" else Path(answer)  # a file of that name: the keys are no file
        with reading(path):
            check_plain(path)
        game = opened(path, self.rules)
        self._leave_for(PlayedGame(game.record, game.source, game.undone), path, f"Opened {path}.")

    def action_save(self) -> None:
        """Ask for a file to write the game to."""
        name = self.game.record.name.replace(":", "-") or "amazons"
        proposal = str(self.own[0]) if self.own else f"{name}.txt"
        self._ask("Save the game to this file. Escape: do not.", proposal, self._save)

    def _save(self, answer: str) -> None:
        path = Path(answer)
        with writing(path):
            check_plain(path)
        check_writable(path)
        if path.exists() and not self._is_own(path):
            question = f"There is a file {path}. Enter: write over it. Escape: do not."

            def answered(wanted: bool | None) -> None:
                if wanted:
                    self._try(self._write_to, path)

            self.push_screen(Confirmation(self._writable(question)), answered)
        else:
            self._write_to(path)

    def _is_own(self, path: Path) -> bool:
        """Whether a file is the game's own, and nobody else has changed it."""
        try:
            return self.own == (path, read_text(path))
        except AmazonsError:
            return False

    def _write_to(self, path: Path) -> None:
        text = self.game.text()
        with writing(path):
            write_whole(path, text.encode())
        self.own, self.game.saved = (path, text), list(self.game.moves)
        self.say(f"Saved {path}.")

    def _ask(self, question: str, answer: str, then: Callable[[str], None], error: str = "") -> None:
        """Ask, and continue with the answer; if it is wrong, say why, and let it be corrected."""

        def answered(text: str | None) -> None:
            if text is not None and (told := self._try(then, text)):
                self._ask(question, text, then, told)
            elif error and text is None:
                self.say("")

        self.push_screen(Prompt(self._writable(question), answer, self._writable(error)), answered)

    def _try(self, action: Callable[..., None], *arguments: object) -> str:
        """Do what a question was about, and return what is wrong with the answer, if anything."""
        try:
            action(*arguments)
        except AmazonsError as error:
            self.say(str(error))
            return str(error)
        return ""
