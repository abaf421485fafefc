"""Packets of what the sensors measure, against the columns in the units of the packets."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.frames import LocalFrame
from pyrfly.protocol.bits import Sensor

ALL = tuple(sensor.name.lower() for sensor in Sensor if sensor.name)
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])
ORIGIN = (40.0, 116.0, 50.0)


def measured(precision: str = "float64", steps: int = 1001) -> pyrfly.Sim:
    """Return two kinds of flying vehicles with all sensors, after an update of the sensors."""
    sim = pyrfly.Sim({"sdk": 3, "hex_x": 2}, precision=precision)
    sim.origin = ORIGIN
    sim.sensors.enable(*ALL, profile="px4")
    sim.reset(pos=np.arange(15).reshape(5, 3) * [30, -20, -1], seed=3)
    sim.select().write("vel", (3, -2, 0))
    sim.step(steps)
    return sim


def in_units(sim: pyrfly.Sim, i: int) -> list[float]:
    """Return what the sensors of a vehicle measured, in the order and the units of the packets."""
    return [
        *sim.imu_accel[i].astype(float),
        *sim.imu_gyro[i].astype(float),
        *(sim.magnetometer[i].astype(float) * 1e4),
        float(sim.barometer_pressure[i]) / 100,
        float(sim.differential_pressure[i]) / 100,
        float(sim.barometer_height[i]),
        float(sim.barometer_temperature[i]) - 273.15,
    ]


@PRECISIONS
def test_sensors_are_in_the_units_and_the_order_of_hil_sensor(precision: str) -> None:
    sim = measured(precision)
    for i, packet in enumerate(wire.pack(sim, "MavHILSensor")):
        time, *values, bits = struct.unpack("<Q13fI", packet.tobytes())
        assert time == 1_000_000  # of the update before the last step
        np.testing.assert_allclose(values, in_units(sim, i), rtol=1e-6, atol=1e-12)
        assert bits == 0x1FFF  # all sensors sample at a whole second


@PRECISIONS
def test_the_vector_of_sensors_has_the_same_and_the_range_finder(precision: str) -> None:
    sim = measured(precision)
    for i, packet in enumerate(wire.pack(sim, "HILSensor30d")):
        numbers = struct.unpack("<30d", packet.tobytes())
        np.testing.assert_allclose(numbers[1:14], in_units(sim, i), rtol=1e-12, atol=1e-12)
        assert numbers[0] == 1_000_000
        assert numbers[14] == 0x1FFF
        more = (sim.indicated_airspeed[i], sim.range_distance[i], sim.range_valid[i])
        assert numbers[15:18] == tuple(map(float, more))
        assert numbers[18:] == (0,) * 12


@pytest.mark.parametrize(
    ("sensor", "bits"),
    [
        ("imu", 0x3F),
        ("magnetometer", 0x1C0),
        ("barometer", 0x1A00),
        ("airspeed", 0x400),
        ("gps", 0),
        ("range", 0),
    ],
)
def test_fields_are_updated_in_the_groups_that_px4_tests_and_only_with_a_new_value(
    sensor: str, bits: int
) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable(sensor, profile="ideal", ids=2)
    sim.sensors.set_rate(sensor, 125)
    assert wire.pack(sim, "MavHILSensor")["fields_updated"].tolist() == [0, 0]
    seen = []
    for _ in range(4):
        sim.step(4)
        seen.append(wire.pack(sim, "MavHILSensor")["fields_updated"].tolist())
    assert seen == [[0, bits], [0, 0]] * 2


def test_without_sensors_nothing_is_updated() -> None:
    sim = pyrfly.Sim("x450")
    sim.step(10)
    packet = wire.pack(sim, "MavHILSensor")[0]
    assert struct.unpack("<Q13fI", packet.tobytes()) == (8000, *(0,) * 14)


def test_time_is_that_of_the_last_update() -> None:
    sim = pyrfly.Sim("x450")
    times = []
    for _ in range(9):
        times.append(int(wire.pack(sim, "MavHILSensor")["time_usec"][0]))
        sim.step()
    assert times == [0, 0, 0, 0, 0, 4000, 4000, 4000, 4000]


@PRECISIONS
def test_gps_is_in_whole_numbers_of_hil_gps(precision: str) -> None:
    sim = measured(precision)
    vectors = wire.pack(sim, "HILGPS30d")
    for i, packet in enumerate(wire.pack(sim, "MavHILGPS")):
        numbers = struct.unpack("<Q3i3H3hH2B", packet.tobytes())
        lla = LocalFrame(*ORIGIN).to_lla(sim.gps_pos[i].astype(float))
        assert numbers[0] == 1_000_000
        np.testing.assert_allclose(numbers[1:4], lla * [1e7, 1e7, 1e3], rtol=0, atol=0.51)
        assert numbers[4:6] == (100, 100)
        np.testing.assert_allclose(numbers[6], sim.gps_speed[i] * 100, atol=0.51)
        np.testing.assert_allclose(numbers[7:10], sim.gps_vel[i] * 100, atol=0.51)
        np.testing.assert_allclose(numbers[10], np.degrees(sim.gps_course[i]) * 100, atol=0.51)
        assert numbers[11:] == (3, 10)
        vector = struct.unpack("<30d", vectors[i].tobytes())
        assert vector[:13] == numbers
        assert vector[13:] == (sim.gps_updates[i], *(0,) * 16)


def test_before_the_first_report_the_gps_is_unknown() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable("gps", profile="px4", ids=2)
    sim.step(100)
    unknown = (96_000, 0, 0, 0, 65535, 65535, 65535, 0, 0, 0, 65535, 0, 255)
    for packet in wire.pack(sim, "MavHILGPS"):
        assert struct.unpack("<Q3i3H3hH2B", packet.tobytes()) == unknown


@pytest.mark.parametrize(
    ("column", "value", "field", "packed"),
    [
        ("gps_vel", (500, -500, 0.125), ("vn", "ve", "vd"), (32767, -32768, 12)),
        ("gps_speed", 1e5, ("vel",), (65534,)),
        ("gps_reported_accuracy", (1e5, -1), ("eph", "epv"), (65534, 0)),
        ("gps_course", 2 * np.pi, ("cog",), (0,)),
        ("gps_course", np.radians(359.99), ("cog",), (35999,)),
        ("gps_reported_satellites", 1000, ("satellites_visible",), (254,)),
        ("gps_pos", (np.nan, 0, 0), ("lat",), (0,)),
    ],
)
def test_what_does_not_fit_saturates(
    column: str, value: Any, field: tuple[str, ...], packed: tuple[int, ...]
) -> None:
    sim = pyrfly.Sim("x450")
    sim.sensors.enable("gps", profile="ideal")
    sim.step()
    sim.select().write(column, value)
    packet = wire.pack(sim, "MavHILGPS")[0]
    assert tuple(int(packet[name]) for name in field) == packed


@PRECISIONS
def test_the_imu_is_what_it_measures_or_the_truth(precision: str) -> None:
    sim = pyrfly.Sim("x450", 2, precision=precision)
    sim.sensors.enable("imu", profile="rflysim_noisy", ids=1)
    sim.reset(pos=[[0, 0, -9], [0, 1, -9]])
    sim.rate[:] = (0.5, -1, 0.25)
    sim.step(1001)
    packets = [struct.unpack("<2i1d6f", p.tobytes()) for p in wire.pack(sim, "imuDataCopter")]
    assert packets[0][:3] == (1234567898, 251, 1.0)
    assert packets[1][:3] == (1234567898, 1001, pytest.approx(1.001))
    for packet, accel, gyro in zip(
        packets,
        (sim.imu_accel[0], sim.specific_force[1]),
        (sim.imu_gyro[0], sim.rate[1]),
        strict=True,
    ):
        np.testing.assert_array_equal(packet[3:], np.float32([*accel, *gyro]))


def test_free_outputs_are_those_of_the_user() -> None:
    sim = pyrfly.Sim({"sdk": 2, "hex_x": 1})
    assert not any(wire.pack(sim, "ExtToUE4").tobytes())
    sim.enable_part("free_outputs")
    rng = np.random.default_rng(1)
    free, shown, sent = (rng.normal(size=(3, width)) for width in (32, 16, 16))
    chosen = sim.select()
    chosen.write("free_outputs", free)
    chosen.write("display_outputs", shown)
    chosen.write("autopilot_outputs", sent)
    np.testing.assert_array_equal(wire.pack(sim, "outCopterStruct")["outCopterData"], free)
    np.testing.assert_array_equal(wire.pack(sim, "ExtToUE4")["ExtToUE4"], shown)
    np.testing.assert_array_equal(wire.pack(sim, "ExtToPX4")["ExtToPX4"], sent.astype(np.float32))
    np.testing.assert_array_equal(wire.pack(sim, "ExtToUE4", ids=[3])["ExtToUE4"], shown[2:])
    sim.reset(ids=1)
    assert not sim.free_outputs[0].any()
    np.testing.assert_array_equal(sim.free_outputs[1:], free[1:])
