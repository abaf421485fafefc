"""Sides of a rover that have lost their torque."""

from __future__ import annotations

import pytest

import pyrfly


def test_a_side_loses_its_torque() -> None:
    sim = pyrfly.Sim("husky_a200", 4)
    sim.controllers = False
    sim.set_strength([[1, 1], [0.25, 0.25], [0, 1], [0, 0]])
    sim.drive = 1.0
    sim.step(50)  # while the torque is the limit
    whole, weak, turning, lost = sim.vel[:, 0]
    assert weak == pytest.approx(0.25 * whole, rel=0.01)
    assert lost == 0
    assert 0 < turning < whole
    assert sim.rate[[0, 1, 3], 2].tolist() == [0, 0, 0]
    assert sim.rate[2, 2] < -0.01  # to the left, where no wheel drives
