"""How fast the corners of a way of straight legs may be passed: `Way`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pyrfly import exact
from pyrfly.mission.checks import Array
from pyrfly.mission.leg import Corner, direction

__all__ = ["Way"]


class Way:
    """Straight legs that are passed without a stop, to one at their end.

    A `Corner` of the angle that gives c = |w - u| takes d = v^2 c / (2 a) of both its legs. What is
    left of a leg of length L between corners of the speeds v and V changes the speed with at most
    the same acceleration a,

        V^2 - v^2 <= 2 a (L - d - D), which is V^2 (1 + C) <= v^2 (1 - c) + 2 a L,

    and the other way round for braking. Braking is propagated backwards from the stop once, for all
    corners; acceleration forwards, as the legs are begun. Acceleration and braking on the corners
    themselves are left out: on dense points of a circle of radius r the acceleration along it is
    a - v^2 / r.

    Parameters
    ----------
    points : sequence of ndarray, shape (3,)
        Its start, the ends of its legs, the last of which is the stop [m, NED]; no two in sequence
        are equal.
    radii : sequence of float
        Acceptance radius of the end of each leg [m].
    speeds : sequence of float
        Speed of each leg [m/s].
    acceleration : float
        Acceleration at most [m/s^2].
    """

    def __init__(
        self,
        points: Sequence[Array],
        radii: Sequence[float],
        speeds: Sequence[float],
        acceleration: float,
    ) -> None:
        legs = [end - start for start, end in pairwise(points)]
        self.points, self._acceleration = points, acceleration
        self._lengths = [float(exact.norm(leg)) for leg in legs]
        self._ways = [direction(leg) for leg in legs]
        turns = (float(exact.norm(after - before)) for before, after in pairwise(self._ways))
        rooms = (
            min(radius, 0.5 * min(ends))
            for radius, ends in zip(radii[:-1], pairwise(self._lengths), strict=True)
        )
        self._turns = [0.0, *turns, 0.0]
        self._rooms = [0.0, *rooms, 0.0]
        self._squares = [0.0] * len(points)  # of the speeds that let it brake behind each point
        for k in reversed(range(1, len(legs))):
            far = self._squares[k + 1] * (1.0 - self._turns[k + 1])
            brakes = (far + 2.0 * acceleration * self._lengths[k]) / (1.0 + self._turns[k])
            asked = min(speeds[k - 1], speeds[k]) ** 2
            self._squares[k] = min(asked, brakes, self._sharpest(k))

    def corner(self, leg: int, speed: float, room: float) -> Corner | None:
        """Return the corner at the end of a leg, None at the stop.

        It takes what its speed needs of its legs, and more, within the radius, where that costs no
        acceleration: there is time then for a vehicle that is behind the set-point.

        Parameters
        ----------
        leg : int
            Number of the leg, from 0.
        speed : float
            Speed at which it is begun [m/s].
        room : float
            Distance from its start at which it is begun [m].
        """
        here = leg + 1
        if here == len(self._lengths):
            return None
        before = speed**2
        square = self._after(leg, before, room)
        needed = self._needed(here, square)
        left = self._left(leg, before, room, square)
        ahead = self._left(here, square, needed, self._after(here, square, needed))
        room = min(self._rooms[here], needed + max(min(left, 0.5 * ahead), 0.0))
        ways = self._ways[leg], self._ways[here]
        return Corner(self.points[here], *ways, room, self._acceleration, math.sqrt(square))

    def _sharpest(self, point: int) -> float:
        """Return the square of the speed with which a corner needs all its room."""
        turn = self._turns[point]
        return 2.0 * self._acceleration * self._rooms[point] / turn if turn > 0.0 else math.inf

    def _needed(self, point: int, square: float) -> float:
        """Return what a corner takes of its legs [m]."""
        return square * self._turns[point] / (2.0 * self._acceleration)

    def _after(self, leg: int, square: float, room: float) -> float:
        """Return the square of the speed at the end of a leg that is begun with another one.

        A leg that is begun too fast, as the speed was changed, is braked on.
        """
        end = leg + 1
        change, turn = 2.0 * self._acceleration * (self._lengths[leg] - room), self._turns[end]
        fastest = (square + change) / (1.0 + turn)
        slowest = (square - change) / (1.0 - turn) if turn < 1.0 else 0.0
        return min(max(min(self._squares[end], fastest), slowest), self._sharpest(end))

    def _left(self, leg: int, before: float, room: float, after: float) -> float:
        """Return what the corners at its ends and the change of speed leave of a leg [m]."""
        change = abs(after - before) / (2.0 * self._acceleration)
        return self._lengths[leg] - room - self._needed(leg + 1, after) - change
