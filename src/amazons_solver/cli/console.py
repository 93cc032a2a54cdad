"""What the commands share: the three streams, errors in one line, exit codes, and progress on a terminal."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TextIO, TypeVar

import typer

from amazons_solver.cli import ending, unforeseen
from amazons_solver.errors import AmazonsError, UndecidedError
from amazons_solver.kernel import waiting
from amazons_solver.model.cards import Suit
from amazons_solver.search.limits import Limits
from amazons_solver.search.result import Progress

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

ANSWERED, LOST, BAD_INPUT, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, ending.INTERRUPTED
CLOSED_PIPE = 141
"""What a shell reports of a program that a closed pipe ended."""
_BAR_FROM = 110
"""Columns of a terminal that has room for a bar next to the numbers."""
LINE_SECONDS = 5.0
"""Between two lines of progress where lines stay."""
NOTHING_MORE: Final = Limits(states=1)
"""Limits for repeating a question after Ctrl-C: it is answered from what is known, with hardly any search."""
_is_quiet = False
_has_said = False
_GRAVEST_FIRST = (BAD_INPUT, UNDECIDED, LOST)


FoundT = TypeVar("FoundT")
ReportT = TypeVar("ReportT")


def gravest(codes: Iterable[int]) -> int:
    """The exit code of many answers."""
    found = set(codes)
    return next((code for code in _GRAVEST_FIRST if code in found), ANSWERED)


def run(command: Callable[[], object]) -> int:
    """Run a command with whatever may go wrong turned into one line on stderr and an exit code."""
    _prepare_streams()
    waiting.listeners[:] = [_compiling]
    lost, declined = len(waiting.lost), len(waiting.declined)
    try:
        code = _outcome(command)
        if len(waiting.lost) > lost:
            message("the compiled code could not be kept: set NUMBA_CACHE_DIR to a folder of yours")
        if len(waiting.declined) > declined:
            message(
                "the model alone has tried: compiling the search, once on a machine, takes longer than the limit on "
                "seconds (amazons-solver warm-up does it)"
            )
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _let_go()
        code = CLOSED_PIPE
    except OSError as error:  # a full disk, say; files that commands open report for themselves
        _let_go()
        with contextlib.suppress(OSError):
            what = f"use {error.filename}" if error.filename else "write the results"
            fail(f"expected to {what}, got {error.strerror or error}")
        code = BAD_INPUT
    return code


def _outcome(command: Callable[[], object]) -> int:
    """The exit code of a command, and on stderr what went wrong. A signal may break any library: that is no error."""
    code = ANSWERED
    try:
        ending.interruptible(True)
        try:
            command()
        finally:
            ending.interruptible(False)
    except typer.Exit as error:
        code = error.exit_code
    except KeyboardInterrupt:
        fail("interrupted")
        return INTERRUPTED
    except Exception as error:
        if ending.is_interrupted():
            pass
        elif isinstance(error, typer.TyperException | AmazonsError):
            fail(error)
            code = UNDECIDED if isinstance(error, UndecidedError) else BAD_INPUT
        elif isinstance(error, OSError):
            raise
        else:
            code = unforeseen.report(error)
    if ending.is_interrupted() and code != INTERRUPTED:
        fail("interrupted")
        code = INTERRUPTED
    return code


def set_quiet(quiet: bool) -> bool:
    """Print nothing but errors on stderr from here on; typer's callback of the option."""
    global _is_quiet  # noqa: PLW0603 (there is one stderr)
    _is_quiet = quiet
    return quiet


def _compiling() -> None:
    """Say that the compiler is at work, which may take a while, and only once on a machine."""
    global _has_said  # noqa: PLW0603
    if not _is_quiet and not _has_said:
        _has_said = True
        message("compiling the search, once on this machine: 10 to 50 s")


