"""The notebooks run from top to bottom, and are kept without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda file: file.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def shown(notebook):
    """Formats that the last expression of each cell is shown in."""
    return [
        set(output["data"]) for cell in notebook.cells for output in cell.get("outputs", ()) if output["output_type"] == "execute_result"
    ]


def test_a_notebook_is_kept_without_outputs(notebook):
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_a_notebook_runs_on_a_small_run_of_its_own(notebook, tmp_path, monkeypatch):
    monkeypatch.delenv("COSMIC_RUN", raising=False)
    monkeypatch.setenv("COSMIC_DEALS", "300")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert sum("image/svg+xml" in formats for formats in shown(notebook)) >= 2
