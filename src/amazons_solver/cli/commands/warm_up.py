"""``warm-up``: compile now what would be compiled at first use."""

import os

from amazons_solver.cli import console
from amazons_solver.cli.options import Quiet
from amazons_solver.errors import OptionError

EXAMPLES = """\b
Examples:
  amazons-solver warm-up
  NUMBA_CACHE_DIR=/opt/amazons-code amazons-solver warm-up
"""


def command(*, _quiet: Quiet = False) -> None:
    """Compile what the commands need, and keep it for later runs: for container images and installations to share.

    Without it the first command that needs the compiled search waits for that, 10 to 50 seconds, once on a machine.
    The machine code is kept next to the sources if you and nobody else can write there, else in your cache folder;
    NUMBA_CACHE_DIR names another folder.
    """
    from amazons_solver.graphs.arrays import labelled
    from amazons_solver.graphs.building import by_kernel
    from amazons_solver.kernel import kept, waiting
    from amazons_solver.kernel.batch import decide_numbered
    from amazons_solver.kernel.boundaries import table_store
    from amazons_solver.kernel.boundaries.keys import new_search
    from amazons_solver.kernel.boundaries.search import search_fewest, search_state
    from amazons_solver.kernel.config import config_of
    from amazons_solver.kernel.exact.closure import closed_set
    from amazons_solver.kernel.playing import play_deals, play_numbered
    from amazons_solver.kernel.storage import fill_slots
    from amazons_solver.model.deals import Deal
    from amazons_solver.model.rules import Rules
    from amazons_solver.model.state import State
    from amazons_solver.search.limits import Limits
    from amazons_solver.solving.game import Game

    if not any(kept.code_folders()):
        raise _no_folder()
    # An unwinnable deal for which every array has to grow, from its start and from inside a pass.
    rules = Rules.preset("patiencen").evolve(skip_complete=False, withhold="bases")
    deal = Deal.numbered(3, rules)
    start = State.initial(deal, rules)
    for state in (start, start.play_line(start.legal_moves()[:1])):
        search_state(state, Limits(), tables=0)
        search_fewest(state, 1_000, Limits(), tables=0)
        closed_set(state, Limits())
    found, _ = by_kernel(Game(start), Limits(states=50_000))
    labelled(found, {})
    found.notation.ids(found.offsets[:2])  # as numbers of states
    found.notation.texts(found.offsets[:2])
    search = new_search(1 << 8)
    fill_slots(search.keys, search.slots, 0, 0)
    decide_numbered(0, 2, rules, tables=0)
    play_numbered(0, 2, rules, 0)
    play_deals([deal], rules, 0, game=[0])
    config = config_of(Rules(suits="CD", ranks="A78"))
    table_store.build_table(config, table_store.plan_of(config, 2))
    seconds = waiting.seconds()
    console.message(f"compiled in {seconds:.1f} s" if seconds else "compiled before: there was nothing to do")
    if not kept.has_code("boundaries.search_loop.resume"):
        raise _no_folder()


def _no_folder() -> OptionError:
    named = os.environ.get("NUMBA_CACHE_DIR")
    return OptionError(
        "expected a folder in which machine code can be kept, got "
        + (f"NUMBA_CACHE_DIR={named}" if named else "none: set NUMBA_CACHE_DIR")
        + " (an absolute path, where you may write and nobody else)"
    )
