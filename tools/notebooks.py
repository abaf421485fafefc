"""Run notebooks from top to bottom, and store them with their outputs.

python tools/notebooks.py                     all of notebooks/
python tools/notebooks.py notebooks/vtol.ipynb ...
"""

import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"


def run(path: Path) -> Any:
    """Return a notebook with the outputs of a run in an empty folder, beside which is tests."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "tests").symlink_to(ROOT / "tests")
        folder = Path(place) / FOLDER.name
        folder.mkdir()
        resources = {"metadata": {"path": str(folder)}}
        NotebookClient(notebook, timeout=300, resources=resources).execute()
    return notebook


def clean(notebook: Any) -> None:
    """Remove what differs from run to run, such as the times of cells; make pictures small."""
    notebook.metadata["language_info"] = {"name": "python"}
    for number, cell in enumerate(notebook.cells):
        cell["id"] = str(number)
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr"]
            for data in (output.get("data", {}) for output in cell.outputs):
                if "image/png" in data:
                    data["image/png"] = smaller(data["image/png"])


def smaller(picture: str) -> str:
    """Return a PNG in base64 with a palette of 128 colours, also those of small areas."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
    packed = io.BytesIO()
    image.quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        packed, "PNG", optimize=True
    )
    return base64.b64encode(packed.getvalue()).decode()


def main() -> None:
    """Run and store the notebooks that are named."""
    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        print(path.name, flush=True)
        notebook = run(path)
        clean(notebook)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
