"""What a survey finds, and that it is the same however it was done."""

import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

from amazons_solver import OptionError, Rules, SurveyProgress, SurveyResult, survey
from amazons_solver.kernel.batch import StoppedError
from amazons_solver.surveys.chunks import Chunk, decide_chunk, unpack_records
from amazons_solver.surveys.ledgers.ledger import Ledger
from amazons_solver.surveys.plan import Question, pieces, without
from amazons_solver.surveys.running import work
from support.surveys import FORCED, one_by_one, rows

pytestmark = pytest.mark.compiled

DEALS = range(130, 570)


@pytest.fixture(scope="module")
def expected() -> dict[str, object]:
    return one_by_one(DEALS, FORCED)


def counts(found: SurveyResult) -> dict[str, object]:
    names = ("won", "lost", "states_total", "states", "redeals", "hardest")
    return {name: getattr(found, name) for name in names}


class TestCounts:
    @pytest.mark.parametrize("chunk", [7, 100, 1_000])
    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_they_are_those_of_deals_decided_one_by_one(
        self, chunk: int, workers: int, expected: dict[str, object]
    ) -> None:
        found = survey(DEALS, FORCED, chunk=chunk, workers=workers, on="threads")
        assert counts(found) == expected
        assert (found.deals, found.undecided, found.undecided_deals) == (440, 0, ())
        assert (found.asked, found.rules, found.unit) == (DEALS, FORCED, "boundary states")
        assert 0 < found.won < found.lost  # or the test would say little

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [1, 2])
    def test_processes_find_the_same(self, workers: int, expected: dict[str, object]) -> None:
        assert counts(survey(DEALS, FORCED, chunk=50, workers=workers)) == expected

    def test_the_model_finds_the_same(self) -> None:
        deals = range(100)
        model = one_by_one(deals, FORCED, engine="model")
        found = survey(deals, FORCED, on="threads")
        assert (found.won, found.lost) == (model["won"], model["lost"])

    def test_rules_that_the_kernel_does_not_support(self) -> None:
        # Every pass deals each of the eight cards onto the only depot, so at least the next one can be played in it:
        # eight passes, so seven redeals, are enough for every deal.
        rules = Rules(suits="C", ranks="A2345678", withhold="any", max_redeals=40_000)
        found = survey(range(60), rules, on="threads", chunk=25)
        assert (found.won, found.lost, found.undecided, found.unit) == (60, 0, 0, "states")
        assert max(found.redeals) <= 7

    def test_decks_that_the_kernel_does_not_support(self) -> None:
        rules = Rules(ranks="A2345678", withhold="nothing", idle_passes=1)  # 32 cards
        found = survey(range(6), rules, on="threads", chunk=4)
        expected = one_by_one(range(6), rules, engine="model")
        assert counts(found) == expected
        assert found.unit == "states"

    def test_the_interval_is_that_of_the_counts(self) -> None:
        found = survey(range(100), FORCED, on="threads", max_states=2)
        assert found.undecided > 0
        assert found.won + found.lost + found.undecided == 100
        assert found.interval is not None
        # Wilson's bounds for 0 won of 100 and 0 lost of 100 are the widest there are.
        assert 0 <= found.interval.low <= found.won / 100
        assert (found.won + found.undecided) / 100 <= found.interval.high <= 1


class TestLimits:
    @pytest.mark.parametrize("limits", [{"max_states": 1}, {"max_states": 3}, {"max_memory": 1}])
    def test_a_deal_at_a_limit_is_undecided_and_listed(self, limits: dict[str, int]) -> None:
        found = survey(range(300), FORCED, on="threads", chunk=77, **limits)
        full = survey(range(300), FORCED, on="threads")
        assert found.won <= full.won
        assert found.lost <= full.lost
        assert found.undecided == len(found.undecided_deals) == 300 - found.won - found.lost
        assert list(found.undecided_deals) == sorted(set(found.undecided_deals))
        if "max_states" in limits:
            assert found.undecided > 0
            # What was decided has fewer states than the limit: 2^bits - 1 at most.
            assert max(found.states, default=0) <= limits["max_states"].bit_length()

    @pytest.mark.slow
    @pytest.mark.parametrize("memory", [700_000, 1_200_000, 2_000_000])
    def test_memory_is_a_limit_whatever_the_chunk(self, memory: int) -> None:
        rules = Rules.preset("patiencen").evolve(idle_passes=None, skip_complete=False, withhold="bases")
        first, *others = (
            survey(range(40), rules, on="threads", max_memory=memory, chunk=chunk) for chunk in (40, 1, 13)
        )
        assert all(other == first for other in others)
        assert first.undecided > 0
        assert (first.undecided == 40) == (memory == 700_000)  # which is less than any search takes

    @pytest.mark.parametrize("limits", [{"max_states": 0}, {"max_memory": 0}, {"max_states": 2**63}])
    def test_limits_out_of_range_are_refused(self, limits: dict[str, int]) -> None:
        with pytest.raises(OptionError, match="expected max_"):
            survey(range(10), FORCED, on="threads", **limits)


