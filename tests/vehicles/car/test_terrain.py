"""The detailed car on terrain maps: slopes, hills and slippery roads."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.terrain import TerrainMap

from .test_four_wheels import SETS, rolling

every_set = pytest.mark.parametrize("name", SETS)

NORTH = np.arange(-300.0, 301.0, 2.0)


def ridges(height: float, length: float) -> TerrainMap:
    """Return waves of the ground along north, which begin in a valley at 0."""
    along = 0.5 * height * (1 - np.cos(2 * math.pi * NORTH / length))
    return TerrainMap(np.tile(along[:, None], (1, 3)), spacing=2, corner=(-300, -2))


def incline(slope: float) -> TerrainMap:
    """Return a plane that rises to the north."""
    return TerrainMap(np.tile(slope * NORTH[:, None], (1, 3)), spacing=2, corner=(-300, -2))


@every_set
def test_it_coasts_over_hills_and_trades_height_for_speed(name: str) -> None:
    """Without losses v^2 / 2 of mass and wheels, plus g h, is the same on top and behind."""
    height, length, speed = 1.5, 80.0, 12.0
    sim = rolling(name, speed)
    sim.environment.set_terrain(ridges(height, length))
    sim.traction[:] = 0.002  # it rolls; at 0 the brakes hold
    share = 1 + float(4 * sim.wheel_inertia[0] / sim.wheel_radius[0] ** 2 / sim.mass[0])
    top = math.sqrt(speed**2 - 2 * float(sim.gravity[0]) * height / share)
    speeds = {}
    for place in (0.5 * length, length):
        while sim.pos[0, 0] < place:
            sim.step(5)
        speeds[place] = float(np.linalg.norm(sim.vel[0]))
    assert speeds[0.5 * length] == pytest.approx(top, rel=0.01)
    assert speeds[length] == pytest.approx(speed, rel=0.01)
    assert sim.check().ok


@every_set
def test_its_wheels_keep_to_the_hills(name: str) -> None:
    sim = Sim(name)
    sim.environment.set_terrain(ridges(2.0, 60.0))
    sim.reset()
    sim.arm()
    sim.car.command_speed(0.3 * float(sim.speed_limit[0]), yaw=0.0)
    beside = []
    while sim.pos[0, 0] < 100:
        sim.sleep(0.1)
        slope = math.atan(float(np.linalg.norm(sim.terrain_gradient[0])))
        beside.append((float(sim.pos[0, 2] - sim.terrain[0]), abs(float(sim.euler[0, 1])) - slope))
    off, tilted = np.abs(beside).max(axis=0)
    assert off < 0.2 * float(sim.mass_height[0])
    assert tilted < 0.06
    assert abs(float(sim.pos[0, 1])) < 0.05
    assert sim.check().ok


@pytest.mark.parametrize("slope", [-0.15, 0.1])
def test_a_map_that_is_a_plane_is_that_plane(slope: float) -> None:
    ways = []
    for of_map in (False, True):
        sim = rolling("bmw_320i_detailed", 10)
        if of_map:
            sim.environment.set_terrain(incline(slope))
        else:
            sim.set_ground_plane(gradient=(-slope, 0.0))
        sim.reset()
        sim.traction[:] = 0.1
        sim.sleep(3)
        ways.append(np.concatenate([sim.pos[0], sim.vel[0], sim.euler[0]]))
    np.testing.assert_allclose(ways[1], ways[0], rtol=1e-3, atol=2e-3)


@every_set
def test_ice_on_a_slope_lets_it_slide_and_asphalt_does_not(name: str) -> None:
    """Of locked wheels the ice leaves the force at full slip, at most its friction."""
    sim = Sim(name, 2)
    sim.environment.set_terrain(incline(0.3))
    sim.set_ground_plane(friction_reduction=[0.0, 0.9])
    sim.reset(pos=[[0, 0], [0, 0]])
    sim.sleep(2)
    slope, gravity = math.atan(0.3), float(sim.gravity[0])
    assert abs(float(sim.pos[0, 0])) < 0.02
    slide = gravity * math.sin(slope)
    held = 0.1 * 1.5 * gravity * math.cos(slope)
    along = -float(sim.vel[1, 0]) / math.cos(slope)
    assert 2 * (slide - held) < along < 2 * slide
