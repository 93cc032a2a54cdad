"""What `import amazons_solver` gives, and what it does not load."""

import subprocess
import sys

import pytest

import amazons_solver


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}; import sys; print('\\n'.join(sys.modules))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(finished.stdout.split())


def test_importing_the_package_loads_no_heavy_library() -> None:
    loaded = modules_after("import amazons_solver")
    assert "amazons_solver.solve" in loaded
    assert loaded.isdisjoint({"networkx", "numba", "numpy", "rich", "typer", "textual", "amazons_solver.graph"})


def test_the_names_of_the_graph_load_networkx_when_asked_for() -> None:
    loaded = modules_after("from amazons_solver import Deal, decision_graph")
    assert "networkx" in loaded
    assert "numba" not in loaded


def test_running_a_command_loads_networkx_only_for_graphs() -> None:
    run = "from amazons_solver.cli.app import app; app({}, standalone_mode=False)"
    quiet_exit = "import contextlib\nwith contextlib.suppress(SystemExit): " + run
    loaded = modules_after(f"exec({quiet_exit.format(['solve', '--number', '0', '--rules', 'pysolfc'])!r})")
    assert "amazons_solver.render.text" in loaded
    assert loaded.isdisjoint({"networkx", "numba"})


def test_all_is_sorted_as_ruff_sorts_it() -> None:
    def kind(name: str) -> int:
        return 0 if name.isupper() else 1 if name[0].isupper() else 2  # constants, classes, functions

    assert amazons_solver.__all__ == sorted(amazons_solver.__all__, key=lambda name: (kind(name), name))


@pytest.mark.parametrize("name", amazons_solver.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(amazons_solver, name) is not None


def test_dir_lists_every_public_name() -> None:
    listed = dir(amazons_solver)
    assert set(amazons_solver.__all__) <= set(listed)
    assert "__name__" in listed


def test_the_names_of_the_contract_are_public() -> None:
    contract = "Certificate Deal DecisionGraph Limits Rules State Verdict certify decision_graph solve verify"
    assert set(contract.split()) <= set(amazons_solver.__all__)


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        amazons_solver.nothing  # noqa: B018
