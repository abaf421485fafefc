"""Without slip: CommonRoad's kinematic model with a trailer, and the geometry of circles."""

from __future__ import annotations

from dataclasses import replace
from math import atan, cos, sin

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim, vehicles
from pyrfly.sim.model import Model

Array = NDArray[np.float64]

SET = vehicles.load("truck_trailer")
ROLLING = replace(
    SET,
    columns={
        **SET.columns,
        "blend_speed": np.array([100.0]),
        "drive_damping": np.zeros(1),
        "friction": np.array([10.0]),
    },
)
"""Tyres that do not slip at any speed, and a drive at which nothing brakes."""

# [@commonroad unit_tests/test_derivatives.py KST, vehicle 4], with a steering rate of 0.15 rad/s
# and an acceleration of 0.63 * 9.81 m/s^2: x, y of the rear axle, steering, speed, heading, hitch
STATE = (
    *(3.9579422297936526, 0.0391650102771405, 0.0378491427211811),
    *(16.354695786088357, 0.0294717351052816, 0.0294717351052816),
)
DERIVATIVE = (
    *(16.34759359342502, 0.4819314886013121, 0.15),
    *(5.501539201758522, 0.1720297150523055, -0.23152742969444276),
)


def rear_axle_at(sim: Sim, state: Array, rates: Array) -> None:
    """Put a vehicle without slip to a state of CommonRoad's model with its rates."""
    x, y, steering, speed, yaw, hitch = state
    forward, right = np.array([cos(yaw), sin(yaw)]), np.array([-sin(yaw), cos(yaw)])
    rear = float(sim.rear_axle[0])
    sim.reset(pos=[*(np.array([x, y]) + rear * forward), 0.0], yaw=yaw)
    sim.controllers = False
    sim.vel[0, :2] = speed * forward + rear * rates[4] * right
    sim.rate[0, 2] = rates[4]
    sim.steering[:], sim.hitch_angle[:], sim.hitch_rate[:] = steering, hitch, rates[5]


def test_the_derivative_is_that_of_commonroad_to_its_digits() -> None:
    """Rates are states here: at the published ones there is no slip, which would decay."""
    sim = Sim(ROLLING)
    rear_axle_at(sim, np.array(STATE), np.array(DERIVATIVE))
    sim.tractive_accel[:] = 0.63 * 9.81
    sim.traction[:] = 0.63 * 9.81 / sim.accel_max
    sim.steer[:] = (STATE[2] + 0.15 * sim.steering_tau) / sim.steering_max
    found = Model(sim.groups[0], np.array([0])).derivative()
    forward, right = (
        np.array([cos(STATE[4]), sin(STATE[4])]),
        np.array([-sin(STATE[4]), cos(STATE[4])]),
    )
    rear = float(sim.rear_axle[0])
    pos = found["pos"][0, :2] - rear * DERIVATIVE[4] * right
    # v' of the rear axle: without what turns the velocity of the centre of mass
    accel = found["vel"][0, :2] @ forward + rear * DERIVATIVE[4] ** 2
    got = [*pos, found["steering"][0, 0], accel, sim.rate[0, 2], found["hitch_angle"][0, 0]]
    np.testing.assert_allclose(got, DERIVATIVE, rtol=1e-14)

    # the published rates are those without slip: the accelerations are their derivatives alone
    _, _, steering, speed, _, hitch = STATE
    wheelbase, length = 3.6, 8.1
    slope = 1 + np.tan(steering) ** 2
    turning = (DERIVATIVE[3] * np.tan(steering) + speed * 0.15 * slope) / wheelbase
    bend = (DERIVATIVE[3] * sin(hitch) + speed * cos(hitch) * DERIVATIVE[5]) / length
    assert found["rate"][0, 2] == pytest.approx(turning, abs=1e-12)
    assert found["hitch_rate"][0, 0] == pytest.approx(-turning - bend, abs=1e-12)


@pytest.mark.slow
def test_the_way_is_that_of_commonroads_package() -> None:
    """Ten seconds of steering to and fro, of both programs side by side."""
    package = pytest.importorskip("vehiclemodels.vehicle_dynamics_kst").vehicle_dynamics_kst
    numbers = pytest.importorskip("vehiclemodels.parameters_vehicle4").parameters_vehicle4()
    sim = Sim(ROLLING, dt=1e-3)
    state = np.array([0.0, 0.0, 0.0, 5.0, 0.2, 0.1])
    rear_axle_at(sim, state, np.array([*np.zeros(5), -5.0 * sin(0.1) / 8.1]))
    tau, limit = float(sim.steering_tau[0]), float(sim.steering_max[0])

    def slope(x: Array, command: float) -> Array:
        rate = float(np.clip((command * limit - x[2]) / tau, -0.7103, 0.7103))
        return np.array(package(list(x), [rate, 0.0], numbers))

    for command in (0.5, -0.8, 0.3, 0.0, -0.2):
        sim.traction[:], sim.steer[:] = sim.drive_dead_zone, command
        sim.tractive_accel[:] = 0.0
        sim.accel_max[:] = 1e-9  # rolls
        for _ in range(2000):
            k1 = slope(state, command)
            k2 = slope(state + 0.5e-3 * k1, command)
            k3 = slope(state + 0.5e-3 * k2, command)
            k4 = slope(state + 1e-3 * k3, command)
            state = state + 1e-3 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        sim.step(2000)
    heading = np.array([cos(state[4]), sin(state[4])])
    rear = sim.pos[0, :2] - float(sim.rear_axle[0]) * heading
    np.testing.assert_allclose(rear, state[:2], atol=1e-5)
    assert float(sim.euler[0, 2]) == pytest.approx(state[4], abs=1e-6)
    assert float(sim.hitch_angle[0]) == pytest.approx(state[5], abs=1e-6)


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
