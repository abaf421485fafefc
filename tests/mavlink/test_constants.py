"""Numbers against pymavlink's enumerations."""

from __future__ import annotations

from enum import IntEnum

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import constants

PREFIXES = {
    "VehicleType": "MAV_TYPE_",
    "Autopilot": "MAV_AUTOPILOT_",
    "SystemState": "MAV_STATE_",
    "ModeFlag": "MAV_MODE_FLAG_",
    "Capability": "MAV_PROTOCOL_CAPABILITY_",
    "Result": "MAV_RESULT_",
    "LandedState": "MAV_LANDED_STATE_",
    "VtolState": "MAV_VTOL_STATE_",
    "FailureUnit": "FAILURE_UNIT_",
    "FailureType": "FAILURE_TYPE_",
    "GpsFix": "GPS_FIX_TYPE_",
    "Severity": "MAV_SEVERITY_",
    "ParamType": "MAV_PARAM_TYPE_",
    "MissionType": "MAV_MISSION_TYPE_",
    "MissionResult": "MAV_MISSION_",
}

# What the common messages call otherwise than pymavlink, which keeps old names.
RENAMED = {
    "GPS_FIX_TYPE_FIX_2D": "GPS_FIX_TYPE_2D_FIX",
    "GPS_FIX_TYPE_FIX_3D": "GPS_FIX_TYPE_3D_FIX",
}

# What pymavlink lacks [@mavlink-c common.h].
MORE = {
    "Result": {"CANCELLED": 6},
    "StandardMode": {
        "NON_STANDARD": 0,
        "POSITION_HOLD": 1,
        "ORBIT": 2,
        "CRUISE": 3,
        "ALTITUDE_HOLD": 4,
        "SAFE_RECOVERY": 5,
        "MISSION": 6,
        "LAND": 7,
        "TAKEOFF": 8,
    },
    "ModeProperty": {"ADVANCED": 1, "NOT_USER_SELECTABLE": 2, "AUTO_MODE": 4},
}

MEMBERS = [
    member
    for name in constants.__all__
    if name != "MAVLINK_VERSION"
    for member in getattr(constants, name)
]


def expected(member: IntEnum) -> int:
    kind = type(member).__name__
    if member.name in MORE.get(kind, {}):
        return MORE[kind][member.name]
    name = PREFIXES[kind] + str(member.name)
    return int(getattr(common, RENAMED.get(name, name)))


@pytest.mark.parametrize("kind", [*PREFIXES, "StandardMode", "ModeProperty"])
def test_numbers_are_those_of_mavlink(kind: str) -> None:
    members = list(getattr(constants, kind))
    assert len(members) >= 2
    assert [int(m) for m in members] == [expected(m) for m in members]


def test_all_enumerations_are_tested() -> None:
    assert {type(m).__name__ for m in MEMBERS} == PREFIXES.keys() | MORE.keys()


def test_version_is_that_of_pymavlink_heartbeats() -> None:
    sent: list[bytes] = []
    link = common.MAVLink(None)
    link.file = type("File", (), {"write": lambda _, data: sent.append(data)})()
    link.heartbeat_send(2, 12, 0, 0, 0)
    (message,) = common.MAVLink(None).parse_buffer(sent[0])
    assert message.mavlink_version == constants.MAVLINK_VERSION
