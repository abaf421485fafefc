"""Rotor layouts: the signs of moments, balance, and the table's own regularities."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.vehicles.multirotor.layouts import LAYOUTS, Layout, find

Y_LAYOUTS = {"tri_y_plus": -1, "tri_y_minus": 1}
COAXIAL = ["hex_coax", "octo_coax"]
FLAT_EVEN = [name for name in LAYOUTS if name not in {*Y_LAYOUTS, *COAXIAL}]

every_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))


def moments_per_thrust(layout: Layout, arm: float = 1.0) -> NDArray[np.float64]:
    """Roll, pitch and yaw moment of each rotor for unit thrust and a torque of 0.05 m times it."""
    levers = np.cross(layout.positions(arm), layout.axes())
    reaction = 0.05 * layout.directions()[:, None] * layout.axes()
    moments: NDArray[np.float64] = (levers + reaction).T
    return moments


def test_uav_types_are_one_to_ten() -> None:
    assert [layout.uav_type for layout in LAYOUTS.values()] == list(range(1, 11))
    assert [layout.rotor_count for layout in LAYOUTS.values()] == [3, 3, 4, 4, 6, 6, 6, 8, 8, 8]


@every_layout
def test_rotors_lie_on_a_circle_about_the_centre(layout: Layout) -> None:
    hubs = layout.positions(0.3)
    np.testing.assert_allclose(np.linalg.norm(hubs, axis=1), 0.3, rtol=1e-15)
    np.testing.assert_array_equal(hubs[:, 2], 0.0)
    np.testing.assert_allclose(hubs.sum(axis=0), 0.0, atol=1e-15)


@every_layout
def test_equal_thrusts_balance_in_roll_pitch_and_except_for_y_layouts_yaw(layout: Layout) -> None:
    roll, pitch, yaw = moments_per_thrust(layout).sum(axis=1)
    assert roll == pytest.approx(0.0, abs=1e-15)
    assert pitch == pytest.approx(0.0, abs=1e-15)
    # The reaction torque of a clockwise rotor is counter-clockwise: negative about the down axis.
    assert yaw == pytest.approx(-0.15 * Y_LAYOUTS.get(layout.name, 0), abs=1e-15)


def test_quad_x_has_the_signs_of_the_px4_allocation() -> None:
    # [@px4 25ed6b67 ActuatorEffectivenessRotorsTest.cpp]: rotors at (1,1), (-1,-1), (1,-1), (-1,1).
    quad = find("quad_x")
    hubs = quad.positions(np.sqrt(2.0))[:, :2]
    np.testing.assert_allclose(hubs, [[1, 1], [-1, -1], [1, -1], [-1, 1]], rtol=1e-14)
    roll, pitch, yaw = moments_per_thrust(quad, arm=np.sqrt(2.0))
    np.testing.assert_allclose(roll, [-1, 1, 1, -1], rtol=1e-14)
    np.testing.assert_allclose(pitch, [1, -1, 1, -1], rtol=1e-14)
    np.testing.assert_allclose(yaw, [0.05, 0.05, -0.05, -0.05], rtol=1e-14)


def test_octo_coax_agrees_with_the_px4_mixer() -> None:
    # [@px4 20c863c9 geometries/octa_cox.toml]: front right, front left, rear left, rear right on
    # top, then front left, front right, rear right, rear left below; the first counter-clockwise.
    octo = find("octo_coax")
    signs = np.sign(octo.positions(1.0)[:, :2])
    front_right, front_left, rear_left, rear_right = (1, 1), (1, -1), (-1, -1), (-1, 1)
    top = [front_right, front_left, rear_left, rear_right]
    bottom = [front_left, front_right, rear_right, rear_left]
    np.testing.assert_array_equal(signs, top + bottom)
    assert octo.direction == (-1, 1, -1, 1, -1, 1, -1, 1)


@pytest.mark.parametrize("name", FLAT_EVEN)
def test_neighbours_have_opposite_rotation_directions(name: str) -> None:
    layout = find(name)
    around = layout.directions()[np.argsort(np.mod(layout.psi, 2 * pi))]
    np.testing.assert_array_equal(around, -np.roll(around, 1))


@pytest.mark.parametrize("name", COAXIAL)
def test_rotors_on_one_axis_have_opposite_rotation_directions(name: str) -> None:
    layout = find(name)
    rotation: dict[tuple[float, ...], float] = {}
    for hub, direction in zip(layout.positions(1.0), layout.directions(), strict=True):
        position = tuple(np.round(hub, 12) + 0.0)
        rotation[position] = rotation.get(position, 0.0) + direction
    assert len(rotation) == layout.rotor_count // 2
    assert set(rotation.values()) == {0.0}


@pytest.mark.parametrize("name", FLAT_EVEN + COAXIAL)
def test_thrust_roll_pitch_and_yaw_are_independent(name: str) -> None:
    layout = find(name)
    effect = np.vstack([np.ones(layout.rotor_count), moments_per_thrust(layout)])
    assert np.linalg.matrix_rank(effect) == 4


def test_unknown_layout_names_near_ones() -> None:
    with pytest.raises(ParameterError, match=r"unknown name 'quadx'; try quad_x"):
        find("quadx")
