"""Few triangles of vehicles: what is symmetric remains so, and the budget is kept."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest

from pyrfly.vehicles.drawing import Part
from pyrfly.vehicles.drawing_solids import Box, Cylinder, Rotor, Solid, Wing
from pyrfly.view.few import MOST, few_triangles


def count(parts: list[Part]) -> int:
    return sum(len(surface.triangles) for _, surface in few_triangles(parts))


@pytest.mark.parametrize("rotors", [1, 4, 8, 12, 40])
def test_all_rotors_are_drawn_or_none(rotors: int) -> None:
    body = Part("body", Box((1.0, 1.0, 0.5)))
    parts = [body, *(Part(f"rotor {i}", Rotor(0.4), (i, 0, 0)) for i in range(rotors))]
    drawn = [part.name for part, _ in few_triangles(parts)]
    assert "body" in drawn
    assert len(drawn) in (1, 1 + rotors)
    assert len(drawn) == 1 + (rotors if rotors <= 12 else 0)
    assert count(parts) <= MOST


def test_parts_that_are_alike_keep_their_own_places() -> None:
    wings = [
        Part(name, Wing((0.5, -0.5), (0.4, -0.4), 4.0 * side))
        for side, name in ((-1, "left"), (1, "right"))
    ]
    spans = {part.name: surface.vertices[:, 1] for part, surface in few_triangles(wings)}
    assert spans["left"].min() == -4
    assert spans["right"].max() == 4


def test_small_parts_give_way_to_large_ones() -> None:
    small = [Part(f"bolt {i}", Cylinder(0.01, 0.02)) for i in range(50)]
    parts = [*small, Part("body", Box((1.0, 0.4, 0.4))), Part("boom", Cylinder(0.02, 2.0))]
    assert {part.name for part, _ in few_triangles(parts)} == {"body", "boom"}


def test_another_solid_may_stand_for_a_part() -> None:
    whole: tuple[Solid, ...] = (Box((2.0, 1.0, 1.0)),)
    parts = [
        Part("half", Box((1.0, 1.0, 1.0)), far=whole),
        Part("rest", Box((9.0, 9.0, 9.0)), far=()),
    ]
    ((part, surface),) = few_triangles(parts)
    assert part.name == "half"
    assert isclose(np.ptp(surface.vertices[:, 0]), 2.0)
    assert few_triangles([]) == []
