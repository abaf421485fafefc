"""Lidars and depth cameras of RflySim's ``Config.json``, as those of `sim.scene.scan`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrfly.arrays import finite_array
from pyrfly.errors import UnsupportedError, brief
from pyrfly.rflysim.cameras import VisionSensorReq
from pyrfly.sim.lidar import Lidar

__all__ = ["lidar_of"]

_DEPTH_CAMERA = 2
_TURNING = (20, 21)  # points in axes of the sensor, in NED
_FIXED = 0  # to the vehicle, from its middle
_LARGEST_DEPTH = 65535  # in units of depth, as uint16
_DEPTH_UNIT = 0.001  # m, where it is 0


def lidar_of(sensor: VisionSensorReq, **settings: Any) -> Lidar:
    """Return the lidar or depth camera that a sensor of RflySim describes.

    Type 2 is a depth camera, 20 and 21 are lidars that turn; 20 gives points in axes of the sensor,
    21 in NED, which `Scan.points` both does [@rfly-doc vis-cfg, sensors]. Bounds of angles are
    taken as azimuths to the right and elevations up, from the lower one in steps of the span over
    the number (estimated). Limits are those of distances, also where RflySim's are of depths.
    Leaves out: RflySim's accuracy, which no document defines; `noise` is a setting.

    Parameters
    ----------
    sensor : VisionSensorReq
        As `pyrfly.rflysim.cameras.described` reads it from a file.
    **settings
        Parameters of a `Lidar`, in place of those of the sensor.

    Raises
    ------
    UnsupportedError
        It is of another type, or not fixed to the middle of a vehicle.
    ValueError, TypeError
        A field of it is not as described.

    Examples
    --------
    >>> limits = [200, 0.05, -45, 45, -20, 20]
    >>> sensor = VisionSensorReq(TypeID=20, DataWidth=900, DataHeight=32, otherParams=limits)
    >>> lidar_of(sensor).shape
    (32, 900)
    """
    if sensor.TargetMountType != _FIXED:
        raise UnsupportedError(
            f"TargetMountType: expected {_FIXED}, fixed to the middle of a vehicle, "
            f"got {brief(sensor.TargetMountType)}"
        )
    settings = {"position": sensor.SensorPosXYZ, "attitude": _attitude(sensor)} | settings
    if sensor.TypeID in _TURNING:
        return _turning(sensor, settings)
    if sensor.TypeID == _DEPTH_CAMERA:
        return _depth_camera(sensor, settings)
    known = ", ".join(map(str, (_DEPTH_CAMERA, *_TURNING)))
    raise UnsupportedError(f"TypeID: expected one of {known}, got {brief(sensor.TypeID)}")


def _turning(sensor: VisionSensorReq, settings: dict[str, Any]) -> Lidar:
    maximum, _, *bounds = _parameters(sensor, 6)
    left, right, low, high = np.radians(bounds)
    columns, channels = _count(sensor, "DataWidth"), _count(sensor, "DataHeight")
    return Lidar.spinning(
        channels,
        columns,
        (low, high - (high - low) / channels),
        (left, right - (right - left) / columns),
        **{"maximum": maximum} | settings,
    )


def _depth_camera(sensor: VisionSensorReq, settings: dict[str, Any]) -> Lidar:
    minimum, maximum, unit = _parameters(sensor, 3)
    maximum = maximum or _LARGEST_DEPTH * (unit or _DEPTH_UNIT)
    width, height = _count(sensor, "DataWidth"), _count(sensor, "DataHeight")
    fov = float(np.radians(finite_array("CameraFOV", sensor.CameraFOV, "deg", 180)))
    return Lidar.camera(width, height, fov, **{"minimum": minimum, "maximum": maximum} | settings)


def _attitude(sensor: VisionSensorReq) -> Any:
    if sensor.EularOrQuat > 0.5:
        return sensor.SensorAngQuat
    return np.radians(finite_array("SensorAngEular", sensor.SensorAngEular, "deg", 360))


def _parameters(sensor: VisionSensorReq, count: int) -> list[float]:
    values: list[float] = finite_array("otherParams", sensor.otherParams, "SI", 1e6).tolist()
    if len(values) < count:
        raise ValueError(f"otherParams: expected at least {count} numbers, got {brief(values)}")
    return values[:count]


def _count(sensor: VisionSensorReq, name: str) -> int:
    value = getattr(sensor, name)
    if not (isinstance(value, int) and 1 <= value <= 0xFFFF):
        raise ValueError(f"{name}: expected 1 to 65535, got {brief(value)}")
    return value
