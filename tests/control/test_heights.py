"""Velocity control keeps the height while a vehicle turns over again and again."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import vehicles

PLANES = {"gz_plane", "gz_advanced_plane"}
SETS = [
    name
    for family in ("multirotor", "helicopter", "gazebo_blocks")
    for name in vehicles.names(family)
    if name not in PLANES
]
NO_EQUILIBRIUM = {"tri_y_minus", "tri_y_plus"}  # they spin

SPEED = np.array([3.0, 2.0])  # m/s, of the two vehicles
PERIOD = np.array([0.5, 1.0])  # s, from one reversal to the next
DURATION = 40.0  # s


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_reversals_of_the_velocity_keep_the_height(name: str) -> None:
    sim = pyrfly.Sim(name, 2)
    sim.reset(pos=[0.0, 0.0, -100.0], hover=name not in NO_EQUILIBRIUM)
    sim.arm()
    sim.command_velocity([0.0, 0.0, 0.0], yaw=0.3)
    sim.sleep(3.0)
    start = sim.pos[:, 2].copy()
    worst = 0.0
    for time in np.arange(0.0, DURATION, 0.25):
        forth = np.where(np.floor(time / PERIOD) % 2 == 0, SPEED, -SPEED)
        sim.command_velocity(np.column_stack([forth, 0 * forth, 0 * forth]), yaw=0.3)
        sim.sleep(0.25)
        worst = max(worst, float(np.abs(sim.pos[:, 2] - start).max()))
    assert worst < 0.1


# Time [s] to nine tenths of 3 m/s north while the thrust was the force projected on its axis.
PROJECTED = {"sdk": 0.60, "iris": 0.60, "x450": 0.50, "x500": 0.52, "blade_360": 0.90}


@pytest.mark.parametrize("name", PROJECTED)
def test_steps_of_the_velocity_are_no_slower_for_it(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.reset(pos=[0.0, 0.0, -100.0], hover=True)
    sim.arm()
    sim.command_velocity([3.0, 0.0, 0.0], yaw=0.0)
    sim.sleep(PROJECTED[name])
    assert sim.vel[0, 0] > 0.9 * 3.0
