"""The notebook that tours the library shows what its cells do."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

TOUR = Path(__file__).parent.parent.parent / "examples" / "tour.ipynb"


def outputs(notebook: NotebookNode) -> list[tuple[str, list[dict[str, str]]]]:
    """What each cell of code prints, however it comes in pieces, and what it shows."""
    return [
        (
            "".join(output.text for output in cell.outputs if output.output_type == "stream"),
            [output.data for output in cell.outputs if output.output_type != "stream"],
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_tour_runs_and_shows_what_it_showed() -> None:
    committed = nbformat.read(TOUR, as_version=4)
    executed = nbformat.read(TOUR, as_version=4)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(executed, timeout=120, record_timing=False).execute()  # raises where a cell does
    # After a change that shows: jupyter execute --inplace examples/tour.ipynb
    assert outputs(executed) == outputs(committed)
    kinds = {kind for _, shown in outputs(committed) for data in shown for kind in data}
    assert kinds == {"image/svg+xml", "text/html", "text/plain"}
