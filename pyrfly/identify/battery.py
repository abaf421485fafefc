"""A battery from a log of its voltage and current: `identify_battery`.

Candidates are lanes of one simulation of vehicles at rest, whose avionics take the power that was
measured.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, ParameterWarning, brief, warn
from pyrfly.identify.least_squares import Fit, Model, gauss_newton
from pyrfly.identify.parameters import require_name
from pyrfly.identify.search import Channels, Estimate, estimates_table, without_vague
from pyrfly.log import Log
from pyrfly.sim import Sim
from pyrfly.vehicles.identifying import Parameter

__all__ = ["Battery", "identify_battery"]

Array = NDArray[np.float64]

INTERVAL = 0.5  # s, over which voltage and power are averaged
SEGMENT = 20  # intervals of a segment, whose parts of the gradient are compared
UPDATE = 0.01  # s, of the power supply
LONGEST_LAG = 60.0
"""Correlation of residuals that counts for the confidence [s]: of the relaxation of cells."""

RESOLUTION = 0.01
"""Of a voltage [V]: what no power module does better."""

ENOUGH = 5
"""Samples of an interval from which on their mean is about that of the interval."""

RESISTANCES = ("battery_resistance", "polarization_resistance")
UNITS = {
    "battery_full_voltage": "V",
    "battery_capacity": "C",
    "battery_resistance": "ohm",
    "polarization_resistance": "ohm",
}
"""What is identified: columns of the power supply (docs/power.md)."""


class Battery(NamedTuple):
    """Result of `identify_battery`.

    Attributes
    ----------
    estimates : dict of str to Estimate
        By column.
    residual : ndarray, shape (T,)
        Measured less predicted voltage [V], each 0.5 s.
    """

    estimates: dict[str, Estimate]
    residual: Array

    def __str__(self) -> str:
        """Return a table of the estimates."""
        return estimates_table(self.estimates.values())

    def set(self, sim: Sim) -> None:
        """Give the batteries of a simulation, which are enabled, what was found."""
        for name, one in self.estimates.items():
            sim.select().write(name, one.value)


class _Record(NamedTuple):
    """Mean voltage of intervals [V], power [W], and the charge at the beginning.

    `sampling` is the standard error of the charge that was taken, over this charge.

    The power is that which draws the mean current at the mean voltage. That of the log is less
    where the current changes within an interval, as the voltage is low when the current is high.
    """

    voltage: Array
    power: Array
    charge: float
    sampling: float


def identify_battery(
    log: Log | str | os.PathLike[str],
    capacity: float,
    cells: int,
    *,
    battery_model: str = "lipo",
    known: Mapping[str, float] | None = None,
    copter_id: int | None = None,
) -> Battery:
    """Identify a battery from a log of its voltage and current.

    Parameters
    ----------
    log : Log, str or path-like
        With ``battery_voltage`` [V] and ``battery_current`` [A]; with ``state_of_charge`` it need
        not begin with a full battery.
    capacity : float
        Rated one [A h], where the search begins. It is told by a flight that empties the battery
        to where its voltage falls.
    cells : int
        In series.
    battery_model : str
        The curve of its voltage, as of `Sim.power.enable`.
    known : mapping of str to float, optional
        Values that are held, such as ``{"battery_capacity": 7200}``.
    copter_id : int, optional
        The vehicle; the first by default.

    Returns
    -------
    Battery
        Estimates, and what is left.

    Raises
    ------
    ParameterError
        The log has no such columns, or less than a minute of them; or a name is unknown.

    Warns
    -----
    ParameterWarning
        The log has less than about 5 samples per 0.5 s, between which the current changes.
    """
    log = log if isinstance(log, Log) else Log.load(log)
    record = _record(log, copter_id)
    held = dict(known or {})
    for name in held:
        require_name("known", name, tuple(UNITS))
    sim = Sim("sdk", dt=UPDATE)
    sim.power.enable(battery_model=battery_model, cells=cells, capacity=capacity)
    starts = {name: held.get(name, float(getattr(sim, name)[0])) for name in UNITS}
    table = [
        Parameter(name, unit, starts[name], starts[name], 0.01 * starts[name], name, (1.0,))
        for name, unit in UNITS.items()
        if starts[name] > 0
    ]

    def fitted(parameters: Sequence[Parameter], values: Array) -> tuple[Fit, Channels]:
        return _fit(sim, record, starts, parameters, values), (("battery_voltage", 0),)

    free = [parameter for parameter in table if parameter.name not in held]
    found = without_vague(free, np.array([parameter.start for parameter in free]), fitted)
    residual = found.fit.residuals.ravel()
    estimates = [_widened(found.estimate(one), record.sampling) for one in table]
    return Battery({one.name: one for one in estimates}, residual)


def _widened(one: Estimate, sampling: float) -> Estimate:
    """Return an estimate, a capacity with the error of the charge, to which it is in proportion."""
    if one.name != "battery_capacity":
        return one
    return one._replace(deviation=float(np.hypot(one.deviation, sampling * one.value)))


def _record(log: Log, copter_id: int | None) -> _Record:
    row = log.row_of(copter_id)
    for name in ("battery_voltage", "battery_current"):
        if name not in log:
            raise ParameterError(f"log: expected the column {name}, got {', '.join(log.columns)}")
    voltage = np.asarray(log["battery_voltage"][:, row], np.float64)
    current = np.asarray(log["battery_current"][:, row], np.float64)
    good = np.isfinite(voltage) & np.isfinite(current) & (voltage > 0)
    time = log.time[good]
    count = int((time[-1] - time[0]) / INTERVAL) // SEGMENT * SEGMENT if time.size else 0
    if count * INTERVAL < 60:
        raise ParameterError(
            f"log: expected at least 60 s of voltage and current, got {count * INTERVAL:g} s"
        )
    index = np.minimum(((time - time[0]) / INTERVAL).astype(int), count)
    number = np.bincount(index, minlength=count + 1)[:count]
    if not number.all():
        raise ParameterError(f"log: expected a sample of the battery each {INTERVAL:g} s")
    if round(number.mean()) < ENOUGH:
        warn(
            f"log: expected at least {ENOUGH} samples of the battery each {INTERVAL:g} s, got "
            f"{number.mean():.1f}: the current changes between them, so that estimates can be off "
            "by more than their intervals",
            ParameterWarning,
        )
    mean_voltage, mean_current = (
        np.bincount(index, values[good], count + 1)[:count] / number
        for values in (voltage, current)
    )
    charge = 1.0
    if "state_of_charge" in log:
        charge = float(log["state_of_charge"][good.argmax(), row])
        if not 0 < charge <= 1:
            raise ParameterError(
                f"log: state_of_charge: expected a share of 0 to 1, got {brief(charge)}"
            )
    power = mean_voltage * np.maximum(mean_current, 0.0)
    return _Record(mean_voltage, power, charge, _sampling_error(current[good]))


def _sampling_error(current: Array) -> float:
    """Return the standard error of the mean of samples over the mean.

    Samples of one moment each stand for the time between them: what they miss shows in the
    differences of successive ones [@wolter].
    """
    return float(np.sqrt(np.square(np.diff(current)).sum() / 2) / max(abs(current.sum()), 1e-9))


def _fit(
    sim: Sim,
    record: _Record,
    starts: Mapping[str, float],
    parameters: Sequence[Parameter],
    values: Array,
) -> Fit:
    segments = len(record.voltage) // SEGMENT

    def residuals(candidates: Array, errors: Array) -> Array:
        del errors  # there are none: a battery has one beginning
        lanes = Sim("sdk", len(candidates), dt=UPDATE)
        lanes.power.enable(cells=1, capacity=1.0)
        for name in ("battery_curve", "resistance_curve", "polarization_time", "battery_rflysim"):
            lanes.select().write(name, getattr(sim, name)[0])
        for name, start in starts.items():
            lanes.select().write(name, start)
        for parameter, own in zip(parameters, candidates.T, strict=True):
            getattr(lanes, parameter.name)[...] = own
        predicted = _discharged(lanes, record)
        left = record.voltage - predicted
        return left.reshape(len(candidates), segments, SEGMENT, 1)

    sizes = np.array([parameter.size for parameter in parameters])
    low = np.array([parameter.low for parameter in parameters])
    none = np.zeros(0)
    floors = np.array([RESOLUTION])
    model = Model(residuals, sizes, low, none, none, floors, INTERVAL, LONGEST_LAG)
    return gauss_newton(model, values, segments)


def _discharged(lanes: Sim, record: _Record) -> Array:
    """Return the mean voltages of batteries that give the measured power, shape (c, T)."""
    lanes.controllers = False
    lanes.reset()
    lanes.state_of_charge[...] = record.charge
    half = max(1, round(INTERVAL / UPDATE / 2))
    predicted = []
    for power in record.power:
        lanes.avionics_power[...] = power
        lanes.step(half)
        predicted.append(np.array(lanes.battery_voltage))
        lanes.step(half)
    return np.stack(predicted, axis=1)
