"""Drawings in the metadata of logs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyrfly
from pyrfly.log.drawing_notes import drawing_note


def test_a_set_with_a_mesh_of_its_own_is_noted_as_its_family_draws_it(tmp_path: Path) -> None:
    path = tmp_path / "body.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    vehicle = pyrfly.load("x450")
    assert drawing_note(vehicle.with_mesh(path)) is None  # as its name says
    both = [replace(one, name="mine") for one in (vehicle, vehicle.with_mesh(path))]
    notes = [json.dumps(drawing_note(one)) for one in both]
    assert notes[0] == notes[1]
    assert "body.obj" not in notes[0]
