"""Follow-me: `Target`, what is followed, and `follow`, the flight around it.

As PX4 v1.16.1 does [@px4 v1.16.1 FlightTaskAutoFollowTarget.cpp, TargetEstimator.cpp]: an estimate
of the target by a filter with a fading memory, a model of second order that smooths it, and a
position around it at an angle from its course. What is left out: the limit of the jerk of the
angle, and gimbals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.autopilot.sticks import Sticks
from pyrfly.mission.base_pilot import TICK
from pyrfly.mission.vehicle import Vehicle
from pyrfly.protocol.timeouts import TIMEOUTS

__all__ = ["FollowSettings", "Target", "follow"]

Array = NDArray[np.float64]

FREQUENCY, DAMPING = 1.0, 0.7071
"""Of the model that smooths the target [rad/s, 1]."""

COURSE_SPEED = 1.0
"""Speed of a target below which its course is kept [m/s]."""

ANGLE_ACCELERATION = 2.0
"""Along the circle around the target [m/s^2]."""

HEIGHT_ERROR = 3.0
"""Difference in height above which the vehicle only climbs or descends [m]."""

LEAST_DISTANCE = 1.0
"""From the target, below which the heading is kept [m], and least distance and height."""

MOST = 100.0
"""Largest distance and height that sticks set [m]."""

STICK_DISTANCE, STICK_HEIGHT, STICK_ANGLE = 2.0, 1.5, 1.5
"""Speeds of full deflections [m/s, m/s, rad/s]."""

STICK_DEAD_ZONE = 0.1

STICK_WINDOW = 0.5
"""Time of a full deflection by which a set-point may be ahead of the vehicle [s]."""

_REST = np.zeros(3)


class Target:
    """Position and velocity of what is followed, as its messages tell.

    Parameters
    ----------
    timeout : float
        Time without a message after which it is lost [s].
    """

    def __init__(self, timeout: float = TIMEOUTS["target"].seconds) -> None:
        self._timeout = timeout
        self._pos, self._vel = np.full(3, math.nan), _REST
        self._time = math.inf  # of the last message; there is none

    def see(self, pos: Array, vel: Array, time: float, responsiveness: float) -> None:
        """Take a message: position [m, NED] and velocity [m/s, NED], NaN where it is not told.

        ``responsiveness`` is FLW_TGT_RS: the share of the past in the estimate, 0 to 1.
        """
        if not np.isfinite(pos).all():
            return
        known = self.at(time)
        since = time - self._time
        if known is None or since <= 0.0:
            self._pos = pos
            self._vel = np.where(np.isfinite(vel), vel, 0.0)
        else:
            error = pos - known[0]
            self._pos = known[0] + (1.0 - responsiveness**2) * error
            measured = known[1] + (1.0 - responsiveness) ** 2 * error / since
            self._vel = np.where(np.isfinite(vel), vel, measured)
        self._time = time

    def at(self, time: float) -> tuple[Array, Array] | None:
        """Return position and velocity at a time [m, m/s, NED]; None if it is lost."""
        since = time - self._time
        if not 0.0 <= since <= self._timeout:
            return None
        return self._pos + since * self._vel, self._vel


class FollowSettings(NamedTuple):
    """Parameters of follow-me.

    Attributes
    ----------
    distance, height : float
        FLW_TGT_DST, FLW_TGT_HT [m].
    angle : float
        FLW_TGT_FA, from the course of the target, clockwise [rad].
    altitude : int
        FLW_TGT_ALT_M, what the height is above: 0 home, 1 the ground, 2 the target.
    speed : float
        FLW_TGT_MAX_VEL, along the circle around the target [m/s].
    """

    distance: float
    height: float
    angle: float
    altitude: int
    speed: float


class Following(NamedTuple):
    """What a flight of follow-me reads at each tick.

    Attributes
    ----------
    target : callable
        Returns position and velocity of the target [m, m/s, NED], None if it is lost.
    settings : callable
        Returns the parameters.
    sticks : callable
        Returns the sticks, None without a remote control.
    home : float
        Home, z [m, NED].
    """

    target: Callable[[], tuple[Array, Array] | None]
    settings: Callable[[], FollowSettings]
    sticks: Callable[[], Sticks | None]
    home: float


def follow(vehicle: Vehicle, of: Following) -> Iterator[None]:
    """Fly around a target without an end; without one hold the place where the vehicle can stop."""
    while True:
        place, heading = _stop(vehicle), vehicle.heading
        while of.target() is None:
            vehicle.command(place, _REST, _REST, heading)
            yield
        yield from _around(vehicle, of)


def _around(vehicle: Vehicle, of: Following) -> Iterator[None]:
    """Fly around a target until it is lost."""
    chosen = own = of.settings()
    course, rate, heading = 0.0, 0.0, vehicle.heading
    smooth: tuple[Array, Array] | None = None
    climbing: Array | None = None
    angle = 0.0
    while (target := of.target()) is not None:
        if smooth is None:
            smooth = target
            angle = _bearing(vehicle.pos - target[0])  # from the target, clockwise from north
        if of.settings() != chosen:
            chosen = own = of.settings()  # a parameter counts more than the sticks before
        pos, vel = smooth = _smoothed(smooth, target)
        if min(_level(vel), _level(target[1])) >= COURSE_SPEED:
            course = _bearing(vel)
        way = vehicle.pos - pos
        own = _steered(own, of.sticks(), vehicle, way, angle - course)
        angle, rate = _turned(angle, rate, course + own.angle, own)
        sine, cosine = (float(value) for value in exact.sincos(angle))
        goal = pos + own.distance * np.array([cosine, sine, 0.0])
        goal[2] = (of.home, vehicle.ground, float(pos[2]))[own.altitude] - own.height
        if abs(goal[2] - vehicle.pos[2]) < HEIGHT_ERROR:
            climbing = None
            along = rate * own.distance * np.array([-sine, cosine, 0.0])
            feed_forward = vel * (1.0, 1.0, 0.0) + along
        else:
            climbing = _stop(vehicle) if climbing is None else climbing
            goal[:2], feed_forward = climbing[:2], _REST
        if _level(way) > LEAST_DISTANCE:
            heading = _bearing(-way)
        vehicle.command(goal, feed_forward, _REST, heading)
        yield


def _smoothed(state: tuple[Array, Array], target: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return position and velocity of the model of second order a tick later."""
    pos, vel = state
    acc = FREQUENCY**2 * (target[0] - pos) + 2.0 * DAMPING * FREQUENCY * (target[1] - vel)
    vel = vel + acc * TICK
    return pos + vel * TICK, vel


