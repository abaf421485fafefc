"""Single tracks against the published derivatives of CommonRoad's vehicle models."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .tracks import TRUTH, command, derivative, in_state

INPUTS = TRUTH["inputs"]["v_delta"], TRUTH["inputs"]["acc"]


def test_the_derivative_of_the_single_track_has_all_published_digits() -> None:
    x, expected = (TRUTH["derivatives"]["st"][key] for key in ("x", "f"))
    sim = in_state("bmw_320i", x)
    command(sim, *INPUTS)
    found = derivative(sim)
    np.testing.assert_allclose(np.delete(found, 2), np.delete(expected, 2), rtol=0, atol=2e-14)


def test_the_derivative_of_the_kinematic_track_has_all_published_digits() -> None:
    """About the rear axle, as the source has it: the centre of mass is above it here."""
    (north, east, steering, speed, yaw), expected = (
        TRUTH["derivatives"]["ks"][key] for key in ("x", "f")
    )
    sim = in_state("bmw_320i", [north, east, steering, speed, yaw, 0.0, 0.0])
    sim.blend_speed[:] = 1e3  # it rolls at any speed
    base = float(sim.axle_distance[0].sum())
    sim.axle_distance[:] = [base, 1e-15]
    sim.rate[0, 2] = speed * math.tan(steering) / base
    command(sim, *INPUTS)
    found = [*sim.vel[0, :2], sim.accel[0, 0], sim.rate[0, 2]]
    np.testing.assert_allclose(found, np.delete(expected, 2), rtol=0, atol=2e-14)
    assert sim.accel[0, 1] == pytest.approx(speed * expected[4], abs=1e-12)


def test_the_wheels_turn_at_their_limited_rate() -> None:
    x = TRUTH["derivatives"]["st"]["x"]
    sim = in_state("bmw_320i", x)
    command(sim, *INPUTS)
    sim.step(10)
    assert sim.steering[0] - x[2] == pytest.approx(0.15 * 10 * sim.dt, rel=1e-12)
