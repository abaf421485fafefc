"""The detailed car beside the multi-body model of CommonRoad.

There the body leans into the curve: a positive roll loads the right wheels, and so does a turn to
the right (`vehicle_dynamics_mb`, F_z_LF and sumL). Its tyres are linear in the load, so that the
motion is that of the detailed car where camber is left out, but for the sign of the roll angle;
its other differences: no relaxation length, axles with a mass of their own, no gyroscopic moments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

mb = pytest.importorskip("vehiclemodels.vehicle_dynamics_mb")
init = pytest.importorskip("vehiclemodels.init_mb")
module = pytest.importorskip("vehiclemodels.parameters_vehicle2")

Array = NDArray[np.float64]
Inputs = Callable[[float], tuple[float, float]]

MANOEUVRES: dict[str, tuple[float, Inputs]] = {
    "step steer": (20.0, lambda t: (0.3 if t < 0.1 else 0.0, 0.0)),
    "braking in a turn": (20.0, lambda t: (0.2 if t < 0.1 else 0.0, -3.0 if t >= 0.8 else 0.0)),
    "lane change": (25.0, lambda t: (0.04 * (1 if t % 2 < 0.5 or t % 2 >= 1.5 else -1), 0.0)),
}
"""Speed [m/s] and, over time, rate of the steering angle [rad/s] and acceleration [m/s^2]."""

STEP, SAMPLE, SAMPLES = 2e-3, 0.05, 50


def parameters() -> Any:
    """Return those of the package without what depends on camber or is that of one tyre."""
    p = module.parameters_vehicle2()
    names = "p_hx1 p_vx1 p_hy1 p_hy3 p_vy1 p_vy3 p_dy3 r_hx1 r_by3 r_hy1 r_vy1 r_vy3"
    for name in names.split():
        setattr(p.tire, name, 0.0)
    p.K_lt = 0.0
    return p


def source(speed: float, inputs: Inputs) -> Array:
    """Return speed, speed to the left, yaw rate and roll angle over time, shape (samples, 4)."""
    p = parameters()
    x = np.array(init.init_mb([0, 0, 0, speed, 0, 0, 0], p), dtype=float)

    def f(t: float, x: Array) -> Array:
        return np.array(mb.vehicle_dynamics_mb(list(x), list(inputs(t)), p))

    found = []
    for i in range(SAMPLES * round(SAMPLE / STEP)):
        t, h = i * STEP, STEP
        k1 = f(t + 1e-9, x)
        k2 = f(t + h / 2, x + h / 2 * k1)
        k3 = f(t + h / 2, x + h / 2 * k2)
        k4 = f(t + h - 1e-9, x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (i + 1) % round(SAMPLE / STEP) == 0:
            found.append(x[[3, 10, 5, 6]])
    return np.array(found)


def car(speed: float, inputs: Inputs) -> Array:
    """Return the same of the detailed car."""
    sim = pyrfly.Sim("bmw_320i_detailed", 1)
    sim.controllers = False
    sim.vel[:, 0] = speed
    sim.wheel_speed[:] = speed / sim.wheel_radius[0]
    sim.air_drag_area[:] = sim.tyre_rolling[:] = sim.camber_gain[:] = sim.ackermann_share[:] = 0
    sim.tyre_side_stiffness[:] = 1e12
    sim.tyre_relaxation[:] = [0.05, 0.05]
    sim.steering_tau[:] = 2e-3
    found, angle = [], 0.0
    for i in range(SAMPLES * round(SAMPLE / sim.dt)):
        rate, accel = inputs((i + 0.5) * sim.dt)
        angle += rate * sim.dt
        sim.steer[:] = -angle / sim.steering_max
        most = sim.brake_torque / (sim.mass * sim.wheel_radius)
        sim.traction[:] = accel / most if accel else 0.0011
        sim.step()
        if (i + 1) % round(SAMPLE / sim.dt) == 0:
            ahead, right = sim.vel_body[0, :2]
            found.append([ahead, -right, -sim.rate[0, 2], sim.euler[0, 0]])
    return np.array(found)


@pytest.mark.parametrize("name", MANOEUVRES)
def test_manoeuvres_are_those_of_the_multi_body_model(name: str) -> None:
    expected, found = source(*MANOEUVRES[name]), car(*MANOEUVRES[name])
    for column, (tolerance, unit) in enumerate([(0.1, "m/s"), (0.2, "m/s"), (0.03, "rad/s")]):
        worst = np.abs(found[:, column] - expected[:, column]).max()
        assert worst < tolerance, f"column {column}: {worst} {unit}"
    outwards, inwards = found[:, 3], -expected[:, 3]
    assert np.abs(outwards - inwards).max() < 0.25 * np.abs(inwards).max()
