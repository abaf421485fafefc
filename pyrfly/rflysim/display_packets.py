"""Packets to and from RflySim3D, RflySim's 3D view [@rfly-sdk]: `display_packet`, `reply`.

All are little-endian and without padding.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from pyrfly.rflysim.packets import parse, struct_of
from pyrfly.wire import Rejected

__all__ = [
    "ACTUATORS",
    "CameraData",
    "CoptReqData",
    "ObjReqData",
    "display_packet",
    "reply",
    "reqVeCrashData",
]

ACTUATORS = 1234567894
"""Checksum of ``Ue4ExtMsg``, the actuators 9 to 24 of a vehicle."""

_FORMATS = {
    "Ue4CMDNet": "i92s",
    "CopterMsg": "6i2f120s",
    "VehicleAttatch25": "76i",
    "SOut2SimulatorSimple": "3i7f",
    "SOut2SimulatorSimpleScale": "3i10f",
    "PosSimple": "3i17fd",
    "Multi3DData100New": "i200H600f300H100f",
    "Multi3DData20": "i40H120f60H160f",
}
"""Fields of the packets that are sent to a view alone, as for `struct`; the first is a checksum."""


def display_packet(name: str, checksum: int, *fields: Any) -> bytes:
    """Return a packet.

    Parameters
    ----------
    name : str
        RflySim's name of its structure, one of these or a key of `pyrfly.wire.LAYOUTS`.
    checksum : int
        Its first number.
    *fields : int, float or bytes
        The others.

    Raises
    ------
    ValueError
        When a number does not fit its field.
    """
    layout = struct.Struct("<" + _FORMATS[name]) if name in _FORMATS else struct_of(name)
    try:
        return layout.pack(checksum, *fields)
    except (struct.error, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers that fit its fields: {error}") from None


class _Reply:
    """Base of the replies: attributes from the numbers of a packet.

    Attributes
    ----------
    checksum : int
        First number.
    hasUpdate : bool
        Whether it was received; a script may set it to False.
    """

    _fields: tuple[tuple[str, int], ...]  # names and widths, 0 for a number
    _old: tuple[str, ...] = ()  # those that older versions do not send

    def __init__(self, iv: Sequence[Any] | None = None) -> None:
        self.hasUpdate = True
        if iv is not None:
            self.CopyData(iv)
            return
        for name, width in self._fields:
            setattr(self, name, [0.0] * width if width else "" if name in _TEXTS else 0)

    def CopyData(self, iv: Sequence[Any]) -> None:
        """Take the numbers of a packet."""
        self._copy(iv, ())

    def CopyDataOld(self, iv: Sequence[Any]) -> None:
        """Take the numbers of a packet of an older version."""
        self._copy(iv, self._old)

    def _copy(self, iv: Sequence[Any], absent: tuple[str, ...]) -> None:
        at = 0
        for name, width in self._fields:
            if name in absent:
                setattr(self, name, [0.0] * width)
                continue
            value: Any = list(iv[at : at + width]) if width else iv[at]
            if isinstance(value, bytes):
                value = value.split(b"\0")[0].decode("utf-8", "replace")
            setattr(self, name, value)
            at += width or 1
        self.hasUpdate = True


_TEXTS = ("CrashedName", "ObjName")


class reqVeCrashData(_Reply):
    """State of a vehicle in RflySim3D, and what it hit.

    ``CrashType`` is -2 for the ground, -1 for an object, 0 for nothing, else a CopterID; positions
    are in [m, NED of the map], ``ray`` are the distances front, back, left, right, up, down [m].
    """

    _fields = (
        ("checksum", 0), ("copterID", 0), ("vehicleType", 0), ("CrashType", 0), ("runnedTime", 0),
        ("VelE", 3), ("PosE", 3), ("CrashPos", 3), ("targetPos", 3), ("AngEuler", 3),
        ("MotorRPMS", 8), ("ray", 6), ("CrashedName", 0),
    )  # fmt: skip
    copterID: int
    PosE: list[float]
    CrashType: int
    CrashedName: str


_BODY = (
    ("PosUE", 3), ("angEuler", 3), ("angQuat", 4), ("boxOrigin", 3), ("BoxExtent", 3),
    ("timestmp", 0),
)  # fmt: skip


class CoptReqData(_Reply):
    """Pose and half the size of the box of a vehicle in RflySim3D."""

    _fields = (("checksum", 0), ("CopterID", 0), *_BODY)
    _old = ("angQuat",)
    CopterID: int
    PosUE: list[float]


class ObjReqData(_Reply):
    """Pose and half the size of the box of an object in RflySim3D."""

    _fields = (("checksum", 0), ("seqID", 0), *_BODY, ("ObjName", 0))
    _old = ("angQuat",)
    ObjName: str
    PosUE: list[float]


class CameraData(_Reply):
    """Pose of a camera in RflySim3D, its field of view [deg] and size [pixels]."""

    _fields = (
        ("checksum", 0), ("SeqID", 0), ("TypeID", 0), ("DataHeight", 0), ("DataWidth", 0),
        ("CameraFOV", 0), ("PosUE", 3), ("angEuler", 3), ("angQuat", 4), ("timestmp", 0),
    )  # fmt: skip
    _old = ("angQuat",)
    SeqID: int
    PosUE: list[float]


_REPLIES = {kind.__name__: kind for kind in (reqVeCrashData, CoptReqData, ObjReqData, CameraData)}
_OLD = "Old"  # end of the names of replies of older versions


def reply(data: bytes) -> reqVeCrashData | CoptReqData | ObjReqData | CameraData:
    """Return what RflySim3D sent.

    Raises
    ------
    ValueError
        When length or checksum are those of no reply.
    """
    try:
        name, numbers = parse("scene", data)
    except Rejected as error:
        raise ValueError(
            f"data: expected a reply of RflySim3D, got {len(data)} bytes of wrong {error}"
        ) from None
    kind = _REPLIES.get(name.removesuffix(_OLD))
    if kind is None:
        raise ValueError(f"data: expected a reply of RflySim3D, got {name}")
    made: Any = kind()
    if name.endswith(_OLD):
        made.CopyDataOld(numbers)
    else:
        made.CopyData(numbers)
    found: reqVeCrashData | CoptReqData | ObjReqData | CameraData = made
    return found
