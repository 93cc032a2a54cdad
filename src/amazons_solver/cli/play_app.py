"""The game on a terminal: keys, screens, and verdicts that are found while one goes on playing."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import attrs
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from amazons_solver.analysis import Annotation, Hint, Knowledge, MoveHint, annotate, hint, why_lost
from amazons_solver.cli.deals import Source, one_deal_of
from amazons_solver.cli.files import read_text, writing
from amazons_solver.cli.options import described
from amazons_solver.cli.play_game import PlayedGame
from amazons_solver.errors import AmazonsError
from amazons_solver.files import write_whole
from amazons_solver.model.deals import Deal
from amazons_solver.model.moves import DEAL, REDEAL, Move, Play
from amazons_solver.model.records import Record
from amazons_solver.render.table import table_text
from amazons_solver.render.text import card_text, move_text
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress
from amazons_solver.solve import Verdict

__all__ = ["PlayApp"]

LIMITS = Limits(seconds=60)
"""For each verdict; what takes longer is unknown."""

_KEYS = """\
1-4 play from a depot  d deal  r redeal  space either  u undo  y redo  t talon
? mark winning moves   b back to the win   s save  o open  n new deal  q quit"""


class Stopped(Exception):  # noqa: N818 (no error: the answer is not wanted any more)
    """Ends a search from its progress callback."""


class Prompt(ModalScreen[str | None]):
    """A question with a line for the answer; Escape answers nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)")]

    def __init__(self, question: str, answer: str = "") -> None:
        super().__init__()
        self.question, self.answer = question, answer

    def compose(self) -> ComposeResult:
        """The question above the line."""
        with Vertical():
            yield Static(self.question, markup=False)
            yield Input(self.answer, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the answer over."""
        self.dismiss(event.value.strip())


@attrs.frozen
class Insight:
    """What is known of the game as it stands."""

    line: tuple[Move, ...]
    verdict: Verdict
    played: Annotation | None = None
    """If the game is lost: which move threw it away."""
    advice: Hint | None = None
    """If moves are to be marked: what they do."""


def _in_short(choice: MoveHint, before: Verdict) -> str:
    """What a move does, in the words that there is room for."""
    if choice.verdict is Verdict.UNDECIDED:
        return "unknown"
    if choice.redeals is None:
        return "throws it away" if before is Verdict.WINNABLE else "cannot win"
    bound = "" if choice.redeals == choice.redeals_at_least else "at most "
    return f"wins in {bound}{choice.redeals} redeal{'' if choice.redeals == 1 else 's'}"


class PlayApp(App[None]):
    """A game of Amazons."""

    CSS = """
    Screen, Static, Input { background: ansi_default; color: ansi_default; }
    Screen { layout: vertical; }
    #title { text-style: bold; height: 1; }
    #middle { height: 1fr; }
    #table { width: 38; }
    #moves { width: 1fr; }
    #verdict, #notice { height: auto; }
    #keys { height: 2; text-style: dim; }
    Prompt { align: center bottom; background: transparent; }
    Prompt Vertical { width: 76; height: 5; border: ascii; padding: 0 1; }
    Prompt Input, Prompt Input:focus { border: none; height: 1; padding: 0; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"number({number})") for number in range(1, 5)),
        Binding("d", "move('d')"),
        Binding("r", "move('r')"),
        Binding("space", "go_on"),
        Binding("u,left", "undo"),
        Binding("y,right", "redo"),
        Binding("question_mark", "hint"),
        Binding("b", "back_to_win"),
        Binding("t", "talon"),
        Binding("s", "save"),
        Binding("o", "open"),
        Binding("n", "new"),
        Binding("escape", "cancel"),
        Binding("q", "quit"),
    ]

    class Found(Message):
        """A worker has found something out."""

        def __init__(self, insight: Insight) -> None:
            super().__init__()
            self.insight = insight

    def __init__(self, game: PlayedGame, *, symbols: bool, file: Path | None = None) -> None:
        super().__init__(ansi_color=True)  # the terminal's own colours, be they light or dark
        self.game = game
        self.symbols = symbols
        self.file = file
        """The file that may be written without asking: the one read or written last."""
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
        with Horizontal(id="middle"):
            yield Static(id="table")
            yield Static(id="moves")
        yield Static(id="verdict", markup=False)
        yield Static(id="notice", markup=False)
        yield Static(_KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin."""
        self.changed()

    def on_resize(self) -> None:
        """Draw anew, with as many cards of the depots as there is room for."""
        self.call_after_refresh(self.draw)

    # What is shown.

    def changed(self, notice: str = "") -> None:
        """Draw the game as it stands now, and find out about it."""
        self.insight, self.marks_wanted, self.depot_chosen = None, False, None
        self.say(notice)
        self.look()

    def say(self, notice: str) -> None:
        """Tell the player something."""
        self.said = notice
        self.draw()

    def draw(self) -> None:
        """Write all parts of the screen."""
        game, state = self.game, self.game.state
        deal = game.record.deal
        heading = f"{deal.name or 'this deal'} by {described(game.record.rules)}"
        counts = f"move {game.position}, redeals {game.redeals}, cards left {state.cards_left}"
        self._write("title", f"Amazons  {heading}  {counts}")
        advice = self.insight.advice if self.insight else None
        marked = [choice.move for choice in advice.moves if choice.verdict is Verdict.WINNABLE] if advice else []
        height = self.query_one("#middle").size.height or None
        table = table_text(state, symbols=self.symbols, height=height, marked=marked, show_talon=self.talon_shown)
        self._write("table", table)
        self._write("moves", self._moves(advice))
        self._write("verdict", self._verdict())
        self._write("notice", self.said)

    def _write(self, part: str, text: Text | str) -> None:
        self.query_one(f"#{part}", Static).update(text)

    def _moves(self, advice: Hint | None) -> Text:
        """The legal moves under their keys, and what they do if that is asked for."""
        choices = {choice.move: choice for choice in advice.moves} if advice else {}
        rows = []
        for move in self.game.state.legal_moves():
            name = self._name_of(move)
            row = Text(f"{self._keys_of(move):<4} ").append_text(name).append(" " * (9 - len(name)))
            if advice is not None and move in choices:
                star = "* " if choices[move].verdict is Verdict.WINNABLE else "  "
                row.append(star, style="bold").append(_in_short(choices[move], advice.verdict))
            elif self.marks_wanted:
                row.append("  ...", style="dim")
            rows.append(row)
        return Text("\n").join(rows)

    def _name_of(self, move: Move) -> Text:
        if isinstance(move, Play):
            return card_text(move.card, symbols=self.symbols).append(f" to {move.foundation}", style="")
        return Text(move.kind)

    def _keys_of(self, move: Move) -> str:
        """The keys that make a move."""
        if not isinstance(move, Play):
            return str(move)
        depot = self._depot_of(move)
        return str(depot) if len(self._plays_from(depot)) == 1 else f"{depot} {move.foundation}"

    def _verdict(self) -> Text:
        """What is known of the chance of winning."""
        game, insight = self.game, self.insight
        if game.state.is_won:
            return Text(f"Won: {game.position} moves, redeals: {game.redeals}. n: another deal.", style="bold green")
        if insight is None:
            return Text("Can it be won? ...", style="dim")
        if insight.verdict is Verdict.WINNABLE:
            return Text("The game can be won.", style="green")
        if insight.verdict is Verdict.UNDECIDED:
            return Text("Unknown whether the game can be won: the search gave up.", style="yellow")
        text = Text(f"Lost: {why_lost(game.state)}.", style="bold red")
        if insight.played is not None:
            text.append(f"\n{self._whodunit(insight.played)}")
        return text

    def _whodunit(self, played: Annotation) -> str:
        if played.fatal is not None:
            move = move_text(played.line[played.fatal - 1], symbols=self.symbols).plain
            return f"Move {played.fatal} ({move}) threw the win away. b: back to before it."
        if played.last_winnable is not None:
            return f"It was last known to be winnable after move {played.last_winnable}. b: back to there."
        if played.verdicts[0] is Verdict.UNWINNABLE:
            return "The deal cannot be won by these rules. n: another deal."
        return "It is not known which move threw the win away."

    # What is found out.

    @work(thread=True, exclusive=True)
    def look(self) -> None:
        """Decide the game as it stands, in a thread, and post what is found."""
        game, marks = self.game, self.marks_wanted
        deal, line, rules, state = game.record.deal, game.line, game.record.rules, game.state
        worker = get_current_worker()

        def stop_if_cancelled(_: Progress) -> None:
            if worker.is_cancelled:
                raise Stopped

        try:
            verdict = self.knowledge.verdict(state, limits=LIMITS, progress=stop_if_cancelled)
            insight = Insight(line, verdict)
            self.post_message(self.Found(insight))
            if verdict is Verdict.UNWINNABLE:
                played = annotate(
                    deal, line, rules, limits=LIMITS, knowledge=self.knowledge, progress=stop_if_cancelled
                )
                insight = attrs.evolve(insight, played=played)
                self.post_message(self.Found(insight))
            if marks:
                advice = hint(state, limits=LIMITS, knowledge=self.knowledge, progress=stop_if_cancelled)
                self.post_message(self.Found(attrs.evolve(insight, advice=advice)))
        except Stopped:
            return

    def on_play_app_found(self, message: Found) -> None:
        """Show what was found, unless the game has gone on since."""
        if message.insight.line == self.game.line:
            self.insight = message.insight
            self.draw()

    # What the keys do.

    def _plays_from(self, depot: int) -> list[Play]:
        return [
            move for move in self.game.state.legal_moves() if isinstance(move, Play) and self._depot_of(move) == depot
        ]

    def _depot_of(self, play: Play) -> int:
        tops = [pile[-1] if pile else None for pile in self.game.state.depots]
        return tops.index(play.card) + 1

    def action_number(self, number: int) -> None:
        """Play from a depot; or, where there is a choice of foundations, name it."""
        if self.depot_chosen is not None:
            plays = [play for play in self._plays_from(self.depot_chosen) if play.foundation == number]
            self.depot_chosen = None
        else:
            plays = self._plays_from(number)
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
            self.say(self._why_not(move))

    def _why_not(self, move: Move) -> str:
        state = self.game.state
        if state.is_won:
            return "The game is won."
        if move == DEAL and not state.talon:
            return "d: the talon is empty. r redeals."
        if move == REDEAL and state.talon:
            return "r: there are cards in the talon. d deals them."
        return "A card must be played first." if state.legal_moves() else "No move is legal: the game is blocked."

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

    def action_cancel(self) -> None:
        """Name no foundation."""
        self.depot_chosen = None
        self.say("")

    def action_new(self) -> None:
        """Ask for another deal."""
        question = "Deal: a number, pysolfc:N or cards; nothing: at random. Escape: go on."
        self._ask(question, "", self._begin)

    def _begin(self, answer: str) -> None:
        rules = self.game.record.rules
        if not answer:
            deal = Deal.random(rules)
        elif answer.startswith("pysolfc:"):
            deal = Deal.pysolfc(answer.removeprefix("pysolfc:"), rules)
        else:
            number = answer.removeprefix("numbered:")
            source = Source(number=number) if number.isdecimal() else Source(cards=answer)
            deal = one_deal_of(source, rules, "to play").deal
        self.game, self.file = PlayedGame(Record(deal, (), rules)), None
        self.changed()

    def action_open(self) -> None:
        """Ask for a file with a game."""
        self._ask("Game file to open. Escape: none.", "", self._open)

    def _open(self, answer: str) -> None:
        path = Path(answer)
        self.game, self.file = PlayedGame(Record.parse(read_text(path))), path
        self.changed(f"Opened {path}.")

    def action_save(self) -> None:
        """Ask for a file to write the game to."""
        name = self.game.record.deal.name.replace(":", "-") or "amazons"
        self._ask("Save the game to this file. Escape: do not.", str(self.file or f"{name}.txt"), self._save)

    def _save(self, answer: str) -> None:
        path = Path(answer)
        if path.exists() and path != self.file:
            self._ask(f"There is a file {path}. Enter: write over it. Escape: do not.", answer, self._overwrite)
        else:
            self._overwrite(answer)

    def _overwrite(self, answer: str) -> None:
        path = Path(answer)
        with writing(path):
            write_whole(path, f"{self.game.kept().text()}\n".encode())
        self.file = path
        self.say(f"Saved {path}.")

    def _ask(self, question: str, answer: str, then: Callable[[str], None]) -> None:
        """Ask, and go on with the answer; what is wrong with it is said."""

        def answered(text: str | None) -> None:
            if text is None:
                return
            try:
                then(text)
            except AmazonsError as error:
                self.say(str(error))

        self.push_screen(Prompt(question, answer), answered)
