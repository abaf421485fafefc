"""Streams: every message decoded by another parser, against numbers worked out by hand."""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import all as everything
from pymavlink.dialects.v20 import common
from scipy.spatial.transform import Rotation

from pyrfly.autopilot import RATES
from pyrfly.autopilot.telemetry import SOME_SEND, STREAMS
from pyrfly.mavlink import MESSAGES, FrameParser
from pyrfly.scene import Box, Scene, Sphere

from .conftest import quaternion

Make = Callable[..., Any]

# Position and velocity [m, NED], roll, pitch, yaw, angular velocity of the vehicle.
POS, VEL = (30.0, -40.0, -25.0), (3.0, -4.0, -1.5)
EULER, RATE = (0.1, -0.2, -1.0), (0.01, -0.02, 0.03)
HOME = (1.0, 2.0, 0.0)


def degrees_of(origin: tuple[float, float, float], pos: Any) -> tuple[float, float]:
    """Return latitude and longitude of a place near the origin, by the radii of the ellipsoid."""
    a, e2 = 6378137.0, 6.69437999014e-3
    lat0, lon0, alt0 = origin
    sine = math.sin(math.radians(lat0))
    prime = a / math.sqrt(1 - e2 * sine**2)
    meridian = a * (1 - e2) / (1 - e2 * sine**2) ** 1.5
    lat = lat0 + math.degrees(pos[0] / (meridian + alt0))
    lon = lon0 + math.degrees(pos[1] / ((prime + alt0) * math.cos(math.radians(lat0))))
    return lat, lon


@pytest.fixture
def flying(station: Make) -> Any:
    """Return a station and its vehicle with the state above, 2.5 s after the start."""
    s = station(pos=HOME[:2])
    s.sim.step(1240)
    s.run(0.02)
    s.sim.pos[0], s.sim.vel[0], s.sim.rate[0] = POS, VEL, RATE
    s.sim.att[0] = quaternion(*EULER)
    s.sim.wind[0] = (1.0, 0.0, 0.5)
    return s


def asked(s: Any, name: str, row: int = 0) -> Any:
    """Return a message that a station requests once."""
    s.command(512, MESSAGES[name].id, row=row)
    s.collect()
    return s.all(name, row)[-1]


def raw(s: Any, name: str) -> bytes:
    """Return the payload of a message that pymavlink may not know, with its zeros."""
    before = s.channel.packed(s.autopilots.moment())
    assert len(before) == 0
    s.send("COMMAND_LONG", 1, 1, 512, 0, MESSAGES[name].id, 0, 0, 0, 0, 0, 0)
    frames = [
        frame
        for _, data in s.channel.packed(s.autopilots.moment())
        for frame in FrameParser().feed(bytes(data))
    ]
    (payload,) = (frame.payload for frame in frames if frame.message_id == MESSAGES[name].id)
    return payload.ljust(MESSAGES[name].dtype.itemsize, b"\0")


def test_every_stream_can_be_requested(station: Make) -> None:
    s = station()
    for name in STREAMS:
        assert s.command(512, MESSAGES[name].id) == 0
        if name not in SOME_SEND:
            assert raw(s, name)


# --- one by one --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vehicles", "kind"),
    [("x450", 2), ("hex_x", 13), ("tri_y_plus", 15)],
)
def test_heartbeat(station: Make, vehicles: str, kind: int) -> None:
    s = station(vehicles)
    m = asked(s, "HEARTBEAT")
    assert (m.type, m.autopilot, m.mavlink_version) == (kind, 12, 3)
    assert (m.base_mode, m.system_status) == (29, common.MAV_STATE_STANDBY)  # as measured
    assert m.custom_mode == 4 << 16 | 3 << 24
    assert (m.get_srcSystem(), m.get_srcComponent()) == (1, 1)


@pytest.mark.parametrize(
    ("command", "armed", "base", "main", "sub"),
    [
        ((176, 1, 4, 2), False, 29, 4, 2),
        ((176, 1, 4, 5), True, 157, 4, 5),
        ((176, 1, 6), True, 145, 6, 0),
        ((176, 1, 3), False, 81, 3, 0),
        ((176, 1, 3), True, 209, 3, 0),
        ((176, 1, 1), False, 81, 1, 0),
        ((176, 1, 5), False, 65, 5, 0),
        ((34, 5, 1, 0, 0, math.nan, math.nan, math.nan), True, 157, 3, 1),
    ],
)
def test_heartbeats_of_modes(
    station: Make, command: Any, armed: bool, base: int, main: int, sub: int
) -> None:
    s = station()
    if armed:
        s.in_air(3.0)
    s.send("MANUAL_CONTROL", 1, 0, 0, 500, 0, 0)
    s.send("SET_POSITION_TARGET_LOCAL_NED", 0, 1, 1, 1, 0b101111111000, *[0.0] * 11)
    s.run(0.02)
    assert s.command(*command) == 0
    m = asked(s, "HEARTBEAT")
    assert m.base_mode == base
    assert m.custom_mode == main << 16 | sub << 24
    assert m.system_status == (common.MAV_STATE_ACTIVE if armed else common.MAV_STATE_STANDBY)


