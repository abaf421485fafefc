"""What PX4 refuses of a mission that it could read: `objection`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from pyrfly.mission.items import Land, Loiter, MissionItem, TakeOff, Waypoint

__all__ = ["objection"]

_LIFT = 1.0
"""Height of a take-off above the acceptance radius [m]: not reached on the ground."""


def objection(
    items: Iterable[MissionItem],
    home_down: float,
    acceptance: float,
    landed: bool,
    is_outside: Callable[[NDArray[np.float64]], object],
) -> str:
    """Return why a mission is refused, empty if it is not.

    As PX4 after an upload, and when the geofence changes [@px4 v1.16.1
    mission_feasibility_checker.cpp, FeasibilityChecker.cpp], whatever GF_ACTION is. Its checks of
    distances are left out, whose parameters are 10 km and none, and those of landing patterns.

    Parameters
    ----------
    items : iterable of MissionItem
        The items, with positions [m, NED].
    home_down : float
        z of home [m, NED].
    acceptance : float
        NAV_ACC_RAD [m].
    landed : bool
        Whether the vehicle is on the ground.
    is_outside : callable
        Whether a position [m, NED] violates the geofence.
    """
    began = False
    for item in items:
        if isinstance(item, Land) and item.number == 1 and landed:
            return "Mission rejected: starts with landing"
        if not isinstance(item, (TakeOff, Waypoint, Loiter, Land)) or item.pos is None:
            continue
        if isinstance(item, TakeOff):
            if home_down - item.pos[2] - _LIFT < acceptance:
                return "Mission rejected: Takeoff altitude too low!"
            if began:
                return "Mission rejected: takeoff not first waypoint item"
        began = True
        if is_outside(np.array(item.pos)):
            return f"Geofence violation for waypoint {item.number}"
    return ""
