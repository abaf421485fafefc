"""docs/mixers.md: its programs run, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from pyrfly.mixers import CONTROLS, GEOMETRIES

from .conftest import page, programs

PAGE = page("mixers.md")
PROGRAMS = programs(PAGE)


def test_the_first_program_holds_the_vehicles_level(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(PROGRAMS[0], names)
    assert "0.1  " in capsys.readouterr().out
    sim = names["sim"]
    assert np.abs(sim.euler).max() < 0.01
    assert np.abs(sim.pos - [0, 0, -10]).max() < 0.1


def test_the_other_program_finds_its_airframe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(PROGRAMS) == 2
    exec(PROGRAMS[1], {})
    assert capsys.readouterr().out == "[0.  0.2]\n"


def test_the_page_lists_geometries_and_controls() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `R: "))
    assert set(re.findall(r"`([^`]+)`", row)[1:]) == set(GEOMETRIES)
    table = PAGE.split("| group |")[1].split("##")[0].splitlines()[2:]
    rows = [line.split("|")[2:-1] for line in table if line.startswith("|")]
    listed = {
        cell.strip(" `"): (group, index)
        for group, cells in enumerate(rows)
        for index, cell in enumerate(cells)
        if cell.strip()
    }
    assert listed == dict(CONTROLS)
