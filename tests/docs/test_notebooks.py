"""Notebooks run from top to bottom, and are stored without outputs."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    for module in notebook.metadata.get("pyrfly", {}).get("needs", []):
        pytest.importorskip(module)  # of an extra that `test` does not have
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell in code_cells(notebook):
        if re.search(r"\bplt\.\w+\(|\bplot_flight\(", cell.source):
            shown = [output for output in cell.outputs if "image/png" in output.get("data", {})]
            assert len(shown) == 1, cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_figure_that_is_returned_is_the_value_of_its_cell(path):
    for cell in code_cells(nbformat.read(path, as_version=4)):
        if "plot_flight(" in cell.source:
            last = ast.parse(cell.source.replace("%matplotlib inline", "")).body[-1]
            assert isinstance(last, ast.Expr), cell.source
            assert last.value.func.id == "plot_flight"
            assert not cell.source.rstrip().endswith(";")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
