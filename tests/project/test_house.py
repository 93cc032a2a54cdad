"""How large the house may grow, and what stands at its root."""

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "src" / "amazons_solver"
SOURCES = sorted(PACKAGE.rglob("*.py"))

pytestmark = pytest.mark.skipif(not SOURCES, reason="the package is tested as it was installed")


@pytest.mark.parametrize(("folder", "most"), [("src", 400), ("tests", 500)])
def test_no_file_has_too_many_lines(folder: str, most: int) -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in (ROOT / folder).rglob("*.py")}
    assert {str(path): count for path, count in lines.items() if count > most} == {}


def test_no_folder_has_more_than_14_files() -> None:
    folders = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    assert {str(folder): count for folder, count in folders.items() if count > 14} == {}


def test_the_root_has_rooms_and_four_modules() -> None:
    assert {path.stem for path in SOURCES if path.parent == PACKAGE} == {"__init__", "__main__", "errors", "files"}
