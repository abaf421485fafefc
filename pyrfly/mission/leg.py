"""Trajectory of a set-point along a straight leg: `Leg`."""

from __future__ import annotations

import math

import numpy as np

from pyrfly import exact
from pyrfly.mission.checks import Array

__all__ = ["Leg"]


class Leg:
    """Trajectory on a straight leg, with a trapezoidal speed profile from a start time."""

    def __init__(
        self, start: Array, end: Array, speed: float, acceleration: float, begins: float
    ) -> None:
        self.start, self.end = start, end
        way = end - start
        self.length = float(exact.norm(way))
        self.direction = way / self.length if self.length > 0.0 else np.zeros(3)
        self._acceleration = acceleration
        self._begins = begins
        # a leg too short for the speed has a triangular profile
        self._peak = min(speed, math.sqrt(self.length * acceleration))
        self._ramp = self._peak / acceleration
        cruise = (self.length - self._peak * self._ramp) / self._peak if self.length > 0.0 else 0.0
        self.brakes = begins + self._ramp + cruise
        self.ends = self.brakes + self._ramp

    def delay(self, seconds: float) -> None:
        """Move the rest of the leg to later times."""
        self._begins += seconds
        self.brakes += seconds
        self.ends += seconds

    def motion(self, now: float) -> tuple[float, float, float]:
        """Return the remaining distance [m], the speed [m/s] and its derivative [m/s^2]."""
        since, left = now - self._begins, self.ends - now
        acc = self._acceleration
        if left <= 0.0:
            return 0.0, 0.0, 0.0
        if left < self._ramp:
            return 0.5 * acc * left * left, acc * left, -acc
        if since < self._ramp:
            return self.length - 0.5 * acc * since * since, acc * since, acc
        return self.length - self._peak * (since - 0.5 * self._ramp), self._peak, 0.0

    def cross_track_error(self, point: Array) -> float:
        """Return the distance of a point from the line of the leg [m]."""
        way = point - self.start
        return float(exact.norm(way - exact.dot(way, self.direction) * self.direction))

    @classmethod
    def stopping(cls, pos: Array, vel: Array, acceleration: float, now: float) -> Leg:
        """Return the leg of a set-point that moves at ``vel`` and begins to brake at ``pos``."""
        speed = float(exact.norm(vel))
        braking = 0.5 * speed / acceleration * vel
        return cls(pos - braking, pos + braking, speed, acceleration, now - speed / acceleration)
