"""Missions, geofences and rally points as lines."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pyrfly.mission import Fence, Mission
from pyrfly.mission.path import fence_areas, outline, planned_path
from pyrfly.view.world import Line

__all__ = ["fence_lines", "mission_lines", "rally_lines"]

Array = NDArray[np.float64]

PATH = (60, 66, 74)
FENCE = (190, 40, 40)
RALLY = (40, 130, 70)

FLAG = np.array([[0.0, 0, 0], [0, 0, -4], [0, 1.6, -3.4], [0, 0, -2.8]])
"""A rally point: a pole with a flag [m, NED from there]."""


def mission_lines(mission: Mission, launch: Array) -> tuple[Line, ...]:
    """Return the path of a mission, and its geofence on the ground and at its height.

    Parameters
    ----------
    mission : Mission
        The mission.
    launch : ndarray, shape (3,)
        Where it begins [m, NED].
    """
    path = Line("mission", planned_path(mission, launch), PATH)
    return path, *fence_lines(mission.fence)


def fence_lines(fence: Fence, ground: float = 0.0) -> tuple[Line, ...]:
    """Return the areas of a geofence on the ground and at its height.

    Parameters
    ----------
    fence : Fence
        The geofence.
    ground : float
        z of home [m, NED].
    """
    top = fence.max_height
    lines = []
    for area in fence_areas(fence):
        plan = outline(area)
        level = np.column_stack([plan, np.full(len(plan), ground)])
        lines.append(Line("geofence", level, FENCE, "lies"))
        if top is not None:
            lines.append(Line("geofence", level - np.array([0.0, 0.0, top]), FENCE))
    return tuple(lines)


def rally_lines(places: Iterable[Array]) -> tuple[Line, ...]:
    """Return flags at rally points [m, NED], which stand on the ground where there is one."""
    return tuple(Line("rally point", place + FLAG, RALLY, "stands") for place in places)
