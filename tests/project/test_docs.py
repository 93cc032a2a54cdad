"""What the README and the pages of docs/ show is what the library does; `pages` says how they are read."""

import datetime
import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

import amazons_solver
from amazons_solver import errors
from amazons_solver.model.version import RELEASE
from support.pages import PAGES, ROOT, run_page

IMAGES = ROOT / "docs" / "images"


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    drawn = tmp_path / "docs" / "images"
    drawn.mkdir(parents=True)
    run_page(page.read_text(encoding="utf-8"), page.name)
    for image in drawn.iterdir():
        assert image.read_bytes() == (IMAGES / image.name).read_bytes(), f"{image.name} is not what {page.name} draws"


def test_every_picture_has_its_command_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    drawn = re.findall(r"^\$ amazons-solver show .* -o docs/images/(\S+)$", text, flags=re.MULTILINE)
    assert sorted(drawn) == sorted(image.name for image in IMAGES.glob("*.svg"))
    for image in drawn:
        assert f"](images/{image})" in text


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])  # those of the site are checked as it is built
def test_links_lead_somewhere(page: str) -> None:
    tokens = MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8"))
    targets = [str(child.attrs["href"]) for token in tokens for child in token.children or [] if "href" in child.attrs]
    for target in targets:
        assert target.startswith("https://") or (ROOT / target.partition("#")[0]).exists(), target


def test_the_reference_has_every_public_name() -> None:
    listed = re.findall(
        r"^\.\. (?:auto)?\w+:: (\w+)$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(amazons_solver.__all__) <= {*listed, *errors.__all__}  # errors are listed as a module


def test_what_is_to_be_cited_is_this_package() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cited["version"] == RELEASE == importlib.metadata.version("amazons-solver")
    assert cited["repository-code"] == project["urls"]["Repository"]
    assert datetime.date.fromisoformat(cited["date-released"]) >= datetime.date(2026, 12, 1)


TRUE_PAGE = """
```python
x = 1
```
```pycon
>>> x + 1
2
```
<!-- file: one.txt -->
```text
AC 7C
```
```console
$ amazons-solver deal --file one.txt --set suits=C --set ranks=A7 > two.txt
$ amazons-solver deal --file two.txt --set suits=C --set ranks=A7
AC 7C

$ amazons-solver deal --seed one
error: expected a whole number of at least 0 for --seed, got 'one'
$ echo $?
2
```

    amazons-solver solve --number 1 --max-states 5  # five are few
"""


class TestMechanism:
    """A page that is wrong fails."""

    def test_what_is_true_passes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        run_page(TRUE_PAGE, "page")

    @pytest.mark.parametrize(
        "page",
        [
            "```python\nassert 1 == 2\n```",
            "```pycon\n>>> 1 + 1\n3\n```",
            "```pycon\nnothing\n```",
            "```console\n$ amazons-solver deal --set suits=C --set ranks=A AC\nAS\n```",
            "```console\n$ amazons-solver solve AC\n```",
            "```console\n$ ls\n```",
            "```console\namazons-solver deal AC\n```",
            "```js\n1\n```",
            "    amazons-solver solve --no-such-option",
            "    amazons-solver no-such-command",
            "    python no/such/script.py",
            "<!-- not run: it takes long -->\n```console\n$ amazons-solver solve --order up\n```",
        ],
    )
    def test_what_is_not_fails(self, page: str) -> None:
        with pytest.raises(AssertionError):
            run_page(page, "page")
