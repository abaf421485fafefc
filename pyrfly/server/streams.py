"""Streams of set-points from the network: which begin, and which have ended (`Streams`).

A set-point from the network stands only as long as its stream goes on, as with PX4
(COM_OF_LOSS_T): a client that has died must not fly a vehicle into the distance. In process nothing
gets lost, so nothing lapses there but by the boundary ``silence`` (docs/safety.md).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.synthesis import (
    ACC,
    OFFBOARD,
    VEL,
    Inputs,
    Offboard,
)

__all__ = ["Streams", "has_set_points", "lapsed"]

Ids = NDArray[np.intp]

_ATTITUDE = Offboard.ATTITUDE | Offboard.ROLL_RATE | Offboard.PITCH_RATE
_MOTION = Offboard.VELOCITY | Offboard.ACCELERATION
_HEADING = Offboard.YAW | Offboard.YAW_RATE
_SET_POINTS = int(Offboard.POSITION | _MOTION | _HEADING | _ATTITUDE)
_LAPSING = int(_MOTION | Offboard.YAW_RATE | Offboard.FULL)


def has_set_points(ints: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which inputs (k, 8) have a set-point."""
    found: NDArray[np.bool_] = ints[:, OFFBOARD] & _SET_POINTS != 0
    return found


def lapsed(inputs: Inputs) -> Inputs:
    """Return what is left of set-points whose stream has ended, as inputs without a command.

    A position and a heading stay. Velocity, acceleration and heading rate go, and with an attitude
    or an angular velocity everything: without a set-point the vehicle holds the place where it
    comes to rest. Sticks of a remote control are centred.
    """
    ints, floats = inputs.ints.copy(), inputs.floats.copy()
    ints[:, 0] = 0
    bits = ints[:, OFFBOARD]
    stays = (bits & Offboard.POSITION != 0) & (bits & _ATTITUDE == 0)
    ints[:, OFFBOARD] = np.where(stays, bits & ~_LAPSING, 0)
    floats[:, VEL] = 0
    floats[:, ACC.start] = 0
    return Inputs(ints, floats)


class Streams:
    """Streams of set-points of n vehicles, in simulated time.

    Parameters
    ----------
    n : int
        Number of vehicles.
    timeout : float
        Time after which a stream has ended [s]; infinity: it does not end.
    """

    def __init__(self, n: int, timeout: float) -> None:
        self.timeout = timeout
        self._newest = np.full(n, -math.inf)  # time of the newest set-point
        self._stands = np.zeros(n, np.bool_)
        self._time = 0.0

    def begins(self, ids: Ids, time: float) -> NDArray[np.bool_]:
        """Return whether a set-point at this time is the first of a stream."""
        self._notice(time)
        found: NDArray[np.bool_] = ~(time - self._newest[ids - 1] < self.timeout)
        return found

    def set_points(self, ids: Ids, time: float) -> None:
        """Note that set-points were received."""
        self._newest[ids - 1] = time
        self._stands[ids - 1] = True

    def replaced(self, ids: Ids) -> None:
        """Note that the inputs hold what does not lapse: a command, or no set-point."""
        self._stands[ids - 1] = False

    def restarted(self, ids: Ids) -> None:
        """Note that vehicles were put to their start: a stream that goes on does not begin again.

        One without a time after which it ends is ended by this.
        """
        self._stands[ids - 1] = False
        if math.isinf(self.timeout):
            self._newest[ids - 1] = -math.inf

    def ended(self, time: float) -> Ids:
        """Return the vehicles whose set-points lapse now; once for each stream."""
        self._notice(time)
        over = self._stands & (time - self._newest >= self.timeout)
        self._stands &= ~over
        return np.flatnonzero(over) + 1

    def _notice(self, time: float) -> None:
        """Forget all streams if time has been turned back, by a reset or restore."""
        if time < self._time:
            self._stands[:], self._newest[:] = False, -math.inf
        self._time = time
