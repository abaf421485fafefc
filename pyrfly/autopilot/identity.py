"""What a vehicle says it is: AUTOPILOT_VERSION, PROTOCOL_VERSION, MAV_TYPE."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.flight_modes import MODES
from pyrfly.autopilot.reply import Reply
from pyrfly.mavlink.constants import Capability
from pyrfly.sim import Sim
from pyrfly.sim.px4_identity import px4_type

__all__ = ["autopilot_version", "available_modes", "protocol_version", "vehicle_types"]

_VERSION = 1 << 24 | 16 << 16 | 1 << 8 | 255
"""PX4 v1.16.1, a release."""

_MAKER, _UID2_BYTES = b"pyrfly", 18
"""How the identifier of a hardware begins, and its length."""

_CAPABILITIES = (
    Capability.MISSION_FLOAT
    | Capability.PARAM_FLOAT
    | Capability.MISSION_INT
    | Capability.COMMAND_INT
    | Capability.PARAM_ENCODE_BYTEWISE
    | Capability.SET_ATTITUDE_TARGET
    | Capability.SET_POSITION_TARGET_LOCAL_NED
    | Capability.FLIGHT_TERMINATION
    | Capability.MAVLINK2
    | Capability.MISSION_FENCE
    | Capability.MISSION_RALLY
)
"""Those of PX4 v1.16.1 without its file transfer."""


def vehicle_types(sim: Sim) -> NDArray[np.uint8]:
    """Return MAV_TYPE of every vehicle, shape (n,)."""
    return np.concatenate([np.full(group.n, px4_type(group), np.uint8) for group in sim.groups])


def autopilot_version(number: int) -> Reply:
    """Return AUTOPILOT_VERSION of PX4 v1.16.1, its hardware that of a vehicle with a number."""
    return Reply(
        "AUTOPILOT_VERSION",
        {
            "capabilities": int(_CAPABILITIES),
            "flight_sw_version": _VERSION,
            "middleware_sw_version": _VERSION,
            "uid": number,
            "uid2": tuple(_MAKER + number.to_bytes(_UID2_BYTES - len(_MAKER), "big")),
        },
    )


def protocol_version() -> Reply:
    """Return PROTOCOL_VERSION: MAVLink 2, and 1 is understood."""
    return Reply("PROTOCOL_VERSION", {"version": 200, "min_version": 100, "max_version": 200})


@functools.cache
def available_modes(index: int) -> tuple[Reply, ...]:
    """Return AVAILABLE_MODES of one mode, numbered from 1, or of all of them for 0."""
    rows = list(enumerate(MODES.items(), start=1))
    return tuple(
        Reply(
            "AVAILABLE_MODES",
            {
                "number_modes": len(rows),
                "mode_index": number,
                "standard_mode": int(row.standard),
                "custom_mode": int(mode),
                "properties": row.properties,
                "mode_name": row.name,
            },
        )
        for number, (mode, row) in rows
        if index in (0, number)
    )
