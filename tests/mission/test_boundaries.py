"""Missions of vehicles with safety boundaries."""

from __future__ import annotations

import pytest

from pyrfly import Sim
from pyrfly.mission import fly_missions

PLAN = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t47\t8\t0\t1
1\t0\t3\t22\t0\t0\t0\t0\t47\t8\t10\t1
2\t0\t3\t21\t0\t0\t0\t0\t47\t8\t0\t1
"""


@pytest.mark.parametrize(("action", "ended"), [("freeze", 1), ("terminate", 2)])
def test_a_boundary_ends_a_mission_with_the_reason(action: str, ended: int, tmp_path) -> None:
    path = tmp_path / "up.waypoints"
    path.write_text(PLAN)
    sim = Sim("x450", 2)
    sim.safety.add("height", ids=2, maximum=5.0, action=action)
    results = fly_missions(sim, {1: path, 2: path})
    assert "boundary" in results[2].reason or "height" in results[2].reason
    assert [result.completed for result in results.values()].count(False) == ended
