"""Mission files: valid ones, and the one-line message of invalid ones."""

from __future__ import annotations

import copy
import json
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import (
    DEFAULT_HOME,
    DEMO,
    ChangeSpeed,
    Circle,
    Delay,
    Ignored,
    Jump,
    Land,
    Loiter,
    Mission,
    Polygon,
    RegionOfInterest,
    ReturnToLaunch,
    SetHome,
    TakeOff,
    Waypoint,
    read_mission,
)
from pyrfly.terrain import TerrainMap

EXAMPLES = Path(__file__).parents[2] / "examples" / "missions"
HOME = [40.1540302, 116.2593683, 50]
LAT, LON = 40.1542, 116.2595  # some 19 m north and 11 m east of home
NORTH, EAST = LocalFrame(*HOME).to_ned((LAT, LON, 50.0))[:2]

Item = dict[str, Any]


def simple(command: int, *params: Any, frame: int = 3, number: int = 1) -> Item:
    return {
        "autoContinue": True,
        "command": command,
        "doJumpId": number,
        "frame": frame,
        "params": list(params),
        "type": "SimpleItem",
    }


def plan(*items: Any, **mission: Any) -> dict[str, Any]:
    """Return a whole plan around some items; ``mission`` replaces members of its mission."""
    return {
        "fileType": "Plan",
        "geoFence": {"circles": [], "polygons": [], "version": 2},
        "groundStation": "QGroundControl",
        "mission": {
            "cruiseSpeed": 15,
            "firmwareType": 12,
            "globalPlanAltitudeMode": 1,
            "hoverSpeed": 4,
            "items": list(items),
            "plannedHomePosition": HOME,
            "vehicleType": 2,
            "version": 2,
        }
        | mission,
        "rallyPoints": {"points": [], "version": 2},
        "version": 1,
    }


TAKE_OFF = simple(22, 0, 0, 0, None, HOME[0], HOME[1], 10)
WAYPOINT = simple(16, 2, 1.5, 0, 90, LAT, LON, 12, number=2)
RETURN = simple(20, 0, 0, 0, 0, 0, 0, 0, frame=2, number=3)
PLAN = plan(TAKE_OFF, WAYPOINT, RETURN)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Mission]:
    """Return a function that writes a file and reads it as a mission."""

    def read_back(content: Any, name: str = "test.plan") -> Mission:
        file = tmp_path / name
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_mission(file)

    return read_back


def complaint(read: Callable[..., Mission], content: Any, name: str = "test.plan") -> str:
    """Return the one-line message of an invalid file, without its path."""
    with pytest.raises(MissionError) as caught:
        read(content, name)
    path, _, rest = str(caught.value).partition(f"{name}: ")
    assert Path(path).is_absolute()
    assert len(rest.splitlines()) == 1
    assert len(rest) < 400
    return rest


# --- plans ------------------------------------------------------------------------------------


def test_a_plan_becomes_typed_items_in_local_metres(read: Callable[..., Mission]) -> None:
    mission = read(PLAN)
    assert mission.name == "test"
    assert mission.home == tuple(HOME)
    assert mission.cruise_speed == 4.0
    take_off, waypoint, back = mission.items
    assert take_off == TakeOff((0.0, 0.0, -10.0), yaw=None, number=1)
    assert waypoint == Waypoint(
        (NORTH, EAST, -12.0), yaw=math.pi / 2, hold=2.0, radius=1.5, number=2
    )
    assert back == ReturnToLaunch(number=3)


def test_every_supported_command_is_read(read: Callable[..., Mission]) -> None:
    mission = read(
        plan(
            TAKE_OFF,
            simple(178, 1, 3.5, -1, 0, 0, 0, 0, frame=2),
            simple(19, 8, 1, 50, 1, LAT, LON, 12),
            simple(21, 0, 0, 0, -90, LAT, LON, 0),
        )
    )
    _, speed, loiter, land = mission.items
    assert speed == ChangeSpeed(3.5, number=1)
    assert loiter == Loiter((NORTH, EAST, -12.0), 8.0, radius=50.0, number=1)
    assert land == Land((NORTH, EAST, 0.0), yaw=-math.pi / 2, number=1)


