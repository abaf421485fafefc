"""Shapes that vehicles collide with: of every family and set, and what is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from pyrfly import ParameterError
from pyrfly.vehicles import FAMILIES, Hull, HullShape, VehicleParameters
from pyrfly.vehicles.hull import MAXIMUM_SHAPES

from .conftest import SETS, VEHICLES

every_set = pytest.mark.parametrize("vehicle", SETS.values(), ids=list(SETS))


def hull_of(vehicle: VehicleParameters) -> Hull:
    return FAMILIES[vehicle.family].hull(vehicle)


def volume(shape: HullShape) -> float:
    """Return that of a box with round edges and corners [m^3], by Steiner's formula."""
    a, b, c = (2.0 * half for half in shape.half_size)
    r = shape.radius
    surface, edges = 2.0 * (a * b + b * c + c * a), a + b + c
    return a * b * c + surface * r + np.pi * edges * r**2 + 4.0 / 3.0 * np.pi * r**3


@every_set
def test_a_set_has_a_body_that_is_as_heavy_as_boxes_of_foam_to_wood(
    vehicle: VehicleParameters,
) -> None:
    bodies = [shape for shape in hull_of(vehicle).shapes if not shape.actuators]
    assert bodies
    density = vehicle.columns["mass"][0] / sum(map(volume, bodies))
    assert 30.0 < density < 3000.0


@every_set
def test_what_breaks_names_actuators_of_the_vehicle(vehicle: VehicleParameters) -> None:
    count = len(FAMILIES[vehicle.family].actuators(vehicle))
    lost = [one for shape in hull_of(vehicle).shapes for one in shape.actuators]
    assert all(0 <= one < count for one in lost)


@every_set
def test_a_standing_vehicle_does_not_touch_its_ground(vehicle: VehicleParameters) -> None:
    hull = hull_of(vehicle)
    assert hull.extent[1, 2] < hull.height


@every_set
def test_feet_of_contact_points_are_on_that_ground(vehicle: VehicleParameters) -> None:
    gear = FAMILIES[vehicle.family].landing_gear
    if gear is not None:
        np.testing.assert_allclose(gear.feet(vehicle)[:, 2], hull_of(vehicle).height)


@every_set
def test_a_vehicle_is_about_as_wide_on_both_sides(vehicle: VehicleParameters) -> None:
    low, high = hull_of(vehicle).extent
    assert high[1] == pytest.approx(-low[1], rel=0.1)
    assert low[0] < 0.0 < high[0]
    assert low[2] < high[2]


@every_set
def test_what_it_withstands_is_that_of_a_fall_from_a_hand_to_a_roof(
    vehicle: VehicleParameters,
) -> None:
    hull = hull_of(vehicle)
    assert 1.0 <= hull.landing_speed <= 6.0
    assert all(0.5 <= shape.strength <= 12.0 for shape in hull.shapes)
    assert 0.0 <= hull.restitution <= 0.5
    assert 0.1 <= hull.friction <= 1.5


@every_set
def test_a_loaded_set_shows_the_hull_of_its_family(vehicle: VehicleParameters) -> None:
    assert vehicle.hull == hull_of(vehicle)
    assert pickle.loads(pickle.dumps(vehicle)).hull == vehicle.hull
    assert copy.deepcopy(vehicle).hull == vehicle.hull
    text = str(vehicle.hull)
    assert all(shape.name in text for shape in vehicle.hull.shapes)


@pytest.mark.parametrize("vehicle", VEHICLES.values(), ids=list(VEHICLES))
def test_a_set_without_a_file_gets_shapes_too(vehicle: VehicleParameters) -> None:
    hull = hull_of(vehicle)
    assert 1 <= len(hull.shapes) <= MAXIMUM_SHAPES
    assert np.isfinite(hull.extent).all()


POINT: dict[str, Any] = {"name": "body", "position": (0.0, 0.0, 0.0)}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": " "}, "name: expected printable characters"),
        ({"position": (0.0, np.nan, 0.0)}, "body: position: expected 3 numbers"),
        ({"position": (0.0, 0.0)}, "body: position: expected 3 numbers"),
        ({"half_size": (0.1, -0.1, 0.1)}, "body: half_size: expected 3 numbers from 0"),
        ({"radius": 1e4}, "body: radius: expected more than 0 and up to 1000"),
        ({"radius": 0.0}, "body: radius: expected more than 0 and up to 1000, got 0.0"),
        ({"strength": np.inf}, "body: strength: expected more than 0 and up to 1e.06, got inf"),
        ({"actuators": (-1,)}, "body: actuators: expected numbers from 0"),
        ({"actuators": (True,)}, r"body: actuators: expected numbers from 0 to 31, got \(True,\)"),
        ({"actuators": (0.0,)}, "body: actuators: expected numbers from 0"),
        ({"actuators": 3}, "body: actuators: expected a sequence, got 3"),
        ({"actuators": range(10**12)}, "body: actuators: expected up to 32, got more: range"),
        ({"name": 3}, "name: expected printable characters, got 3"),
        ({"position": "abc"}, "body: position: expected 3 numbers from -1e.06 to 1e.06, got 'abc'"),
        ({"position": None}, "body: position: expected 3 numbers"),
        ({"half_size": 1}, "body: half_size: expected 3 numbers from 0"),
        ({"radius": "x"}, "body: radius: expected more than 0 and up to 1000, got 'x'"),
        ({"strength": True}, "body: strength: expected more than 0"),
    ],
)
def test_a_wrong_shape_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        HullShape(**POINT | wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shapes": [HullShape(f"{i}", (0.0, 0.0, 0.0)) for i in range(13)]}, "expected up to 12"),
        ({"shapes": [HullShape(**POINT)] * 2}, "name: expected each once, got 'body' again"),
        ({"landing_speed": 0.0}, "landing_speed: expected more than 0"),
        ({"friction": -0.1}, "friction: expected 0 to"),
        ({"restitution": 1.1}, "restitution: expected 0 to 1, got 1.1"),
        ({"height": np.nan}, "height: expected 0 to"),
        ({"height": [1, 2]}, r"height: expected 0 to 1000, got \[1, 2\]"),
        ({"friction": "smooth"}, "friction: expected 0 to 1000, got 'smooth'"),
        ({"shapes": [3]}, r"shapes: expected HullShapes, got \[3\]"),
        ({"shapes": None}, "shapes: expected a sequence, got None"),
    ],
)
def test_a_wrong_hull_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Hull(**{"shapes": ()} | wrong)


def test_numbers_of_numpy_are_numbers() -> None:
    shape = HullShape("rotor", np.zeros(3), actuators=np.arange(2), radius=np.float32(0.5))  # type: ignore[arg-type]
    assert shape == HullShape("rotor", (0.0, 0.0, 0.0), actuators=(0, 1), radius=0.5)
    assert Hull([shape]) == Hull((shape,))  # type: ignore[arg-type]


def test_the_extent_of_a_hull_is_that_of_all_its_shapes() -> None:
    rod = HullShape("rod", (1.0, 0.0, 0.0), (0.5, 0.0, 0.0), 0.1)
    sphere = HullShape("sphere", (0.0, 0.0, -2.0), radius=0.25)
    extent = Hull((rod, sphere)).extent
    np.testing.assert_allclose(extent, [[-0.25, -0.25, -2.25], [1.6, 0.25, 0.1]])
    assert (Hull().extent == 0.0).all()
