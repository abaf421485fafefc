"""Quantities of safety boundaries, against definitions in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.frames import quaternion_of_euler
from pyrfly.sim.boundaries import BOUNDARIES

L_SHAPE = [(0, 0), (0, 60), (30, 60), (30, 20), (80, 20), (80, 0)]


def seen(sim: Sim, boundary: str) -> Any:
    sim.step()
    return sim.boundary_value[:, BOUNDARIES[boundary].number]


@pytest.mark.parametrize(
    ("boundary", "columns", "value"),
    [
        ("speed", {"vel": [3, 4, 12]}, 13.0),
        ("angular_velocity", {"rate": [2, -3, 6]}, 7.0),
        ("tilt", {"att": quaternion_of_euler([0.3, 0.4, 2])}, np.arccos(np.cos(0.3) * np.cos(0.4))),
        ("tilt", {"att": quaternion_of_euler([1e-7, 0, 0])}, 1e-7),
        ("tilt", {"att": [0, 1, 0, 0]}, np.pi),
        ("height", {"terrain": -30.0}, 20.0),
        ("altitude", {"terrain": -30.0}, 50.0),
    ],
)
def test_quantities_are_those_of_the_state(boundary: str, columns: Any, value: float) -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -50])
    sim.select().write_all(columns)
    sim.safety.add(boundary, minimum=0 if boundary != "altitude" else -1)
    assert seen(sim, boundary)[0] == pytest.approx(value, rel=1e-12)


def test_the_specific_force_is_the_output_at_that_time() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -50], hover=True)
    sim.wind = [9, 0, 0]
    sim.safety.add("specific_force", maximum=30)
    expected = np.linalg.norm(sim.specific_force)
    assert seen(sim, "specific_force")[0] == pytest.approx(expected, rel=1e-12)


def distance_outside(places: Any, corners: Any) -> Any:
    """Return distances to a polygon sampled densely; its sign by the sum of angles to corners."""
    corners = np.asarray(corners, float)
    ahead = np.roll(corners, -1, axis=0)
    share = np.linspace(0, 1, 4001)[:, None]
    edges = np.concatenate([a + share * (b - a) for a, b in zip(corners, ahead, strict=True)])
    to = corners - places[:, None]
    angle = np.arctan2(to[..., 1], to[..., 0])
    turn = (np.roll(angle, -1, axis=1) - angle + np.pi) % (2 * np.pi) - np.pi
    distance = np.array([np.linalg.norm(edges - place, axis=1).min() for place in places])
    return np.where(np.abs(turn.sum(axis=1)) > np.pi, -distance, distance)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_distances_outside_a_concave_polygon(precision: str) -> None:
    places = np.random.default_rng(2).uniform(-30, 100, (61, 2))
    sim = Sim("x450", 61, precision=precision)
    sim.reset(pos=np.column_stack([places, np.full(61, -50)]))
    sim.safety.add("area", corners=L_SHAPE)
    found = seen(sim, "area")
    assert found == pytest.approx(distance_outside(places, L_SHAPE), abs=0.01)
    assert ((sim.boundaries_outside != 0) == (found > 0)).all()


def test_areas_with_different_corners_are_neighbours() -> None:
    sim = Sim("x450", 3)
    sim.reset(pos=[[40, 40, -9], [5, 12, -9], [1, 1, -9]])
    sim.safety.add("area", ids=1, corners=L_SHAPE)
    sim.safety.add("area", ids=2, centre=[2, 8], radius=4)
    sim.safety.add("area", ids=3, corners=[(0, 0), (0, 3), (4, 0)])
    assert seen(sim, "area") == pytest.approx([10, 5, -1])
    assert sim.boundaries_outside.tolist() == [1 << 5, 1 << 5, 0]


@pytest.mark.parametrize("spread", [3.0, 60.0])
def test_the_nearest_other_is_found_in_all_groups(spread: float) -> None:
    sim = Sim({"x450": 40, "hex_x": 30, "rover": 20})
    pos = np.random.default_rng(4).uniform(-spread, spread, (90, 3)) - [0, 0, 2 * spread]
    sim.reset(pos=pos)
    sim.safety.add("separation", minimum=6.0, ids=range(1, 91))
    sim.step()
    apart = np.linalg.norm(pos[:, None] - pos, axis=2) + np.diag(np.full(90, np.inf))
    near = apart.min(axis=1) < 6
    assert sim.nearest[near] == pytest.approx(apart.min(axis=1)[near], rel=1e-12)
    assert ((sim.boundaries_outside != 0) == near).all()
    assert near.any()


def test_a_crossing_is_the_first_check_beyond_the_limit() -> None:
    sim = Sim("x450", 3)
    twin = Sim("x450", 3)
    for each in (sim, twin):
        each.reset(pos=[[0, 0, -100], [9, 0, -200], [18, 0, -300]])
    sim.safety.add("speed", maximum=[3.0, 6.0, 9.0])
    sim.step(1500)
    for number, crossing in enumerate(sim.safety.crossings()):
        while (speed := np.linalg.norm(twin.vel[number])) <= 3 * (number + 1):
            twin.step(4)
        assert (crossing.time, crossing.value) == pytest.approx((twin.time, speed), rel=1e-12)


def test_the_result_depends_on_no_neighbour() -> None:
    def crossing(n: int) -> tuple[float, float]:
        sim = Sim("x450", n)
        sim.reset(pos=np.linspace([0, 0, -60], [0, 90, -60], n), hover=True, seed=3)
        sim.faults.add("motor", ids=1, actuator=1)
        sim.safety.add("tilt", maximum=1.0, ids=1)
        sim.step(1500)
        (found,) = sim.safety.crossings()
        return found.time, found.value

    assert crossing(1) == crossing(7) == crossing(300)
