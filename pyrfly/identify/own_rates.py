"""Logs whose topics have rates of their own, as a log at the times of the IMU: `at_imu_times`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.log import FlightData, Log, Series

__all__ = ["at_imu_times"]

Array = NDArray[np.float64]

CLOCKS = ("imu_gyro", "rate")
"""Columns at whose times a log is, the first that there is."""

TOGETHER = 1e-7
"""Difference of times [s] below which samples are of one time."""

SLOWEST = 0.05
"""Longest interval of commands [s] that tells motors: PX4 logs them faster in the profile for
system identification (``SDLOG_PROFILE``)."""


def at_imu_times(data: FlightData, commands: tuple[str, ...]) -> Log:
    """Return columns at the times of the gyroscope: commands are held, all else is interpolated.

    Parameters
    ----------
    data : FlightData
        Columns at their own rates.
    commands : tuple of str
        Columns of the actuator commands.

    Raises
    ------
    ParameterError
        There is no gyroscope or no command, or commands are logged too slowly.
    """
    clock = next((data.columns[name] for name in CLOCKS if name in data.columns), None)
    found = ", ".join(data.columns)
    if clock is None or any(name not in data.columns for name in commands):
        raise ParameterError(
            f"log: expected {' or '.join(CLOCKS)}, and {', '.join(commands)}, got {found}"
        )
    for name in commands:
        interval = float(np.median(np.diff(data.columns[name].time))) if clock.time.size else 0.0
        if interval > SLOWEST:
            raise ParameterError(
                f"log: {name}: expected at least {1 / SLOWEST:.0f} Hz, got {1 / interval:.3g} Hz"
            )
    span = [
        (series.time[0], series.time[-1]) for n, series in data.columns.items() if n in commands
    ]
    begin, end = max(first for first, _ in span), min(last for _, last in span)
    time = clock.time[(clock.time >= begin) & (clock.time <= end)]
    columns = {
        name: (_held if name in commands else _between)(series, time)[:, None]
        for name, series in data.columns.items()
        if series.time.size and series.values.dtype.kind == "f"
    }
    fields = {name: data.columns[name].field for name in columns}
    return Log(time, np.array([data.copter_id]), columns, fields)


def _held(series: Series, time: Array) -> Array:
    last = np.searchsorted(series.time, time + TOGETHER, side="right") - 1
    values: Array = series.values[last]
    return values


def _between(series: Series, time: Array) -> Array:
    values = series.values.reshape(len(series.time), -1)
    if series.field.name.startswith("att"):  # without jumps of the sign of the quaternion
        turned = np.where((values[1:] * values[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        values = values * np.concatenate([[1.0], np.cumprod(turned)])[:, None]
    parts = [np.interp(time, series.time, part, np.nan, np.nan) for part in values.T]
    return np.stack(parts, axis=1).reshape(len(time), *series.values.shape[1:])