def test_the_health_that_sdks_read(station: Make) -> None:
    m = asked(station(), "SYS_STATUS")
    present, health = m.onboard_control_sensors_present, m.onboard_control_sensors_health
    for bit in (0x1, 0x4, 0x20):  # gyroscope, magnetometer, satellites
        assert present & bit
        assert health & bit
    assert health & 0x2  # accelerometer
    assert health & 0x10000000  # can be armed
    assert (m.voltage_battery, m.current_battery, m.battery_remaining) == (16200, -100, 100)


def test_a_battery(station: Make) -> None:
    s = station()
    s.sim.power.enable(cells=4, capacity=5)
    s.in_air(3.0)
    s.sim.groups[0].state_of_charge[:] = 0.834
    m, status = asked(s, "BATTERY_STATUS"), asked(s, "SYS_STATUS")
    volts, amperes = float(s.sim.battery_voltage[0]), float(s.sim.battery_current[0])
    assert 10 < volts < 17
    assert amperes > 1
    assert m.voltages[0] == status.voltage_battery == round(1e3 * volts)
    assert set(m.voltages[1:]) == {65535}
    assert m.current_battery == status.current_battery == round(100 * amperes)
    assert m.battery_remaining == status.battery_remaining == 83
    assert m.charge_state == common.MAV_BATTERY_CHARGE_STATE_OK
    assert (m.current_consumed, m.energy_consumed, m.temperature) == (-1, -1, 32767)


def test_a_current_beyond_its_field_is_limited(station: Make) -> None:
    s = station()
    s.sim.power.enable()
    s.sim.groups[0].battery_current[:] = 500.0
    assert asked(s, "BATTERY_STATUS").current_battery == 32767


def test_times(flying: Any) -> None:
    assert asked(flying, "SYSTEM_TIME").time_boot_ms == 2500
    assert asked(flying, "SYSTEM_TIME").time_unix_usec == 2_500_000
    assert asked(flying, "ATTITUDE").time_boot_ms == 2500
    assert asked(flying, "HIGHRES_IMU").time_usec == 2_500_000


def test_unix_time_begins_at_an_epoch_and_goes_on_through_resets(station: Make) -> None:
    s = station(epoch=1.7e9)
    s.run(1.5)
    assert asked(s, "SYSTEM_TIME").time_unix_usec == 1_700_000_001_500_000
    s.sim.reset()
    s.run(0.5)
    m = asked(s, "SYSTEM_TIME")
    assert (m.time_unix_usec, m.time_boot_ms) == (1_700_000_002_000_000, 500)


def test_attitude(flying: Any) -> None:
    m = asked(flying, "ATTITUDE")
    assert (m.roll, m.pitch, m.yaw) == pytest.approx(EULER, abs=1e-6)
    assert (m.rollspeed, m.pitchspeed, m.yawspeed) == pytest.approx(RATE)
    m = asked(flying, "ATTITUDE_QUATERNION")
    assert (m.q1, m.q2, m.q3, m.q4) == pytest.approx(quaternion(*EULER), abs=1e-6)
    assert (m.rollspeed, m.pitchspeed, m.yawspeed) == pytest.approx(RATE)


def test_local_position(flying: Any) -> None:
    m = asked(flying, "LOCAL_POSITION_NED")
    assert (m.x, m.y, m.z) == pytest.approx(np.subtract(POS, HOME), abs=1e-4)
    assert (m.vx, m.vy, m.vz) == pytest.approx(VEL)


def test_global_position(flying: Any) -> None:
    m = asked(flying, "GLOBAL_POSITION_INT")
    origin = flying.sim.origin
    lat, lon = degrees_of(origin, POS)
    assert (m.lat, m.lon) == pytest.approx((lat * 1e7, lon * 1e7), abs=3)
    assert m.alt == pytest.approx((origin[2] + 25) * 1e3, abs=3)
    assert m.relative_alt == pytest.approx(25_000, abs=3)
    assert (m.vx, m.vy, m.vz) == (300, -400, -150)
    assert m.hdg == round((360 - math.degrees(1.0)) * 100)


@pytest.mark.parametrize(
    ("yaw", "hdg", "heading"),
    [(0.0, 0, 0), (math.pi / 2, 9000, 90), (-math.pi / 2, 27000, 270), (-1e-7, 0, 0)],
)
def test_headings_are_0_to_359(flying: Any, yaw: float, hdg: int, heading: int) -> None:
    flying.sim.att[0] = quaternion(0, 0, yaw)
    assert asked(flying, "GLOBAL_POSITION_INT").hdg == hdg
    assert asked(flying, "VFR_HUD").heading == heading


