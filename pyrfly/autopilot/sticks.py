"""Sticks of a remote control: what PX4's manual modes make of MANUAL_CONTROL, `stick_inputs`.

Scales are those of PX4 v1.16.1 [@px4 v1.16.1 mc_pos_control, mc_att_control parameters]. Sticks
within `DEAD_ZONE` of their centre are centred. What is left out: the smoothing of set-points, and
the flare of the sticks near the ground.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import OFFBOARD, VEL, YAW_RATE, Inputs, Offboard

__all__ = ["DEAD_ZONE", "Limits", "Sticks", "stick_inputs"]

DEAD_ZONE = 0.1
"""Deflection that counts as none: MPC_HOLD_DZ."""

_FULL = 1000.0
_ACRO_RATES = (math.radians(100.0), math.radians(100.0), math.radians(100.0))  # MC_ACRO_..._MAX


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
    def of(x: int, y: int, z: int, r: int) -> Sticks | None:
        """Return the sticks of MANUAL_CONTROL; None if a value is out of range, so not there."""
        if max(abs(x), abs(y), abs(r)) > _FULL or not 0 <= z <= _FULL:
            return None
        return Sticks(x / _FULL, y / _FULL, z / _FULL, r / _FULL)

    @property
    def climb(self) -> float:
        """Upward deflection of the throttle, -1 to 1."""
        return 2.0 * self.throttle - 1.0


class Limits(NamedTuple):
    """What full deflections mean.

    Attributes
    ----------
    speed, climb, descent : float
        MPC_VEL_MANUAL, MPC_Z_VEL_MAX_UP, MPC_Z_VEL_MAX_DN [m/s].
    yaw_rate, tilt : float
        MPC_MAN_Y_MAX [rad/s], MPC_MAN_TILT_MAX [rad].
    hover : float
        Normalized thrust of the centred throttle.
    """

    speed: float
    climb: float
    descent: float
    yaw_rate: float
    tilt: float
    hover: float


def stick_inputs(
    mode: FlightMode, sticks: Sticks, limits: Limits, heading: float, held_down: float
) -> Inputs:
    """Return the inputs of the synthesis model of one vehicle in a manual mode.

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
        In ALTITUDE: down coordinate from home that is to be held [m].
    """
    sticks = Sticks(*(0.0 if abs(part) < DEAD_ZONE else part for part in _centred(sticks)))
    tilt = np.array([sticks.roll, -sticks.pitch]) * limits.tilt
    if mode == FlightMode.POSITION:
        return _velocity(sticks, limits)
    if mode == FlightMode.ACRO:
        rates = np.array([sticks.roll, -sticks.pitch, sticks.yaw]) * _ACRO_RATES
        return synthesis.body_rate_target([rates], [_thrust(sticks, limits)])
    attitude = [[*tilt, heading + sticks.yaw * limits.yaw_rate * _LOOK_AHEAD]]
    if mode == FlightMode.ALTITUDE:
        return synthesis.attitude_target(attitude, down=[held_down])
    return synthesis.attitude_target(attitude, [_thrust(sticks, limits)])


_LOOK_AHEAD = 0.5
"""Time by which the heading set-point is ahead of a vehicle that turns [s]; estimated."""


def _centred(sticks: Sticks) -> Sticks:
    """Return the sticks with the throttle as deflection from its centre."""
    return sticks._replace(throttle=sticks.climb)


def _velocity(sticks: Sticks, limits: Limits) -> Inputs:
    found = synthesis.inputs(1)
    if any(sticks):
        vertical = -sticks.throttle * (limits.climb if sticks.throttle > 0 else limits.descent)
        level = np.array([sticks.pitch, sticks.roll])
        level /= max(1.0, float(np.hypot(*level)))
        found.floats[0, VEL] = *(limits.speed * level), vertical
        found.floats[0, YAW_RATE] = sticks.yaw * limits.yaw_rate
        found.ints[0, OFFBOARD] = Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD
    return found


def _thrust(sticks: Sticks, limits: Limits) -> float:
    """Return the normalized thrust: that of hover at the centre of the throttle, MPC_THR_CURVE."""
    deflection = sticks.throttle
    if deflection > 0:
        return limits.hover + deflection * (1.0 - limits.hover)
    return limits.hover * (1.0 + deflection)
