"""What the controllers command to the attitude and rate loops: `AttitudeCommands`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.autopilot.columns import column
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.bits import Setpoint
from pyrfly.protocol.masks import AttitudeIgnore
from pyrfly.sim import Sim

__all__ = ["AttitudeCommands", "attitude_commands"]

Array = NDArray[np.float64]


class AttitudeCommands(NamedTuple):
    """Commands of the attitude class, of which a vehicle need not have all.

    Attributes
    ----------
    att : ndarray, shape (n, 4)
        Attitude, scalar first, FRD to NED; level and to the north where there is none.
    rates : ndarray, shape (n, 3)
        Angular velocity [rad/s, FRD]; 0 where there is none.
    mask : ndarray of uint8, shape (n,)
        ATTITUDE_TARGET_TYPEMASK: what a vehicle does not have.
    """

    att: Array
    rates: Array
    mask: NDArray[np.uint8]


def attitude_commands(sim: Sim) -> AttitudeCommands:
    """Return what the controllers of all vehicles command, in all modes.

    Vehicles that fly by position, velocity or acceleration have the attitude of their velocity
    loop, those that fly by attitude have their set-point. There is no attitude under control of the
    angular velocity, and before the first step; vehicles that drive have neither.
    """
    given = column(sim, "held_att", 4)
    thrust = column(sim, "thrust_direction", 3)
    by_attitude, by_thrust = given.any(axis=1), thrust.any(axis=1)
    by_rates = sim.setpoint_mask.astype(np.int64) & int(Setpoint.BODY_RATE) != 0
    att = np.tile((1.0, 0.0, 0.0, 0.0), (sim.n, 1))
    att[by_thrust] = _attitude_of_thrust(thrust[by_thrust], column(sim, "heading", 2)[by_thrust])
    att[by_attitude] = given[by_attitude] / exact.norm(given[by_attitude])[:, None]
    att[by_rates] = (1.0, 0.0, 0.0, 0.0)
    mask = np.where((by_attitude | by_thrust) & ~by_rates, 0, int(AttitudeIgnore.ATTITUDE))
    for group, _, indices in sim.select():
        if all(field.name != "rate_command" for field in group.fields):
            mask[indices] |= int(AttitudeIgnore.RATES | AttitudeIgnore.THROTTLE)
    return AttitudeCommands(att, column(sim, "rate_command", 3), mask.astype(np.uint8))


def _attitude_of_thrust(thrust: Array, heading: Array) -> Array:
    """Return the attitudes (k, 4) with the thrust along unit vectors (k, 3) [NED].

    The forward axis is above or below a heading (k, 2), as in csrc/control/attitude.h.
    """
    down = -thrust
    level = heading * down[:, 2:]
    forward = np.column_stack([level, -(heading * down[:, :2]).sum(axis=1)])
    forward /= exact.norm(forward)[:, None]
    right = np.cross(down, forward)
    roll = exact.arctan2(right[:, 2], down[:, 2])
    pitch = exact.arcsin(np.clip(-forward[:, 2], -1.0, 1.0))
    yaw = exact.arctan2(forward[:, 1], forward[:, 0])
    return quaternion_of_euler(np.column_stack([roll, pitch, yaw]))
