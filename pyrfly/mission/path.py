"""Where a mission leads, for pictures: `planned_path`, `outline`."""

from __future__ import annotations

import numpy as np

from pyrfly.mission.checks import Array
from pyrfly.mission.fence import Circle, Fence, Polygon
from pyrfly.mission.items import ReturnToLaunch, is_leg
from pyrfly.mission.mission import Mission

__all__ = ["fence_areas", "outline", "planned_path"]


def planned_path(mission: Mission, launch: Array) -> Array:
    """Return the corners of the path of a mission, shape (k, 3) [m, NED].

    Parameters
    ----------
    mission : Mission
        The mission.
    launch : array_like, shape (3,)
        Where it begins.
    """
    path = [np.asarray(launch, np.float64)]
    for index in mission.order:
        item = mission.items[index]
        if is_leg(item):
            pos = path[0] if isinstance(item, ReturnToLaunch) else item.pos
            path.append(np.array(pos, np.float64))
    return np.array(path)


def fence_areas(fence: Fence) -> list[Polygon | Circle]:
    """Return the areas of a geofence, with that of its largest distance from home."""
    limit = [] if fence.max_distance is None else [Circle((0.0, 0.0), fence.max_distance)]
    return [*fence.areas, *limit]


def outline(area: Polygon | Circle) -> Array:
    """Return the closed outline of an area, north and east [m], shape (k, 2)."""
    if isinstance(area, Polygon):
        return np.array([*area.vertices, area.vertices[0]])
    angle = np.linspace(0.0, 2.0 * np.pi, 121)
    circle = np.column_stack((np.cos(angle), np.sin(angle)))
    return np.asarray(area.radius * circle + np.array(area.center))