def _turned(
    angle: float, rate: float, wanted: float, settings: FollowSettings
) -> tuple[float, float]:
    """Return angle and rate around the target a tick later, within the limits along the circle."""
    acceleration = ANGLE_ACCELERATION / settings.distance
    error = math.remainder(wanted - angle, math.tau)
    braking = math.sqrt(2.0 * acceleration * abs(error))
    goal = math.copysign(min(settings.speed / settings.distance, braking, abs(error) / TICK), error)
    rate += min(max(goal - rate, -acceleration * TICK), acceleration * TICK)
    return math.remainder(angle + rate * TICK, math.tau), rate


def _steered(
    settings: FollowSettings, sticks: Sticks | None, vehicle: Vehicle, way: Array, angle: float
) -> FollowSettings:
    """Return the settings a tick later: throttle is height, pitch distance, roll the angle.

    A set-point that is ahead of the vehicle waits for it.
    """
    if sticks is None:
        return settings
    distance, height, wanted = settings.distance, settings.height, settings.angle
    climb, out, turn = (
        0.0 if abs(value) < STICK_DEAD_ZONE else value
        for value in (sticks.climb, sticks.pitch, sticks.roll)
    )
    if abs(vehicle.vel[2]) <= STICK_HEIGHT:
        height = min(max(height + STICK_HEIGHT * climb * TICK, LEAST_DISTANCE), MOST)
    if abs(_level(way) - distance) < STICK_WINDOW * STICK_DISTANCE:
        distance = min(max(distance + STICK_DISTANCE * out * TICK, LEAST_DISTANCE), MOST)
    rate = min(STICK_ANGLE, settings.speed / distance)
    if abs(math.remainder(angle - wanted, math.tau)) < STICK_WINDOW * STICK_ANGLE:
        wanted = math.remainder(wanted + rate * turn * TICK, math.tau)
    return settings._replace(distance=distance, height=height, angle=wanted)


def _level(vector: Array) -> float:
    return float(exact.norm(vector[:2]))


def _bearing(vector: Array) -> float:
    return float(exact.arctan2(vector[1], vector[0]))


def _stop(vehicle: Vehicle) -> Array:
    """Return where the vehicle can stop, at its height [m, NED]."""
    level = vehicle.vel * (1.0, 1.0, 0.0)
    return np.asarray(vehicle.pos + level * (0.5 * _level(level) / vehicle.acceleration))
