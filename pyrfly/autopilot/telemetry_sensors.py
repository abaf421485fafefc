"""Messages of what the sensors measure: `SENSOR_STREAMS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.columns import column
from pyrfly.autopilot.telemetry_snapshot import TelemetrySnapshot, whole
from pyrfly.autopilot.truth import MILLI_G
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.vibration import vibration

__all__ = ["SENSOR_STREAMS"]

Records = NDArray[Any]

_CENTI = 1e2
_MILLI = 1e3  # of rad/s and gauss
_HECTO = 1e2  # of Pa
_NO_ECHO = 1  # signal_quality of an invalid distance; 0 is an unknown quality


def _highres_imu(m: TelemetrySnapshot) -> Records:
    records = m.blank("HIGHRES_IMU")
    for name in m.sensors.dtype.names or ():
        if name not in ("time_usec", "fields_updated"):
            records[name] = m.sensors[name]
    records["fields_updated"] = m.sensors["fields_updated"] & 0xFFFF
    return records


def _scaled_imu(m: TelemetrySnapshot) -> Records:
    return _scaled(m, "SCALED_IMU")


def _raw_imu(m: TelemetrySnapshot) -> Records:
    """Return the same as SCALED_IMU, as autopilots send it whose sensors have no other unit."""
    return _scaled(m, "RAW_IMU")


def _scaled(m: TelemetrySnapshot, name: str) -> Records:
    records = m.blank(name)
    for quantity, scale in (("acc", MILLI_G), ("gyro", _MILLI), ("mag", _MILLI)):
        for axis in "xyz":
            field = f"{axis}{quantity}"
            records[field] = whole(m.sensors[field] * scale, np.int16)
    records["temperature"] = whole(m.sensors["temperature"] * _CENTI, np.int16)
    return records


def _scaled_pressure(m: TelemetrySnapshot) -> Records:
    records = m.blank("SCALED_PRESSURE")
    records["press_abs"] = m.sensors["abs_pressure"]
    records["press_diff"] = m.sensors["diff_pressure"]
    records["temperature"] = whole(m.sensors["temperature"] * _CENTI, np.int16)
    return records


def _scaled_pressure2(m: TelemetrySnapshot) -> Records:
    """Return the pressure of the water, which ArduSub sends as its second one."""
    records = m.blank("SCALED_PRESSURE2")
    records["press_abs"] = column(m.sim, "water_pressure")[:, 0] / _HECTO
    return records


def _vibration(m: TelemetrySnapshot) -> Records:
    records = m.blank("VIBRATION")
    for axis, levels in zip("xyz", vibration(m.sim.select()).T, strict=True):
        records[f"vibration_{axis}"] = levels
    records["clipping_0"] = column(m.sim, "imu_clippings")[:, 0]
    return records


def _distances(m: TelemetrySnapshot, sensor: str, measured: str) -> NDArray[np.float64]:
    """Return limits, distance and validity of what measures a distance down, shape (n, 4)."""
    widths = {"limits": 2, measured: 1, "valid": 1}
    return np.hstack([column(m.sim, f"{sensor}_{name}", k) for name, k in widths.items()])


def _distance_sensor(m: TelemetrySnapshot) -> Records:
    records = m.blank("DISTANCE_SENSOR")
    has_range = m.has(Sensor.RANGE)[:, None]
    distances = np.where(
        has_range, _distances(m, "range", "distance"), _distances(m, "dvl", "altitude")
    )
    fields = ("min_distance", "max_distance", "current_distance")
    for name, values in zip(fields, distances.T, strict=False):
        records[name] = whole(values * _CENTI, np.uint16)
    records["signal_quality"] = np.where(distances[:, 3], 0, _NO_ECHO)
    records["type"] = np.where(has_range[:, 0], 0, 1)  # laser, ultrasound
    records["orientation"] = 25  # down
    records["quaternion"][:, 0] = 1.0
    return records


SENSOR_STREAMS: Mapping[str, Callable[[TelemetrySnapshot], Records]] = MappingProxyType(
    {
        "HIGHRES_IMU": _highres_imu,
        "SCALED_IMU": _scaled_imu,
        "RAW_IMU": _raw_imu,
        "SCALED_PRESSURE": _scaled_pressure,
        "SCALED_PRESSURE2": _scaled_pressure2,
        "VIBRATION": _vibration,
        "DISTANCE_SENSOR": _distance_sensor,
    }
)
"""Messages of the sensors, each for all vehicles; the truth where there are none."""
