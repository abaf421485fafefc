"""Hover: thrust, weight and motor curve of whole parameter sets."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import vehicles
from pyrfly.vehicles.multirotor.hover import hover_throttle

from ..vehicles.multirotor.truth import hovering


@pytest.mark.parametrize("name", vehicles.names("multirotor"))
def test_every_set_hovers_at_its_hover_throttle(name: str) -> None:
    sim = hovering(name, hover_throttle(vehicles.load(name)))
    np.testing.assert_allclose(sim.accel[0], 0, atol=1e-9)
    np.testing.assert_allclose(sim.angular_accel[0, :2], 0, atol=1e-9)
    sim.step(1000)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -100], atol=1e-8)
    np.testing.assert_allclose(sim.rotor_speed.max(axis=1), sim.rotor_speed[:, 0])
