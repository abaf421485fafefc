"""Paths of missions and outlines of geofences, for pictures."""

from __future__ import annotations

import numpy as np

from pyrfly.mission import DEMO, Circle, Fence, Polygon, read_mission
from pyrfly.mission.path import fence_areas, outline, planned_path


def test_a_path_leads_from_the_launch_through_all_waypoints_and_back() -> None:
    mission = read_mission(DEMO)
    launch = np.array([1.0, 2.0, -0.5])
    path = planned_path(mission, launch)
    items = [mission.items[index] for index in mission.order]
    expected = [item.pos for item in items if hasattr(item, "pos")]
    np.testing.assert_allclose(path, [launch, *expected, launch])


def test_areas_have_closed_outlines() -> None:
    square = Polygon(((0, 0), (0, 9), (9, 9), (9, 0)))
    plans = [outline(area) for area in fence_areas(Fence((square,), max_distance=30.0))]
    for plan in plans:
        np.testing.assert_allclose(plan[0], plan[-1], atol=1e-9)
    assert len(plans[0]) == 5
    np.testing.assert_allclose(np.hypot(*plans[1].T), 30.0)
    np.testing.assert_allclose(outline(Circle((3.0, 4.0), 2.0)).mean(axis=0), [3, 4], atol=0.1)
