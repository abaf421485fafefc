"""What vehicles tell of themselves: `STREAMS`, the messages made of a `TelemetrySnapshot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.autopilot.attitude_commands import attitude_commands, commanded_angles
from pyrfly.autopilot.columns import column, in_winged_flight, of_transition
from pyrfly.autopilot.failsafe_table import Sick
from pyrfly.autopilot.flight_modes import MODES, FlightMode
from pyrfly.autopilot.guidance import guidance
from pyrfly.autopilot.obstacles import obstacle_distance
from pyrfly.autopilot.telemetry_sensors import SENSOR_STREAMS
from pyrfly.autopilot.telemetry_snapshot import TelemetrySnapshot, whole
from pyrfly.autopilot.truth import carried_truth, true_state
from pyrfly.mavlink.constants import (
    MAVLINK_VERSION,
    Autopilot,
    GpsFix,
    ModeFlag,
)
from pyrfly.protocol.bits import Sensor, VtolState
from pyrfly.protocol.masks import MavFrame
from pyrfly.sim import Sim

__all__ = ["SOME_SEND", "STREAMS"]

Array = NDArray[np.float64]
Records = NDArray[Any]

_DEGE7, _MM, _CM = 1e7, 1e3, 1e2
_US = 1e6
_FULL = 100
_STICKS, _NO_CHANNEL, _NO_SIGNAL_STRENGTH = 4, 65535, 255
_NO_CELL, _NO_CURRENT = 65535, -100
_CHARGE_OK = 1  # MAV_BATTERY_CHARGE_STATE; low, critical and emergency follow

# SYS_STATUS of PX4 v1.16.1 with all checks passed, as stations and SDKs read it
_PRESENT, _ENABLED, _HEALTHY = 0x0300C02F, 0x0301C02F, 0x1320C83F
_POSITION, _RECEIVER = 0x4000, 0x10000
_ESTIMATOR_LOST = 8  # of the column estimator_state: csrc/parts/estimator/held.h
_ESTIMATOR_OK = 831  # attitude, velocities, positions; PX4 v1.16.1 in flight


def _fill(records: Records, names: str, values: NDArray[Any]) -> None:
    """Write columns (n, k) into the k fields of these names."""
    for field, numbers in zip(names.split(), values.T, strict=True):
        records[field] = numbers


# --- messages


def _heartbeat(m: TelemetrySnapshot) -> Records:
    records = m.blank("HEARTBEAT")
    armed = np.where(m.commander.armed, int(ModeFlag.SAFETY_ARMED), 0)
    records["type"], records["autopilot"] = m.types, Autopilot.PX4
    records["base_mode"] = _by_mode(m, lambda mode: mode.base_mode) | armed
    records["custom_mode"] = m.commander.mode
    records["system_status"] = m.commander.system_state()
    records["mavlink_version"] = MAVLINK_VERSION
    return records


def _by_mode(m: TelemetrySnapshot, number: Callable[[FlightMode], int]) -> NDArray[np.int64]:
    """Return a number of the mode of each vehicle."""
    modes, which = np.unique(m.commander.mode, return_inverse=True)
    return np.array([number(FlightMode(mode)) for mode in modes.tolist()], np.int64)[which]


def _sys_status(m: TelemetrySnapshot) -> Records:
    records = m.blank("SYS_STATUS")
    sticks = np.where(m.commander.silences.has_sticks, _RECEIVER, 0)
    records["onboard_control_sensors_present"] = _PRESENT | sticks
    records["onboard_control_sensors_enabled"] = _ENABLED
    fails = m.commander.failsafes
    sick = fails.sick | np.where(fails.navigates, 0, _POSITION)
    sick |= np.where(m.sim.status != 0, int(Sick.PREARM), 0)
    records["onboard_control_sensors_health"] = (_HEALTHY & ~sick) | sticks
    records["voltage_battery"] = _millivolts(m)
    records["current_battery"] = _centiamperes(m)
    records["battery_remaining"] = whole(m.battery.charge * _FULL, np.int8)
    return records


def _battery_status(m: TelemetrySnapshot) -> Records:
    records = m.blank("BATTERY_STATUS")
    records["temperature"] = np.iinfo(np.int16).max  # not measured
    records["voltages"] = _NO_CELL
    records["voltages"][:, 0] = _millivolts(m)
    records["current_battery"] = _centiamperes(m)
    records["current_consumed"] = records["energy_consumed"] = -1
    records["battery_remaining"] = whole(m.battery.charge * _FULL, np.int8)
    records["charge_state"] = _CHARGE_OK + m.commander.failsafes.battery_level
    return records


def _millivolts(m: TelemetrySnapshot) -> Array:
    return np.minimum(whole(m.battery.volts * 1e3, np.uint16), _NO_CELL - 1)


def _centiamperes(m: TelemetrySnapshot) -> Array:
    measured = whole(m.battery.amperes * 1e2, np.int16)
    return np.where(np.isnan(m.battery.amperes), _NO_CURRENT, measured)


def _system_time(m: TelemetrySnapshot) -> Records:
    records = m.blank("SYSTEM_TIME")
    records["time_unix_usec"] = round(m.unix_time * _US)
    return records


def _attitude(m: TelemetrySnapshot) -> Records:
    records = m.blank("ATTITUDE")
    _fill(records, "roll pitch yaw", m.euler)
    _fill(records, "rollspeed pitchspeed yawspeed", m.rate)
    return records


def _attitude_quaternion(m: TelemetrySnapshot) -> Records:
    records = m.blank("ATTITUDE_QUATERNION")
    _fill(records, "q1 q2 q3 q4", m.att)
    _fill(records, "rollspeed pitchspeed yawspeed", m.rate)
    records["repr_offset_q"][:, 0] = 1.0
    return records


def _local_position(m: TelemetrySnapshot) -> Records:
    records = m.blank("LOCAL_POSITION_NED")
    _fill(records, "x y z", m.local)
    _fill(records, "vx vy vz", m.vel)
    return records


def _global_position(m: TelemetrySnapshot) -> Records:
    records = m.blank("GLOBAL_POSITION_INT")
    _fill(records, "lat lon", np.rint(m.lla[:, :2] * _DEGE7))
    records["alt"] = np.rint(m.lla[:, 2] * _MM)
    records["relative_alt"] = np.rint((m.lla[:, 2] - m.home_lla[:, 2]) * _MM)
    _fill(records, "vx vy vz", whole(m.vel * _CM, np.int16))
    records["hdg"] = np.rint(np.degrees(m.euler[:, 2]) % 360.0 * _CM) % 36000
    return records


def _gps_raw(m: TelemetrySnapshot) -> Records:
    records = m.blank("GPS_RAW_INT")
    _fill(records, "lat lon", np.rint(m.lla[:, :2] * _DEGE7))
    records["alt"] = np.rint(m.lla[:, 2] * _MM)
    records["vel"] = whole(np.hypot(m.vel[:, 0], m.vel[:, 1]) * _CM, np.uint16)
    course = np.degrees(np.arctan2(m.vel[:, 1], m.vel[:, 0])) % 360.0
    records["cog"] = np.rint(course * _CM) % 36000
    records["fix_type"], records["satellites_visible"] = GpsFix.FIX_3D, 10
    records["eph"], records["epv"] = 100, 100
    if m.has_receiver.any():
        report = wire.pack(m.sim, "HIL_GPS")[m.has_receiver]
        for name in "fix_type lat lon alt eph epv vel cog satellites_visible".split():
            records[name][m.has_receiver] = report[name]
    records["alt_ellipsoid"] = records["alt"]
    _fill(records, "h_acc v_acc", whole(m.accuracy * _MM, np.uint32))
    records["vel_acc"] = 100
    return records


def _vfr_hud(m: TelemetrySnapshot) -> Records:
    records = m.blank("VFR_HUD")
    records["airspeed"] = m.airspeed
    records["groundspeed"] = np.hypot(m.vel[:, 0], m.vel[:, 1])
    records["heading"] = np.rint(np.degrees(m.euler[:, 2]) % 360.0) % 360
    records["throttle"] = np.rint(100 * np.clip(m.thrust, 0.0, 1.0))
    records["alt"], records["climb"] = m.lla[:, 2], -m.vel[:, 2]
    return records


def _nav_controller_output(m: TelemetrySnapshot) -> Records:
    records = m.blank("NAV_CONTROLLER_OUTPUT")
    path = guidance(m.sim, m.pos, m.airspeed)
    _fill(records, "nav_roll nav_pitch", np.degrees(commanded_angles(m.sim)))
    course = np.degrees(np.arctan2(m.vel[:, 1], m.vel[:, 0]))
    records["nav_bearing"] = np.rint(course)
    records["target_bearing"] = np.rint(np.degrees(path.bearing))
    records["wp_dist"] = whole(path.distance, np.uint16)
    records["alt_error"], records["aspd_error"] = path.height_error, path.airspeed_error
    records["xtrack_error"] = path.cross_track
    return records


def _altitude(m: TelemetrySnapshot) -> Records:
    records = m.blank("ALTITUDE")
    above_ground = m.sim.known.terrain - m.pos[:, 2]
    records["altitude_monotonic"] = records["altitude_amsl"] = m.lla[:, 2]
    records["altitude_local"] = -m.local[:, 2]
    records["altitude_relative"] = m.lla[:, 2] - m.home_lla[:, 2]
    records["altitude_terrain"] = m.lla[:, 2] - above_ground
    records["bottom_clearance"] = above_ground
    return records


def _servo_output(m: TelemetrySnapshot) -> Records:
    records = m.blank("SERVO_OUTPUT_RAW")
    for number, widths in enumerate(np.rint(m.pulses).T, start=1):
        records[f"servo{number}_raw"] = widths
    return records


def _actuator_outputs(m: TelemetrySnapshot) -> Records:
    records = m.blank("ACTUATOR_OUTPUT_STATUS")
    pulses = m.pulses
    records["actuator"][:, : pulses.shape[1]] = pulses
    records["active"] = 2 ** (pulses > 0).sum(axis=1) - 1
    return records


def _rc_channels(m: TelemetrySnapshot) -> Records:
    records = m.blank("RC_CHANNELS")
    for number in range(1, 19):
        records[f"chan{number}_raw"] = _NO_CHANNEL
    _fill(records, "chan1_raw chan2_raw chan3_raw chan4_raw", m.commander.stick_pulses())
    records["chancount"], records["rssi"] = _STICKS, _NO_SIGNAL_STRENGTH
    return records


def _wind(m: TelemetrySnapshot) -> Records:
    records = m.blank("WIND_COV")
    _fill(records, "wind_x wind_y wind_z", m.sim.environment.wind)
    records["wind_alt"] = m.lla[:, 2]
    return records


def _flight_information(m: TelemetrySnapshot) -> Records:
    records = m.blank("FLIGHT_INFORMATION")
    times = m.commander.record.times()
    for name, ago in (("arming_time_utc", times.armed), ("takeoff_time_utc", times.took_off)):
        records[name] = np.where(
            np.isnan(ago), 0, np.rint((m.unix_time - np.nan_to_num(ago)) * _US)
        )
    records["flight_uuid"] = times.number
    landed = np.where(np.isnan(times.landed), 0, m.boot_ms - np.nan_to_num(times.landed) * _MM)
    records["landing_time"] = whole(landed, np.uint32)
    return records


def _attitude_target(m: TelemetrySnapshot) -> Records:
    records = m.blank("ATTITUDE_TARGET")
    commands = attitude_commands(m.sim)
    records["q"], records["type_mask"] = commands.att, commands.mask
    _fill(records, "body_roll_rate body_pitch_rate body_yaw_rate", commands.rates)
    records["thrust"] = m.thrust
    return records


def _position_target_local(m: TelemetrySnapshot) -> Records:
    records = m.blank("POSITION_TARGET_LOCAL_NED")
    points = m.set_points
    records["coordinate_frame"], records["type_mask"] = MavFrame.LOCAL_NED, points.mask
    _fill(records, "x y z", points.pos - m.origin)
    _fill(records, "vx vy vz", points.vel)
    _fill(records, "afx afy afz", points.acc)
    records["yaw"], records["yaw_rate"] = points.yaw, points.yaw_rate
    return records


def _position_target_global(m: TelemetrySnapshot) -> Records:
    records = m.blank("POSITION_TARGET_GLOBAL_INT")
    points = m.set_points
    lla = m.sim.local_frame.to_lla(np.where(np.isnan(points.pos), m.pos, points.pos))
    records["coordinate_frame"], records["type_mask"] = MavFrame.GLOBAL_INT, points.mask
    _fill(records, "lat_int lon_int", np.rint(lla[:, :2] * _DEGE7))
    records["alt"] = lla[:, 2]
    _fill(records, "vx vy vz", points.vel)
    _fill(records, "afx afy afz", points.acc)
    records["yaw"], records["yaw_rate"] = points.yaw, points.yaw_rate
    return records


def _odometry(m: TelemetrySnapshot) -> Records:
    records = m.blank("ODOMETRY")
    records["frame_id"], records["child_frame_id"] = MavFrame.LOCAL_NED, MavFrame.BODY_FRD
    _fill(records, "x y z", m.local)
    records["q"] = m.att
    _fill(records, "vx vy vz", _to_body(m.att, m.vel))
    _fill(records, "rollspeed pitchspeed yawspeed", m.rate)
    records["pose_covariance"][:, 0] = records["velocity_covariance"][:, 0] = np.nan  # not known
    records["estimator_type"] = 8  # autopilot
    records["quality"] = 100
    return records


def _estimator_status(m: TelemetrySnapshot) -> Records:
    records = m.blank("ESTIMATOR_STATUS")
    lost = column(m.sim, "estimator_state")[:, 0].astype(np.int64) & _ESTIMATOR_LOST != 0
    records["flags"] = np.where(lost, 0, _ESTIMATOR_OK)
    _fill(records, "pos_horiz_accuracy pos_vert_accuracy", m.accuracy)
    return records


def _extended_sys_state(m: TelemetrySnapshot) -> Records:
    records = m.blank("EXTENDED_SYS_STATE")
    state = of_transition(m.sim, lambda columns: columns.state)
    for group, _, indices in m.sim.select():
        if group.abilities.transition is not None:
            state[indices] = np.where(state[indices] == 0, VtolState.MC, state[indices])
    records["vtol_state"] = state
    records["landed_state"] = m.commander.landed_state()
    return records


def _home_position(m: TelemetrySnapshot) -> Records:
    records = m.blank("HOME_POSITION")
    _fill(records, "latitude longitude", np.rint(m.home_lla[:, :2] * _DEGE7))
    records["altitude"] = np.rint(m.home_lla[:, 2] * _MM)
    _fill(records, "x y z", m.commander.homes.pos - m.origin)
    half = 0.5 * m.commander.homes.yaw
    records["q"][:, 0], records["q"][:, 3] = np.cos(half), np.sin(half)
    return records


def _gps_global_origin(m: TelemetrySnapshot) -> Records:
    records = m.blank("GPS_GLOBAL_ORIGIN")
    lla = m.sim.local_frame.to_lla(m.origin)
    _fill(records, "latitude longitude", np.rint(lla[:, :2] * _DEGE7))
    records["altitude"] = np.rint(lla[:, 2] * _MM)
    return records


def _current_mode(m: TelemetrySnapshot) -> Records:
    records = m.blank("CURRENT_MODE")
    records["standard_mode"] = _by_mode(m, lambda mode: MODES[mode].standard)
    records["custom_mode"] = records["intended_custom_mode"] = m.commander.mode
    return records


def _orbit_status(m: TelemetrySnapshot) -> Records:
    records = m.blank("ORBIT_EXECUTION_STATUS")
    for row, circle in m.commander.requests.circles().items():
        lat, lon, alt = m.sim.local_frame.to_lla(circle.centre)
        records["radius"][row], records["frame"][row] = circle.radius, 0  # MAV_FRAME_GLOBAL
        records["x"][row], records["y"][row] = round(lat * _DEGE7), round(lon * _DEGE7)
        records["z"][row] = alt
    return records


def _esc_status(m: TelemetrySnapshot) -> Records:
    records = m.blank("ESC_STATUS")
    counts = _motor_counts(m.sim)
    speeds = np.where(np.arange(4) < counts[:, None], m.sim.displayed_actuators[:, :4], 0.0)
    records["rpm"] = whole(speeds, np.int32)
    records["voltage"] = m.battery.volts[:, None]
    return records


def _esc_info(m: TelemetrySnapshot) -> Records:
    records = m.blank("ESC_INFO")
    counts = _motor_counts(m.sim)
    records["count"], records["info"] = counts, 2**counts - 1
    return records


def _motor_counts(sim: Sim) -> NDArray[np.int64]:
    """Return the number of motors of each vehicle, at most 4, shape (n,)."""
    counts = []
    for group in sim.groups:
        motors = sum(actuator.is_motor for actuator in group.ranges)
        counts.append(np.full(group.n, min(4, motors)))
    return np.concatenate(counts)


def _ground_truth(m: TelemetrySnapshot) -> Records:
    return true_state(m.sim)


def _hil_state(m: TelemetrySnapshot) -> Records:
    return carried_truth(m.sim, m.boot_ms, True)


def _to_body(att: Array, vectors: Array) -> Array:
    """Return vectors (n, 3), NED to FRD: turned by the conjugate of the attitude."""
    axis, scalar = -att[:, 1:], att[:, :1]
    twice = 2.0 * np.cross(axis, vectors)
    return np.asarray(vectors + scalar * twice + np.cross(axis, twice))


STREAMS: Mapping[str, Callable[[TelemetrySnapshot], Records]] = MappingProxyType(
    {
        "HEARTBEAT": _heartbeat,
        "SYS_STATUS": _sys_status,
        "SYSTEM_TIME": _system_time,
        "GPS_RAW_INT": _gps_raw,
        "ATTITUDE": _attitude,
        "ATTITUDE_QUATERNION": _attitude_quaternion,
        "LOCAL_POSITION_NED": _local_position,
        "GLOBAL_POSITION_INT": _global_position,
        "SERVO_OUTPUT_RAW": _servo_output,
        "VFR_HUD": _vfr_hud,
        "NAV_CONTROLLER_OUTPUT": _nav_controller_output,
        "ATTITUDE_TARGET": _attitude_target,
        "POSITION_TARGET_LOCAL_NED": _position_target_local,
        "POSITION_TARGET_GLOBAL_INT": _position_target_global,
        "HIL_ACTUATOR_CONTROLS": _hil_state,
        "HIL_STATE_QUATERNION": _ground_truth,
        **SENSOR_STREAMS,
        "OBSTACLE_DISTANCE": obstacle_distance,
        "ALTITUDE": _altitude,
        "BATTERY_STATUS": _battery_status,
        "ESTIMATOR_STATUS": _estimator_status,
        "HOME_POSITION": _home_position,
        "GPS_GLOBAL_ORIGIN": _gps_global_origin,
        "EXTENDED_SYS_STATE": _extended_sys_state,
        "ESC_INFO": _esc_info,
        "ESC_STATUS": _esc_status,
        "ACTUATOR_OUTPUT_STATUS": _actuator_outputs,
        "RC_CHANNELS": _rc_channels,
        "WIND_COV": _wind,
        "FLIGHT_INFORMATION": _flight_information,
        "ODOMETRY": _odometry,
        "CURRENT_MODE": _current_mode,
        "ORBIT_EXECUTION_STATUS": _orbit_status,
    }
)
"""Messages of the state, each for all vehicles."""

SOME_SEND: Mapping[str, Callable[[TelemetrySnapshot], NDArray[np.bool_]]] = MappingProxyType(
    {
        "ORBIT_EXECUTION_STATUS": lambda m: np.isin(
            np.arange(m.sim.n), list(m.commander.requests.circles())
        ),
        "NAV_CONTROLLER_OUTPUT": lambda m: ~m.commander.hovers | in_winged_flight(m.sim),
        "RC_CHANNELS": lambda m: m.commander.silences.has_sticks,
        "DISTANCE_SENSOR": lambda m: m.has(Sensor.RANGE) | m.has(Sensor.DVL),
        "SCALED_PRESSURE2": lambda m: m.has(Sensor.WATER_PRESSURE),
        "OBSTACLE_DISTANCE": lambda m: np.full(m.sim.n, m.sim.scene.enabled),
        "VIBRATION": lambda m: m.has_own_imu,
    }
)
"""Messages that only some vehicles send: returns which do now, shape (n,)."""
