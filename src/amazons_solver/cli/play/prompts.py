"""What `play` asks and explains, in front of the table."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

__all__ = ["HELP", "Confirmation", "Help", "Prompt"]

HELP = """\
1 2 3 4   play the top card of a depot; a second
          key names the foundation, if need be
d         deal a row
r         redeal, when the talon is empty
space     whichever of the two is possible
u, left   take a move back
y, right  make it again
b         back to where it could last be won
?         mark the moves that keep the win
t         show the talon, or hide it
s         save the game in a file
o         open a game in a file
n         another deal
q         quit; Ctrl-C and Ctrl-Q, too
h, F1     this help

Letters do the same in upper case.

A file keeps the game up to where it stands. Moves that were taken back are in a comment; when the file is opened, \
they can be made again.

Games that were not saved are printed when the program ends. If the terminal goes away, they are in files called \
amazons-unsaved.txt, amazons-unsaved-2.txt, ... in the folder in which the program was started or, if that cannot be \
written, in your home.

Any key: back to the game."""


class Prompt(ModalScreen[str | None]):
    """A question with a line for the answer, under what is wrong with the last one; Escape answers nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)")]

    def __init__(self, question: str, answer: str = "", error: str = "") -> None:
        super().__init__()
        self.question, self.answer, self.error = question, answer, error

    def compose(self) -> ComposeResult:
        """The question above the line."""
        with Vertical():
            if self.error:
                yield Static(self.error, markup=False)
            yield Static(self.question, markup=False)
            yield Input(self.answer, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the answer over."""
        self.dismiss(event.value.strip())


class Confirmation(ModalScreen[bool]):
    """A question that Enter answers with yes and Escape with no: what it is about cannot be changed under it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss(True)"), Binding("escape", "dismiss(False)")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question."""
        with Vertical():
            yield Static(self.question, markup=False)


class Help(ModalScreen[None]):
    """What the keys do; it scrolls where there is no room for it."""

    def compose(self) -> ComposeResult:
        """The text."""
        with VerticalScroll():
            yield Static(HELP, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Go back, unless a key scrolls."""
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            event.stop()
            self.dismiss()
