"""State of a vehicle from the packets that its simulator sends."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.frames import LocalFrame, quaternion_of_euler
from pyrfly.wire import LAYOUTS, Parsed

__all__ = ["crash_of", "is_fixed", "update_estimate", "update_truth"]

_EKF_FIXED, _CRASH = LAYOUTS["outHILStateShort"].more_checksums
_DEG, _MM = 1e-7, 1e-3
_FIXED = 0.5  # of ekf_3d_fixed


def update_estimate(state: ReceivedState, parsed: Parsed, origin: LocalFrame) -> bool:
    """Update the state from a packet of the 20101 series; return False when it holds none.

    Parameters
    ----------
    state : ReceivedState
        Is changed: each array is replaced by a new one.
    parsed : Parsed
        The packet.
    origin : LocalFrame
        Local frame at the map centre: packets have the take-off point as latitude and longitude.
    """
    name, record = parsed
    full = name == "outHILStateData"
    if not full and record["checksum"] in (_EKF_FIXED, _CRASH):
        return False
    state.time = np.array([record["time_boot_ms"] / 1000.0 if full else time.time()])
    state.euler = _row(record["AngEular"])
    state.att = quaternion_of_euler(state.euler)
    state.local, state.vel = _row(record["localPos"]), _row(record["localVel"])
    state.home_lla = _geodetic(record["gpsHome"])
    state.home = origin.to_ned(state.home_lla)
    state.pos = state.home + state.local
    state.lla = _geodetic(record["GpsPos"]) if full else origin.to_lla(state.pos)
    return True


def is_fixed(parsed: Parsed) -> bool:
    """Return whether a 20101 packet reports that the vehicle knows its position."""
    name, record = parsed
    if name == "outHILStateData":
        return bool(record["ekf_3d_fixed"] > _FIXED)
    return bool(record["checksum"] == _EKF_FIXED)


def crash_of(parsed: Parsed) -> int | None:
    """Return the CopterID of the vehicle that was collided with, if a packet reports one."""
    name, record = parsed
    if name == "outHILStateData":
        return int(record["tg"]) if record["tg"] >= 0 else None
    if name == "outHILStateShort" and record["checksum"] == _CRASH:
        return int(record["gpsHome"][1]) if record["gpsHome"][1] >= 0 else None
    return int(record["TargetID"]) if name == "CopterSimCrash" else None


def update_truth(state: ReceivedState, parsed: Parsed) -> bool:
    """Update the state from a packet of the 30101 series; return False when it holds none."""
    name, record = parsed
    if name not in ("SOut2Simulator", "SOut2SimulatorSimpleTime", "netDataShort"):
        return False
    state.time = np.array([float(record["runnedTime"])])
    state.vehicle_type = np.array([record["vehicleType"]], np.int64)
    state.vel, state.pos = _row(record["VelE"]), _row(record["PosE"])
    state.euler, state.rpm = _row(record["AngEuler"]), _row(record["MotorRPMS"])
    if name == "SOut2SimulatorSimpleTime":
        state.lla = _geodetic(record["PosGpsInt"])
        state.att = quaternion_of_euler(state.euler)
    else:
        state.lla, state.att = _row(record["PosGPS"]), _row(record["AngQuatern"])
        state.accel, state.rate = _row(record["AccB"]), _row(record["RateB"])
    return True


def _row(values: Any) -> Any:
    return np.array(values, dtype=np.float64)[None]


def _geodetic(values: Any) -> Any:
    """Return 1e-7 deg, 1e-7 deg, mm as degrees and metres."""
    return _row(values) * (_DEG, _DEG, _MM)
