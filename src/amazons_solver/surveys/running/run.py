"""`survey`: a range of numbered deals decided, chunk by chunk, into a ledger."""

from collections.abc import Callable
from pathlib import Path

from amazons_solver.errors import OptionError
from amazons_solver.files import is_same
from amazons_solver.model.arguments import checked
from amazons_solver.model.rules import Rules
from amazons_solver.strategies.players import name_of, strategy_of
from amazons_solver.surveys.plan import MAX_MEMORY, MOST_IN_CHUNK, SOLVER, Question, check_range
from amazons_solver.surveys.result import SurveyProgress, SurveyResult

__all__ = ["survey"]


@checked
def survey(
    deals: range,
    rules: Rules | None = None,
    *,
    ledger: "str | Path | None" = None,
    add: bool = False,
    player: str = SOLVER,
    max_states: int | None = None,
    max_memory: int | None = None,
    workers: int | None = None,
    on: str = "processes",
    chunk: int | None = None,
    retry_undecided: bool = False,
    records: "str | Path | None" = None,
    verify_sample: int = 0,
    seed: int = 0,
    progress: Callable[[SurveyProgress], None] | None = None,
) -> SurveyResult:
    """Decide a range of numbered deals.

    The result depends only on the deals, the rules, the limits and the version of the solver. Chunks that the ledger
    has are not decided again; Ctrl-C, or the death of this process, loses the chunks under way and nothing else.

    Args:
        deals: the numbers of the deals.
        rules: the rules; the default rules when absent.
        ledger: the SQLite file that keeps the findings; without one nothing is kept.
        add: whether the rules may be added to a ledger that has others.
        player: who plays: the solver, or a strategy by its name, such as ``"greedy"`` or ``"one-ace:3"``; ``won`` then
            counts its wins, and moves are counted instead of states.
        max_states: stored states after which a deal is left undecided.
        max_memory: bytes of stored states after which it is; 2 GiB when absent, on every machine.
        workers: how many at once; as many as there are cores when absent.
        on: ``"processes"``, ``"threads"``, or the address of a Dask scheduler, such as ``tcp://host:8786``.
        chunk: deals of a chunk, 500,000 at most, which ends at every multiple of it; as many as take half a
            second when absent.
        retry_undecided: whether to try the ledger's undecided deals again with these limits, instead of deciding more.
        records: the Parquet file to write, a row a deal.
        verify_sample: how many of the deals, drawn at random, are decided once more by the model and proved to the
            checker of certificates.
        seed: chooses them.
        progress: called with the counts so far a few times a second.

    Raises:
        OptionError: there are no such deals, workers or strategy, or a limit is out of range or not for a strategy.
        LedgerError: the ledger is damaged or of something else, or a file cannot be written. Finished chunks are kept.
        WorkerError: workers cannot be had, are of another version, or keep dying. Finished chunks are kept.
        MissingToolError: an optional package is not installed.

    >>> found = survey(range(1_000), Rules(suits="CD", ranks="A78", withhold="nothing"), on="threads")
    >>> found.won + found.lost
    1000
    """
    from amazons_solver.surveys.running.checks import sample_of  # noqa: PLC0415
    from amazons_solver.surveys.running.work import carry_out  # noqa: PLC0415 (numba, numpy and sqlite3 take a while to load)

    check_range(deals)
    if chunk is not None and not 1 <= chunk <= MOST_IN_CHUNK:
        raise OptionError(f"expected chunks of 1 to {MOST_IN_CHUNK:,} deals, got {chunk}")
    if verify_sample < 0:
        raise OptionError(f"expected a sample of at least no deals, got {verify_sample}")
    if retry_undecided and ledger is None:
        raise OptionError("expected a ledger whose undecided deals are to be retried, got none")
    if records is not None and ledger is not None and is_same(Path(records), Path(ledger)):
        raise OptionError(f"expected another file for records than the ledger, got {records}")
    if player != SOLVER:
        if max_states is not None or max_memory is not None or verify_sample or retry_undecided:
            raise OptionError(f"expected limits, samples and retries for the solver alone, got them for {player}")
        player = name_of(strategy_of(player))
    return carry_out(
        deals,
        Question(rules or Rules(), max_states, MAX_MEMORY if max_memory is None else max_memory, player),
        ledger=None if ledger is None else Path(ledger),
        add=add,
        workers=workers,
        on=on,
        chunk=chunk,
        retry_undecided=retry_undecided,
        records=None if records is None else Path(records),
        sample=sample_of(deals, verify_sample, seed),
        progress=progress,
    )
