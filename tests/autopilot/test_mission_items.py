"""Items as stations send them, and the missions they become."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pymavlink import mavwp
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.mission_items import POSITIONED, UNPOSITIONED, item_result, mission_of
from pyrfly.autopilot.raw_items import RawItem, raw_item
from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mavlink.constants import MissionType
from pyrfly.mission import (
    DEMO,
    ChangeSpeed,
    Delay,
    Fence,
    Ignored,
    Jump,
    Land,
    Loiter,
    Mission,
    RegionOfInterest,
    ReturnToLaunch,
    Reverse,
    SetHome,
    TakeOff,
    Waypoint,
    read_mission,
)

FENCE, MISSION, RALLY = MissionType.FENCE, MissionType.MISSION, MissionType.RALLY

Make = Callable[..., Any]
PLANS = [DEMO, *sorted((Path(__file__).parents[2] / "examples" / "missions").glob("*.plan"))]
HOME = (40.1540302, 116.2593683, 50.0)
LAT, LON = 40.1542, 116.2595
NORTH, EAST = LocalFrame(*HOME).to_ned((LAT, LON, 50.0))[:2]
NAN = math.nan
INT32_MAX = 2**31 - 1


def single(value: float) -> float:
    """Return a number as a float of 32 bits."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def item_int(sent: Make, command: int, *params: float, frame: int = 6, **others: Any) -> Any:
    """Return a received MISSION_ITEM_INT of seven parameters, 5 and 6 in degrees."""
    first, (x, y, z) = params[:4], params[4:] or (LAT, LON, 10.0)
    scale = 1e7 if frame != mavlink.MAV_FRAME_MISSION else 1
    x, y = (INT32_MAX if math.isnan(v) else round(v * scale) for v in (x, y))
    numbered = {f"param{n}": value for n, value in enumerate(first, start=1)}
    given = {"seq": 0, "current": 0, "autocontinue": 1} | others
    return sent(
        "MISSION_ITEM_INT", command=command, frame=frame, x=x, y=y, z=z, **numbered, **given
    )


@pytest.fixture
def raw(sent: Make) -> Callable[..., RawItem]:
    """Return a function that makes a stored item of command, parameters and frame."""
    return lambda *args, **others: raw_item(item_int(sent, *args, **others))


def flown(items: list[RawItem]) -> Mission:
    """Return the mission of items that the upload accepts."""
    assert [item_result(MISSION, item) for item in items] == [0] * len(items)
    return mission_of(items, HOME)


# --- plans -------------------------------------------------------------------------------------


def plan_messages(plan: dict[str, Any], sent: Make) -> list[Any]:
    """Return the items of a plan as QGroundControl uploads them."""
    entries: list[dict[str, Any]] = []
    for entry in plan["mission"]["items"]:
        complex_item = entry.get("TransectStyleComplexItem", {})
        entries += complex_item.get("Items", []) if complex_item else [entry]
    messages = []
    for seq, entry in enumerate(entries):
        first, *params = (NAN if value is None else value for value in entry["params"])
        if entry["command"] == mavlink.MAV_CMD_DO_JUMP:
            first -= 1
        frame = {0: 5, 3: 6}.get(entry["frame"], entry["frame"])
        messages.append(item_int(sent, entry["command"], first, *params, frame=frame, seq=seq))
    return messages


def alike(one: Any, other: Any) -> bool:
    """Return whether two items are the same, up to the resolution of the messages (1 cm)."""
    if type(one) is not type(other):
        return False
    for name in (some.name for some in fields(one) if some.name != "number"):
        a, b = getattr(one, name), getattr(other, name)
        if None in (a, b):
            if a is not b:
                return False
        elif not np.allclose(a, b, rtol=1e-6, atol=0.02):
            return False
    return True


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_an_uploaded_plan_is_the_mission_of_the_file(path: Path, sent: Make) -> None:
    expected = read_mission(path)
    plan = json.loads(path.read_text(encoding="utf-8"))
    items = [raw_item(message) for message in plan_messages(plan, sent)]
    mission = mission_of(items, expected.home, speed=expected.cruise_speed)
    assert [item_result(MISSION, item) for item in items] == [0] * len(items)
    assert len(mission.items) == len(expected.items)
    assert all(map(alike, mission.items, expected.items))


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_items_keep_their_numbers_on_the_way_back(path: Path, sent: Make) -> None:
    plan = json.loads(path.read_text(encoding="utf-8"))
    for message in plan_messages(plan, sent):
        back = sent(
            "MISSION_ITEM_INT", seq=message.seq, current=0, **raw_item(message).fields(integer=True)
        )
        assert struct.pack("<11f", *numbers(back)) == struct.pack("<11f", *numbers(message))


