"""A world with vehicles of all families that go their rounds: `zoo`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.sim import Sim
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import names

__all__ = ["TICK", "Zoo"]

Array = NDArray[np.float64]
Round = Iterator[None]

TICK = 0.1
"""Simulated time between two commands [s]."""

SPACING = 5.0
NORTH, EAST = np.arange(-130, 136, SPACING), np.arange(-225, 226, SPACING)


def _heights(north: Array, east: Array) -> Array:
    """Return heights over the sea [m]: land in the west with a hill, a bay, an island."""
    off_shore = east - 18 * np.sin(north / 45) - 10
    slope = np.where(off_shore < 0, -8 * np.tanh(off_shore / 90), -22 * np.tanh(off_shore / 110))
    hill = 9 * np.exp(-((north - 95) ** 2 + (east + 175) ** 2) / 3000)
    island = 24 * np.exp(-((north + 65) ** 2 + (east - 145) ** 2) / 700)
    return np.asarray(slope + hill + island)


class Zoo:
    """Vehicles of all families where the land meets the sea, each on a round without an end.

    Attributes
    ----------
    sim : Sim
        The vehicles.
    """

    def __init__(self) -> None:
        rounds = [one for one in ROUNDS if one[0] in names()]  # of the families that are built
        sets = [name for name, _, _ in rounds]
        self.sim = Sim({name: sets.count(name) for name in sets})
        heights = _heights(NORTH[:, None], EAST)
        sim = self.sim
        sim.environment.set_terrain(TerrainMap(heights, SPACING, corner=(NORTH[0], EAST[0])))
        sim.wind = 2, -3, 0
        starts = np.array([start for _, start, _ in rounds])
        sim.reset(pos=starts[:, :2], yaw=np.radians(starts[:, 2]))
        sim.arm()
        self._rounds = [begin(sim, number) for number, (_, _, begin) in enumerate(rounds, 1)]

    def step(self) -> None:
        """Command all vehicles, and step them to the next tick."""
        for one in self._rounds:
            next(one, None)
        self.sim.sleep(TICK)


def _through(*points: ArrayLike, within: float = 2.0) -> Callable[[Sim, int], Round]:
    """Pass points, north, east, down [m], again and again."""

    def go(sim: Sim, me: int) -> Round:
        while True:
            for point in points:
                sim.command_position(point, ids=me)
                while np.linalg.norm(sim.pos[me - 1] - point) > within:
                    yield

    return go


def _drive(*points: ArrayLike) -> Callable[[Sim, int], Round]:
    """Drive to points, north, east from the start [m], again and again."""

    def go(sim: Sim, me: int) -> Round:
        start = sim.pos[me - 1].copy()
        while True:
            for north, east in np.asarray(points, np.float64):
                goal = start + np.array([north, east, 0])
                sim.command_position(goal, ids=me)
                while not sim.arrived[me - 1]:
                    yield

    return go


def _eight(sim: Sim, me: int) -> Round:
    """Fly an eight over the water, when the rotor has come up to speed."""
    above = [20, 55, -40]
    sim.command_position(above, ids=me)
    while np.linalg.norm(sim.pos[me - 1] - above) > 2:
        yield
    begin = sim.time
    while True:
        phase = 0.12 * (sim.time - begin)
        pos = [20 + 30 * np.sin(2 * phase), 115 - 60 * np.cos(phase), -40]
        vel = [7.2 * np.cos(2 * phase), 7.2 * np.sin(phase), 0]
        sim.command_position(pos, float(np.arctan2(vel[1], vel[0])), vel=vel, ids=me)
        yield


def _circle(radius: float, height: float) -> Callable[[Sim, int], Round]:
    """Circle over it all."""

    def go(sim: Sim, me: int) -> Round:
        sim.plane.command_circle([0, -10, -height], radius, ids=me)
        yield

    return go


def _laps(sim: Sim, me: int) -> Round:
    """Drive laps around the hill."""
    middle, radius, speed = np.array([65, -160]), 45, 12
    while True:
        north, east = sim.pos[me - 1, :2] - middle
        out, along = np.array([[north, east, 0], [-east, north, 0]]) / np.hypot(north, east)
        sim.command_position([*middle, 0] + radius * out, vel=speed * along, ids=me)
        yield


def _there_and_back(sim: Sim, me: int) -> Round:
    """Take off in hover, fly to the sea by wings, come back, and land, again and again."""
    home = sim.pos[me - 1].copy()
    above, there = home - [0, 0, 30], np.array([-40.0, 130, -50])

    def near(point: Array, within: float) -> Round:
        while np.linalg.norm(sim.pos[me - 1] - point) > within:
            yield

    while True:
        sim.command_position(above, ids=me)
        yield from near(above, 2)
        sim.gazebo_blocks.command_transition("wings", ids=me)
        sim.command_position(there, ids=me)
        yield from near(there, 75)
        sim.gazebo_blocks.command_line(above, above - there, ids=me)
        yield from near(above, 90)
        sim.gazebo_blocks.command_transition("hover", ids=me)
        end = sim.time + 8
        while sim.time < end:
            yield


def _inspect(sim: Sim, me: int) -> Round:
    """Dive, and go around the foot of the island with the cameras on it."""
    turn = 0.0
    while True:
        pos = [-65 + 38 * np.cos(turn), 145 - 38 * np.sin(turn), 6]
        sim.command_position(pos, yaw=np.pi - turn, ids=me)
        while np.linalg.norm(sim.pos[me - 1] - pos) > 3:
            yield
        turn = (turn + 0.12) % (2 * np.pi)


def _spiral(sim: Sim, me: int) -> Round:
    """Dive in a spiral and come up again, by the fins."""
    while True:
        depth = 8 - 6 * np.cos(0.02 * sim.time)
        sim.marine.command_speed(2, yaw_rate=0.08, depth=float(depth), ids=me)
        yield


_PATROL = [[north, -20 + 60 * (k % 2), -25] for k, north in enumerate(range(-85, 100, 23))]
_LINES = [[80, 90, 0], [80, 150, 0], [95, 150, 0], [95, 90, 0], [110, 90, 0], [110, 150, 0]]

ROUNDS: tuple[tuple[str, tuple[float, float, float], Callable[[Sim, int], Round]], ...] = (
    ("x450", (-90, -40, 0), _through(*_PATROL, *_PATROL[-2:0:-1])),
    ("hex_x", (-20, -50, 0), _through([-20, -50, -12], [30, -50, -12], [30, -10, -18])),
    ("xcell_60", (20, -20, 90), _eight),
    ("skywalker_x8", (-120, -60, 0), _circle(110, 65)),
    ("aerosonde", (-120, -110, 0), _circle(160, 90)),
    ("gz_standard_vtol", (-75, -170, 0), _there_and_back),
    ("husky_a200", (100, -40, 0), _drive([0, -20], [20, -20], [20, 0], [0, 0])),
    ("bmw_320i", (65, -115, 90), _laps),
    ("truck_trailer", (-100, -130, 90), _drive([5, 70], [45, 90], [90, 60], [50, -10], [0, 0])),
    ("otter", (80, 90, 90), _through(*_LINES)),
    ("bluerov2_heavy", (-27, 145, 180), _inspect),
    ("remus100", (40, 125, 0), _spiral),
)
"""Parameter set, start (north, east [m], heading [deg]), and what it does, of each vehicle."""
