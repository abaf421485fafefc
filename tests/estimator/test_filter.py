"""The equations of the filter: against differences, a closed form, and a filter of another kind."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import solve_discrete_are
from scipy.spatial.transform import Rotation

import pyrfly

Array = NDArray[np.float64]
Estimating = Callable[..., pyrfly.Sim]

STATES = 19
HEIGHT_WALK = 0.04  # m/s^0.5, of the weather: docs/estimator.md
STEP = 4  # integrator steps from one update of the sensors to the next
VECTORS = {
    "vel_est": 3,
    "pos_est": 6,
    "gyro_bias_est": 9,
    "accel_bias_est": 12,
    "gps_drift_est": 15,
}


def product(a: Array, b: Array) -> Array:
    """Return the quaternion a b, scalar first."""
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    return np.array([scalar, *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def add_error(sim: pyrfly.Sim, row: int, error: Array) -> None:
    """Add errors to the estimate of a vehicle."""
    half = error[:3] / 2
    sim.att_est[row] = product(np.array([1.0, *half]) / np.sqrt(1 + half @ half), sim.att_est[row])
    for name, first in VECTORS.items():
        getattr(sim, name)[row] += error[first : first + 3]
    sim.height_offset_est[row] += error[18]


def difference(sim: pyrfly.Sim, row: int, other: int) -> Array:
    """Return the errors that lead from the estimate of a vehicle to that of another."""
    conjugate = sim.att_est[other] * [1, -1, -1, -1]
    turn = product(np.asarray(sim.att_est[row]), conjugate)
    parts = [2 * turn[1:] * np.sign(turn[0])]
    parts += [getattr(sim, name)[row] - getattr(sim, name)[other] for name in VECTORS]
    return np.array(
        [*np.concatenate(parts), sim.height_offset_est[row] - sim.height_offset_est[other]]
    )


def derivatives(sims: pyrfly.Sim, value: Callable[[pyrfly.Sim, int, int], Array]) -> Array:
    """Return the central differences of a value of vehicles 1 to 38 with respect to `spread`."""
    columns = [value(sims, 1 + 2 * j, 2 + 2 * j) / (2 * EPSILON[j]) for j in range(STATES)]
    return np.stack(columns, axis=1)


EPSILON = np.repeat([1e-5, 1e-4, 1e-3, 1e-5, 1e-4, 1e-3, 1e-3], [3, 3, 3, 3, 3, 3, 1])


def spread(sim: pyrfly.Sim) -> None:
    """Move the estimates of pairs of vehicles by a small error to both sides."""
    for j in range(STATES):
        error = np.zeros(STATES)
        error[j] = EPSILON[j]
        add_error(sim, 1 + 2 * j, error)
        add_error(sim, 2 + 2 * j, -error)


@pytest.mark.slow
def test_covariance_follows_the_differences_of_state_and_measurements(
    estimating: Estimating,
) -> None:
    """P <- F P F^T + Q, then P - P H^T S^-1 H P, with F and S^-1/2 H by central differences."""
    sim = estimating(1 + 2 * STATES)
    for name in ("random_vehicle", "imu_gyro_bias", "imu_accel_bias"):
        getattr(sim, name)[:] = getattr(sim, name)[0]
    sim.sensors.set_rate("magnetometer", 125)
    sim.sensors.set_rate("barometer", 62.5)
    sim.gps_delay[:] = 0
    sim.command_velocity([3, 2, -1], yaw_rate=0.5)
    sim.reset(pos=[0, 0, -20], seed=3)
    sim.arm()
    while not (sim.gps_updates[0] == 7 and np.ptp(sim.pos, axis=0).max() == 0):
        sim.step(STEP)
    sim.gps_walk[:] = 0  # the drift stays as it is
    sim.gps_tau[:] = 1e12
    updated = np.zeros(1)
    while not {"gps", "barometer", "magnetometer"} <= set(updated):  # all at the next update
        before = copy.deepcopy(sim)
        sim.step(STEP)
        updated = [
            name for name in ("gps", "barometer", "magnetometer") if sim.sensors.updated(name)[0]
        ]
    assert np.ptp(before.pos_est, axis=0).max() == 0
    after = copy.deepcopy(before)
    spread(after)
    predicted = copy.deepcopy(before)
    predicted.sensors.disable("magnetometer", "barometer", "gps")
    spread(predicted)
    for other in (after, predicted):
        other.step(STEP)
    transition = derivatives(predicted, difference)
    p, p_minus = before.estimator.covariance[0], predicted.estimator.covariance[0]
    noise = p_minus - transition @ p @ transition.T
    expected = np.zeros(STATES)
    expected[:6] = np.repeat([sim.imu_gyro_noise[0, 0], sim.imu_accel_noise[0, 0]], 3) ** 2 * 0.004
    scale = np.sqrt(np.outer(np.diag(p_minus), np.diag(p_minus)))
    np.testing.assert_allclose(noise / scale, np.diag(expected) / scale, atol=2e-5)

    whitened = derivatives(after, lambda s, a, b: s.innovations[a] - s.innovations[b])
    gain = p_minus @ np.linalg.solve(transition.T, whitened.T)
    np.testing.assert_allclose(
        after.estimator.covariance[0] / scale, (p_minus - gain @ gain.T) / scale, atol=5e-3
    )
    assert (np.linalg.eigvalsh(after.estimator.covariance[0] / scale) > 0).all()


def test_steady_state_is_that_of_the_riccati_equation(estimating: Estimating) -> None:
    """Height and climb of a level vehicle: two states of one axis, with noise of both sensors."""
    sim = estimating(profile="ideal", sensors=("imu", "gps"))
    sim.sensors.set_rate("gps", 5)
    sim.imu_accel_noise[:] = accel = 0.05
    sim.gps_noise[:] = position = 0.5
    sim.gps_vel_noise[:] = 1e6
    for name in ("gyro_bias", "accel_bias", "initial_tilt", "initial_heading"):
        getattr(sim, f"{name}_deviation")[:] = 0
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.step(60_000)
    while not sim.sensors.updated("gps")[0]:
        sim.step()
    period = 0.2
    moves = np.array([[1, period], [0, 1]])
    process = accel**2 * np.array([[period**3 / 3, period**2 / 2], [period**2 / 2, period]])
    noise = position**2 + 0.01**2
    before = solve_discrete_are(moves.T, np.array([[1.0], [0]]), process, np.array([[noise]]))
    gain = before[:, :1] / (before[0, 0] + noise)
    expected = before - gain @ before[:1]
    states = [8, 5]  # z and its derivative
    np.testing.assert_allclose(
        sim.estimator.covariance[0][np.ix_(states, states)], expected, rtol=0.02
    )


class CloningFilter:
    """Filter with matrices, and with clones of position and velocity when a sample is taken.

    The order of the errors is that of `pyrfly.sim.estimator.ERROR_STATES`, then the clones of
    position and velocity. The attitude is a matrix; the transition is of second order.
    """

    def __init__(self, sim: pyrfly.Sim) -> None:
        self.att = matrix_of(np.asarray(sim.att_est[0]))
        self.vel, self.pos = np.array(sim.vel_est[0]), np.array(sim.pos_est[0])
        self.gyro_bias = np.array(sim.gyro_bias_est[0])
        self.accel_bias = np.array(sim.accel_bias_est[0])
        self.drift = np.array(sim.gps_drift_est[0])
        self.height = float(sim.height_offset_est[0])
        self.covariance = np.zeros((25, 25))
        self.covariance[:STATES, :STATES] = sim.estimator.covariance[0]
        self.clone = np.zeros(6)
        self.imu = imu_of(sim)
        self.field = np.array(sim.magnetic_field[0])
        self.gravity = np.array([0, 0, sim.gravity[0]])

    def predict(self, imu: Array, dt: float, densities: Array) -> None:
        force, rate = (self.imu + imu).reshape(2, 3) / 2
        self.imu = imu
        force, rate = force - self.accel_bias, rate - self.gyro_bias
        middle = self.att @ turn_by(rate * dt / 2)
        accel = middle @ force + self.gravity
        dynamics = np.zeros((25, 25))
        dynamics[0:3, 9:12] = dynamics[3:6, 12:15] = -middle
        dynamics[3:6, 0:3] = -skew(middle @ force)
        dynamics[6:9, 3:6] = np.eye(3)
        transition = np.eye(25) + dynamics * dt + dynamics @ dynamics * (dt**2 / 2)
        self.covariance = transition @ self.covariance @ transition.T
        self.covariance[range(6), range(6)] += np.repeat(densities, 3) ** 2 * dt
        self.pos = self.pos + self.vel * dt + accel * dt**2 / 2
        self.vel = self.vel + accel * dt
        self.att = self.att @ turn_by(rate * dt)

    def take_sample(self) -> None:
        self.clone = np.array([*self.pos, *self.vel])
        keeps = np.eye(25)
        keeps[19:] = 0
        keeps[19:22, 6:9] = keeps[22:25, 3:6] = np.eye(3)
        self.covariance = keeps @ self.covariance @ keeps.T

    def drift_on(self, decay: float, variance: Array) -> None:
        keeps = np.diag(np.where((np.arange(25) >= 15) & (np.arange(25) < 18), decay, 1))
        self.covariance = keeps @ self.covariance @ keeps.T
        self.covariance[range(15, 18), range(15, 18)] += variance
        self.drift = self.drift * decay

    def correct(self, innovation: Array, h: Array, noise: Array) -> None:
        cross = self.covariance @ h.T
        gain = cross @ np.linalg.inv(h @ cross + noise)
        self.covariance = self.covariance - gain @ cross.T
        change = gain @ innovation
        self.att = turn_by(change[:3]) @ self.att
        self.vel, self.pos = self.vel + change[3:6], self.pos + change[6:9]
        self.gyro_bias, self.accel_bias = (
            self.gyro_bias + change[9:12],
            self.accel_bias + change[12:15],
        )
        self.drift, self.height = self.drift + change[15:18], self.height + change[18]
        self.clone = self.clone + change[19:]

    def correct_gps(self, pos: Array, vel: Array, deviations: Array) -> None:
        h = np.zeros((6, 25))
        h[:, 19:] = np.eye(6)
        h[:3, 15:18] = np.eye(3)
        expected = self.clone + np.array([*self.drift, 0, 0, 0])
        self.correct(np.array([*pos, *vel]) - expected, h, np.diag(deviations**2))

    def correct_height(self, height: float, deviation: float) -> None:
        h = np.zeros((1, 25))
        h[0, [8, 18]] = -1, 1
        self.correct(
            np.array([height - (self.height - self.pos[2])]), h, np.array([[deviation**2]])
        )

    def correct_heading(self, measured: Array, deviation: float) -> None:
        """By the angle of the horizontal field; its derivative for the expected one.

        The derivative of the measured one would be correlated with its noise.
        """

        def angle(error: Array, field: Array) -> float:
            north, east, _ = turn_by(error) @ self.att @ field
            return float(np.arctan2(self.field[1], self.field[0]) - np.arctan2(east, north))

        h, expected = np.zeros((1, 25)), self.att.T @ self.field
        for i, step in enumerate(np.eye(3) * 1e-6):
            h[0, i] = -(angle(step, expected) - angle(-step, expected)) / 2e-6
        level = float(np.hypot(*self.field[:2]))
        self.correct(
            np.array([angle(np.zeros(3), measured)]), h, np.array([[(deviation / level) ** 2]])
        )


def turn_by(angle: Array) -> Array:
    return np.asarray(Rotation.from_rotvec(angle).as_matrix())


def skew(v: Array) -> Array:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def matrix_of(q: Array) -> Array:
    s = skew(q[1:])
    return np.eye(3) + 2 * q[0] * s + 2 * s @ s


def imu_of(sim: pyrfly.Sim) -> Array:
    return np.array([*sim.imu_accel[0], *sim.imu_gyro[0]])


@pytest.mark.parametrize("delay", [0.0, 0.12, 0.3])
@pytest.mark.slow
def test_estimate_is_that_of_a_filter_with_matrices_and_clones(
    estimating: Estimating, delay: float
) -> None:
    sim = estimating()
    if delay > 0.2:
        sim.sensors.set_rate("gps", 2.5)
    sim.gps_delay[:] = delay
    sim.command_velocity([4, 0, 0], yaw_rate=1, frame="frd")
    sim.step()
    sim.step(STEP - 1)
    other = CloningFilter(sim)
    other.take_sample()
    period = float(sim.gps_period[0]) * 0.004
    decay = np.exp(-period / sim.gps_tau[0])
    variance = (sim.gps_walk[0] ** 2 * sim.gps_tau[0] / 2)[[0, 0, 1]]
    pos = np.sqrt(sim.gps_noise[0] ** 2 + 0.01**2)[[0, 0, 1]]
    deviations = np.array([*pos, *sim.gps_vel_noise[0][[0, 0, 1]]])
    densities = np.array([sim.imu_gyro_noise[0, 0], sim.imu_accel_noise[0, 0]])
    field_noise = np.hypot(
        sim.magnetometer_noise[0, 0] / np.sqrt(0.004 * sim.magnetometer_period[0]),
        sim.magnetometer_walk[0] * np.sqrt(sim.magnetometer_tau[0] / 2),
    )
    per_pascal = 287.053 / 9.80665 * sim.barometer_temperature[0] / sim.barometer_pressure[0]
    for update in range(1, 1000):
        sim.step(1)
        other.predict(imu_of(sim), 0.004, densities)
        if update * 4 % round(period * 1000) == 0:
            other.take_sample()
        if sim.sensors.updated("magnetometer")[0]:
            other.correct_heading(np.asarray(sim.magnetometer[0]), field_noise)
        if sim.sensors.updated("barometer")[0]:
            other.covariance[18, 18] += HEIGHT_WALK**2 * 0.004 * sim.barometer_period[0]
            other.correct_height(sim.barometer_height[0], per_pascal * sim.barometer_noise[0])
        if sim.sensors.updated("gps")[0]:
            first = sim.gps_updates[0] == 1
            other.drift_on(0 if first else decay, variance * (1 if first else 1 - decay**2))
            other.correct_gps(sim.gps_pos[0], sim.gps_vel[0], deviations)
        sim.step(STEP - 1)
    deviation = np.sqrt(np.diag(other.covariance)[:STATES])
    turn = matrix_of(np.asarray(sim.att_est[0])) @ other.att.T
    apart: dict[str, Any] = {
        "attitude": np.array([turn[2, 1], turn[0, 2], turn[1, 0]]),
        "velocity": sim.vel_est[0] - other.vel,
        "position": sim.pos_est[0] - other.pos,
        "gyro_bias": sim.gyro_bias_est[0] - other.gyro_bias,
        "accel_bias": sim.accel_bias_est[0] - other.accel_bias,
        "gps_drift": sim.gps_drift_est[0] - other.drift,
    }
    np.testing.assert_allclose(np.concatenate(list(apart.values())) / deviation[:18], 0, atol=0.15)
    own = np.sqrt(np.diag(sim.estimator.covariance[0]))
    np.testing.assert_allclose(own / deviation, 1, rtol=0.04)
