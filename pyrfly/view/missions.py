"""Missions and geofences as lines: `mission_lines`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.mission import Mission
from pyrfly.mission.path import fence_areas, outline, planned_path
from pyrfly.view.world import Line

__all__ = ["mission_lines"]

PATH = (60, 66, 74)
FENCE = (190, 40, 40)


def mission_lines(mission: Mission, launch: NDArray[np.float64]) -> tuple[Line, ...]:
    """Return the path of a mission, and its geofence on the ground and at its height.

    Parameters
    ----------
    mission : Mission
        The mission.
    launch : ndarray, shape (3,)
        Where it begins [m, NED].
    """
    lines = [Line("mission", planned_path(mission, launch), PATH)]
    top = mission.fence.max_height
    for area in fence_areas(mission.fence):
        plan = outline(area)
        for height in (0.0,) if top is None else (0.0, top):
            points = np.column_stack([plan, np.full(len(plan), -height)])
            lines.append(Line("geofence", points, FENCE))
    return tuple(lines)
