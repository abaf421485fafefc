"""Plans that are invalid: the one-line message of each."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly.mission import Mission, Waypoint, read_mission

from .plan_files import HOME, LAT, LON, PLAN, TAKE_OFF, WAYPOINT, Item, complaint, plan, simple


@pytest.mark.parametrize("suffix", ["plan", "csv"])
def test_another_home_leaves_geodetic_positions_where_they_are(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"there.{suffix}"
    table = f"lat,lon,alt\n{LAT},{LON},12\n"
    file.write_text(table if suffix == "csv" else json.dumps(PLAN))
    mission = read_mission(file, home=(LAT, LON, 7.0))
    assert mission.home == (LAT, LON, 7.0)
    waypoint = next(item for item in mission.items if isinstance(item, Waypoint))
    np.testing.assert_allclose(waypoint.pos, (0.0, 0.0, -12.0), atol=1e-6)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (simple(16, -1, 0, 0, None, LAT, LON, 5), "hold: expected 0..86400 s, got -1.0"),
        (simple(16, 0, -2, 0, None, LAT, LON, 5), "radius: expected 0..1000 m, got -2.0"),
        (simple(19, -3, 0, 0, None, LAT, LON, 5), "time: expected 0..86400 s, got -3.0"),
        (simple(19, "8", 0, 0, 0, LAT, LON, 5), "time: expected a number [s], got '8'"),
        (simple(16, True, 0, 0, 0, LAT, LON, 5), "hold: expected a number [s], got true"),
        (simple(16, 0, 0, 0, 361, LAT, LON, 5), "yaw: expected -360..360 deg, got 361.0"),
        (simple(16, 0, 0, 0, 0, 95, LON, 5), "latitude: expected -90..90 deg, got 95.0"),
        (simple(16, 0, 0, 0, 0, LAT, 181, 5), "longitude: expected -180..180 deg, got 181.0"),
        (simple(16, 0, 0, 0, 0, None, LON, 5), "latitude: expected a number [deg], got null"),
        (simple(22, 0, 0, 0, 0, None, LON, 5), "latitude: expected a number [deg], got null"),
        (simple(16, 0, 0, 0, 0, LAT, LON, None), "altitude: expected a number [m], got null"),
        (
            simple(16, 0, 0, 0, 0, LAT, LON, math.inf),
            "altitude: expected a finite number [m], got inf",
        ),
        (
            simple(16, 0, 0, 0, 0, LAT, LON, 10**400),
            "altitude: expected a finite number [m], got inf",
        ),
        (simple(16, 0, 0, 0, 0, LAT, LON, 9951), "altitude: expected -500..10000 m above sea"),
        (simple(16, 0, 0, 0, 0, LAT, LON, -551), "altitude: expected -500..10000 m above sea"),
        (simple(16, 0, 0, 0, 0, 41, LON, 5), "expected a position at most 50 km from home, got 93"),
        (simple(16, 0, 0, 0, 0, -HOME[0], HOME[1] - 180, 5), "expected a position at most 50 km"),
        (simple(16, 0, 0, 0, 0, 0, 0, 5), "expected a position at most 50 km from home"),
        (simple(16, 0, 0, 0, 0, LAT, LON, 5, frame=10), "frame: expected 0 or 5"),
        (simple(16, 0, 0, 0, 0, LAT, LON, 5, frame=2), "frame: expected 0 or 5"),
        (simple(22, 91, 0, 0, 0, LAT, LON, 9), "pitch: expected -90..90 deg, got 91.0"),
        (
            simple(22, 0, 0, 0, 0, LAT, LON, 0),
            "take-off height: expected more than 0 m above home, got 0 m",
        ),
        (simple(178, 2, 5, -1, 0, 0, 0, 0), "speed type: expected 0 (air) or 1 (ground), got 2"),
        (simple(178, 1, 0, -1, 0, 0, 0, 0), "speed: expected 0.01..100 m/s, got 0.0"),
        (simple(178, 1, 101, -1, 0, 0, 0, 0), "speed: expected -2..100 m/s, got 101.0"),
        (simple(177, 1, -1, 0, 0, 0, 0, 0), "repeat: expected 0..10000, got -1.0"),
        (simple(177, 1, "2", 0, 0, 0, 0, 0), "repeat: expected a number, got '2'"),
        (
            simple(93, -1, 12, 30, 0, 0, 0, 0),
            "time: expected 0..86400 s, got a time of day (-1), which is not supported",
        ),
        (simple(93, -2, 12, 30, 0, 0, 0, 0), "time: expected 0..86400 s, got -2.0"),
        (simple(112, -1, 0, 0, 0, 0, 0, 0), "time: expected 0..86400 s, got -1.0"),
    ],
)
def test_a_parameter_out_of_range_is_named(
    read: Callable[..., Mission], item: Item, words: str
) -> None:
    text = complaint(read, plan(TAKE_OFF, item | {"doJumpId": 5}))
    assert text.startswith(f"item 5 (command {item['command']} MAV_CMD_")
    assert words in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "Rally"}, "item 2: type: expected \"SimpleItem\", got 'Rally'"),
        ({"type": None}, 'item 2: type: expected "SimpleItem", got null'),
        ({"command": "16"}, "item 2: command: expected an integer 0..65535, got '16'"),
        ({"command": 16.0}, "item 2: command: expected an integer 0..65535, got 16"),
        ({"command": True}, "item 2: command: expected an integer 0..65535, got true"),
        ({"command": -1}, "item 2: command: expected an integer 0..65535, got -1"),
        ({"frame": None}, "frame: expected an integer 0..65535, got null"),
        ({"doJumpId": "x"}, "item 2: doJumpId: expected an integer"),
        ({"autoContinue": 0}, "autoContinue: expected true or false, got 0"),
        ({"params": [0] * 6}, "params: expected a list of 7, got a list of 6"),
        ({"params": {"1": 0}}, "params: expected a list of 7, got an object"),
        ({"params": None}, "params: expected a list of 7, got null"),
    ],
)
def test_a_member_of_the_wrong_type_is_named(
    read: Callable[..., Mission], change: Item, words: str
) -> None:
    assert words in complaint(read, plan(TAKE_OFF, WAYPOINT | change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"plannedHomePosition": None}, "mission.plannedHomePosition: expected latitude"),
        (
            {"plannedHomePosition": [1, 2]},
            "expected latitude, longitude, altitude, got a list of 2",
        ),
        ({"plannedHomePosition": [91, 0, 0]}, "latitude: expected -90..90 deg, got 91"),
        ({"plannedHomePosition": [0, 200, 0]}, "longitude: expected -180..180 deg, got 200"),
        ({"plannedHomePosition": [0, 0, 1e5]}, "altitude: expected -500..10000 m, got 100000"),
        ({"plannedHomePosition": [0, 0, None]}, "altitude: expected a number [m], got null"),
        ({"items": []}, "expected at least one item to fly to, got an empty mission"),
        ({"items": [simple(178, 1, 5, -1, 0, 0, 0, 0)]}, "got an empty mission"),
        ({"items": None}, "mission.items: expected a list, got null"),
        ({"items": {"0": 1}}, "mission.items: expected a list, got an object"),
        ({"items": [7]}, "item 1: expected an object, got 7"),
        ({"version": 1}, "mission.version: expected 2, got 1"),
        ({"version": True}, "mission.version: expected 2, got true"),
        ({"hoverSpeed": 0}, "mission.hoverSpeed: expected 0.01..100 m/s, got 0"),
        ({"cruiseSpeed": 0, "vehicleType": 10}, "mission.cruiseSpeed: expected 0.01..100 m/s, got"),
        ({"cruiseSpeed": -1}, "mission.cruiseSpeed: expected 0.01..100 m/s, got -1"),
        ({"hoverSpeed": "fast"}, "mission.hoverSpeed: expected a number [m/s], got 'fast'"),
    ],
)
def test_a_broken_mission_object_is_named(
    read: Callable[..., Mission], change: Item, words: str
) -> None:
    broken = copy.deepcopy(PLAN)
    broken["mission"] |= change
    assert words in complaint(read, broken)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fileType": "GeoFence"}, "fileType: expected \"Plan\", got 'GeoFence'"),
        ({"fileType": None}, 'fileType: expected "Plan", got null'),
        ({"version": 2}, "version: expected 1, got 2"),
        ({"mission": None}, "mission: expected an object, got null"),
        ({"mission": []}, "mission: expected an object, got a list of 0"),
    ],
)
def test_a_broken_plan_is_named(read: Callable[..., Mission], change: Item, words: str) -> None:
    assert complaint(read, PLAN | change).startswith(words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "expected JSON, got an error at line 1 column 1"),
        ("{", "expected JSON, got an error at line 1 column 2"),
        ('{"fileType": "Plan",\n "version": }', "expected JSON, got an error at line 2 column 13"),
        ("[" * 100_000, "expected JSON, got a number or a nesting beyond the limits"),
        ("[" + "9" * 5000 + "]", "expected"),
        ("[]", "the file: expected an object, got a list of 0"),
        ("12", "the file: expected an object, got 12"),
        (b"\xff{}", "expected UTF-8 text, got another byte at 0"),
        (b" " * 10_000_001, "expected at most 10 MB, got more"),
    ],
    ids=["empty", "cut", "mistake", "nesting", "digits", "list", "number", "bytes", "huge"],
)
def test_text_that_is_no_plan_is_refused(
    read: Callable[..., Mission], content: str | bytes, words: str
) -> None:
    assert complaint(read, content).startswith(words)
