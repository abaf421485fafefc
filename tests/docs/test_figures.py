"""The pictures of the pages: the paths that their vehicles follow, and that they can be drawn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LARGEST = {".png": 200_000, ".webp": 1_500_000}  # bytes, by suffix


def figures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("figures", ROOT / "tools" / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_all_pictures_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("gymnasium")
    monkeypatch.setattr("sys.argv", ["figures.py", str(tmp_path)])
    figures().main()
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in (ROOT / "docs").iterdir() if path.suffix in LARGEST}
    sizes = {path: path.stat().st_size for path in tmp_path.iterdir()}
    assert all(10_000 < size < LARGEST[path.suffix] for path, size in sizes.items())
