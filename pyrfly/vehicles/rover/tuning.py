"""Gains of a rover from its numbers.

The maximum speed and accelerations follow from wheels, torque and friction. The controllers use a
fraction of them, which leaves a margin for corrections. Fractions and gains are those of PX4's
airframe ``50000_gz_rover_differential`` (9f9a106e), of 2 m/s, 6.67 rad/s and here 6 m/s^2.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods

__all__ = ["gains"]

Array = NDArray[np.float64]

SPEED_FRACTION = 0.9
"""Of the maximum speed: RO_SPEED_LIM 1.8 m/s over RO_MAX_THR_SPEED 2 m/s."""

ACCEL_FRACTION = 2.0 / 3.0
"""Of the maximum acceleration, when speeding up: RO_ACCEL_LIM 4 m/s^2."""

DECEL_FRACTION = 0.8
"""Of the maximum acceleration, when slowing down: RO_DECEL_LIM is 6 m/s^2, all of it."""

YAW_RATE_FRACTION = 0.65
"""Of the maximum yaw rate on the spot: RO_YAW_RATE_LIM 250 deg/s."""

YAW_ACCEL_FRACTION = 0.226
"""Of the maximum yaw acceleration: RO_YAW_ACCEL_LIM 400 deg/s^2 of 30.9 rad/s^2."""

HEADING_BANDWIDTH = 0.25
"""Heading gain over that of the wheels: RO_YAW_P 5 1/s at 20 1/s."""

APPROACH = 1.0
"""Speed per distance [1/s]: exact, and below the bandwidth of the speed loop."""

CORRECTION = {"speed_p": 0.5, "speed_i": 0.5, "yaw_rate_p": 0.25, "yaw_rate_i": 0.5}
"""Corrections of the feed-forward; RO_YAW_RATE_P is 0.25, the other gains of PX4 hardly correct."""

LOOK_AHEAD = 1.0
"""Look-ahead time [s]: PP_LOOKAHD_GAIN."""

LOOK_AHEAD_LIMITS = (0.5, 5.0)
"""Look-ahead over the maximum speed [s]: PP_LOOKAHD_MIN 1 m, PP_LOOKAHD_MAX 10 m."""

ARRIVAL = 0.15
"""Arrival radius over the maximum speed [s]: 0.3 m, within NAV_ACC_RAD 0.5 m."""


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
    top_speed = radius * float(columns["wheel_speed_max"][0])
    accel, yaw_accel = _accelerations(columns)
    found = {
        "control_radius": radius,
        "control_track": track,
        "control_wheel_speed": float(columns["wheel_speed_max"][0]),
        "approach_p": APPROACH,
        "heading_p": HEADING_BANDWIDTH / float(columns["drive_tau"][0]),
        **CORRECTION,
        "speed_limit": SPEED_FRACTION * top_speed,
        "accel_limit": ACCEL_FRACTION * accel,
        "decel_limit": DECEL_FRACTION * accel,
        "yaw_rate_limit": YAW_RATE_FRACTION * 2.0 * top_speed / track,
        "yaw_accel_limit": YAW_ACCEL_FRACTION * yaw_accel,
        "look_ahead_time": LOOK_AHEAD,
        "look_ahead_limit": [share * top_speed for share in LOOK_AHEAD_LIMITS],
        "arrival_radius": ARRIVAL * top_speed,
    }
    return {name: np.atleast_1d(np.array(value, np.float64)) for name, value in found.items()}
