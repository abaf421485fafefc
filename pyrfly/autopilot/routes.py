"""Flights that a mode of PX4 makes by itself: take-off, reposition, return, landing, orbit.

Each is an iterator: a ``next`` commands the set-points of one vehicle for the next
`pyrfly.mission.base_pilot.TICK`. At its end the vehicle holds the last of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MissionError
from pyrfly.mission.base_pilot import TICK, BasePilot
from pyrfly.mission.items import Land, Loiter, MissionItem, Waypoint
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilot import SLOW_HEIGHT, Pilot
from pyrfly.mission.progress import Progress
from pyrfly.mission.vehicle import Vehicle
from pyrfly.mission.vtol import Vtol
from pyrfly.mission.vtol_pilot import VtolPilot

__all__ = ["Facing", "Orbit", "ReturnSettings", "go_to", "land", "orbit", "return_home", "take_off"]

Array = NDArray[np.float64]

ARRIVAL = 0.3
"""Distance from its height at which a take-off ends [m]; estimated."""

PRESS = 0.5
"""Depth below the ground at which the set-point of a landing ends, so that it settles [m]."""

ANY_SPEED = 1.0
"""Of a mission without a way [m/s]."""

_REST = np.zeros(3)


def take_off(vehicle: Vehicle, pos: Array, yaw: float, speed: float) -> Iterator[None]:
    """Climb vertically, then fly to the place if one is given.

    Parameters
    ----------
    vehicle : Vehicle
        The vehicle; one that is higher already stays there, and one that drives does not move.
    pos : ndarray, shape (3,)
        Where the take-off ends [m, NED]; NaN north and east: above the present place.
    yaw : float
        Heading [rad]; NaN: the present one.
    speed : float
        Speed to the place [m/s].
    """
    if vehicle.on_surface:
        return
    north, east, down = vehicle.pos
    top = min(float(pos[2]), down)
    climb = vehicle.take_off
    heading = vehicle.heading if math.isnan(yaw) else yaw
    progress = Progress(vehicle.time, vehicle.patience)
    while True:
        down = max(down - climb * TICK, top)
        vel = np.array([0.0, 0.0, -climb if down > top else 0.0])
        vehicle.command(np.array([north, east, down]), vel, _REST, heading)
        yield
        left = float(vehicle.pos[2]) - top
        if down == top and left < ARRIVAL:
            break
        if progress.stalls(vehicle.time, left):
            raise MissionError("Takeoff ended: the height is out of reach")
    if np.isfinite(pos[:2]).all():
        yield from go_to(vehicle, np.array([pos[0], pos[1], top]), yaw, speed)


def go_to(
    vehicle: Vehicle, pos: Array, yaw: float, speed: float, interest: Array | None = None
) -> Iterator[None]:
    """Fly straight to a position, and turn to a heading there if it is not reached on the way.

    Parameters
    ----------
    vehicle : Vehicle
        The vehicle.
    pos : ndarray, shape (3,)
        The position [m, NED]; NaN in it: where the vehicle can stop.
    yaw : float
        Heading [rad]; NaN: that of the course.
    speed : float
        Maximum speed [m/s].
    interest : ndarray, shape (3,), optional
        Region of interest [m, NED], to which the vehicle turns instead.

    Raises
    ------
    MissionError
        The position is farther away than missions go.
    """
    goal = np.where(np.isnan(pos), vehicle.pos + _braking(vehicle), pos)
    item = Waypoint(_point(goal), yaw=None if math.isnan(yaw) else yaw)
    pilot = _pilot(vehicle, [item], speed)
    pilot.look_at(interest)
    yield from _flown(pilot)
    yield from pilot.turn()


@dataclass(frozen=True)
class ReturnSettings:
    """Parameters of a return.

    Attributes
    ----------
    altitude, min_dist : float
        RTL_RETURN_ALT, RTL_MIN_DIST [m].
    cone : float
        RTL_CONE_ANG [rad], 0 of vehicles that fly by wings: there is none.
    acceptance : float
        NAV_ACC_RAD [m].
    descend : float
        RTL_DESCEND_ALT [m].
    delay : float
        RTL_LAND_DELAY [s]; below 0 the vehicle does not land.
    """

    altitude: float
    min_dist: float
    cone: float
    acceptance: float
    descend: float
    delay: float


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
    >>> settings = ReturnSettings(60.0, 10.0, math.radians(45), 2.0, 30.0, 0.0)
    >>> return_height(settings, 100.0, 5.0), return_height(settings, 1.5, 5.0)
    (60.0, 5.0)
    >>> round(return_height(settings, 8.0, 5.0), 6)
    8.0
    """
    lowest = 2.0 * settings.acceptance
    if settings.cone == 0.0:
        wanted = settings.altitude
    elif distance <= settings.acceptance:
        wanted = 2.0 * distance
    elif distance <= settings.min_dist:
        wanted = max(lowest, min(distance / math.tan(settings.cone), settings.altitude))
    else:
        wanted = max(lowest, settings.altitude)
    return max(wanted, height)