def _prepare_streams() -> None:
    """Give a program that was started without streams empty ones; never fail on a character that one cannot write."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open until the end)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def _let_go() -> None:
    """Redirect the failed standard output to nothing, so that the interpreter does not fail on it again at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write(text: str) -> None:
    """A result, with a line's end, on stdout at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def write_json(answer: object) -> None:
    """A result for programs, on a line."""
    write(json.dumps(answer))


def write_bytes(parts: Iterable[bytes]) -> None:
    """A result in bytes of its own encoding on stdout, part by part."""
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


def show(text: "RenderableType", *, width: int | None = None) -> None:
    """A result for a person on stdout: in colour on a terminal that has them; of its width if none is given."""
    console = _console(sys.stdout)
    console.width = width or console.width
    console.print(text, soft_wrap=True)
    sys.stdout.flush()


def can_write(text: str, stream: TextIO) -> bool:
    """Whether an output has every character of the text."""
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def symbols(stream: TextIO) -> bool:
    """Whether an output has the symbols of the suits."""
    return can_write("".join(suit.symbol for suit in Suit), stream)


def plain(text: str, stream: TextIO) -> str:
    """The text of an interval as an output can write it."""
    return text if can_write(text, stream) else text.replace("±", "+-")


def is_quiet() -> bool:
    """Whether nothing but errors is to be said on stderr."""
    return _is_quiet


def message(text: str) -> None:
    """A message on stderr."""
    if not _is_quiet:
        sys.stderr.write(one_line(text) + "\n")
        sys.stderr.flush()


def fail(error: object) -> None:
    """An error on stderr, in one line whatever is in it."""
    text = str(error)
    if isinstance(error, typer.TyperException):
        text = error.format_message().rstrip(".").replace("Value error, ", "")  # the words of typer's validator
        context = getattr(error, "ctx", None)  # usage errors know the command
        if context is not None:
            text += f" (see {context.command_path} --help)"
    sys.stderr.write(f"error: {one_line(text)}\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """The text without line ends, and with whatever could upset a terminal escaped."""
    words = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in words)


def width() -> int | None:
    """The columns of the terminal behind stdout; none when there is no terminal."""
    console = _console(sys.stdout)
    return console.width if console.is_terminal else None


def can_redraw() -> bool:
    """Whether stderr is a terminal on which one can write over what was written."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def now_and_then(tell: Callable[[ReportT], None]) -> Callable[[ReportT], None]:
    """Shows the progress of long work in lines that stay, now and then."""
    next_line = time.monotonic() + LINE_SECONDS

    def tell_rarely(report: ReportT) -> None:
        nonlocal next_line
        if time.monotonic() >= next_line:
            next_line = time.monotonic() + LINE_SECONDS
            tell(report)

    return tell_rarely


@contextlib.contextmanager
def working(label: str, *, at_once: bool = False) -> Iterator[Callable[[Progress], None] | None]:
    """A line on stderr, if it is a terminal, that shows work under way; yields the callback that keeps it up to date.

    Most answers come before the first report and need no such line; `at_once` is for work that reports nothing.
    """
    if _is_quiet or not sys.stderr.isatty():
        yield None
        return

    def how_far(counts: Progress) -> str:
        return f"{label}: {counts.states:,} {counts.unit} in {counts.seconds:.0f} s (Ctrl-C ends the search)"

    if not can_redraw():
        yield now_and_then(lambda counts: message(how_far(counts)))
        return
    from rich.status import Status

    console = _console(sys.stderr)
    status = Status(label, console=console, spinner="dots" if console.encoding.startswith("utf") else "line")

    def report(counts: Progress) -> None:
        status.update(how_far(counts))
        status.start()

    try:
        if at_once:
            status.start()
        yield report
    finally:
        status.stop()


def until_interrupted(search: Callable[..., FoundT], label: str, limits: Limits) -> tuple[FoundT, bool]:
    """What a search finds that remembers what it has found before; and whether Ctrl-C ended it with less."""
    with working(label) as progress:
        try:
            return search(limits=limits, progress=progress), False
        except KeyboardInterrupt:
            return search(limits=NOTHING_MORE), True


@contextlib.contextmanager
def bar(unit: str) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on the terminal of stderr; yields what moves it: how much is done, of how much, and a remark."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.table import Column

    console = _console(sys.stderr)
    # Numbers are worth more than the bar: where there is no room for both they are wrapped, never cut.
    text = TextColumn(unit + ", {task.fields[remark]}", table_column=Column(no_wrap=False))
    columns = (MofNCompleteColumn(), text)
    progress = Progress(
        *((BarColumn(bar_width=20), *columns) if console.width >= _BAR_FROM else columns),
        console=console,
        transient=True,
        redirect_stdout=False,  # what would be in their place knows no encoding
        redirect_stderr=False,
    )
    with progress:
        task = progress.add_task("", start=False, total=None, remark="starting the workers")

        def move(done: int, total: int, remark: str) -> None:
            progress.start_task(task)
            progress.update(task, completed=done, total=total, remark=remark)

        yield move


def _console(stream: TextIO) -> "Console":
    from rich.console import Console

    class PlainConsole(Console):
        """A console that leaves a closed pipe to `run`."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PlainConsole(file=stream, highlight=False, markup=False, emoji=False)
