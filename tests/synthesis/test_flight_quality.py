"""Vehicles fly as well by the ports as by direct commands, whose quality tests/control checks."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import vehicles
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Mode

from .conftest import new_sim, settle

START = np.array([3.0, -2.0, -12.0])
HEADING = 0.8


def in_the_air(name: str) -> pyrfly.Sim:
    sim = new_sim(name)
    sim.reset(pos=START)
    sim.arm()
    return sim


@pytest.mark.parametrize("name", vehicles.names("multirotor"))
@pytest.mark.slow
def test_a_step_in_place_and_heading_is_flown_as_by_direct_commands(name: str) -> None:
    direct, ported = in_the_air(name), in_the_air(name)
    goal = START + np.array([4.0, 3.0, -2.0])
    direct.command_position(goal, HEADING)
    inputs = synthesis.position_target(
        0b100111111000, 1, [goal - START], [[0, 0, 0]], [[0, 0, 0]], HEADING, 0
    )
    ported.command_sil(*synthesis.arm(True))
    ported.command_sil(*inputs)
    for _ in range(50):
        direct.step(100)
        ported.step(100)
        # the ports are float32
        np.testing.assert_allclose(ported.pos, direct.pos, atol=5e-6)
        np.testing.assert_allclose(ported.att, direct.att, atol=5e-6)


@pytest.mark.parametrize("name", ["sdk", "x450", "x500", "hex_x"])
def test_a_vehicle_that_took_off_stands_within_a_millimetre(name: str) -> None:
    sim = new_sim(name)
    sim.command_sil(*synthesis.take_off(0.0, 0.0, -5.0, armed=True))
    settle(sim, Mode.POSITION)
    sim.sleep(10)
    for _ in range(20):
        sim.sleep(0.1)
        assert np.abs(sim.pos[0] - (0, 0, -5)).max() < 1e-3
