"""The project's checks by name: ``nox -l`` lists them, ``nox -s lint types`` runs two, ``nox`` all but the slow ones.

They run in the environment from which nox is started, into which the one command of CONTRIBUTING.md has installed the
project.
"""

import shutil
from pathlib import Path

import nox
from nox.command import CommandFailed

nox.options.default_venv_backend = "none"
nox.options.error_on_external_run = False
nox.options.sessions = ["fast", "lint", "types", "imports", "examples", "web", "docs", "forge"]


@nox.session
def tests(session: nox.Session) -> None:
    """All tests but the heavy ones, some minutes; arguments after -- go to pytest."""
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def fast(session: nox.Session) -> None:
    """Some 1,500 tests in ten seconds: those that load no compiler and take no time, and fail if they do load it."""
    session.run("pytest", "-q", "-n", "auto", "-m", "not slow and not compiled", *session.posargs)


@nox.session
def heavy(session: nox.Session) -> None:
    """Tests that take an hour or more: every deal of larger small decks, long fuzzing."""
    session.run("pytest", "-n", "auto", "-m", "heavy", *session.posargs)
    properties = sorted(map(str, Path("tests").glob("*/test_*_properties.py")))
    session.run("pytest", *properties, "--hypothesis-profile=fuzz", "--timeout=0", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff's rules and layout, and spelling."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")


@nox.session
def types(session: nox.Session) -> None:
    """Types, strictly."""
    session.run("mypy")


@nox.session
def imports(session: nox.Session) -> None:
    """That imports point down only."""
    session.run("lint-imports")


@nox.session
def examples(session: nox.Session) -> None:
    """The examples, as scripts."""
    for example in sorted(Path("examples").glob("*.py")):
        session.run("python", str(example), silent=True)


@nox.session
def web(session: nox.Session) -> None:
    """The types of the explorer page's program, where there is Node; that it was built from its sources is a test."""
    if shutil.which("npm") is None:
        session.skip("npm is not installed")
    with session.chdir("web"):
        try:
            session.run("npm", "ci", "--silent", external=True)
        except CommandFailed:
            session.skip("its packages cannot be had")
        session.run("npm", "run", "--silent", "check", external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation site; every warning, such as a link to what is not there, is an error."""
    options = ["--nitpicky", "--fail-on-warning", "--keep-going", "--quiet"]
    session.run("sphinx-build", "--builder", "html", *options, "docs", "build/site")


@nox.session
def forge(session: nox.Session) -> None:
    """The files that a public forge reads: workflows, issue forms, the citation."""
    workflows = [str(path) for path in sorted(Path(".github/workflows").glob("*.yml"))]
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("zizmor", "--offline", "--quiet", *workflows)
    forms = [str(path) for path in sorted(Path(".github/ISSUE_TEMPLATE").glob("*.yml")) if path.stem != "config"]
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *forms)
    session.run("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")


@nox.session
def release(session: nox.Session) -> None:
    """Build sdist and wheel into dist/, check them, and run the tests against the wheel, installed by itself."""
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build", "--quiet")
    built = sorted(map(str, Path("dist").iterdir()))
    session.run("twine", "check", "--strict", *built)
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (sdist,) = (path for path in built if path.endswith(".tar.gz"))
    (wheel,) = (path for path in built if path.endswith(".whl"))
    session.run("python", "-m", "venv", str(folder / "venv"))
    python = str(folder / "venv" / "bin" / "python")
    session.run(python, "-m", "pip", "install", "--quiet", f"{Path(wheel).resolve()}[test]", external=True)
    shutil.unpack_archive(sdist, folder, filter="data")
    (unpacked,) = folder.glob("amazons_solver-*")
    shutil.rmtree(unpacked / "src")  # so that it is the wheel that is tested
    with session.chdir(unpacked):
        session.run(python, "-m", "pytest", "-n", "auto", *session.posargs, external=True)