@pytest.mark.parametrize("frame", [10, 11])
def test_heights_above_the_ground_are_taken_from_a_map(tmp_path: Path, frame: int) -> None:
    slope = TerrainMap([[-50, -50], [50, 50]], 1000)  # 0.1 to the north, 0 at home
    path = tmp_path / "a.plan"
    items = [simple(16, 0, 0, 0, None, LAT, LON, 12, frame=frame)]
    path.write_text(json.dumps(plan(*items)))
    (item,) = read_mission(path, terrain=slope).items
    assert isinstance(item, Waypoint)
    assert item.pos[0] > 10
    assert item.pos[2] == pytest.approx(-12 - 0.1 * item.pos[0])


@pytest.mark.parametrize(("frame", "altitude"), [(0, 62), (5, 62), (3, 12), (6, 12)])
def test_altitudes_are_taken_in_their_frame(
    read: Callable[..., Mission], frame: int, altitude: float
) -> None:
    item = read(plan(simple(16, 0, 0, 0, None, LAT, LON, altitude, frame=frame))).items[0]
    assert isinstance(item, Waypoint)
    assert item.pos[2] == -12.0


def test_the_height_above_home_does_not_shrink_with_distance(
    read: Callable[..., Mission],
) -> None:
    item = read(plan(simple(16, 0, 0, 0, None, HOME[0] + 0.3, HOME[1], 12))).items[0]
    assert isinstance(item, Waypoint)
    assert item.pos[0] == pytest.approx(33_300, rel=1e-2)
    assert item.pos[2] == -12.0


@pytest.mark.parametrize("unset", [None, math.nan])
def test_parameters_that_are_not_set_get_defaults(
    read: Callable[..., Mission], unset: float | None
) -> None:
    gap = [unset] * 4
    mission = read(
        plan(
            simple(22, *gap, unset, unset, unset),
            simple(16, *gap, LAT, LON, 5),
            simple(178, unset, 2, *gap, unset, frame=2),
            simple(19, *gap, LAT, LON, 5),
            simple(21, *gap, unset, unset, unset),
        )
    )
    assert mission.items == (
        TakeOff((0.0, 0.0, -2.5), number=1),
        Waypoint((NORTH, EAST, -5.0), number=1),
        ChangeSpeed(2.0, number=1),
        Loiter((NORTH, EAST, -5.0), 0.0, number=1),
        Land((NORTH, EAST, 0.0), number=1),
    )


@pytest.mark.parametrize(("degrees", "pitch"), [(0, None), (None, None), (-5, None), (12, 12.0)])
def test_the_first_parameter_of_a_take_off_is_the_pitch_angle_of_the_climb(
    read: Callable[..., Mission], degrees: float | None, pitch: float | None
) -> None:
    take_off, *_ = read(plan(simple(22, degrees, 0, 0, None, *HOME[:2], 6), WAYPOINT)).items
    assert isinstance(take_off, TakeOff)
    assert take_off.pitch == (None if pitch is None else pytest.approx(math.radians(pitch)))


def test_a_zero_position_means_here_for_take_off_and_landing(
    read: Callable[..., Mission],
) -> None:
    zeros = (0, 0, 0, None, 0, 0)
    mission = read(plan(simple(22, *zeros, 6), WAYPOINT, simple(21, *zeros, 0)))
    take_off, _, land = mission.items
    assert take_off == TakeOff((0.0, 0.0, -6.0), number=1)
    assert land == Land((NORTH, EAST, 0.0), number=1)


def test_speed_minus_one_changes_nothing_and_minus_two_is_the_default(
    read: Callable[..., Mission],
) -> None:
    same = simple(178, 1, -1, 50, 0, 0, 0, 0, frame=2)
    default = simple(178, 0, -2, -1, 0, 0, 0, 0, frame=2, number=2)
    same_one, default_one, _ = read(plan(same, default, TAKE_OFF)).items
    assert same_one == Ignored(178, number=1)
    assert default_one == ChangeSpeed(4.0, number=2)


