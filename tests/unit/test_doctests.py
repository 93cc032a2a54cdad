"""The examples in docstrings, of the package as it is installed."""

import doctest
import importlib
import pkgutil

import pytest

import amazons_solver

MODULES = [
    "amazons_solver",
    *(
        found.name
        for found in pkgutil.walk_packages(amazons_solver.__path__, "amazons_solver.")
        if not found.name.endswith(("__main__", "hook-amazons_solver"))  # the latter is for PyInstaller alone
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    tests = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(tests) >= 14
