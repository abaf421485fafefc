"""Landing patterns of QGroundControl: as commands, and as a complex item of a plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import ChangeSpeed, Land, Loiter, Mission, MissionItem, Waypoint, read_mission

HOME = (47.397742, 8.545594, 488.0)
FRAME = LocalFrame(*HOME)


def place(north: float, east: float, height: float) -> list[float]:
    """Return latitude, longitude, and the height [m]."""
    lat, lon, _ = FRAME.to_lla((north, east, 0.0))
    return [float(lat), float(lon), height]


def pattern(**members: Any) -> dict[str, Any]:
    """Return a pattern as QGroundControl saves it; None removes a member."""
    whole = {
        "type": "ComplexItem",
        "complexItemType": "fwLandingPattern",
        "version": 2,
        "altitudesAreRelative": True,
        "landCoordinate": place(0, 0, 3),
        "landingApproachCoordinate": place(-600, 80, 40),
        "loiterClockwise": True,
        "loiterRadius": 75,
        "stopTakingPhotos": True,
        "stopVideoPhotos": True,
        "useLoiterToAlt": True,
        "valueSetIsDistance": True,
    } | members
    return {key: value for key, value in whole.items() if value is not None}


def read(folder: Path, *items: dict[str, Any]) -> Mission:
    file = folder / "a.plan"
    first = {"type": "SimpleItem", "command": 16, "frame": 3, "doJumpId": 1}
    first["params"] = [0, 0, 0, None, *place(500, 0, 60)]
    mission = {"version": 2, "plannedHomePosition": HOME, "items": [first, *items]}
    file.write_text(json.dumps({"fileType": "Plan", "version": 1, "mission": mission}))
    return read_mission(file)


def near(item: MissionItem, pos: tuple[float, float, float]) -> bool:
    assert isinstance(item, (Waypoint, Loiter, Land))
    return item.pos == pytest.approx(pos, abs=0.01)


@pytest.mark.parametrize(("clockwise", "radius"), [(True, 75.0), (False, -75.0)])
def test_a_pattern_is_a_circle_to_an_altitude_and_a_straight_landing(
    tmp_path: Path, clockwise: bool, radius: float
) -> None:
    *_, circle, land = read(tmp_path, pattern(loiterClockwise=clockwise)).items
    assert near(circle, (-600.0, 80.0, -40.0))
    assert near(land, (0.0, 0.0, -3.0))
    assert isinstance(circle, Loiter)
    assert (circle.radius, circle.climbs, circle.seconds) == (radius, True, 0.0)
    assert isinstance(land, Land)
    assert land.pattern


def test_heights_may_be_above_the_sea(tmp_path: Path) -> None:
    high = {"landCoordinate": place(0, 0, 490), "landingApproachCoordinate": place(-600, 80, 528)}
    *_, circle, land = read(tmp_path, pattern(altitudesAreRelative=False, **high)).items
    assert near(circle, (-600.0, 80.0, -40.0))
    assert near(land, (0.0, 0.0, -2.0))


def test_the_first_version_of_the_item_is_read(tmp_path: Path) -> None:
    old = pattern(
        version=1,
        altitudesAreRelative=None,
        landingApproachCoordinate=None,
        useLoiterToAlt=None,
        loiterAltitudeRelative=True,
        landAltitudeRelative=True,
        loiterCoordinate=place(-600, 80, 40),
    )
    assert read(tmp_path, old).items[1:] == read(tmp_path, pattern()).items[1:]


def test_a_pattern_may_begin_at_a_waypoint_and_with_a_speed(tmp_path: Path) -> None:
    given = pattern(useLoiterToAlt=False, useDoChangeSpeed=True, finalApproachSpeed=22)
    *_, speed, waypoint, land = read(tmp_path, given).items
    assert isinstance(speed, ChangeSpeed)
    assert speed.speed == 22.0
    assert near(waypoint, (-600.0, 80.0, -40.0))
    assert isinstance(waypoint, Waypoint)
    assert isinstance(land, Land)
    assert land.pattern


def test_the_commands_of_an_upload_are_a_pattern_too(tmp_path: Path) -> None:
    def simple(command: int, frame: int, *params: float | None) -> dict[str, Any]:
        item = {"type": "SimpleItem", "command": command, "frame": frame, "params": list(params)}
        return item | {"doJumpId": command}

    start = simple(189, 2, 0, 0, 0, 0, 0, 0, 0)
    approach = simple(16, 3, 0, 0, 0, None, *place(-600, 80, 40))
    land = simple(21, 3, 0, 0, 0, 0, *place(0, 0, 0))
    again = simple(21, 3, 0, 0, 0, 0, *place(0, 0, 0))
    items = read(tmp_path, start, approach, land, again).items
    assert [item.pattern for item in items if isinstance(item, Land)] == [True, False]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"landCoordinate": [47.0, 8.0]}, "landCoordinate: expected at least 3 entries, got 2"),
        ({"landCoordinate": [97.0, 8.0, 0.0]}, "latitude"),
        ({"landingApproachCoordinate": None}, "landingApproachCoordinate: expected a list"),
        ({"loiterRadius": -75}, "loiterRadius"),
        ({"loiterRadius": "wide"}, "loiterRadius"),
        ({"loiterRadius": 5000}, "radius"),
        ({"loiterClockwise": 1}, "loiterClockwise: expected true or false, got 1"),
        ({"altitudesAreRelative": None}, "altitudesAreRelative: expected true or false"),
        ({"useDoChangeSpeed": True}, "finalApproachSpeed"),
    ],
)
def test_a_broken_pattern_is_named(tmp_path: Path, members: dict[str, Any], words: str) -> None:
    file = tmp_path / "a.plan"
    item = pattern() | members
    item = {key: value for key, value in item.items() if value is not None}
    mission = {"version": 2, "plannedHomePosition": HOME, "items": [item]}
    file.write_text(json.dumps({"fileType": "Plan", "version": 1, "mission": mission}))
    with pytest.raises(MissionError) as caught:
        read_mission(file)
    assert words in str(caught.value)
    assert "item 1" in str(caught.value)
