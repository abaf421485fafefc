"""What the controllers command to the attitude and rate loops: `AttitudeCommands`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.autopilot.columns import column, in_winged_flight, of_loops, winged
from pyrfly.frames import (
    euler_of_quaternion,
    quaternion_of_euler,
    yaw_of_quaternion,
)
from pyrfly.protocol.bits import Setpoint
from pyrfly.protocol.masks import AttitudeIgnore
from pyrfly.sim import Sim

__all__ = ["AttitudeCommands", "attitude_commands", "commanded_angles"]

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
    loop, those that fly by attitude have their set-point. Planes, and VTOLs by wings, have bank and
    pitch angle, with the present heading. There is no attitude under control of the angular
    velocity, and before the first step; vehicles that drive have neither.
    """
    given = of_loops(sim, lambda loops: loops.held, 4)
    thrust = of_loops(sim, lambda loops: loops.thrust, 3)
    by_attitude = np.asarray(given.any(axis=1))
    by_thrust = thrust.any(axis=1)
    bits = sim.setpoint_mask.astype(np.int64)
    by_rates = bits & int(Setpoint.BODY_RATE) != 0
    att = np.tile((1.0, 0.0, 0.0, 0.0), (sim.n, 1))
    banks = _banks(sim)
    if banks.any():
        by_attitude |= banks
        given[banks] = _attitude_of_bank(sim, _bank_and_pitch(sim, bits), banks)
    heading = of_loops(sim, lambda loops: loops.heading, 2)
    att[by_thrust] = _attitude_of_thrust(thrust[by_thrust], heading[by_thrust])
    att[by_attitude] = given[by_attitude] / exact.norm(given[by_attitude])[:, None]
    att[by_rates] = (1.0, 0.0, 0.0, 0.0)
    mask = np.where((by_attitude | by_thrust) & ~by_rates, 0, int(AttitudeIgnore.ATTITUDE))
    for group, _, indices in sim.select():
        if group.abilities.attitude is None:
            mask[indices] |= int(AttitudeIgnore.RATES | AttitudeIgnore.THROTTLE)
    rates = of_loops(sim, lambda loops: loops.rates, 3)
    return AttitudeCommands(att, rates, mask.astype(np.uint8))


def commanded_angles(sim: Sim) -> Array:
    """Return roll and pitch angle of the commanded attitudes [rad], shape (n, 2).

    Those of tailsitters by wings are of the frame that flies forward.
    """
    bits = sim.setpoint_mask.astype(np.int64)
    banks = _banks(sim) & (bits & int(Setpoint.BODY_RATE) == 0)
    angles = euler_of_quaternion(attitude_commands(sim).att)[:, :2]
    return np.where(banks[:, None], _bank_and_pitch(sim, bits), angles)


def _banks(sim: Sim) -> NDArray[np.bool_]:
    """Return which vehicles have bank and pitch angles, shape (n,): VTOLs by wings alone."""
    found = np.zeros(sim.n, np.bool_)
    for group, _, indices in sim.select():
        found[indices] = group.abilities.kind.circles
    return found | in_winged_flight(sim)


def _bank_and_pitch(sim: Sim, bits: NDArray[np.int64]) -> Array:
    """Return commanded bank and pitch angles, or those of set-points, shape (n, 2)."""
    bank, pitch = winged(sim, lambda wings: wings.bank), winged(sim, lambda wings: wings.pitch)
    angles = np.column_stack([bank, pitch])
    set_point = (bits & int(Setpoint.ATTITUDE) != 0) & column(sim, "att_sp", 4).any(axis=1)
    angles[set_point] = euler_of_quaternion(column(sim, "att_sp", 4)[set_point])[:, :2]
    return angles


def _attitude_of_bank(sim: Sim, angles: Array, banks: NDArray[np.bool_]) -> Array:
    """Return the attitudes (k, 4) of bank and pitch angles of some, at the present heading.

    The body of a tailsitter is pitched down by 90 degrees from the frame that flies forward.
    """
    att = sim.known.att[banks].astype(np.float64)
    turned = (winged(sim, lambda wings: wings.turned) != 0)[banks]
    w, x, y, z = att.T
    up = exact.arctan2(-2.0 * (y * z - w * x), -2.0 * (x * z + w * y))  # of its axis that is up
    yaw = np.where(turned, up, yaw_of_quaternion(att))
    forward = quaternion_of_euler(np.column_stack([angles[banks], yaw]))
    w, x, y, z = forward.T
    body = np.sqrt(0.5) * np.column_stack([w + y, x + z, y - w, z - x])
    return np.where(turned[:, None], body, forward)


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