class TestArguments:
    @pytest.mark.parametrize("deals", [range(0), range(5, 5), range(-1, 5), range(0, 10, 2), range(5, 2**63)])
    def test_a_range_that_is_none_is_refused(self, deals: range) -> None:
        with pytest.raises(OptionError, match="expected deals from a number to a larger one"):
            survey(deals, FORCED, on="threads")

    def test_the_last_deals(self) -> None:
        found = survey(range(2**63 - 6, 2**63 - 1), FORCED, on="threads", chunk=3)
        assert counts(found) == one_by_one(range(2**63 - 6, 2**63 - 1), FORCED)

    @pytest.mark.parametrize("on", ["thread", "", "nowhere"])
    def test_a_place_that_is_none_is_refused(self, on: str) -> None:
        with pytest.raises(OptionError, match="expected processes, threads, or an address"):
            survey(range(5), FORCED, on=on)

    @pytest.mark.parametrize("arguments", [{"workers": 0}, {"chunk": 0}, {"chunk": 500_001}, {"retry_undecided": True}])
    def test_other_arguments_that_are_refused(self, arguments: dict[str, int]) -> None:
        with pytest.raises(OptionError, match="expected"):
            survey(range(5), FORCED, on="threads", **arguments)  # type: ignore[arg-type]

    def test_progress_never_falls_and_ends_where_it_should(self) -> None:
        reports: list[SurveyProgress] = []
        survey(range(40), Rules.preset("wikipedia"), on="threads", chunk=1, progress=reports.append)
        done = [report.done for report in reports]
        assert reports
        assert done == sorted(done)
        assert all(report.won + report.lost + report.undecided == report.done <= report.deals for report in reports)
        assert all(report.deals == 40 for report in reports)

    def test_the_result_is_frozen(self) -> None:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            survey(range(2), FORCED, on="threads").won = 3  # type: ignore[misc]


class TestChunks:
    def test_a_chunk_is_a_pure_function(self) -> None:
        question = Question(FORCED)
        assert decide_chunk(question, 30, 200) == decide_chunk(question, 30, 200)

    def test_wins_are_told_deal_by_deal(self) -> None:
        chunk = decide_chunk(Question(FORCED), 30, 203)
        for number in range(30, 233):
            assert chunk.winnable()[number - 30] == one_by_one(range(number, number + 1), FORCED)["won"]

    def test_records_are_those_of_the_deals(self) -> None:
        chunk = decide_chunk(Question(FORCED), 30, 50, True)
        assert chunk.records is not None
        states, redeals = unpack_records(chunk)
        for number, size, redeal in zip(chunk.deals, states, redeals, strict=True):
            alone = one_by_one(range(number, number + 1), FORCED)
            assert size == alone["states_total"]
            assert redeal == next(iter(alone["redeals"]), -1)

    @pytest.mark.parametrize(
        ("question", "count"),
        [
            (Question(FORCED), 500_000),
            (Question(FORCED, player="greedy"), 500_000),
            (Question(Rules(ranks="A2345678", withhold="nothing")), 2_000),
            (Question(Rules(ranks="A2345678", withhold="nothing"), player="greedy"), 2_000),
        ],
        ids=["kernel", "games", "model", "games by the model"],
    )
    def test_a_chunk_is_given_up_when_it_is_to_stop(self, question: Question, count: int) -> None:
        class SecondLook(threading.Event):
            looks = 0

            def is_set(self) -> bool:
                self.looks += 1
                return self.looks > 1

        with pytest.raises(StoppedError):
            decide_chunk(question, 0, count, stop=SecondLook())

    def test_pieces_do_not_depend_on_where_the_range_begins(self) -> None:
        cuts = {part.stop for part in pieces(range(1_000), 64)}
        for first in range(0, 200, 13):
            parts = list(pieces(range(first, 1_000), 64))
            assert [number for part in parts for number in part] == list(range(first, 1_000))
            assert {part.stop for part in parts} <= cuts

    def test_without_leaves_what_is_missing(self) -> None:
        done = [range(10), range(10, 12), range(15, 20), range(30, 40)]
        for first in range(45):
            for last in range(first + 1, 45):
                left = [number for part in without(range(first, last), done) for number in part]
                assert left == [n for n in range(first, last) if not any(n in part for part in done)]


class TestChunkSizes:
    """Their size fits the work at hand, and nothing that is told depends on it."""

    @staticmethod
    def chunks(monkeypatch: pytest.MonkeyPatch, seconds_a_deal: float, path: Path, last: int = 25_000) -> list[range]:
        def decide(*arguments: Any, **options: Any) -> Chunk:
            chunk = decide_chunk(*arguments, **options)
            return attrs.evolve(chunk, seconds=seconds_a_deal * chunk.count)

        monkeypatch.setattr(work, "decide_chunk", decide)
        found = survey(range(15, last), FORCED, ledger=path, on="threads", workers=2)
        expected = survey(range(15, last), FORCED, on="threads", workers=1, chunk=700)
        assert found == expected
        with Ledger.open(path, write=False) as book:
            return list(book.done(book.entries()[0]))

    def test_quick_deals(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        chunks = self.chunks(monkeypatch, 1e-6, tmp_path / "odds.db")
        assert len(chunks) < 40
        assert chunks[0] == range(15, 16)
        assert max(map(len, chunks)) >= 5_000
        assert not [chunk for chunk in chunks if chunk.start // 10_000 != (chunk.stop - 1) // 10_000]

    def test_slow_deals(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        chunks = self.chunks(monkeypatch, 0.005, tmp_path / "odds.db")  # half a second: 100 deals
        assert max(map(len, chunks)) == 100

    def test_deals_of_seconds_are_chunks_of_one(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        assert set(map(len, self.chunks(monkeypatch, 3.0, tmp_path / "odds.db", 215))) == {1}

    def test_a_ledger_of_larger_chunks_is_gone_on_with(self, tmp_path: Path) -> None:
        survey(range(12_000), FORCED, ledger=tmp_path / "odds.db", on="threads", chunk=10_000)
        before = rows(tmp_path / "odds.db")["chunks"]
        found = survey(range(11_000, 14_000), FORCED, ledger=tmp_path / "odds.db", on="threads")
        assert found == survey(range(11_000, 14_000), FORCED, on="threads", chunk=10_000)
        assert found.decided_now == 2_000
        assert set(before) <= set(rows(tmp_path / "odds.db")["chunks"])
