"""The program of docs/pictures.md runs."""

import pytest
from PIL import Image

from .conftest import page, programs


@pytest.mark.slow
def test_the_program_draws_a_flight(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (program,) = programs(page("pictures.md"))
    exec(program, {})
    with Image.open("flight.webp") as image:
        assert image.n_frames == 31