def numbers(message: Any) -> list[float]:
    names = "param1 param2 param3 param4 x y z frame command autocontinue seq".split()
    return [getattr(message, name) for name in names]


def test_a_list_of_waypoints_of_pymavlink_becomes_a_mission(tmp_path: Path) -> None:
    file = tmp_path / "square.waypoints"
    rows = [
        f"0\t1\t3\t22\t0\t0\t0\tnan\t{HOME[0]}\t{HOME[1]}\t10\t1",
        f"1\t0\t3\t16\t0\t2\t0\tnan\t{LAT}\t{LON}\t12\t1",
        "2\t0\t2\t20\t0\t0\t0\t0\t0\t0\t0\t1",
    ]
    file.write_text("QGC WPL 110\n" + "\n".join(rows) + "\n", encoding="utf-8")
    loader = mavwp.MAVWPLoader()
    loader.load(str(file))
    take_off, out, back = flown([raw_item(loader.wp(n)) for n in range(loader.count())]).items
    assert isinstance(take_off, TakeOff)
    assert isinstance(out, Waypoint)
    assert out.pos == pytest.approx((NORTH, EAST, -12.0), abs=0.1)  # degrees as floats of 32 bits
    assert isinstance(back, ReturnToLaunch)


# --- commands ----------------------------------------------------------------------------------

POINT = (NORTH, EAST, -10.0)
TAKE_OFF = (22, 0, 0, 0, NAN, *HOME[:2], 10.0)


@pytest.mark.parametrize(
    ("args", "frame", "expected"),
    [
        ((16, 3.0, 2.0, 0, 90.0), 6, Waypoint(POINT, math.pi / 2, 3.0, 2.0)),
        ((16, 0, 0, 0, NAN, LAT, LON, 60.0), 5, Waypoint(POINT)),
        ((17, 0, 0, 0, NAN), 6, Loiter(POINT, math.inf)),
        ((18, 1.5, 0, -50.0, 0), 6, Loiter(POINT, 0.0, turns=1.5, radius=-50.0)),
        ((19, 5.0, 0, 50.0, 0), 6, Loiter(POINT, 5.0, radius=50.0)),
        ((31, 0, -80.0, 0, 0), 6, Loiter(POINT, 0.0, radius=-80.0, climbs=True)),
        ((20, 0, 0, 0, 0, 0, 0, 0), 2, ReturnToLaunch()),
        ((21, 0, 0, 0, NAN), 6, Land(POINT)),
        ((85, 0, 0, 0, NAN), 6, Land(POINT)),
        ((84, 0, 0, 0, NAN), 6, TakeOff(POINT)),
        ((93, 4.0, -1, -1, -1, 0, 0, 0), 2, Delay(4.0)),
        ((112, 2.0, 0, 0, 0, 0, 0, 0), 2, Delay(2.0)),
        ((178, 1, 3.0, -1, 0, 0, 0, 0), 2, ChangeSpeed(3.0)),
        ((179, 1, 0, 0, 0, 0, 0, 0), 2, SetHome(None)),
        ((195, 0, 0, 0, 0), 6, RegionOfInterest(POINT)),
        ((201, 3, 0, 0, 0), 6, RegionOfInterest(POINT)),
        ((201, 0, 0, 0, 0, 0, 0, 0), 2, RegionOfInterest(None)),
        ((80, 1, 0, 0, 0, 0, 0, 0), 2, RegionOfInterest(None)),
        ((196, 0, 0, 0, 0, 0, 0, 0), 2, RegionOfInterest(None)),
        ((197, 0, 0, 0, 0, 0, 0, 0), 2, RegionOfInterest(None)),
    ],
)
def test_a_command_becomes_an_item(
    raw: Callable[..., RawItem], args: tuple[float, ...], frame: int, expected: Any
) -> None:
    mission = flown([raw(*TAKE_OFF), raw(*args, frame=frame)])
    assert mission.items[1].number == 2
    assert alike(mission.items[1], expected)