@pytest.mark.parametrize(("kind", "speed"), [(2, 4), (13, 4), (20, 4), (1, 15), (10, 15), (11, 15)])
def test_vehicles_that_hover_and_those_that_do_not_have_speeds_of_their_own(
    read: Callable[..., Mission], kind: int, speed: float
) -> None:
    default = simple(178, 1, -2, -1, 0, 0, 0, 0, frame=2)
    mission = read(plan(default, TAKE_OFF, vehicleType=kind))
    assert mission.cruise_speed == speed
    assert mission.items[0] == ChangeSpeed(speed, number=1)
    assert mission.airspeed == 15  # by wings, whatever the plan is for


@pytest.mark.parametrize(("kind", "name"), [(2, "hoverSpeed"), (10, "cruiseSpeed")])
def test_a_plan_without_its_speed_gets_the_default(
    read: Callable[..., Mission], kind: int, name: str
) -> None:
    bare = copy.deepcopy(PLAN)
    bare["mission"]["vehicleType"] = kind
    del bare["mission"][name], bare["geoFence"], bare["rallyPoints"]
    assert read(bare).cruise_speed == 5.0
    assert (read(bare).airspeed is None) == (name == "cruiseSpeed")


def test_a_byte_order_mark_is_no_obstacle(read: Callable[..., Mission]) -> None:
    assert read(b"\xef\xbb\xbf" + json.dumps(PLAN).encode()).items


@pytest.mark.parametrize(
    ("command", "name"),
    [(82, "MAV_CMD_NAV_SPLINE_WAYPOINT"), (183, "MAV_CMD_DO_SET_SERVO"), (31000, None)],
)
def test_an_unsupported_command_is_named_with_its_item(
    read: Callable[..., Mission], command: int, name: str | None
) -> None:
    text = complaint(read, plan(TAKE_OFF, simple(command, *[0] * 7, number=7)))
    head = f"command {command} {name}" if name else f"command {command}"
    assert text.startswith(f"item 7 ({head}): this command is not supported")


NAVIGATION = [16, 17, 19, 20, 21, 22, 31, 84, 85, 93, 112]
COMMANDS = [80, 177, 178, 179, 195, 196, 197, 201, 3000]
PAYLOAD = [114, 187, 200, 203, 204, 205, 206, 211, 214, 260, 530, 534, 2000, 2001, 2003, 2500]
PAYLOAD += [2501, 4501, 42600]


@pytest.mark.parametrize("command", NAVIGATION + COMMANDS)
def test_every_moving_command_of_px4_is_flown(read: Callable[..., Mission], command: int) -> None:
    """The commands that PX4 1.16 accepts in missions, in parse_mavlink_mission_item."""
    first = {178: 1, 80: 3, 201: 3, 3000: 4}.get(command, 1)
    item = simple(command, first, 3, 0, 0, LAT, LON, 12, number=2)
    mission = read(plan(TAKE_OFF, item, RETURN))
    assert len(mission.items) > 2
    assert mission.skipped == ()


@pytest.mark.parametrize("state", [0, 1, 2, 5, 3.5])
def test_a_transition_is_to_hover_or_to_wings(read: Callable[..., Mission], state: float) -> None:
    text = complaint(read, plan(TAKE_OFF, simple(3000, state, *[0] * 6, number=2)))
    assert text.endswith(f"state: expected 3 (hover) or 4 (wings), got {state:g}")


def test_commands_that_do_not_move_the_vehicle_are_skipped_with_one_warning(
    read: Callable[..., Mission],
) -> None:
    payload = [simple(c, *[0] * 7, frame=2, number=n) for n, c in enumerate(PAYLOAD, start=10)]
    again = simple(206, *[0] * 7, frame=2, number=99)
    with pytest.warns(UserWarning, match="skipped: ") as caught:
        mission = read(plan(TAKE_OFF, *payload, again, RETURN))
    assert len(caught) == 1
    text = str(caught[0].message)
    ignored = [item.command for item in mission.items if isinstance(item, Ignored)]
    assert ignored == [*PAYLOAD, 206]
    assert "206 DO_SET_CAM_TRIGG_DIST (items 16, 99)" in text
    assert all(f" {command} " in text for command in PAYLOAD)


