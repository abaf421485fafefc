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
from pyrfly.log.log import Log
from pyrfly.log.read_ulog import OWN, SYSTEM_ID
from pyrfly.log.setpoints import active_setpoint
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

Topic = dict[str, NDArray[Any]]


def write_ulog(log: Log, row: int, frame: LocalFrame, file: Path) -> None:
    """Write the columns of the vehicle in a row of a log."""
    time = np.round(log.time * 1e6).astype("<u8")
    topics = _topics(log, row, frame)
    records = _records(time, topics)
    with file.open("wb") as stream:
        stream.write(_MAGIC + struct.pack("<Q", int(time[0]) if time.size else 0))
        stream.write(_message("B", bytes(40)))
        for key, text in (("sys_name", "pyrfly"), ("ver_sw_release_str", _core.version)):
            stream.write(_information(key, text))
        stream.write(_parameter(SYSTEM_ID, int(log.copter_ids[row])))
        for name, topic in topics.items():
            stream.write(_format(name, topic))
        for number, name in enumerate(topics):
            stream.write(_message("A", struct.pack("<BH", 0, number) + name.encode()))
        for first in range(0, len(records), _CHUNK):
            stream.write(records[first : first + _CHUNK].tobytes())


def _message(kind: str, content: bytes) -> bytes:
    return struct.pack("<Hc", len(content), kind.encode()) + content


def _information(key: str, text: str) -> bytes:
    typed = f"char[{len(text.encode())}] {key}".encode()
    return _message("I", bytes([len(typed)]) + typed + text.encode())


def _parameter(name: str, value: int) -> bytes:
    typed = f"int32_t {name}".encode()
    return _message("P", bytes([len(typed)]) + typed + struct.pack("<i", value))


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


_MOTOR_COLUMNS = {f.abilities.rotors.command for f in FAMILIES.values() if f.abilities.rotors}
"""Columns of the commands of motors, of all families."""


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
    motors = [name for name in _MOTOR_COLUMNS if name in columns]
    if motors:
        topics["actuator_motors"] = {"control": _motors(columns[motors[0]])}
    if "armed" in columns:
        topics["actuator_armed"] = {"armed": columns["armed"].astype("?")}
    known = {"pos", "vel", "att", "rate", "armed", "pos_sp", "vel_sp", *motors}
    others = (name for name in columns if name not in known)
    return topics | {f"{OWN}{name}": {name: columns[name]} for name in others}


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
