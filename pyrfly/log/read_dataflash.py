"""DataFlash logs of ArduPilot: `dataflash_series`, `read_dataflash`.

A log is messages: two bytes, a type, and fields as a message of the type 128 has described them
before. pymavlink knows the formats of fields and their scales. Where messages are is found here:
its reader does not end at a type of the length 0 unless its compiled indexer is there, and makes an
object of each message.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import import_extra
from pyrfly.frames import LocalFrame, quaternion_of_euler
from pyrfly.log.columns import named_field
from pyrfly.log.series import FlightData, Series, held, increasing, origin_in
from pyrfly.log.untrusted import opened, quiet

__all__ = ["dataflash_series", "read_dataflash"]

Array = NDArray[np.float64]
Place = tuple[float, float, float]

_HEAD = b"\xa3\x95"
_FORMAT = 0x80  # type of the messages that describe others
_DESCRIPTION = 89  # bytes of one
_FIRST_FIELD = 3  # behind head and type
_PIECE = 65536  # messages whose bytes are taken at a time

_TIMES = (("TimeUS", 1e-6), ("TimeMS", 1e-3))
"""Fields that are the time of a message [s], and their scales."""

_INSTANCES = ("I", "C", "Instance")
"""Fields that number sensors or estimators of one kind; the first one is read."""

_SYSTEM_IDS = ("MAV_SYSID", "SYSID_THISMAV")
"""Parameters that are the CopterID."""

_CLOCKS = ("pos", "att", "imu_gyro")
"""Columns at whose times a log is, the first that there is."""

Fields = dict[str, Array]


class _Source(NamedTuple):
    """Fields of a message that are a column, and what they are multiplied by."""

    message: str
    fields: tuple[str, ...]
    scale: float = 1.0


_DEGREES = np.pi / 180.0
_MILLIGAUSS = 1e-7  # T
_ACCEL, _GYRO = ("AccX", "AccY", "AccZ"), ("GyrX", "GyrY", "GyrZ")

_COLUMNS: Mapping[str, tuple[_Source, ...]] = {
    "pos": tuple(_Source(name, ("PN", "PE", "PD")) for name in ("XKF1", "NKF1", "EKF1")),
    "vel": tuple(_Source(name, ("VN", "VE", "VD")) for name in ("XKF1", "NKF1", "EKF1")),
    "euler": (_Source("ATT", ("Roll", "Pitch", "Yaw"), _DEGREES),),
    "rate": (_Source("RATE", ("R", "P", "Y"), _DEGREES),),
    "imu_accel": (_Source("IMU", _ACCEL), _Source("ACC", _ACCEL)),
    "imu_gyro": (_Source("IMU", _GYRO), _Source("GYR", _GYRO)),
    "magnetometer": (_Source("MAG", ("MagX", "MagY", "MagZ"), _MILLIGAUSS),),
    "barometer_pressure": (_Source("BARO", ("Press",)),),
    "barometer_height": (_Source("BARO", ("Alt",)),),
    "indicated_airspeed": (_Source("ARSP", ("Airspeed",)),),
}
"""Messages of ArduPilot and their fields by column, the first that there is
[@ardupilot logmessages]."""

_PLACE = ("Lat", "Lng", "Alt")
_FIX_3D = 3


def dataflash_series(path: Path) -> FlightData:
    """Return the columns of the vehicle of a DataFlash log, each at its own times.

    Positions are those of the estimator, relative to its origin; without them those of POS.

    Raises
    ------
    ValueError
        It has no messages that are read.
    MissingExtraError
        pymavlink is not installed.
    """
    with opened(path) as stream:
        messages = _Messages(stream.read())
    origin = _origin(messages)
    columns = {name: series for name in _COLUMNS if (series := _column(messages, name))}
    euler = columns.pop("euler", None)
    if euler is not None:
        attitude = named_field("att", 4)
        columns["att"] = Series(euler.time, quaternion_of_euler(euler.values), attitude)
    if origin is not None:
        columns |= _places(messages, origin, columns)
    if not columns:
        raise ValueError(f"messages of ArduPilot, such as ATT or IMU, got {messages.told()}")
    return FlightData(columns, messages.system_id(), origin)


def read_dataflash(path: Path) -> tuple[dict[str, Field], dict[str, Any], dict[str, Any]]:
    """Return fields, metadata and arrays of a DataFlash log, at the times of its position."""
    data = dataflash_series(path)
    fields, arrays = held(data, _CLOCKS, path)
    return fields, {"origin": list(data.origin)} if data.origin else {}, arrays


class _Messages:
    """Messages of a log by the names of their types."""

    def __init__(self, data: bytes) -> None:
        self._library: Any = import_extra("pymavlink.DFReader", "mavlink", "a .bin file")
        self._data = data
        self._formats: dict[int, Any] = {}
        self._places: dict[int, list[int]] = defaultdict(list)
        lengths: dict[int, int] = {_FORMAT: _DESCRIPTION}
        at = data.find(_HEAD)
        while 0 <= at < len(data) - 2:
            kind = data[at + 2]
            length = lengths.get(kind, 0)
            if data[at : at + 2] != _HEAD or not length:
                at = data.find(_HEAD, at + 1)  # after damage
                continue
            if at + length > len(data):
                break
            if kind == _FORMAT:
                self._describe(data[at + _FIRST_FIELD : at + length], lengths)
            self._places[kind].append(at)
            at += length

    def _describe(self, body: bytes, lengths: dict[int, int]) -> None:
        """Note the format of a type; one that does not fit its length is not known."""
        kind, length = body[0], body[1]
        name, form, columns = body[2:6], body[6:22], body[22:]
        form, columns = map(self._library.null_term, (form, columns))
        try:
            with redirect_stdout(io.StringIO()):  # to which it says what it does not know
                found = self._library.DFFormat(kind, name, length, form, columns)
            size = self._record(found).itemsize
        except Exception:  # pymavlink has no class for it
            return
        if kind != _FORMAT and length == size + _FIRST_FIELD > _FIRST_FIELD:
            lengths[kind] = length
            self._formats[kind] = found

    def _record(self, form: Any) -> np.dtype[Any]:
        """Return the fields of a message for NumPy; raise an error for what none can be."""
        return np.dtype(_kinds(form, self._library.FORMAT_TO_STRUCT))

    def told(self) -> str:
        """Return the names of its messages, for an error."""
        names = sorted({self._formats[kind].name for kind in self._places if kind in self._formats})
        return ", ".join(names)[:80] or "none"

    def fields(self, name: str) -> Fields:
        """Return the scaled numbers of messages of a name, of the first instance; maybe none."""
        for kind, form in self._formats.items():
            if form.name == name and self._places.get(kind):
                return _first_instance(self._numbers(kind, form))
        return {}

    def _numbers(self, kind: int, form: Any) -> Fields:
        records = self._records(kind, form)
        found = {}
        for column, scale in zip(form.columns, form.msg_mults, strict=False):
            values = records[column] if column in (records.dtype.names or ()) else None
            if values is not None and values.dtype.kind in "iuf":
                found[column] = quiet(values.astype(np.float64) * (scale or 1.0))
        return found

    def _records(self, kind: int, form: Any) -> NDArray[Any]:
        """Return the messages of a type as records."""
        record = self._record(form)
        data = np.frombuffer(self._data, np.uint8)
        places = np.array(self._places[kind])
        records = np.empty(places.size, record)
        offsets = np.arange(_FIRST_FIELD, _FIRST_FIELD + record.itemsize)
        for first in range(0, places.size, _PIECE):
            piece = data[places[first : first + _PIECE, None] + offsets]
            records[first : first + _PIECE] = piece.view(record)[:, 0]
        return records

    def system_id(self) -> int:
        """Return the CopterID: the number of the system in its parameters."""
        for kind, form in self._formats.items():
            if form.name == "PARM" and {"Name", "Value"} <= set(form.columns):
                records = self._records(kind, form)
                for name in _SYSTEM_IDS:
                    values = records["Value"][records["Name"] == name.encode()]
                    if values.size and 1 <= values[-1] < 2**31:
                        return int(values[-1])
        return 1


def _kinds(form: Any, structs: Mapping[str, tuple[Any, ...]]) -> list[tuple[str, str]]:
    """Return the fields of a message for NumPy; raise a KeyError for an unknown letter."""
    kinds = []
    for index, letter in enumerate(form.format):
        code = structs[letter][0]
        kind = f"S{code[:-1]}" if code.endswith("s") else f"<{code}"
        name = form.columns[index] if index < len(form.columns) else ""
        kinds.append((name or f"_{index}", kind))
    return kinds


def _first_instance(fields: Fields) -> Fields:
    numbered = next((fields[name] for name in _INSTANCES if name in fields), None)
    if numbered is None or not numbered.size:
        return fields
    return {name: values[numbered == numbered.min()] for name, values in fields.items()}


def _time(fields: Fields) -> Array | None:
    return next((fields[name] * scale for name, scale in _TIMES if name in fields), None)


def _series(name: str, fields: Fields, values: Array) -> Series | None:
    """Return a column at the times of a message."""
    time = _time(fields)
    if time is None or not time.size:
        return None
    kept = increasing(time)
    values = values[kept, 0] if values.shape[1] == 1 else values[kept]
    return Series(time[kept], values, named_field(name, 1 if values.ndim == 1 else values.shape[1]))


def _column(messages: _Messages, name: str) -> Series | None:
    for source in _COLUMNS[name]:
        fields = messages.fields(source.message)
        if fields and all(field in fields for field in source.fields):
            values = np.stack([fields[field] for field in source.fields], -1)
            return _series(name, fields, values * source.scale)
    return None


def _origin(messages: _Messages) -> Place | None:
    """Return the origin of the estimator, that of ORGN of the type 0; else the first fix."""
    for name, is_one in _ORIGINS:
        fields = messages.fields(name)
        if fields and all(field in fields for field in _PLACE):
            chosen = np.flatnonzero(is_one(fields) & (fields["Lat"] != 0.0))
            if chosen.size:
                return origin_in({"origin": [fields[field][chosen[0]] for field in _PLACE]})
    return None


def _has_fix(fields: Fields) -> NDArray[np.bool_]:
    return np.asarray(fields.get("Status", np.full(fields["Lat"].size, _FIX_3D)) >= _FIX_3D)


_ORIGINS: tuple[tuple[str, Callable[[Fields], NDArray[np.bool_]]], ...] = (
    ("ORGN", lambda fields: np.asarray(fields.get("Type", np.zeros(fields["Lat"].size)) == 0)),
    ("GPS", _has_fix),
)


def _places(messages: _Messages, origin: Place, columns: Mapping[str, Series]) -> dict[str, Series]:
    """Return what is from geodetic positions: the receiver's, and the vehicle's if need be."""
    found = {}
    fields = messages.fields("GPS")
    if fields and all(field in fields for field in _PLACE):
        known = _has_fix(fields)[:, None]
        found["gps_pos"] = _series(
            "gps_pos", fields, np.where(known, _local(fields, origin), np.nan)
        )
        if all(name in fields for name in ("Spd", "GCrs", "VZ")):
            found["gps_vel"] = _series(
                "gps_vel", fields, np.where(known, _velocity(fields), np.nan)
            )
    fields = messages.fields("POS") if "pos" not in columns else {}
    if fields and all(field in fields for field in _PLACE):
        found["pos"] = _series("pos", fields, _local(fields, origin))
    return {name: series for name, series in found.items() if series is not None}


def _local(fields: Fields, origin: Place) -> Array:
    lla = np.stack([fields[name] for name in _PLACE], -1)
    lla[(np.abs(lla[:, 0]) > 90.0) | (np.abs(lla[:, 1]) > 180.0)] = np.nan
    return LocalFrame(*origin).to_ned(lla)


def _velocity(fields: Fields) -> Array:
    """Return the velocity of speed, course [deg] and velocity down."""
    course = np.radians(fields["GCrs"])
    speed = fields["Spd"]
    return np.stack((speed * np.cos(course), speed * np.sin(course), fields["VZ"]), -1)
