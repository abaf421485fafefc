"""``pyrfly demo``: files of what moves."""

import numpy as np
import pytest
from PIL import Image

from pyrfly.cli import main


@pytest.mark.slow
def test_page_has_the_flight(tmp_path, capsys):
    file = tmp_path / "shown" / "demo.html"
    assert main(["demo", "--seconds", "2", "-o", str(file), "--no-browser"]) == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert 'id="flight"' in file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_picture_moves(tmp_path):
    file = tmp_path / "demo.webp"
    assert main(["demo", "--seconds", "1", "-o", str(file)]) == 0
    with Image.open(file) as film:
        first = np.asarray(film.convert("RGB"), np.int16)
        film.seek(film.n_frames - 1)
        assert (np.abs(np.asarray(film.convert("RGB"), np.int16) - first) > 40).sum() > 50


@pytest.mark.parametrize("word", ["demo.avi", "none"])
def test_other_files_are_refused(word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--seconds", "1", "-o", word]) == 2
    assert ".html" in capsys.readouterr().err