def test_a_jump_counts_items_from_zero(raw: Callable[..., RawItem]) -> None:
    items = [raw(*TAKE_OFF), raw(16, 0, 0, 0, NAN), raw(177, 1, 2, 0, 0, 0, 0, 0, frame=2)]
    mission = flown(items)
    assert mission.items[2] == Jump(to=2, repeat=2, number=3)
    assert [mission.items[n].number for n in mission.order] == [1, 2, 3, 2, 3, 2]


def test_payload_is_accepted_and_skipped(raw: Callable[..., RawItem]) -> None:
    skipped = [raw(c, 0, 0, 0, 0, 0, 0, 0, frame=2) for c in (530, 2000, 2001, 206, 1000, 203, 187)]
    mission = flown([raw(*TAKE_OFF), *skipped, raw(16, 0, 0, 0, NAN)])
    ignored = [item.command for item in mission.items if isinstance(item, Ignored)]
    assert ignored == [530, 2000, 2001, 206, 1000, 203, 187]
    assert [item.number for item in mission.items] == list(range(1, 10))
    assert len(mission.skipped) == len(skipped)


@pytest.mark.parametrize("x", [INT32_MAX, -(2**31)])
def test_a_position_that_is_not_set_is_the_present_one(sent: Make, x: int) -> None:
    message = item_int(sent, *TAKE_OFF)
    message.x = message.y = x
    assert flown([raw_item(message)]).items[0].pos == pytest.approx((0.0, 0.0, -10.0))


def test_all_accepted_commands_have_a_frame_of_their_own(raw: Callable[..., RawItem]) -> None:
    # [@px4 v1.16.1 mavlink_mission.cpp parse_mavlink_mission_item]
    listed = {16, 17, 19, 20, 21, 22, 31, 80, 195, 196, 197, 201, 84, 85, 93, 112, 114, 177, 178}
    listed |= {179, 187, 189, 200, 203, 204, 205, 206, 211, 214, 260, 530, 534, 2000, 2001, 2003}
    listed |= {2500, 2501, 3000, 4501, 42600}
    assert listed <= POSITIONED | UNPOSITIONED
    for command in POSITIONED | UNPOSITIONED:
        there, nowhere = raw(command, 0, 0, 0, 0), raw(command, 0, 0, 0, 0, 0, 0, 0, frame=2)
        assert (item_result(MISSION, there) != 3) is (command in POSITIONED)
        assert (item_result(MISSION, nowhere) != 3) is (command in UNPOSITIONED)


