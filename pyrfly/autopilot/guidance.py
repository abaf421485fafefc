"""What vehicles that do not hover follow, and how far they are from it: `guidance`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.autopilot.columns import column, winged
from pyrfly.protocol.bits import Setpoint
from pyrfly.sim import Sim

__all__ = ["Guidance", "guidance"]

Array = NDArray[np.float64]


class Guidance(NamedTuple):
    """Where a vehicle is relative to its set-point; all of shape (n,), 0 without one.

    Attributes
    ----------
    bearing : ndarray
        Bearing of the position set-point [rad].
    distance : ndarray
        Horizontal distance from it [m].
    height_error, airspeed_error : ndarray
        Set-point minus present height [m] and airspeed [m/s].
    cross_track : ndarray
        Distance from its circle, outside above 0 [m], or from its line, on the right of it above 0.
    """

    bearing: Array
    distance: Array
    height_error: Array
    airspeed_error: Array
    cross_track: Array


def guidance(sim: Sim, pos: Array, airspeed: Array) -> Guidance:
    """Return what the controllers of vehicles that circle follow.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    pos : ndarray, shape (n, 3)
        Their positions [m, NED].
    airspeed : ndarray, shape (n,)
        Their airspeeds [m/s].
    """
    bits = sim.setpoint_mask.astype(np.int64)
    goal, vel = column(sim, "pos_sp", 3), column(sim, "vel_sp", 3)
    placed = (bits & int(Setpoint.POSITION) != 0) & np.isfinite(goal[:, :2]).all(axis=1)
    way = np.where(placed[:, None], goal[:, :2] - pos[:, :2], 0.0)
    distance = np.hypot(way[:, 0], way[:, 1])
    height = np.where(bits & int(Setpoint.POSITION) != 0, pos[:, 2] - goal[:, 2], 0.0)
    own = winged(sim, lambda wings: wings.airspeed_setpoint)
    cruise = winged(sim, lambda wings: wings.cruise_airspeed)
    speed = np.where(np.isfinite(own) & (own > 0), own, cruise)
    return Guidance(
        bearing=exact.arctan2(way[:, 1], way[:, 0]),
        distance=distance,
        height_error=np.nan_to_num(height),
        airspeed_error=np.where(speed > 0, speed - airspeed, 0.0),
        cross_track=np.where(placed, _cross_track(sim, bits, way, vel), 0.0),
    )


def _cross_track(sim: Sim, bits: NDArray[np.int64], way: Array, vel: Array) -> Array:
    along = np.hypot(vel[:, 0], vel[:, 1])
    line = (bits & int(Setpoint.VELOCITY) != 0) & (bits & int(Setpoint.HEADING_FRAME) == 0)
    right = (vel[:, 1] * way[:, 0] - vel[:, 0] * way[:, 1]) / np.where(along > 0, along, 1.0)
    given = winged(sim, lambda wings: wings.radius_setpoint)
    own = winged(sim, lambda wings: wings.loiter_radius)
    radius = np.abs(np.where(np.isfinite(given) & (given != 0), given, own))
    return np.where(line & (along > 0), right, np.hypot(way[:, 0], way[:, 1]) - radius)
