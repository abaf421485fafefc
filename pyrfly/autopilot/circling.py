"""Flights of vehicles that do not hover: circles, and tasks of their navigators.

Each is an iterator as those of `pyrfly.autopilot.routes`. Circles are set-points of the
controllers; take-offs and landings are flown by the navigator of the vehicle, to which they are
commanded. A flight that cannot get on ends with a `MissionError` that says why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.autopilot.routes import Orbit, ReturnSettings, return_height
from pyrfly.errors import MissionError
from pyrfly.mission.base_pilot import TICK
from pyrfly.mission.fixed_wing import way_to_circle
from pyrfly.mission.progress import PATIENCE, Progress
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import Setpoint
from pyrfly.protocol.synthesis import Inputs, Mode
from pyrfly.sim import Selection, Sim
from pyrfly.vehicles.abilities import Wings

__all__ = ["circle", "land", "return_home", "take_off"]

Array = NDArray[np.float64]
NAN = math.nan

LEVELLED = 5.0
"""Distance from its height at which a vehicle on a circle has reached it [m]; estimated."""

CIRCLES = 3.0
"""Turns around its circle in which a vehicle may get no nearer to its goal."""


def take_off(sim: Sim, row: int, down: float) -> Iterator[None]:
    """Take off ahead, and climb to a height.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    row : int
        Row of the vehicle.
    down : float
        Where the climb ends, as down coordinate [m].
    """
    above_home = down - float(sim.home[row, 2])
    _command(sim, row, synthesis.take_off(NAN, NAN, above_home, armed=True))
    yield
    progress = Progress(sim.time, _patience(sim, row))
    while sim.navigator_mode[row] == Mode.TAKEOFF:
        if progress.stalls(sim.time, float(sim.pos[row, 2]) - down):
            raise MissionError("Takeoff ended: the height is out of reach")
        yield


def circle(sim: Sim, row: int, orbit: Orbit) -> Iterator[None]:
    """Fly to a circle and along it, without an end.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    row : int
        Row of the vehicle.
    orbit : Orbit
        The circle; a radius or a speed of 0 is that of the vehicle, and its speed is an airspeed.
    """
    _circle(sim, row, orbit)
    while True:
        yield


def return_home(
    sim: Sim, row: int, home: Array, settings: ReturnSettings, speed: float
) -> Iterator[None]:
    """Climb in a circle, fly to one above home, descend, wait, and land; ``home`` is NED [m]."""
    here = sim.known.pos[row].astype(np.float64)
    way = home - here
    height = return_height(settings, math.hypot(way[0], way[1]), float(way[2]))
    top, low = home[2] - height, home[2] - min(height, settings.descend)
    centres = [(home[0], home[1], top), (home[0], home[1], low)]
    if top < here[2]:
        centres.insert(0, (here[0], here[1], top))
    for centre in centres:
        _circle(sim, row, Orbit(np.array(centre), 0.0, speed))
        yield from _reach(sim, row)
    waited = 0.0
    while settings.delay < 0 or waited < settings.delay:
        waited += TICK
        yield
    yield from land(sim, row, home)


def land(sim: Sim, row: int, place: Array | None = None) -> Iterator[None]:
    """Land at a place [m, NED], by default where the vehicle is; it disarms itself."""
    given = np.full(2, NAN) if place is None else place[:2] - sim.home[row, :2].astype(np.float64)
    _command(sim, row, synthesis.land(given[0], given[1]))
    yield
    chosen = sim.select(row + 1)
    progress = Progress(sim.time, _patience(sim, row))
    while sim.navigator_mode[row] == Mode.APPROACH:
        if progress.stalls(sim.time, way_to_circle(chosen, sim.known.pos[row])):
            raise MissionError("Landing ended: its final approach is out of reach")
        yield
    progress = Progress(sim.time, _patience(sim, row))
    while sim.armed[row]:
        way = sim.navigator_goal[row] - sim.known.pos[row]
        if progress.stalls(sim.time, float(exact.norm(way.astype(np.float64)))):
            raise MissionError("Landing ended: its place is out of reach")
        yield


def _command(sim: Sim, row: int, inputs: Inputs) -> None:
    sim.command_sil(inputs.ints, inputs.floats, ids=row + 1)


def _circle(sim: Sim, row: int, orbit: Orbit) -> None:
    chosen = sim.select(row + 1)
    wings = _wings(chosen)
    columns = {
        "pos_sp": orbit.centre[None],
        wings.radius_setpoint: np.array([orbit.radius]),
        wings.airspeed_setpoint: np.array([orbit.speed]),
    }
    chosen.set_point(Setpoint.POSITION, **columns)


def _wings(chosen: Selection) -> Wings:
    (able,) = chosen.abilities
    assert able.wings is not None  # only vehicles that fly by wings circle
    return able.wings


def _reach(sim: Sim, row: int) -> Iterator[None]:
    """Fly to a circle and to its height; one that does not reach the height goes on.

    Raises
    ------
    MissionError
        The circle is out of reach.
    """
    progress = Progress(sim.time, _patience(sim, row))
    chosen = sim.select(row + 1)
    while (left := way_to_circle(chosen, sim.known.pos[row])) >= LEVELLED or not sim.arrived[row]:
        yield
        if progress.stalls(sim.time, left):
            if sim.arrived[row]:
                return
            raise MissionError("Return ended: the circle above home is out of reach")


def _patience(sim: Sim, row: int) -> float:
    """Return how long a vehicle may get no nearer to its goal [s]: it circles meanwhile."""
    chosen = sim.select(row + 1)
    wings = _wings(chosen)
    radius, speed = chosen.read(wings.loiter_radius)[0], chosen.read(wings.cruise_airspeed)[0]
    return PATIENCE + CIRCLES * math.tau * abs(float(radius)) / float(speed)
