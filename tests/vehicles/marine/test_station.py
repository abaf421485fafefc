"""Boats in waves of sea state 3 hold their places, and do not chase the waves."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.mission import Mission, TakeOff, Waypoint, fly_mission

from .conftest import Array

BOATS = ("otter", "wam_v", "gz_boat")

HEIGHT, PERIOD = 0.88, 7.5
"""Sea state 3: 0.5 to 1.25 m high [@fossen 10.2]; the period of such waves at sea."""

SEAS = 6


class Held(pyrfly.Sim):
    """Boats at a place, each in a sea of its own, whose motion is kept."""

    def __init__(self, name: str, yaw: float | None) -> None:
        super().__init__(name, SEAS, dt=0.002)
        for i in range(SEAS):
            self.environment.set_waves(
                HEIGHT, PERIOD, direction=0.6, seed=i + 1, short_crested=bool(i % 2), ids=i + 1
            )
        self.environment.set_current([0.3, -0.2, 0.0])
        self.wind[:] = [5.0, 3.0, 0.0]
        self.reset(pos=np.zeros((SEAS, 2)), yaw=np.linspace(-3.0, 3.0, SEAS))
        self.arm()
        self.command_position(np.zeros((SEAS, 3)), **({} if yaw is None else {"yaw": yaw}))

    def minutes(self, count: float) -> tuple[Array, Array]:
        """Return distances [m] and turning commands, four a second."""
        places, commands = [], []
        for _ in range(round(240 * count)):
            self.sleep(0.25)
            places.append(np.hypot(self.pos[:, 0], self.pos[:, 1]))
            commands.append(0.5 * (self.thruster_command[:, 0] - self.thruster_command[:, 1]))
        return np.array(places), np.array(commands)


@pytest.mark.slow
@pytest.mark.parametrize("yaw", [None, 1.0])
@pytest.mark.parametrize("name", BOATS)
def test_a_boat_holds_its_place_for_five_minutes(name: str, yaw: float | None) -> None:
    """Within a fifth of its length (2 m, 4.9 m) by root mean square, and 0.6 of it at most.

    Wind and current would take it away by 100 m, and the highest waves move the water itself by
    0.9 m to each side.
    """
    sim = Held(name, yaw)
    sim.minutes(1)
    distances, _ = sim.minutes(5)
    length = sim.hull_size[0, 0]
    assert np.sqrt((distances**2).mean()) < 0.2 * length
    assert distances.max() < 0.6 * length
    assert np.abs(sim.euler[:, :2]).max() < 0.5


def test_a_boat_does_not_turn_with_every_wave() -> None:
    """Without the dead zones its turning command changes by 0.37 per second."""
    sim = Held("otter", None)
    sim.minutes(0.75)
    _, commands = sim.minutes(1)
    assert np.abs(np.diff(commands, axis=0)).mean() / 0.25 < 0.2


@pytest.mark.parametrize("current", [(0.3, -0.2, 0.0), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("name", BOATS)
def test_a_boat_stands_with_bow_or_stern_into_the_current(
    name: str, current: tuple[float, float, float]
) -> None:
    """What it needs ahead is the current there, whatever heading it comes with or is told."""
    sim = pyrfly.Sim(name, 2, dt=0.0025)
    sim.environment.set_current(current)
    sim.reset(pos=np.zeros((2, 2)), yaw=[0.4, -2.0])
    sim.arm()
    sim.command_position(np.zeros((2, 3)), yaw=1.0)
    sim.sleep(100)
    distances, yaws = [], []
    for _ in range(40):
        sim.sleep(0.5)
        distances.append(np.hypot(sim.pos[:, 0], sim.pos[:, 1]))
        yaws.append(sim.euler[:, 2])
    assert np.max(distances) < 0.06 * sim.hull_size[0, 0]
    assert sim.arrived.all()
    np.testing.assert_allclose(sim.current_velocity, [current[:2]] * 2, atol=0.03)
    into = np.arctan2(current[1], current[0]) if any(current) else 1.0
    off = np.array(yaws) - into
    np.testing.assert_allclose(np.sin(off), 0.0, atol=0.1)


@pytest.mark.parametrize("name", BOATS)
def test_a_boat_that_is_told_a_heading_across_the_wind_points_into_it(name: str) -> None:
    """It would be blown away across it: its thrusters push ahead and astern alone."""
    sim = pyrfly.Sim(name, dt=0.0025)
    sim.wind[:] = [0.0, 8.0, 0.0]
    sim.arm()
    sim.command_position([0.0, 0.0, 0.0], yaw=0.0)
    sim.sleep(60)
    distances, yaws, commands = [], [], []
    for _ in range(120):
        sim.sleep(0.5)
        distances.append(np.hypot(sim.pos[0, 0], sim.pos[0, 1]))
        yaws.append(sim.euler[0, 2])
        commands.append(sim.thruster_command[0, :2].copy())
    assert max(distances) < 0.05 * sim.hull_size[0, 0]
    np.testing.assert_allclose(np.cos(yaws), 0.0, atol=0.3)
    assert np.std(commands, axis=0).max() < 0.05


def test_a_boat_at_anchor_stops_at_its_waypoints() -> None:
    """In a current and waves of 0.3 m it hung 1.2 m off."""
    sim = pyrfly.Sim("wam_v", dt=0.0025)
    sim.environment.set_current([0.3, -0.2, 0.0])
    sim.environment.set_waves(0.3, 4.0, seed=1)
    places = [(8.0, 0.0, 0.0), (8.0, 6.0, 0.0)]
    items = [TakeOff((0.0, 0.0, -2.0)), *(Waypoint(place, hold=2.0) for place in places)]
    result = fly_mission(sim, Mission(tuple(items)))
    assert result.completed, result.reason
    sim.sleep(45.0)
    assert np.linalg.norm(sim.pos[0] - places[-1]) < 0.8


def test_a_boat_knows_how_high_waves_are() -> None:
    """A quarter of the significant height is the root mean square of the surface."""
    sim = Held("otter", None)
    sim.minutes(1)
    known = []
    for _ in range(60):
        sim.sleep(0.5)
        known.append(sim.heave_square.copy())
    assert 4.0 * np.sqrt(np.mean(known)) == pytest.approx(HEIGHT, rel=0.2)


def test_in_calm_water_and_under_it_there_are_none() -> None:
    sim = pyrfly.Sim({"otter": 1, "bluerov2_heavy": 1}, dt=0.002)
    sim.arm()
    sim.command_position([[2.0, 0.0, 0.0], [0.0, 0.0, 5.0]])
    sim.sleep(10)
    first, second = sim.groups
    assert first.heave_square.max() < 1e-4
    assert not second.heave_square.any()


def test_a_boat_arrives_in_waves() -> None:
    sim = pyrfly.Sim("otter", 2, dt=0.002)
    sim.environment.set_waves(HEIGHT, PERIOD, seed=2)
    sim.arm()
    sim.command_position([[12.0, 5.0, 0.0], [-8.0, 8.0, 0.0]])
    arrived = np.zeros(2, bool)
    for _ in range(80):
        sim.sleep(0.5)
        arrived |= sim.arrived != 0
    assert arrived.all()