def return_home(
    vehicle: Vehicle,
    home: Array,
    settings: ReturnSettings,
    speed: float,
    airspeed: float = 0.0,
    yaw: float = math.nan,
) -> Iterator[None]:
    """Fly to the place above home, descend, wait, and land; ``home`` is NED [m].

    From the descent on its heading is ``yaw`` [rad], or that of its way if that is NaN
    [@px4 v1.16.1 rtl_direct.cpp].

    A VTOL that flies by wings does so by wings, in circles above home, and hovers there to land
    [@px4 v1.16.1 rtl_direct.cpp]; its airspeed [m/s] is that of cruise where ``airspeed`` is 0.
    """
    way = home - vehicle.pos
    height = return_height(settings, math.hypot(way[0], way[1]), way[2])
    top = home[2] - height
    low = home[2] - min(height, settings.descend)
    if isinstance(vehicle, Vtol) and vehicle.winged:
        speeds = speed, airspeed
        yield from _home_in_winged_flight(
            vehicle, (home[0], home[1], top), low, settings.delay, speeds
        )
        yield from land(vehicle)
        return
    items: list[MissionItem] = [
        Waypoint((vehicle.pos[0], vehicle.pos[1], top)),
        Waypoint((home[0], home[1], top)),
        Loiter(
            (home[0], home[1], low),
            max(settings.delay, 0.0),
            yaw=None if math.isnan(yaw) else yaw,
        ),
    ]
    pilot = _pilot(vehicle, items, speed)
    yield from _flown(pilot)
    yield from pilot.turn()
    if settings.delay < 0:
        yield from pilot.linger()
    yield from land(vehicle)


def _home_in_winged_flight(
    vehicle: Vtol,
    above: tuple[float, float, float],
    low: float,
    delay: float,
    speeds: tuple[float, float],
) -> Iterator[None]:
    """Circle above home, come down to a height, wait, and hover there."""
    seconds = delay if delay >= 0 else math.inf
    down = (above[0], above[1], low)
    items = Loiter(above, 0.0), Loiter(down, seconds, climbs=True)
    pilot = VtolPilot(vehicle, _mission([*items], speeds[0]), airborne=True)
    if speeds[1] > 0.0:
        pilot.fly_at(speeds[1])
    yield from _flown(pilot)
    while delay < 0:
        yield
    yield from pilot.arrive(np.array(down))


def land(vehicle: Vehicle) -> Iterator[None]:
    """Descend to the ground, near it at the speed of a landing, and press on it without an end.

    The place is that where the vehicle can stop. One that drives stops and disarms there.
    """
    pos = vehicle.pos + _braking(vehicle)
    if vehicle.on_surface:
        yield from _flown(_pilot(vehicle, [Land(_point(pos))], ANY_SPEED))
        return
    heading = vehicle.heading
    while True:
        fast = pos[2] < vehicle.ground - SLOW_HEIGHT
        speed = vehicle.descent if fast else vehicle.landing
        end = vehicle.ground + PRESS
        pos[2] = min(pos[2] + speed * TICK, end)
        vel = np.array([0.0, 0.0, speed if pos[2] < end else 0.0])
        vehicle.command(pos, vel, _REST, heading)
        yield


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


class Facing(IntEnum):
    """Where the nose of a vehicle points that flies a circle: ORBIT_YAW_BEHAVIOUR."""

    CENTRE = 0
    AS_BEFORE = 1
    UNCONTROLLED = 2
    """As `AS_BEFORE`: the heading is that at the beginning."""
    ALONG = 3


def orbit(vehicle: Vehicle, circle: Orbit, facing: Facing = Facing.CENTRE) -> Iterator[None]:
    """Fly to the nearest point of a circle, then along it without an end.

    Raises
    ------
    MissionError
        The circle is farther away than missions go.
    """
    radius, turn = abs(circle.radius), math.copysign(1.0, circle.radius)
    way = vehicle.pos - circle.centre
    angle = math.atan2(way[1], way[0])
    rate = turn * circle.speed / radius
    nearest = circle.centre + radius * np.array([math.cos(angle), math.sin(angle), 0.0])
    own = vehicle.heading

    def heading(phase: float) -> float:
        if facing not in (Facing.CENTRE, Facing.ALONG):
            return own
        ahead = math.pi if facing is Facing.CENTRE else turn * 0.5 * math.pi
        return math.remainder(phase + ahead, math.tau)

    yield from go_to(vehicle, nearest, heading(angle), circle.speed)
    turning = rate if facing in (Facing.CENTRE, Facing.ALONG) else 0.0
    start = vehicle.time
    while True:
        phase = angle + rate * (vehicle.time - start)
        outward = np.array([math.cos(phase), math.sin(phase), 0.0])
        along = np.array([-math.sin(phase), math.cos(phase), 0.0])
        vehicle.command(
            circle.centre + radius * outward,
            rate * radius * along,
            -(rate**2) * radius * outward,
            heading(phase),
            turning,
        )
        yield


def _flown(pilot: BasePilot) -> Iterator[None]:
    """Let a pilot fly; raise a MissionError where it cannot get on."""
    for _ in pilot.fly():
        if pilot.failure:
            raise MissionError(pilot.failure)
        yield


def _pilot(vehicle: Vehicle, items: list[MissionItem], speed: float) -> Pilot:
    return Pilot(vehicle, _mission(items, speed), airborne=True)


def _mission(items: list[MissionItem], speed: float) -> Mission:
    return Mission(tuple(items), home=(0.0, 0.0, 0.0), cruise_speed=speed)


def _braking(vehicle: Vehicle) -> Array:
    """Return the horizontal way in which the vehicle can stop [m, NED]."""
    level = vehicle.vel * (1.0, 1.0, 0.0)
    return np.asarray(level * (0.5 * float(np.hypot(*level[:2])) / vehicle.acceleration))


def _point(pos: Array) -> tuple[float, float, float]:
    north, east, down = pos.tolist()
    return north, east, down
