"""Marine craft on the ground: thrusters in it, and loads that press them onto it."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.terrain import TerrainMap

from .conftest import under_way


def aground(name: str, depth: float) -> pyrfly.Sim:
    """Return a vehicle at rest in so much water, or on what is below it."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.environment.set_water(0.0, depth=depth)
    sim.reset()
    return sim


@pytest.mark.parametrize("depth", [0.01, 0.1])
@pytest.mark.parametrize("name", ["gz_boat", "wam_v", "otter"])
def test_a_boat_aground_whose_thrusters_are_in_the_ground_stays(name: str, depth: float) -> None:
    sim = aground(name, depth)
    sim.controllers = False
    sim.thruster_command[:] = 1.0
    sim.sleep(5)
    assert np.linalg.norm(sim.vel) < 0.01
    assert np.linalg.norm(sim.pos[0, :2]) < 0.1


def test_a_boat_on_a_map_at_the_level_of_the_water_stays() -> None:
    sim = pyrfly.Sim("gz_boat", dt=0.002)
    sim.environment.set_terrain(TerrainMap(np.zeros((3, 3)), spacing=500))
    sim.reset()
    sim.arm()
    sim.command_position([300, 0, 0])
    sim.sleep(10)
    assert np.linalg.norm(sim.pos[0, :2]) < 0.1


def test_a_thruster_loses_its_thrust_as_it_goes_into_the_ground() -> None:
    """In proportion over its diameter, as one that comes out of the water."""
    sim = under_way("bluerov2_heavy", 5, depth=20.0)
    diameter = float(sim.thruster_diameter[0])
    place = sim.thruster_position[0].reshape(3, -1)[2, 0]
    below = np.array([-3.0, -0.5, 0.0, 0.3, 0.5])
    sim.terrain[:] = sim.pos[:, 2] - sim.rest_height + place - below * diameter
    sim.hull_stiffness[:] = sim.hull_damping[:] = 1e-9
    sim.thruster_speed[:, 0] = 100.0
    sim.step(1)
    np.testing.assert_allclose(
        sim.vel[:, 0] / sim.vel[0, 0], [1, 1, 0.5, 0.2, 0], rtol=1e-3, atol=1e-3
    )


@pytest.mark.parametrize("name", ["bluerov2_heavy", "remus100", "otter", "gz_boat", "kvlcc2"])
@pytest.mark.parametrize("mass", [300.0, 1e4])
def test_the_bottom_carries_what_a_vehicle_is_loaded_with(name: str, mass: float) -> None:
    """As deep as it would be by its own weight, at most, and at rest."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.controllers = False
    sim.environment.set_water(0.0, depth=3.0)
    sim.payload.attach(mass)
    sim.reset()
    sim.sleep(20)
    lies = 3.0 - (sim.pos[0, 2] - sim.rest_height[0])
    own = sim.mass[0] * sim.gravity[0] / (4 * sim.hull_stiffness[0])
    assert lies > np.abs(sim.hull_size[0]).min() / 2 - 3 * own - np.abs(sim.hull_position[0]).max()
    assert np.linalg.norm(sim.vel) < 0.05


def test_a_load_sinks_into_the_bottom_as_the_hull_alone_does() -> None:
    """The ground's springs and dampers are in proportion to the whole mass."""
    depths = []
    for mass in (30.0, 3000.0):
        sim = pyrfly.Sim("bluerov2_heavy", dt=0.002)
        sim.controllers = False
        sim.environment.set_water(-9.99, depth=0.01)
        sim.payload.attach(mass)
        sim.reset(pos=[0, 0, 9.7])
        sim.sleep(3)
        depths.append(sim.pos[0, 2])
    assert depths[0] == pytest.approx(depths[1], abs=1e-3)


def test_the_ship_at_full_scale_stands_on_the_ground() -> None:
    sim = pyrfly.Sim("kvlcc2_full", dt=0.005)
    sim.controllers = False
    sim.environment.set_water(0.0, depth=0.01)
    sim.reset()
    sim.sleep(20)
    sunk = sim.mass[0] * sim.gravity[0] / (4 * sim.hull_stiffness[0])
    bottom = sim.pos[0, 2] - sim.rest_height[0] + sim.hull_position[0, 2] + sim.hull_size[0, 2] / 2
    assert bottom == pytest.approx(0.01 + sunk, rel=0.15)
