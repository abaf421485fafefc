"""Gains of a rover from its numbers: what wheels, torque and friction allow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.driving import driving_gains
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import as_columns

__all__ = ["gains"]

Array = NDArray[np.float64]


def _accelerations(columns: Mapping[str, Array]) -> tuple[float, float]:
    """Return the maximum acceleration [m/s^2] and yaw acceleration [rad/s^2] on level ground."""
    mass, inertia = float(columns["mass"][0]), float(columns["yaw_inertia"][0])
    force = 2.0 * float(columns["wheel_torque"][0]) / float(columns["wheel_radius"][0])
    force = min(force, mass * float(columns["friction"][0]) * float(columns["gravity"][0]))
    return force / mass, 0.5 * force * float(columns["track"][0]) / inertia


def gains(
    columns: Mapping[str, Array], _c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a rover.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    _c_type : str
        Its type in the core, of which there is one.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    radius, track = float(columns["wheel_radius"][0]), float(columns["track"][0])
    speed = radius * float(columns["wheel_speed_max"][0])
    accel, yaw_accel = _accelerations(columns)
    lag = float(columns["drive_tau"][0])
    found = {
        "control_radius": radius,
        "control_track": track,
        "control_wheel_speed": float(columns["wheel_speed_max"][0]),
        **driving_gains(speed, accel, 2.0 * speed / track, yaw_accel, lag),
    }
    return as_columns(found)
