"""Sticks of a remote control: what PX4's manual modes make of MANUAL_CONTROL, `stick_inputs`.

Scales are those of PX4 v1.16.1 [@px4 v1.16.1 mc_pos_control, mc_att_control, fw_att_control
parameters]. Sticks within `DEAD_ZONE` of their centre are centred. What is left out: the smoothing
of set-points, and the flare of the sticks near the ground.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.protocol.synthesis import Inputs

__all__ = [
    "DEAD_ZONE",
    "Limits",
    "Sticks",
    "WingLimits",
    "drive_inputs",
    "stick_inputs",
    "turning_lead",
    "wing_inputs",
]

DEAD_ZONE = 0.1
"""Deflection that counts as none: MPC_HOLD_DZ."""

WING_RATES = np.radians((90.0, 90.0, 45.0))
"""Angular velocities of full deflections in ACRO of a vehicle that does not hover: FW_ACRO_X_MAX,
_Y_MAX, _Z_MAX [rad/s]."""

GRAVITY = 9.8  # m/s^2, of coordinated turns

_FULL = 1000.0


class Sticks(NamedTuple):
    """Deflections of the sticks.

    Attributes
    ----------
    pitch, roll, yaw : float
        Forward, right, clockwise, -1 to 1.
    throttle : float
        0 to 1, centred at 0.5.
    """

    pitch: float
    roll: float
    throttle: float
    yaw: float

    @staticmethod
    def of(x: int, y: int, z: int, r: int) -> Sticks:
        """Return the sticks of MANUAL_CONTROL.

        One that is out of range, such as 32767, is not there, and centred [@px4 v1.16.1
        mavlink_receiver.cpp handle_message_manual_control].
        """
        pitch, roll, yaw = (v / _FULL if abs(v) <= _FULL else 0.0 for v in (x, y, r))
        return Sticks(pitch, roll, z / _FULL if 0 <= z <= _FULL else 0.5, yaw)

    @property
    def climb(self) -> float:
        """Upward deflection of the throttle, -1 to 1."""
        return 2.0 * self.throttle - 1.0

    @property
    def pulses(self) -> tuple[float, float, float, float]:
        """Roll, pitch, throttle and yaw as channels of a radio have them, 1000 to 2000 us."""
        return (
            *(1500.0 + 500.0 * self.roll, 1500.0 + 500.0 * self.pitch),
            *(1000.0 + 1000.0 * self.throttle, 1500.0 + 500.0 * self.yaw),
        )


class Limits(NamedTuple):
    """What full deflections mean.

    Attributes
    ----------
    speed, climb, descent : float
        MPC_VEL_MANUAL, MPC_Z_VEL_MAX_UP, MPC_Z_VEL_MAX_DN [m/s]; of what drives, floats or dives
        the largest speeds of the vehicle.
    yaw_rate, tilt : float
        MPC_MAN_Y_MAX, or the largest yaw rate of such a vehicle [rad/s]; MPC_MAN_TILT_MAX [rad].
    hover : float
        Normalized thrust of the centred throttle, MPC_THR_HOVER.
    acro : tuple of 3 floats
        Angular velocities in ACRO, MC_ACRO_R_MAX, _P_MAX, _Y_MAX [rad/s].
    ahead : float
        Time by which the heading of an attitude is ahead of a vehicle that turns [s], see
        `turning_lead`.
    """

    speed: float
    climb: float
    descent: float
    yaw_rate: float
    tilt: float
    hover: float
    acro: tuple[float, float, float]
    ahead: float


class WingLimits(NamedTuple):
    """What full deflections mean to vehicles that do not hover.

    Attributes
    ----------
    slow, cruise, fast : float
        Airspeeds of the lowest, centred and highest throttle, FW_AIRSPD_MIN, _TRIM, _MAX [m/s].
    climb, descent : float
        FW_T_CLMB_MAX, FW_T_SINK_MAX [m/s].
    bank, pitch : float
        FW_R_LIM, FW_P_LIM_MAX [rad].
    """

    slow: float
    cruise: float
    fast: float
    climb: float
    descent: float
    bank: float
    pitch: float


def turning_lead(gain: ArrayLike) -> NDArray[np.float64]:
    """Return the time by which a heading must be ahead of a vehicle that turns [s].

    That is the inverse of the gain of its attitude controller, MC_YAW_P [1/s], as a feed-forward of
    the yaw rate would be; at most 1 s, so that the heading stays on its side.
    """
    return np.asarray(1.0 / np.maximum(np.asarray(gain, np.float64), 1.0))


def wing_inputs(mode: FlightMode, sticks: Sticks, limits: WingLimits) -> Inputs:
    """Return the inputs of the synthesis model of one vehicle that does not hover.

    In POSITION and ALTITUDE the throttle is an airspeed, pitch a climb rate and roll a turn; with
    the sticks centred the course is held. In the other modes the throttle is that of the motor.

    Parameters
    ----------
    mode : FlightMode
        One of `pyrfly.autopilot.flight_modes.MANUAL_MODES`.
    sticks : Sticks
        The deflections.
    limits : WingLimits
        Their scales.
    """
    pitch, roll, _, yaw = _deflections(sticks)
    if mode == FlightMode.ACRO:
        rates = np.array([roll, -pitch, yaw]) * WING_RATES
        return synthesis.body_rate_target([rates], [sticks.throttle])
    if mode not in (FlightMode.POSITION, FlightMode.ALTITUDE):
        angles = roll * limits.bank, -pitch * limits.pitch, 0.0
        return synthesis.attitude_target([angles], [sticks.throttle])
    speed = float(
        np.interp(sticks.throttle, (0, 0.5, 1), (limits.slow, limits.cruise, limits.fast))
    )
    vel = speed, 0.0, pitch * (limits.descent if pitch > 0 else limits.climb)
    turn = GRAVITY * math.tan(roll * limits.bank) / speed
    return synthesis.set_points(MavFrame.BODY_NED, vel=vel, yaw_rate=turn)


def stick_inputs(
    mode: FlightMode, sticks: Sticks, limits: Limits, heading: float, held_down: float
) -> Inputs:
    """Return the inputs of the synthesis model of one vehicle that flies, in a manual mode.

    Parameters
    ----------
    mode : FlightMode
        One of `pyrfly.autopilot.flight_modes.MANUAL_MODES`.
    sticks : Sticks
        The deflections.
    limits : Limits
        Their scales.
    heading : float
        Heading of the vehicle [rad].
    held_down : float
        In ALTITUDE: down coordinate from the take-off point that is to be held [m].
    """
    pitch, roll, climb, yaw = _deflections(sticks)
    if mode == FlightMode.POSITION:
        vertical = -climb * (limits.climb if climb > 0 else limits.descent)
        return _velocity((pitch, roll), vertical, yaw, limits)
    if mode == FlightMode.ACRO:
        rates = np.array([roll, -pitch, yaw]) * limits.acro
        return synthesis.body_rate_target([rates], [_thrust(climb, limits)])
    angles = (
        roll * limits.tilt,
        -pitch * limits.tilt,
        heading + yaw * limits.yaw_rate * limits.ahead,
    )
    if mode == FlightMode.ALTITUDE:
        return synthesis.attitude_target([angles], down=[held_down])
    return synthesis.attitude_target([angles], [_thrust(climb, limits)])


def drive_inputs(sticks: Sticks, limits: Limits, dives: bool = False) -> Inputs:
    """Return the inputs of the synthesis model of one vehicle in any manual mode: of no flight.

    Parameters
    ----------
    sticks : Sticks
        Pitch is the speed, yaw the turn rate; of what dives roll is a speed to the right, and the
        throttle one up or down. Of others these two have no effect.
    limits : Limits
        Their scales.
    dives : bool
        Whether the vehicle dives.
    """
    if dives:
        return stick_inputs(FlightMode.POSITION, sticks, limits, 0.0, 0.0)
    pitch, _, _, yaw = _deflections(sticks)
    return _velocity((pitch, 0.0), 0.0, yaw, limits)


def _deflections(sticks: Sticks) -> tuple[float, float, float, float]:
    """Return pitch, roll, climb and yaw, -1 to 1, without what is within the dead zone."""
    parts = sticks.pitch, sticks.roll, sticks.climb, sticks.yaw
    pitch, roll, climb, yaw = (0.0 if abs(part) < DEAD_ZONE else part for part in parts)
    return pitch, roll, climb, yaw


def _velocity(level: tuple[float, float], down: float, yaw: float, limits: Limits) -> Inputs:
    """Return a velocity; without one the position is held, with the heading rate alone."""
    turn = yaw * limits.yaw_rate
    if any(level) or down:
        direction = np.array(level) / max(1.0, math.hypot(*level))
        forward, right = limits.speed * direction
        return synthesis.set_points(MavFrame.BODY_NED, vel=(forward, right, down), yaw_rate=turn)
    return synthesis.set_points(yaw_rate=turn) if yaw else synthesis.inputs(1)


def _thrust(climb: float, limits: Limits) -> float:
    """Return the normalized thrust: that of hover at the centre of the throttle, MPC_THR_CURVE."""
    if climb > 0:
        return limits.hover + climb * (1.0 - limits.hover)
    return limits.hover * (1.0 + climb)
