"""Arguments of `Faults.add`: `checked`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError, brief, near_names
from pyrfly.protocol.bits import FaultyLink, FaultySensor, Sensor
from pyrfly.sim.fault_kinds import VECTORS, Kind, kind_of
from pyrfly.sim.group import Group
from pyrfly.sim.interface import bits_of
from pyrfly.sim.selection import Selection
from pyrfly.sim.strength import require_strengths
from pyrfly.vehicles.actuators import UNUSED

__all__ = ["VALUES", "Checked", "actuator_bits", "actuators_of", "checked"]

Array = NDArray[np.float64]

VALUES = 4
"""Values of a fault in the column ``fault_strength`` (csrc/parts/faults/columns.h)."""

_LONGEST = 1e9
"""Maximum of a time [s], some 30 years."""

_EXPECTED = {
    "actuator": "numbers from 1",
    "sensor": "names of sensors",
    "link": "names of links",
}


class Checked(NamedTuple):
    """A fault of k vehicles whose arguments are right.

    Attributes
    ----------
    columns : dict of str to ndarray, shape (k,)
        Values of columns, in the place of the fault; ``fault_start`` as it is given.
    strength : ndarray, shape (k, 4)
        Those of ``fault_strength``.
    parts : tuple of str
        Other parts by which it acts.
    """

    columns: dict[str, NDArray[Any]]
    strength: Array
    parts: tuple[str, ...]

    def of(self, rows: NDArray[np.bool_]) -> Checked:
        """Return that of some of the vehicles."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        return Checked(columns, self.strength[rows], self.parts)


def checked(
    chosen: Selection,
    kind: str,
    now: float,
    *,
    actuator: int | Sequence[int] | None = None,
    sensor: str | Sequence[str] | None = None,
    link: str | Sequence[str] | None = None,
    at: ArrayLike | None = None,
    rate: ArrayLike = 0.0,
    duration: ArrayLike | None = None,
    ramp: ArrayLike = 0.0,
    **values: ArrayLike,
) -> Checked:
    """Return a fault of vehicles by the arguments of `Faults.add`, also for the errors."""
    row = kind_of(kind)
    if row.of == "actuator" and "strength" not in row.parts:  # which changes commands alone
        chosen.require_reached(f"faults: {kind!r} does not act")
    elif row.of == "actuator":
        require_strengths(chosen, f"faults: {kind!r}", f"faults: {kind!r} does not act")
    else:
        chosen.require_extended(f"faults: {kind!r} does not act")
    if row.needs:
        _require(row.needs, kind, chosen)
    items = _items(row, kind, chosen, {"actuator": actuator, "sensor": sensor, "link": link})
    strength = _strength(row, kind, chosen, items, values)
    start = chosen.per_vehicle("at", now if at is None else at, "s")
    if not ((start >= now - 1e-9) & (start <= _LONGEST)).all():
        raise ValueError(f"at: expected {now:.9g} s, the present, to {_LONGEST:g}, got {brief(at)}")
    columns: dict[str, NDArray[Any]] = {
        "fault_kind": np.full(len(chosen), int(row.number)),
        "fault_items": np.full(len(chosen), items),
        "fault_start": start,
        "fault_rate": chosen.not_negative("rate", rate, "1/s", 1e6),
        "fault_duration": _durations(chosen, duration),
        "fault_ramp": _ramps(row, kind, chosen, ramp),
    }
    return Checked(columns, strength, row.parts)


_NEEDED = {
    "battery": ("battery_on", "power.enable()"),
    "estimator": ("estimator_on", "estimator.enable()"),
}
"""Columns that say whether vehicles have what a kind needs, and what gives it to them."""


def _require(needed: str, kind: str, chosen: Selection) -> None:
    column, given_by = _NEEDED[needed]
    for group, rows, _ in chosen:
        if not (group.has(column) and group.view(column)[rows].all()):
            raise ParameterError(
                f"kind: {group.name!r} (CopterID {group.first_id}) has no {needed} for {kind!r}; "
                f"{given_by} gives it one"
            )


def _items(row: Kind, kind: str, chosen: Selection, given: Mapping[str, Any]) -> int:
    """Return the bits of the actuators, sensors or links of a fault, of arguments by name."""
    if row.of == "sensor" and given["sensor"] is None and len(_able(row)) == 1:
        given = {**given, "sensor": _able(row)}
    for name, value in given.items():
        if name != row.of and value is not None:
            raise ValueError(f"{name}: expected None for {kind!r}, got {brief(value)}")
    if not row.of:
        return 0
    found = given[row.of]
    if found is None:
        raise TypeError(f"{row.of}: expected {_EXPECTED[row.of]} for {kind!r}, got none")
    if row.of == "actuator":
        return actuator_bits(chosen, found)
    names = (found,) if isinstance(found, str) else found
    if not isinstance(names, Sequence):
        raise TypeError(f"{row.of}: expected {_EXPECTED[row.of]}, got {brief(found)}")
    if row.of == "link":
        return bits_of("link", FaultyLink, names)
    return _sensor_bits(row, kind, chosen, names)


