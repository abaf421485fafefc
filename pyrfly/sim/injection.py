"""What RflySim's numbers of faults are: `tables_of`.

The parameters are those of [@rfly-sdk], directions those of FaultInParams [@rfly-safe Init.m].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.protocol.bits import FaultId

__all__ = ["ENDED_BY", "tables_of"]

Tables = Iterator[dict[str, Any]]
Params = Mapping[int, float]
Rule = Callable[[NDArray[np.float64], int, Params], Tables]

_GUST_FROM = 9
"""Number of FaultInParams: direction of gusts; they blow from the south without it (assumption)."""

_MOTORS = 8
"""Most motors of RflySim's models, which have a parameter each."""

ENDED_BY: Mapping[int, tuple[int, ...]] = {FaultId.GUST: (FaultId.CONSTANT_WIND,)}
"""Faults that do not act while one of others does: constant wind comes before gusts."""


def tables_of(
    number: int, values: NDArray[np.float64], actuators: int, params: Params
) -> list[dict[str, Any]]:
    """Return arguments of `Faults.add` for a number and its parameters (20,).

    A vehicle has a number of actuators, and FaultInParams by their numbers. Raises a ValueError for
    a number that has no faults here.
    """
    if number not in _RULES:
        raise ValueError("there is no such fault here yet")
    return list(_RULES[number](values, actuators, params))


def _losses(kind: str) -> Rule:
    """Return what a share of each motor is: faults of those with the same share."""

    def tables(values: NDArray[np.float64], actuators: int, _: Params) -> Tables:
        shares = values[: min(actuators, _MOTORS)]
        for share in np.unique(shares[shares != 1]).tolist():
            numbers = (np.flatnonzero(shares == share) + 1).tolist()
            yield {"kind": kind, "actuator": numbers, "effectiveness": share}

    return tables


def _noise(sensor: str) -> Rule:
    """Return more noise of a sensor: a gain p is 0.2 + 0.8 p times as much."""

    def tables(values: NDArray[np.float64], _: int, __: Params) -> Tables:
        yield {"kind": "sensor_noise", "sensor": sensor, "factor": 0.2 + 0.8 * values[0]}

    return tables


def _wind(values: NDArray[np.float64], _: int, __: Params) -> Tables:
    yield {"kind": "wind", "wind": values[:3]}


def _gusts(values: NDArray[np.float64], _: int, params: Params) -> Tables:
    """Return gusts by their strength and frequency per minute, which is at least 1."""
    wind = _blowing(values[0], params[_GUST_FROM]) if _GUST_FROM in params else [values[0], 0, 0]
    yield {"kind": "gusts", "wind": wind, "period": 60.0 / max(values[1], 1.0)}


def _blowing(speed: float, direction: float) -> list[float]:
    """Return the wind [m/s, NED] from a direction [deg], clockwise from north."""
    sine, cosine = exact.sincos(np.array([math.radians(direction)]))
    return [-speed * float(cosine[0]), -speed * float(sine[0]), 0.0]


_RULES: Mapping[int, Rule] = {
    FaultId.MOTOR: _losses("motor"),
    FaultId.PROPELLER: _losses("propeller"),
    FaultId.CONSTANT_WIND: _wind,
    FaultId.GUST: _gusts,
    FaultId.ACCELEROMETER: _noise("accelerometer"),
    FaultId.GYROSCOPE: _noise("gyroscope"),
    FaultId.MAGNETOMETER: _noise("magnetometer"),
}
"""Faults by their numbers, of parameters (20,), the number of actuators, and FaultInParams."""
