"""State of a vehicle from the MAVLink messages that it sends: `MavlinkState`, `update`.

Which attribute of RflySim's class comes from which message is RflySim's [@rfly-sdk].
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame, quaternion_of_euler

__all__ = ["TRUTH_FLAGS", "MavlinkState", "update", "update_carried_truth"]

Array = NDArray[np.float64]

TRUTH_FLAGS = 1234567890
"""``flags`` of a HIL_ACTUATOR_CONTROLS in which CopterSim sends the true state."""

_DEG, _MM, _CM, _CDEG = 1e-7, 1e-3, 1e-2, 1e-2
_UNKNOWN_HEADING = 65535
_ARMED = 128  # MAV_MODE_FLAG_SAFETY_ARMED
_MOTORS = 8

# ESTIMATOR_STATUS_FLAGS: attitude, velocities, absolute horizontal and vertical position.
_POSITION_IS_KNOWN = 1 | 2 | 4 | 16 | 32


_HOVERING = {2, 3, 4, 13, 14, 15, 29}
"""MAV_TYPE of quadrotors, coaxial and other helicopters, hexa-, octo-, tri- and dodecarotors."""


class MavlinkState(ReceivedState):
    """What an autopilot has sent of its state; zeros until then.

    Attributes
    ----------
    magnetic, vibration : ndarray, shape (1, 3)
        Magnetic field [gauss, FRD]; VIBRATION's three levels [m/s^2].
    battery : ndarray, shape (1, 2)
        Remaining charge [%], voltage of the first cell [mV].
    fixed : bool
        Whether its position has been known.
    hovers : bool
        Whether its HEARTBEAT says that it is a multirotor or a helicopter.
    local_time, beat_time : float
        When LOCAL_POSITION_NED and HEARTBEAT came last [s, monotonic].
    """

    def __init__(self) -> None:
        super().__init__()
        self.magnetic, self.vibration = np.zeros((1, 3)), np.zeros((1, 3))
        self.battery = np.zeros((1, 2))
        self.fixed = False
        self._gps, self._gyro = np.zeros((1, 9)), np.zeros((1, 3))
        self._mav_state = np.zeros(1, np.int64)
        self.local_time = self.beat_time = -math.inf
        self.hovers = False
        self._origin = LocalFrame(*DEFAULT_ORIGIN)

    @property
    def origin(self) -> LocalFrame:
        """The local frame at the map centre; can be set."""
        return self._origin

    @origin.setter
    def origin(self, frame: LocalFrame) -> None:
        self._origin = frame
        self._place()

    @property
    def gps(self) -> Array:
        """See `State.gps`."""
        return self._gps

    @property
    def gyro(self) -> Array:
        """See `State.gyro`."""
        return self._gyro

    @property
    def mav_state(self) -> NDArray[np.int64]:
        """See `State.mav_state`."""
        return self._mav_state

    @property
    def knows_home(self) -> bool:
        """Whether the take-off point has been received."""
        return bool(self.home_lla.any())

    def _place(self) -> None:
        """Set the positions relative to the map centre."""
        if self.knows_home:
            self.home = self._origin.to_ned(self.home_lla)
        self.pos = self.home + self.local

    # --- one method for each message

    def _attitude(self, message: Any) -> None:
        euler = _row(message.roll, message.pitch, message.yaw)
        self.rate = _row(message.rollspeed, message.pitchspeed, message.yawspeed)
        self.euler, self.time = euler, _seconds(message)

    def _quaternion(self, message: Any) -> None:
        self.att = _row(message.q1, message.q2, message.q3, message.q4)

    def _local_position(self, message: Any) -> None:
        local = _row(message.x, message.y, message.z)
        self.vel = _row(message.vx, message.vy, message.vz)
        self.local, self.local_time = local, time.monotonic()
        self._place()

    def _global_position(self, message: Any) -> None:
        self.lla = _geodetic(message.lat, message.lon, message.alt)
        heading = message.hdg * _CDEG
        yaw = math.radians(heading - 360.0 if heading > 180.0 else heading)
        if message.hdg == _UNKNOWN_HEADING:
            yaw = float(self.euler[0, 2])
        velocity = (message.vx * _CM, message.vy * _CM, message.vz * _CM)
        rest = (message.time_boot_ms / 1000.0, message.relative_alt * _MM, *velocity, yaw)
        self._gps = np.array([[*self.lla[0], *rest]])

    def _home_position(self, message: Any) -> None:
        self.home_lla = _geodetic(message.latitude, message.longitude, message.altitude)
        self.fixed = self.fixed or self.knows_home  # an autopilot sets it where it knows where
        self._place()

    def _imu(self, message: Any) -> None:
        force = _row(message.xacc, message.yacc, message.zacc)
        gyro = _row(message.xgyro, message.ygyro, message.zgyro)
        self.magnetic = _row(message.xmag, message.ymag, message.zmag)
        self.specific_force, self._gyro = force, gyro

    def _vibration(self, message: Any) -> None:
        self.vibration = _row(message.vibration_x, message.vibration_y, message.vibration_z)

    def _battery(self, message: Any) -> None:
        self.battery = _row(message.battery_remaining, message.voltages[0])

    def _heartbeat(self, message: Any) -> None:
        self.beat_time = time.monotonic()
        self.hovers = message.type in _HOVERING
        self.armed = np.array([bool(message.base_mode & _ARMED)])
        self._mav_state = np.array([message.system_status], np.int64)

    def _attitude_target(self, message: Any) -> None:
        self.thrust = _row(message.thrust)[0]

    def _estimator(self, message: Any) -> None:
        known = message.flags & _POSITION_IS_KNOWN == _POSITION_IS_KNOWN
        self.fixed = self.fixed or known

    def _controls(self, message: Any) -> None:
        if message.flags == TRUTH_FLAGS:
            self.fixed = self.fixed or (message.mode != 2 and message.controls[15] > 0.5)
        else:
            self.rpm = _row(*message.controls[:_MOTORS])


_HANDLERS: dict[str, Callable[[MavlinkState, Any], None]] = {
    "ATTITUDE": MavlinkState._attitude,
    "ATTITUDE_QUATERNION": MavlinkState._quaternion,
    "LOCAL_POSITION_NED": MavlinkState._local_position,
    "GLOBAL_POSITION_INT": MavlinkState._global_position,
    "HOME_POSITION": MavlinkState._home_position,
    "HIGHRES_IMU": MavlinkState._imu,
    "VIBRATION": MavlinkState._vibration,
    "BATTERY_STATUS": MavlinkState._battery,
    "HEARTBEAT": MavlinkState._heartbeat,
    "ATTITUDE_TARGET": MavlinkState._attitude_target,
    "ESTIMATOR_STATUS": MavlinkState._estimator,
    "HIL_ACTUATOR_CONTROLS": MavlinkState._controls,
}


def update(state: MavlinkState, name: str, message: Any) -> None:
    """Update the state from a message of pymavlink; one that holds none has no effect.

    Raises
    ------
    ValueError
        A number of it is not finite or out of its range; the state is as it was.
    """
    handler = _HANDLERS.get(name)
    if handler is not None:
        handler(state, message)


def update_carried_truth(truth: ReceivedState, message: Any) -> int | None:
    """Update the true state from CopterSim's HIL_ACTUATOR_CONTROLS.

    Returns
    -------
    int or None
        CopterID of the vehicle that was collided with, if the message reports one.

    Raises
    ------
    ValueError
        A number of it is not finite.
    """
    numbers = _row(*message.controls)
    truth.time = np.array([message.time_usec / 1000.0])  # CopterSim fills in milliseconds
    truth.euler, truth.pos = numbers[:, 0:3], numbers[:, 3:6]
    truth.vel, truth.rate = numbers[:, 6:9], numbers[:, 9:12]
    truth.att = quaternion_of_euler(truth.euler)
    crash = float(numbers[0, 15])
    return int(crash) if message.mode == 2 and crash > -0.5 else None


def _row(*values: float) -> Array:
    """Return finite numbers as an array (1, k)."""
    row = np.array([values], np.float64)
    if not np.isfinite(row).all():
        raise ValueError("expected finite numbers")
    return row


def _geodetic(lat: int, lon: int, alt: int) -> Array:
    """Return 1e-7 deg, 1e-7 deg, mm as degrees and metres."""
    lla = np.array([[lat * _DEG, lon * _DEG, alt * _MM]])
    if abs(lla[0, 0]) > 90.0 or abs(lla[0, 1]) > 180.0:
        raise ValueError("expected a latitude and a longitude")
    return lla


def _seconds(message: Any) -> Array:
    return np.array([message.time_boot_ms / 1000.0])
