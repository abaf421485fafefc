"""csrc/models/motor.h: throttle to rotor speed against closed forms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

Bare = Callable[..., pyrfly.Sim]

BOTH = pytest.mark.parametrize("effects", ["plain", "full"])


def settled(sim: pyrfly.Sim) -> np.ndarray:
    """Return the steady speeds of the motors [rad/s]."""
    sim.motor_tau[:] = 0.01
    sim.step(400)
    return np.array(sim.rotor_speed)


@BOTH
def test_speed_rises_as_a_first_order_lag(bare: Bare, effects: str) -> None:
    sim = bare(effects=effects)
    sim.motor_curve[:] = [100, 800, 0, 0]
    sim.motor_tau[:] = 0.05
    sim.throttle[:] = [0.0, 0.25, 0.5, 1.0]
    sim.rotor_speed[:] = [0, 10, 500, 0]
    start, target = sim.rotor_speed.copy(), 100 + 800 * sim.throttle
    for _ in range(5):
        sim.step(20)
        expected = target + (start - target) * np.exp(-sim.time / 0.05)
        np.testing.assert_allclose(sim.rotor_speed, expected, rtol=1e-8)


def test_speed_rises_and_falls_with_its_own_time_constants(bare: Bare) -> None:
    sim = bare()
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.motor_tau[:] = [0.02, 0.08]
    sim.throttle[:] = 0.5
    sim.rotor_speed[:] = [0, 400, 600, 1000]
    start = sim.rotor_speed.copy()
    sim.step(30)
    tau = np.array([0.02, 0.02, 0.08, 0.08])
    np.testing.assert_allclose(
        sim.rotor_speed, 500 + (start - 500) * np.exp(-0.03 / tau), rtol=1e-6
    )


def test_plain_motors_use_the_rising_time_constant_only(bare: Bare) -> None:
    sim = bare(effects="plain")
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.motor_tau[:] = [0.02, 0.08]
    sim.rotor_speed[:] = 1000
    sim.step(20)
    np.testing.assert_allclose(sim.rotor_speed, 1000 * np.exp(-1.0), rtol=1e-6)


@BOTH
def test_motor_stops_below_its_dead_zone(bare: Bare, effects: str) -> None:
    sim = bare(effects=effects)
    sim.motor_curve[:] = [22.83, 842.1, 0, 0]
    sim.motor_dead_zone[:] = 0.05
    sim.throttle[:] = [0, 0.0499999, 0.05, 0.06]
    expected = [0, 0, 22.83 + 842.1 * 0.05, 22.83 + 842.1 * 0.06]
    np.testing.assert_allclose(settled(sim)[0], expected, rtol=1e-9, atol=1e-9)


@BOTH
def test_throttle_is_clipped_to_the_range_of_the_motor(bare: Bare, effects: str) -> None:
    sim = bare(effects=effects)
    sim.motor_curve[:] = [50, 800, 0, 0]
    sim.motor_max[:] = 0.95
    sim.throttle[:] = [-3.0, 0.95, 1.0, np.inf]
    expected = [50, 810, 810, 810]
    np.testing.assert_allclose(settled(sim)[0], expected, rtol=1e-9)


@BOTH
def test_steady_speed_is_never_negative(bare: Bare, effects: str) -> None:
    """The 2019 set: 1148 u - 141.4 rad/s, which is below zero at u < 0.123."""
    sim = bare(effects=effects)
    sim.motor_curve[:] = [-141.4, 1148, 0, 0]
    sim.throttle[:] = [0, 0.1, 0.2, 0.609]
    expected = [0, 0, 88.2, 557.732]
    np.testing.assert_allclose(settled(sim)[0], expected, rtol=1e-9, atol=1e-9)


def test_steady_speed_is_a_cubic_in_throttle(bare: Bare) -> None:
    """X450: w = -181.40 u^3 - 458.98 u^2 + 1452.12 u, worked out by hand at three throttles."""
    sim = bare()
    sim.motor_curve[:] = [0, 1452.12, -458.98, -181.40]
    sim.throttle[:] = [0, 0.25, 0.5, 1.0]
    expected = [0, 363.03 - 28.68625 - 2.834375, 726.06 - 114.745 - 22.675, 811.74]
    np.testing.assert_allclose(settled(sim)[0], expected, rtol=1e-9, atol=1e-9)


def test_motors_of_one_vehicle_are_independent(bare: Bare) -> None:
    sim = bare(vehicle="octo_x")
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.throttle[:] = np.linspace(0.1, 0.8, 8)
    np.testing.assert_allclose(settled(sim)[0], np.linspace(100, 800, 8), rtol=1e-9)


@BOTH
def test_a_nan_throttle_flags_its_vehicle(bare: Bare, effects: str) -> None:
    """It neither stops the motor nor gives full power without a fault flag."""
    sim = bare(n=3, effects=effects)
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.motor_tau[:] = 0.02
    sim.throttle[:] = 0.5
    sim.throttle[1, 2] = np.nan
    sim.step(5)
    assert list(sim.status != 0) == [False, True, False]
    assert (sim.rotor_speed[1] == 0).all()
