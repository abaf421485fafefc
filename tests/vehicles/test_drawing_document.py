"""Drawings in files."""

from __future__ import annotations

import json

import pytest

from pyrfly import vehicles
from pyrfly.vehicles import FAMILIES, family_named, load
from pyrfly.vehicles.drawing_document import document_of, drawing_in


@pytest.mark.parametrize("family", [name for name in FAMILIES if vehicles.names(name)])
def test_drawings_come_back(family: str) -> None:
    drawing = family_named(family).drawing(load(vehicles.names(family)[0]))
    assert drawing_in(json.loads(json.dumps(document_of(drawing)))) == drawing


@pytest.mark.parametrize(
    "change",
    [
        {"solid": {"kind": "house"}},
        {"solid": {"kind": "box", "size": [1, 2, float("nan")]}},
        {"solid": {"kind": "box", "height": 3}},
        {"solid": {"kind": "cylinder", "radius": 1, "length": 1, "sides": 10**9}},
        {"solid": {"kind": "meshfile", "path": "/etc/passwd"}},
        {"solid": {"kind": "meshfile", "path": 1.0}},
        {"far": [{"kind": "house"}]},
        {"at": [1, 2]},
        {"axes": [[1, 0, 0]]},
        {"colour": [0, 0, 256]},
        {
            "joints": [
                {"kind": "spin", "actuator": 8, "axis": [0, 0, 1], "at": [0, 0, 0], "gain": 1}
            ]
        },
        {
            "joints": [
                {"kind": "jump", "actuator": 0, "axis": [0, 0, 1], "at": [0, 0, 0], "gain": 1}
            ]
        },
        {"joints": 3},
    ],
    ids=str,
)
def test_what_is_no_drawing_is_refused(change: dict[str, object]) -> None:
    (part, *_) = json.loads(
        json.dumps(document_of(family_named("multirotor").drawing(load("x450"))))
    )
    assert len(drawing_in([part]).parts) == 1
    with pytest.raises(ValueError, match="drawing: expected parts, got"):
        drawing_in([part | change])
