"""Estimates in float32 far from the origin, where a position has steps of 7.8 mm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

Estimating = Callable[..., pyrfly.Sim]

FAR = 1e5  # m
STEP = float(np.spacing(np.float32(FAR)))


def hover(estimating: Estimating, precision: str, **options: object) -> tuple[float, float]:
    """Return how far a hover is from its estimate, and from its set-point, RMS per axis [m]."""
    place = np.array([[FAR, -FAR, -20.0], [-FAR, FAR + 5, -20.0], [FAR, FAR + 10, -20.0]])
    sim = estimating(len(place), pos=place, fly=True, precision=precision, **options)
    sim.arm()
    sim.command_position(place, yaw=0)
    sim.step(10_000)
    errors = []
    for _ in range(20):
        sim.step(487)  # no multiple of the periods of the sensors
        pos = sim.pos.astype(float)
        errors.append((pos - sim.pos_est, pos - place))
    estimate, held = np.sqrt(np.square(errors).mean(axis=(0, 2, 3)))
    return float(estimate), float(held)


@pytest.mark.parametrize("profile", ["rflysim", "px4"])
@pytest.mark.parametrize("seed", [8, 9, 10])
def test_a_float32_estimate_100_km_away_is_as_good_as_one_in_float64(
    estimating: Estimating, profile: str, seed: int
) -> None:
    """Changes of the estimate in an update are far below a step: in the mean none may be lost."""
    double = hover(estimating, "float64", profile=profile, seed=seed)
    single = hover(estimating, "float32", profile=profile, seed=seed)
    for name, wanted, got in zip(("estimate", "place"), double, single, strict=True):
        assert got < 3 * wanted + 3 * STEP, f"seed {seed}: error of the {name} {got:.3f} m"


def test_a_float32_hover_on_ideal_sensors_stays_estimated(estimating: Estimating) -> None:
    """Without noise the bias of the gyroscope is soon known better than rounding allows."""
    sim = estimating(4, profile="ideal", fly=True, precision="float32")
    sim.step(60_000)
    assert np.abs(sim.estimator.errors[:, :9]).max() < 5e-3
    assert np.diagonal(sim.estimator.covariance, axis1=1, axis2=2).min() >= 0
