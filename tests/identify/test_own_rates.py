"""Logs whose topics have rates of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrfly.errors import ParameterError
from pyrfly.identify import identify
from pyrfly.identify.own_rates import at_imu_times
from pyrfly.log import FlightData, Log, Series

EVERY = {"throttle": 1, "imu_gyro": 2, "imu_accel": 2, "vel_est": 5, "att_est": 5, "pos": 5}


def topics(log: Log) -> FlightData:
    """Return a log as an autopilot writes it: topics at their own rates, at their own times."""
    columns = {}
    for name, every in EVERY.items():
        rows = np.arange(every, len(log), every)
        measured = name.startswith("imu_") or name.endswith("_est")
        # of a Recorder: sensors are 4 ms late, commands at the end of their interval
        time = log.time[rows] - (0.004 if measured else 0.002 if name == "throttle" else 0.0)
        columns[name] = Series(time, log[name][rows, 0].astype(float), log.fields[name])
    return FlightData(columns)


def test_commands_are_held_and_all_else_is_interpolated(short: Log) -> None:
    data = topics(short)
    log = at_imu_times(data, ("throttle",))
    assert set(log.time) <= set(data.columns["imu_gyro"].time)
    k = len(log) // 2
    last = np.searchsorted(data.columns["throttle"].time, log.time[k] + 1e-9, side="right") - 1
    np.testing.assert_array_equal(log["throttle"][k, 0], data.columns["throttle"].values[last])
    expected = np.interp(log.time[k], *_part(data.columns["vel_est"], 0))
    assert log["vel_est"][k, 0, 0] == pytest.approx(expected)


def _part(series: Series, i: int) -> tuple[np.ndarray, np.ndarray]:
    return series.time, series.values[:, i]


def test_commands_that_are_logged_slowly_are_refused(short: Log) -> None:
    data = topics(short)
    throttle = data.columns["throttle"]
    slow = Series(throttle.time[::50], throttle.values[::50], throttle.field)
    with pytest.raises(ParameterError, match="throttle: expected at least 20 Hz, got 10 Hz"):
        at_imu_times(replace(data, columns={**data.columns, "throttle": slow}), ("throttle",))
    with pytest.raises(ParameterError, match="expected imu_gyro or rate, and throttle, got pos"):
        at_imu_times(replace(data, columns={"pos": data.columns["pos"]}), ("throttle",))


@pytest.mark.slow
def test_a_log_of_topics_is_identified(short: Log) -> None:
    found = identify(topics(short), "x450", free=["motor_tau", "inertia_xx"], method="equation")
    assert found["motor_tau"].value == pytest.approx(0.0214, abs=0.001)
    assert found["inertia_xx"].value == pytest.approx(0.0185, rel=0.03)
