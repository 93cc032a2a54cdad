"""The driver of the compiled searches, with loops that return what they are told to."""

from types import SimpleNamespace

import attrs
import pytest

from amazons_solver import Limits, Stats, StopReason
from amazons_solver.kernel import slices
from amazons_solver.kernel.slices import EXHAUSTED, FULL, GOAL, LIMIT_HIT, PAUSED, run_in_slices
from amazons_solver.search.watch import Watch, next_size

pytestmark = pytest.mark.compiled


@attrs.define
class Scripted:
    """A search whose slices end as the script says, each after so many seconds of a clock of its own."""

    script: list[int | type[BaseException]]
    watch: Watch = attrs.field(factory=lambda: Watch(Limits(memory_bytes=1_000)))
    nbytes: int = 0
    seconds: float = 0.001
    in_the_way: StopReason | None = None
    now: float = 0.0
    steps: list[int] = attrs.field(factory=list)
    grown: list[int] = attrs.field(factory=list)

    def begin(self) -> None:
        if not self.script:
            raise KeyboardInterrupt

    def resume(self, steps: int) -> int:
        self.steps.append(steps)
        self.now += self.seconds
        status = self.script.pop(0)
        if isinstance(status, int):
            return status
        raise status

    def grow(self, status: int) -> StopReason | None:
        self.grown.append(status)
        return self.in_the_way

    def counts(self) -> Stats:
        return self.watch.counts(len(self.steps), 0, 0)


@pytest.mark.parametrize(
    ("status", "reason"),
    [(EXHAUSTED, StopReason.EXHAUSTED), (GOAL, StopReason.GOAL), (LIMIT_HIT, StopReason.STATES)],
)
def test_it_ends_as_the_loop_does(status: int, reason: StopReason) -> None:
    assert run_in_slices(Scripted([PAUSED, PAUSED, status, EXHAUSTED]), least=1) is reason


def test_room_is_made_and_the_loop_called_again() -> None:
    search = Scripted([FULL, PAUSED, FULL + 2, GOAL])
    assert run_in_slices(search, least=1) is StopReason.GOAL
    assert search.grown == [FULL, FULL + 2]


def test_room_that_may_not_be_made_ends_it() -> None:
    search = Scripted([FULL + 1, GOAL], in_the_way=StopReason.MEMORY)
    assert run_in_slices(search, least=1) is StopReason.MEMORY
    assert len(search.steps) == 1


@pytest.mark.parametrize(
    ("limits", "nbytes", "reason"),
    [
        (Limits(seconds=0), 0, StopReason.SECONDS),
        (Limits(memory_bytes=99), 100, StopReason.MEMORY),
        (Limits(memory_bytes=100), 100, StopReason.GOAL),
        (Limits(seconds=0, memory_bytes=99), 100, StopReason.SECONDS),
    ],
)
def test_limits_are_looked_at_before_anything_is_done(limits: Limits, nbytes: int, reason: StopReason) -> None:
    search = Scripted([GOAL], Watch(limits), nbytes)
    assert run_in_slices(search, least=1) is reason
    assert len(search.steps) == (reason is StopReason.GOAL)


def test_ctrl_c_ends_it_wherever_it_comes() -> None:
    def press(_: Stats) -> None:
        raise KeyboardInterrupt

    telling = Watch(Limits(), press)
    telling._next_report = 0.0
    for search in (Scripted([]), Scripted([PAUSED, KeyboardInterrupt]), Scripted([PAUSED, GOAL], telling)):
        assert run_in_slices(search, least=1) is StopReason.INTERRUPTED


@pytest.mark.parametrize(
    ("seconds", "steps"),
    [
        (0.001, [50, 200, 800, 3200]),  # at most four times as many
        (0.01, [50, 100, 200, 400]),
        (0.02, [50, 50, 50, 50]),
        (0.04, [50, 25, 12, 6]),
        (1.0, [50, 5, 5, 5]),  # and not fewer than the least
    ],
)
def test_slices_come_to_take_the_same_time(seconds: float, steps: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    search = Scripted([PAUSED, PAUSED, PAUSED, GOAL], seconds=seconds)
    monkeypatch.setattr(slices, "time", SimpleNamespace(monotonic=lambda: search.now))
    run_in_slices(search, least=5)
    assert search.steps == steps


@pytest.mark.parametrize(
    ("size", "took", "expected"), [(16, 0.0, 64), (16, 0.1, 32), (16, 0.2, 16), (16, 0.4, 8), (16, 100.0, 1)]
)
def test_the_next_size_is_what_takes_a_fifth_of_a_second(size: int, took: float, expected: int) -> None:
    assert next_size(size, took) == expected
