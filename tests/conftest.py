"""Hypothesis profiles, and a cache directory of the tests' own."""

import os
import tempfile

import hypothesis

# Endgame tables are kept in the user's cache directory: not those of tests. Workers take over the first process's.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _CACHE = tempfile.TemporaryDirectory(prefix="amazons-solver-tests-")
    os.environ["XDG_CACHE_HOME"] = _CACHE.name

hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile("default")
