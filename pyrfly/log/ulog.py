"""ULog files, the log format of PX4 [@px4-guide "ULog File Format"]: `write_ulog`.

A file has a header of 16 bytes, then messages: their size (16 bits) and type (8 bits), little
endian, then their contents. The formats of all topics, their numbers, and the data follow one
another; each datum begins with its time [us].
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.frames import LocalFrame, yaw_of_quaternion
from pyrfly.log.flight_notes import nav_states, parameters_of, texts_of
from pyrfly.log.log import Log
from pyrfly.log.read_ulog import OWN, STATUS, SYSTEM_ID
from pyrfly.log.setpoints import active_setpoint
from pyrfly.protocol.bits import VtolState
from pyrfly.vehicles import FAMILIES

__all__ = ["write_ulog"]

_MAGIC = b"ULog\x01\x125\x01"  # and the version, 1
_MOTORS = 12  # of PX4's topic actuator_motors
_CHUNK = 10_000  # samples written at a time

# Types of ULog by kind and size of those of NumPy.
_TYPES = {
    "b1": "bool",
    "f4": "float",
    "f8": "double",
    "i1": "int8_t",
    "i2": "int16_t",
    "i4": "int32_t",
    "i8": "int64_t",
    "u1": "uint8_t",
    "u2": "uint16_t",
    "u4": "uint32_t",
    "u8": "uint64_t",
}

_INFORMATION = {
    "sys_name": "pyrfly",
    "ver_hw": "pyrfly",
    "ver_sw": _core.version,
    "ver_sw_release_str": _core.version,
}
"""What wrote the log. PX4's tools take ``ver_sw`` for a commit, and show it as text."""

_LONGEST_TEXT = 1000  # bytes

_DISARMED, _ARMED = 1, 2  # ARMING_STATE
_ROTARY_WING, _FIXED_WING, _ON_WHEELS = 1, 2, 3  # VEHICLE_TYPE
_VTOLS, _TAILSITTERS = frozenset(range(19, 26)), frozenset((19, 20, 23))  # MAV_TYPE
_VEHICLE_TYPES = {
    **dict.fromkeys((2, 3, 4, 13, 14, 15, *_VTOLS), _ROTARY_WING),
    1: _FIXED_WING,
    **dict.fromkeys((10, 11), _ON_WHEELS),
}
"""By MAV_TYPE, of VTOLs while they hover [@px4 v1.16.1 commander_helper.cpp]."""

Topic = dict[str, NDArray[Any]]


def write_ulog(log: Log, row: int, frame: LocalFrame, file: Path) -> None:
    """Write the columns of the vehicle in a row of a log."""
    time = np.round(log.time * 1e6).astype("<u8")
    copter_id = int(log.copter_ids[row])
    parameters = {**parameters_of(log, copter_id), SYSTEM_ID: copter_id}
    texts = texts_of(log, copter_id)
    topics = _topics(log, row, frame) | {STATUS: _status(log, row, parameters)}
    records = _records(time, topics)
    with file.open("wb") as stream:
        stream.write(_MAGIC + struct.pack("<Q", int(time[0]) if time.size else 0))
        stream.write(_message("B", bytes(40)))
        for key, text in _INFORMATION.items():
            stream.write(_typed("I", f"char[{len(text)}] {key}", text.encode()))
        stream.write(_typed("I", "uint32_t ver_sw_release", struct.pack("<I", _release())))
        for name, value in parameters.items():
            stream.write(_parameter(name, value))
        for name, topic in topics.items():
            stream.write(_format(name, topic))
        for number, name in enumerate(topics):
            stream.write(_message("A", struct.pack("<BH", 0, number) + name.encode()))
        for at, severity, text in texts:
            head = struct.pack("<BQ", ord("0") + severity, round(at * 1e6))
            stream.write(_message("L", head + text.encode()[:_LONGEST_TEXT]))
        for first in range(0, len(records), _CHUNK):
            stream.write(records[first : first + _CHUNK].tobytes())


def _message(kind: str, content: bytes) -> bytes:
    return struct.pack("<Hc", len(content), kind.encode()) + content


def _typed(kind: str, key: str, value: bytes) -> bytes:
    return _message(kind, bytes([len(key)]) + key.encode() + value)


