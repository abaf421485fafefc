"""A quadrotor without a propeller, in the equilibrium that Mueller and D'Andrea publish."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim

# [@mueller-dandrea IV, V]: kg, m/s^2, m, kg m^2, N s^2, m, N m s; the thrust of the rotor opposite
# to the lost one is RATIO times that of the two others.
MASS, GRAVITY, ARM, RATIO = 0.5, 9.81, 0.17, 0.5
ROLL, YAW, ROTOR = 3.2e-3, 5.5e-3, 1.5e-5
THRUST, TORQUE, DAMPING = 6.41e-6, 1.69e-2, 2.75e-3
OPPOSITE = np.array([-1, -1, 0]) / np.sqrt(2)  # FRD, from the centre; the first rotor is lost


def equilibrium() -> tuple[np.ndarray, np.ndarray, float]:
    """Return the thrusts [N], the angular velocity [rad/s, FRD] and the axis' tilt [rad].

    The yaw torque of the rotors is the damping's, the weight is carried along the axis, and the
    opposite rotor's moment turns the angular momentum.
    """
    tilt = 0.0
    for _ in range(100):
        pair = MASS * GRAVITY / ((2 + RATIO) * np.cos(tilt))
        yaw = TORQUE * (2 - RATIO) * pair / DAMPING
        spin = (2 - np.sqrt(RATIO)) * np.sqrt(pair / THRUST)
        across = ARM * RATIO * pair / ((YAW - ROLL) * yaw - ROTOR * spin)
        tilt = np.arctan2(across, yaw)
    return np.array([0, RATIO, 1, 1]) * pair, across * OPPOSITE - [0, 0, yaw], tilt


def test_the_equations_give_the_published_equilibrium() -> None:
    """Of 2.05 and 1.02 N, 18.89 rad/s, and (0, 0.289, 0.958); parameters have two digits."""
    thrusts, rate, tilt = equilibrium()
    assert thrusts == pytest.approx([0, 1.02, 2.05, 2.05], rel=0.01)
    assert -rate[2] == pytest.approx(18.89, rel=0.01)
    assert tilt == pytest.approx(np.arctan2(0.289, 0.958), abs=np.radians(1))


@pytest.fixture
def quadrotor() -> Sim:
    sim = Sim("cs2019")
    sim.controllers = False
    sim.mass, sim.gravity, sim.arm_length = MASS, GRAVITY, ARM
    sim.inertia = [ROLL, ROLL, YAW, 0, 0, 0]
    sim.thrust_coef, sim.torque_coef = [0, THRUST], [0, TORQUE * THRUST]
    sim.rotor_inertia, sim.damping_linear = ROTOR, [0, 0, DAMPING]
    sim.drag_linear = sim.drag_quadratic = sim.damping_quadratic = sim.drag_offset = 0
    return sim


def test_the_equilibrium_is_one_here(quadrotor: Sim) -> None:
    """For a tenth of a second; it is unstable without control."""
    sim = quadrotor
    thrusts, rate, _ = equilibrium()
    up = rate / np.linalg.norm(rate)
    half = np.array([1 - up[2], *np.cross(up, [0, 0, -1])])  # turns the axis to the vertical
    sim.faults.add("motor", actuator=1)
    sim.reset(pos=[0, 0, -50])
    sim.att, sim.rate = half / np.linalg.norm(half), rate
    speeds = np.sqrt(thrusts / THRUST)
    sim.rotor_speed = speeds
    sim.throttle = (speeds - sim.motor_curve[:, :1]) / sim.motor_curve[:, 1:2]
    sim.sleep(0.1)
    assert sim.rotor_speed[0] == pytest.approx(speeds, rel=1e-9)
    assert sim.rate[0] == pytest.approx(rate, abs=1e-3)
    assert sim.vel[0, 2] == pytest.approx(0, abs=1e-3)
    assert np.linalg.norm(sim.vel[0, :2]) < 0.3
