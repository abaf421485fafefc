"""Where the vehicles return to: `Homes`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.frames import LocalFrame, yaw_of_quaternion
from pyrfly.sim import Sim

__all__ = ["Homes"]

Array = NDArray[np.float64]


class Homes:
    """The homes of vehicles, at first where they believe to be.

    Parameters
    ----------
    sim : Sim
        The vehicles.

    Attributes
    ----------
    pos : ndarray, shape (n, 3)
        Home [m, NED].
    yaw : ndarray, shape (n,)
        Heading at which home was set [rad].
    """

    def __init__(self, sim: Sim) -> None:
        self.pos = np.array(sim.known.pos, np.float64)
        self.yaw = np.array(yaw_of_quaternion(sim.known.att.astype(np.float64)))
        self._sim = sim
        self._located: LocalFrame | None = None  # of `lla`, and the homes that it was of
        self._located_pos = self._lla = np.empty((0, 3))

    def set(self, row: int, pos: Array | None = None, yaw: float = math.nan) -> None:
        """Set home to a position [m, NED] and a heading [rad]; None and NaN: the present ones."""
        self.pos[row] = self._sim.known.pos[row] if pos is None else pos
        present = float(yaw_of_quaternion(self._sim.known.att[row].astype(np.float64)))
        self.yaw[row] = present if math.isnan(yaw) else yaw

    def lla(self) -> Array:
        """Return latitude, longitude [deg] and height [m] of each home, shape (n, 3)."""
        frame = self._sim.local_frame
        if self._located is not frame or not np.array_equal(self._located_pos, self.pos):
            self._located, self._located_pos = frame, self.pos.copy()
            self._lla = frame.to_lla(self.pos)
        return self._lla
