"""Shapes of planes: fuselage, wings, tail, propeller."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.vehicles import load, names
from pyrfly.vehicles.actuators import MOTOR
from pyrfly.vehicles.families import FAMILIES

every_set = pytest.mark.parametrize("name", names("plane"))


@every_set
def test_wings_have_the_span_and_chord_of_the_set(name: str) -> None:
    vehicle = load(name)
    low, high = vehicle.hull.extent
    np.testing.assert_allclose(high[1] - low[1], vehicle.columns["wing_span"][0])
    wings = [shape for shape in vehicle.hull.shapes if "wing" in shape.name]
    for wing in wings:
        np.testing.assert_allclose(wing.high[0] - wing.low[0], vehicle.columns["wing_chord"][0])
    left, right = wings
    assert left.half_size == right.half_size
    np.testing.assert_allclose(left.position, np.multiply(right.position, [1, -1, 1]))


@every_set
def test_the_motor_is_lost_with_the_propeller(name: str) -> None:
    vehicle = load(name)
    (propeller,) = (shape for shape in vehicle.hull.shapes if shape.name == "propeller")
    (motor,) = propeller.actuators
    assert FAMILIES["plane"].actuators(vehicle)[motor].is_motor == MOTOR.is_motor
    diameter = vehicle.columns["propeller_diameter"][0]
    np.testing.assert_allclose(propeller.high[1] - propeller.low[1], diameter)


@pytest.mark.parametrize(("name", "lost"), [("aerosonde", {1, 2}), ("my_twin_dream", {1, 2})])
def test_elevator_and_rudder_are_lost_with_the_tail(name: str, lost: set[int]) -> None:
    shapes = {shape.name: shape for shape in load(name).hull.shapes}
    assert set(shapes["tail"].actuators) == lost
    assert set(shapes["tailplane"].actuators) | set(shapes["fin"].actuators) == lost


@pytest.mark.parametrize("name", ["skywalker_x8", "lifting_wing"])
def test_a_flying_wing_has_no_tail(name: str) -> None:
    assert not [shape for shape in load(name).hull.shapes if "tail" in shape.name]


@every_set
def test_a_plane_reaches_as_far_as_its_skids(name: str) -> None:
    """Nose and tail of the landing gear are those of the hull."""
    vehicle = load(name)
    skids = vehicle.columns["gear_position"].reshape(3, 8)[:, 3:].T
    low, high = vehicle.hull.extent
    assert high[0] >= skids[:, 0].max() - 1e-9
    assert low[0] <= skids[:, 0].min() + 0.05