def test_velocities_beyond_their_fields_are_limited(flying: Any) -> None:
    flying.sim.vel[0] = (400.0, -400.0, 900.0)
    m = asked(flying, "GLOBAL_POSITION_INT")
    assert (m.vx, m.vy, m.vz) == (32767, -32768, 32767)
    flying.sim.vel[0] = (800.0, 0.0, 0.0)
    assert asked(flying, "GPS_RAW_INT").vel == 65535


def test_satellites_without_a_model_of_a_receiver(flying: Any) -> None:
    m = asked(flying, "GPS_RAW_INT")
    lat, lon = degrees_of(flying.sim.origin, POS)
    assert (m.lat, m.lon) == pytest.approx((lat * 1e7, lon * 1e7), abs=3)
    assert m.alt == m.alt_ellipsoid == pytest.approx((flying.sim.origin[2] + 25) * 1e3, abs=3)
    assert m.vel == 500  # 3, 4, 5
    assert m.cog == round(math.degrees(2 * math.pi - math.atan2(4, 3)) * 100)
    assert m.fix_type == common.GPS_FIX_TYPE_3D_FIX
    assert m.satellites_visible == 10


def test_satellites_as_the_receiver_reports_them(station: Make) -> None:
    s = station()
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.run(2)
    s.sim.pos[0] = POS  # which the receiver does not know yet
    m = asked(s, "GPS_RAW_INT")
    lat, lon = degrees_of(s.sim.origin, (0.0, 0.0, 0.0))
    assert (m.lat, m.lon) == pytest.approx((lat * 1e7, lon * 1e7), abs=1000)
    assert m.fix_type >= 3


@pytest.mark.parametrize(
    ("profile", "horizontal", "vertical"),
    [("px4", 1.0, 1.0), ("px4_sih", 0.9, 1.78), ("rflysim", 0.3, 0.4)],
)
def test_accuracies_are_those_that_the_receiver_reports(
    station: Make, profile: str, horizontal: float, vertical: float
) -> None:
    s = station()
    s.sim.sensors.enable("imu", "gps", profile=profile)
    s.run(0.5)
    m = asked(s, "GPS_RAW_INT")
    assert (m.h_acc, m.v_acc) == (round(1e3 * horizontal), round(1e3 * vertical))
    assert (m.eph, m.epv) == (round(1e2 * horizontal), round(1e2 * vertical))
    m = asked(s, "ESTIMATOR_STATUS")
    accuracies = (m.pos_horiz_accuracy, m.pos_vert_accuracy)
    assert accuracies == pytest.approx((horizontal, vertical))


def test_satellites_of_vehicles_that_have_other_sensors_alone(station: Make) -> None:
    s = station("x450", 2)
    s.sim.sensors.enable("range")
    s.sim.sensors.enable("gps", ids=2)
    first, second = asked(s, "GPS_RAW_INT", 0), asked(s, "GPS_RAW_INT", 1)
    assert (first.fix_type, first.h_acc) == (common.GPS_FIX_TYPE_3D_FIX, 300)
    assert second.fix_type == common.GPS_FIX_TYPE_NO_GPS  # it has not reported yet


def test_head_up_display(flying: Any) -> None:
    m = asked(flying, "VFR_HUD")
    assert m.airspeed == pytest.approx(math.sqrt(2**2 + 4**2 + 2**2))  # the wind subtracted
    assert m.groundspeed == pytest.approx(5.0)
    assert m.alt == pytest.approx(flying.sim.origin[2] + 25, abs=0.01)
    assert m.climb == pytest.approx(1.5)
    assert m.throttle == 0
    assert m.heading == 303


def test_the_airspeed_is_calibrated_and_gusts_count(station: Make) -> None:
    s = station()
    s.sim.origin = (*s.sim.origin[:2], 4500.0)
    s.sim.environment.enable("atmosphere")
    s.sim.environment.set_gust((-6.0, 0, 0), rise=0.1, hold=100.0)
    s.run(0.5)
    s.sim.wind[0], s.sim.vel[0] = (-4.0, 0, 0), (10.0, 0, 0)
    density = (1 - 6.5e-3 * 4500 / 288.15) ** 4.2559  # over that at sea level [@us76]
    expected = 20 * math.sqrt(density)  # 15.9 m/s
    assert asked(s, "VFR_HUD").airspeed == pytest.approx(expected, rel=2e-3)


def test_the_throttle_is_the_thrust_of_armed_vehicles(station: Make) -> None:
    s = station().in_air(3.0)
    s.run(3)
    hover = s.parameters.get(0, "MPC_THR_HOVER")
    assert asked(s, "VFR_HUD").throttle == pytest.approx(100 * hover, abs=3)
    assert asked(s, "ATTITUDE_TARGET").thrust == pytest.approx(hover, abs=0.03)


