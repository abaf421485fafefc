"""Plans of QGroundControl become typed items."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly.errors import MissionError
from pyrfly.mission import (
    ChangeSpeed,
    Circle,
    Delay,
    Grip,
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

from .plan_files import (
    COMMANDS,
    EAST,
    HOME,
    LAT,
    LON,
    NAVIGATION,
    NORTH,
    PLAN,
    RETURN,
    TAKE_OFF,
    WAYPOINT,
    complaint,
    plan,
    scanned_plan,
    simple,
)


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


PAYLOAD = [114, 187, 200, 203, 204, 205, 206, 214, 260, 530, 534, 2000, 2001, 2003, 2500]
PAYLOAD += [2501, 4501, 42600]


@pytest.mark.parametrize("command", NAVIGATION + COMMANDS)
def test_every_moving_command_of_px4_is_flown(read: Callable[..., Mission], command: int) -> None:
    """The commands that PX4 1.16 accepts in missions, in parse_mavlink_mission_item."""
    first = {178: 1, 80: 3, 201: 3, 3000: 4}.get(command, 1)
    item = simple(command, first, 3, 0, 0, LAT, LON, 12, number=2)
    mission = read(plan(TAKE_OFF, item, RETURN))
    assert len(mission.items) > 2
    assert mission.skipped == ()


@pytest.mark.parametrize("action", [0, 1])
def test_a_gripper_opens_or_closes(read: Callable[..., Mission], action: int) -> None:
    mission = read(plan(TAKE_OFF, simple(211, 1, action, *[0] * 5, frame=2, number=2), RETURN))
    assert mission.items[1] == Grip(bool(action), number=2)
    assert mission.skipped == ()


@pytest.mark.parametrize("action", [2, 0.5, -1])
def test_other_actions_of_a_gripper_are_refused(
    read: Callable[..., Mission], action: float
) -> None:
    text = complaint(read, plan(TAKE_OFF, simple(211, 1, action, *[0] * 5, frame=2, number=2)))
    assert "gripper action: expected" in text


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


def test_a_plan_of_everything_is_read(read: Callable[..., Mission]) -> None:
    mission = read(scanned_plan())
    assert len(mission.items) > 20
    assert len(mission.fence.areas) == 2
