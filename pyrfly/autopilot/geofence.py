"""Where vehicles may fly, of those that answer as PX4: `Geofence`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.parameters import Parameters
from pyrfly.mission.fence import Fence

__all__ = ["Geofence"]

Array = NDArray[np.float64]

_NO_AREAS = Fence()
_FIRST_ACTION = 2  # of GF_ACTION; below it a breach is allowed


class Geofence:
    """Distances from home and areas that vehicles must not leave.

    Parameters
    ----------
    home : ndarray, shape (n, 3)
        Home [m, NED], as it is when a place is looked at.
    parameters : Parameters
        PX4 parameters of the vehicles.

    Attributes
    ----------
    areas : dict
        Areas that a station has sent to a vehicle, by row.
    """

    def __init__(self, home: Array, parameters: Parameters) -> None:
        self.areas: dict[int, Fence] = {}
        self._home = home
        self._parameters = parameters

    def checked(self) -> NDArray[np.bool_]:
        """Return which vehicles have a geofence, shape (n,)."""
        get = self._parameters.column
        fenced = (get("GF_MAX_HOR_DIST") > 0) | (get("GF_MAX_VER_DIST") > 0)
        fenced[list(self.areas)] = True
        return np.asarray(fenced & (get("GF_ACTION") > 0))

    def allows(self, row: int, pos: Array) -> bool:
        """Return whether a place [m, NED] may be commanded: inside, if GF_ACTION acts.

        As geofence_allows_position of PX4 [@px4 v1.16.1 navigator_main.cpp].
        """
        acts = self._parameters.get(row, "GF_ACTION") >= _FIRST_ACTION
        return not (acts and self.violation(row, pos))

    def violation(self, row: int, pos: Array) -> str:
        """Return what a place [m, NED] violates, in PX4's words, empty if nothing."""
        get = self._parameters.get
        far, high = get(row, "GF_MAX_HOR_DIST"), get(row, "GF_MAX_VER_DIST")
        north, east, down = (pos - self._home[row]).tolist()
        if far > 0 and math.hypot(north, east) > far:
            return "exceeding maximum distance to Home"
        if high > 0 and -down > high:
            return "exceeding maximum altitude above Home"
        if self.areas.get(row, _NO_AREAS).breach(pos):
            return "approaching or outside geofence"
        return ""
