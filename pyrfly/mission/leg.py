"""Parts of the way of a set-point: straight legs, `Leg`, and the corners between them, `Corner`."""

from __future__ import annotations

import math

import numpy as np

from pyrfly import exact
from pyrfly.mission.checks import Array

__all__ = ["Corner", "Leg", "Motion", "direction"]

CUT = 0.05
"""Distance at which a corner may always be passed [m]; estimated."""

Motion = tuple[Array, Array, Array]
"""Position [m], velocity [m/s] and acceleration [m/s^2] of a set-point."""


def direction(way: Array) -> Array:
    """Return the unit vector along a way, zeros if it has no length."""
    length = float(exact.norm(way))
    return np.asarray(way / length) if length > 0.0 else np.zeros(3)


class Leg:
    """A straight leg, with a trapezoidal speed profile from a start time.

    Parameters
    ----------
    start, end : ndarray, shape (3,)
        Its ends [m, NED].
    speed : float
        Its highest speed [m/s].
    acceleration : float
        Acceleration and deceleration [m/s^2].
    begins : float
        Time of its start [s].
    first, last : float
        Speeds at its ends [m/s]; where it is too short for their difference, it is flown with a
        higher acceleration. One that begins above its highest speed brakes at once.
    """

    def __init__(
        self,
        start: Array,
        end: Array,
        speed: float,
        acceleration: float,
        begins: float,
        first: float = 0.0,
        last: float = 0.0,
    ) -> None:
        self.start, self.end = start, end
        self.length = length = float(exact.norm(end - start))
        self.direction = direction(end - start)
        self.ends = self._begins = begins
        if length == 0.0:
            return
        self._first, self._last = first, last
        self._acceleration = max(acceleration, abs(last**2 - first**2) / (2.0 * length))
        # a leg too short for the speed has a triangular profile
        highest = math.sqrt(length * self._acceleration + 0.5 * (first**2 + last**2))
        self._peak = peak = max(min(speed, highest), last)
        self._rise = abs(peak - first) / self._acceleration
        self._fall = (peak - last) / self._acceleration
        ramps = 0.5 * (first + peak) * self._rise + 0.5 * (peak + last) * self._fall
        self.ends += self._rise + max(length - ramps, 0.0) / peak + self._fall

    def delay(self, seconds: float) -> None:
        """Move the rest of the leg to later times."""
        self._begins += seconds
        self.ends += seconds

    def motion(self, now: float) -> Motion:
        """Return the motion of a set-point on it; it is at its end after the time of that."""
        along, speed, change = self._progress(now)
        point = self.end - (self.length - along) * self.direction
        return point, speed * self.direction, change * self.direction

    def _progress(self, now: float) -> tuple[float, float, float]:
        """Return the distance from the start [m], the speed [m/s] and its derivative [m/s^2]."""
        since, left, acc = now - self._begins, self.ends - now, self._acceleration
        if left <= 0.0:
            return self.length, self._last, 0.0
        if left < self._fall:
            along = self.length - (self._last + 0.5 * acc * left) * left
            return along, self._last + acc * left, -acc
        if since < self._rise:
            acc = math.copysign(acc, self._peak - self._first)
            return (self._first + 0.5 * acc * since) * since, self._first + acc * since, acc
        along = 0.5 * (self._first + self._peak) * self._rise
        return along + self._peak * (since - self._rise), self._peak, 0.0

    def cross_track_error(self, point: Array) -> float:
        """Return the distance of a point from the line of the leg [m]."""
        way = point - self.start
        return float(exact.norm(way - exact.dot(way, self.direction) * self.direction))

    @classmethod
    def stopping(cls, pos: Array, vel: Array, acceleration: float, now: float) -> Leg:
        """Return the leg of a set-point that moves at ``vel`` and begins to brake at ``pos``."""
        speed = float(exact.norm(vel))
        return cls(pos, pos + 0.5 * speed / acceleration * vel, speed, acceleration, now, speed)


class Corner:
    """A parabola from one leg to the next, tangent to both: its acceleration is constant.

    Between the directions u and w of the legs, from a distance d before the point where they meet
    to d behind it, it is flown from v u to v w in the time 2 d / v, with the acceleration
    a = v^2 |w - u| / (2 d). It passes the point at d |w - u| / 4, and d is no longer than v and a
    need, but for `CUT`.

    Parameters
    ----------
    point : ndarray, shape (3,)
        Where the legs meet [m, NED].
    before, after : ndarray, shape (3,)
        Directions of the legs.
    room : float
        The distance d at most [m], above 0 unless the legs are in a line.
    acceleration : float
        Acceleration at most [m/s^2].
    speed : float
        Speed at its ends at most [m/s].

    Attributes
    ----------
    room : float
        The distance d [m].
    speed : float
        Speed at its ends [m/s].
    ends : float
        Time of its end [s].
    """

    def __init__(
        self,
        point: Array,
        before: Array,
        after: Array,
        room: float,
        acceleration: float,
        speed: float,
    ) -> None:
        self._point, self._before, self._after = point, before, after
        self.room, self.speed = room, speed
        turn = float(exact.norm(after - before))
        if turn > 0.0:
            self.speed = min(speed, math.sqrt(2.0 * acceleration * room / turn))
            needed = 0.5 * self.speed**2 * turn / acceleration
            self.room = min(room, max(needed, 4.0 * CUT / turn))
        self._begins = self.ends = 0.0

    @property
    def start(self) -> Array:
        """Where it begins [m, NED]."""
        return np.asarray(self._point - self.room * self._before)

    @property
    def end(self) -> Array:
        """Where it ends [m, NED]."""
        return np.asarray(self._point + self.room * self._after)

    def begin(self, time: float) -> None:
        """Let it begin at a time [s]."""
        self._begins, self.ends = time, time + 2.0 * self.room / self.speed

    def delay(self, seconds: float) -> None:
        """Move it to later times."""
        self.begin(self._begins + seconds)

    def motion(self, now: float) -> Motion:
        """Return the motion of a set-point on it."""
        since = now - self._begins
        vel = self.speed * self._before
        acc = (0.5 * self.speed**2 / self.room) * (self._after - self._before)
        return self.start + (vel + 0.5 * acc * since) * since, vel + acc * since, acc