def test_loiters_delays_and_points_of_interest_are_typed(read: Callable[..., Mission]) -> None:
    mission = read(
        plan(
            TAKE_OFF,
            simple(195, 0, 0, 0, 0, LAT, LON, 2, number=2),
            simple(31, 1, -50, 0, 1, LAT, LON, 20, number=3),
            simple(93, 7, -1, -1, -1, 0, 0, 0, frame=2, number=4),
            simple(197, 0, 0, 0, 0, 0, 0, 0, frame=2, number=5),
            simple(179, 1, 0, 0, 0, 0, 0, 0, frame=2, number=6),
            simple(179, 0, 0, 0, 0, LAT, LON, 0, number=7),
            simple(18, 2.5, 0, 0, 1, LAT, LON, 12, number=8),
            simple(17, 0, 0, 50, None, LAT, LON, 12, number=9),
        )
    )
    assert mission.items[1:] == (
        RegionOfInterest((NORTH, EAST, -2.0), number=2),
        Loiter((NORTH, EAST, -20.0), 0.0, radius=-50.0, climbs=True, number=3),
        Delay(7.0, number=4),
        RegionOfInterest(None, number=5),
        SetHome(None, number=6),
        SetHome((NORTH, EAST, 0.0), number=7),
        Loiter((NORTH, EAST, -12.0), 0.0, turns=2.5, number=8),
        Loiter((NORTH, EAST, -12.0), math.inf, radius=50.0, number=9),
    )


def test_a_jump_may_lead_to_an_item_without_effect(read: Callable[..., Mission]) -> None:
    camera = simple(2000, *[0] * 7, frame=2, number=2)
    waypoint = simple(16, 0, 0, 0, None, LAT, LON, 12, number=3)
    jump = simple(177, 2, 4, 0, 0, 0, 0, 0, frame=2, number=4)
    with pytest.warns(UserWarning, match="2000 IMAGE_START_CAPTURE"):
        mission = read(plan(TAKE_OFF, camera, waypoint, jump, RETURN))
    assert mission.items[3] == Jump(2, 4, number=4)
    assert mission.order == (0, *[1, 2, 3] * 4, 1, 2, 4)


def test_all_errors_of_a_plan_come_at_once(read: Callable[..., Mission]) -> None:
    broken = plan(
        TAKE_OFF,
        simple(16, 0, 0, 0, None, 95, LON, 5, number=2),
        simple(82, *[0] * 7, number=3),
        simple(177, 77, 1, 0, 0, 0, 0, 0, frame=2, number=4),
        RETURN,
    )
    broken["geoFence"]["circles"] = [{"circle": {"center": [LAT, LON], "radius": -1}}]
    broken["rallyPoints"]["points"] = [[LAT]]
    with pytest.raises(MissionError) as caught:
        read(broken)
    words = (
        "item 2 (command 16 MAV_CMD_NAV_WAYPOINT): latitude",
        "item 3 (command 82 MAV_CMD_NAV_SPLINE_WAYPOINT): this command is not supported",
        "item 4 (command 177 MAV_CMD_DO_JUMP): expected the number of an item to fly to, got 77",
        "geoFence.circles[0]: radius: expected",
        "rallyPoints.points[0]: expected at least 3 entries, got 1",
    )
    assert len(caught.value.problems) == len(words)
    for word in words:
        assert any(word in problem for problem in caught.value.problems)
    head, *lines = str(caught.value).splitlines()
    assert head == "5 errors"
    assert all(line.startswith("  ") and "test.plan: " in line for line in lines)


def test_geofence_and_rally_points_are_read(read: Callable[..., Mission]) -> None:
    square = [[LAT, LON], [LAT + 0.001, LON], [LAT + 0.001, LON + 0.001]]
    fenced = plan(TAKE_OFF, RETURN)
    fenced["geoFence"]["polygons"] = [{"polygon": square, "inclusion": False, "version": 1}]
    circle = {"circle": {"center": HOME[:2], "radius": 80}, "inclusion": True, "version": 1}
    fenced["geoFence"]["circles"] = [circle]
    fenced["rallyPoints"]["points"] = [[LAT, LON, 15]]
    mission = read(fenced)
    polygon, round_area = mission.fence.areas
    assert isinstance(polygon, Polygon)
    assert polygon.vertices[0] == (NORTH, EAST)
    assert not polygon.inclusion
    assert isinstance(round_area, Circle)
    assert (round_area.radius, round_area.inclusion) == (80.0, True)
    np.testing.assert_allclose(round_area.center, 0.0, atol=1e-6)
    assert mission.rally == ((NORTH, EAST, -15.0),)


