"""Methods in MAVLink modes: the message of each that arrives, as RflySim's client sends it.

The tables are those of RflySim's interface [@rfly-sdk] and of MAVLink [@mavlink], in numbers.
"""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.methods import commands, offboard
from pyrfly.ctrl.vendor_types import AttTypeMask, PosTypeMask

NAN = math.nan
HOME_LAT, HOME_LON, HOME_ALT = 40.1540302, 116.2593683, 50.0

Linked = Callable[..., PX4MavCtrler]


@pytest.fixture(scope="module")
def tracked(stand_in: Any) -> Iterator[tuple[Any, PX4MavCtrler]]:
    """Return a stand-in and its controller in offboard, for all set-points."""
    vehicle = stand_in()
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitMavLoop(2)
    vehicle.introduce(mav)
    mav.initOffboard2()
    yield vehicle, mav
    mav.endMavLoop()
    vehicle.close()


@pytest.fixture(scope="module")
def known(stand_in: Any) -> Iterator[tuple[Any, PX4MavCtrler]]:
    """Return a stand-in and its controller outside offboard, for all commands."""
    vehicle = stand_in()
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitMavLoop(2)
    vehicle.introduce(mav)
    yield vehicle, mav
    mav.endMavLoop()
    vehicle.close()


def agrees(fields: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Return whether a message has the expected fields, to float32."""
    return all(
        np.allclose(fields[name], value, rtol=1e-6, atol=1e-6, equal_nan=True)
        if not isinstance(value, (str, bytes))
        else fields[name] == value
        for name, value in expected.items()
    )


def local(frame: int, mask: int, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Return SET_POSITION_TARGET_LOCAL_NED; what is not given is 0."""
    names = "x y z vx vy vz afx afy afz yaw yaw_rate".split()
    whole = dict.fromkeys(names, 0.0) | fields
    return "SET_POSITION_TARGET_LOCAL_NED", {"coordinate_frame": frame, "type_mask": mask, **whole}


def attitude(mask: int, q: Any, rate: Any, thrust: float) -> tuple[str, dict[str, Any]]:
    names = ("body_roll_rate", "body_pitch_rate", "body_yaw_rate")
    rates = dict(zip(names, rate, strict=True))
    return "SET_ATTITUDE_TARGET", {"type_mask": mask, "q": list(q), "thrust": thrust, **rates}


def command(number: int, *params: float) -> tuple[str, dict[str, Any]]:
    padded = [*params, *[0.0] * (7 - len(params))]
    fields = {f"param{i}": value for i, value in enumerate(padded, 1)}
    return "COMMAND_LONG", {"command": number, "confirmation": 0, **fields}


def parameter(name: str, value: float, kind: int = 9) -> tuple[str, dict[str, Any]]:
    return "PARAM_SET", {"param_id": name, "param_value": value, "param_type": kind}


def int_bits(value: int) -> float:
    return float(struct.unpack("<f", struct.pack("<i", value))[0])


# Masks by EnList = [pos, vel, acc, force, yaw, yawrate], whose bits are what does not count:
# 7, 7 << 3, 7 << 6, 1 << 9, 1 << 10, 1 << 11.
POS, VEL, ACC, FORCE, YAW, YAW_RATE = 7, 7 << 3, 7 << 6, 1 << 9, 1 << 10, 1 << 11
VELOCITY_MASK = POS | ACC | FORCE | YAW
POSITION_MASK = VEL | ACC | FORCE | YAW_RATE
ACC_MASK = POS | VEL
LOCAL, BODY, GLOBAL = 1, 8, 5

HALF = math.sqrt(0.5)
MASK = PosTypeMask(ignore_all=True)
MASK.enPos_x = MASK.enVel_y = MASK.enYaw = True
ATT_MASK = AttTypeMask()
ATT_MASK.enYawRate = True

# Calls, and the message that is repeated from then on.
SET_POINTS: list[tuple[str, tuple[Any, ...], tuple[str, dict[str, Any]]]] = [
    ("SendVelNED", (1, 2, -3, 0.5), local(LOCAL, VELOCITY_MASK, vx=1, vy=2, vz=-3, yaw_rate=0.5)),
    ("SendVelNED", (), local(LOCAL, VELOCITY_MASK, vx=NAN, vy=NAN, vz=NAN, yaw_rate=NAN)),
    ("SendVelNEDNoYaw", (1, 2, -3), local(LOCAL, VELOCITY_MASK | YAW_RATE, vx=1, vy=2, vz=-3)),
    ("SendVelFRD", (1, 2, -3, 0.5), local(BODY, VELOCITY_MASK, vx=1, vy=2, vz=-3, yaw_rate=0.5)),
    ("SendVelNoYaw", (1, 2, -3), local(BODY, VELOCITY_MASK | YAW_RATE, vx=1, vy=2, vz=-3)),
    ("SendPosNED", (1, 2, -3, 0.5), local(LOCAL, POSITION_MASK, x=1, y=2, z=-3, yaw=0.5)),
    ("SendPosNED", (1,), local(LOCAL, POSITION_MASK, x=1, y=NAN, z=NAN, yaw=NAN)),
    ("SendPosNEDNoYaw", (1, 2, -3), local(LOCAL, POSITION_MASK | YAW, x=1, y=2, z=-3)),
    ("SendPosFRD", (1, 2, -3, 0.5), local(BODY, POSITION_MASK, x=1, y=2, z=-3, yaw=0.5)),
    ("SendPosFRDNoYaw", (1, 2, -3), local(BODY, POSITION_MASK | YAW, x=1, y=2, z=-3)),
    *(
        ("SendPosNEDExt", (1, 2, -3, mode), local(LOCAL, mask, x=1, y=2, z=-3))
        for mode, mask in enumerate((292, 4096, 8192, 12288, 16384))
    ),
    ("SendPosNEDExt", (1, 2, -3, 3, False), local(BODY, 12288, x=1, y=2, z=-3)),
    ("SendAccPX4", (1, 2, -3), local(LOCAL, ACC_MASK | YAW | YAW_RATE, afx=1, afy=2, afz=-3)),
    (
        "SendAccPX4",
        (1, 2, -3, 0.5, 1),
        local(LOCAL, ACC_MASK | YAW_RATE, afx=1, afy=2, afz=-3, yaw=0.5),
    ),
    (
        "SendAccPX4",
        (1, 2, -3, 0.5, 2, 1),
        local(BODY, ACC_MASK | YAW, afx=1, afy=2, afz=-3, yaw_rate=0.5),
    ),
    ("SendAttPX4", ([0, 0, 90], 0.4, 0), attitude(7, (HALF, 0, 0, HALF), (0, 0, 0), 0.4)),
    (
        "SendAttPX4",
        ([math.pi / 2, 0, 0], 0.4, 1),
        attitude(7, (HALF, HALF, 0, 0), (0, 0, 0), 0.4),
    ),
    ("SendAttPX4", ([0.6, 0, 0.8, 0], 0.4, 2), attitude(7, (0.6, 0, 0.8, 0), (0, 0, 0), 0.4)),
    ("SendAttPX4", ([1, 2, 3], 0.4, 3), attitude(128, (1, 0, 0, 0), (1, 2, 3), 0.4)),
    (
        "SendAttPX4",
        ([180, 0, -90], 0.4, 4),
        attitude(128, (1, 0, 0, 0), (math.pi, 0, -math.pi / 2), 0.4),
    ),
    (
        "SendOffAll",
        (MASK, 1, [1, 2, 3], [4, 5, 6], [7, 8, 9], 0.5, 0.25),
        local(
            LOCAL, 0b100111101110, x=1, y=2, z=3, vx=4, vy=5, vz=6, afx=7, afy=8, afz=9, yaw=0.5,
            yaw_rate=0.25,
        ),
    ),
    ("SendOffAll", (0xFFF, 9, [1, 2, 3]), local(9, 0xFFF, x=1, y=2, z=3)),
    (
        "SendAttAll",
        (ATT_MASK, [0.6, 0, 0.8, 0], [1, 2, 3], 0.7),
        attitude(0b011, (0.6, 0, 0.8, 0), (1, 2, 3), 0.7),
    ),
    ("SendAttAll", (0b1100111, [1, 0, 0, 0]), attitude(0b1100111, (1, 0, 0, 0), (0, 0, 0), 0.0)),
]  # fmt: skip

# Latitude and longitude in 1e-7 deg, altitude [m] up.
GLOBAL_SET_POINTS = [
    ((40.15, 116.25, 80), {"type_mask": POSITION_MASK | YAW, "yaw": 0, "yaw_rate": 0}),
    ((40.15, 116.25, 80, 0.5, 1), {"type_mask": POSITION_MASK, "yaw": 0.5, "yaw_rate": 0}),
    (
        (40.15, 116.25, 80, 0.5, 2),
        {"type_mask": VEL | ACC | FORCE | YAW, "yaw": 0, "yaw_rate": 0.5},
    ),
]


def test_set_points_are_repeated_as_rflysims_client_sends_them(
    tracked: tuple[Any, PX4MavCtrler],
) -> None:
    vehicle, mav = tracked
    for method, arguments, (name, fields) in SET_POINTS:
        getattr(mav, method)(*arguments)
        for _ in range(2):
            found = vehicle.next(name, lambda m, expected=fields: agrees(m, expected))
            assert (found.target_system, found.target_component) == (1, 1)


def be(vehicle: Any, mav: PX4MavCtrler, kind: int) -> None:
    """Let the stand-in be a vehicle of a MAV_TYPE, and its controller know it."""
    vehicle.beat(type=kind)
    vehicle.until(lambda: mav._link.instruments.hovers == (kind != 1))  # type: ignore[attr-defined]


CODED = [
    ((12, 0.5, -80), {"x": 0, "y": 0, "z": -80, "vx": 0.5, "vy": 12, "yaw": 0.5}),
    ((12, 0, -80), {"z": -80, "vx": 6.28, "vy": 12, "yaw": 6.28}),
]
ALONG = {"z": -4, "vx": 2 * math.cos(0.5), "vy": 2 * math.sin(0.5), "yaw": 0.5}


@pytest.mark.parametrize(
    ("kind", "arguments", "mask", "fields"),
    [
        *((1, *row[:1], 448, row[1]) for row in CODED),
        (2, (2, 0.5, -4), 0b100111100011, ALONG),
        (13, (2, 0.5, -4), 0b100111100011, ALONG),
    ],
)
def test_a_speed_at_a_height_is_coded_for_planes_and_plain_for_multirotors(
    tracked: tuple[Any, PX4MavCtrler], kind: int, arguments: Any, mask: int, fields: dict[str, Any]
) -> None:
    """PX4's multirotors take position and velocity by axes, and not RflySim's coding."""
    vehicle, mav = tracked
    be(vehicle, mav, kind)
    mav.SendVelYawAlt(*arguments)
    expected = {"coordinate_frame": LOCAL, "type_mask": mask, **fields}
    vehicle.next("SET_POSITION_TARGET_LOCAL_NED", lambda m: agrees(m, expected))


class TestLanding:
    """sendMavLand: PX4's own command lands where the vehicle is."""

    PLACE = (401540302 + 1000, 1162593683, 55_000)  # some 11 m north of home, 1e-7 deg and mm

    def say(self, vehicle: Any, lat: int, vx: float = 0.0) -> None:
        _, lon, alt = self.PLACE
        vehicle.say("GLOBAL_POSITION_INT", lat=lat, lon=lon, alt=alt)
        vehicle.say("LOCAL_POSITION_NED", vx=vx)

    def send_there(self, vehicle: Any, mav: PX4MavCtrler) -> None:
        """Command a multirotor that is at home to land."""
        be(vehicle, mav, 2)
        lat, lon, _ = self.PLACE
        self.say(vehicle, lat - 1000)
        vehicle.until(lambda: abs(mav.uavPosGPS[0] - (lat - 1000) * 1e-7) < 1e-8)
        mav.sendMavLandGPS(lat * 1e-7, lon * 1e-7, 0)

    def test_a_multirotor_flies_there_first(self, tracked: tuple[Any, PX4MavCtrler]) -> None:
        vehicle, mav = tracked
        self.send_there(vehicle, mav)
        lat, lon, alt = self.PLACE
        message = vehicle.next("COMMAND_INT")
        assert (message.command, message.param2, message.x, message.y) == (192, 1, lat, lon)
        assert message.z == pytest.approx(alt / 1e3)
        self.say(vehicle, lat, vx=1.0)  # there, and not at rest
        vehicle.until(lambda: mav.uavVelNED[0] == 1.0)
        time.sleep(0.5)
        vehicle.hear()
        assert not [str(m) for _, m in vehicle.came if getattr(m, "command", 0) == 21]
        self.say(vehicle, lat)
        assert vehicle.next("COMMAND_LONG", lambda m: m["command"] == 21).param7 == 0

    def test_another_command_ends_the_approach(self, tracked: tuple[Any, PX4MavCtrler]) -> None:
        vehicle, mav = tracked
        self.send_there(vehicle, mav)
        lat, _, _ = self.PLACE
        mav.SendSetMode(6)
        self.say(vehicle, lat)
        vehicle.until(lambda: mav.uavPosGPS[0] == pytest.approx(lat * 1e-7, abs=1e-9))
        time.sleep(0.5)
        vehicle.hear()
        assert not [str(m) for _, m in vehicle.came if getattr(m, "command", 0) == 21]

    def test_a_plane_lands_as_px4_does(self, tracked: tuple[Any, PX4MavCtrler]) -> None:
        vehicle, mav = tracked
        be(vehicle, mav, 1)
        lat, lon, _ = self.PLACE
        self.say(vehicle, lat - 1000)
        mav.sendMavLandGPS(lat * 1e-7, lon * 1e-7, 0)
        assert vehicle.next("COMMAND_LONG", lambda m: m["command"] == 21)


@pytest.mark.parametrize(("arguments", "fields"), GLOBAL_SET_POINTS)
def test_global_set_points_are_integers(
    tracked: tuple[Any, PX4MavCtrler], arguments: tuple[float, ...], fields: dict[str, Any]
) -> None:
    vehicle, mav = tracked
    mav.SendPosGlobal(*arguments)
    place = {"coordinate_frame": GLOBAL, "lat_int": 401500000, "lon_int": 1162500000, "alt": 80}
    others = dict.fromkeys("vx vy vz afx afy afz".split(), 0.0)
    expected = {**place, **others, **fields}
    vehicle.next("SET_POSITION_TARGET_GLOBAL_INT", lambda m: agrees(m, expected))


def test_set_points_carry_the_time_since_the_start(tracked: tuple[Any, PX4MavCtrler]) -> None:
    vehicle, mav = tracked
    mav.SendVelNED(0.5, 0, 0, 0)
    name, accept = "SET_POSITION_TARGET_LOCAL_NED", lambda m: m["vx"] == 0.5
    vehicle.drain()
    first, begin = vehicle.next(name, accept), time.monotonic()
    time.sleep(0.3)
    vehicle.drain()
    passed = vehicle.next(name, accept).time_boot_ms - first.time_boot_ms
    assert 200 < passed < 1000 * (time.monotonic() - begin) + 200


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("sendMavOffboardCmd", (POSITION_MASK, 1, 1, 2, -3, 0, 0, 0, 0, 0, 0, 0.5, 0)),
        ("sendMavOffboardAPI", (POSITION_MASK, 1, [1, 2, -3], [0] * 3, [0] * 3, 0.5, 0)),
    ],
)
def test_a_single_set_point_is_sent_once(
    known: tuple[Any, PX4MavCtrler], method: str, arguments: tuple[Any, ...]
) -> None:
    vehicle, mav = known
    vehicle.drain()
    getattr(mav, method)(*arguments)
    name, fields = local(LOCAL, POSITION_MASK, x=1, y=2, z=-3, yaw=0.5)
    vehicle.next(name, lambda m: agrees(m, fields))
    time.sleep(0.05)
    vehicle.hear()
    assert name not in {message.get_type() for _, message in vehicle.came}


