"""Parameters of vehicles over MAVLink: `Parameters`, `ParameterLink`.

As in PX4 v1.16.1 [@px4 v1.16.1 mavlink_parameters.cpp], with one difference: a value that is not
finite or out of range is refused.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.parameter_table import PARAMETERS, Parameter
from pyrfly.autopilot.reply import Message, Reply
from pyrfly.errors import ParameterError, near_names

__all__ = ["ParameterLink", "Parameters"]

HASH = "_HASH_CHECK"
"""Name under which the checksum of all parameters is sent."""

BURST = 20
"""Parameters of a list that are sent at once [@px4 v1.16.1 mavlink_parameters.cpp]."""

PAUSE = 0.01
"""Time between two bursts of a list [s]."""

_UINT32, _INT32, _REAL32 = 5, 6, 9  # MAV_PARAM_TYPE
_NO_INDEX = 0xFFFF  # of a value that is not in the list, -1 as 16 bits
_ALL_ONES = 0xFFFFFFFF
_MAX_REAL = float(np.finfo(np.float32).max)
_ALL_COMPONENTS = 0

_ROWS = tuple(PARAMETERS.values())
_INDICES = {row.name: index for index, row in enumerate(_ROWS)}


class Parameters:
    """Values of the parameters of vehicles.

    Parameters
    ----------
    count : int
        Number of vehicles.
    defaults : mapping of str to float, optional
        Values of all vehicles instead of those of `PARAMETERS`, such as `SET_DEFAULTS`.

    Attributes
    ----------
    values : ndarray, shape (count, p), float64
        The values, in the order of `PARAMETERS`, to be read only.
    changed : set of (int, str)
        Row of the vehicle and name of each value that was set since the owner emptied this set.

    Raises
    ------
    ParameterError
        ``defaults`` has an unknown name, or a value out of range.

    Examples
    --------
    >>> parameters = Parameters(2, {"MIS_TAKEOFF_ALT": 5.0})
    >>> parameters.set(1, "MIS_TAKEOFF_ALT", 10.0)
    >>> parameters.get(0, "MIS_TAKEOFF_ALT"), parameters.get(1, "MIS_TAKEOFF_ALT")
    (5.0, 10.0)
    >>> parameters.changed
    {(1, 'MIS_TAKEOFF_ALT')}
    """

    def __init__(self, count: int, defaults: Mapping[str, float] | None = None) -> None:
        row = [_rounded(some, some.default) for some in _ROWS]
        self.values: NDArray[np.float64] = np.tile(np.array(row), (count, 1))
        self.changed: set[tuple[int, str]] = set()
        self._checksums: dict[int, int] = {}  # by vehicle, of its values now
        for name, value in (defaults or {}).items():
            self.values[:, _index(name)] = _checked(name, value)

    def __len__(self) -> int:
        return len(self.values)

    def get(self, vehicle: int, name: str) -> float:
        """Return a value of the vehicle in row ``vehicle``; a ParameterError if there is none."""
        return float(self.values[vehicle, _index(name)])

    def column(self, name: str) -> NDArray[np.float64]:
        """Return the values of all vehicles, shape (count,); a ParameterError if there is none."""
        return self.values[:, _index(name)]

    def set(self, vehicle: int, name: str, value: float) -> None:
        """Set a value; a ParameterError if there is no such parameter, or it is out of range."""
        self.values[vehicle, _index(name)] = _checked(name, value)
        self.changed.add((vehicle, name))
        self._checksums.pop(vehicle, None)

    def checksum(self, vehicle: int) -> int:
        """Return the number by which stations tell whether they have all values already.

        It is the CRC-32 of names and values of four bytes, without the usual inversion of its
        beginning and end [@px4 v1.16.1 parameters.cpp param_hash_check].
        """
        if vehicle not in self._checksums:
            pairs = zip(_ROWS, self.values[vehicle], strict=True)
            data = b"".join(row.name.encode() + _bytes(row, value) for row, value in pairs)
            self._checksums[vehicle] = zlib.crc32(data, _ALL_ONES) ^ _ALL_ONES
        return self._checksums[vehicle]


class ParameterLink:
    """Parameters of one vehicle over one link.

    Parameters
    ----------
    parameters : Parameters
        The values.
    vehicle : int
        Row of the vehicle.
    system, component : int
        Its MAVLink IDs.

    Notes
    -----
    A `PARAM_VALUE` has no addressee: that of a `PARAM_SET` can be sent over all links of the
    vehicle, so that all stations know the value.
    """

    def __init__(
        self, parameters: Parameters, vehicle: int, system: int, component: int = 1
    ) -> None:
        self._parameters = parameters
        self._vehicle = vehicle
        self._addresses = {(system, component), (system, _ALL_COMPONENTS)}
        self._next: int | None = None  # index of the list that is sent next; -1: the checksum
        self._sent = -math.inf

    def handle(self, message: Message, time: float) -> list[Reply]:
        """Return the answers to a message; none to one that is not for this vehicle.

        Parameters
        ----------
        message : Message
            Any message.
        time : float
            Time that never decreases [s].
        """
        kind = message.get_type()
        if kind not in ("PARAM_REQUEST_LIST", "PARAM_REQUEST_READ", "PARAM_SET"):
            return []
        if (message.target_system, message.target_component) not in self._addresses:
            return []
        if kind == "PARAM_REQUEST_LIST":
            # a station that asks again wants the values, not the checksum
            self._next = -1 if self._next is None else 0
            return []
        if kind == "PARAM_REQUEST_READ":
            return self._read(message.param_id, message.param_index)
        return self._set(message.param_id, message.param_value, message.param_type)

    def due(self, time: float) -> list[Reply]:
        """Return what is next of a list that is being sent: at most `BURST` values."""
        if self._next is None or time - self._sent < PAUSE:
            return []
        self._sent = time
        begin, end = self._next, min(self._next + BURST, len(_ROWS))
        self._next = end if end < len(_ROWS) else None
        return [
            self._value(index) if index >= 0 else self._checksum() for index in range(begin, end)
        ]

    def _read(self, name: str, index: int) -> list[Reply]:
        if index >= 0:
            return [self._value(index)] if index < len(_ROWS) else []
        if name == HASH:
            return [self._checksum()]
        return [self._value(_INDICES[name])] if name in _INDICES else []

    def _set(self, name: str, value: float, kind: int) -> list[Reply]:
        if name == HASH:  # the station knows all values
            self._next = None
            return []
        if name not in _INDICES:
            return []
        row = PARAMETERS[name]
        if kind != _type(row):
            return []
        number = struct.unpack("<i", struct.pack("<f", value))[0] if kind == _INT32 else value
        if _is_valid(row, number):
            self._parameters.set(self._vehicle, name, number)
        return [self._value(_INDICES[name])]

    def _value(self, index: int) -> Reply:
        row = _ROWS[index]
        data = _bytes(row, self._parameters.values[self._vehicle, index])
        return _param_value(row.name, data, _type(row), index)

    def _checksum(self) -> Reply:
        data = struct.pack("<I", self._parameters.checksum(self._vehicle))
        return _param_value(HASH, data, _UINT32, _NO_INDEX)


def _param_value(name: str, data: bytes, kind: int, index: int) -> Reply:
    fields: dict[str, object] = {
        "param_id": name,
        # integers have their bytes, not their number, in the field
        "param_value": struct.unpack("<f", data)[0],
        "param_type": kind,
        "param_count": len(_ROWS),
        "param_index": index,
    }
    return Reply("PARAM_VALUE", fields)


def _index(name: str) -> int:
    if name not in _INDICES:
        near = near_names(name, _INDICES, otherwise="MIS_TAKEOFF_ALT")
        raise ParameterError(f"expected a parameter of the autopilot such as {near}, got {name!r}")
    return _INDICES[name]


def _checked(name: str, value: float) -> float:
    row = _ROWS[_index(name)]
    if not _is_valid(row, value):
        whole = "a whole number " if row.kind == "INT32" else ""
        span = f"{whole}{row.low:g}..{row.high:g} {row.unit}".rstrip()
        raise ParameterError(f"{name}: expected {span}, got {value!r}")
    return _rounded(row, value)


def _is_valid(row: Parameter, value: float) -> bool:
    if not abs(value) <= _MAX_REAL or (row.kind == "INT32" and value != int(value)):
        return False
    return _rounded(row, row.low) <= _rounded(row, value) <= _rounded(row, row.high)


def _rounded(row: Parameter, value: float) -> float:
    """Return a number as the type of the parameter can have it."""
    return float(value) if row.kind == "INT32" else float(np.float32(value))


def _type(row: Parameter) -> int:
    return _INT32 if row.kind == "INT32" else _REAL32


def _bytes(row: Parameter, value: float) -> bytes:
    return struct.pack("<i", int(value)) if row.kind == "INT32" else struct.pack("<f", value)
