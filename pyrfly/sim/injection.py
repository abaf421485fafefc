"""What RflySim's numbers of faults are: `tables_of`.

The parameters are those of [@rfly-sdk], directions those of FaultInParams [@rfly-safe Init.m].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.protocol.bits import FaultId

__all__ = ["ENDED_BY", "Subject", "tables_of"]

Tables = Iterator[dict[str, Any]]
Values = NDArray[np.float64]


class Subject(NamedTuple):
    """The vehicle that is to have a fault.

    Attributes
    ----------
    actuators : int
        Number of actuators.
    arm : float
        Distance of the farthest rotor from the centre of mass [m]; NaN without rotors of its own.
    params : mapping of int to float
        FaultInParams that it was given, by their numbers.
    """

    actuators: int
    arm: float
    params: Mapping[int, float]


Rule = Callable[[Values, Subject], Tables]

_TURBULENCE, _SHEAR = (4, 5), (6, 7)
"""Numbers of FaultInParams: the wind [m/s] that a gain of 1 is, and where it comes from [deg]."""

_GUST_FROM = 9
"""Number of FaultInParams: direction of gusts; they blow from the south without it (assumption)."""

_PUBLISHED: Mapping[int, float] = {4: 3.0, 5: 1.0, 6: 3.0, 7: 1.0}
"""FaultInParams that were not given [@rfly-safe Init.m]."""

_MOTORS = 8
"""Most motors of RflySim's models, which have a parameter each."""

_BY_PRIORITY = (FaultId.CONSTANT_WIND, FaultId.GUST, FaultId.TURBULENCE, FaultId.WIND_SHEAR)

ENDED_BY: Mapping[int, tuple[int, ...]] = {
    number: _BY_PRIORITY[:place] for place, number in enumerate(_BY_PRIORITY) if place
}
"""Faults that do not act while one of others does: winds, the first of them first."""


def tables_of(number: int, values: Values, subject: Subject) -> list[dict[str, Any]]:
    """Return arguments of `Faults.add` for a number and its parameters (20,).

    Raises a ValueError for what the vehicle cannot have.
    """
    return list(_RULES[number](values, subject))


def _losses(kind: str) -> Rule:
    """Return what a share of each motor is: faults of those with the same share."""

    def tables(values: Values, subject: Subject) -> Tables:
        shares = values[: min(subject.actuators, _MOTORS)]
        for share in np.unique(shares[shares != 1]).tolist():
            numbers = (np.flatnonzero(shares == share) + 1).tolist()
            yield {"kind": kind, "actuator": numbers, "effectiveness": share}

    return tables


def _noise(*sensors: str, gain: int = 0) -> Rule:
    """Return more noise of sensors: a gain p is 0.2 + 0.8 p times as much."""

    def tables(values: Values, _: Subject) -> Tables:
        yield {"kind": "sensor_noise", "sensor": sensors, "factor": 0.2 + 0.8 * values[gain]}

    return tables


def _all(*rules: Rule) -> Rule:
    """Return several faults of one number."""

    def tables(values: Values, subject: Subject) -> Tables:
        for rule in rules:
            yield from rule(values, subject)

    return tables


def _with(kind: str, sensor: str | None = None, scale: float = 1.0, **names: int) -> Rule:
    """Return a fault whose values are parameters by their places, times a scale."""
    of = {} if sensor is None else {"sensor": sensor}

    def tables(values: Values, _: Subject) -> Tables:
        yield {"kind": kind, **of, **{name: scale * values[k] for name, k in names.items()}}

    return tables


def _wind(values: Values, _: Subject) -> Tables:
    yield {"kind": "wind", "wind": values[:3]}


def _gusts(values: Values, subject: Subject) -> Tables:
    """Return gusts by their strength and frequency per minute, which is at least 1."""
    wind = _blowing(values[0], subject.params.get(_GUST_FROM))
    yield {"kind": "gusts", "wind": wind, "period": 60.0 / max(values[1], 1.0)}


def _of_params(kind: str, numbers: tuple[int, int]) -> Rule:
    """Return a wind of FaultInParams, times a gain."""

    def tables(values: Values, subject: Subject) -> Tables:
        speed, direction = ({**_PUBLISHED, **subject.params}[number] for number in numbers)
        yield {"kind": kind, "wind": _blowing(values[0] * speed, direction)}

    return tables


def _blowing(speed: float, direction: float | None) -> list[float]:
    """Return the wind [m/s, NED] from a direction [deg], clockwise from north; None: south."""
    if direction is None:
        return [speed, 0.0, 0.0]
    sine, cosine = exact.sincos(np.array([math.radians(direction)]))
    return [-speed * float(cosine[0]), -speed * float(sine[0]), 0.0]


def _load_shift(values: Values, subject: Subject) -> Tables:
    """Return a share of the mass at an offset in units of the arm."""
    if math.isnan(subject.arm):
        raise ValueError("expected a vehicle with arms, which the offset is a share of")
    yield {"kind": "load_shift", "share": values[0], "offset": subject.arm * values[1:4]}


def _height_error(values: Values, _: Subject) -> Tables:
    """Return an offset of the barometer by a height [m]."""
    yield {"kind": "sensor_bias", "sensor": "barometer", "bias": -_PRESSURE_LAPSE * values[0]}


_PRESSURE_LAPSE = 12.013
"""Fall of the pressure with the height at sea level [Pa/m]: 1.225 kg/m^3 times 9.80665 m/s^2."""

_MINUTE = 60.0
"""Hover times of RflySim are in minutes (BattHoverMinutes); so is that of a fault (assumption)."""

_VIBRATION = 16
"""Place of the gain of the noise of 123549, one of the parameters without a slot (assumption)."""

_RULES: Mapping[int, Rule] = {
    FaultId.MOTOR: _losses("motor"),
    FaultId.PROPELLER: _losses("propeller"),
    FaultId.BATTERY_TIME: _with("hover_time", scale=_MINUTE, time=0),
    FaultId.POWER_OFF: _with("power_off"),
    FaultId.LOW_VOLTAGE: _with("low_voltage", ratio=0),
    FaultId.LOW_CAPACITY: _with("low_capacity", ratio=0),
    FaultId.LOAD_FALL: _with("load_fall", share=0),
    FaultId.LOAD_SHIFT: _load_shift,
    FaultId.LOAD_LEAK: _with("load_leak", share=0, leak=1),
    FaultId.CONSTANT_WIND: _wind,
    FaultId.GUST: _gusts,
    FaultId.TURBULENCE: _of_params("turbulence", _TURBULENCE),
    FaultId.WIND_SHEAR: _of_params("shear", _SHEAR),
    FaultId.WIND_NOISE: _with("wind_noise", deviation=0),
    FaultId.ACCELEROMETER: _noise("accelerometer"),
    FaultId.GYROSCOPE: _noise("gyroscope"),
    FaultId.MAGNETOMETER: _noise("magnetometer"),
    FaultId.BAROMETER: _height_error,
    FaultId.GPS: _all(
        _noise("gps"),
        _with("gps_fix", "gps", fix=1),
        _with("gps_satellites", "gps", satellites=2),
    ),
    FaultId.MOTOR_NOISE: _all(
        _losses("motor"), _noise("accelerometer", "gyroscope", gain=_VIBRATION)
    ),
}
"""Faults by their numbers."""
