"""Values that are given instead of simulated ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.sensors import MEASURED


def test_given_values_stay_while_the_other_sensors_are_simulated() -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.sensors.enable("imu", "barometer", profile="px4")
    sim.sensors.give("barometer", ids=[3, 1], barometer_pressure=[90_000, 80_000])
    before = sim.barometer_pressure[1]
    sim.step(1000)
    assert sim.barometer_pressure[[0, 2]].tolist() == [80_000, 90_000]
    assert sim.barometer_pressure[1] != before
    assert sim.imu_updates.tolist() == [250] * 3
    sim.sensors.enable("barometer", profile=None, ids=1)
    sim.step(4)
    assert abs(sim.barometer_pressure[0] - 100_725) < 100
    assert sim.barometer_pressure[2] == 90_000


def test_they_are_new_at_the_next_update_and_only_then() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.give("magnetometer", ids=2, magnetometer=(1e-5, 0, 4e-5))
    assert sim.magnetometer_updates.tolist() == [0, 1]
    new = []
    for _ in range(3):
        sim.step(4)
        new.append(sim.sensors.updated("magnetometer").tolist())
    assert new == [[False, True], [False, False], [False, False]]
    sim.sensors.give("magnetometer", ids=2, magnetometer=(1e-5, 0, 4e-5))
    sim.step(4)
    packet = wire.pack(sim, "MavHILSensor", ids=2)[0]
    assert packet["fields_updated"] == 0x1C0
    assert packet["zmag"] == np.float32(0.4)


@pytest.mark.parametrize("sensor", MEASURED)
def test_values_of_every_sensor_are_new_once(sensor: str) -> None:
    sim = pyrfly.Sim("x450")
    sim.sensors.give(sensor, **dict.fromkeys(MEASURED[sensor], 1))
    new = []
    for _ in range(2):
        sim.step(4)
        new += sim.sensors.updated(sensor).tolist()
    assert new == [True, False]


@pytest.mark.parametrize(
    ("sensor", "values"),
    [
        ("imu", {"imu_accel": (0, 0, -9.5), "imu_gyro": (0.1, 0, 0)}),
        ("airspeed", {"differential_pressure": 50.0, "indicated_airspeed": 9.0}),
        ("range", {"range_distance": 2.0, "range_valid": 1}),
        (
            "gps",
            {
                "gps_pos": (1, 2, -3),
                "gps_vel": (1, 0, 0),
                "gps_speed": 1,
                "gps_course": 0,
                "gps_reported_accuracy": (0.5, 1),
                "gps_fix": 3,
                "gps_reported_satellites": 12,
            },
        ),
    ],
)
def test_every_sensor_can_be_given(sensor: str, values: dict[str, Any]) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable(sensor)
    sim.step(300)
    count = int(getattr(sim, f"{sensor}_updates")[0])
    sim.sensors.give(sensor, **values)
    sim.step(400)
    for column, value in values.items():
        np.testing.assert_array_equal(
            getattr(sim, column), np.broadcast_to(value, (2, np.size(value))).squeeze()
        )
    assert getattr(sim, f"{sensor}_updates").tolist() == [count + 1] * 2
    assert sim.sensors_on.tolist() == [0, 0]


def test_the_packets_of_the_imu_and_the_receiver_have_them() -> None:
    sim = pyrfly.Sim("x450")
    sim.sensors.give("imu", imu_accel=(1, 2, 3), imu_gyro=(4, 5, 6))
    sim.sensors.give("gps", gps_pos=(0, 0, -7), gps_vel=0, gps_fix=3)
    sim.step(8)
    imu = wire.pack(sim, "imuDataCopter")[0]
    assert [*imu["acc"], *imu["gyro"]] == [1, 2, 3, 4, 5, 6]
    report = wire.pack(sim, "MavHILGPS")[0]
    assert (report["alt"], report["fix_type"]) == (57_000, 3)


def test_a_disabled_sensor_is_not_given_any_more() -> None:
    sim = pyrfly.Sim("x450")
    sim.sensors.give("imu", imu_accel=(1, 2, 3), imu_gyro=0)
    sim.sensors.disable("imu")
    assert sim.sensor_sources.tolist() == [0]
    assert sim.imu_accel[0].tolist() == [1, 2, 3]


def test_given_values_change_nothing_else() -> None:
    """Neither the flight nor what other vehicles measure."""
    sims = [pyrfly.Sim("x450", 3) for _ in range(2)]
    for sim in sims:
        sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="rflysim_noisy")
        sim.reset(seed=5)
    sims[1].sensors.give("barometer", ids=2, barometer_pressure=9e4)
    for sim in sims:
        sim.step(500)
    for name in ("pos", "imu_accel", "magnetometer", "gps_pos"):
        np.testing.assert_array_equal(getattr(sims[0], name), getattr(sims[1], name))
    np.testing.assert_array_equal(
        sims[0].barometer_pressure[[0, 2]], sims[1].barometer_pressure[[0, 2]]
    )


@pytest.mark.parametrize(
    ("sensor", "values", "error", "message"),
    [
        ("radar", {"imu_accel": 0}, ValueError, "sensor: expected"),
        ("imu", {}, ValueError, r"values: .*got none"),
        ("imu", {"gps_pos": 0}, ValueError, "got gps_pos"),
        ("imu", {"imu_accel": (1, np.nan, 0)}, ValueError, "imu_accel: expected finite"),
        ("imu", {"imu_gyro": 1, "imu_accel": (1, 2)}, pyrfly.ShapeError, "imu_accel: expected"),
        ("gps", {"gps_fix": 2.5}, ValueError, "gps_fix: expected whole"),
        ("range", {"range_valid": 2}, ValueError, "range_valid"),
        ("imu", {"imu_accel": "level"}, TypeError, "imu_accel"),
        ("imu", {"imu_accel": (0, 0, -9.8)}, ValueError, "imu_accel and imu_gyro"),
        ("gps", {"gps_pos": (0, 0, -7), "gps_fix": 3}, ValueError, "gps_pos and gps_vel"),
    ],
)
def test_what_cannot_be_given_is_refused_and_changes_nothing(
    sensor: str, values: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.sensors.enable("imu", "gps", "range", profile="ideal")
    sim.step(4)
    before = sim.hash()
    with pytest.raises(error, match=message):
        sim.sensors.give(sensor, **values)
    assert sim.hash() == before
    assert sim.sensors_on.tolist() == [Sensor.IMU | Sensor.GPS | Sensor.RANGE] * 3
