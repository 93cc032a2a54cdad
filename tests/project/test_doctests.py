"""The examples in docstrings, of the package as it is installed."""

import doctest
import importlib
import inspect
import pkgutil
import types

import pytest

import amazons_solver

pytestmark = pytest.mark.compiled

MODULES = [
    "amazons_solver",
    *(
        found.name
        for found in pkgutil.walk_packages(amazons_solver.__path__, "amazons_solver.")
        if not found.name.endswith(("__main__", "hook-amazons_solver"))  # the latter is for PyInstaller alone
    ),
]


class Finder(doctest.DocTestFinder):
    """One that knows a decorated function as its module's own."""

    def _from_module(self, module: types.ModuleType | None, object: object) -> bool:  # noqa: A002 (doctest's word)
        unwrapped = inspect.unwrap(object) if callable(object) else object
        return super()._from_module(module, unwrapped)  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    runner = doctest.DocTestRunner()
    for test in Finder().find(importlib.import_module(name), name):
        runner.run(test)
    assert runner.failures == 0


def test_there_are_examples() -> None:
    tests = [test.name for name in MODULES for test in Finder().find(importlib.import_module(name)) if test.examples]
    assert len(tests) >= 14
    assert "amazons_solver.solving.solve.solve" in tests
    assert "amazons_solver.model.deals.Deal.numbered" in tests
