"""Without slip: the geometry of circles."""

from __future__ import annotations

from dataclasses import replace
from math import atan, cos, sin

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim, vehicles

from .truth import ROLLING

Array = NDArray[np.float64]

SET = vehicles.load("truck_trailer")


@pytest.mark.parametrize("offset", [-0.6, 0.0, 1.2])
@pytest.mark.parametrize("radius", [15.0, -25.0])
def test_the_trailer_cuts_the_corner_as_circles_about_one_centre(
    radius: float, offset: float
) -> None:
    """Pythagoras: the hitch at R^2 + e^2, the trailer's axle at that less L^2."""
    sim = Sim(ROLLING, dt=2e-3)
    sim.hitch_offset[:] = offset
    sim.controllers = False
    steering = atan(3.6 / radius)
    sim.steering[:], sim.steer[:] = steering, steering / sim.steering_max
    sim.traction[:], sim.accel_max[:] = sim.drive_dead_zone, 1e-9
    sim.vel[0, 0], sim.rate[0, 2] = 2.0, 2.0 / radius
    sim.vel[0, 1] = 1.8 * 2.0 / radius
    sim.sleep(100.0)
    yaw = float(sim.euler[0, 2])
    rear = sim.pos[0, :2] - 1.8 * np.array([cos(yaw), sin(yaw)])
    centre = rear + radius * np.array([-sin(yaw), cos(yaw)])
    expected = np.sqrt(radius**2 + offset**2 - 8.1**2)
    got = np.linalg.norm(sim.trailer_pos[0, :2] - centre)
    assert got == pytest.approx(expected, rel=1e-5)
    spin = float(sim.rate[0, 2])
    assert spin == pytest.approx(2.0 / radius, rel=1e-6)
    assert float(sim.hitch_rate[0]) == pytest.approx(0.0, abs=1e-6)


def test_slipping_tyres_follow_the_kinematic_circle_as_the_speed_goes_to_zero() -> None:
    """Yaw rate over speed, and the hitch angle, after a way of five lengths of the trailer."""
    differences = []
    columns = {**SET.columns, "blend_speed": np.array([0.1]), "drive_damping": np.zeros(1)}
    for speed in (4.0, 2.0, 1.0, 0.5):
        sim = Sim(replace(SET, columns=columns), dt=1e-3)
        sim.controllers = False
        sim.steering[:], sim.steer[:] = 0.2, 0.2 / sim.steering_max
        sim.traction[:] = sim.drive_dead_zone
        sim.vel[0, 0] = speed
        for _ in range(int(1000 / speed)):
            sim.step(40)
            sim.vel[0, :2] *= speed / sim.vel_body[0, 0]  # against the drag of cornering
        kinematic = np.tan(0.2) / 3.6
        differences.append(abs(float(sim.rate[0, 2] / sim.vel_body[0, 0]) / kinematic - 1.0))
        assert float(sim.hitch_angle[0]) == pytest.approx(-np.arcsin(8.1 * kinematic), abs=0.01)
    assert differences == sorted(differences, reverse=True)
    assert differences[0] < 6e-3
    assert differences[-1] < 1e-3


def test_slip_at_rest_decays_and_a_braked_vehicle_stands_on_a_slope() -> None:
    sim = Sim("truck_trailer", 3)
    sim.set_ground_plane(gradient=(0.1, -0.06))
    sim.reset(pos=[[0, 0, 0], [30, 0, 0], [60, 0, 0]], yaw=[0.0, 1.0, 3.0])
    sim.controllers = False
    sim.hitch_angle[:] = [0.0, 0.5, -0.8]
    sim.sleep(2.0)
    place = sim.pos.copy()
    sim.sleep(5.0)
    np.testing.assert_allclose(sim.pos, place, atol=1e-6)
    np.testing.assert_allclose(sim.hitch_angle, [0.0, 0.5, -0.8], atol=1e-9)


def test_a_jack_knife_is_a_fault_flag_and_not_a_nan() -> None:
    """Backing with the steering straight: the hitch angle grows to 90 degrees, where it ends."""
    sim = Sim("truck_trailer", 2)
    sim.controllers = False
    sim.hitch_angle[:] = [0.02, -0.02]
    sim.traction[:] = -0.2
    for _ in range(60):
        sim.step(1000)
    report = sim.check()
    assert report.invalid == (1, 2)
    assert "jack-knifed" in report.text
    assert np.isfinite(sim.hitch_angle).all()
    assert (np.abs(sim.hitch_angle) <= np.pi / 2).all()
    assert (np.abs(sim.hitch_angle) > 1.5).all()
    sim.reset()
    assert sim.check().ok
