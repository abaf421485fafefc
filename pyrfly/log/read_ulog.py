"""ULog files of PX4 and of `export_log` as logs, by pyulog: `read_ulog`, `ulog_series`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import import_extra
from pyrfly.frames import LocalFrame
from pyrfly.log.columns import named_field
from pyrfly.log.series import FlightData, Series, held, increasing, origin_in
from pyrfly.log.ulog_formats import expanded_size
from pyrfly.log.untrusted import Ending, opened, quiet, require_size
from pyrfly.sim.constants import WORD_ROLES

__all__ = ["OWN", "STATUS", "SYSTEM_ID", "read_ulog", "ulog_series"]

OWN = "pyrfly_"
"""Beginning of the topics that PX4 does not have."""

SYSTEM_ID = "MAV_SYS_ID"
"""Parameter of PX4 that is the CopterID."""

STATUS = "vehicle_status"
"""Topic of PX4 that has the flight mode."""

_TESLA = 1e-4  # a gauss

_COLUMNS: dict[str, Any] = {
    "pos": ("vehicle_local_position", ("x", "y", "z")),
    "vel": ("vehicle_local_position", ("vx", "vy", "vz")),
    "att": ("vehicle_attitude", tuple(f"q[{i}]" for i in range(4))),
    "rate": ("vehicle_angular_velocity", tuple(f"xyz[{i}]" for i in range(3))),
    "pos_sp": ("vehicle_local_position_setpoint", ("x", "y", "z")),
    "vel_sp": ("vehicle_local_position_setpoint", ("vx", "vy", "vz")),
    "throttle": ("actuator_motors", tuple(f"control[{i}]" for i in range(12))),
    "armed": ("actuator_armed", ("armed",)),
    "imu_accel": ("sensor_combined", tuple(f"accelerometer_m_s2[{i}]" for i in range(3))),
    "imu_gyro": ("sensor_combined", tuple(f"gyro_rad[{i}]" for i in range(3))),
    "magnetometer": (
        "vehicle_magnetometer",
        tuple(f"magnetometer_ga[{i}]" for i in range(3)),
        _TESLA,
    ),
    "barometer_pressure": ("vehicle_air_data", ("baro_pressure_pa",)),
    "barometer_height": ("vehicle_air_data", ("baro_alt_meter",)),
    "indicated_airspeed": ("airspeed", ("indicated_airspeed_m_s",)),
}
"""Topics of PX4, their fields, and what they are multiplied by, by column."""

_RECEIVERS = ("vehicle_gps_position", "sensor_gps")
_GEODETIC = (
    (("latitude_deg", "longitude_deg", "altitude_msl_m"), (1.0, 1.0, 1.0)),
    (("lat", "lon", "alt"), (1e-7, 1e-7, 1e-3)),
)
"""Fields of positions of satellite receivers: latitude, longitude, altitude, and their scales."""
_FIX_3D = 3

_TIME = "timestamp"  # of a sample [us]

_CLOCKS = ("pos", "att", "rate")
"""Columns that have a sample at each time of a log, the first that there is."""

Topic = dict[str, NDArray[Any]]


def read_ulog(path: Path) -> tuple[dict[str, Field], dict[str, Any], dict[str, NDArray[Any]]]:
    """Return fields, metadata and arrays of the vehicle of a ULog file.

    Its times are those of the local position; of other topics it has the last value, NaN before
    the first. The origin is the reference of the local position.
    """
    found, topics = _parsed(path)
    fields, arrays = held(_flight(found, topics), _CLOCKS, path)
    return fields, _metadata(found, topics, _number(found)), arrays


def ulog_series(path: Path) -> FlightData:
    """Return the columns of the vehicle of a ULog file, each at its own times."""
    return _flight(*_parsed(path))


def _flight(found: Any, topics: dict[str, Topic]) -> FlightData:
    origin = origin_in({"origin": _origin(topics)}) or _first_fix(topics)
    columns = _series_of_px4(topics) | _series_of_receiver(topics, origin)
    for name, topic in topics.items():
        parts = [values for part, values in topic.items() if part != _TIME]
        if name.startswith(OWN) and parts:
            column = name.removeprefix(OWN)
            columns[column] = _series(column, topic, np.stack(parts, axis=-1))
    if not columns:
        raise ValueError("a topic of a vehicle's state or sensors")
    return FlightData(columns, _number(found), origin)


def _parsed(path: Path) -> tuple[Any, dict[str, Topic]]:
    """Return what pyulog finds, and the data of the first instance of each topic."""
    pyulog = import_extra("pyulog", "ulog", "a .ulg file")
    with redirect_stdout(io.StringIO()):  # to which pyulog says what is damaged
        with opened(path) as stream:
            formats = pyulog.ULog(Ending(stream), parse_header_only=True).message_formats
        require_size(path, expanded_size(path.read_bytes(), formats))
        with opened(path) as stream:
            found = pyulog.ULog(Ending(stream))
    return found, {d.name: d.data for d in found.data_list if d.multi_id == 0}


def _number(found: Any) -> int:
    """Return the CopterID."""
    return int(found.initial_parameters.get(SYSTEM_ID, 1))


def _series(column: str, topic: Topic, values: NDArray[Any]) -> Series:
    """Return a column at the times of its topic."""
    time = topic[_TIME] / 1e6
    kept = increasing(time)
    field = named_field(column, values.shape[1])
    values = quiet(values[kept, 0] if field.width == 1 else values[kept])
    if field.role in WORD_ROLES and values.dtype.kind in "biu":
        values = values.astype(np.uint32)
    return Series(time[kept], values, field)


def _series_of_px4(topics: dict[str, Topic]) -> dict[str, Series]:
    """Return the columns whose topics there are."""
    columns = {}
    for column, (name, parts, *scale) in _COLUMNS.items():
        topic = topics.get(name, {})
        values = _parts(topic, column, parts)
        if values is not None:
            columns[column] = _series(column, topic, values * scale[0] if scale else values)
    return columns


def _parts(topic: Topic, column: str, parts: Sequence[str]) -> NDArray[Any] | None:
    """Return the fields of a column; of motors those that the vehicle has, which are not NaN."""
    values = [topic[part] for part in parts if part in topic and not np.isnan(topic[part]).all()]
    if len(values) == len(parts) or (values and column == "throttle"):
        return np.stack(values, axis=-1)
    return None


def _receiver(topics: dict[str, Topic]) -> tuple[Topic, NDArray[np.float64] | None]:
    """Return the topic of the satellite receiver, and its geodetic positions, NaN without a fix.

    Until PX4 1.13 they are whole numbers, 1e-7 deg and mm above sea level.
    """
    topic = next((topics[name] for name in _RECEIVERS if name in topics), {})
    for names, scales in _GEODETIC:
        if all(name in topic for name in names):
            lla = np.stack(
                [topic[name] * scale for name, scale in zip(names, scales, strict=True)], -1
            )
            lla[topic.get("fix_type", np.full(len(lla), _FIX_3D)) < _FIX_3D] = np.nan
            lla[(np.abs(lla[:, 0]) > 90.0) | (np.abs(lla[:, 1]) > 180.0)] = np.nan
            return topic, lla
    return topic, None


def _first_fix(topics: dict[str, Topic]) -> tuple[float, float, float] | None:
    _, lla = _receiver(topics)
    known = np.empty((0, 3)) if lla is None else lla[np.isfinite(lla).all(axis=1)]
    return origin_in({"origin": known[0]}) if len(known) else None


def _series_of_receiver(
    topics: dict[str, Topic], origin: tuple[float, float, float] | None
) -> dict[str, Series]:
    """Return what the satellite receiver reports, in the local frame."""
    topic, lla = _receiver(topics)
    columns = {}
    if lla is not None and origin is not None:
        columns["gps_pos"] = _series("gps_pos", topic, LocalFrame(*origin).to_ned(lla))
    values = _parts(topic, "gps_vel", ("vel_n_m_s", "vel_e_m_s", "vel_d_m_s"))
    if values is not None:
        columns["gps_vel"] = _series("gps_vel", topic, values)
    return columns


def _metadata(found: Any, topics: dict[str, Topic], number: int) -> dict[str, Any]:
    """Return origin, parameters, modes and texts: see `pyrfly.log.flight_notes`."""
    origin, modes = _origin(topics), _modes(topics.get(STATUS, {}), number)
    texts = [
        [message.timestamp / 1e6, number, min(max(message.log_level - ord("0"), 0), 7), text]
        for message in found.logged_messages
        if (text := str(message.message))
    ]
    return {
        "parameters": {str(number): dict(found.initial_parameters)},
        **({"origin": origin} if origin else {}),
        **({"modes": modes} if modes else {}),
        **({"texts": texts} if texts else {}),
    }


def _modes(status: Topic, number: int) -> list[list[Any]]:
    states = status.get("nav_state", np.zeros(0, np.uint8))
    changes = np.flatnonzero(np.diff(states, prepend=-1))
    return [[int(status[_TIME][i]) / 1e6, number, int(states[i])] for i in changes]


def _origin(topics: dict[str, Topic]) -> list[float]:
    place = topics.get("vehicle_local_position", {})
    known = np.flatnonzero(place.get("xy_global", np.zeros(0)))
    if not known.size:
        return []
    return [float(place[f"ref_{name}"][known[0]]) for name in ("lat", "lon", "alt")]