RIGHT, DOWN_10 = 11.0, -10.0
PER_DEGREE = math.pi / 180 * 6381372  # m, of RflySim's sphere
NORTH_20 = HOME_LAT + 20 / PER_DEGREE
EAST_11 = HOME_LON + RIGHT / PER_DEGREE / math.cos(math.radians(HOME_LAT))

# Calls, and what they send once. Latitude and longitude are float32: to 8e-6 deg.
COMMANDS: list[tuple[str, tuple[Any, ...], tuple[str, dict[str, Any]]]] = [
    ("SendMavArm", (), command(400, 1)),
    ("SendMavArm", (0,), command(400, 0, 21196)),
    (
        "sendMavTakeOff",
        (20, RIGHT, DOWN_10, math.pi / 2, math.pi / 6),
        command(22, 30, 0, 0, 90, NORTH_20, EAST_11, HOME_ALT + 10),
    ),
    ("sendMavTakeOff", (), command(22, 0, 0, 0, 0, HOME_LAT, HOME_LON, HOME_ALT)),
    ("sendMavTakeOffLocal", (1, 2, -3, 0.5, 0.25, 4), command(24, 0.25, 0, 4, 0.5, 2, 1, -3)),
    ("sendMavTakeOffLocal", (), command(24, 0, 0, 2, 0, 0, 0, 0)),
    ("sendMavTakeOffGPS", (40.15, 116.25, 70), command(22, 15, 0, 0, 0, 40.15, 116.25, 70)),
    (
        "sendMavTakeOffGPS",
        (40.15, 116.25, 70, 90, 10),
        command(22, 10, 0, 0, 90, 40.15, 116.25, 70),
    ),
    ("sendMavLand", (20, RIGHT, -1), command(21, 0, 0, 0, 0, NORTH_20, EAST_11, HOME_ALT + 1)),
    ("sendMavLandGPS", (40.15, 116.25, 55), command(21, 0, 0, 0, 0, 40.15, 116.25, 55)),
    ("SendSetMode", (4, 3), command(176, 33, 4, 3)),
    ("SendSetMode", (1,), command(176, 33, 1, 0)),
    ("endOffboard", (), command(92, 0)),
    ("SendMavCmdLong", (511, 1, 2, 3, 4, 5, 6, 7), command(511, 1, 2, 3, 4, 5, 6, 7)),
    ("SendMavCmdLong", (192, -1, 1, NAN, NAN), command(192, -1, 1, NAN, NAN)),
    ("enFixedWRWTO", (), parameter("RWTO_TKOFF", int_bits(1), 6)),
    ("SendCruiseSpeed", (12,), parameter("FW_AIRSPD_TRIM", 12)),
    ("SendCruiseRadius", (80,), parameter("NAV_LOITER_RAD", 80)),
    ("SendCopterSpeed", (4.5,), parameter("MPC_XY_VEL_MAX", 4.5)),
    ("SendGroundSpeed", (3,), parameter("GND_SPEED_TRIM", 3)),
    ("sendMavSetParam", (b"MPC_Z_P", 1.25, 9), parameter("MPC_Z_P", 1.25)),
    ("sendMavSetParam", ("SYS_HITL", 1, 6), parameter("SYS_HITL", int_bits(1), 6)),
    ("sendMavSetParam", (b"A_NEW_ONE", int_bits(-7), 6), parameter("A_NEW_ONE", int_bits(-7), 6)),
    *(
        (
            "SendHILCtrlMsg",
            (list(range(16)), idx, 5),
            (
                "HIL_ACTUATOR_CONTROLS",
                {"controls": list(range(16)), "mode": mode, "flags": 5},
            ),
        )
        for idx, mode in ((0, 1), (1, 101), (2, 201))
    ),
    ("SendHILCtrlMsg", (), ("HIL_ACTUATOR_CONTROLS", {"controls": [0] * 16, "flags": 1})),
    ("SendHILCtrlMsg1", (), ("DEBUG_VECT", {"x": 1100, "y": 1500, "z": 1700})),
    (
        "SendVisionPosition",
        (1, 2, -3, 0.5),
        ("VISION_POSITION_ESTIMATE", {"x": 1, "y": 2, "z": -3, "roll": 0, "pitch": 0, "yaw": 0.5}),
    ),
    (
        "SendHILGps",
        (),
        (
            "HIL_GPS",
            {
                "lat": 401540302, "lon": 1162593683, "alt": 50000, "eph": 30, "epv": 40,
                "fix_type": 3, "satellites_visible": 15, "vel": 0,
            },
        ),
    ),
    (
        "SendHILGps",
        (40.15, 116.25, 60, 5, 3, -4, 1, -90, 123456, 0.5, 0.6, 2, 7),
        (
            "HIL_GPS",
            {
                "lat": 401500000, "lon": 1162500000, "alt": 60000, "vel": 500, "vn": 300,
                "ve": -400, "vd": 100, "cog": 27000, "time_usec": 123456, "eph": 50, "epv": 60,
                "fix_type": 2, "satellites_visible": 7,
            },
        ),
    ),
    (
        "SendRcOverride",
        (),
        (
            "RC_CHANNELS_OVERRIDE",
            {
                f"chan{i}_raw": pulse
                for i, pulse in enumerate((1500, 1500, 1100, 1500, 1100, 1100, 1500, 1500), 1)
            },
        ),
    ),
    (
        "SendRcOverride",
        (1, 2, 3, 4, 5, 6, 7, 8),
        ("RC_CHANNELS_OVERRIDE", {f"chan{i}_raw": i for i in range(1, 9)}),
    ),
    (
        "sendMavManualCtrl",
        (1000, -1000, 500, 250),
        ("MANUAL_CONTROL", {"x": 1000, "y": -1000, "z": 500, "r": 250, "buttons": 0, "target": 1}),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("method", "arguments", "message"), COMMANDS, ids=lambda v: str(v)[:40])
def test_commands_are_rflysims_messages(
    known: tuple[Any, PX4MavCtrler],
    method: str,
    arguments: tuple[Any, ...],
    message: tuple[str, dict[str, Any]],
) -> None:
    vehicle, mav = known
    name, fields = message
    vehicle.drain()
    getattr(mav, method)(*arguments)
    found = vehicle.next(name)
    for field, value in fields.items():
        got = getattr(found, field)
        if isinstance(value, str):
            assert got == value
        else:
            assert got == pytest.approx(value, rel=1e-7, nan_ok=True), field
    assert (found.get_srcSystem(), found.get_srcComponent()) == (255, 0)


def test_hil_gps_has_the_present_time_without_one(known: tuple[Any, PX4MavCtrler]) -> None:
    vehicle, mav = known
    mav.SendHILGps()
    assert vehicle.next("HIL_GPS").time_usec == pytest.approx(time.time() * 1e6, abs=5e6)


def test_a_maximum_speed_is_a_parameter(known: tuple[Any, PX4MavCtrler]) -> None:
    vehicle, mav = known
    mav.MaxSpeed = 7.5
    expected = parameter("MPC_XY_VEL_MAX", 7.5)[1]
    vehicle.next("PARAM_SET", lambda m: agrees(m, expected))
    assert mav.MaxSpeed == 7.5


def test_messages_beside_mavlink_go_to_their_ports(
    known: tuple[Any, PX4MavCtrler], bound_port: Any
) -> None:
    vehicle, mav = known
    ground_station = bound_port(vehicle.port - 20100 + 18570)
    model = bound_port(vehicle.port + 10000)
    mav.SendQgcCmdLong(400, 1, 2)
    (message,) = common.MAVLink(None).parse_buffer(ground_station.recv(2000))
    assert (message.command, message.param1, message.param2) == (400, 1, 2)
    mav.sendSILIntFloat(range(8), range(20))
    assert struct.unpack("<10i20f", model.recv(2000)) == (1234567897, 1, *range(8), *range(20))
    mav.sendPX4UorbRflyCtrl(range(16), 101, 7)
    uorb = (1234567896, 1, 101, 7, *range(16))
    assert struct.unpack("<2i2I16f", model.recv(2000)) == uorb
    mav.TakeoffSyn(-5)
    assert struct.unpack("<10i20f", model.recv(2000))[2] & 1 << 8
    short = struct.pack("<2i4f", 1234567890, 2, 1, 2, -3, 0.5)
    vehicle.drain()
    raw: list[bytes] = []
    vehicle.socket.settimeout(1.0)
    for send in (
        lambda: mav.sendUDPSimpData(2, [1, 2, -3, 0.5]),
        lambda: mav.sendRebootPix(1, 2),
        lambda: mav.SendBuf(b"12345678"),
    ):
        send()
        raw.append(b"\xfd")
        while raw[-1][0] == 0xFD:  # a heartbeat
            raw[-1] = vehicle.socket.recv(2000)
    assert raw == [short, struct.pack("<2i", 987654321, 2), b"12345678"]


# --- sequences


def names_of(vehicle: Any, quiet: float = 0.25) -> list[tuple[float, str]]:
    """Return times and names of what has come: commands with their number, no heartbeats."""
    end = time.monotonic() + quiet
    vehicle.hear()
    while time.monotonic() < end:
        vehicle.hear()
    found = []
    for moment, message in vehicle.came:
        name = message.get_type()
        if name == "COMMAND_LONG":
            numbers = (message.command, message.param1, message.param2, message.param3)
            name = " ".join(f"{number:g}" for number in numbers)
        elif name == "PARAM_SET":
            (bits,) = struct.unpack("<i", struct.pack("<f", message.param_value))
            name = f"{message.param_id} {bits} {message.param_type}"
        if name != "HEARTBEAT":
            found.append((moment, name))
    vehicle.came.clear()
    return found


FAILSAFES = ["NAV_RCL_ACT 0 6", "NAV_DLL_ACT 0 6", "COM_RCL_EXCEPT 4 6"]
LOITER, OFFBOARD, ARM = "176 33 4 3", "176 33 6 0", "400 1 0 0"
SET_POSITION, SET_ATTITUDE = "SET_POSITION_TARGET_LOCAL_NED", "SET_ATTITUDE_TARGET"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "sequence", "set_point"),
    [
        (
            "initOffboard",
            [LOITER, 0.5, *FAILSAFES, 0.2, ARM, 0.1, OFFBOARD, 0.1, OFFBOARD],
            SET_POSITION,
        ),
        (
            "initOffboardAcc",
            [LOITER, 0.5, *FAILSAFES, 0.2, ARM, *[0.1, OFFBOARD] * 3],
            SET_POSITION,
        ),
        (
            "initOffboardAtt",
            [LOITER, 0.5, *FAILSAFES, 0.2, ARM, 0.1, OFFBOARD, 0.1, OFFBOARD],
            SET_ATTITUDE,
        ),
        ("initOffboard2", [*FAILSAFES, 0.2, ARM, 0.1, OFFBOARD, 0.1, OFFBOARD], SET_POSITION),
    ],
)
def test_offboard_begins_in_rflysims_order_and_time(
    vehicle: Any,
    linked: Linked,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    sequence: list[str | float],
    set_point: str,
) -> None:
    monkeypatch.undo()  # of `short_pauses`
    mav = linked()
    vehicle.drain()
    came: list[str | float] = []

    def sleep(seconds: float) -> None:
        came.extend(name for _, name in names_of(vehicle, seconds))
        came.append(seconds)

    monkeypatch.setattr(offboard, "time", SimpleNamespace(sleep=sleep))
    getattr(mav, method)()
    came.extend(name for _, name in names_of(vehicle, 0.0))
    assert [what for what in came if what != set_point] == sequence
    before = came[: came.index(ARM)]
    assert before.count(set_point) >= 2  # PX4 wants a stream before it changes to OFFBOARD
    if 0.5 in before:
        assert set_point not in before[: before.index(0.5)]
    assert mav.isInOffboard


