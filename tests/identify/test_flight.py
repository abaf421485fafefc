"""Signals of logs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import ParameterError
from pyrfly.identify.flight import flight_of
from pyrfly.log import Log, Recorder


@pytest.mark.parametrize("controllers", [True, False])
def test_commands_and_measurements_belong_to_their_times(controllers: bool) -> None:
    """Of the controllers a recording has the last command, of a program the next one."""
    sim = Sim("x450")
    sim.sensors.enable("imu", profile="ideal")
    sim.reset(pos=[0, 0, -50], hover=True)
    recorder = Recorder(sim, ("throttle", "imu_accel", "imu_gyro", "vel", "att"))
    sim.add_listener(recorder.sample, 0.002)
    sim.controllers = controllers
    sim.command_velocity([5, 0, 0])
    rates, throttles = [], []
    for k in range(60):
        rates.append(np.array(sim.rate[0]))
        for half in (0, 1):
            if not controllers:
                sim.throttle[0] = 0.2 + 0.001 * (2 * k + half) * np.array([1, 0, 0, 1])
            sim.step(2)
            throttles.append(np.array(sim.throttle[0]))
    flight = flight_of(recorder.log(), ("throttle",))
    assert flight.interval == pytest.approx(0.004)
    expected = np.reshape(throttles, (60, 2, 4))[: len(flight)]
    np.testing.assert_array_equal(flight.inputs["throttle"], expected)
    np.testing.assert_allclose(flight.rate, rates[: len(flight)], atol=1e-12)
    assert flight.sources["rate"] == "imu_gyro"


def test_a_vehicle_on_the_ground_does_not_fly(short: Log) -> None:
    low = np.array(short["pos"])
    low[: len(low) // 2, 0, 2] = 0.0
    grounded = replace(short, columns={**short.columns, "pos": low})
    flying = flight_of(grounded, ("throttle",)).flying
    assert not flying[: len(flying) // 2 - 1].any()
    assert flying[len(flying) // 2 + 1 :].all()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"imu_gyro": None}, "rate: expected the column imu_gyro or rate"),
        ({"throttle": None}, "expected the commands throttle, got none named throttle"),
        ({"imu_gyro": np.zeros((2000, 1, 3))}, "expected a new value at each sample"),
    ],
)
def test_a_log_that_lacks_a_signal_is_refused(short: Log, columns: dict, message: str) -> None:
    changed = {**short.columns, **columns}
    kept = {name: values for name, values in changed.items() if values is not None}
    fields = {name: short.fields[name] for name in kept}
    with pytest.raises(ParameterError, match=message):
        flight_of(replace(short, columns=kept, fields=fields), ("throttle",))


def test_an_invalid_interval_of_the_sensors_is_refused(short: Log) -> None:
    damaged = replace(short, metadata={**short.metadata, "sensor_interval": "soon"})
    with pytest.raises(ParameterError, match="sensor_interval: expected seconds, got 'soon'"):
        flight_of(damaged, ("throttle",))


def test_uneven_times_are_resampled_and_holes_left_out(short: Log) -> None:
    keep = np.ones(len(short), bool)
    keep[700:900] = False
    jitter = 2e-4 * np.random.default_rng(1).uniform(-1, 1, keep.sum())
    columns = {name: values[keep] for name, values in short.columns.items()}
    flight = flight_of(
        Log(short.time[keep] + jitter, short.copter_ids, columns, short.fields, short.metadata),
        ("throttle",),
    )
    assert not flight.flying[360:440].any()
    whole = flight_of(short, ("throttle",))
    np.testing.assert_allclose(flight.vel[50], whole.vel[50], atol=0.02)


def test_commands_that_no_actuator_takes_are_refused(short: Log) -> None:
    throttle = np.array(short["throttle"])
    throttle[100] = 1e300
    log = replace(short, columns={**short.columns, "throttle": throttle})
    with pytest.raises(
        ParameterError, match=r"throttle: expected commands from -1 to 1, got 1e\+300"
    ):
        flight_of(log, ("throttle",))