def actuator_bits(chosen: Selection, actuator: Any) -> int:
    """Return the bits of numbers of actuators, from 1, which all vehicles must have."""
    numbers = np.atleast_1d(np.asarray(actuator))
    if numbers.ndim != 1 or not numbers.size or numbers.dtype.kind not in "iu":
        raise TypeError(f"actuator: expected numbers from 1, got {brief(actuator)}")
    for group, _, _ in chosen:
        there = actuators_of(group)
        if not set(numbers.tolist()) <= set(there):
            raise ParameterError(
                f"actuator: expected {_listed(there)} of {group.name!r} "
                f"(CopterID {group.first_id}), got {brief(actuator)}"
            )
    return sum(1 << k for k in {int(number) - 1 for number in numbers})


def actuators_of(group: Group) -> dict[int, str]:
    """Return the columns of the commands of the actuators that there are, by number from 1."""
    columns = (name for name in group.actuators for _ in range(group.view(name)[:1].size))
    each = enumerate(zip(columns, group.ranges, strict=True), start=1)
    return {number: column for number, (column, actuator) in each if actuator != UNUSED}


def _listed(actuators: Mapping[int, str]) -> str:
    if max(actuators) == len(actuators):
        return f"1 to {len(actuators)}"
    return ", ".join(f"{number} ({column})" for number, column in actuators.items())


def _sensor_bits(row: Kind, kind: str, chosen: Selection, names: Sequence[str]) -> int:
    bits = bits_of("sensor", FaultySensor, names)
    wrong = [name for name in names if name not in _able(row)]
    if wrong:
        raise ValueError(
            f"sensor: expected some of {', '.join(_able(row))} for {kind!r}, got {wrong[0]!r}"
        )
    for group, rows, _ in chosen:
        on = group.view("sensors_on")[rows] if group.has("sensors_on") else np.zeros(1, np.uint32)
        for name in names:
            if not (on & _SWITCHES[FaultySensor[name.upper()]]).all():
                raise ParameterError(
                    f"sensor: {group.name!r} (CopterID {group.first_id}) has no {name}; "
                    "sensors.enable(...) switches it on"
                )
    return bits


def _able(row: Kind) -> tuple[str, ...]:
    """Return the names of the sensors that may have a kind of fault."""
    able = (bit for bit in FaultySensor if bit & row.sensors)
    return tuple(str(bit.name).lower() for bit in able)


_SWITCHES = {
    FaultySensor.ACCELEROMETER: Sensor.IMU,
    FaultySensor.GYROSCOPE: Sensor.IMU,
    FaultySensor.MAGNETOMETER: Sensor.MAGNETOMETER,
    FaultySensor.BAROMETER: Sensor.BAROMETER,
    FaultySensor.AIRSPEED: Sensor.AIRSPEED,
    FaultySensor.GPS: Sensor.GPS,
    FaultySensor.RANGE: Sensor.RANGE,
    FaultySensor.WATER_PRESSURE: Sensor.WATER_PRESSURE,
    FaultySensor.DVL: Sensor.DVL,
    FaultySensor.ACOUSTIC: Sensor.ACOUSTIC,
}
"""The sensor that must be on for a fault."""


def _strength(
    row: Kind, kind: str, chosen: Selection, items: int, values: Mapping[str, ArrayLike]
) -> Array:
    """Return the values of a fault of each vehicle, shape (k, 4)."""
    for name in values:
        if name not in row.values:
            known = ", ".join(row.values) or "no values"
            raise TypeError(
                f"{name}: {kind!r} has {known}; near are {near_names(name, row.values)}"
            )
    found = np.zeros((len(chosen), VALUES))
    first = 0
    for name, value in row.values.items():
        given = values.get(name, value.default)
        if given is None:
            raise TypeError(f"{name}: expected a value [{value.unit}] for {kind!r}, got none")
        width = value.width
        if width == 3 and row.of == "sensor" and not items & int(VECTORS):
            width = 1
        checked = chosen.within(name, given, value.unit, value.minimum, value.maximum, width)
        found[:, first : first + width] = checked.reshape(len(chosen), width)
        first += value.width
    return found


def _ramps(row: Kind, kind: str, chosen: Selection, ramp: ArrayLike) -> Array:
    """Return ramps, which are 0 where all of a fault acts or none."""
    growing = chosen.not_negative("ramp", ramp, "s", _LONGEST)
    if not row.grows and growing.any():
        raise ValueError(
            f"ramp: expected 0 for {kind!r}, of which no share acts, got {brief(ramp)}"
        )
    return growing


def _durations(chosen: Selection, duration: ArrayLike | None) -> Array:
    """Return durations as the column has them, 0 for ever."""
    if duration is None:
        return np.zeros(len(chosen))
    lasting = chosen.per_vehicle("duration", duration, "s")
    if not ((lasting > 0) & (lasting <= _LONGEST)).all():
        raise ValueError(f"duration: expected over 0 to {_LONGEST:g} [s], got {brief(duration)}")
    return lasting
