"""Difficulty measured again by the naive reference, and numbered deals found in batches against one by one."""

import itertools
import os
import signal
import threading
import time
from fractions import Fraction

import pytest

from amazons_solver import PRESETS, Deal, Limits, OptionError, Rules, UndecidedError, Verdict, solve
from amazons_solver.kernel import batch
from amazons_solver.strategies.difficulty import BOUNDS, GAMES, difficulty, lost_share
from amazons_solver.strategies.players import Greedy, OneAce, RandomLegal
from amazons_solver.strategies.playout import play_out
from amazons_solver.surveys import finding
from amazons_solver.surveys.finding import find_deals
from support import reference
from support.known import load_verdicts
from support.proofs import truth

pytestmark = pytest.mark.compiled

SMALL = [
    Rules.preset("ultimate").evolve(suits="CDH", ranks="A7"),
    Rules.preset("patiencen").evolve(suits="CDH", ranks="A7"),
    Rules(suits="CD", ranks="A78", gather="right-over-left"),
    Rules.preset("pysolfc").evolve(suits="CD", ranks="A78"),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL, ids=["ultimate", "patiencen", "bases", "pysolfc"])
def test_measured_again(rules: Rules) -> None:
    """Every state of the deal is labelled by the reference, which then walks the line."""
    fields = rules.to_dict()
    fatal_deals = 0
    for number in range(25):
        deal = Deal.numbered(number, rules)
        found = difficulty(deal, rules)
        assert (found is None) == (truth(fields, str(deal)) == "unwinnable")  # type: ignore[arg-type]
        if found is None:
            continue
        space = reference.explore(fields, str(deal), "exact")  # type: ignore[arg-type]
        wins = reference.winnable(space)
        state = reference.initial(fields, str(deal))  # type: ignore[arg-type]
        choices = fatal = 0
        for move in found.solution.line or ():
            following = dict(reference.moves(fields, state))  # type: ignore[arg-type]
            choices += len(following) > 1
            fatal += not all(after in wins for after in following.values())
            state = following[str(move)]
        assert reference.is_won(fields, state)  # type: ignore[arg-type]
        assert (found.choices, found.fatal) == (choices, fatal)
        games = [play_out(RandomLegal(game=game), deal, rules).won for game in range(GAMES)]
        won = [play_out(Greedy(), deal, rules).won, play_out(OneAce(), deal, rules).won, Fraction(sum(games), GAMES)]
        assert found.lost == lost_share(deal, rules) == pytest.approx(1 - float(sum(won, Fraction())) / 3)
        assert found.number == pytest.approx(50 * found.lost + (50 * fatal / choices if choices else 0))
        fatal_deals += fatal > 0
    assert (fatal_deals > 0) == (rules.build == "suit")


@pytest.mark.slow
def test_levels() -> None:
    """Every number from 0 to 100 is of one level, and asking for a level gives the deals that are of it."""
    edges = [edge for bounds in BOUNDS.values() for edge in bounds]
    assert edges[0] == 0
    assert edges[-1] > 100
    assert edges[1:-1:2] == edges[2:-1:2]
    rules = Rules.preset("ultimate")
    winnable = itertools.islice(find_deals(rules, Verdict.WINNABLE), 20)
    deals = [Deal.numbered(one.number, rules) for one in winnable]
    measured = [difficulty(deal, rules) for deal in deals]
    assert len({one.level for one in measured if one is not None}) > 1
    for deal, one in zip(deals, measured, strict=True):
        assert one is not None
        assert BOUNDS[one.level][0] <= one.number < BOUNDS[one.level][1]
        assert [level for level in BOUNDS if difficulty(deal, rules, level=level) is not None] == [one.level]


def test_difficulty_refuses_and_gives_up() -> None:
    with pytest.raises(OptionError, match="expected a difficulty \\(easy, medium, hard\\), got 'trivial'"):
        difficulty(Deal.numbered(0), level="trivial")  # type: ignore[arg-type]
    with pytest.raises(UndecidedError, match="stopped by states"):
        difficulty(Deal.numbered(0), limits=Limits(states=1))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_known_verdicts_are_found(preset: str) -> None:
    rules = Rules.preset(preset)
    known = [row for row in load_verdicts() if row["preset"] == preset and row["set"] == {} and "deal" in row]
    numbers = {row["deal"]: row["verdict"] for row in known if isinstance(row["deal"], int)}
    first = min(numbers)
    last = next(number for number in itertools.count(first) if number + 1 not in numbers)
    for verdict in (Verdict.WINNABLE, Verdict.UNWINNABLE):
        expected = [number for number in range(first, last + 1) if numbers[number] == verdict.value]
        found = itertools.islice(find_deals(rules, verdict, first=first), len(expected))
        assert [one.number for one in found] == expected


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=100)], ids=["batches", "one by one"])
def test_batches_and_one_by_one(limits: Limits) -> None:
    rules = SMALL[0]
    expected = [
        number for number in range(5, 60) if solve(Deal.numbered(number, rules), rules).verdict is Verdict.UNWINNABLE
    ]
    found = find_deals(rules, Verdict.UNWINNABLE, first=5, limits=limits)
    assert [one.number for one in itertools.takewhile(lambda one: one.number < 60, found)] == expected


