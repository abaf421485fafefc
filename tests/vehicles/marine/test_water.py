"""Surface, depth and current of the water, as `Environment.set_water` and `set_current` say."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import names

from .conftest import under_way


def test_a_vehicle_drifts_with_the_current() -> None:
    sim = under_way("otter", 2, dt=0.002)
    sim.environment.set_current([[0.4, -0.3, 0.0], [0.0, 0.5, 0.0]])
    sim.sleep(60)
    np.testing.assert_allclose(sim.vel[:, :2], [[0.4, -0.3], [0.0, 0.5]], atol=0.01)


def test_a_current_moves_what_goes_along_with_it_by_nothing_else() -> None:
    """A vehicle in a current moves as one in still water, carried along."""
    sim = under_way("bluerov2_heavy", 2, depth=10.0)
    flow = np.array([0.5, -0.2, 0.0])
    sim.environment.set_current(flow, ids=2)
    sim.vel[1] = flow
    sim.thruster_command[:] = [0.4, 0.3, 0.4, 0.5, 0.1, 0.2, -0.1, 0.1]
    sim.sleep(4)
    np.testing.assert_allclose(sim.pos[1], sim.pos[0] + 4 * flow, atol=1e-6)
    np.testing.assert_allclose(sim.att[1], sim.att[0], atol=1e-8)


def test_a_current_by_wind_falls_with_the_depth() -> None:
    sim = under_way("remus100", 4, dt=0.002)
    sim.pos[:, 2] = [0.1, 10.0, 30.0, 60.0]
    sim.environment.set_current([0.0, 1.0, 0.0], depth=50.0)
    sim.sleep(40)
    depths = sim.pos[:, 2] - sim.rest_height
    expected = np.clip(1 - depths / 50, 0, 1)
    np.testing.assert_allclose(sim.vel[:, 1], expected, atol=0.15)
    assert sim.vel[3, 1] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(ValueError, match=r"depth: expected 0.001 to"):
        sim.environment.set_current([0, 1, 0], depth=0.0)


@pytest.mark.parametrize("name", names("marine"))
def test_floating_vehicles_go_with_the_surface(name: str) -> None:
    sim = under_way(name, 3)
    sim.pos[2, 2] = 7.0  # one under water, if it can be
    sim.environment.set_water(20.0, depth=60.0, ids=[1, 2])
    sim.environment.set_water(2.0, ids=3)
    assert sim.pos[:2, 2].tolist() == [-20.0, -20.0]
    assert sim.pos[2, 2] == 7.0
    assert sim.terrain.tolist() == [40.0, 40.0, 100.0]
    sim.reset(pos=[[0, 0], [5, 5], [1, 1]])
    np.testing.assert_allclose(sim.pos[:, 2], [-20, -20, -2])
    sim.step(500)
    np.testing.assert_allclose(sim.pos[:, 2], [-20, -20, -2], atol=1e-6)


def test_a_reset_below_the_bottom_is_raised_to_it() -> None:
    sim = under_way("remus100", 2)
    sim.environment.set_water(depth=[4.0, 0.05])
    sim.reset(pos=[[0, 0, 9], [0, 0, 9]])
    lowest = 0.5 * 0.19 - 0.02 - sim.rest_height[0]
    np.testing.assert_allclose(sim.pos[:, 2], np.array([4.0, 0.05]) - lowest, atol=1e-6)
    sim.reset(pos=[0, 0])
    np.testing.assert_allclose(sim.pos[:, 2], [0.0, 0.05 - lowest], atol=1e-6)  # one is aground


def test_a_map_is_the_bottom_and_the_beach() -> None:
    sim = under_way("otter", 2)
    sim.environment.set_terrain(TerrainMap([[-40, -40], [20, 20]], spacing=100))
    sim.reset(pos=[[0, 0], [40, 0]])
    deep, beach = sim.terrain.tolist()
    assert deep > 0 > beach
    assert sim.pos[0, 2] == 0.0
    assert sim.pos[1, 2] < beach


def test_vehicles_on_land_keep_their_ground() -> None:
    others = [n for n in names() if n not in names("marine")]
    sim = pyrfly.Sim({others[0]: 1, "otter": 2})
    assert sim.terrain.tolist() == [0.0, 100.0, 100.0]
    sim.environment.set_water(3.0)
    assert sim.pos[:, 2].tolist() == [0.0, -3.0, -3.0]
    with pytest.raises(ParameterError, match=r"set_water: expected vehicles in water, got"):
        sim.environment.set_water(1.0, ids=1)
    with pytest.raises(ParameterError, match=r"set_current: expected vehicles in water"):
        pyrfly.Sim(others[0]).environment.set_current([1, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"height": 1e5}, r"height: expected -9000 to 9000 \[m\]"),
        ({"depth": -1.0}, r"depth: expected 0 to 12000 \[m\]"),
        ({"height": [0.0, 1.0, 2.0]}, r"height: expected shape"),
    ],
)
def test_wrong_water_changes_nothing(arguments: dict[str, object], message: str) -> None:
    sim = under_way("otter", 2)
    with pytest.raises(ValueError, match=message):
        sim.environment.set_water(**arguments)  # type: ignore[arg-type]
    assert sim.terrain.tolist() == [100.0, 100.0]