def test_altitudes(flying: Any) -> None:
    flying.sim.terrain[0] = 5.0
    m, sea = asked(flying, "ALTITUDE"), flying.sim.origin[2]
    assert m.altitude_amsl == m.altitude_monotonic == pytest.approx(sea + 25, abs=0.01)
    assert m.altitude_local == pytest.approx(25, abs=0.01)
    assert m.altitude_relative == pytest.approx(25, abs=0.01)
    assert m.altitude_terrain == pytest.approx(sea - 5, abs=0.01)
    assert m.bottom_clearance == pytest.approx(30, abs=0.01)


def test_outputs_are_pulses(station: Make) -> None:
    s = station({"x450": 1, "tri_y_plus": 1})
    s.sim.groups[0].throttle[:] = [[0.0, 0.25, 0.5, 1.0]]
    s.sim.groups[1].throttle[:] = [[0.0, 0.75, 0.5]]
    m = asked(s, "SERVO_OUTPUT_RAW")
    assert [m.servo1_raw, m.servo2_raw, m.servo3_raw, m.servo4_raw] == [1000, 1250, 1500, 2000]
    assert m.servo5_raw == 0
    m = asked(s, "SERVO_OUTPUT_RAW", 1)
    assert [m.servo1_raw, m.servo2_raw, m.servo3_raw, m.servo4_raw] == [1000, 1750, 1500, 0]


def test_set_points_of_the_position(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (5, 6)])
    s.sim.arm()
    s.sim.command_position([1, 2, -3], 0.5, vel=[0.1, 0.2, 0.3], ids=2)
    m = asked(s, "POSITION_TARGET_LOCAL_NED", 1)
    assert m.coordinate_frame == common.MAV_FRAME_LOCAL_NED
    assert (m.x, m.y, m.z) == pytest.approx((-4, -4, -3), abs=0.01)  # from where it started
    assert (m.vx, m.vy, m.vz) == pytest.approx((0.1, 0.2, 0.3))
    assert all(math.isnan(a) for a in (m.afx, m.afy, m.afz, m.yaw_rate))
    assert m.yaw == pytest.approx(0.5)
    assert m.type_mask == 0b100111000000
    m = asked(s, "POSITION_TARGET_GLOBAL_INT", 1)
    lat, lon = degrees_of(s.sim.origin, (1, 2))
    assert (m.lat_int, m.lon_int) == pytest.approx((lat * 1e7, lon * 1e7), abs=3)
    assert m.alt == pytest.approx(s.sim.origin[2] + 3, abs=0.01)
    m = asked(s, "POSITION_TARGET_LOCAL_NED", 0)  # which has none
    assert m.type_mask == 0b110111111111
    assert all(math.isnan(a) for a in (m.x, m.vx, m.afx, m.yaw, m.yaw_rate))


def test_set_points_of_the_attitude(station: Make) -> None:
    s = station()
    s.sim.arm()
    s.sim.multirotor.command_rate([0.1, 0.2, 0.3], thrust=0.5)
    s.run(0.02)
    m = asked(s, "ATTITUDE_TARGET")
    rates = (m.body_roll_rate, m.body_pitch_rate, m.body_yaw_rate)
    assert rates == pytest.approx((0.1, 0.2, 0.3))
    assert m.type_mask == 0x80
    s.sim.multirotor.command_attitude(quaternion(0.1, -0.2, 0.3), thrust=0.5)
    s.run(0.02)
    m = asked(s, "ATTITUDE_TARGET")
    assert m.q == pytest.approx(quaternion(0.1, -0.2, 0.3), abs=1e-6)
    assert m.type_mask == 0


def test_the_attitude_that_the_position_controller_commands(station: Make) -> None:
    s = station().in_air(5.0)
    s.command_int(192, 10.0, 1, 0, math.radians(120), place=s.place_int(60, -30, 5))
    s.run(1.0)
    m = asked(s, "ATTITUDE_TARGET")
    assert m.type_mask == 0
    target = Rotation.from_quat(m.q, scalar_first=True)
    down = Rotation.from_quat(s.sim.att[0], scalar_first=True).apply([0, 0, 1])
    assert down @ target.apply([0, 0, 1]) > math.cos(math.radians(5))  # the tilt follows it
    np.testing.assert_allclose(target.apply([0, 0, -1]), s.sim.thrust_direction[0], atol=1e-6)
    forward = target.apply([1, 0, 0])[:2] / np.linalg.norm(target.apply([1, 0, 0])[:2])
    np.testing.assert_allclose(forward, s.sim.heading[0], atol=1e-6)
    tilt = math.degrees(math.acos(target.as_matrix()[2, 2]))
    assert 5 < tilt < 45  # it accelerates
    rates = (m.body_roll_rate, m.body_pitch_rate, m.body_yaw_rate)
    assert rates == pytest.approx(s.sim.rate_command[0])
    assert any(rates)


def test_imu_without_models_of_sensors(flying: Any) -> None:
    m = asked(flying, "HIGHRES_IMU")
    assert (m.xgyro, m.ygyro, m.zgyro) == pytest.approx(RATE)
    assert (m.xacc, m.yacc, m.zacc) == pytest.approx(flying.sim.specific_force[0], abs=1e-5)
    assert m.fields_updated == 0x3F
    assert m.abs_pressure == 0


