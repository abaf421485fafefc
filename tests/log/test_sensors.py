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
    with pytest.raises(ValueError, match="sim: expected"):
        SensorRecorder(Sim("x450"))


def test_a_reset_begins_a_new_flight() -> None:
    sim = Sim("x450")
    sim.sensors.enable("imu", "gps", profile="px4")
    recorder = SensorRecorder(sim)
    for steps in (1001, 501, 801):
        sim.reset()
        sim.step(steps)
    assert recorder.flights == 3
    assert [len(recorder.logs(flight)["imu"]) for flight in range(3)] == [250, 125, 200]
    assert recorder.logs()["imu"].time[[0, -1]] == pytest.approx([0, 0.796])
    assert len(recorder.logs(0)["gps"]) == 5


def test_what_is_no_new_value_can_be_told() -> None:
    """A vehicle without the sensor has NaN; one of another rate a count that stays."""
    sim = Sim("x450", 3)
    sim.sensors.enable("imu", profile="px4", ids=[1, 2])
    sim.sensors.enable("range", profile="px4", ids=2)
    sim.sensors.set_rate("imu", 125, ids=2)
    recorder = SensorRecorder(sim)
    sim.step(1001)
    logs = recorder.logs()
    accel, count = logs["imu"]["imu_accel"], logs["imu"]["imu_updates"]
    assert np.isnan(accel[:, 2]).all()
    assert np.isfinite(accel[:, :2]).all()
    assert count[-1].tolist() == [250, 125, 0]
    new = np.diff(count[:, 1], prepend=0) > 0
    np.testing.assert_array_equal(accel[1:, 1][~new[1:]], accel[:-1, 1][~new[1:]])
    assert np.isnan(logs["range"]["range_distance"][:, [0, 2]]).all()
    assert not logs["range"]["range_valid"][:, [0, 2]].any()
