"""Shapes of multirotors: a body, and a disc per rotor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly.vehicles import load
from pyrfly.vehicles.multirotor import FAMILY
from pyrfly.vehicles.multirotor.layouts import LAYOUTS
from pyrfly.vehicles.multirotor.parameters import build
from pyrfly.vehicles.sets import names, read

ONE_AIRFRAME = [name for name in names("multirotor") if not load(name).airframes]


@pytest.mark.parametrize("name", ONE_AIRFRAME)
def test_every_rotor_is_lost_with_one_disc(name: str) -> None:
    vehicle = load(name)
    body, *rotors = vehicle.hull.shapes
    assert body.actuators == ()
    lost = sorted(one for shape in rotors for one in shape.actuators)
    assert lost == list(range(vehicle.actuator_count))


@pytest.mark.parametrize(
    ("name", "wheelbase", "propeller"),
    # motor to motor by PX4's models; propellers of theirs, and of Bitcraze's
    [("x500", 0.492, 0.279), ("cf21b_500", 0.100, 0.055)],
)
def test_a_quadrotor_is_as_large_as_published(
    name: str, wheelbase: float, propeller: float
) -> None:
    extent = load(name).hull.extent
    wide = wheelbase / np.sqrt(2) + propeller
    np.testing.assert_allclose((extent[1] - extent[0])[:2], wide, rtol=0.01)


def test_coaxial_layouts_have_a_disc_per_arm() -> None:
    for name, arms in (("hex_coax", 3), ("octo_coax", 4)):
        _, *rotors = load(name).hull.shapes
        assert len(rotors) == arms
        assert all(len(shape.actuators) == 2 for shape in rotors)


@pytest.mark.parametrize("name", [name for name in ONE_AIRFRAME if load(name).layout])
def test_discs_of_a_layout_are_at_its_hubs_and_do_not_overlap(name: str) -> None:
    vehicle = load(name)
    layout = LAYOUTS[str(vehicle.layout)]
    _, *rotors = vehicle.hull.shapes
    hubs = layout.positions(FAMILY.arm(vehicle))  # type: ignore[misc]
    for shape in rotors:
        for rotor in shape.actuators:
            np.testing.assert_allclose(shape.position, hubs[rotor], atol=1e-12)
    distances = [
        np.hypot(*np.subtract(a.position, b.position)[:2])
        for i, a in enumerate(rotors)
        for b in rotors[:i]
    ]
    assert min(distances) >= 2 * (rotors[0].high[0] - rotors[0].position[0])


@pytest.mark.parametrize("name", ["x500", "sdk", "octo_x"])
def test_rotors_are_mirrored_left_and_right(name: str) -> None:
    shapes = load(name).hull.shapes
    places = {tuple(np.round(shape.position, 9) + 0.0) for shape in shapes}
    assert {tuple(np.round([x, -y, z], 9) + 0.0) for x, y, z in places} == places


def test_sixteen_rotors_have_room_in_twelve_shapes() -> None:
    angle = np.arange(16) * np.pi / 8
    document: dict[str, Any] = {
        k: v for k, v in read("sdk")[1].items() if k not in ("layout", "arm_length", "hull")
    }
    document["rotor"] = [
        {
            "position": {"value": [float(np.cos(a)), float(np.sin(a)), 0.0], "unit": "m"},
            "direction": {"value": 1 - 2 * (i % 2), "unit": "1"},
        }
        for i, a in enumerate(angle)
    ]
    vehicle = build("mine", document, read)
    _, *rotors = vehicle.hull.shapes
    assert len(rotors) == 11
    assert sorted(one for shape in rotors for one in shape.actuators) == list(range(16))
    extent = vehicle.hull.extent
    np.testing.assert_allclose(extent[1, :2], 1.0 + FAMILY.rotor_radius(vehicle))  # type: ignore[misc]


def test_sizes_of_a_file_are_those_of_its_shapes() -> None:
    table = {
        "body_size": {"value": [0.2, 0.1, 0.05], "unit": "m"},
        "body_position": {"value": [0.02, 0.0, -0.01], "unit": "m"},
        "rotor_radius": {"value": 0.12, "unit": "m"},
    }
    body, rotor, *_ = build("mine", {**read("sdk")[1], "hull": table}, read).hull.shapes
    np.testing.assert_allclose([body.low, body.high], [[-0.08, -0.05, -0.035], [0.12, 0.05, 0.015]])
    assert rotor.high[0] - rotor.low[0] == pytest.approx(0.24)
