"""Vehicles on a terrain map: what they stand on, measure, keep, and how the map goes with a Sim."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.errors import MapError
from pyrfly.server.orders import Terrain, apply
from pyrfly.terrain import TerrainMap

Hanging = Callable[..., pyrfly.Sim]
SEED = 11
SLOPE = TerrainMap([[0, 0], [400, 400]], 1000)  # 0.4 to the north, 200 m high in the middle
GROUND = ("terrain", "terrain_gradient", "off_map")


def rough(**arguments: Any) -> TerrainMap:
    heights = np.random.default_rng(SEED).normal(scale=8.0, size=(40, 50))
    return TerrainMap(heights, (6.0, 9.0), **arguments)


def ground(sim: pyrfly.Sim) -> list[NDArray[Any]]:
    return [getattr(sim, name).copy() for name in GROUND]


def random_places(n: int, size: float = 300.0) -> NDArray[np.float64]:
    """Return places, some of them beside the map."""
    return np.random.default_rng(SEED).uniform(-size, size, (n, 2))


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_ground_is_that_of_the_map_and_those_beside_it_are_flagged(precision: str) -> None:
    sim, hills = pyrfly.Sim("x450", 203, precision=precision), rough()
    sim.environment.set_terrain(hills)
    sim.reset(pos=random_places(sim.n))
    at = sim.pos[:, :2].astype(float).T
    np.testing.assert_array_equal(sim.terrain, (-hills.height(*at)).astype(precision))
    np.testing.assert_array_equal(sim.terrain_gradient, (-hills.gradient(*at)).astype(precision))
    np.testing.assert_array_equal(sim.off_map == 0, hills.contains(*at))
    assert 0 < sim.off_map.sum() < sim.n
    assert sim.environment.terrain_map is hills


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_reset_stands_on_the_map_in_any_order(precision: str) -> None:
    places = random_places(7)
    sim = pyrfly.Sim({"x450": 4, "hex_x": 3}, precision=precision)
    sim.ground_grip = 5.0  # on the steep parts, they would slide
    sim.environment.set_terrain(rough())
    sim.reset(pos=places, seed=5)
    start = ground(sim)
    np.testing.assert_array_equal(sim.pos[:, 2], sim.terrain)
    assert len(set(sim.terrain.tolist())) == 7
    order = [5, 2, 7, 1, 4, 3, 6]
    sim.step(100)
    sim.reset(pos=np.column_stack([places, np.full(7, 99)])[np.array(order) - 1], ids=order, seed=2)
    for before, after in zip(start, ground(sim), strict=True):
        np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(sim.pos[:, 2], sim.terrain)  # raised to the ground
    sim.step(3000)
    assert (np.abs(sim.pos[:, 2] - sim.terrain) < 5e-3).all()
    assert not sim.status.any()


def test_a_position_above_the_ground_is_kept_and_hover_is_above_the_ground_there() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.environment.set_terrain(SLOPE)
    sim.environment.set_ground_effect(radius=0.5, hub_height=0)
    sim.reset(pos=[[100, 0, -300], [100, 0, -240.4]], hover=True)
    assert sim.terrain.tolist() == pytest.approx([-240, -240])
    assert sim.pos[:, 2].tolist() == [-300, -240.4]
    thrust = sim.throttle.mean(axis=1)
    assert thrust[1] < 0.98 * thrust[0]  # the trim has the ground effect of the new place
    sim.step(2000)
    np.testing.assert_allclose(sim.pos, [[100, 0, -300], [100, 0, -240.4]], atol=0.05)
    with pytest.raises(pyrfly.ParameterError, match=r"expected z < -240 .* got -239"):
        sim.reset(pos=[100, 0, -239], hover=True)
    with pytest.raises(pyrfly.ParameterError, match=r"above the ground, .* got -240"):
        sim.reset(pos=[100, 0], hover=True)


def test_shape_errors_name_the_positions() -> None:
    sim = pyrfly.Sim("x450", 2)
    for pos in ([0, 0, 0, 0], [[0, 0], [0, 0, 0]], 3.0):
        with pytest.raises((ValueError, TypeError), match="pos"):
            sim.reset(pos=pos)


def test_the_ground_is_updated_at_the_environments_rate(hanging: Hanging) -> None:
    sim = hanging(1, (0, 0, -900))
    sim.environment.set_terrain(SLOPE)
    sim.vel[:] = (250, 0, 0)
    seen = []
    for _ in range(12):
        sim.step()
        seen.append(float(sim.terrain[0]))
    assert seen == pytest.approx([-200] * 4 + [-200.4] * 4 + [-200.8] * 4)


def test_the_range_finder_measures_to_the_slope(hanging: Hanging) -> None:
    sim = hanging(3, [(0, 0, -210), (20, 0, -210), (-20, 0, -210)])
    sim.environment.set_terrain(SLOPE)
    sim.sensors.enable("range", profile="ideal")
    sim.select().write("range_limits", (0.1, 30.0))
    sim.step()
    np.testing.assert_allclose(sim.range_distance, [10, 2, 18], atol=1e-6)
    assert sim.range_valid.all()


def test_shear_and_ground_effect_follow_the_ground(hanging: Hanging) -> None:
    sim = hanging(2, [(-300, 0, -82), (-300, 0, -182)])
    sim.wind[:] = (6, 0, 0)
    sim.environment.set_ground_effect(radius=2.0, hub_height=0)
    sim.environment.enable("shear")
    far = sim.ground_effect.copy()
    sim.environment.set_terrain(SLOPE)  # 80 m high there
    assert (far < 1.0001).all()
    assert sim.ground_effect[0] == pytest.approx(1 / (1 - (2 / (4 * 2)) ** 2))
    assert sim.ground_effect[1] < 1.0001
    assert sim.environment.wind[0, 0] < 0.8 * sim.environment.wind[1, 0]


def test_batches_are_single_vehicles_bit_for_bit() -> None:
    places, hills = random_places(37), rough()

    def flown(ids: list[int], threads: int) -> NDArray[Any]:
        sim = pyrfly.Sim("x450", len(ids), threads=threads)
        sim.environment.set_terrain(hills)
        sim.reset(pos=places[np.array(ids) - 1])
        sim.arm()
        sim.command_velocity([3, 2, -0.5], yaw=0)
        for steps in (1, 200, 799):
            sim.step(steps)
        return np.column_stack([sim.pos, sim.vel, sim.terrain, sim.terrain_gradient])

    whole = flown(list(range(1, 38)), 2)
    for some in ([1], [20], [37, 3, 9, 11, 12, 13, 14, 15, 16]):
        np.testing.assert_array_equal(flown(some, 1), whole[np.array(some) - 1])


def test_some_vehicles_may_be_on_the_map_and_leave_it() -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.environment.set_terrain(SLOPE, ids=[1, 3])
    assert sim.pos[:, 2].tolist() == [-200, 0, -200]  # those that stood are put on it
    sim.environment.set_terrain(None, ids=3)
    sim.terrain[:] = -7
    sim.step(20)
    assert sim.terrain.tolist() == pytest.approx([-200, -7, -7], abs=1e-3)
    sim.environment.set_terrain(rough(), ids=2)  # the one map is another one now
    hills = sim.environment.terrain_map
    assert hills is not None
    height = -hills.height(0, 0)
    assert sim.terrain.tolist() == pytest.approx([height, height, -7], abs=1e-3)


def test_a_flying_vehicle_is_not_moved() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.reset(pos=[[0, 0, -250], [0, 0, -20]])
    sim.environment.set_terrain(SLOPE)
    assert sim.pos[:, 2].tolist() == [-250, -20]


def test_without_a_map_nothing_is_there() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    sim.environment.set_terrain(None)
    assert sim.environment.terrain_map is None
    assert sim.nbytes == before
    with pytest.raises(AttributeError, match=r"off_map: .*environment\.set_terrain"):
        sim.off_map  # noqa: B018
    with pytest.raises(TypeError, match="terrain: expected a TerrainMap"):
        sim.environment.set_terrain(3.0)  # type: ignore[arg-type]
    with pytest.raises(MapError, match="nowhere"):
        sim.environment.set_terrain("nowhere.npy")


def pickled(sim: pyrfly.Sim) -> pyrfly.Sim:
    again: pyrfly.Sim = pickle.loads(pickle.dumps(sim))
    return again


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_has_the_map(again: Callable[[pyrfly.Sim], pyrfly.Sim]) -> None:
    sim = pyrfly.Sim("x450", 5)
    sim.environment.set_terrain(rough(origin=(30, 110, 20)))
    sim.reset(pos=random_places(5))
    sim.vel[:, 0] = 20
    sim.step(10)
    other = again(sim)
    for either in (sim, other):
        either.step(500)
    assert other.hash() == sim.hash()
    assert other.origin == (30, 110, 20)
    np.testing.assert_array_equal(other.terrain, sim.terrain)
    sim.environment.set_terrain(SLOPE)
    other.step(4)
    assert not np.array_equal(other.terrain, sim.terrain)


def test_a_snapshot_needs_its_map() -> None:
    sim, other = pyrfly.Sim("x450", 3), pyrfly.Sim("x450", 3)
    without = sim.snapshot()
    sim.environment.set_terrain(rough())
    sim.reset(pos=random_places(3))
    saved, start = sim.snapshot(), ground(sim)
    for terrain in (None, SLOPE):
        if terrain is not None:
            other.environment.set_terrain(terrain)
        with pytest.raises(ValueError, match="snapshot: expected"):
            other.restore(saved)
    other.environment.set_terrain(rough())  # an equal one
    other.restore(saved)
    sim.step(300)
    other.step(300)
    assert other.hash() == sim.hash()
    sim.restore(saved)
    for before, after in zip(start, ground(sim), strict=True):
        np.testing.assert_array_equal(before, after)
    sim.restore(without)  # of a time before the map
    sim.terrain[:] = -3
    sim.step(10)
    assert sim.terrain.tolist() == [-3] * 3


def test_a_map_lives_as_long_as_a_simulation_that_uses_it() -> None:
    hills = rough()
    heights = hills.grid[0]
    count = sys.getrefcount(heights)
    sim = pyrfly.Sim({"x450": 1, "hex_x": 1})
    sim.environment.set_terrain(hills)
    north, expected = 33.0, -float(hills.height(33, 0))
    del hills
    sim.reset(pos=[north, 0])
    assert sim.terrain.tolist() == [expected] * 2
    sim.environment.set_terrain(SLOPE)
    assert sys.getrefcount(heights) <= count


def test_the_place_of_a_map_is_the_origin(tmp_path: Path) -> None:
    sim = pyrfly.Sim("x450")
    sim.environment.set_terrain(rough())
    assert sim.origin == pyrfly.Sim("x450").origin
    sim.environment.set_terrain(rough(origin=(-33.5, 151.0, 25.0)))
    assert sim.origin == (-33.5, 151.0, 25.0)
    assert sim.environment.geodetic[0, :2] == pytest.approx((-33.5, 151.0))


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e300])
def test_an_invalid_position_reads_no_other_memory(value: float) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.environment.set_terrain(rough())
    sim.pos[0, :2] = value
    sim.step(8)
    assert sim.off_map.tolist() == [1, 0]
    hills = sim.environment.terrain_map
    assert hills is not None
    assert hills.minimum <= -sim.terrain[0] <= hills.maximum


def test_packets_do_not_move_the_ground_of_a_map() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.environment.set_terrain(SLOPE, ids=1)
    widths = [sim.select().read(name).shape[1:] for name in Terrain._fields[1:]]
    apply(sim, Terrain(np.array([1, 2]), *(np.full((2, *width), 0.25) for width in widths)))
    assert sim.terrain.tolist() == [-200, 0.25]
    assert sim.terrain_gradient.tolist() == [[-0.4, 0], [0.25, 0.25]]
    assert sim.friction_reduction.tolist() == [0.25, 0.25]
