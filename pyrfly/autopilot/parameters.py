"""Parameters of vehicles over MAVLink: `Parameters`, `ParameterLink`.

As in PX4 v1.16.1 [@px4 v1.16.1 mavlink_parameters.cpp], with two differences: a value that is not
finite or out of range is refused, and a request to read an unknown name is answered by a text, too.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.parameter_table import PARAMETERS, Parameter, parameters_of
from pyrfly.autopilot.reply import Message, Reply, status_text
from pyrfly.errors import ParameterError, near_names
from pyrfly.mavlink.constants import Severity
from pyrfly.vehicles import Abilities

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


class _List(NamedTuple):
    """Parameters of a kind of vehicle: rows, index of each name, columns of values, defaults."""

    rows: tuple[Parameter, ...]
    indices: Mapping[str, int]
    columns: NDArray[np.intp]
    defaults: NDArray[np.float64]


def _list_of(able: Abilities, columns: Mapping[str, int]) -> _List:
    known = parameters_of(able)
    return _List(
        tuple(known.values()),
        {name: index for index, name in enumerate(known)},
        np.array([columns[name] for name in known]),
        np.array([_rounded(row, row.default) for row in known.values()]),
    )


class Parameters:
    """Values of the parameters of vehicles, each with those of its kind.

    Parameters
    ----------
    vehicles : sequence of (Abilities, int)
        What vehicles can do, and how many can do it, in the order of the vehicles.
    defaults : mapping of str to float, optional
        Values of all vehicles instead of those of `PARAMETERS`, such as `SET_DEFAULTS`.

    Attributes
    ----------
    values : ndarray, shape (n, p), float64
        The values, in the order of `PARAMETERS`, then those of families outside of the tree, to be
        read only; NaN where a vehicle has none.
    changed : set of (int, str)
        Row of the vehicle and name of each value that was set since the owner emptied this set.

    Raises
    ------
    ParameterError
        ``defaults`` has a name that a vehicle does not have, or a value out of range.

    Examples
    --------
    >>> from pyrfly.vehicles import FAMILIES
    >>> able = FAMILIES["multirotor"].abilities
    >>> parameters = Parameters([(able, 2)], {"MIS_TAKEOFF_ALT": 5.0})
    >>> parameters.set(1, "MIS_TAKEOFF_ALT", 10.0)
    >>> parameters.get(0, "MIS_TAKEOFF_ALT"), parameters.get(1, "MIS_TAKEOFF_ALT")
    (5.0, 10.0)
    >>> parameters.changed
    {(1, 'MIS_TAKEOFF_ALT')}
    """

    def __init__(
        self,
        vehicles: Sequence[tuple[Abilities, int]],
        defaults: Mapping[str, float] | None = None,
    ) -> None:
        names = dict.fromkeys([*PARAMETERS, *(name for able, _ in vehicles for name in able.px4)])
        self._columns = {name: column for column, name in enumerate(names)}
        self._lists = [
            known for able, n in vehicles for known in [_list_of(able, self._columns)] * n
        ]
        self.values: NDArray[np.float64] = np.full((len(self), len(names)), math.nan)
        self.changed: set[tuple[int, str]] = set()
        self._checksums: dict[int, int] = {}  # by vehicle, of its values now
        for vehicle, known in enumerate(self._lists):
            self.values[vehicle, known.columns] = known.defaults
            for name, value in (defaults or {}).items():
                self.set(vehicle, name, value)
        self.changed.clear()

    def __len__(self) -> int:
        return len(self._lists)

    def rows(self, vehicle: int) -> tuple[Parameter, ...]:
        """Return the parameters of the vehicle in row ``vehicle``, in the order of their names."""
        return self._lists[vehicle].rows

    def index(self, vehicle: int, name: str) -> int | None:
        """Return the index of a parameter in `rows`; None if the vehicle does not have it."""
        return self._lists[vehicle].indices.get(name)

    def get(self, vehicle: int, name: str) -> float:
        """Return a value of the vehicle in row ``vehicle``; a ParameterError if there is none."""
        self._row(vehicle, name)
        return float(self.values[vehicle, self._columns[name]])

    def own(self, vehicle: int) -> NDArray[np.float64]:
        """Return the values of a vehicle, in the order of `rows`."""
        values: NDArray[np.float64] = self.values[vehicle, self._lists[vehicle].columns]
        return values

    def column(self, name: str) -> NDArray[np.float64]:
        """Return the values of all vehicles, shape (n,); a ParameterError if there is none."""
        if name not in self._columns:
            raise _unknown(name, self._columns)
        return self.values[:, self._columns[name]]

    def columns(self, *names: str) -> NDArray[np.float64]:
        """Return the values of some parameters of all vehicles, shape (n, k)."""
        return self.values[:, [self._columns[name] for name in names]]

    def set(self, vehicle: int, name: str, value: float) -> None:
        """Set a value; a ParameterError if there is no such parameter, or it is out of range."""
        row = self._row(vehicle, name)
        self.values[vehicle, self._columns[name]] = _checked(row, value)
        self.changed.add((vehicle, name))
        self._checksums.pop(vehicle, None)

    def checksum(self, vehicle: int) -> int:
        """Return the number by which stations tell whether they have all values already.

        It is the CRC-32 of names and values of four bytes, without the usual inversion of its
        beginning and end [@px4 v1.16.1 parameters.cpp param_hash_check].
        """
        if vehicle not in self._checksums:
            pairs = zip(self.rows(vehicle), self.own(vehicle), strict=True)
            data = b"".join(row.name.encode() + _bytes(row, value) for row, value in pairs)
            self._checksums[vehicle] = zlib.crc32(data, _ALL_ONES) ^ _ALL_ONES
        return self._checksums[vehicle]

    def _row(self, vehicle: int, name: str) -> Parameter:
        index = self.index(vehicle, name)
        if index is None:
            raise _unknown(name, self._lists[vehicle].indices)
        return self.rows(vehicle)[index]


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
        self._rows = parameters.rows(vehicle)
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
        begin, end = self._next, min(self._next + BURST, len(self._rows))
        self._next = end if end < len(self._rows) else None
        return [
            self._value(index) if index >= 0 else self._checksum() for index in range(begin, end)
        ]

    def _read(self, name: str, index: int) -> list[Reply]:
        if index >= 0:
            known = index < len(self._rows)
            return [self._value(index) if known else _no_parameter(f"param ID: {index}")]
        if name == HASH:
            return [self._checksum()]
        found = self._parameters.index(self._vehicle, name)
        return [_no_parameter(f"param: {name}") if found is None else self._value(found)]

    def _set(self, name: str, value: float, kind: int) -> list[Reply]:
        if name == HASH:  # the station knows all values
            self._next = None
            return []
        index = self._parameters.index(self._vehicle, name)
        if index is None:
            return [_no_parameter(f"param: {name}")]
        row = self._rows[index]
        if kind != _type(row):
            return []
        number = struct.unpack("<i", struct.pack("<f", value))[0] if kind == _INT32 else value
        if _is_valid(row, number):
            self._parameters.set(self._vehicle, name, number)
        return [self._value(index)]

    def _value(self, index: int) -> Reply:
        row = self._rows[index]
        data = _bytes(row, self._parameters.get(self._vehicle, row.name))
        return self._param_value(row.name, data, _type(row), index)

    def _checksum(self) -> Reply:
        data = struct.pack("<I", self._parameters.checksum(self._vehicle))
        return self._param_value(HASH, data, _UINT32, _NO_INDEX)

    def _param_value(self, name: str, data: bytes, kind: int, index: int) -> Reply:
        fields: dict[str, object] = {
            "param_id": name,
            # integers have their bytes, not their number, in the field
            "param_value": struct.unpack("<f", data)[0],
            "param_type": kind,
            "param_count": len(self._rows),
            "param_index": index,
        }
        return Reply("PARAM_VALUE", fields)


def _no_parameter(what: str) -> Reply:
    text = f"[pm] unknown {what}".encode("ascii", "replace").decode()  # a name is untrusted
    return status_text(text, Severity.INFO)


def _unknown(name: str, known: Mapping[str, int]) -> ParameterError:
    near = near_names(name, known, otherwise="MIS_TAKEOFF_ALT")
    return ParameterError(f"expected a parameter of the autopilot such as {near}, got {name!r}")


def _checked(row: Parameter, value: float) -> float:
    if not _is_valid(row, value):
        whole = "a whole number " if row.kind == "INT32" else ""
        span = f"{whole}{row.low:g}..{row.high:g} {row.unit}".rstrip()
        raise ParameterError(f"{row.name}: expected {span}, got {value!r}")
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
