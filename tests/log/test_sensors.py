"""`SensorRecorder`: what sensors measure, each at its own rate."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import SensorRecorder

SENSORS = ("imu", "magnetometer", "barometer", "gps")


def test_each_sensor_has_its_own_times() -> None:
    sim = Sim("x450", 2)
    sim.sensors.enable(*SENSORS, profile="px4")
    sim.sensors.set_rate("barometer", 10)
    recorder = SensorRecorder(sim)
    sim.step(997)
    sim.step(1004)
    logs = recorder.logs()
    assert list(logs) == list(SENSORS)
    for name, rate, first, count in (
        ("imu", 250, 0.0, 500),
        ("magnetometer", 125, 0.0, 250),
        ("barometer", 10, 0.0, 20),
        ("gps", 5, 0.12, 10),  # its delay
    ):
        assert logs[name].time == pytest.approx(first + np.arange(count) / rate, abs=1e-9)


def test_a_sample_has_the_time_of_its_measurement() -> None:
    """An ideal barometer of a vehicle that falls freely."""
    sim = Sim("x450", dt=0.001)
    sim.controllers = False
    for name in ("drag_linear", "drag_quadratic"):
        getattr(sim, name)[:] = 0
    sim.reset(pos=(0, 0, -500))
    sim.sensors.enable("gps", profile="ideal")
    sim.sensors.set_rate("gps", 25)
    recorder = SensorRecorder(sim)
    sim.step(2001)
    log = recorder.logs()["gps"]
    fallen = 0.5 * float(sim.gravity[0]) * log.time**2
    assert log["gps_pos"][:, 0, 2] == pytest.approx(-500 + fallen, abs=1e-6)


def test_vehicles_of_other_rates_keep_their_last_values() -> None:
    sim = Sim("x450", 3)
    sim.sensors.enable("gps", profile="px4")
    sim.sensors.set_rate("gps", 10, ids=3)
    recorder = SensorRecorder(sim, ids=[3, 1])
    sim.step(1001)
    recorder.close()
    sim.step(1000)
    log = recorder.logs()["gps"]
    assert log.copter_ids.tolist() == [3, 1]
    assert log.time == pytest.approx(0.12 + 0.1 * np.arange(9), abs=1e-9)
    fast, slow = log["gps_pos"][:, :, 2].T
    assert np.count_nonzero(np.diff(fast)) == 8
    assert np.count_nonzero(np.diff(slow)) == 4


def test_sensors_must_be_enabled() -> None:
    with pytest.raises(ValueError, match=r"sim: expected sensors, which Sim.sensors.enable"):
        SensorRecorder(Sim("x450"))
