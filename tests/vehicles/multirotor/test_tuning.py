"""Gains from parameters: complete, well damped, with the scaling of the physics."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import columns, vehicles
from pyrfly.vehicles.multirotor import tuning

Array = NDArray[np.float64]
Columns = dict[str, Array]

SETS = vehicles.names("multirotor")
MOTIONS = ["position_p", "velocity_p", "attitude_p", "speed_limit", "accel_limit", "tilt_limit"]


def changed(name: str, **factors: float) -> tuple[Columns, str]:
    """Return the columns of a set, some of them times a factor, and its type."""
    p = vehicles.load(name)
    return {k: v * factors.get(k, 1.0) for k, v in p.columns.items()}, p.c_type


def gains_of(name: str, **factors: float) -> Columns:
    return tuning.gains(*changed(name, **factors))


@pytest.mark.parametrize("name", SETS)
def test_every_gain_column_is_given(name: str) -> None:
    p = vehicles.load(name)
    expected = {f.name: f.width for f in columns.fields_of_type(p.c_type) if f.role == "gain"}
    assert {k: v.size for k, v in gains_of(name).items()} == expected


@pytest.mark.parametrize("name", SETS)
def test_gains_are_finite_and_of_the_right_sign(name: str) -> None:
    gains = gains_of(name)
    assert all(np.isfinite(v).all() for v in gains.values())
    own = {k: v for k, v in gains.items() if not k.startswith("control_")}
    assert all((v >= 0).all() for k, v in own.items() if k != "mixer")
    assert gains["tilt_limit"][0] < np.pi / 2


@pytest.mark.parametrize("name", SETS)
def test_mixer_gives_the_collective_thrust_only(name: str) -> None:
    mix = gains_of(name)["mixer"].reshape(4, -1)
    p = vehicles.load(name)
    up = -p.columns["rotor_axis"].reshape(3, -1)[2] if "rotor_axis" in p.columns else np.ones(4)
    assert mix[0] @ up == pytest.approx(1.0)
    assert mix[1:] @ up == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_tilt_rate_loop_is_damped_behind_the_lag_of_the_motors(name: str) -> None:
    gains, p = gains_of(name), vehicles.load(name)
    lag = p.columns["motor_tau"].max()
    for axis in (0, 1):
        inertia = p.columns["inertia"][axis]
        k, d = gains["rate_p"][axis] / inertia, gains["rate_d"][axis] / inertia
        damping = (1 + d) / (2 * np.sqrt(k * lag))
        assert damping >= 0.8 - 1e-9
        assert np.sqrt(k / lag) <= 60


@pytest.mark.parametrize("name", SETS)
def test_horizontal_cascade_is_stable_and_damped(name: str) -> None:
    """Characteristic polynomial from position to motors; no root with a damping ratio below 0.5."""
    gains, p = gains_of(name), vehicles.load(name)
    lag = p.columns["motor_tau"].max()
    k, d = (
        gains["rate_p"][0] / p.columns["inertia"][0],
        gains["rate_d"][0] / p.columns["inertia"][0],
    )
    steps = [gains["position_p"][0], gains["velocity_p"][0], gains["attitude_p"][0], k / (1 + d)]
    coefficients = [1.0, *(1 / np.cumprod([*steps, (1 + d) / lag]))]
    roots = np.roots(coefficients[::-1])
    assert (roots.real < 0).all()
    assert (-roots.real / np.abs(roots) > 0.5).all()


@pytest.mark.parametrize("name", ["sdk", "cf2x_l250", "octo_x", "sih_quad"])
def test_a_vehicle_twice_as_heavy_with_rotors_twice_as_strong_moves_the_same(name: str) -> None:
    scaled = (
        "mass inertia thrust_coef torque_coef rotor_inertia rotor_thrust_coef rotor_torque_coef "
        "drag_linear drag_quadratic damping_linear damping_quadratic"
    ).split()
    once, twice = gains_of(name), gains_of(name, **dict.fromkeys(scaled, 2.0))
    for key in [*MOTIONS, "velocity_i", "rate_limit", "climb_limit", "mixer"]:
        np.testing.assert_allclose(twice[key], once[key], rtol=1e-9, atol=1e-12)
    for key in ["rate_p", "rate_i", "rate_d", "thrust_limit", "control_mass"]:
        np.testing.assert_allclose(twice[key], 2 * once[key], rtol=1e-9)


@pytest.mark.parametrize("name", ["sdk", "x150", "cf21b_500"])
def test_slower_motors_reduce_the_bandwidth_of_every_loop(name: str) -> None:
    fast, slow = gains_of(name), gains_of(name, motor_tau=3.0)
    for key in ("position_p", "velocity_p", "attitude_p"):
        assert (slow[key] <= fast[key]).all()
        assert slow[key][0] < fast[key][0]


def test_a_vehicle_that_cannot_yaw_gets_no_yaw_gains() -> None:
    gains = gains_of("tri_y_plus")
    yaw = [gains[key][-1] for key in ("attitude_p", "rate_p", "rate_i", "rate_d", "rate_limit")]
    assert yaw == [0.0] * 5
    assert not gains["mixer"].reshape(4, -1)[3].any()


def test_tilt_is_limited_by_the_available_thrust() -> None:
    assert gains_of("sdk")["tilt_limit"][0] == pytest.approx(0.7)
    weak = gains_of("sdk", mass=2.5)  # lifts 1.23 times its weight
    assert 0.1 <= weak["tilt_limit"][0] < 0.5
    assert weak["accel_limit"][0] == pytest.approx(9.8 * np.tan(weak["tilt_limit"][0]))


def test_drag_limits_the_commanded_speed() -> None:
    """A set with much drag: 0.8 of the speed where 0.6023 v is the weight times tan 0.7."""
    terminal = 0.3175 * 9.8 * np.tan(0.7) / 0.6023
    assert gains_of("x150")["speed_limit"][0] == pytest.approx(0.8 * terminal)
    assert gains_of("x500")["speed_limit"][0] == 12.0  # no drag at all


@pytest.mark.parametrize("factor", [3.5, 20.0])
def test_a_vehicle_that_cannot_fly_gets_finite_gains(factor: float) -> None:
    gains = gains_of("sdk", mass=factor)
    assert all(np.isfinite(v).all() for v in gains.values())
    assert (gains["position_p"] > 0).all()
