"""Single tracks beside the programs of CommonRoad, which a package on PyPI has."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from .tracks import Array, command, derivative, in_state

st = pytest.importorskip("vehiclemodels.vehicle_dynamics_st")
std = pytest.importorskip("vehiclemodels.vehicle_dynamics_std")

NUMBERS = {"ford_escort": 1, "bmw_320i": 2, "vw_vanagon": 3}

Inputs = Callable[[float], tuple[float, float]]

MANOEUVRES: dict[str, tuple[float, Inputs]] = {
    "step steer": (20.0, lambda t: (0.2 if t < 0.1 else 0.0, 0.0)),
    "braking in a turn": (20.0, lambda t: (0.15 if t < 0.1 else 0.0, -3.0 if t >= 0.5 else 0.0)),
    "lane change": (25.0, lambda t: (0.06 * (1 if t % 2 < 0.5 or t % 2 >= 1.5 else -1), 0.0)),
}
"""Speed [m/s] and, over time, rate of the steering angle [rad/s] and acceleration [m/s^2]."""


def parameters(name: str) -> Any:
    module = f"vehiclemodels.parameters_vehicle{NUMBERS[name]}"
    return getattr(pytest.importorskip(module), module.split(".")[1])()


def states(count: int, speeds: Sequence[float], seed: int) -> Array:
    """Return random states of ST: the tyres do not slide."""
    random = np.random.default_rng(seed)
    place, steering = random.uniform(-9, 9, (count, 2)), random.uniform(-0.02, 0.02, (count, 1))
    speed, yaw = random.uniform(*speeds, (count, 1)), random.uniform(-3, 3, (count, 1))
    turn, slip = random.uniform(-0.1, 0.1, (count, 1)), random.uniform(-0.01, 0.01, (count, 1))
    return np.hstack([place, steering, speed, yaw, turn, slip])


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("accel", [-4.0, 2.0])
def test_the_derivative_of_the_single_track(name: str, accel: float) -> None:
    for x in states(6, (10, 35), 1):
        sim = in_state(name, [*x])
        command(sim, 0.1, accel)
        expected = st.vehicle_dynamics_st([*x], [0.1, accel], parameters(name))
        np.testing.assert_allclose(
            np.delete(derivative(sim), 2), np.delete(expected, 2), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("accel", [-4.0, 2.0])
def test_the_derivative_of_the_track_with_slip(name: str, accel: float) -> None:
    """Also with much slip and spin; wheel accelerations by a short explicit step."""
    random = np.random.default_rng(2)
    for x in states(6, (25, 40), 3):
        x = x * [1, 1, 5, 1, 1, 10, 10]
        p = parameters(name)
        wheels = x[3] / p.R_w * random.uniform(0.7, 1.2, 2)
        full = [*x, *wheels]
        sim = in_state(f"{name}_slip", full, integrator="euler", dt=1e-4)
        command(sim, 0.1, accel)
        expected = std.vehicle_dynamics_std([*full], [0.1, accel], p)
        np.testing.assert_allclose(
            np.delete(derivative(sim), 2), np.delete(expected[:7], 2), rtol=0, atol=1e-9
        )
        before = sim.wheel_speed[0].copy()
        sim.step(1)
        np.testing.assert_allclose((sim.wheel_speed[0] - before) / sim.dt, expected[7:], rtol=1e-9)


def driven(sim: Any, inputs: Inputs, seconds: float) -> Array:
    """Return place, speed, heading and yaw rate after a manoeuvre."""
    steps = round(seconds / sim.dt)
    for k in range(steps):
        command(sim, *inputs((k + 0.5) * sim.dt))
        sim.step(1)
    return np.array([*sim.pos[0, :2], np.linalg.norm(sim.vel[0]), sim.euler[0, 2], sim.rate[0, 2]])


def integrated(model: Callable[..., Any], p: Any, x: list[float], inputs: Inputs) -> Array:
    """Return the same by the package, integrated between the changes of the inputs."""
    ends = np.arange(0.0, 3.01, 0.1)
    for begin, end in pairwise(ends):
        u = inputs(0.5 * (begin + end))
        run = solve_ivp(
            lambda _, y, u=u: model([*y], [*u], p), (begin, end), x, rtol=1e-8, atol=1e-10
        )
        x = [*run.y[:, -1]]
    return np.array([x[0], x[1], x[3], x[4], x[5]])


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
def test_a_single_track_drives_as_the_package_has_it(manoeuvre: str) -> None:
    speed, inputs = MANOEUVRES[manoeuvre]
    x = [0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0]
    sim = in_state("bmw_320i", x, dt=2e-3)
    sim.slip_tau[:] = 1e-2
    expected = integrated(st.vehicle_dynamics_st, parameters("bmw_320i"), x, inputs)
    np.testing.assert_allclose(driven(sim, inputs, 3.0), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
def test_a_track_with_slip_drives_as_the_package_has_it(manoeuvre: str) -> None:
    speed, inputs = MANOEUVRES[manoeuvre]
    p = parameters("bmw_320i")
    x = [0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0, speed / p.R_w, speed / p.R_w]
    sim = in_state("bmw_320i_slip", x, dt=1e-3)
    expected = integrated(std.vehicle_dynamics_std, p, x, inputs)
    np.testing.assert_allclose(driven(sim, inputs, 3.0), expected, rtol=1e-5, atol=1e-5)
    assert math.isfinite(expected.sum())
