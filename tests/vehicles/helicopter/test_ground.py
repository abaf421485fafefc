"""Helicopters on the ground: friction of the skids against a turn, heading at start and landing."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import vehicles

each_set = pytest.mark.parametrize("name", vehicles.names("helicopter"))


@each_set
def test_friction_holds_a_turn_up_to_its_limit_and_takes_it_away_beyond(name: str) -> None:
    """Coulomb: no turn below mu m g R, beyond it the angular acceleration (M - mu m g R) / J."""
    sim = pyrfly.Sim(name, 2)
    sim.controllers = False
    sim.sleep(1)
    limit = sim.ground_grip * sim.mass * sim.gravity * sim.ground_radius
    sim.yaw_damping[:] = 0
    sim.set_load(torque=np.array([[0, 0, 0.95], [0, 0, 1.5]]) * limit[:, None])
    sim.sleep(0.5)
    assert abs(sim.euler[0, 2]) < 2e-3
    assert abs(sim.rate[0, 2]) < 1e-3
    assert sim.rate[1, 2] == pytest.approx(0.5 * 0.5 * limit[1] / sim.inertia[1, 2], rel=0.02)
    sim.set_load(torque=[0, 0, 0])
    sim.sleep(2)
    assert abs(sim.rate[1, 2]) < 1e-3


@each_set
def test_its_heading_stays_while_it_stands(name: str) -> None:
    """While the rotor speeds up, idles, and after a landing, at the heading of the touch-down."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[0, 0, 0], yaw=1.0)
    sim.arm()
    for _ in range(8):
        sim.sleep(1.0)
        assert sim.euler[0, 2] == pytest.approx(1.0, abs=2e-3)
    sim.command_position([0, 0, -2], yaw=1.0)
    sim.sleep(8)
    sim.command_velocity([0, 0, 0.5])
    sim.sleep(6)
    landed = float(sim.euler[0, 2])
    assert landed == pytest.approx(1.0, abs=0.02)
    sim.sleep(20)
    assert sim.euler[0, 2] == pytest.approx(landed, abs=1e-3)


@each_set
def test_it_stands_in_a_side_wind_with_its_rotor_at_rest(name: str) -> None:
    """In 15 m/s the drag of its fuselage is below the friction of its skids."""
    sim = pyrfly.Sim(name)
    sim.wind = (0.0, 15.0, 0.0)
    sim.reset()
    drag = sim.drag_quadratic[0, 1] * 15.0**2
    assert drag < sim.ground_grip[0] * sim.mass[0] * sim.gravity[0]
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=1e-3)
    assert abs(sim.euler[0, 2]) < 1e-3


@each_set
def test_a_take_off_in_a_side_wind_keeps_the_heading(name: str) -> None:
    """In 8 m/s from west and east, within 20 degrees; the skids hide the moment of the wind."""
    sim = pyrfly.Sim(name, 2, dt=0.002)
    sim.wind = [[0, 8.0, 0], [0, -8.0, 0]]
    sim.reset(pos=[[0, 0, 0], [9, 0, 0]])
    sim.arm()
    sim.command_position([[0, 0, -5], [9, 0, -5]], yaw=0.0)
    turned = []
    for _ in range(120):
        sim.sleep(0.1)
        turned.append(np.degrees(sim.euler[:, 2]))
    assert np.abs(turned).max() < 20
    np.testing.assert_allclose(turned[-1], 0, atol=0.5)
    np.testing.assert_allclose(sim.pos[:, 2], -5, atol=0.1)


@each_set
def test_it_turns_with_the_deck_that_it_stands_on(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.set_ground_plane(yaw_rate=0.3)
    sim.arm()
    sim.sleep(20)
    assert sim.rate[0, 2] == pytest.approx(0.3, abs=2e-3)
