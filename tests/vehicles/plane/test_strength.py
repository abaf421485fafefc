"""Motors that have lost some of their effect."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


@pytest.mark.parametrize(("name", "motor"), [("aerosonde", 4)])
def test_a_weak_motor_has_its_share_of_the_force(name: str, motor: int) -> None:
    sim = pyrfly.Sim(name, 4)
    sim.controllers = False
    shares = np.ones((4, sim.groups[0].parameters.actuator_count))
    shares[:, motor] = [1.0, 0.25, 0.0, 1.0]
    sim.set_strength(shares)
    sim.reset(pos=[0, 0, -50])
    sim.vel = [12.0, 0.0, 0.0]
    ((column, k),) = sim.groups[0].ranges[motor].moves
    sim.groups[0].view(column).reshape(4, -1)[:3, k] = 300.0
    whole, weak, lost, _ = sim.specific_force
    np.testing.assert_allclose(weak - lost, 0.25 * (whole - lost), rtol=1e-9, atol=1e-12)
    assert np.linalg.norm(whole - lost) > 0.05
    sim.vel = [0.0, 0.0, 0.0]
    np.testing.assert_allclose(sim.specific_force[2], sim.specific_force[3], atol=1e-12)
