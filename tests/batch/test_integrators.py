"""Order of accuracy of the integrators, on a tumbling flight with all smooth effects."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

STATE = ("pos", "vel", "att", "rate", "rotor_speed")


def tumble(integrator: str, dt: float, seconds: float) -> NDArray[np.float64]:
    """Return the state after a flight whose equations are smooth: no ground, no |V|."""
    sim = pyrfly.Sim("quad_plus", integrator=integrator, dt=dt)
    sim.controllers = False
    sim.pos[:] = [0, 0, -500]
    sim.inertia[:] = [0.02, 0.025, 0.04, 0.002, -0.003, 0.001]
    sim.drag_quadratic[:] = sim.damping_quadratic[:] = 0
    sim.drag_linear[:] = [0.2, 0.3, 0.4]
    sim.damping_linear[:] = [0.004, 0.005, 0.006]
    sim.vel[:] = [3, -2, 1]
    sim.rate[:] = [4, -5, 3]
    sim.wind[:] = [1, 2, -1]
    sim.motor_tau[:] = 0.05
    sim.throttle[:] = [0.5, 0.6, 0.55, 0.45]
    sim.rotor_speed[:] = [300, 500, 400, 600]
    sim.step(round(seconds / dt))
    return np.concatenate([getattr(sim, name)[0] for name in STATE])


def order(integrator: str, steps: list[float], seconds: float) -> float:
    """Return the slope of log error over log dt; the error is the change when dt is halved."""
    flights = [tumble(integrator, dt, seconds) for dt in steps]
    scale = np.repeat([100.0, 10, 1, 5, 500], [3, 3, 4, 3, 4])
    errors = [np.linalg.norm((a - b) / scale) for a, b in pairwise(flights)]
    return float(np.polyfit(np.log2(steps[:-1]), np.log2(errors), 1)[0])


@pytest.mark.parametrize(
    ("integrator", "coarsest", "expected", "tolerance"),
    [("rk4", 2**-6, 4, 0.2), ("euler", 2**-9, 1, 0.1)],
)
def test_error_falls_with_the_order_of_the_integrator(
    integrator: str, coarsest: float, expected: float, tolerance: float
) -> None:
    slope = order(integrator, [coarsest / 2**i for i in range(5)], 1.0)
    assert slope == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize(
    ("integrator", "expected", "tolerance"), [("rk4", 0.0, 1e-11), ("euler", 0.28, 0.005)]
)
def test_the_energy_of_free_tumbling_drifts_as_the_docs_say(
    integrator: str, expected: float, tolerance: float
) -> None:
    sim = pyrfly.Sim("quad_plus", integrator=integrator)
    sim.controllers = False
    sim.pos[:] = [0, 0, -500]
    sim.gravity[:] = sim.damping_quadratic[:] = 0
    sim.inertia[:] = moments = [0.03, 0.05, 0.08, 0, 0, 0]
    sim.rate[:] = 8 / np.sqrt(3)
    sim.step(20_000)
    energy = 0.5 * np.sum(moments[:3] * sim.rate[0] ** 2)
    assert energy / (0.5 * 64 / 3 * sum(moments)) - 1 == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
@pytest.mark.parametrize("distance", [-1e5, 1e3, 1e4, 1e5])
def test_float32_moves_far_from_the_origin_as_near_it(integrator: str, distance: float) -> None:
    """Each step of 1 ms is far below the distance between two numbers: 7.8 mm at 100 km."""
    speeds = np.array([0, 1e-3, -0.01, 0.1, -1.0, 3.0])
    sim = pyrfly.Sim("quad_plus", len(speeds), integrator=integrator, precision="float32")
    sim.controllers = False
    sim.gravity[:] = sim.drag_quadratic[:] = 0
    sim.pos[:] = [distance, 0, -500]
    sim.vel[:, 0] = speeds
    spacing = float(np.spacing(np.float32(abs(distance))))
    for second in range(1, 11):
        sim.step(1000)
        way = sim.pos[:, 0].astype(float) - distance
        assert np.abs(way - speeds * second).max() <= 3 * spacing
        assert way[0] == 0


def test_a_float32_vehicle_hovers_at_its_set_point_100_km_away() -> None:
    sim = pyrfly.Sim("x450", precision="float32")
    sim.pos[:] = [1e5, -1e5, 0]
    target = np.array([1e5 + 3, -1e5, -10])
    sim.arm()
    sim.command_position(target, yaw=0)
    sim.step(20_000)
    assert np.abs(sim.pos[0] - target).max() <= 2 * np.spacing(np.float32(1e5))
    assert sim.arrived[0]


def test_the_integrators_agree_in_the_limit() -> None:
    fine = tumble("rk4", 2**-10, 0.5)
    coarse, finer = (tumble("euler", dt, 0.5) for dt in (2**-13, 2**-14))
    np.testing.assert_allclose(2 * finer - coarse, fine, rtol=1e-4, atol=1e-4)


def test_semi_implicit_euler_is_the_scheme_of_its_name() -> None:
    """One step by hand: the new velocity moves the position, the new rate rotates the attitude."""
    sim = pyrfly.Sim("sdk", integrator="euler", dt=0.005)
    sim.controllers = False
    sim.pos[:] = [0, 0, -10]
    sim.vel[:] = [1, 2, 3]
    sim.rate[:] = [0.5, 0.25, -0.5]
    sim.rotor_speed[:] = [300, 400, 500, 600]
    accel, angular = sim.accel[0].copy(), sim.angular_accel[0].copy()
    sim.step()
    vel = np.array([1, 2, 3]) + 0.005 * accel
    rate = np.array([0.5, 0.25, -0.5]) + 0.005 * angular
    np.testing.assert_allclose(sim.vel[0], vel, rtol=1e-13)
    np.testing.assert_allclose(sim.rate[0], rate, rtol=1e-13)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -10] + 0.005 * vel, rtol=1e-13)
    quaternion = np.array([1, *(0.0025 * rate)])
    np.testing.assert_allclose(sim.att[0], quaternion / np.linalg.norm(quaternion), atol=1e-9)
