"""Attributes in MAVLink modes: each comes from the message that RflySim takes it from."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler

NAN = math.nan
Linked = Callable[..., PX4MavCtrler]
TRUTH = 1234567890  # flags of CopterSim's message with the true state

# Message, its fields, and the attributes that follow from it [@rfly-sdk].
MESSAGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "ATTITUDE",
        {
            "time_boot_ms": 12500, "roll": 0.1, "pitch": -0.2, "yaw": 3.0, "rollspeed": 0.5,
            "pitchspeed": -0.25, "yawspeed": 1.0,
        },
        {"uavTimeStmp": 12.5, "uavAngEular": [0.1, -0.2, 3.0], "uavAngRate": [0.5, -0.25, 1.0]},
    ),
    (
        "ATTITUDE_QUATERNION",
        {"q1": 0.5, "q2": -0.5, "q3": 0.5, "q4": 0.5},
        {"uavAngQuatern": [0.5, -0.5, 0.5, 0.5]},
    ),
    (
        "LOCAL_POSITION_NED",
        {"x": 1.5, "y": -2.5, "z": -3.5, "vx": 4.0, "vy": 5.0, "vz": -6.0},
        {"uavPosNED": [1.5, -2.5, -3.5], "uavVelNED": [4.0, 5.0, -6.0]},
    ),
    (
        "GLOBAL_POSITION_INT",
        {
            "time_boot_ms": 2500, "lat": 401541234, "lon": 1162591234, "alt": 61234,
            "relative_alt": 11234, "vx": 100, "vy": -250, "vz": 50, "hdg": 27000,
        },
        {
            "uavPosGPS": [
                40.1541234, 116.2591234, 61.234, 2.5, 11.234, 1.0, -2.5, 0.5, -math.pi / 2,
            ]
        },
    ),
    (
        "HIGHRES_IMU",
        {
            "xacc": 0.5, "yacc": -0.25, "zacc": -9.75, "xgyro": 0.125, "ygyro": 0.25,
            "zgyro": -0.5, "xmag": 0.25, "ymag": 0.0625, "zmag": 0.5,
        },
        {
            "uavAccB": [0.5, -0.25, -9.75], "uavGyro": [0.125, 0.25, -0.5],
            "uavMag": [0.25, 0.0625, 0.5],
        },
    ),
    (
        "VIBRATION",
        {"vibration_x": 0.5, "vibration_y": 1.5, "vibration_z": 2.5},
        {"uavVibr": [0.5, 1.5, 2.5]},
    ),
    (
        "BATTERY_STATUS",
        {"battery_remaining": 87, "voltages": [16200, *[65535] * 9]},
        {"batInfo": [87.0, 16200.0]},
    ),
    (
        "HEARTBEAT",
        {"custom_mode": 6 << 16, "base_mode": 128 + 17, "system_status": 5},
        {"isArmed": True, "system_status": 5},
    ),
    ("ATTITUDE_TARGET", {"q": [1, 0, 0, 0], "thrust": 0.625}, {"uavThrust": 0.625}),
    (
        "HIL_ACTUATOR_CONTROLS",
        {"controls": [float(i) for i in range(16)], "flags": 1},
        {"uavMotorRPMS": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "attributes"), MESSAGES)
def test_attributes_come_from_rflysims_messages(
    vehicle: Any, linked: Linked, name: str, fields: dict[str, Any], attributes: dict[str, Any]
) -> None:
    mav = linked()
    for attribute, value in attributes.items():
        assert getattr(mav, attribute) != value
    held = {attribute: getattr(mav, attribute) for attribute in attributes}
    mav.trigMsgVect.append(name)
    mav.uavEvent.clear()
    vehicle.say(name, **fields)
    vehicle.until(mav.hasMsgEvent.is_set)
    assert mav.uavEvent.is_set()
    assert mav.hasMsgDict[name]
    assert mav.uavMsg.get_type() == name
    for attribute, value in attributes.items():
        assert getattr(mav, attribute) == pytest.approx(value, rel=1e-6)
        assert type(getattr(mav, attribute)) is type(held[attribute])
        if isinstance(value, list):
            assert held[attribute] == pytest.approx(value, rel=1e-6)  # changed in place
    assert mav.netEvent.is_set() is (name == "LOCAL_POSITION_NED")


def test_global_positions_follow_from_the_home(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    mav.setGPSOriLLA([40.1540302, 116.2593683, 40.0])  # 10 m below the home
    vehicle.say("LOCAL_POSITION_NED", x=1.0, y=2.0, z=-3.0)
    vehicle.until(lambda: mav.uavPosNED == [1, 2, -3])
    assert mav.uavPosGPSHome == pytest.approx([40.1540302, 116.2593683, 50.0])
    assert mav.GpsOriOffset == pytest.approx([0, 0, -10], abs=1e-6)
    assert mav.uavGlobalPos == pytest.approx([1, 2, -13], abs=1e-6)
    # 1e-4 deg of latitude are 11.1 m
    vehicle.say("HOME_POSITION", latitude=401541302, longitude=1162593683, altitude=40000)
    vehicle.until(lambda: mav.uavGlobalPos[0] > 10)
    assert mav.uavGlobalPos == pytest.approx([12.1, 2, -3], abs=0.02)


@pytest.mark.parametrize(
    ("heading", "yaw"), [(0, 0.0), (9000, math.pi / 2), (18000, math.pi), (35900, -math.pi / 180)]
)
def test_headings_are_within_half_a_turn(
    vehicle: Any, linked: Linked, heading: int, yaw: float
) -> None:
    mav = linked()
    vehicle.say("GLOBAL_POSITION_INT", lat=401540302, lon=1162593683, alt=1, hdg=heading)
    vehicle.until(lambda: mav.uavPosGPS[0] > 1)
    assert mav.uavPosGPS[8] == pytest.approx(yaw)


def test_an_unknown_heading_is_that_of_the_attitude(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    vehicle.say("ATTITUDE", yaw=1.25)
    vehicle.say("GLOBAL_POSITION_INT", lat=401540302, lon=1162593683, alt=1, hdg=65535)
    vehicle.until(lambda: mav.uavPosGPS[0] > 1)
    assert mav.uavPosGPS[8] == 1.25


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (b"Failsafe enabled: no RC and no offboard", True),
        (b"Failsafe activated\t", True),
        (b"Takeoff detected", False),
        (b"\xff\xfe\x00", False),
    ],
)
def test_failsafes_are_those_of_the_texts(
    vehicle: Any, linked: Linked, text: bytes, is_one: bool
) -> None:
    mav = linked()
    vehicle.say("STATUSTEXT", text=text)
    vehicle.until(lambda: "STATUSTEXT" in mav.hasMsgDict)
    assert mav.isFailsafeEn is is_one
    assert mav.FailsafeInfo == (text.decode().strip() if is_one else None)
    mav.InitMavLoop()
    assert not mav.isFailsafeEn


@pytest.mark.parametrize(
    ("name", "fields", "fixes"),
    [
        ("HIL_ACTUATOR_CONTROLS", {"flags": TRUTH, "mode": 1, "controls": [0] * 15 + [1]}, True),
        ("HIL_ACTUATOR_CONTROLS", {"flags": TRUTH, "mode": 1, "controls": [0] * 16}, False),
        ("HIL_ACTUATOR_CONTROLS", {"flags": TRUTH, "mode": 2, "controls": [0] * 15 + [1]}, False),
        ("HIL_ACTUATOR_CONTROLS", {"flags": 1, "mode": 1, "controls": [0] * 15 + [1]}, False),
        ("ESTIMATOR_STATUS", {"flags": 0b111111}, True),
        ("ESTIMATOR_STATUS", {"flags": 0b101111}, False),
        ("HOME_POSITION", {"latitude": 401540302, "longitude": 1162593683}, True),
        ("HOME_POSITION", {}, False),
    ],
)
def test_the_position_is_known_when_the_vehicle_says_so(
    vehicle: Any, name: str, fields: dict[str, Any], fixes: bool
) -> None:
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitMavLoop()
    vehicle.beat()
    vehicle.say(name, **fields)
    vehicle.until(lambda: mav.link_counts["received"] == 2)
    assert mav.isPX4Ekf3DFixed is fixes
    mav.endMavLoop()


def test_the_truth_comes_among_the_messages(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    mav.trigMsgVect.append("TrueDataRec")
    controls = [0.1, 0.2, 0.3, 4, 5, -6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0]
    # time_usec holds milliseconds, and the sender is CopterSim
    vehicle.say(
        "HIL_ACTUATOR_CONTROLS", system=77, flags=TRUTH, mode=1, time_usec=3250, controls=controls
    )
    assert mav.hasMsgEvent.wait(10)
    assert mav.trueTimeStmp == 3.25
    assert mav.trueAngEular == pytest.approx([0.1, 0.2, 0.3])
    assert mav.truePosNED == [4, 5, -6]
    assert mav.trueVelNED == [7, 8, 9]
    assert mav.trueAngRate == [10, 11, 12]
    assert mav.out3Ddata.PosE == [4, 5, -6]
    assert mav.hasMsgDict["TrueDataRec"]
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)
    vehicle.say("HIL_ACTUATOR_CONTROLS", flags=TRUTH, mode=2, controls=[*controls[:15], 3.0])
    vehicle.until(lambda: mav.isVehicleCrash)
    assert mav.isVehicleCrashID == 3
    mav.isVehicleCrash = False
    assert mav.isVehicleCrashID == -10


def test_the_truth_of_its_own_port_precedes(vehicle: Any, linked: Linked) -> None:
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitTrueDataLoop()  # before the link is made: it goes on with that
    mav.InitMavLoop()
    mav.trigMsgVect.append("TrueDataRec")
    vehicle.say("HIL_ACTUATOR_CONTROLS", flags=TRUTH, mode=1, controls=[9.0] * 16)
    assert mav.hasMsgEvent.wait(10)
    assert mav.truePosNED == [0, 0, 0]
    doubles = [3.5, 1.0, 2.0, -3.0, 40.0, 116.0, 50.0]
    packet = struct.pack("<4i24f7d", 123456789, 1, 50, 0, *[0.0] * 24, *doubles)
    vehicle.socket.sendto(packet, ("127.0.0.1", vehicle.port + 10001))
    vehicle.until(lambda: mav.truePosNED == [1, 2, -3])
    packet = struct.pack("<2i32d", 1234567890, 1, *range(32))
    vehicle.socket.sendto(packet, ("127.0.0.1", vehicle.port + 10001))
    vehicle.until(lambda: mav.trueSimulinkData == list(range(32)))
    packet = struct.pack("<2id8f", 1234567898, 1, 7.5, *range(8))
    vehicle.socket.sendto(packet, ("127.0.0.1", vehicle.port + 20001))
    vehicle.until(lambda: mav.px4ext.runnedTime == 7.5)
    mav.EndTrueDataLoop()
    vehicle.say("HIL_ACTUATOR_CONTROLS", flags=TRUTH, mode=1, controls=[9.0] * 16)
    vehicle.until(lambda: mav.truePosNED == [9, 9, 9])
    mav.endMavLoop()


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("ATTITUDE", {"roll": NAN}),
    ("ATTITUDE", {"yawspeed": math.inf}),
    ("ATTITUDE_QUATERNION", {"q1": NAN}),
    ("LOCAL_POSITION_NED", {"x": 7.0, "vz": NAN}),
    ("HOME_POSITION", {"latitude": 950000000}),
    ("GLOBAL_POSITION_INT", {"lon": 1850000000}),
    ("HIGHRES_IMU", {"xacc": -math.inf}),
    ("ATTITUDE_TARGET", {"thrust": NAN, "q": [1, 0, 0, 0]}),
    ("HIL_ACTUATOR_CONTROLS", {"flags": TRUTH, "controls": [NAN] * 16}),
    ("HIL_ACTUATOR_CONTROLS", {"flags": 0, "controls": [NAN] * 16}),
]


@pytest.mark.parametrize(("name", "fields"), IMPOSSIBLE)
def test_impossible_numbers_are_counted_and_dropped(
    vehicle: Any, linked: Linked, name: str, fields: dict[str, Any]
) -> None:
    mav = linked()
    vehicle.say("LOCAL_POSITION_NED", x=1.0, y=2.0, z=-3.0, vx=4.0)
    vehicle.until(lambda: mav.uavPosNED == [1, 2, -3])
    vehicle.say(name, **fields)
    vehicle.until(lambda: mav.link_counts["rejected"] == 1)
    assert mav.uavPosNED == [1, 2, -3]
    assert mav.uavVelNED == [4, 0, 0]
    numbers = [*mav.uavAngEular, *mav.uavAngRate, *mav.uavAngQuatern, *mav.uavAccB, mav.uavThrust]
    assert all(map(math.isfinite, [*numbers, *mav.truePosNED, *mav.uavMotorRPMS]))
    assert mav.uavPosGPSHome[2] == 50.0


def test_before_a_message_all_is_zero(vehicle: Any) -> None:
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitMavLoop()
    assert mav.uavPosGPS == [0] * 9
    assert mav.uavMag == mav.uavVibr == mav.uavGyro == [0] * 3
    assert mav.batInfo == [0, 0]
    assert (mav.isArmed, mav.system_status, mav.isPX4Ekf3DFixed) == (False, 0, False)
    assert mav.uavMsg == 0
    mav.endMavLoop()