def test_imu_as_the_sensors_measure(station: Make) -> None:
    s = station()
    s.sim.environment.enable("atmosphere", "magnetic")
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.run(1)
    m = asked(s, "HIGHRES_IMU")
    assert m.zacc == pytest.approx(-9.8, abs=0.5)
    assert 0.3 < math.hypot(m.xmag, m.ymag, m.zmag) < 0.7  # gauss
    assert 900 < m.abs_pressure < 1100  # hPa
    assert -20 < m.temperature < 60
    assert m.fields_updated & 0x3F == 0x3F


def test_the_imu_in_scaled_integers(flying: Any) -> None:
    force = np.rint(flying.sim.specific_force[0] / 9.80665 * 1e3)
    for name in ("SCALED_IMU", "RAW_IMU"):
        m = asked(flying, name)
        assert (m.xgyro, m.ygyro, m.zgyro) == (10, -20, 30)  # mrad/s
        assert [m.xacc, m.yacc, m.zacc] == pytest.approx(force, abs=1)  # mg
        assert (m.xmag, m.temperature) == (0, 0)


def test_pressure_as_the_sensors_measure(station: Make) -> None:
    s = station()
    s.sim.environment.enable("atmosphere")
    s.sim.sensors.enable("barometer")
    s.run(0.5)
    m, full = asked(s, "SCALED_PRESSURE"), asked(s, "HIGHRES_IMU")
    assert m.press_abs == full.abs_pressure
    assert 900 < m.press_abs < 1100  # hPa
    assert m.temperature == pytest.approx(100 * full.temperature, abs=0.51)


def test_the_ground_truth_is_true_where_the_estimate_is_not(station: Make) -> None:
    s = station()
    s.sim.environment.enable("atmosphere", "magnetic", "gravity")
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.run(3)
    s.sim.pos[0], s.sim.vel[0], s.sim.rate[0] = POS, VEL, RATE
    s.sim.att[0], s.sim.wind[0] = quaternion(*EULER), (1.0, 0.0, 0.5)
    m = asked(s, "HIL_STATE_QUATERNION")
    lat, lon = degrees_of(s.sim.origin, POS)
    assert (m.lat, m.lon) == pytest.approx((lat * 1e7, lon * 1e7), abs=2)
    assert m.alt == pytest.approx((s.sim.origin[2] - POS[2]) * 1e3, abs=2)
    assert (m.vx, m.vy, m.vz) == pytest.approx([100 * v for v in VEL], abs=0.51)
    assert m.attitude_quaternion == pytest.approx(quaternion(*EULER), abs=1e-6)
    assert (m.rollspeed, m.pitchspeed, m.yawspeed) == pytest.approx(RATE)
    assert m.true_airspeed == pytest.approx(100 * math.hypot(2, 4, 2), abs=1)


def test_the_wind(flying: Any) -> None:
    m = asked(flying, "WIND_COV")
    assert (m.wind_x, m.wind_y, m.wind_z) == (1.0, 0.0, 0.5)
    assert m.wind_alt == pytest.approx(flying.sim.origin[2] + 25, abs=0.01)


def test_outputs_of_actuators(station: Make) -> None:
    s = station({"hex_x": 1}).in_air(3.0)
    m, pulses = asked(s, "ACTUATOR_OUTPUT_STATUS"), asked(s, "SERVO_OUTPUT_RAW")
    assert m.active == 0b111111
    sent = [getattr(pulses, f"servo{number}_raw") for number in range(1, 7)]
    assert m.actuator[:6] == pytest.approx(sent, abs=0.51)
    assert m.actuator[6:] == [0] * 26


def test_channels_of_a_radio_are_told_while_there_are_sticks(station: Make) -> None:
    s = station(rates={"RC_CHANNELS": 10.0})
    s.run(0.5)
    assert not s.all("RC_CHANNELS")
    s.send("MANUAL_CONTROL", 1, 400, -200, 750, 1000, 0)  # forward, left, up, clockwise
    s.run(0.3)
    m = s.all("RC_CHANNELS")[-1]
    assert (m.chan1_raw, m.chan2_raw, m.chan3_raw, m.chan4_raw) == (1400, 1700, 1750, 2000)
    assert (m.chancount, m.chan5_raw, m.rssi) == (4, 65535, 255)
    s.run(1.0)  # COM_RC_LOSS_T is 0.5 s
    told = len(s.all("RC_CHANNELS"))
    s.run(0.5)
    assert len(s.all("RC_CHANNELS")) == told


