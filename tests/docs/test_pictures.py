"""The programs of docs/pictures.md run, one after the other."""

import pytest
from PIL import Image

from .conftest import page, programs


@pytest.mark.slow
def test_the_programs_draw_flights(tmp_path, monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.chdir(tmp_path)
    names = {}
    for program in programs(page("pictures.md")):
        exec(program, names)
    for name, count in (("flight.webp", 31), ("hover.gif", 30)):
        with Image.open(name) as image:
            assert image.n_frames == count
