"""Steady motions and linear models of tractor and trailer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import ParameterError, Sim

from .bodies import Bodies


@pytest.mark.parametrize("speed", [8.0, 15.0, 20.0])
def test_the_eigenvalues_are_those_of_lagranges_equations(speed: float) -> None:
    """Of drift, yaw rate, hitch angle and its rate, with hardly any drag to overcome."""
    sim = Sim("truck_trailer")
    sim.drive_damping[:] = 1e-3
    model = sim.linearize(1, point=sim.trim(1, vel=[speed, 0, 0]))
    expected = np.linalg.eigvals(Bodies(sim.groups[0].parameters.columns).lateral_matrix(speed))
    found = np.linalg.eigvals(model.A)
    for value in expected:
        assert np.abs(found - value).min() < 2e-3 * abs(value)


def test_at_walking_pace_the_hitch_angle_decays_over_the_length_of_the_trailer() -> None:
    sim = Sim("truck_trailer")
    model = sim.linearize(1, point=sim.trim(1, vel=[1, 0, 0]))
    expected = -1 / float(sim.trailer_wheelbase[0])
    assert np.abs(np.linalg.eigvals(model.A) - expected).min() < 1e-6


def test_a_slow_turn_is_about_one_centre() -> None:
    """The axle of the trailer on the inner circle: sin(h) = -L / R of the hitch."""
    sim = Sim("truck_trailer")
    speed, turn = 1.5, 0.05
    point = sim.trim(vel=[speed, 0, 0], yaw_rate=turn)
    rear, base = float(sim.rear_axle[0]), float(sim.front_axle[0] + sim.rear_axle[0])
    radius = math.sqrt((speed / turn) ** 2 - rear**2)  # of the rear axle, where the hitch is
    assert point.state["steering"][0, 0] == pytest.approx(math.atan(base / radius), rel=1e-6)
    expected = -math.asin(float(sim.trailer_wheelbase[0]) / radius)
    assert point.state["hitch_angle"][0, 0] == pytest.approx(expected, rel=1e-6)


def test_a_turn_that_folds_it_has_no_equilibrium() -> None:
    with pytest.raises(ParameterError, match="no equilibrium found"):
        Sim("truck_trailer").trim(vel=[1, 0, 0], yaw_rate=0.3)


@pytest.mark.parametrize("speed", [60.0, 100.0, -4.0])
def test_a_speed_above_which_nothing_drives_is_refused(speed: float) -> None:
    with pytest.raises(ParameterError, match=r"vel: expected at most 22.22 m/s ahead and 2.78"):
        Sim("truck_trailer").trim(vel=[speed, 0, 0])


@pytest.mark.parametrize("slope", [(-0.05, 0.0), (-0.03, 0.04)])
def test_on_a_slope_it_lies_along_the_ground(slope: tuple[float, float]) -> None:
    """Its traction is that of its drag and of its weight along the slope."""
    sim = Sim("truck_trailer")
    sim.set_ground_plane(gradient=slope)
    speed = 8.0
    point = sim.trim(vel=[speed, 0, speed * slope[0]])
    north = 1.0 / math.hypot(1.0, slope[0])
    along = float(sim.gravity[0]) * slope[0] * north
    expected = float(sim.drive_damping[0]) * speed / north - along
    assert point.state["tractive_accel"][0, 0] == pytest.approx(expected, rel=0.02)
    sim.reset(yaw=2 * math.atan2(point.state["att"][0, 3], point.state["att"][0, 0]))
    np.testing.assert_allclose(point.state["att"], sim.att, atol=1e-3)