def test_the_undecided_are_told_and_not_yielded() -> None:
    told: list[int] = []
    with pytest.raises(UndecidedError, match="got 1,000 undecided in a row"):
        next(find_deals(Rules(), Verdict.WINNABLE, limits=Limits(states=2), on_undecided=told.append))
    assert told == list(range(1000))


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=100)], ids=["batches", "one by one"])
def test_a_search_for_what_is_not_there_ends(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MOST_TRIED", 3_000)
    single = Rules(suits="C", ranks="A78", withhold="any")  # a single suit is never lost (docs/small-decks.md)
    with pytest.raises(UndecidedError, match="expected unwinnable deals, got none among 3,000 in a row"):
        next(find_deals(single, "unwinnable", limits=limits))
    assert next(find_deals(single, "winnable", limits=limits)).number == 0


def test_deals_of_a_difficulty() -> None:
    rules = Rules.preset("patiencen")
    found = list(itertools.islice(find_deals(rules, level="hard"), 3))
    expected = (
        number
        for number in range(1000)
        if (one := difficulty(Deal.numbered(number, rules), rules)) and one.level == "hard"
    )
    assert [one.number for one in found] == list(itertools.islice(expected, 3))
    assert all(one.difficulty is not None and one.difficulty.level == "hard" for one in found)


@pytest.mark.slow
def test_a_search_that_is_left_ends_at_once() -> None:
    """Also within a deal that takes a long time."""
    rules = Rules(ranks="A234567", base_placement="above", withhold="any", max_redeals=10)
    assert next(find_deals(Rules.preset("patiencen"), "winnable")).number == 2  # compiled from here on
    interrupted: list[float] = []

    def interrupt() -> None:
        interrupted.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(1.0, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        next(find_deals(rules, Verdict.UNWINNABLE, first=781327))
    while any("ThreadPoolExecutor" in each.name for each in threading.enumerate()):
        time.sleep(0.01)
    assert time.monotonic() - interrupted[0] < 5  # the deal takes minutes


@pytest.mark.parametrize("cores", [1, 8])
def test_the_limit_on_memory_is_a_deal_s_whatever_the_cores(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.preset("patiencen").evolve(idle_passes=None, skip_complete=False, withhold="bases")
    monkeypatch.setattr(finding, "usable_cores", lambda: cores)
    told: list[int] = []
    found = find_deals(rules, Verdict.WINNABLE, limits=Limits(memory_bytes=1_200_000), on_undecided=told.append)
    for _ in itertools.takewhile(lambda one: one.number < 40, found):
        pass
    undecided = [number for number in told if number < 40]
    alone = batch.decide_numbered(0, 40, rules, limits=Limits(memory_bytes=1_200_000)).verdict.tolist()
    assert undecided == [number for number, verdict in enumerate(alone) if verdict == batch.UNDECIDED]
    assert 0 < len(undecided) < 40


def test_the_last_numbers() -> None:
    rules = SMALL[0]
    first = 2**64 - 50
    won, lost = (list(find_deals(rules, verdict, first=first)) for verdict in (Verdict.WINNABLE, Verdict.UNWINNABLE))
    assert sorted(one.number for one in (*won, *lost)) == list(range(first, 2**64))


def test_finding_refuses() -> None:
    with pytest.raises(OptionError, match="winnable or unwinnable, got undecided"):
        find_deals(Rules(), Verdict.UNDECIDED)
    for wrong in ("won", "undecided", None, True):
        with pytest.raises(OptionError, match=f"winnable or unwinnable, got {wrong!r}"):
            find_deals(Rules(), wrong)  # type: ignore[arg-type]
    for level, shown in (("harder", "'harder'"), (["easy"], r"\['easy'\]")):
        with pytest.raises(OptionError, match=f"expected a difficulty .*, got {shown}"):
            find_deals(Rules(), level=level)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected winnable deals to be hard, got unwinnable"):
        find_deals(Rules(), "unwinnable", level="hard")
    for first in (-1, 2**64):
        with pytest.raises(OptionError, match="expected deal numbers from 0 to"):
            find_deals(Rules(), Verdict.WINNABLE, first=first)
