"""csrc/models/rigid_body.h: check cases [@nesc], conservation laws, tops with closed forms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import pyrfly

Array = NDArray[np.float64]
Bare = Callable[..., pyrfly.Sim]

NESC = Path(__file__).parents[1] / "data" / "nesc"
FOOT = 0.3048
SLUG = 14.59390293720636
BRICK_INERTIA = np.array([0.001894220, 0.006211019, 0.007194665]) * SLUG * FOOT**2
BRICK_AREA = 2 / 9 * FOOT**2
BRICK_SPAN = 1 / 3 * FOOT
BRICK_CHORD = {"01": 0.67 * FOOT, "04": 2 / 3 * FOOT, "06": 2 / 3 * FOOT}  # 01 by its own moments
MINIMUM_SPEED = 0.5 * FOOT
SAMPLED_LATE = {"06": 5e-4}  # s, after the time of the row


def nesc(case: str, tool: str) -> tuple[Array, Array, Array]:
    """Return times [s], angular velocities [rad/s] and the factor of damping, rho V [kg/m^2/s]."""
    rows = np.genfromtxt(NESC / f"Atmos_{case}_sim_{tool}.csv", delimiter=",", names=True)
    axes = ("Roll", "Pitch", "Yaw")
    rates = np.stack([rows[f"bodyAngularRateWrtEi_deg_s_{axis}"] for axis in axes], axis=1)
    density = rows["airDensity_slug_ft3"] * SLUG / FOOT**3
    speed = FOOT * np.sqrt(2 * rows["dynamicPressure_lbf_ft2"] / rows["airDensity_slug_ft3"])
    # V^2 / max(V, minimum): dynamic pressure over the reference speed of dimensionless rates
    flow = density * speed**2 / np.maximum(speed, MINIMUM_SPEED)
    return 0.1 * np.arange(301), np.radians(rates), flow


def tensor(columns: Array) -> Array:
    """Return the 3x3 matrix of xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = columns
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def columns_of(matrix: Array) -> Array:
    return matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def to_ned(sim: pyrfly.Sim) -> Rotation:
    return Rotation.from_quat(np.roll(sim.att, -1, axis=1))


def rates_over_time(sim: pyrfly.Sim, seconds: float, every: float) -> Array:
    """Step and return the angular velocities of the first vehicle at 0, every, ... [rad/s]."""
    rates = [sim.rate[0].copy()]
    for _ in range(round(seconds / every)):
        sim.step(round(every / sim.dt))
        rates.append(sim.rate[0].copy())
    return np.array(rates)


def shifted(rates: Array, inertia: Array, lag: float) -> Array:
    """Return torque-free angular velocities ``lag`` later, to second order."""
    first = np.cross(inertia * rates, rates) / inertia
    second = np.cross(inertia * first, rates) + np.cross(inertia * rates, first)
    return rates + lag * first + lag**2 / 2 * second / inertia


@pytest.mark.parametrize("effects", ["plain", "full"])
@pytest.mark.parametrize("tool", ["01", "04", "06"])
def test_tumbling_brick_has_the_rates_of_nesc_case_2(bare: Bare, tool: str, effects: str) -> None:
    times, expected, _ = nesc("02", tool)
    sim = bare(effects=effects)
    sim.inertia[:] = [*BRICK_INERTIA, 0, 0, 0]
    sim.gravity[:] = 0
    sim.rate[:] = np.radians([10, 20, 30])
    rates = rates_over_time(sim, 30, 0.1)
    late = SAMPLED_LATE.get(tool, 0.0)
    rates[1:] = shifted(rates[1:], BRICK_INERTIA, late)
    assert len(rates) == len(times)
    assert np.degrees(np.abs(rates - expected)).max() < 1e-6


