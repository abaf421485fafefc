"""Shapes of helicopters: fuselage, tail, and two rotors."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.vehicles import load, names
from pyrfly.vehicles.actuators import UNUSED
from pyrfly.vehicles.families import FAMILIES

every_set = pytest.mark.parametrize("name", names("helicopter"))


def test_the_x_cell_is_as_large_as_published() -> None:
    """Rotor and tail rotor with radii of 0.775 and 0.13 m, 0.91 m apart [@gavrilets]."""
    low, high = load("xcell_60").hull.extent
    np.testing.assert_allclose([high[1] - low[1], high[0]], [1.55, 0.775])
    np.testing.assert_allclose(low[0], -0.91 - 0.13)


@every_set
def test_the_hub_is_as_high_above_the_skids_as_the_set_says(name: str) -> None:
    vehicle = load(name)
    shapes = {shape.name: shape for shape in vehicle.hull.shapes}
    up = vehicle.hull.height - shapes["main rotor"].position[2]
    np.testing.assert_allclose(up, vehicle.columns["main_rotor_height"][0])


@every_set
def test_all_actuators_are_lost_with_one_of_both_rotors(name: str) -> None:
    vehicle = load(name)
    actuators = FAMILIES["helicopter"].actuators(vehicle)
    used = {i for i, one in enumerate(actuators) if one != UNUSED}
    shapes = {shape.name: shape for shape in vehicle.hull.shapes}
    main, tail = (set(shapes[rotor].actuators) for rotor in ("main rotor", "tail rotor"))
    assert main | tail == used
    assert not main & tail
    assert set(shapes["tail"].actuators) == tail


@every_set
def test_a_helicopter_is_mirrored_left_and_right(name: str) -> None:
    assert all(shape.position[1] == 0.0 for shape in load(name).hull.shapes)
