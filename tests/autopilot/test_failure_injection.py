"""MAV_CMD_INJECT_FAILURE: what fails, what a vehicle answers, and what becomes of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.autopilot.failure_injection import FAILURES
from pyrfly.mavlink.constants import FailureType, FailureUnit
from pyrfly.vehicles import FAMILIES, names

Make = Callable[..., Any]
INJECT = 420
ACCEPTED, REJECTED, DENIED, UNSUPPORTED, FAILED = range(5)
OK, OFF, STUCK, GARBAGE, WRONG, SLOW, DELAYED, INTERMITTENT = range(8)
GYRO, ACCEL, MAG, BARO, GPS, FLOW, VIO, DISTANCE, AIRSPEED = range(9)
BATTERY, MOTOR, SERVO, AVOIDANCE, RC, LINK = range(100, 106)

# What PX4 v1.16.1's simulator accepts, but for units that no vehicle has here.
OF_PX4 = {
    **{unit: {OK, OFF, STUCK} for unit in (GYRO, ACCEL, MAG, BARO, GPS)},
    AIRSPEED: {OK, OFF, WRONG},
    MOTOR: {OK, OFF},
    BATTERY: {OK, OFF},
}


@pytest.fixture
def failing(station: Make) -> Make:
    """Return a function that makes vehicles that let failures be injected."""

    def make(*arguments: Any, sensors: bool = True, **options: Any) -> Any:
        s = station(*arguments, **options)
        s.set("SYS_FAILURE_EN", 1)
        if sensors:
            s.sim.environment.enable("atmosphere", "magnetic", "gravity")
            s.sim.sensors.enable(
                *("imu", "magnetometer", "barometer", "airspeed", "gps", "range"), profile="px4_sih"
            )
            s.run(0.3)
        return s

    return make


def test_failures_need_a_parameter_as_in_px4(station: Make) -> None:
    s = station()
    assert s.command(INJECT, MOTOR, OFF, 1) == DENIED
    s.set("SYS_FAILURE_EN", 1)
    assert s.command(INJECT, MOTOR, OFF, 1) == ACCEPTED
    s.set("SYS_FAILURE_EN", 0)
    assert s.command(INJECT, MOTOR, OK) == DENIED
    assert len(s.sim.faults.list()) == 1


@pytest.mark.parametrize("unit", OF_PX4)
def test_what_px4_accepts_is_accepted(failing: Make, unit: int) -> None:
    s = failing()
    for kind in OF_PX4[unit]:
        assert s.command(INJECT, unit, kind) == ACCEPTED, kind


@pytest.mark.parametrize(
    ("unit", "kind", "instance"),
    [
        (FLOW, OFF, 0), (VIO, OFF, 0), (AVOIDANCE, OFF, 0), (9, OFF, 0), (GYRO, WRONG, 0),
        (MOTOR, DELAYED, 0), (GYRO, 8, 0), (GYRO, OFF, 2), (MOTOR, OFF, 5), (MOTOR, WRONG, 0),
        (MOTOR, OFF, -1), (SERVO, OFF, 0), (-1, OFF, 0), (math.nan, OFF, 0), (GYRO, math.inf, 0),
        (MOTOR, OFF, 1e30), (FLOW, OK, 0),
    ],
)  # fmt: skip
def test_what_has_no_meaning_is_unsupported_and_changes_nothing(
    failing: Make, unit: float, kind: float, instance: float
) -> None:
    s = failing()
    assert s.command(INJECT, unit, kind, instance) == UNSUPPORTED
    assert s.sim.faults.list() == ()


def test_a_sensor_that_is_off_cannot_fail_which_is_said(failing: Make) -> None:
    s = failing(sensors=False)
    assert s.command(INJECT, GPS, OFF) == UNSUPPORTED
    s.run(0.1)
    assert any("has no gps" in text for text in s.texts())


def test_units_and_types_have_a_fault_that_all_vehicles_can_have(failing: Make) -> None:
    s = failing()
    for unit, failures in FAILURES.items():
        for kind in failures:
            expected = UNSUPPORTED if unit == FailureUnit.SYSTEM_SERVO else ACCEPTED
            assert s.command(INJECT, unit, kind) == expected, (unit, kind)
            s.run(0.02)
        assert s.command(INJECT, unit, FailureType.OK) == expected
    assert s.sim.faults.list() == ()


@pytest.mark.parametrize("modelled", [False, True])
def test_a_battery_that_is_off_is_told_to_be_empty_and_drives_go_on(
    failing: Make, modelled: bool
) -> None:
    s = failing("x450", 2, sensors=False, rates={"BATTERY_STATUS": 10.0})
    if modelled:
        s.sim.power.enable()
    s.in_air(5.0)
    s.set("COM_LOW_BAT_ACT", 2)
    s.set("COM_FAIL_ACT_T", 0)
    s.command(INJECT, BATTERY, OFF, row=1)
    s.run(1.0)
    assert [s.all("BATTERY_STATUS", row)[-1].battery_remaining > 90 for row in (0, 1)] == [
        True,
        False,
    ]
    assert s.modes() == ["HOLD", "LAND"]
    if modelled:
        volts = s.sim.battery_voltage.ravel()
        assert volts[1] == pytest.approx(volts[0], rel=0.02)
    s.command(INJECT, BATTERY, OK, row=1)
    s.run(0.5)
    assert s.all("BATTERY_STATUS", 1)[-1].battery_remaining > 90


# --- sensors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "column", "counter"),
    [
        (MAG, "magnetometer", "magnetometer_updates"),
        (BARO, "barometer_pressure", "barometer_updates"),
        (GPS, "gps_pos", "gps_updates"),
        (DISTANCE, "range_distance", "range_updates"),
        (AIRSPEED, "differential_pressure", "airspeed_updates"),
    ],
)
def test_a_sensor_that_is_off_publishes_nothing_until_it_is_ok(
    failing: Make, unit: int, column: str, counter: str
) -> None:
    s = failing()
    s.command(INJECT, unit, OFF)
    s.run(0.1)
    before = int(getattr(s.sim, counter)[0])
    s.run(1)
    assert getattr(s.sim, counter)[0] == before
    s.command(INJECT, unit, OK)
    s.run(1)
    assert getattr(s.sim, counter)[0] > before


def test_a_gyroscope_that_is_stuck_repeats_its_value_and_garbage_takes_its_place(
    failing: Make,
) -> None:
    s = failing()

    def values() -> np.ndarray:
        found = []
        for _ in range(50):
            s.run(0.02)
            found.append(s.sim.imu_gyro[0].copy())
        return np.array(found)

    s.command(INJECT, GYRO, STUCK)
    s.run(0.1)
    assert not np.ptp(values(), axis=0).any()
    s.command(INJECT, GYRO, GARBAGE)
    s.run(0.1)
    assert 5 < values().std() < 20
    assert [fault.kind for fault in s.sim.faults.list()] == ["sensor_noise"]
    s.command(INJECT, GYRO, OK)
    s.run(0.1)
    assert 0 < values().std() < 0.2


def test_a_sensor_that_is_slow_has_a_tenth_of_its_values(failing: Make) -> None:
    s = failing()

    def updates(seconds: float) -> int:
        before = int(s.sim.barometer_updates[0])
        s.run(seconds)
        return int(s.sim.barometer_updates[0]) - before

    usual = updates(2.0)
    s.command(INJECT, BARO, SLOW)
    s.run(0.5)
    assert updates(2.0) == pytest.approx(usual / 10, abs=1)


def test_a_blocked_pitot_tube_measures_a_third_of_the_pressure_after_a_second(
    failing: Make,
) -> None:
    s = failing()
    s.sim.wind[:] = (-20, 0, 0)
    s.run(0.5)
    free = float(s.sim.differential_pressure[0])
    s.command(INJECT, AIRSPEED, WRONG)
    s.run(0.5)
    assert s.sim.differential_pressure[0] / free == pytest.approx(0.65, abs=0.12)
    s.run(2.0)
    assert s.sim.differential_pressure[0] / free == pytest.approx(0.3, abs=0.03)


# --- actuators -----------------------------------------------------------------------------------


def test_a_motor_that_is_off_stands_still_and_the_vehicle_falls(failing: Make) -> None:
    s = failing("x450", 2, sensors=False).in_air(20.0)
    assert s.command(INJECT, MOTOR, OFF, 2, row=1) == ACCEPTED
    s.run(1.5)
    assert s.height(0) == pytest.approx(20, abs=0.3)
    assert s.sim.rotor_speed[1, 1] < 0.05 * s.sim.rotor_speed[0, 1]
    assert s.height(1) < 18


def test_motors_fail_and_recover_one_by_one(failing: Make) -> None:
    s = failing("hex_x", sensors=False)

    def factors() -> list[float]:
        s.run(0.02)
        return list(s.sim.command_factor[0, :6])

    s.command(INJECT, MOTOR, OFF, 3)
    s.command(INJECT, MOTOR, OFF, 5)
    assert factors() == [1, 1, 0, 1, 0, 1]
    s.command(INJECT, MOTOR, OK, 3)
    assert factors() == [1, 1, 1, 1, 0, 1]
    s.command(INJECT, MOTOR, OFF)
    assert factors() == [0] * 6
    s.command(INJECT, MOTOR, OK, 1)
    assert factors() == [1, 0, 0, 0, 0, 0]
    s.command(INJECT, MOTOR, OK)
    assert factors() == [1] * 6
    assert s.sim.faults.list() == ()


def test_a_motor_that_is_stuck_holds_the_command_that_it_had(failing: Make) -> None:
    s = failing("hex_x", sensors=False).in_air(5.0)
    assert s.command(INJECT, MOTOR, STUCK, 2) == ACCEPTED
    speeds: list[np.ndarray] = []
    s.each_tick.append(lambda: speeds.append(s.sim.rotor_speed[0].copy()))
    s.command(192, 5, 1, 0, math.nan, math.nan, math.nan, 500.0)  # climb
    s.run(1.0)
    changes = np.ptp(speeds, axis=0) / np.mean(speeds, axis=0)
    assert changes[1] < 0.01
    assert changes[0] > 0.1


def servos_of(name: str) -> list[int]:
    """Return the numbers of the servos of a vehicle."""
    ranges = Sim(name).groups[0].ranges
    return [k for k, a in enumerate(ranges, start=1) if not a.is_motor and a.high > a.low]


def test_servos_hold_their_commands(failing: Make) -> None:
    sets = (names(family)[0] for family in FAMILIES)
    name = next((name for name in sets if len(servos_of(name)) > 1), None)
    if name is None:
        pytest.skip("no family has servos")
    s, servos = failing(name, sensors=False), servos_of(name)
    assert s.command(INJECT, SERVO, OFF, 2) == ACCEPTED
    (fault,) = s.sim.faults.list()
    assert (fault.kind, fault.items) == ("actuator_freeze", (servos[1],))


def test_faults_that_others_have_entered_stay(failing: Make) -> None:
    s = failing("x450", sensors=False)
    s.sim.faults.add("motor", actuator=1, effectiveness=0.5)
    s.command(INJECT, MOTOR, OFF)
    s.command(INJECT, MOTOR, OK)
    s.run(0.02)
    assert s.sim.command_factor[0, :4].tolist() == [0.5, 1, 1, 1]


def test_more_failures_than_a_vehicle_can_have_change_nothing(failing: Make) -> None:
    s = failing("x450", sensors=False)
    for _ in range(16):
        s.sim.faults.add("motor", actuator=1, effectiveness=0.99)
    before = s.sim.faults.list()
    assert s.command(INJECT, MOTOR, STUCK) == UNSUPPORTED
    assert s.sim.faults.list() == before