def test_tumbling_brick_in_skew_axes_has_the_rates_of_nesc_case_2(bare: Bare) -> None:
    """The full tensor: body axes that are not the principal ones."""
    _, expected, _ = nesc("02", "04")
    skew = Rotation.from_euler("ZYX", [0.7, -0.4, 1.1]).as_matrix()  # principal to body axes
    sim = bare()
    sim.inertia[:] = columns_of(skew @ np.diag(BRICK_INERTIA) @ skew.T)
    assert np.abs(sim.inertia[0, 3:]).min() > 0.1 * BRICK_INERTIA.min()
    sim.gravity[:] = 0
    sim.rate[:] = skew @ np.radians([10, 20, 30])
    rates = rates_over_time(sim, 30, 0.1) @ skew
    assert np.degrees(np.abs(rates - expected)).max() < 1e-6


@pytest.mark.parametrize(("tool", "tolerance"), [("01", 5e-4), ("04", 1e-5), ("06", 4.2e-3)])
def test_damped_brick_decays_as_in_nesc_case_3(bare: Bare, tool: str, tolerance: float) -> None:
    """Aerodynamic damping q S L (L / 2V) C w is linear in the rate with a factor that grows with V.

    So `damping_linear` can stand for it when it follows the tool's own speed and density. Tool 06
    damps the rate relative to the air, which rotates with the Earth: 0.0042 deg/s.
    """
    times, expected, flow = nesc("03", tool)
    along = CubicSpline(times, flow)
    length = np.array([BRICK_SPAN, BRICK_CHORD[tool], BRICK_SPAN])
    late = SAMPLED_LATE.get(tool, 0.0)
    sim = bare()
    sim.inertia[:] = [*BRICK_INERTIA, 0, 0, 0]
    sim.gravity[:] = 0
    sim.rate[:] = np.radians([10, 20, 30])
    worst, steps = 0.0, 10
    for i in range(len(times) - 1):
        for middle in times[i] + 0.1 * (np.arange(steps) + 0.5) / steps:
            sim.damping_linear[:] = along(middle) * BRICK_AREA * length**2 / 4
            sim.step(round(0.1 / steps / sim.dt))
        rate = sim.rate[0] + late * sim.angular_accel[0]
        worst = max(worst, float(np.degrees(np.abs(rate - expected[i + 1])).max()))
    assert worst < tolerance
    assert np.degrees(np.abs(sim.rate[0])).max() < 1e-4


def angular_momentum(sim: pyrfly.Sim) -> Array:
    """Return the angular momentum of all vehicles in NED, without rotors [N m s]."""
    body = np.einsum("nij,nj->ni", np.array([tensor(row) for row in sim.inertia]), sim.rate)
    return to_ned(sim).apply(body)


def rotational_energy(sim: pyrfly.Sim) -> Array:
    body = np.einsum("nij,nj->ni", np.array([tensor(row) for row in sim.inertia]), sim.rate)
    return 0.5 * np.sum(body * sim.rate, axis=1)


def tumbling(bare: Bare, n: int, **options: Any) -> pyrfly.Sim:
    """Return free bodies of any tensor and attitude, tumbling at a few rad/s."""
    random = np.random.default_rng(20)
    sim = bare(n=n, **options)
    sim.gravity[:] = 0
    turned = Rotation.random(n, random_state=20).as_matrix()
    moments = np.sort(random.uniform(1, 2, (n, 3)), axis=1) * 0.02  # a body: none above the sum
    sim.inertia[:] = [
        columns_of(r @ np.diag(m) @ r.T) for r, m in zip(turned, moments, strict=True)
    ]
    sim.att[:] = np.roll(Rotation.random(n, random_state=21).as_quat(), 1, axis=1)
    sim.rate[:] = random.uniform(-4, 4, (n, 3))
    return sim


def test_torque_free_body_keeps_momentum_and_energy_for_a_minute(bare: Bare) -> None:
    sim = tumbling(bare, 16)
    momentum, energy = angular_momentum(sim), rotational_energy(sim)
    size = np.linalg.norm(momentum, axis=1)
    for _ in range(60):
        sim.step(1000)
        drift = np.linalg.norm(angular_momentum(sim) - momentum, axis=1) / size
        assert drift.max() < 1e-11
        assert np.abs(rotational_energy(sim) / energy - 1).max() < 1e-11
        assert np.abs(np.linalg.norm(sim.att, axis=1) - 1).max() < 1e-15 * 4


