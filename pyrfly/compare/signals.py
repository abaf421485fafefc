"""Columns as scalar signals in common units and frames: `signals_of`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.frames import LocalFrame, euler_of_quaternion
from pyrfly.log.columns import component_names
from pyrfly.log.series import FlightData, Series

__all__ = ["LARGEST", "Signal", "signals_of"]

Array = NDArray[np.float64]

LARGEST = 1e60
"""Magnitude of a value, of any unit, above which it counts as missing: products of densities of
power are numbers up to there."""

_ATTITUDE = "FRD to NED"  # frame of quaternions
_ANGLES = ("roll", "pitch", "yaw")
_FARTHEST = 1e9  # m
_TURN = 360.0  # deg
_FULL_CIRCLES = {"roll": _TURN, "yaw": _TURN}
_COURSES = {"gps_course": 2.0 * np.pi}
"""Columns that are angles of a full circle, and how much that is."""


@dataclass(frozen=True, eq=False)
class Signal:
    """A number of one vehicle over time.

    Attributes
    ----------
    name : str
        Such as ``"pos_north"`` or ``"roll"``.
    column : str
        The column that it is of, such as ``"pos"`` or ``"att"``.
    unit : str
        Its unit; degrees for roll, pitch and yaw, else that of the column; empty where the
        components of the column have several.
    time, values : ndarray, shape (T,)
        The samples; angles of a full circle are unwrapped.
    turn : float
        A full circle in its unit; 0 of what is no such angle.
    whole : bool
        Whether it has whole numbers, such as flags, which are not interpolated.
    position : bool
        Whether it is a coordinate in a local frame.
    scale : float
        Largest magnitude of the components of the column that have its unit; what is small against
        it is rounding.
    """

    name: str
    column: str
    unit: str
    time: Array
    values: Array
    turn: float = 0.0
    whole: bool = False
    position: bool = False
    scale: float = 0.0


def signals_of(data: FlightData, origin: tuple[float, float, float] | None) -> dict[str, Signal]:
    """Return the signals of the columns of a flight, by name.

    Parameters
    ----------
    data : FlightData
        The columns.
    origin : tuple of 3 floats, optional
        Origin of the local frame in which positions shall be; by default that of the flight.
    """
    found = (
        signal for series in data.columns.values() for signal in _signals(series, data, origin)
    )
    signals: dict[str, Signal] = {}
    for signal in found:
        signals.setdefault(signal.name, signal)  # the quaternion comes before Euler angles
    return signals


def _signals(
    series: Series, data: FlightData, origin: tuple[float, float, float] | None
) -> Iterator[Signal]:
    field, values = series.field, series.values
    whole = values.dtype.kind != "f"
    values = _measurable(values.astype(np.float64), LARGEST)
    if field.frame == _ATTITUDE and field.width == 4:
        prefix = "" if field.name == "att" else f"{field.name}_"
        yield from _angles(field.name, series.time, euler_of_quaternion(_unit(values)), prefix)
        return
    if field.name == "euler" and field.width == 3:
        yield from _angles("att", series.time, values, "")
        return
    position = _is_position(field)
    # which of several units a component has is not known: it depends on the vehicle
    unit = "" if " or " in field.unit else field.unit
    if position:
        values = _moved(values, data.origin, origin)
    turn = _COURSES.get(field.name, 0.0)
    scale = _largest(values) if unit else 0.0
    for name, part in zip(component_names(field), values.reshape(len(values), -1).T, strict=True):
        part = _unwrapped(part, turn) if turn else part
        yield Signal(name, field.name, unit, series.time, part, turn, whole, position, scale)


def _angles(column: str, time: Array, euler: Array, prefix: str) -> Iterator[Signal]:
    angles = np.degrees(euler)
    scale = _largest(angles)
    for name, part in zip(_ANGLES, angles.T, strict=True):
        turn = _FULL_CIRCLES.get(name, 0.0)
        part = _unwrapped(part, turn) if turn else part
        yield Signal(prefix + name, column, "deg", time, part, turn, scale=scale)


def _largest(values: Array) -> float:
    known = np.abs(values[np.isfinite(values)])
    return float(known.max()) if known.size else 0.0


def _unit(quaternions: Array) -> Array:
    """Return quaternions of length 1; NaN where they are none."""
    with np.errstate(all="ignore"):
        length = np.sqrt(np.sum(quaternions**2, axis=1, keepdims=True))
        return np.where(np.abs(length - 1.0) < 0.1, quaternions / length, np.nan)


def _unwrapped(values: Array, turn: float) -> Array:
    """Return angles without jumps by a turn; NaN stays."""
    result = values.copy()
    known = np.isfinite(values)
    result[known] = np.unwrap(values[known], period=turn)
    return result


def _measurable(values: Array, largest: float) -> Array:
    """Return values, NaN in place of what is larger than anything that is measured."""
    return np.where(np.abs(values) <= largest, values, np.nan)


def _is_position(field: Field) -> bool:
    return (field.width, field.unit, field.frame) == (3, "m", "NED")


def _moved(
    pos: Array, own: tuple[float, float, float] | None, other: tuple[float, float, float] | None
) -> Array:
    """Return positions of one local frame in another, if both are known."""
    if own is None or other is None or own == other:
        return pos
    return LocalFrame(*other).to_ned(LocalFrame(*own).to_lla(_measurable(pos, _FARTHEST)))