def test_a_geofence_of_an_older_version_is_skipped_with_a_warning(
    read: Callable[..., Mission],
) -> None:
    old = plan(TAKE_OFF, RETURN)
    old["geoFence"] = {"polygon": [[LAT, LON]], "version": 1}
    with pytest.warns(UserWarning, match="geoFence of version 1"):
        assert read(old).fence.areas == ()


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


# --- tables -----------------------------------------------------------------------------------


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
        ("x,y,z\n1,2,inf\n", "line 2: z: expected -9950..0 m (down), got inf"),
        ("x,y,z\n1,2,10\n", "line 2: z: expected -9950..0 m (down), got 10"),
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
        read("x,y,z\n1,two,-3\n1,2,-3\n1,2,3\n1,2\n", "test.csv")
    lines = [problem.partition(": ")[2].partition(":")[0] for problem in caught.value.problems]
    assert lines == ["line 2", "line 4", "line 5"]


def test_all_errors_of_a_row_of_a_table_come_at_once(read: Callable[..., Mission]) -> None:
    with pytest.raises(MissionError) as caught:
        read("x,y,z,yaw,hold,speed\nnan,two,3,9,-1,0\n", "test.csv")
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


# --- files ------------------------------------------------------------------------------------


def test_paths_that_are_no_mission_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.plan").mkdir()
    for name, words in (
        ("none.plan", "cannot be read: No such file or directory"),
        ("folder.plan", "expected a regular file"),
        ("plan.kml", "expected a .plan, .waypoints, .txt or .csv file"),
        ("plan", "expected a .plan, .waypoints, .txt or .csv file"),
    ):
        with pytest.raises(MissionError) as caught:
            read_mission(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name}: {words}"


@pytest.mark.parametrize("name", ["two\nlines.plan", "null\0.plan", "\udcff.plan"])
def test_a_strange_path_still_makes_one_line(name: str) -> None:
    with pytest.raises(MissionError) as caught:
        read_mission(name)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("path", [DEMO, *sorted(EXAMPLES.glob("*.plan"))], ids=lambda p: p.stem)
def test_shipped_plans_hold_what_ground_stations_write(path: Path) -> None:
    mission = read_mission(path)
    assert mission.home == tuple(HOME)
    assert isinstance(mission.items[0], TakeOff)
    assert isinstance(mission.items[-1], (ReturnToLaunch, Land))
    numbers = [item.number for item in mission.items]
    assert list(dict.fromkeys(numbers)) == list(range(1, numbers[-1] + 1))
    raw = json.loads(path.read_text())
    assert set(raw) == set(PLAN)
    assert set(raw["mission"]) == set(PLAN["mission"])


# --- fuzzing: a mission or a message of a line per error --------------------------------------

fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
# As the default alphabet, which takes two seconds to be made.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from([LAT, LON, *HOME, 16, 22, "Plan", "SimpleItem", 10**400])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def mission_or_message(file: Path) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            mission = read_mission(file)
    except MissionError as error:
        problems = error.problems  # the message shows the first ones of many
    else:
        points = [item.pos for item in mission.items if getattr(item, "pos", None) is not None]
        assert np.isfinite(points).all()
        return
    assert problems
    for problem in problems:
        assert problem.startswith(f"{file}: ")
        assert len(problem.splitlines()) == 1


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return container and key of everything inside a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value))
    found = [(value, key) for key in keys]
    for key in keys:
        if isinstance(value[key], (dict, list)):
            found += places(value[key])
    return found


