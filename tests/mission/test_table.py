"""Tables of waypoints."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import MissionError
from pyrfly.mission import (
    DEFAULT_HOME,
    ChangeSpeed,
    Land,
    Mission,
    TakeOff,
    Waypoint,
    fly_mission,
    read_mission,
)
from pyrfly.vehicles.kinds import Kind

from .plan_files import EAST, EXAMPLES, HOME, LAT, LON, NORTH, complaint


def test_a_table_of_local_points_takes_off_and_lands(read: Callable[..., Mission]) -> None:
    text = "# a comment\n x , Y,z,yaw,hold,speed\n\n5,0,-4,,,\n5,6,-8,1.5,2,3\r\n0,6,-8,,,3\n"
    mission = read(text, "test.csv")
    assert mission.home == DEFAULT_HOME
    assert mission.items == (
        TakeOff((0.0, 0.0, -4.0)),
        Waypoint((5.0, 0.0, -4.0), number=1),
        ChangeSpeed(3.0),
        Waypoint((5.0, 6.0, -8.0), yaw=1.5, hold=2.0, number=2),
        Waypoint((0.0, 6.0, -8.0), number=3),
        Land((0.0, 6.0, 0.0)),
    )


def test_a_table_of_geodetic_points_has_its_home_below_the_first(
    read: Callable[..., Mission],
) -> None:
    mission = read(f"lat,lon,alt,yaw_deg\n{HOME[0]},{HOME[1]},5,\n{LAT},{LON},7,-270\n", "t.csv")
    assert mission.home == tuple(HOME)
    take_off, first, second, land = mission.items
    assert take_off == TakeOff((0.0, 0.0, -5.0))
    assert isinstance(first, Waypoint)
    np.testing.assert_allclose(first.pos, (0.0, 0.0, -5.0), atol=1e-9)
    assert second == Waypoint((NORTH, EAST, -7.0), yaw=math.pi / 2, number=2)
    assert isinstance(land, Land)


@pytest.mark.parametrize(
    "text", ["x,y,z\n5,0,-4\n5,6,2.5\n", f"lat,lon,alt\n{LAT},{LON},4\n{LAT},{LON},-2.5\n"]
)
def test_a_table_with_depths_is_for_what_dives(read: Callable[..., Mission], text: str) -> None:
    mission = read(text, "dive.csv")
    assert mission.kind is Kind.DIVES
    first, second = (item for item in mission.items if isinstance(item, Waypoint))
    assert (first.pos[2], second.pos[2]) == (-4.0, 2.5)
    with pytest.raises(MissionError, match=r"is for a vehicle that dives, and CopterID 1 hovers"):
        fly_mission(Sim("x450"), mission)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a header x,y,z or lat,lon,alt, got an empty file"),
        ("x,y,z\n", "expected at least one waypoint below the header, got none"),
        ("a,b,c\n1,2,3\n", "line 1: expected a header x,y,z or lat,lon,alt"),
        ("x,y\n1,2\n", "line 1: expected a header x,y,z or lat,lon,alt"),
        ("x,y,z,z\n1,2,3,4\n", "line 1: expected a header"),
        ("x,y,z,lat\n1,2,3,4\n", "line 1: expected a header"),
        ("x,y,z,yaw,yaw_deg\n1,2,3,4,5\n", "line 1: expected a header"),
        ("x,y,z\n1,2\n", "line 2: expected 3 cells, got 2"),
        ("x,y,z\n1,2,-3,4\n", "line 2: expected 3 cells, got 4"),
        ("x,y,z\n1,2,-3\n1,,-3\n", "line 3: y: expected a number [m from home], got ''"),
        ("x,y,z\n1,two,-3\n", "line 2: y: expected a number [m from home], got 'two'"),
        ("x,y,z\n1,1_0,-3\n", "line 2: y: expected a number [m from home], got '1_0'"),
        ("x,y,z\n1,\u0661,-3\n", "line 2: y: expected a number [m from home], got '\u0661'"),
        ("x,y,z\n1,nan,-3\n", "line 2: y: expected -50000..50000 m from home, got nan"),
        ("x,y,z\n1,2,inf\n", "line 2: z: expected -9950..550 m (down), got inf"),
        ("x,y,z\n1,2,551\n", "line 2: z: expected -9950..550 m (down), got 551"),
        ("lat,lon,alt\n1,0,-551\n", "line 2: alt: expected -550..9950 m above home, got -551"),
        ("x,y,z\n40000,40000,-3\n", "line 2: expected a position at most 50 km from home"),
        ("x,y,z,hold\n1,2,-3,-1\n", "line 2: hold: expected 0..86400 s, got -1"),
        ("x,y,z,speed\n1,2,-3,0\n", "line 2: speed: expected 0.01..100 m/s, got 0"),
        ("x,y,z,yaw\n1,2,-3,90\n", "line 2: yaw: expected -6.28319..6.28319 rad, got 90"),
        ("lat,lon,alt\n91,0,5\n", "line 2: lat: expected -90..90 deg, got 91"),
        ("lat,lon,alt\n1,0,5\n-1,180,5\n", "line 3: expected a position at most 50 km from home"),
        ('x,y,z\n1,2,"-3\n', "line 2: expected CSV"),
        ("x,y,z\n1,2,-3\x00\n", "line 2: "),
    ],
)
def test_a_broken_table_is_refused(read: Callable[..., Mission], text: str, words: str) -> None:
    assert complaint(read, text, "test.csv").startswith(words)


def test_all_errors_of_a_table_come_at_once(read: Callable[..., Mission]) -> None:
    with pytest.raises(MissionError) as caught:
        read("x,y,z\n1,two,-3\n1,2,-3\n1,2,999\n1,2\n", "test.csv")
    lines = [problem.partition(": ")[2].partition(":")[0] for problem in caught.value.problems]
    assert lines == ["line 2", "line 4", "line 5"]


def test_all_errors_of_a_row_of_a_table_come_at_once(read: Callable[..., Mission]) -> None:
    with pytest.raises(MissionError) as caught:
        read("x,y,z,yaw,hold,speed\nnan,two,999,9,-1,0\n", "test.csv")
    named = [problem.split(": ")[2] for problem in caught.value.problems]
    assert named == ["x", "y", "z", "yaw", "hold", "speed"]


@pytest.mark.parametrize(
    ("name", "count"), [("survey_square.plan", 10), ("square.csv", 0), ("geodetic.csv", 2)]
)
def test_a_home_far_from_a_mission_is_one_error(tmp_path: Path, name: str, count: int) -> None:
    file = EXAMPLES / name
    if name == "geodetic.csv":
        file = tmp_path / name
        file.write_text(f"lat,lon,alt\n{LAT},{LON},5\n{LAT},{LON},6\n")
    if not count:  # local points move with the home
        assert read_mission(file, home=(0, 0, 0)).home == (0, 0, 0)
        return
    with pytest.raises(MissionError, match=f"nearest of {count}; .* moves the start"):
        read_mission(file, home=(0, 0, 0))


@pytest.mark.slow
def test_a_table_of_100000_waypoints_is_read_and_a_longer_one_refused(
    read: Callable[..., Mission],
) -> None:
    rows = ["1,2,-3"] * 100_000
    assert len(read("\n".join(["x,y,z", *rows]), "test.csv").items) == 100_002
    words = complaint(read, "\n".join(["x,y,z", *rows, rows[0]]), "test.csv")
    assert words == "expected at most 100000 waypoints, got more"