def test_when_the_flight_was(station: Make) -> None:
    s = station(epoch=1.7e9)
    s.run(1.0)
    m = asked(s, "FLIGHT_INFORMATION")
    assert (m.arming_time_utc, m.takeoff_time_utc, m.landing_time, m.flight_uuid) == (0, 0, 0, 0)
    s.command(400, 1)
    s.run(1.0)
    s.in_air(2.0)
    m = asked(s, "FLIGHT_INFORMATION")
    assert m.arming_time_utc == pytest.approx(1.7e15 + 1e6, abs=3e4)
    assert 1.7e15 + 2e6 <= m.takeoff_time_utc < 1.7e15 + 3e6
    assert (m.landing_time, m.flight_uuid) == (0, 0)
    s.command(21)
    s.until(lambda: s.commander.record.landed[0])
    landed = s.sim.time
    s.until(lambda: not s.sim.armed[0])
    s.run(0.1)
    m = asked(s, "FLIGHT_INFORMATION")
    assert m.landing_time == pytest.approx(1e3 * landed, abs=1e3)
    assert m.flight_uuid == 1


def test_odometry(flying: Any) -> None:
    m = asked(flying, "ODOMETRY")
    assert (m.frame_id, m.child_frame_id) == (1, 12)  # NED, FRD
    assert (m.x, m.y, m.z) == pytest.approx(np.subtract(POS, HOME), abs=1e-4)
    assert m.q == pytest.approx(quaternion(*EULER), abs=1e-6)
    # the velocity in the body: the rotation matrix of roll, pitch, yaw, transposed
    roll, pitch, yaw = EULER
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    rotation = np.array(
        [
            [cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy],
            [cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy],
            [-sp, sr * cp, cr * cp],
        ]
    )
    assert (m.vx, m.vy, m.vz) == pytest.approx(rotation.T @ VEL, abs=1e-5)
    assert (m.rollspeed, m.pitchspeed, m.yawspeed) == pytest.approx(RATE)
    assert math.isnan(m.pose_covariance[0])
    assert math.isnan(m.velocity_covariance[0])
    assert (m.estimator_type, m.quality) == (common.MAV_ESTIMATOR_TYPE_AUTOPILOT, 100)


def test_the_state_of_the_estimator(flying: Any) -> None:
    m = asked(flying, "ESTIMATOR_STATUS")
    needed = (
        common.ESTIMATOR_ATTITUDE
        | common.ESTIMATOR_VELOCITY_HORIZ
        | common.ESTIMATOR_VELOCITY_VERT
        | common.ESTIMATOR_POS_HORIZ_REL
        | common.ESTIMATOR_POS_HORIZ_ABS
        | common.ESTIMATOR_POS_VERT_ABS
    )
    assert m.flags & needed == needed


def test_home(flying: Any) -> None:
    m, origin = asked(flying, "HOME_POSITION"), flying.sim.origin
    lat, lon = degrees_of(origin, HOME)
    assert (m.latitude, m.longitude) == pytest.approx((lat * 1e7, lon * 1e7), abs=2)
    assert m.altitude == pytest.approx(origin[2] * 1e3, abs=2)
    assert (m.x, m.y, m.z) == pytest.approx((0, 0, 0), abs=1e-3)
    assert m.q == [1, 0, 0, 0]
    m = asked(flying, "GPS_GLOBAL_ORIGIN")
    assert (m.latitude, m.longitude) == pytest.approx((lat * 1e7, lon * 1e7), abs=2)
    assert m.altitude == pytest.approx(origin[2] * 1e3, abs=2)


def test_home_has_the_heading_at_which_it_was_set(station: Make) -> None:
    s = station()

    def home_yaw() -> float:
        q = asked(s, "HOME_POSITION").q
        assert (q[1], q[2]) == (0, 0)
        return 2 * math.atan2(q[3], q[0])

    def turn(yaw: float) -> None:
        s.sim.att[0] = quaternion(0.1, -0.1, yaw)
        s.run(0.02)

    s.run(0.1)
    s.sim.reset(pos=(1, 2), yaw=1.0)
    s.run(0.02)
    assert home_yaw() == pytest.approx(1.0, abs=1e-5)  # of the start
    turn(-2.0)
    assert home_yaw() == pytest.approx(1.0, abs=1e-5)
    assert s.command(400, 1) == 0
    s.run(0.02)
    assert home_yaw() == pytest.approx(-2.0, abs=0.05)  # of arming
    turn(0.5)
    assert s.command(179, 1) == 0
    assert home_yaw() == pytest.approx(0.5, abs=0.05)
    assert s.command(179, 0, 0, 0, 270.0, *s.place(3, 4, 5)) == 0
    assert home_yaw() == pytest.approx(-math.pi / 2, abs=1e-5)
    assert s.command(179, 0, 0, 0, math.nan, *s.place(3, 4, 5)) == 0
    assert home_yaw() == pytest.approx(0.5, abs=0.05)


def test_the_true_state_as_rflysim_has_it(flying: Any) -> None:
    m = asked(flying, "HIL_ACTUATOR_CONTROLS")
    assert m.controls[:12] == pytest.approx([*EULER, *POS, *VEL, *RATE], abs=1e-5)
    assert m.controls[12:] == [0, 0, 0, 1]
    assert m.flags == 1234567890


