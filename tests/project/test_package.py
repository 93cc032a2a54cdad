"""What `import amazons_solver` gives, and what it does not load."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import amazons_solver


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}; import sys; print('\\n'.join(sys.modules))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(finished.stdout.split())


@pytest.mark.slow
def test_importing_the_package_loads_no_heavy_library() -> None:
    loaded = modules_after("import amazons_solver")
    assert "amazons_solver.solving.solve" in loaded
    assert loaded.isdisjoint({"networkx", "numba", "numpy", "rich", "typer", "textual", "amazons_solver.graphs.graph"})


SMALL_GRAPH = "from amazons_solver import *; decisions = decision_graph(Deal.numbered(0), Rules(withhold='nothing'))"


@pytest.mark.slow
def test_a_small_graph_loads_networkx_when_it_is_asked_for_and_never_numba() -> None:
    assert modules_after(SMALL_GRAPH).isdisjoint({"networkx", "numba"})
    loaded = modules_after(f"{SMALL_GRAPH}; decisions.graph")
    assert "networkx" in loaded
    assert "numba" not in loaded


@pytest.mark.slow
def test_a_page_of_a_graph_loads_no_networkx(tmp_path: Path) -> None:
    command = f"graph --number 7 --set suits=CD --max-states 1000 -o {tmp_path / 'page.html'} -q".split()
    loaded = modules_after(f"{command_quietly(command)}")
    assert "amazons_solver.explorer.page" in loaded
    assert loaded.isdisjoint({"networkx", "numba"})
    assert (tmp_path / "page.html").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "from amazons_solver.kernel import fits; fits.decides(Rules()), fits.explores(Rules()), fits.refusal(Rules())",
        "assert solve(Deal.numbered(3, RULES), RULES).stats.states > 2_200",
    ],
    ids=["asking what the kernel takes", "a full deck, which it does not take"],
)
def test_no_compiler_is_loaded_by(statement: str) -> None:
    rules = "RULES = Rules.preset('morehead').evolve(ranks='A23456789TJQK')"
    assert "numba" not in modules_after(f"from amazons_solver import *; {rules}; {statement}")


def command_quietly(words: list[str]) -> str:
    run = f"from amazons_solver.cli.app import app; app({words!r}, standalone_mode=False)"
    return f"exec({'import contextlib' + chr(10) + 'with contextlib.suppress(SystemExit): ' + run!r})"


@pytest.mark.slow
def test_running_a_command_loads_numpy_only_for_graphs() -> None:
    loaded = modules_after(command_quietly(["solve", "--number", "0", "--rules", "pysolfc"]))
    assert "amazons_solver.render.text" in loaded
    assert loaded.isdisjoint({"networkx", "numpy", "numba"})


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


ON_ATTRS_ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
import amazons_solver
from amazons_solver import Certificate, Deal, Limits, Rules, State, Verdict, certify, solve, verify
rules = Rules.preset("patiencen")
assert solve(Deal.numbered(2, rules), rules, engine="model").verdict is Verdict.WINNABLE
for number in (2, 3):
    certificate = certify(Deal.numbered(number, rules), rules)
    certificate.write(sys.argv[2])
    verify(Certificate.read(sys.argv[2]))
    print(certificate.verdict)
print(solve(Deal.numbered(205), limits=Limits(states=3_000)).verdict.value)
print(Rules.from_toml('suits = "CD"').suits, State.initial(Deal.numbered(0)).cards_left)
outside = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
print(sorted(name for name in outside if not name.startswith("_")))
"""


@pytest.mark.slow
def test_the_model_proofs_and_their_checker_run_on_attrs_alone(tmp_path: Path) -> None:
    """In an interpreter that sees the standard library, attrs and this package, and nothing else."""
    alone = tmp_path / "alone"
    for package in ("attr", "attrs", "amazons_solver"):
        source = Path(importlib.import_module(package).__file__ or "").parent
        shutil.copytree(source, alone / package, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-I", "-S", "-c", ON_ATTRS_ALONE, alone, tmp_path / "proof.json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 0, found.stderr
    *answers, outside = found.stdout.splitlines()
    assert answers == ["winnable", "unwinnable", "undecided", "CD 28"]
    assert outside == "['amazons_solver', 'attr', 'attrs']"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "code", "message"),
    [
        ("pysol_cards", "Deal.pysolfc('1')", "expected pysol-cards for the deals of PySolFC: pip install pysol-cards"),
        ("tomli_w", "Rules().to_toml()", "expected tomli-w to write TOML: pip install tomli-w"),
    ],
)
def test_what_is_missing_is_named_where_it_is_needed(module: str, code: str, message: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None\nfrom amazons_solver import *\n"
    program += f"try:\n    {code}\nexcept MissingToolError as error:\n    print(error)\n"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout == f"{message}\n"


NAMES = """
import importlib, pkgutil, random, re, sys
import amazons_solver
page, order = sys.argv[1:]
listed = re.findall(r"^\\.\\. auto\\w+:: (\\w+)$", open(page, encoding="utf-8").read(), re.M)
names = ({*listed} | {*amazons_solver.__all__}) - {"amazons_solver"}
assert len(names) > 60, names
def found():
    return {name: getattr(amazons_solver, name) for name in names}
before = found() if order == "names first" else None
modules = [found.name for found in pkgutil.walk_packages(amazons_solver.__path__, "amazons_solver.")]
modules = [name for name in modules if not name.endswith(("__main__", "hook-amazons_solver"))]
if order == "shuffled":
    random.Random(1).shuffle(modules)
for name in reversed(modules) if order == "last first" else modules:
    importlib.import_module(name)
for name, value in found().items():
    assert before is None or value is before[name], name
    assert not isinstance(value, type(sys)), name
    assert getattr(sys.modules[getattr(value, "__module__", "amazons_solver")], name, value) is value, name
"""


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("order", ["names first", "first first", "last first", "shuffled"])
def test_no_module_takes_the_place_of_a_public_name(order: str) -> None:
    """Whatever submodules are imported, in any order: every name that is listed is the object."""
    page = Path(__file__).parent.parent.parent / "docs" / "api.md"
    subprocess.run([sys.executable, "-c", NAMES, page, order], check=True, timeout=120)
