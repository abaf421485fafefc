"""The magnetometer: the field of the environment in the body's axes, with noise and drift."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly

Drifting = Callable[..., pyrfly.Sim]


def test_it_measures_the_field_of_the_model_in_the_body(drifting: Drifting) -> None:
    sim = drifting(4)
    sim.sensors.enable("magnetometer", profile="ideal")
    attitudes = np.random.default_rng(3).normal(size=(4, 4))
    sim.att[:] = attitudes / np.linalg.norm(attitudes, axis=1)[:, None]
    turned = sim.att.copy()
    sim.step()
    assert 4e-5 < np.linalg.norm(sim.magnetic_field[0]) < 7e-5
    for q, field, measured in zip(turned, sim.magnetic_field, sim.magnetometer, strict=True):
        expected = Rotation.from_quat(q[[1, 2, 3, 0]]).inv().apply(field)
        np.testing.assert_allclose(measured, expected, rtol=1e-9, atol=1e-15)


def test_hard_and_soft_iron_and_the_limit(drifting: Drifting) -> None:
    sim = drifting(1)
    sim.sensors.enable("magnetometer", profile="ideal")
    sim.magnetometer_bias[:] = (1e-5, 0, 0)
    sim.magnetometer_scale[:] = (1, 1.1, 1)
    sim.magnetometer_limit[:] = 4e-5
    sim.step()
    x, y, z = sim.magnetic_field[0]
    np.testing.assert_allclose(sim.magnetometer[0], [x + 1e-5, 1.1 * y, 4e-5], rtol=1e-9)
    assert z > 4e-5


@pytest.mark.parametrize(
    ("profile", "density"), [("px4", [4e-8] * 3), ("rflysim", [6.32456e-9, 6.32456e-9, 1.10680e-8])]
)
def test_noise_and_drift_of_the_profiles(
    drifting: Drifting, profile: str, density: list[float], seed: int
) -> None:
    """A sample of 125 Hz, the nearest to 100: the density over the root of the interval."""
    n = 20_000
    sim = drifting(n)
    sim.sensors.enable("magnetometer", profile=profile)
    assert sim.magnetometer_period[0] == 2
    sim.step()
    error = sim.magnetometer - sim.magnetic_field - sim.magnetometer_drift
    np.testing.assert_allclose(
        error.std(axis=0), np.array(density) / np.sqrt(0.008), rtol=0.02, err_msg=f"seed {seed}"
    )
    spread = 6.4e-10 * np.sqrt(300) if profile == "px4" else 0
    np.testing.assert_allclose(
        sim.magnetometer_drift.std(axis=0), spread, rtol=0.02, err_msg=f"seed {seed}"
    )
