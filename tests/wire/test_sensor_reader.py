"""SensorReader: what is new to one reader."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.wire.sensor_reader import RESET, SensorReader

FIELDS = {"imu": 0x003F, "magnetometer": 0x01C0, "barometer": 0x1A00, "airspeed": 0x0400}
"""Bits of the fields of HIL_SENSOR by sensor [@mavlink]."""


def flying(profile: str = "px4") -> pyrfly.Sim:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable("imu", "magnetometer", "barometer", "airspeed", "gps", profile=profile)
    return sim


def test_in_lockstep_it_says_what_the_packets_say() -> None:
    sim = flying()
    reader = SensorReader(sim)
    for _ in range(50):
        sim.step(4)
        expected = wire.pack(sim, "MavHILSensor")
        assert reader.sensors().tobytes() == expected.tobytes()


def test_a_slow_reader_learns_of_every_new_value_and_of_each_once() -> None:
    sim = flying()
    slow, other = SensorReader(sim), SensorReader(sim, ids=2)
    everything = sum(FIELDS.values())
    for _ in range(3):
        sim.step(100)
        assert slow.sensors()["fields_updated"].tolist() == [everything] * 2
        assert slow.sensors("HILSensor30d")["fields_updated"].tolist() == [0, 0]
    assert other.sensors()["fields_updated"].tolist() == [everything]


def test_every_sample_is_reported_once_at_any_rate_of_reading() -> None:
    """Of sensors at 250, 100, 50 and 10 Hz, to readers at 250, 142.9 and 50 Hz."""
    for steps in (4, 7, 20):
        sim = flying()
        reader = SensorReader(sim)
        told = dict.fromkeys(FIELDS, 0)
        gps = 0
        for _ in range(2800 // steps):
            sim.step(steps)
            bits = int(reader.sensors()["fields_updated"][0])
            for name, fields in FIELDS.items():
                told[name] += bits & fields == fields
            gps += int(reader.gps().new[0])
        rate = 1000 / steps
        for name in FIELDS:
            seconds = 2.8
            expected = min(int(getattr(sim, f"{name}_updates")[0]), rate * seconds)
            assert told[name] == pytest.approx(expected, abs=1), (steps, name)
        assert gps == sim.gps_updates[0] > 10


def test_gps_reports_are_new_once() -> None:
    sim = flying()
    reader = SensorReader(sim)
    assert reader.gps().new.tolist() == [False, False]
    sim.step(130)
    report = reader.gps()
    assert report.new.tolist() == [True, True]
    assert report.packets.tobytes() == wire.pack(sim, "MavHILGPS").tobytes()
    assert reader.gps("HILGPS30d").new.tolist() == [False, False]


def test_a_reset_sets_the_bit_that_says_so() -> None:
    sim = flying("ideal")
    reader = SensorReader(sim)
    sim.step(100)
    reader.sensors()
    sim.reset(ids=2)
    sim.step(4)
    everything = sum(FIELDS.values())
    assert reader.sensors()["fields_updated"].tolist() == [everything, everything | RESET]
    sim.step(4)
    assert reader.sensors()["fields_updated"].tolist() == [everything] * 2


def test_after_a_reset_nothing_is_new_before_the_next_update() -> None:
    sim = flying("px4")
    reader = SensorReader(sim)
    sim.step(110)
    reader.sensors()
    sim.reset(ids=2)
    sim.step(2)  # none of the sensors is due
    assert reader.sensors()["fields_updated"].tolist()[1] == RESET


def test_without_sensors_nothing_is_new() -> None:
    sim = pyrfly.Sim("x450", 2)
    reader = SensorReader(sim)
    sim.step(10)
    assert not reader.sensors()["fields_updated"].any()
    assert not reader.gps().new.any()
    sim.sensors.enable("imu", ids=1)
    sim.step(4)
    assert np.array_equal(reader.sensors()["fields_updated"], [FIELDS["imu"], 0])
