"""Missions of vehicles that come to another end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrfly import Sim
from pyrfly.mission import fly_missions

from .point_masses import PointMasses

UP_AND_DOWN = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t47\t8\t0\t1
1\t0\t3\t22\t0\t0\t0\t0\t47\t8\t10\t1
2\t0\t3\t21\t0\t0\t0\t0\t47\t8\t0\t1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "up.waypoints"
    file.write_text(UP_AND_DOWN)
    return file


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")  # of the one that falls
@pytest.mark.parametrize("until", ["crashed", "disarmed"])
def test_a_vehicle_that_falls_ends_its_mission_alone(until: str, path: Path) -> None:
    sim = Sim("x450", 2)
    sim.safety.add("height", ids=2, maximum=8.0, action="disarm")
    whole, failed = fly_missions(sim, {1: path, 2: path}, until=until).values()
    assert whole.completed
    assert not failed.completed
    assert failed.reason == f"{until} before the end of the mission"
    assert failed.time < whole.time


def test_a_landing_at_the_end_is_that_of_the_mission(path: Path) -> None:
    (result,) = fly_missions(Sim("x450"), {1: path}, until=["disarmed", "crashed"]).values()
    assert result.completed


def test_ends_are_checked_before_the_flight(path: Path) -> None:
    sim = Sim("x450")
    with pytest.raises(ValueError, match="until: expected ends of runs"):
        fly_missions(sim, {1: path}, until="crash")
    assert not sim.armed.any()
    with pytest.raises(TypeError, match="until: expected vehicles of a"):
        fly_missions(PointMasses(), {1: path}, until="crashed")
