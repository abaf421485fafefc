"""Origins of the local frames in which MAVLink tells positions: `LocalOrigins`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.sim import Sim

__all__ = ["FARTHEST", "LocalOrigins"]

Array = NDArray[np.float64]

FARTHEST = 1e5
"""Maximum distance of an origin from where its vehicle was switched on [m]; estimated: the earth
falls 785 m below a plane there."""


class LocalOrigins:
    """The local origins of vehicles, which are where they were switched on until one is set.

    As PX4's estimator takes SET_GPS_GLOBAL_ORIGIN [@px4 v1.16.1 EKF2.cpp]: places stay where they
    are, and their local coordinates change.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.

    Attributes
    ----------
    shift : ndarray, shape (n, 3)
        Each origin from where its vehicle was switched on [m, NED].
    """

    def __init__(self, sim: Sim) -> None:
        self.shift = np.zeros((sim.n, 3))
        self._sim = sim

    @property
    def pos(self) -> Array:
        """The origins [m, NED], shape (n, 3)."""
        return np.asarray(self._sim.home + self.shift)

    def set(self, row: int, lla: ArrayLike) -> bool:
        """Set an origin [deg, deg, m]; return whether it is one, and near enough (`FARTHEST`)."""
        lat, lon, _ = place = np.asarray(lla, np.float64)
        if abs(lat) > 90.0 or abs(lon) > 180.0:
            return False
        shift = self._sim.local_frame.to_ned(place) - self._sim.home[row]
        if not np.abs(shift).max() <= FARTHEST:
            return False
        self.shift[row] = shift
        return True

    def restart(self, row: int) -> None:
        """Put an origin back, of a vehicle that was put back to its start."""
        self.shift[row] = 0.0