def _parameter(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _typed("P", f"int32_t {name}", struct.pack("<i", value))
    return _typed("P", f"float {name}", np.float32(value).tobytes())


def _release() -> int:
    """Return the version as PX4 has it: a byte each of major, minor, patch and 255, a release."""
    major, minor, patch = (int(part) for part in _core.version.split(".")[:3])
    return major << 24 | minor << 16 | patch << 8 | 255


def _format(name: str, topic: Topic) -> bytes:
    fields = ["uint64_t timestamp"]
    for field, values in topic.items():
        kind = _TYPES[values.dtype.str[1:]]
        size = f"[{values.shape[1]}]" if values.ndim > 1 else ""
        fields.append(f"{kind}{size} {field}")
    return _message("F", f"{name}:{';'.join(fields)};".encode())


def _records(time: NDArray[Any], topics: dict[str, Topic]) -> NDArray[Any]:
    """Return the data messages of all topics, one sample after the other."""
    kinds: list[Any] = []
    for number, topic in enumerate(topics.values()):
        head = [("size", "<u2"), ("type", "u1"), ("number", "<u2"), ("timestamp", "<u8")]
        body = [(name, values.dtype.str, values.shape[1:]) for name, values in topic.items()]
        kinds.append((str(number), np.dtype([*head, *body])))
    records = np.zeros(time.size, np.dtype(kinds))
    for number, topic in enumerate(topics.values()):
        message = records[str(number)]
        message["size"] = message.dtype.itemsize - 3  # without size and type
        message["type"] = ord("D")
        message["number"] = number
        message["timestamp"] = time
        for name, values in topic.items():
            message[name] = values
    return records


def _vtol_columns() -> set[str]:
    """Return the columns of MAV_VTOL_STATE, of all families."""
    return {f.abilities.transition.state for f in FAMILIES.values() if f.abilities.transition}


def _motor_columns() -> set[str]:
    """Return the columns of the commands of motors, of all families."""
    return {f.abilities.rotors.command for f in FAMILIES.values() if f.abilities.rotors}


def _topics(log: Log, row: int, frame: LocalFrame) -> dict[str, Topic]:
    """Return the topics of PX4, in its types, then the other columns in theirs."""
    columns = {name: _little_endian(values[:, row]) for name, values in log.columns.items()}
    pos_sp, vel_sp = active_setpoint(log, "pos_sp", row), active_setpoint(log, "vel_sp", row)
    topics = {"vehicle_local_position": _local_position(columns, frame)}
    topics["vehicle_global_position"] = _global_position(columns["pos"], frame)
    if "att" in columns:
        topics["vehicle_attitude"] = {"q": columns["att"].astype("<f4")}
    if "rate" in columns:
        topics["vehicle_angular_velocity"] = {"xyz": columns["rate"].astype("<f4")}
    setpoint = dict(_vector("xyz", pos_sp)) | dict(_vector(("vx", "vy", "vz"), vel_sp))
    if setpoint:
        topics["vehicle_local_position_setpoint"] = setpoint
    motors = [name for name in _motor_columns() if name in columns]
    if motors:
        topics["actuator_motors"] = {"control": _motors(columns[motors[0]])}
    if "armed" in columns:
        topics["actuator_armed"] = {"armed": columns["armed"].astype("?")}
    known = {"pos", "vel", "att", "rate", "armed", "pos_sp", "vel_sp", *motors}
    others = (name for name in columns if name not in known)
    return topics | {f"{OWN}{name}": {name: columns[name]} for name in others}


def _status(log: Log, row: int, parameters: dict[str, float]) -> Topic:
    """Return PX4's ``vehicle_status``, as far as it is known [@px4 v1.16.1 VehicleStatus.msg]."""
    armed = log.columns["armed"][:, row] != 0 if "armed" in log.columns else np.ones(len(log), "?")
    kind = int(parameters.get("MAV_TYPE", 0))
    vtol = next((log[name][:, row] for name in _vtol_columns() if name in log.columns), None)
    to_wings, to_hover, winged = (
        np.zeros(len(log), "?") if vtol is None else vtol == state
        for state in (VtolState.TRANSITION_TO_FW, VtolState.TRANSITION_TO_MC, VtolState.FW)
    )
    steady = {
        "is_vtol": np.bool_(kind in _VTOLS),
        "is_vtol_tailsitter": np.bool_(kind in _TAILSITTERS),
        "system_type": np.uint8(kind % 256),
        "system_id": np.uint8(min(int(parameters[SYSTEM_ID]), 255)),
        "component_id": np.uint8(1),
    }
    return {
        "arming_state": np.where(armed, _ARMED, _DISARMED).astype("u1"),
        "nav_state": nav_states(log, int(parameters[SYSTEM_ID]), armed),
        "vehicle_type": np.where(winged, _FIXED_WING, _VEHICLE_TYPES.get(kind, 0)).astype("u1"),
        "in_transition_mode": to_wings | to_hover,
        "in_transition_to_fw": to_wings,
        **{name: np.full(len(log), value) for name, value in steady.items()},
    }


def _little_endian(values: NDArray[Any]) -> NDArray[Any]:
    """Return values in a type that ULog has."""
    kind = values.dtype if values.dtype.str[1:] in _TYPES else np.dtype(np.float64)
    return values.astype(kind.newbyteorder("<"))


def _vector(names: Any, values: NDArray[Any] | None) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the components of a vector as fields of PX4's type."""
    if values is not None:
        for name, component in zip(names, values.T, strict=True):
            yield name, component.astype("<f4")


def _local_position(columns: Topic, frame: LocalFrame) -> Topic:
    pos = columns["pos"]
    valid = np.ones(len(pos), "?")
    topic = dict(_vector("xyz", pos)) | {"xy_valid": valid, "z_valid": valid}
    if "vel" in columns:
        topic |= _vector(("vx", "vy", "vz"), columns["vel"])
        topic |= {"v_xy_valid": valid, "v_z_valid": valid}
    if "att" in columns:
        heading = yaw_of_quaternion(columns["att"].astype(np.float64))
        topic["heading"] = np.asarray(heading).astype("<f4")
    topic |= {"xy_global": valid, "z_global": valid}
    topic |= {"ref_lat": np.full(len(pos), frame.lat, "<f8")}
    topic |= {"ref_lon": np.full(len(pos), frame.lon, "<f8")}
    return topic | {"ref_alt": np.full(len(pos), frame.alt, "<f4")}


def _global_position(pos: NDArray[Any], frame: LocalFrame) -> Topic:
    lat, lon, alt = frame.to_lla(pos.astype(np.float64)).T
    return {"lat": lat.astype("<f8"), "lon": lon.astype("<f8"), "alt": alt.astype("<f4")}


def _motors(throttle: NDArray[Any]) -> NDArray[Any]:
    """Return the throttle of up to 12 motors; those that the vehicle does not have are NaN."""
    control = np.full((len(throttle), _MOTORS), np.nan, "<f4")
    used = throttle.reshape(len(throttle), math.prod(throttle.shape[1:]))[:, :_MOTORS]
    control[:, : used.shape[1]] = used
    return control
