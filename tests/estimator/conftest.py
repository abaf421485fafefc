"""Flights with an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrfly

SEED = 20251122  # of the statistical tests, which are deterministic
SENSORS = ("imu", "magnetometer", "barometer", "gps")


def estimating(
    n: int = 1,
    *,
    profile: str = "px4",
    sensors: tuple[str, ...] = SENSORS,
    fly: bool = False,
    pos: Any = (0, 0, -20),
    seed: int = SEED,
    vehicle: Any = "x450",
    **options: Any,
) -> pyrfly.Sim:
    """Return hovering vehicles, with biases of the IMU that are drawn from the filter's prior."""
    sim = pyrfly.Sim(vehicle, n, **options)
    sim.sensors.enable(*sensors, profile=profile)
    sim.estimator.enable(fly=fly)
    if profile != "ideal":
        draws = np.random.default_rng(seed)
        sim.imu_gyro_bias[:] = draws.normal(0, sim.gyro_bias_deviation[0], (n, 3))
        sim.imu_accel_bias[:] = draws.normal(0, sim.accel_bias_deviation[0], (n, 3))
    sim.reset(pos=np.broadcast_to(pos, (n, 3)), seed=seed, hover=True)
    return sim


@pytest.fixture(name="estimating")
def estimating_fixture() -> Any:
    return estimating


@pytest.fixture(name="seed")
def seed_fixture() -> int:
    return SEED
