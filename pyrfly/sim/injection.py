"""What RflySim's numbers of faults are: `injections`.

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
from pyrfly.protocol.faults import parameters_of
from pyrfly.sim.fault_arguments import actuators_of
from pyrfly.sim.model_params import fault_params
from pyrfly.sim.selection import Selection

__all__ = ["ENDED_BY", "Injection", "injections"]

Tables = Iterator[dict[str, Any]]
Values = NDArray[np.float64]


class Injection(NamedTuple):
    """A number that is injected into k vehicles of one group, the same actuators of each.

    Attributes
    ----------
    number : int
        The number.
    ids : ndarray of int, shape (k,)
        The vehicles.
    values : ndarray, shape (k, 20)
        Its parameters.
    params : ndarray, shape (k, 32)
        FaultInParams that they were given, NaN of others.
    motors : tuple of bool
        Which of the actuators that RflySim has as motors each has, at most eight.
    arm : float
        Distance of the farthest rotor from the centre of mass [m]; NaN without rotors of its own.
    """

    number: int
    ids: NDArray[np.intp]
    values: Values
    params: Values
    motors: tuple[bool, ...]
    arm: float

    def tables(self) -> list[dict[str, Any]]:
        """Return arguments of `Faults.add`, one for each vehicle.

        Raises a ValueError for what the vehicles cannot have.
        """
        if not np.isfinite(self.values).all():
            raise ValueError("expected finite parameters")
        return list(_RULES[self.number](self))

    def of(self, rows: Any) -> Injection:
        """Return that of some of the vehicles."""
        return self._replace(ids=self.ids[rows], values=self.values[rows], params=self.params[rows])

    def halves(self) -> tuple[Injection, Injection]:
        """Return those of the first and the second half of the vehicles."""
        middle = len(self.ids) // 2
        return self.of(slice(middle)), self.of(slice(middle, None))


Rule = Callable[[Injection], Tables]

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


def injections(chosen: Selection, ints: NDArray[Any], floats: NDArray[Any]) -> Iterator[Injection]:
    """Yield what the inputs ``inSILInts`` (k, 8) and ``inSILFloats`` (k, 20) of vehicles inject."""
    for group, rows, places in chosen:
        ids = group.first_id + group.numbers(rows)
        params = fault_params(chosen)[places]
        there, most = actuators_of(group), min(group.parameters.actuator_count, _MOTORS)
        motors = tuple(number in there for number in range(1, most + 1))
        arm = math.nan if group.family.arm is None else group.family.arm(group.parameters)
        for number, (own, values) in parameters_of(ints[places], floats[places]).items():
            yield from _alike(Injection(number, ids[own], values, params[own], motors, arm))


def _alike(whole: Injection) -> Iterator[Injection]:
    """Yield the parts of an injection of which the same actuators have the same faults."""
    if whole.number not in _OF_MOTORS:
        yield whole
        return
    pattern, which = np.unique(_leaders(whole), axis=0, return_inverse=True)
    for k in range(len(pattern)):
        yield whole.of(which.ravel() == k)


def _leaders(of: Injection) -> NDArray[np.intp]:
    """Return for each motor the first one with its share, -1 for one with all, (k, m)."""
    shares = of.values[:, : len(of.motors)]
    first = (shares[:, :, None] == shares[:, None, :]).argmax(axis=2)
    return np.where((shares == 1) | ~np.array(of.motors, np.bool_), -1, first)


def _losses(kind: str) -> Rule:
    """Return what a share of each motor is: faults of those with the same share."""

    def tables(of: Injection) -> Tables:
        leaders = _leaders(of)[0]
        for leader in np.unique(leaders[leaders >= 0]).tolist():
            numbers = (np.flatnonzero(leaders == leader) + 1).tolist()
            yield {"kind": kind, "actuator": numbers, "effectiveness": of.values[:, leader]}

    return tables


def _noise(*sensors: str, gain: int = 0) -> Rule:
    """Return more noise of sensors: a gain p is 0.2 + 0.8 p times as much."""

    def tables(of: Injection) -> Tables:
        yield {"kind": "sensor_noise", "sensor": sensors, "factor": 0.2 + 0.8 * of.values[:, gain]}

    return tables


def _all(*rules: Rule) -> Rule:
    """Return several faults of one number."""

    def tables(of: Injection) -> Tables:
        for rule in rules:
            yield from rule(of)

    return tables


def _with(kind: str, sensor: str | None = None, scale: float = 1.0, **names: int) -> Rule:
    """Return a fault whose values are parameters by their places, times a scale."""
    owner = {} if sensor is None else {"sensor": sensor}

    def tables(of: Injection) -> Tables:
        values = {name: scale * of.values[:, k] for name, k in names.items()}
        yield {"kind": kind, **owner, **values}

    return tables


def _wind(of: Injection) -> Tables:
    yield {"kind": "wind", "wind": of.values[:, :3]}


def _gusts(of: Injection) -> Tables:
    """Return gusts by their strength and frequency per minute, which is at least 1."""
    period = 60.0 / np.maximum(of.values[:, 1], 1.0)
    yield {"kind": "gusts", "wind": _blowing(of, of.values[:, 0], _GUST_FROM), "period": period}


def _of_params(kind: str, speed: int, direction: int) -> Rule:
    """Return a wind of FaultInParams, times a gain."""

    def tables(of: Injection) -> Tables:
        wind = _blowing(of, of.values[:, 0] * _param(of, speed), direction)
        yield {"kind": kind, "wind": wind}

    return tables


def _param(of: Injection, number: int) -> Values:
    """Return a number of FaultInParams, NaN without one, shape (k,)."""
    given = of.params[:, number - 1]
    return np.where(np.isnan(given), _PUBLISHED.get(number, math.nan), given)


def _blowing(of: Injection, speed: Values, direction: int) -> Values:
    """Return winds (k, 3) [m/s, NED] from the direction of FaultInParams; NaN is the south."""
    angle = np.radians(_param(of, direction))
    south = np.isnan(angle)
    sine, cosine = exact.sincos(np.where(south, 0.0, angle))
    cosine = np.where(south, -1.0, cosine)
    return np.stack([-speed * cosine, -speed * sine, np.zeros_like(speed)], axis=1)


def _load_shift(of: Injection) -> Tables:
    """Return a share of the mass at an offset in units of the arm."""
    if math.isnan(of.arm):
        raise ValueError("expected a vehicle with arms, which the offset is a share of")
    yield {"kind": "load_shift", "share": of.values[:, 0], "offset": of.arm * of.values[:, 1:4]}


def _height_error(of: Injection) -> Tables:
    """Return an offset of the barometer by a height [m]."""
    yield {"kind": "sensor_bias", "sensor": "barometer", "bias": -_PRESSURE_LAPSE * of.values[:, 0]}


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
    FaultId.TURBULENCE: _of_params("turbulence", *_TURBULENCE),
    FaultId.WIND_SHEAR: _of_params("shear", *_SHEAR),
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

_OF_MOTORS = (FaultId.MOTOR, FaultId.PROPELLER, FaultId.MOTOR_NOISE)
"""Those whose faults are of motors, by their shares."""
