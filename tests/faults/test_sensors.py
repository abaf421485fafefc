"""Faults of sensors against what the sensors measure without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim

MEASURED = {
    "accelerometer": "imu_accel",
    "gyroscope": "imu_gyro",
    "magnetometer": "magnetometer",
    "barometer": "barometer_pressure",
    "airspeed": "differential_pressure",
    "gps": "gps_pos",
    "range": "range_distance",
}
SCALED = tuple(name for name in MEASURED if name != "gps")
VECTORS = ("accelerometer", "gyroscope", "magnetometer", "gps")


def sensing(n: int = 1) -> Sim:
    """Return vehicles that fall and turn in wind, with ideal sensors."""
    sim = Sim("x450", n)
    sim.controllers = False
    sim.environment.enable("atmosphere", "magnetic")
    sim.wind = [3, 1, 0]
    sim.sensors.enable(
        "imu", "magnetometer", "barometer", "airspeed", "gps", "range", profile="ideal"
    )
    sim.reset(pos=[0, 0, -30])
    sim.rate = [0.4, 0.2, 0.1]
    return sim


def measured(sensor: str, *faults: tuple[str, dict[str, Any]], steps: int = 204) -> np.ndarray:
    sim = sensing()
    sim.enable_part("faults")
    for kind, values in faults:
        sim.faults.add(kind, sensor=sensor, **values)
    sim.step(steps)
    return np.atleast_1d(getattr(sim, MEASURED[sensor])[0]).copy()


def amount(sensor: str, by: float) -> Any:
    """Return a value, or three for a sensor of vectors."""
    return [by, 2 * by, 3 * by] if sensor in VECTORS else by


@pytest.mark.parametrize("sensor", MEASURED)
def test_a_bias_is_added(sensor: str) -> None:
    change = measured(sensor, ("sensor_bias", {"bias": amount(sensor, 0.5)})) - measured(sensor)
    np.testing.assert_allclose(change, np.atleast_1d(amount(sensor, 0.5)), atol=1e-6)


@pytest.mark.parametrize("sensor", MEASURED)
def test_a_drift_is_added_in_proportion_to_the_time_since_its_onset(sensor: str) -> None:
    fault = {"drift": amount(sensor, 2.0), "at": 0.1}
    change = measured(sensor, ("sensor_drift", fault)) - measured(sensor)
    last = 0.2  # s, of the last sample, after 200 of 204 steps
    np.testing.assert_allclose(change, (last - 0.1) * np.atleast_1d(amount(sensor, 2.0)), atol=1e-6)


def test_a_drift_with_a_ramp_begins_slowly() -> None:
    """The integral of the share: t^2 / (2 r) in the ramp r, t - r / 2 after it."""
    for ramp, expected in ((0.4, 0.1**2 / 0.8), (0.06, 0.1 - 0.03)):
        fault = {"drift": 2.0, "at": 0.1, "ramp": ramp}
        change = measured("range", ("sensor_drift", fault)) - measured("range")
        np.testing.assert_allclose(change, 2.0 * expected, atol=1e-6)


@pytest.mark.parametrize("sensor", SCALED)
def test_a_scale_multiplies(sensor: str) -> None:
    twice = measured(sensor, ("sensor_scale", {"factor": 0.5}), ("sensor_scale", {"factor": 3.0}))
    np.testing.assert_allclose(twice, 1.5 * measured(sensor), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("sensor", MEASURED)
def test_a_frozen_sensor_repeats_its_value_and_counts_on(sensor: str) -> None:
    sim = sensing()
    sim.faults.add("sensor_freeze", sensor=sensor, at=0.1, duration=0.1)
    column = MEASURED[sensor]
    counter = {"accelerometer": "imu", "gyroscope": "imu"}.get(sensor, sensor) + "_updates"
    sim.step(104)
    held, count = np.array(getattr(sim, column)), int(getattr(sim, counter)[0])
    sim.step(80)
    np.testing.assert_array_equal(getattr(sim, column), held)
    assert getattr(sim, counter)[0] == count + 20
    sim.step(40)
    assert (getattr(sim, column) != held).all()


@pytest.mark.parametrize("sensor", MEASURED)
def test_a_sensor_that_drops_out_takes_no_samples(sensor: str) -> None:
    sim = sensing()
    sim.faults.add("sensor_dropout", sensor=sensor, at=0.1, duration=0.1)
    name = {"accelerometer": "imu", "gyroscope": "imu"}.get(sensor, sensor)
    counts = {}
    for time in (0.1, 0.19, 0.3):
        sim.sleep(time - sim.time)
        counts[time] = int(getattr(sim, f"{name}_updates")[0])
    assert counts[0.19] <= counts[0.1] + 1
    assert counts[0.3] >= counts[0.19] + 24
    others = {"imu", "magnetometer", "barometer", "airspeed", "gps", "range"} - {name}
    for other in others:
        assert getattr(sim, f"{other}_updates")[0] >= 74


@pytest.mark.parametrize(
    ("sensor", "column", "setting", "own"),
    [
        ("gyroscope", "imu_gyro", "imu_gyro_noise", 1e-3),
        ("accelerometer", "imu_accel", "imu_accel_noise", 0.01),
        ("barometer", "barometer_pressure", "barometer_noise", 2.0),
        ("airspeed", "differential_pressure", "airspeed_noise", 2.0),
        ("range", "range_distance", "range_noise", 0.05),
    ],
)
def test_noise_has_its_deviation(sensor: str, column: str, setting: str, own: float) -> None:
    """sqrt((g sigma)^2 + a^2); the density of an IMU is that of samples times sqrt(T)."""
    n = 4096
    sim = sensing(n)
    density = np.sqrt(0.004) if column.startswith("imu") else 1.0
    setattr(sim, setting, own * density)
    factor, added = 2.0, 3.0 * own
    sim.faults.add("sensor_noise", sensor=sensor, factor=factor, deviation=added)
    sim.step(2)
    values = getattr(sim, column).reshape(n, -1)
    expected = np.hypot(factor * own, added)
    np.testing.assert_allclose(values.std(axis=0) / expected, 1, atol=5 / np.sqrt(2 * n))


def test_the_wind_of_a_fault_acts_as_wind() -> None:
    def falling(change: Any) -> np.ndarray:
        sim = Sim("x450")
        sim.environment.enable("atmosphere")
        sim.sensors.enable("airspeed", profile="ideal")
        sim.reset(pos=[0, 0, -300])
        sim.enable_part("faults")
        change(sim)
        sim.sleep(0.5)
        return np.array([*sim.vel[0], sim.differential_pressure[0]])

    def blow(sim: Sim) -> None:
        sim.faults.add("wind", wind=[-3, 1, 0])
        sim.faults.add("wind", wind=[-1, 1, 0.5])

    by_column = falling(lambda sim: setattr(sim, "wind", [-4, 2, 0.5]))
    np.testing.assert_allclose(falling(blow), by_column, rtol=1e-9)


def test_gusts_are_waves_of_their_period() -> None:
    sim = Sim("x450")
    sim.faults.add("gusts", wind=[2, 0, -1], period=0.4, at=0.1)
    for k in range(1, 60):
        sim.step(20)
        x = (0.02 * k - 0.002 - 0.1) / 0.4
        expected = (4 * (x % 1) * (1 - x % 1)) ** 2 if x > 0 else 0
        np.testing.assert_allclose(sim.fault_wind[0], [2 * expected, 0, -expected], atol=1e-9)


DELAYED = {
    "accelerometer": "imu_accel",
    "gyroscope": "imu_gyro",
    "magnetometer": "magnetometer",
    "barometer": "barometer_pressure",
    "airspeed": "indicated_airspeed",
    "gps": "gps_pos",
    "range": "range_distance",
}
SENSORS = ("imu", "magnetometer", "barometer", "airspeed", "gps", "range")


@pytest.mark.parametrize("sensor", DELAYED)
def test_a_delayed_sensor_measures_what_it_did_so_many_samples_ago(sensor: str) -> None:
    """As of a vehicle without the fault; a delay is rounded to samples."""

    def measured(delay: float | None) -> np.ndarray:
        sim = Sim("x450")
        sim.environment.enable("atmosphere", "magnetic")
        sim.sensors.enable(*SENSORS, profile="px4")
        for name in SENSORS:
            sim.sensors.set_rate(name, 50)
        sim.reset(pos=[0, 0, -8], hover=True, seed=2)
        sim.command_velocity([3.0, 0, -1.0])
        if delay is not None:
            sim.faults.add("sensor_delay", sensor=sensor, delay=delay, at=0.2)
        found = []
        for _ in range(40):
            sim.step(20)
            found.append(np.atleast_1d(getattr(sim, DELAYED[sensor])[0]).copy())
        return np.array(found)

    plain, late = measured(None), measured(0.107)
    np.testing.assert_array_equal(late[:10], plain[:10])
    np.testing.assert_array_equal(late[11:], plain[6:-5])
    assert (late[11:] != plain[11:]).any()


QUALITY = {
    "gps_fix": {"fix": 2},
    "gps_satellites": {"satellites": 2},
    "sensor_noise": {"sensor": "gps", "deviation": 3.0},
}


@pytest.mark.parametrize("kind", QUALITY)
def test_a_late_report_of_a_receiver_has_the_quality_of_its_sample(kind: str) -> None:
    """As of a vehicle without the delay; 3 m of noise leave a fix of two dimensions."""

    def reported(*delay: float) -> np.ndarray:
        sim = Sim("x450")
        sim.sensors.enable("gps", profile="px4")
        sim.sensors.set_rate("gps", 25)
        sim.faults.add(kind, at=0.5, duration=0.5, **QUALITY[kind])
        for each in delay:
            sim.faults.add("sensor_delay", sensor="gps", delay=each)
        found = []
        sim.step(25)  # between reports
        for _ in range(40):
            sim.step(40)
            satellites, fix = sim.gps_reported_satellites[0], sim.gps_fix[0]
            found.append([*sim.gps_reported_accuracy[0], satellites, fix, *sim.gps_pos[0]])
        return np.array(found)

    plain, late = reported(), reported(0.24)
    assert set(plain[5:, 3]) == {3, 0 if kind == "gps_satellites" else 2}
    np.testing.assert_array_equal(late[12:], plain[6:-6])


def test_a_delay_is_that_of_127_samples_at_most_and_the_first_one_counts_before() -> None:
    sim = Sim("x450")
    sim.sensors.enable("imu", profile="ideal")
    sim.faults.add("sensor_delay", sensor="gyroscope", delay=60.0)
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.rate = [0.1, 0.2, 0.3]
    rates = []
    for k in range(140):
        sim.step()
        rates.append(sim.imu_gyro[0].copy())
        sim.step(3)
        sim.rate[:] = 0.01 * (k + 1)
    assert all((rate == rates[0]).all() for rate in rates[:128])
    for k in range(128, 140):
        np.testing.assert_allclose(rates[k], 0.01 * (k - 127), atol=1e-3)


def test_outages_take_their_share_of_each_period() -> None:
    sim = Sim("x450", 2)
    sim.sensors.enable("barometer", profile="ideal")
    sim.sensors.set_rate("barometer", 50)
    sim.faults.add("sensor_outages", sensor="barometer", period=0.4, share=[0.5, 0.25], at=0.2)
    counts = []
    for _ in range(12):
        before = sim.barometer_updates.copy()
        sim.sleep(0.1)
        counts.append((sim.barometer_updates - before).tolist())
    first, second = zip(*counts, strict=True)
    assert first[:2] == (5, 5)
    assert [sum(first[k : k + 2]) for k in (2, 4, 6, 8)] == pytest.approx([0, 10, 0, 10], abs=1)
    assert [sum(second[k : k + 4]) for k in (2, 6)] == pytest.approx([15, 15], abs=1)
    assert second[2] <= 1


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_an_outage_begins_and_ends_at_the_updates_of_its_times(precision: str) -> None:
    """Whatever the times are in binary; against whole milliseconds."""
    period, out = np.array([[100, 40], [100, 6], [200, 60], [300, 150], [50, 2], [700, 654]]).T
    at = np.arange(6) * 38
    sim = Sim("x450", 6, precision=precision)
    sim.sensors.enable("gps", profile="ideal")
    sim.faults.add(
        "sensor_outages", sensor="gps", period=period / 1e3, share=out / period, at=at / 1e3
    )
    dropped = []
    for _ in range(1500):
        sim.step(2)
        dropped.append(sim.sensors_dropped != 0)
    since = 2 * np.arange(1500)[:, None] - at
    np.testing.assert_array_equal(dropped, (since >= 0) & (since % period < out))
