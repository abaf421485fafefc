"""Notebooks run from top to bottom, and are stored with the outputs of a run."""

import ast
import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 300_000  # bytes


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_with_outputs_that_are_the_same_next_time(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    check_pictures(notebook)
    told = path.read_text(encoding="utf-8")
    assert not re.search(r" at 0x[0-9a-f]{6}|/tmp/", told)  # of objects and folders of one run
    assert len(told) < LARGEST


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
    notebooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebooks)
    notebook = nbformat.read(path, as_version=4)
    for module in notebook.metadata.get("pyrfly", {}).get("needs", []):
        pytest.importorskip(module)  # of an extra that `test` does not have
    stored = kinds(notebook)
    notebook = notebooks.run(path)
    check_pictures(notebook)
    assert kinds(notebook) == stored  # or python tools/notebooks.py


def check_pictures(notebook):
    """Check that each cell that plots shows one picture, and no cell failed."""
    for cell in code_cells(notebook):
        pictures = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        plots = re.search(r"\bplt\.\w+\(|\bplot_flight\(", cell.source)
        assert len(pictures) == bool(plots), cell.source
        assert not any(output.output_type == "error" for output in cell.outputs)


def kinds(notebook):
    """Return what each cell shows, but warnings: text, picture, table."""
    shown = [
        [o for o in cell.outputs if o.get("name") != "stderr"] for cell in code_cells(notebook)
    ]
    return [[sorted(o.get("data", {o.output_type: 0})) for o in outputs] for outputs in shown]


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
