"""Cameras as RflySim's scripts describe them: `VisionSensorReq`, and the files that list them.

There are no images here: calls that need some succeed without any, or raise (`chosen`).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from pyrfly.errors import UnsupportedError
from pyrfly.files import decoded, printable, read_regular

__all__ = [
    "CHOICES",
    "Choice",
    "VisionSensorReq",
    "VisionSensorReqNew",
    "chosen",
    "described",
    "require_images",
]

Choice = Literal["empty", "error"]
"""An entry of `CHOICES`."""

CHOICES: tuple[Choice, ...] = ("empty", "error")
"""What becomes of calls that need images: they succeed, without images, or raise."""

_TEXT_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*"?)|//[^\n]*')
_MAXIMUM_BYTES = 1_000_000
_MOST_SENSORS = 1000


_choice: Choice = "empty"


@contextmanager
def chosen(choice: Choice) -> Iterator[None]:
    """Let calls that need images do one of `CHOICES`; outside they succeed."""
    global _choice
    before, _choice = _choice, choice
    try:
        yield
    finally:
        _choice = before


def require_images(method: str) -> None:
    """Raise an `UnsupportedError` if calls that need images are to."""
    if _choice == "error":
        raise UnsupportedError(f"{method}: there are no cameras here, so no images")


@dataclass
class VisionSensorReq:
    """A camera or another sensor of RflySim3D [@rfly-sdk], [@rfly-doc vis-cfg].

    Attributes
    ----------
    checksum, SeqID, TypeID : int
        Identification of the message; number of the sensor; its kind, 1 for a camera.
    TargetCopter, TargetMountType : int
        Vehicle that it is fixed to, and how.
    DataWidth, DataHeight, DataCheckFreq : int
        Size of an image [pixel], and rate [Hz].
    SendProtocol : list of 8 ints
        Way of transport, four numbers of an address, port.
    CameraFOV : float
        Field of view [deg].
    EularOrQuat : float
        Above 0.5 ``SensorAngQuat`` holds, else ``SensorAngEular``.
    SensorPosXYZ, SensorAngEular, SensorAngQuat : list of float
        Place in the body [m, FRD], Euler angles [deg], quaternion, scalar first.
    otherParams : list of 16 floats
        Of each kind others: of lidars and depth cameras those of `pyrfly.rflysim.lidars`.
    """

    checksum: int = 12345
    SeqID: int = 0
    TypeID: int = 1
    TargetCopter: int = 1
    TargetMountType: int = 0
    DataWidth: int = 0
    DataHeight: int = 0
    DataCheckFreq: int = 0
    SendProtocol: list[int] = field(default_factory=lambda: [0] * 8)
    CameraFOV: float = 90
    EularOrQuat: float = 0
    SensorAngQuat: list[float] = field(default_factory=lambda: [0.0] * 4)
    SensorPosXYZ: list[float] = field(default_factory=lambda: [0.0] * 3)
    SensorAngEular: list[float] = field(default_factory=lambda: [0.0] * 3)
    otherParams: list[float] = field(default_factory=lambda: [0.0] * 16)


@dataclass
class VisionSensorReqNew(VisionSensorReq):
    """`VisionSensorReq` of newer versions.

    Attributes
    ----------
    bitmask : int
        What is to be changed.
    """

    bitmask: int = 0


def described(path: str = "") -> list[VisionSensorReq]:
    """Return the sensors of a file of RflySim's, ``Config.json`` beside the script by default.

    It is JSON, with comments from ``//`` to the end of a line, as RflySim's have.

    Parameters
    ----------
    path : str
        Of the file; one that does not exist is sought beside the script.

    Raises
    ------
    ValueError, OSError
        There is no such file, or it has no list ``VisionSensors`` of objects.
    """
    file = Path(path or "Config.json")
    if not (path and file.exists()):
        file = Path(sys.path[0] or os.curdir) / file
    try:
        text = _TEXT_OR_COMMENT.sub(r"\1", decoded(read_regular(file, _MAXIMUM_BYTES)))
        sensors: Any = json.loads(text)["VisionSensors"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{printable(file)}: expected a list VisionSensors: {error}") from None
    if not (isinstance(sensors, list) and len(sensors) <= _MOST_SENSORS):
        raise ValueError(f"{printable(file)}: expected at most {_MOST_SENSORS} VisionSensors")
    return [_sensor(values) for values in sensors if isinstance(values, dict)]


def _sensor(values: dict[str, Any]) -> VisionSensorReq:
    """Return a sensor with those of the values that are of its fields' kinds."""
    sensor = VisionSensorReq()
    for name in (one.name for one in fields(VisionSensorReq)):
        default, value = getattr(sensor, name), values.get(name)
        if isinstance(default, list) and isinstance(value, list):
            setattr(sensor, name, (value + default[len(value) :])[: len(default)])
        elif not isinstance(default, list) and isinstance(value, (int, float)):
            setattr(sensor, name, value)
    return sensor