def test_a_mission_goes_backward_of_vehicles_that_can(raw: Callable[..., RawItem]) -> None:
    item = raw(194, 1, 0, 0, 0, 0, 0, 0, frame=2)
    assert item_result(MISSION, item) == mavlink.MAV_MISSION_UNSUPPORTED
    assert item_result(MISSION, item, backs=True) == mavlink.MAV_MISSION_ACCEPTED
    read = mission_of([raw(*TAKE_OFF), item], HOME)
    assert read.items[1] == Reverse(backward=True, number=2)
    wrong = raw(194, 2, 0, 0, 0, 0, 0, 0, frame=2)
    assert item_result(MISSION, wrong, backs=True) == mavlink.MAV_MISSION_INVALID_PARAM1


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "args", "frame", "result"),
    [
        (MISSION, (16, 0, 0, 0, 0), 10, mavlink.MAV_MISSION_UNSUPPORTED_FRAME),
        (MISSION, (16, 0, 0, 0, 0), 1, mavlink.MAV_MISSION_UNSUPPORTED_FRAME),
        (MISSION, (16, 0, 0, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_UNSUPPORTED),
        (MISSION, (18, -2, 0, 0, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM1),
        (MISSION, (178, 1, 3, 0, 0), 6, mavlink.MAV_MISSION_UNSUPPORTED),
        (MISSION, (5001, 3, 0, 0, 0), 6, mavlink.MAV_MISSION_UNSUPPORTED),
        (MISSION, (201, 4, 0, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_INVALID_PARAM1),
        (MISSION, (16, -3, 0, 0, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM1),
        (MISSION, (16, 0, 1e9, 0, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM2),
        (MISSION, (16, 0, 0, 0, 1000), 6, mavlink.MAV_MISSION_INVALID_PARAM4),
        (MISSION, (16, 0, 0, 0, 0, 91.0, LON, 5), 6, mavlink.MAV_MISSION_INVALID_PARAM5_X),
        (MISSION, (16, 0, 0, 0, 0, NAN, NAN, 5), 6, mavlink.MAV_MISSION_INVALID_PARAM5_X),
        (MISSION, (16, 0, 0, 0, 0, LAT, -181.0, 5), 6, mavlink.MAV_MISSION_INVALID_PARAM6_Y),
        (MISSION, (16, 0, 0, 0, 0, LAT, LON, NAN), 6, mavlink.MAV_MISSION_INVALID_PARAM7),
        (MISSION, (177, NAN, 1, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_INVALID_PARAM1),
        (MISSION, (177, 1, -1, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_INVALID_PARAM2),
        (MISSION, (178, 1, 1000, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_INVALID_PARAM2),
        (MISSION, (93, -1, 0, 0, 0, 0, 0, 0), 2, mavlink.MAV_MISSION_INVALID_PARAM1),
        (FENCE, (16, 0, 0, 0, 0), 6, mavlink.MAV_MISSION_UNSUPPORTED),
        (FENCE, (5001, 2, 0, 0, 0), 6, mavlink.MAV_MISSION_ERROR),
        (FENCE, (5001, NAN, 0, 0, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM1),
        (FENCE, (5003, -1, 0, 0, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM1),
        (FENCE, (5003, 9, 0, 0, 0, 99, LON, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM5_X),
        (FENCE, (5003, 9, 0, 0, 0, 9, 8, 0), 2, mavlink.MAV_MISSION_UNSUPPORTED),
        (RALLY, (5100, 0, 0, 0, 0, LAT, 200, 0), 6, mavlink.MAV_MISSION_INVALID_PARAM6_Y),
        (RALLY, (5003, 9, 0, 0, 0), 6, mavlink.MAV_MISSION_UNSUPPORTED),
    ],
)
def test_a_bad_item_has_its_result(
    raw: Callable[..., RawItem], kind: int, args: tuple[float, ...], frame: int, result: int
) -> None:
    assert item_result(kind, raw(*args, frame=frame)) == result


def test_integer_frames_belong_to_integer_items(sent: Make) -> None:
    given = {f"param{n}": 0.0 for n in range(1, 5)} | {"x": LAT, "y": LON, "z": 5.0}
    others = {"seq": 0, "current": 0, "autocontinue": 1, "command": 16}
    item = raw_item(sent("MISSION_ITEM", frame=6, **given, **others))
    assert item_result(MISSION, item) == mavlink.MAV_MISSION_UNSUPPORTED_FRAME


def test_the_position_of_home_matters_only_for_a_flight(raw: Callable[..., RawItem]) -> None:
    far = raw(16, 0, 0, 0, 0, -33.0, 151.0, 10.0)
    assert item_result(MISSION, far) == mavlink.MAV_MISSION_ACCEPTED
    with pytest.raises(MissionError, match="at most 50 km from home"):
        mission_of([far], HOME)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "at least one item to fly to"),
        ([(TAKE_OFF, 6, 1), ((177, 7, 1, 0, 0, 0, 0, 0), 2, 1)], "expected the number of an item"),
        ([((22, 0, 0, 0, NAN, LAT, LON, -1.0), 6, 1)], "take-off height"),
    ],
)
def test_a_mission_that_cannot_be_flown_says_why(
    raw: Callable[..., RawItem], rows: list[tuple[tuple[float, ...], int, int]], said: str
) -> None:
    items = [raw(*args, frame=frame, autocontinue=auto) for args, frame, auto in rows]
    with pytest.raises(MissionError, match=said):
        mission_of(items, HOME)


def test_fence_speed_and_rally_points_are_those_given(raw: Callable[..., RawItem]) -> None:
    fence = Fence(max_height=30.0)
    mission = mission_of([raw(*TAKE_OFF)], HOME, speed=7.0, fence=fence, rally=[(1.0, 2.0, -3.0)])
    assert (mission.cruise_speed, mission.fence) == (7.0, fence)
    assert mission.rally == ((1.0, 2.0, -3.0),)
    assert mission.home == HOME
