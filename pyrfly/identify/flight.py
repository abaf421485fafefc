"""Signals of one vehicle from a log, at equal intervals, with inputs and measurements aligned."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, brief, require_kind
from pyrfly.log import Log

__all__ = ["Flight", "flight_of"]

Array = NDArray[np.float64]

SOURCES = {
    "force": ("imu_accel", "specific_force"),
    "rate": ("imu_gyro", "rate"),
    "vel": ("vel_est", "vel"),
    "att": ("att_est", "att"),
    "wind": ("wind",),
}
"""Columns that a signal is taken from, the first that the log has: measured before true ones."""

NEEDED = ("force", "rate")
"""Signals without which nothing can be identified; without the others nothing about the air can."""

CLEARANCE = 0.5
"""Height above the start [m] from which a vehicle flies: beyond the contact with the ground."""

LARGEST_COMMAND = 1.5
"""Beyond is no command: 1 with room for what logs round or trim."""

UNEVEN = 0.05
"""Share of the interval by which times may deviate before the log counts as unevenly sampled."""

HOLE = 5.0
"""Intervals without a sample from which on a log has a hole, which is not interpolated."""

REPEATED = 0.5
"""Share of samples that may repeat the one before: more, and a sensor is slower than the log."""


@dataclass(frozen=True, eq=False)
class Flight:
    """What was commanded and measured at T times.

    Attributes
    ----------
    interval : float
        Time between samples [s].
    inputs : dict of str to ndarray, shape (T, k, width)
        Actuator commands by column, in force in k equal parts of the interval that begins at each
        sample.
    force, rate, vel : ndarray, shape (T, 3)
        Specific force [m/s^2, FRD], angular velocity [rad/s, FRD], velocity [m/s, NED].
    att : ndarray, shape (T, 4)
        Attitude as quaternion, scalar first, FRD to NED; without jumps of the sign.
    wind : ndarray, shape (T, 3), or None
        Wind [m/s, NED], of a log that knows it.
    actuators : dict of str to ndarray, shape (T, width)
        State of the actuators, such as ``rotor_speed``, of a log that has it.
    flying : ndarray of bool, shape (T,)
        Where the vehicle is clear of the ground and the log has no hole.
    sources : dict of str to str
        Column of each signal that the log has; a velocity that it lacks is 0, an attitude level.
    """

    interval: float
    inputs: dict[str, Array]
    force: Array
    rate: Array
    vel: Array
    att: Array
    wind: Array | None
    actuators: dict[str, Array]
    flying: NDArray[np.bool_]
    sources: dict[str, str]

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.rate)

    def __repr__(self) -> str:
        span = len(self) * self.interval
        return f"<Flight of {span:.1f} s at {1 / self.interval:.0f} Hz>"


def flight_of(
    log: Log,
    commands: tuple[str, ...],
    actuators: tuple[str, ...] = (),
    *,
    powered: tuple[str, ...] = (),
    copter_id: int | None = None,
    begin: float | None = None,
    end: float | None = None,
) -> Flight:
    """Return the signals of a vehicle of a log.

    A `pyrfly.log.Recorder` notes commands of the controllers at the end of the interval in which
    they were in force, and values of sensors and of the estimator one update of the sensors
    (``sensor_interval`` of the metadata) after the time that they belong to; both are put right.
    Of other logs, as of PX4, and of commands without the controllers, values belong to their time,
    and commands are held from it on. Motors act on the product of command and battery voltage.

    Parameters
    ----------
    log : Log
        At least ``imu_accel`` or ``specific_force``, ``imu_gyro`` or ``rate``, and the commands;
        also ``vel_est`` or ``vel`` and ``att_est`` or ``att``. It is resampled if its times are
        uneven.
    commands : tuple of str
        Columns of the actuator commands.
    actuators : tuple of str
        Columns of the actuators' state that are of use if the log has them.
    powered : tuple of str
        Commands that are multiplied by ``voltage_ratio`` if the log has it.
    copter_id : int, optional
        The vehicle; the first by default.
    begin, end : float, optional
        Part of the log to use [s].

    Raises
    ------
    ParameterError
        The log lacks a column, has fewer than 100 samples there, or a sensor that is slower than
        the log.
    """
    require_kind("log", log, Log)
    table = _chosen(log, commands, copter_id, begin, end)
    sources = {signal: name for signal in SOURCES if (name := _source(signal, table))}
    _require(table, commands)
    times = table.pop("time")
    if {"vel", "att"} <= sources.keys():
        table[sources["att"]] = _continuous(table[sources["att"]])
    else:  # one is of no use without the other
        sources = {signal: sources[signal] for signal in NEEDED}
    own = "pyrfly" in log.metadata
    late = _sensor_interval(log.metadata) if own else 0.0
    step, time, table, holes = _even(times, table, held={*commands, "voltage_ratio"})
    parts = max(1, round(late / step))
    rows = np.arange(0, len(time) - 2 * parts, parts)
    _require_new(sources["rate"], table[sources["rate"]][rows])

    def signal(name: str | None, otherwise: tuple[float, ...] = ()) -> Array:
        if name is None:
            return np.tile(otherwise, (len(rows), 1))
        delayed = late > 0 and (name.startswith("imu_") or name.endswith("_est"))
        return table[name][rows + parts * delayed]

    controlled = own and log.metadata.get("controllers", True) is not False
    ahead = rows[:, None] + np.arange(parts) + controlled
    inputs = {name: _wide(table[name])[ahead] for name in commands}
    for name in powered if "voltage_ratio" in table else ():
        inputs[name] *= table["voltage_ratio"][ahead, None]
    return Flight(
        interval=step * parts,
        inputs=inputs,
        force=signal(sources["force"]),
        rate=signal(sources["rate"]),
        vel=signal(sources.get("vel"), (0.0, 0.0, 0.0)),
        att=_normal(signal(sources.get("att"), (1.0, 0.0, 0.0, 0.0))),
        wind=signal("wind") if "wind" in sources else None,
        actuators={name: _wide(signal(name)) for name in actuators if name in table},
        flying=_flying(table, rows) & ~np.logical_or.reduceat(holes, rows),
        sources=sources,
    )


def _sensor_interval(metadata: dict[str, Any]) -> float:
    value = metadata.get("sensor_interval", 0.0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
        raise ParameterError(
            f"log: metadata: sensor_interval: expected seconds, got {brief(value)}"
        )
    return float(value)


def _chosen(
    log: Log,
    commands: tuple[str, ...],
    copter_id: int | None,
    begin: float | None,
    end: float | None,
) -> dict[str, Any]:
    """Return times and columns of a vehicle in a part of the log, without samples that lack one."""
    row = log.row_of(copter_id)
    first = -np.inf if begin is None else begin
    last = np.inf if end is None else end
    keep = (log.time >= first) & (log.time <= last)
    table = {name: np.asarray(values[:, row]) for name, values in log.columns.items()}
    for signal, names in SOURCES.items():
        name = _source(signal, table)
        if name is None and signal not in NEEDED:
            continue
        if name is None:
            raise ParameterError(
                f"log: {signal}: expected the column {' or '.join(names)} at the rate of the "
                f"sensors, as pyrfly.identify.excitation.fly records, got {', '.join(log.columns)}"
            )
        keep &= np.isfinite(_wide(table[name])).all(axis=1)
    for name in table.keys() & set(commands):
        given = _wide(table[name])
        keep &= np.isfinite(given).all(axis=1)
        if (np.abs(given) > LARGEST_COMMAND).any():
            raise ParameterError(
                f"log: {name}: expected commands from -1 to 1, got {np.nanmax(np.abs(given)):.3g}"
            )
    if keep.sum() < 100:
        raise ParameterError(f"log: expected at least 100 samples to identify, got {keep.sum()}")
    chosen = {name: np.asarray(values[keep], np.float64) for name, values in table.items()}
    return {"time": log.time[keep], **chosen}


def _source(signal: str, table: dict[str, Any]) -> str | None:
    return next((name for name in SOURCES[signal] if name in table), None)


def _require(table: dict[str, Any], commands: tuple[str, ...]) -> None:
    missing = [name for name in commands if name not in table]
    if missing:
        raise ParameterError(
            f"log: expected the commands {', '.join(commands)}, got none named {missing[0]}"
        )


def _require_new(name: str, values: Array) -> None:
    same = np.mean((np.diff(values, axis=0) == 0).all(axis=1))
    if same > REPEATED:
        raise ParameterError(
            f"log: {name}: expected a new value at each sample, got {same:.0%} repeated: record at "
            "the rate of the sensor"
        )


def _wide(values: Array) -> Array:
    return values.reshape(len(values), -1)


def _continuous(att: Array) -> Array:
    """Return quaternions without jumps of the sign, so that they can be interpolated."""
    turned = np.where((att[1:] * att[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    continuous: Array = att * np.concatenate([[1.0], np.cumprod(turned)])[:, None]
    return continuous


def _normal(att: Array) -> Array:
    normal: Array = att / np.linalg.norm(att, axis=1, keepdims=True)
    return normal


def _even(
    times: Array, table: dict[str, Array], held: set[str]
) -> tuple[float, Array, dict[str, Array], NDArray[np.bool_]]:
    """Return interval, times, columns at equal intervals, and which rows are in holes of the log.

    Commands are held, all else is interpolated.
    """
    gaps = np.diff(times)
    step = float(np.median(gaps))
    if np.abs(gaps - step).max() <= UNEVEN * step:
        return step, times, table, np.zeros(len(times), bool)
    even = times[0] + step * np.arange(ceil((times[-1] - times[0]) / step))
    before = np.searchsorted(times, even, side="right") - 1
    after = np.minimum(before + 1, len(times) - 1)
    holes = times[after] - times[before] > HOLE * step
    found = {
        name: values[before] if name in held else _interpolated(even, times, values)
        for name, values in table.items()
    }
    return step, even, found, holes


def _interpolated(at: Array, times: Array, values: Array) -> Array:
    columns = [np.interp(at, times, column) for column in _wide(values).T]
    return np.stack(columns, axis=1).reshape(len(at), *values.shape[1:])


def _flying(table: dict[str, Array], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return where a vehicle is clear of the ground: `terrain`, or where it started."""
    if "pos" not in table:
        return np.ones(len(rows), bool)
    z = table["pos"][rows, 2]
    known = z[np.isfinite(z)]
    ground = table["terrain"][rows] if "terrain" in table else known[:1].max(initial=0.0)
    clear: NDArray[np.bool_] = z < ground - CLEARANCE
    return clear