@fuzz
@given(st.data())
def test_fuzz_a_plan_with_one_member_replaced_or_removed(tmp_path: Path, data: Any) -> None:
    broken = copy.deepcopy(PLAN)
    container, key = data.draw(st.sampled_from(places(broken)))
    if data.draw(st.booleans()):
        container[key] = data.draw(values)
    else:
        del container[key]
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(broken))
    mission_or_message(file)


def scanned_plan() -> dict[str, Any]:
    """Return a plan with surveys and scans, a geofence and rally points."""
    area = [[LAT, LON], [LAT, HOME[1]], [HOME[0], HOME[1]]]
    camera = {"AdjustedFootprintSide": 9, "AdjustedFootprintFrontal": 9, "DistanceToSurface": 9}
    transects = {"CameraCalc": camera, "TurnAroundDistance": 2}
    scan = {"type": "ComplexItem", "TransectStyleComplexItem": transects}
    scanned = plan(
        TAKE_OFF,
        scan | {"complexItemType": "survey", "polygon": area, "angle": 30},
        scan | {"complexItemType": "CorridorScan", "polyline": area, "CorridorWidth": 30},
        {"type": "ComplexItem", "complexItemType": "StructureScan", "polygon": area, "Layers": 2}
        | {"CameraCalc": camera},
        {"type": "ComplexItem", "complexItemType": "fwLandingPattern", "loiterRadius": 50}
        | {"altitudesAreRelative": True, "loiterClockwise": True}
        | {"landingApproachCoordinate": [LAT, LON, 30], "landCoordinate": [*HOME[:2], 0]},
        simple(177, 1, 1, 0, 0, 0, 0, 0, frame=2, number=5),
    )
    scanned["geoFence"]["polygons"] = [{"polygon": area, "inclusion": True}]
    scanned["geoFence"]["circles"] = [{"circle": {"center": HOME[:2], "radius": 50}}]
    scanned["rallyPoints"]["points"] = [[LAT, LON, 5]]
    whole: dict[str, Any] = json.loads(json.dumps(scanned))  # no list in two places
    return whole


def test_a_plan_of_everything_is_read(read: Callable[..., Mission]) -> None:
    mission = read(scanned_plan())
    assert len(mission.items) > 20
    assert len(mission.fence.areas) == 2


@fuzz
@given(st.data())
def test_fuzz_scans_and_geofences_with_one_member_replaced(tmp_path: Path, data: Any) -> None:
    broken = scanned_plan()
    container, key = data.draw(st.sampled_from(places(broken)))
    container[key] = data.draw(values)
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(broken))
    mission_or_message(file)


@fuzz
@given(st.integers(0, 300), st.lists(scalars, min_size=7, max_size=7), st.integers(0, 12))
def test_fuzz_any_command_with_any_parameters(
    tmp_path: Path, command: int, params: list[Any], frame: int
) -> None:
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(plan(TAKE_OFF, simple(command, *params, frame=frame))))
    mission_or_message(file)


@fuzz
@given(st.data())
def test_fuzz_a_supported_command_with_any_parameters(tmp_path: Path, data: Any) -> None:
    command = data.draw(st.sampled_from(NAVIGATION + COMMANDS))
    near = st.sampled_from([LAT, LON, 5, 1, 0, None]) | scalars
    params = data.draw(st.lists(near, min_size=7, max_size=7))
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(plan(TAKE_OFF, simple(command, *params))))
    mission_or_message(file)


@fuzz
@given(st.binary(max_size=200), st.sampled_from(["fuzz.plan", "fuzz.csv"]))
def test_fuzz_any_bytes(tmp_path: Path, content: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    mission_or_message(tmp_path / name)


@fuzz
@given(
    st.sampled_from(["x,y,z", "x,y,z,yaw,hold,speed", "lat,lon,alt", "lat,lon,alt,yaw_deg"]),
    st.lists(st.text(alphabet='0123456789.,-+einfa"#\n\r \t_', max_size=30), max_size=5),
)
def test_fuzz_any_table(tmp_path: Path, header: str, lines: list[str]) -> None:
    (tmp_path / "fuzz.csv").write_text("\n".join([header, *lines]))
    mission_or_message(tmp_path / "fuzz.csv")
