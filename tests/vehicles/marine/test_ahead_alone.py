"""Boats whose thrusters do not push astern: they stay by going ahead, or come back."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission
from pyrfly.vehicles.marine.family import FAMILY

from .conftest import document_of

BOATS = ("otter", "wam_v", "gz_boat")
PLACE = np.array([20.0, 5.0, 0.0])


def boat(name: str, n: int) -> pyrfly.Sim:
    """Return boats of a set without its thrust astern, whose bows point to all sides."""
    document = document_of(name)
    document["thruster_astern"]["value"] = [0.0] * 5
    sim = pyrfly.Sim(FAMILY.build("my_boat.toml", document, lambda file: (file, {})), n, dt=0.0025)
    sim.reset(yaw=np.linspace(0.0, 4.5, n))
    sim.arm()
    return sim


def distances(sim: pyrfly.Sim, seconds: float) -> NDArray[np.float64]:
    found = []
    for _ in range(round(2 * seconds)):
        sim.sleep(0.5)
        found.append(np.hypot(*(sim.pos - PLACE)[:, :2].T))
    return np.array(found)


@pytest.mark.parametrize("name", BOATS)
def test_it_stands_with_its_bow_into_the_current(name: str) -> None:
    sim = boat(name, 2)
    sim.environment.set_current([0.3, -0.2, 0.0])
    sim.command_position(np.tile(PLACE, (2, 1)))
    sim.sleep(180)
    assert distances(sim, 20).max() < 0.1 * sim.hull_size[0, 0]
    assert sim.arrived.all()
    np.testing.assert_allclose(sim.euler[:, 2], np.arctan2(0.2, -0.3), atol=0.1)


@pytest.mark.parametrize("name", BOATS)
def test_in_calm_water_it_drives_up_to_a_place_and_lies_there(name: str) -> None:
    sim = boat(name, 4)
    sim.command_position(np.tile(PLACE, (4, 1)))
    sim.sleep(150)
    assert distances(sim, 20).max() < 0.6 * sim.hull_size[0, 0]
    assert sim.arrived.all()
    assert np.hypot(*sim.vel[:, :2].T).max() < 0.05


@pytest.mark.parametrize("name", BOATS)
def test_it_comes_back_in_wind(name: str) -> None:
    """The wind does not drive it away; it may go around the place."""
    sim = boat(name, 2)
    sim.wind[:] = [0.0, 8.0, 0.0]
    sim.command_position(np.tile(PLACE, (2, 1)))
    sim.sleep(90)
    most = max(3.0 * sim.turning_radius[0], 2.0 * sim.hull_size[0, 0])
    assert distances(sim, 90).max() < most


@pytest.mark.slow
def test_it_surveys() -> None:
    sim = boat("wam_v", 1)
    corners = [(40.0, 0.0, 0.0), (40.0, 30.0, 0.0)]
    items = (TakeOff((0.0, 0.0, -2.0)), *map(Waypoint, corners), Land((0.0, 30.0, 0.0)))
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
    assert np.linalg.norm(sim.pos[0] - (0.0, 30.0, 0.0)) < 10.0
