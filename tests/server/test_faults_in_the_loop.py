"""Faults of vehicles that an autopilot outside flies: what it measures, and what it moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.mavlink import FrameParser
from pyrfly.protocol.px4_channels import channels_of
from pyrfly.server.actuators import Actuators
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.server.fault_forwarding import FaultForwarding
from pyrfly.server.hil import HilSource

IMU, MAG, BARO, PRESSURE = 0x3F, 0x1C0, 0x1A00, 0x400
OK, OFF, STUCK, GARBAGE = range(4)
GYRO, GPS, MOTOR, BATTERY = 0, 4, 101, 100


def measured(sim: Sim, source: HilSource, seconds: float) -> list[list[Any]]:
    """Return what the autopilots of vehicles get in a time, as pymavlink reads it."""
    mav = common.MAVLink(None)
    found: list[list[Any]] = [[] for _ in range(sim.n)]
    rows = np.arange(sim.n)
    for _ in range(round(seconds / source.period)):
        sim.step(round(source.period / sim.dt))
        for row, data in source.packed(round(sim.time / sim.dt), rows)[0]:
            found[row] += mav.parse_buffer(bytes(data)) or []
    return found


def named(messages: list[Any], name: str) -> list[Any]:
    return [m for m in messages if m.get_type() == name]


@pytest.fixture
def pair() -> tuple[Sim, HilSource]:
    """Return two vehicles, of which the second one is to have a fault, and what PX4 gets."""
    sim = Sim("iris", 2)
    source = HilSource(sim)
    measured(sim, source, 0.5)
    return sim, source


def test_a_gyroscope_that_is_frozen_repeats_its_value(pair: tuple[Sim, HilSource]) -> None:
    sim, source = pair
    sim.faults.add("sensor_freeze", ids=2, sensor="gyroscope")
    measured(sim, source, 0.02)
    healthy, faulty = (named(m, "HIL_SENSOR") for m in measured(sim, source, 0.2))
    assert len(healthy) == len(faulty) == 50
    assert len({m.xgyro for m in healthy}) > 40
    assert len({m.xgyro for m in faulty}) == 1
    assert len({m.xacc for m in faulty}) > 40
    assert all(m.fields_updated & IMU == IMU for m in faulty)


@pytest.mark.parametrize(
    ("sensor", "bits"),
    [("accelerometer", IMU), ("magnetometer", MAG), ("barometer", BARO), ("airspeed", PRESSURE)],
)
def test_a_sensor_that_drops_out_updates_nothing_and_messages_go_on(
    pair: tuple[Sim, HilSource], sensor: str, bits: int
) -> None:
    sim, source = pair
    sim.faults.add("sensor_dropout", ids=2, sensor=sensor)
    measured(sim, source, 0.02)
    healthy, faulty = (named(m, "HIL_SENSOR") for m in measured(sim, source, 0.2))
    assert len(healthy) == len(faulty) == 50
    assert any(m.fields_updated & bits for m in healthy)
    assert not any(m.fields_updated & bits for m in faulty)


def test_a_receiver_that_drops_out_sends_no_position(pair: tuple[Sim, HilSource]) -> None:
    sim, source = pair
    sim.faults.add("sensor_dropout", ids=2, sensor="gps", duration=1.0)
    measured(sim, source, 0.1)
    healthy, faulty = (named(m, "HIL_GPS") for m in measured(sim, source, 0.8))
    assert len(healthy) >= 3
    assert not faulty
    assert named(measured(sim, source, 1.0)[1], "HIL_GPS")


def test_a_barometer_with_a_bias_has_it(pair: tuple[Sim, HilSource]) -> None:
    sim, source = pair
    sim.faults.add("sensor_bias", ids=2, sensor="barometer", bias=500.0)
    measured(sim, source, 0.1)
    healthy, faulty = (
        np.mean([m.abs_pressure for m in named(ms, "HIL_SENSOR")])
        for ms in measured(sim, source, 1)
    )
    assert faulty - healthy == pytest.approx(5.0, abs=0.2)  # hPa


def test_outputs_pass_through_the_faults_of_actuators() -> None:
    sim = Sim("iris", 2)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, -20], [0, 9, -20]])
    actuators = Actuators(sim, channels_of, mixed=True)
    for row in (0, 1):
        actuators.take_over(row)
        actuators.set(row, np.full(16, 0.6), True)
    actuators.write()
    sim.faults.add("motor", ids=2, actuator=1, effectiveness=0.5)
    sim.step(500)
    speeds = sim.rotor_speed
    assert speeds[1, 0] < 0.9 * speeds[0, 0]
    np.testing.assert_allclose(speeds[1, 1:], speeds[0, 1:], rtol=0.05)
    assert abs(sim.euler[1, 0]) > 0.2 > 1e-3 > abs(sim.euler[0, 0])


def test_ardupilot_gets_what_a_faulty_imu_measures() -> None:
    sim = Sim("iris")
    sim.enable_synthesis()
    sim.sensors.enable("imu", profile="px4_sih")
    vehicle = ArduPilotVehicle(sim.groups[0], 0)
    sim.step(100)
    assert list(vehicle.state(0.1).gyro) == [0, 0, 0]
    sim.faults.add("sensor_bias", sensor="gyroscope", bias=[0.5, 0, 0])
    sim.faults.add("sensor_freeze", sensor="accelerometer", at=0.2)
    sim.step(50)
    state = vehicle.state(0.15)
    assert state.gyro[0] == pytest.approx(0.5, abs=0.1)
    assert list(state.accel_body) == sim.specific_force[0].tolist()
    sim.step(100)
    first = list(vehicle.state(0.25).accel_body)
    sim.step(100)
    assert list(vehicle.state(0.35).accel_body) == first != sim.specific_force[0].tolist()


# --- told to the autopilot -----------------------------------------------------------------------


class Told:
    """Records the failures that PX4s are told, as pymavlink reads them."""

    def __init__(self, sim: Sim) -> None:
        self.sim = sim
        self.commands: list[tuple[int, ...]] = []
        self.mav = common.MAVLink(None)
        self.forwarding = FaultForwarding(sim, self.send, first_system=3)

    def send(self, row: int, data: bytes) -> None:
        (m,) = self.mav.parse_buffer(data)
        assert (m.get_type(), m.command, m.target_component) == ("COMMAND_LONG", 420, 1)
        assert m.target_system == row + 3
        self.commands.append((row, int(m.param1), int(m.param2), int(m.param3)))

    def after(self, seconds: float) -> list[tuple[int, ...]]:
        self.commands.clear()
        for _ in range(round(seconds / 0.02)):
            self.sim.sleep(0.02)
            self.forwarding.tell()
        return list(self.commands)


def test_failures_are_told_when_they_begin_and_end() -> None:
    sim = Sim("iris", 2)
    sim.sensors.enable("imu", "gps")
    told = Told(sim)
    assert told.after(0.1) == []
    sim.faults.add("motor", ids=2, actuator=(1, 3), at=0.5, duration=1.0)
    sim.faults.add("sensor_dropout", ids=1, sensor="gps", at=1.0)
    sim.faults.add("sensor_freeze", ids=1, sensor="gyroscope", at=1.2)
    assert told.after(0.3) == []
    assert told.after(0.3) == [(1, MOTOR, OFF, 1), (1, MOTOR, OFF, 3)]
    assert told.after(0.7) == [(0, GPS, OFF, 0), (0, GYRO, STUCK, 0)]
    assert told.after(0.3) == [(1, MOTOR, OK, 1), (1, MOTOR, OK, 3)]
    sim.faults.clear(1)
    assert told.after(0.1) == [(0, GYRO, OK, 0), (0, GPS, OK, 0)]


def test_faults_of_rflysims_numbers_are_told_and_what_px4_does_not_know_is_not() -> None:
    sim = Sim("iris")
    told = Told(sim)
    ints, floats = np.zeros((1, 8), int), np.zeros((1, 20))
    ints[0, :2] = 123450
    floats[0, :4] = 1, 0, 0.5, 1
    sim.faults.inject(ints, floats)
    sim.faults.add("wind", wind=[3, 0, 0])
    sim.faults.add("battery_gauge", ratio=0.0)
    assert told.after(0.1) == [(0, BATTERY, OFF, 0), (0, MOTOR, OFF, 2)]


def test_a_refusal_is_said_once(
    caplog: pytest.LogCaptureFixture, frames_of: Callable[..., Any]
) -> None:
    told = Told(Sim("iris"))
    for _ in range(3):
        told.forwarding.take(0, frames_of(common.MAVLink_command_ack_message(420, 2)))
    told.forwarding.take(0, frames_of(common.MAVLink_command_ack_message(420, 0)))
    assert [record.getMessage() for record in caplog.records] == [
        "the PX4 of vehicle 1 refused a failure: DENIED"
    ]


@pytest.fixture
def frames_of() -> Callable[..., Any]:
    """Return a function that makes received frames of messages of pymavlink."""

    def made(*messages: Any) -> Any:
        packer = common.MAVLink(None, srcSystem=1, srcComponent=1)
        return FrameParser().feed(b"".join(m.pack(packer) for m in messages))

    return made