def test_the_distance_to_the_ground(station: Make) -> None:
    s = station()
    s.sim.sensors.enable("range")
    s.in_air(4.0)
    m = asked(s, "DISTANCE_SENSOR")
    assert m.current_distance == pytest.approx(400, abs=20)
    assert m.orientation == common.MAV_SENSOR_ROTATION_PITCH_270
    assert (m.min_distance, m.max_distance) == (10, 4000)


@pytest.mark.parametrize(
    ("height", "distance", "quality"), [(3.0, 300, 0), (50.0, 1250, 1), (0.1, 25, 1)]
)
def test_a_distance_out_of_the_limits_is_told_as_invalid(
    station: Make, height: float, distance: int, quality: int
) -> None:
    """MAVLink: a signal quality of 0 is unknown, 1 an invalid distance."""
    s = station()
    s.sim.sensors.enable("range")
    s.sim.range_limits = [0.25, 12.5]
    s.sim.range_noise = 0
    s.sim.reset(pos=[0, 0, -height])
    s.sim.step(1)
    m = asked(s, "DISTANCE_SENSOR")
    assert (m.min_distance, m.max_distance) == (25, 1250)
    assert (m.current_distance, m.signal_quality) == (pytest.approx(distance, abs=1), quality)


def test_limits_beyond_the_field_are_its_largest(station: Make) -> None:
    s = station()
    s.sim.sensors.enable("range", profile="ideal")
    m = asked(s, "DISTANCE_SENSOR")
    assert (m.min_distance, m.max_distance) == (0, 65535)


def test_vehicles_without_a_range_finder_tell_no_distance(station: Make) -> None:
    s = station(n=2)
    s.sim.sensors.enable("range", ids=1)
    for row in range(2):
        s.command(512, 132, row=row)
    s.collect()
    assert s.all("DISTANCE_SENSOR", 0)
    assert not s.all("DISTANCE_SENSOR", 1)


def test_obstacles_are_told_by_sector_in_a_scene(station: Make) -> None:
    s = station(n=2)
    s.sim.reset(pos=[[0, 0, -5], [0, -12, -5]], yaw=[np.pi / 2, 0])
    assert not s.sim.scene.enabled
    s.command(512, 330)
    s.collect()
    assert not s.all("OBSTACLE_DISTANCE", 0)
    s.sim.scene.set(Scene([Box((2, 20, 9), (9, 0, -5)), Sphere(0.5, (0, 30, -5))]))
    m = asked(s, "OBSTACLE_DISTANCE")
    assert (m.min_distance, m.max_distance, m.increment, m.increment_f) == (20, 4000, 5, 5)
    assert m.frame == common.MAV_FRAME_BODY_FRD
    assert m.distances[0] == pytest.approx(2950, abs=2)  # the ball ahead, in the east
    assert m.distances[54] == pytest.approx(800, abs=2)  # the wall on the left, in the north
    assert m.distances[36] == pytest.approx(1200, abs=40)  # the vehicle behind
    assert m.distances[18] == 4001
    assert m.distances[55] == pytest.approx(800 / np.cos(np.radians(2.5)), abs=2)


def test_states_besides(flying: Any) -> None:
    m = asked(flying, "EXTENDED_SYS_STATE")
    assert (m.vtol_state, m.landed_state) == (0, 1)


def test_vibration_is_that_of_the_imu_alone(station: Make) -> None:
    s = station(n=2)
    s.sim.sensors.enable("imu", profile="rflysim", ids=1)
    s.in_air(4.0)
    s.run(2.0)
    m = asked(s, "VIBRATION")
    assert m.vibration_x == pytest.approx(s.sim.imu_coning[0])
    assert m.vibration_y == pytest.approx(s.sim.imu_gyro_shaking[0])
    assert m.vibration_z == pytest.approx(s.sim.imu_accel_shaking[0])
    assert m.vibration_z > 0.01
    assert m.clipping_0 == m.clipping_1 == m.clipping_2 == 0
    # there is nothing to tell of an IMU that is not modelled
    s.command(512, 241, row=1)
    s.collect()
    assert not s.all("VIBRATION", 1)


def test_the_present_mode(station: Make) -> None:
    s = station()
    s.command(176, 1, 4, 6)
    parser = everything.MAVLink(None)
    s.send("COMMAND_LONG", 1, 1, 512, 0, 436, 0, 0, 0, 0, 0, 0)
    ((_, data),) = s.channel.packed(s.autopilots.moment())
    (m,) = (m for m in parser.parse_buffer(bytes(data)) if m.get_msgId() == 436)
    assert m.standard_mode == everything.MAV_STANDARD_MODE_LAND
    assert m.custom_mode == m.intended_custom_mode == 4 << 16 | 6 << 24


