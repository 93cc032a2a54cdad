"""How the documentation site is built: sphinx-build -W -n docs build/site."""

import importlib.metadata
from typing import Any

import amazons_solver

project = "amazons-solver"
author = "The amazons-solver developers"
copyright = author  # noqa: A001 (Sphinx's name)
release = importlib.metadata.version("amazons-solver")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3

html_theme = "furo"
html_title = project
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 100
autodoc_default_options = {"members": True, "undoc-members": True}
napoleon_numpy_docstring = False
default_role = "code"  # single backquotes in docstrings

# Names of other libraries are not linked: their sites would be asked at every build.
# The second: in the signatures of what only functions make.
nitpick_ignore_regex = [
    ("py:.*", r"(?!amazons_solver).*"),
    (
        "py:class",
        r"amazons_solver\.(solving\.game\.Game|hints\.knowledge\._Step|graphs\.arrays\.Notation)",
    ),
]


def _public(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Link the name of a class where it is defined to where it is public."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in amazons_solver.__all__:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", f"amazons_solver.{name}", node, contnode)


_AS_WRITTEN: dict[str, list[str]] = {}


def _keep(_app: Any, what: str, name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    if what in {"attribute", "data", "property"}:
        _AS_WRITTEN[name] = lines.copy()


def _restore(_app: Any, _what: str, name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Napoleon takes what stands before a colon in the text of a property for its type; here it is text."""
    if any(line.startswith(":type:") for line in lines):
        lines[:] = _AS_WRITTEN[name]


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", _keep, priority=400)  # Napoleon has 500
    app.connect("autodoc-process-docstring", _restore, priority=600)
    app.connect("missing-reference", _public)