def test_momentum_of_float32_drifts_by_rounding_only(bare: Bare) -> None:
    sim = tumbling(bare, 16, precision="float32")
    momentum = angular_momentum(sim)
    sim.step(60_000)
    drift = np.linalg.norm(angular_momentum(sim) - momentum, axis=1)
    assert (drift / np.linalg.norm(momentum, axis=1)).max() < 1e-3


def test_symmetric_top_precesses_as_in_the_textbook(bare: Bare) -> None:
    """q(t) = turn(L t / Jx about L) q(0) turn((1 - Jz/Jx) w_z t about z), exact for Jx = Jy."""
    jx, jz, seconds = 0.02, 0.035, 20.0
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.inertia[:] = [jx, jx, jz, 0, 0, 0]
    sim.att[:] = np.roll(Rotation.random(3, random_state=4).as_quat(), 1, axis=1)
    sim.rate[:] = [[0.5, -1.0, 6.0], [3.0, 2.0, -1.0], [0.0, 0.1, 10.0]]
    start, rate = to_ned(sim), sim.rate.copy()
    momentum = start.apply(rate * [jx, jx, jz])
    sim.step(round(seconds / sim.dt))

    precession = Rotation.from_rotvec(momentum / jx * seconds)
    spin = np.zeros((3, 3))
    spin[:, 2] = (1 - jz / jx) * rate[:, 2] * seconds
    expected = precession * start * Rotation.from_rotvec(spin)
    assert (expected.inv() * to_ned(sim)).magnitude().max() < 1e-8

    turned = Rotation.from_rotvec(-spin).apply(rate)
    np.testing.assert_allclose(sim.rate, turned, atol=1e-8)


def test_spin_about_the_middle_axis_is_unstable_and_about_the_others_is_not(bare: Bare) -> None:
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.inertia[:] = [0.01, 0.02, 0.025, 0, 0, 0]
    sim.rate[:] = 3 * np.eye(3) + 1e-3
    minimum = np.ones(3)
    for _ in range(200):
        sim.step(100)
        along = np.diagonal(sim.rate) / np.linalg.norm(sim.rate, axis=1)
        minimum = np.minimum(minimum, along)
    assert minimum[0] > 0.999
    assert minimum[1] < -0.99  # it turns over
    assert minimum[2] > 0.999


def test_free_fall_is_gravity_alone(bare: Bare) -> None:
    sim = bare()
    sim.gravity[:] = 9.81
    sim.vel[:] = [3.0, -2.0, -5.0]
    sim.att[:] = Rotation.from_euler("ZYX", [1.0, 0.5, -2.0]).as_quat()[[3, 0, 1, 2]]
    sim.step(3000)
    np.testing.assert_allclose(sim.vel[0], [3, -2, -5 + 9.81 * 3], rtol=1e-12)
    np.testing.assert_allclose(sim.pos[0], [9, -6, -15 + 9.81 * 4.5], rtol=1e-12)
    np.testing.assert_allclose(sim.specific_force, 0, atol=1e-12)


def test_outputs_are_the_vectors_they_are_named_after(bare: Bare) -> None:
    """A vehicle rolled by 90 degrees: its right axis points down."""
    sim = bare()
    sim.gravity[:] = 10.0
    sim.vel[:] = [1.0, 2.0, 3.0]
    sim.att[:] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    np.testing.assert_allclose(sim.vel_body[0], [1, 3, -2], atol=1e-15)
    np.testing.assert_allclose(sim.accel[0], [0, 10, 0], atol=1e-14)
    np.testing.assert_allclose(sim.specific_force[0], 0, atol=1e-14)


def test_attitude_follows_a_constant_angular_velocity(bare: Bare) -> None:
    """Positive rates put the right wing down, the nose up, and the nose right."""
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.rate[:] = np.eye(3)
    sim.step(500)
    angles = to_ned(sim).as_euler("ZYX")[:, ::-1]
    np.testing.assert_allclose(angles, 0.5 * np.eye(3), atol=1e-12)