def test_offboard_begins_at_rest(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    mav.SendVelNED(3, 0, 0, 0)
    mav.initOffboard()
    name, fields = local(LOCAL, VELOCITY_MASK)
    vehicle.next(name, lambda m: agrees(m, fields))
    mav.initOffboardAcc()
    name, fields = local(LOCAL, ACC_MASK | YAW)
    vehicle.next(name, lambda m: agrees(m, fields))
    mav.initOffboardAtt()
    name, fields = attitude(7, (1, 0, 0, 0), (0, 0, 0), 0.11)
    vehicle.next(name, lambda m: agrees(m, fields))


def test_an_armed_vehicle_is_not_armed_again(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    vehicle.beat(base_mode=128 + 29)
    vehicle.until(lambda: mav.isArmed)
    vehicle.drain()
    mav.initOffboard2()
    assert ARM not in {name for _, name in names_of(vehicle, 0.0)}


def test_the_end_of_offboard_ends_the_set_points(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    mav.initOffboard2()
    vehicle.drain()
    mav.endOffboard()
    vehicle.next("COMMAND_LONG", lambda m: m["command"] == 92 and m["param1"] == 0)
    assert SET_POSITION not in {name for _, name in names_of(vehicle, 0.1)}
    assert not mav.isInOffboard
    mav.initOffboard2()
    mav.isInOffboard = False
    vehicle.drain()
    assert SET_POSITION not in {name for _, name in names_of(vehicle, 0.1)}


@pytest.mark.parametrize(("alt", "sets"), [(-12, 2), (0, 0)])
def test_take_off_by_mode(vehicle: Any, linked: Linked, alt: float, sets: int) -> None:
    mav = linked()
    vehicle.drain()
    mav.sendTakeoffMode(alt)
    (bits,) = struct.unpack("<i", struct.pack("<f", 12.0))
    expected = [*[f"MIS_TAKEOFF_ALT {bits} 9"] * sets, "176 33 4 2", ARM]
    assert [name for _, name in names_of(vehicle, 0.05)] == expected


@pytest.mark.realtime
@pytest.mark.parametrize(("mode", "rate"), [(2, 100.0), (3, 30.0), (4, 30.0), (5, 100.0)])
def test_set_points_come_at_rflysims_rate(
    vehicle: Any, linked: Linked, mode: int, rate: float
) -> None:
    mav = linked(mode)
    mav.initOffboard2()
    vehicle.drain()
    came = [t for t, name in names_of(vehicle, 2.0) if name == SET_POSITION]
    assert len(came) / 2.0 == pytest.approx(rate, rel=0.1)


def test_the_remote_control_is_repeated(vehicle: Any, linked: Linked) -> None:
    mav = linked()
    mav.initRCSendLoop(50)
    first = {"chan1_raw": 1500, "chan3_raw": 1100, "chan5_raw": 1100}
    vehicle.next("RC_CHANNELS_OVERRIDE", lambda m: agrees(m, first))
    mav.SendRCPwms([1100, 1900, 1250, 1400])
    pulses = {"chan1_raw": 1100, "chan2_raw": 1900, "chan3_raw": 1250, "chan4_raw": 1400}
    sticks = {"x": 800, "y": -800, "z": 250, "r": -200}
    for _ in range(3):
        vehicle.next("RC_CHANNELS_OVERRIDE", lambda m: agrees(m, pulses))
        vehicle.next("MANUAL_CONTROL", lambda m: agrees(m, sticks))
    assert mav.isRCLoop
    mav.endRCSendLoop()
    vehicle.drain()
    assert not names_of(vehicle, 0.1)
    assert not mav.isRCLoop


@pytest.mark.slow
def test_a_height_is_held_by_the_thrust(vehicle: Any, linked: Linked) -> None:
    """The stand-in is a point mass that hovers at thrust 0.45."""
    mav = linked()
    mav.SendAttPX4([0, 0, 0], 2, 0, 1)
    mav.initOffboard2()
    vehicle.drain()
    assert "SET_ATTITUDE_TARGET" not in {
        name for _, name in names_of(vehicle, 0.1)
    }  # no height yet
    down, velocity, dt = 0.0, 0.0, 0.02
    thrust, highest = 0.0, 0.0
    end = time.monotonic() + 20.0
    while time.monotonic() < end and not (abs(down + 2) < 0.05 and abs(velocity) < 0.05):
        vehicle.say("LOCAL_POSITION_NED", z=down, vz=velocity)
        time.sleep(dt)
        vehicle.hear()
        for _, message in vehicle.came:
            if message.get_type() == "SET_ATTITUDE_TARGET":
                thrust = message.thrust
        vehicle.came.clear()
        velocity += 9.81 * (1 - thrust / 0.45) * dt
        down = min(down + velocity * dt, 0.0)
        highest = min(highest, down)
    assert down == pytest.approx(-2.0, abs=0.1)
    assert highest > -3.0


def test_take_off_waits_for_the_home_and_says_that_there_is_none(
    vehicle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "HOME_TIME", 0.05)
    mav = PX4MavCtrler(1, first_port=vehicle.port)
    mav.InitMavLoop()
    with pytest.raises(RuntimeError, match=r"sendMavTakeOff: expected .*HOME_POSITION"):
        mav.sendMavTakeOff(0, 0, -5)
    mav.SendPosGlobal(-30.0, 20.0, 10.0)  # no distance from a take-off point that is not known
    vehicle.introduce(mav)
    mav.sendMavLand(0, 0, 0)
    assert vehicle.next("COMMAND_LONG", lambda m: m["command"] == 21).param7 == 50.0
    mav.endMavLoop()


BAD_ARGUMENTS = [
    ("SendSetMode", (4.5,), r"mainmode: expected an integer"),
    ("SendMavCmdLong", (70000,), r"command: expected 0 to 65535"),
    ("SendMavCmdLong", (400, 1e300), r"param1: expected a finite number"),
    ("SendOffAll", (70000,), r"type_mask: expected 0 to 65535"),
    ("SendAttAll", (300,), r"type_mask: expected 0 to 255"),
    ("SendVelNED", (1e300,), "vx: expected a finite number"),
    ("SendVelYawAlt", ("x",), r"vel: expected a number"),
    ("SendPosNEDExt", (0, 0, 0, 5), r"mode: expected 0 to 4"),
    ("SendHILGps", (95.0,), r"lat: expected -90 to 90"),
    ("SendHILGps", (40, 116, 1e9), r"HIL_GPS.alt: expected"),
    ("SendHILCtrlMsg", ([NAN],), r"ctrls: expected"),
    ("SendRcOverride", (-1,), r"chan1_raw: expected 0 to 65535"),
    ("SendRCPwms", ([70000],), r"Pwms: expected 0 to 10000"),
    ("sendMavManualCtrl", (40000,), r"MANUAL_CONTROL.x: expected"),
    ("sendMavSetParam", (b"A_NAME_OF_MANY_LETTERS", 1.0, 9), r"param_id: expected 1 to 16 bytes"),
    ("sendMavSetParam", (b"X", 1.0, 99), r"param_type: expected one of"),
    ("sendMavSetParam", (b"X", 2**31, 6), r"param_value: expected a value of INT32"),
    ("sendMavOffboardCmd", (0, 5, NAN, *[0] * 10), r"expected a latitude and a longitude"),
]


@pytest.mark.parametrize(("method", "arguments", "message"), BAD_ARGUMENTS)
def test_bad_arguments_are_named(
    known: tuple[Any, PX4MavCtrler], method: str, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        getattr(known[1], method)(*arguments)


def test_what_mavlink_does_not_carry_says_so(known: tuple[Any, PX4MavCtrler]) -> None:
    _, mav = known
    with pytest.raises(UnsupportedError, match="initPointMassModel: needs the vehicle in this"):
        mav.initPointMassModel()
    with pytest.raises(UnsupportedError, match="maxVelZ: "):
        _ = mav.maxVelZ