@pytest.mark.parametrize(("radius", "speed", "sign"), [(8.0, 3.0, 1), (8.0, -3.0, -1)])
def test_an_orbit_is_told_while_it_is_flown(
    station: Make, radius: float, speed: float, sign: int
) -> None:
    s = station("x450", 2, pos=[(0, 0), (20, 0)], rates={"ORBIT_EXECUTION_STATUS": 5.0})
    s.in_air(4.0)
    place = s.place_int(5, 3, 6)
    assert s.command_int(34, radius, speed, 0, 0, place=place) == 0
    begun = s.sim.time
    s.run(2.0)
    told = s.all("ORBIT_EXECUTION_STATUS")
    assert len(told) == pytest.approx(10, abs=1)
    assert not s.all("ORBIT_EXECUTION_STATUS", 1)
    assert (told[-1].radius, told[-1].frame) == (sign * radius, common.MAV_FRAME_GLOBAL)
    assert (told[-1].x, told[-1].y) == pytest.approx(place[:2], abs=1)
    assert told[-1].z == pytest.approx(place[2], abs=1e-2)
    assert begun * 1e6 <= told[-1].time_usec <= s.sim.time * 1e6
    s.command(512, 360)
    s.collect()
    assert len(s.all("ORBIT_EXECUTION_STATUS")) == len(told) + 1
    s.command(176, 1, 4, 3)
    s.run(1.0)
    assert len(s.all("ORBIT_EXECUTION_STATUS")) == len(told) + 1


def test_an_orbit_is_told_byte_for_byte_as_pymavlink_packs_it(station: Make) -> None:
    s = station().in_air(4.0)
    s.command_int(34, 8.0, 3.0, 0, 0, place=s.place_int(5, 3, 6))
    payload = raw(s, "ORBIT_EXECUTION_STATUS")
    m = asked(s, "ORBIT_EXECUTION_STATUS")
    made = common.MAVLink_orbit_execution_status_message(
        m.time_usec, m.radius, m.frame, m.x, m.y, m.z
    )
    packed = made.pack(common.MAVLink(None), force_mavlink1=False)
    assert bytes(packed[10:-2]).ljust(len(payload), b"\0") == payload


def test_motors(station: Make) -> None:
    s = station({"hex_x": 1}).in_air(3.0)
    payload = raw(s, "ESC_STATUS")
    time, *rpm = struct.unpack_from("<Q4i", payload)
    assert time == round(s.sim.time * 1e6)
    assert rpm == [round(v) for v in s.sim.displayed_actuators[0, :4]]
    assert min(rpm) > 1000
    volts = struct.unpack_from("<4f", payload, 24)
    assert volts == pytest.approx([16.2] * 4)
    payload = raw(s, "ESC_INFO")
    assert (payload[-3], payload[-1]) == (4, 0b1111)  # count and, as bits, which are there


# --- rates -------------------------------------------------------------------------------------


# mavlink_vision is as mavlink_full
@pytest.mark.parametrize("kind", [kind for kind in RATES if kind != "mavlink_vision"])
@pytest.mark.slow
def test_messages_come_at_their_rates(station: Make, kind: str) -> None:
    s = station(rates=RATES[kind])
    counts: Counter[int] = Counter()
    parser = FrameParser()
    s.channel.packed(s.autopilots.moment())  # all are due at first
    for _ in range(1000):
        s.sim.step(5)
        for _, data in s.channel.packed(s.autopilots.moment()):
            counts.update(frame.message_id for frame in parser.feed(bytes(data)))
    everywhere = {name: rate for name, rate in RATES[kind].items() if name not in SOME_SEND}
    expected = {MESSAGES[name].id: 10 * rate for name, rate in everywhere.items()}
    assert counts == pytest.approx(expected, abs=1)


def test_what_mavros_reads_is_there_at_the_rates_of_px4() -> None:
    expected = """
        ATTITUDE 100 ATTITUDE_QUATERNION 50 GLOBAL_POSITION_INT 50 HIGHRES_IMU 50
        LOCAL_POSITION_NED 30 ODOMETRY 30 GPS_RAW_INT 10 ALTITUDE 10 VFR_HUD 10
        SERVO_OUTPUT_RAW 10 ATTITUDE_TARGET 10 POSITION_TARGET_LOCAL_NED 10 SYS_STATUS 5
        EXTENDED_SYS_STATE 5 SYSTEM_TIME 1 HEARTBEAT 1 HOME_POSITION 0.5 BATTERY_STATUS 0.5
    """.split()
    rates = dict(zip(expected[::2], map(float, expected[1::2]), strict=True))
    assert {name: RATES["onboard"][name] for name in rates} == rates


def test_estimates_are_told_of_vehicles_that_fly_on_them(station: Make) -> None:
    s = station()
    s.sim.environment.enable("atmosphere", "magnetic", "gravity")
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.run(3)
    m = asked(s, "LOCAL_POSITION_NED")
    expected = s.sim.pos_output[0] - s.sim.home[0]
    assert (m.x, m.y, m.z) == pytest.approx(expected, abs=1e-4)
    assert not np.allclose(s.sim.pos_output[0], s.sim.pos[0], atol=1e-6)
