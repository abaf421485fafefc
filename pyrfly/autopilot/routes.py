"""Flights that a mode of PX4 makes by itself: mission, return, landing, orbit.

Each is an iterator: a ``next`` commands the set-points of one vehicle for the next
`pyrfly.mission.pilot.TICK`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrfly.mission.items import Land, MissionItem, Waypoint
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilot import Pilot
from pyrfly.mission.vehicle import Vehicle

__all__ = ["Orbit", "ReturnSettings", "land", "orbit", "return_home"]

Array = NDArray[np.float64]

SLOW_HEIGHT = 10.0
"""Height above ground below which a landing is slow: MPC_LAND_ALT1 [m]."""

ACCEPTANCE_RADIUS = 10.0
"""NAV_ACC_RAD: nearer to home, a return does not climb [m]."""


@dataclass(frozen=True)
class ReturnSettings:
    """Parameters of a return.

    Attributes
    ----------
    altitude, min_dist : float
        RTL_RETURN_ALT, RTL_MIN_DIST [m].
    cone : float
        RTL_CONE_ANG [rad].
    """

    altitude: float
    min_dist: float
    cone: float


def return_height(settings: ReturnSettings, distance: float, height: float) -> float:
    """Return the height above home of a return [@px4 v1.16.1 rtl.cpp].

    Parameters
    ----------
    settings : ReturnSettings
        The parameters.
    distance : float
        Horizontal distance from home [m].
    height : float
        Present height above home [m].

    Examples
    --------
    >>> settings = ReturnSettings(60.0, 10.0, math.radians(45))
    >>> return_height(settings, 100.0, 5.0), return_height(settings, 4.0, 5.0)
    (60.0, 8.0)
    """
    lowest = 2.0 * ACCEPTANCE_RADIUS
    if distance <= ACCEPTANCE_RADIUS:
        wanted = 2.0 * distance
    elif distance <= settings.min_dist:
        wanted = max(lowest, min(distance / math.tan(settings.cone), settings.altitude))
    else:
        wanted = max(lowest, settings.altitude)
    return max(wanted, height)


def return_home(vehicle: Vehicle, home: Array, settings: ReturnSettings) -> Pilot:
    """Return a flight to the place above home and a landing there; ``home`` is NED [m]."""
    way = home - vehicle.pos
    height = return_height(settings, math.hypot(way[0], way[1]), way[2])
    top = home[2] - height
    above = (
        Waypoint((vehicle.pos[0], vehicle.pos[1], top)),
        Waypoint((home[0], home[1], top)),
    )
    return _landing(vehicle, home, above, height)


def land(vehicle: Vehicle) -> Pilot:
    """Return a landing at the present place."""
    return _landing(vehicle, vehicle.pos, (), vehicle.ground - vehicle.pos[2])


def _landing(vehicle: Vehicle, pos: Array, before: tuple[Waypoint, ...], height: float) -> Pilot:
    """Return items and a landing, which is slow near the ground alone."""
    x, y = float(pos[0]), float(pos[1])
    items: list[MissionItem] = list(before)
    if not vehicle.drives and height > SLOW_HEIGHT:
        items.append(Waypoint((x, y, vehicle.ground - SLOW_HEIGHT)))
    items.append(Land((x, y, float(pos[2]))))
    return Pilot(vehicle, Mission(tuple(items), home=(0.0, 0.0, 0.0)), airborne=True)


@dataclass(frozen=True)
class Orbit:
    """A circle.

    Attributes
    ----------
    centre : ndarray, shape (3,)
        Its centre [m, NED].
    radius : float
        Radius [m]; below 0 counter-clockwise.
    speed : float
        Speed along it [m/s].
    """

    centre: Array
    radius: float
    speed: float


def orbit(vehicle: Vehicle, circle: Orbit) -> Iterator[None]:
    """Fly a circle without an end, with the heading towards its centre.

    The set-point begins at the point of the circle that is nearest to the vehicle.
    """
    radius, turn = abs(circle.radius), math.copysign(1.0, circle.radius)
    way = vehicle.pos - circle.centre
    angle = math.atan2(way[1], way[0])
    start = vehicle.time
    rate = turn * circle.speed / radius
    while True:
        phase = angle + rate * (vehicle.time - start)
        outward = np.array([math.cos(phase), math.sin(phase), 0.0])
        along = np.array([-math.sin(phase), math.cos(phase), 0.0])
        vehicle.command(
            circle.centre + radius * outward,
            rate * radius * along,
            -(rate**2) * radius * outward,
            math.remainder(phase + math.pi, math.tau),
        )
        yield
