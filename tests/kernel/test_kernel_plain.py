"""The kernel without its compiler: the same functions, run by Python itself, so that coverage can look at them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

TESTS = Path(__file__).parents[1]

PROGRAM = """
import json
import random
import sys
import numba
import numpy as np
np.seterr(over="ignore")  # a hash is meant to overflow
from amazons_solver import REDEAL, Deal, Rules, State
from amazons_solver.kernel.boundaries import search_loop
from amazons_solver.kernel.batch import decide_deals
from support.choices import COMBINATIONS, LIMITS
from support.games import NONE, model_wins, walk
from support.kernel_checks import check

assert numba.config.DISABLE_JIT
search_loop.LEAP = int(sys.argv[1])
assert not hasattr(search_loop.resume, "py_func")
source, verdicts = random.Random(6), []
for fields in COMBINATIONS[::3]:
    rules = Rules(suits="CDH", ranks="A7", **fields, **source.choice(LIMITS))
    deal = Deal.numbered(source.getrandbits(64), rules)
    start = State.initial(deal, rules)
    wins = model_wins(start)
    check(start, wins)
    assert decide_deals([deal], rules, tables=0).verdict.tolist() == [wins]
    later = walk(start, 7, source)
    check(later, model_wins(later))
    verdicts.append(wins)
full = Rules(withhold="nothing")
for number in range(3):
    start = State.initial(Deal.numbered(number, full), full)
    check(start, model_wins(start))
print(json.dumps(verdicts))
"""


@pytest.mark.parametrize("leap", ["64", "2"])  # on small decks a search would hardly ever go on somewhere else
def test_small_deals_are_decided_alike(leap: str) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, leap], env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    verdicts = json.loads(finished.stdout)
    assert len(verdicts) == 56
    assert set(verdicts) == {True, False}
