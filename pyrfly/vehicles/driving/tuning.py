"""Gains of all that drives on a plane: `driving_gains`.

They use a fraction of what a vehicle can do, which leaves a margin for corrections. Fractions and
gains are those of PX4's airframe ``50000_gz_rover_differential`` (9f9a106e), of 2 m/s, 6.67 rad/s
and here 6 m/s^2.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["driving_gains"]

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
"""Heading gain over the bandwidth of the actuators: RO_YAW_P 5 1/s at 20 1/s."""

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


OF_STEERED_WHEELS: Mapping[str, float | list[float]] = MappingProxyType(
    {
        "parking_radius": 0.0,
        "parking_speed": [1.0, 1.0],
        "lateral_accel_limit": 0.0,
        "path_law": 0.0,
        "path_p": 1.0,
        "control_axle_distance": [0.0, 0.0],
        "speed_lead_limit": 0.0,
    }
)
"""Columns for which families with steered wheels have values of their own."""


def driving_gains(
    speed: float,
    accel: float,
    yaw_rate: float,
    yaw_accel: float,
    lag: float,
    turning_radius: float = 0.0,
) -> dict[str, float | list[float]]:
    """Return the gains of ``csrc/vehicles/driving/columns.h``.

    Parameters
    ----------
    speed, accel : float
        Maximum speed [m/s] and acceleration [m/s^2] on level ground.
    yaw_rate, yaw_accel : float
        Maximum yaw rate [rad/s] and yaw acceleration [rad/s^2].
    lag : float
        Time constant [s] with which the speed follows the actuator commands.
    turning_radius : float
        Radius [m] of the smallest circle; 0 for what turns on the spot.
    """
    return {
        "approach_p": APPROACH,
        "heading_p": HEADING_BANDWIDTH / lag,
        **CORRECTION,
        "speed_limit": SPEED_FRACTION * speed,
        "accel_limit": ACCEL_FRACTION * accel,
        "decel_limit": DECEL_FRACTION * accel,
        "yaw_rate_limit": YAW_RATE_FRACTION * yaw_rate,
        "yaw_accel_limit": YAW_ACCEL_FRACTION * yaw_accel,
        "look_ahead_time": LOOK_AHEAD,
        "look_ahead_limit": [share * speed for share in LOOK_AHEAD_LIMITS],
        "arrival_radius": ARRIVAL * speed,
        "turning_radius": turning_radius,
        **OF_STEERED_WHEELS,
    }
