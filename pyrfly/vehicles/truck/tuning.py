"""Gains of a tractor with a trailer from its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.driving import driving_gains
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import as_columns, scalar
from pyrfly.vehicles.truck.bodies import loads

__all__ = ["gains", "turning_radius"]

Array = NDArray[np.float64]

HITCH_LIMIT = 1.0
"""Largest hitch angle that is commanded [rad], and that circles forward have, estimated: what is
left to a jack-knife at 90 deg is for errors and lags."""

STEERING_SHARE = 0.9
"""Of the maximum steering angle, in circles; the rest is for corrections."""

GRIP_SHARE = 0.25
"""Lateral acceleration over that of the friction, estimated: below the roll-over of loaded trucks,
of 0.3 to 0.4 g."""

SLOWEST_GRIP = 0.1
"""Lateral acceleration [m/s^2] of a vehicle without friction, so that it is not 0."""

HEADING, APPROACH = 0.45, 0.25
"""Heading gain and approach gain over the bandwidth of the steering, of which one is the time in
which the wheels turn to their maximum: slower, so that turns end before a position is reached."""

DRIVE_BANDWIDTH = 0.3
"""Gain of the speed loop over the bandwidth of the drive: damping 0.9."""

HITCH_PER_WHEELBASE = 3.0
"""Hitch gain over one per wheelbase of the trailer: pure pursuit with a look-ahead distance of a
wheelbase is three times as slow."""

LOOK_AHEAD = 1.2
"""Look-ahead distance in reverse over the wheelbase of the trailer."""

REVERSE_SHARE = 0.6
"""Of the maximum speed backward, estimated."""

ARRIVAL = 0.2
"""Distance from a position at which the vehicle stops beside it [m], estimated."""


def hitch_limit(columns: Mapping[str, Array]) -> float:
    """Return the largest hitch angle [rad] that the steering angle holds in reverse."""
    wheelbase = scalar(columns, "front_axle") + scalar(columns, "rear_axle")
    steering = STEERING_SHARE * scalar(columns, "steering_max")
    held = scalar(columns, "trailer_wheelbase") / wheelbase * exact.tan(steering)
    return min(HITCH_LIMIT, float(exact.arcsin(min(held, 1.0))))


def turning_radius(columns: Mapping[str, Array]) -> float:
    """Return the radius [m] of the smallest circle, by the steering angle or the hitch angle.

    The trailer's axle runs on the circle about the same centre: L = R sin(h) - e cos(h).
    """
    wheelbase = scalar(columns, "front_axle") + scalar(columns, "rear_axle")
    by_steering = wheelbase / exact.tan(STEERING_SHARE * scalar(columns, "steering_max"))
    angle, offset = hitch_limit(columns), scalar(columns, "hitch_offset")
    sine, cosine = map(float, exact.sincos(angle))
    by_hitch = (scalar(columns, "trailer_wheelbase") + offset * cosine) / sine
    return exact.hypot(max(by_steering, by_hitch), scalar(columns, "rear_axle"))


def gains(
    columns: Mapping[str, Array], _c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a tractor with a trailer.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    _c_type : str
        Its type in the core, of which there is one.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    grip = scalar(columns, "friction") * scalar(columns, "gravity")
    driven = loads(columns)[1] / scalar(columns, "mass")  # share of the load on the driven axle
    accel = min(scalar(columns, "accel_max"), max(grip * driven, SLOWEST_GRIP))
    side = max(GRIP_SHARE * grip, SLOWEST_GRIP)
    radius, length = turning_radius(columns), scalar(columns, "trailer_wheelbase")
    turned = scalar(columns, "steering_max") / scalar(columns, "steering_rate_limit")
    lag = scalar(columns, "steering_tau") + turned
    yaw_rate = sqrt(side / radius)
    accel_p = DRIVE_BANDWIDTH / scalar(columns, "drive_tau")
    found = driving_gains(
        scalar(columns, "speed_max"), accel, yaw_rate, yaw_rate / lag, lag, radius
    )
    return as_columns(
        {
            **found,
            "yaw_accel_limit": yaw_rate / lag,
            "heading_p": HEADING / lag,
            "approach_p": APPROACH / lag,
            "arrival_radius": ARRIVAL,
            "yaw_rate_i": 0.0,  # the geometry is exact, and the wheels are slow at low speeds
            "control_accel": scalar(columns, "accel_max"),
            "control_damping": scalar(columns, "drive_damping"),
            "control_dead_zone": scalar(columns, "drive_dead_zone"),
            "control_steering": scalar(columns, "steering_max"),
            "control_axle_distance": [
                scalar(columns, "front_axle"),
                scalar(columns, "rear_axle"),
            ],
            "control_hitch_offset": scalar(columns, "hitch_offset"),
            "control_trailer_wheelbase": length,
            "accel_p": accel_p,
            "lateral_accel_limit": side,
            "speed_lead_limit": accel / accel_p,
            "hitch_p": HITCH_PER_WHEELBASE / length,
            "hitch_limit": hitch_limit(columns),
            "reverse_limit": REVERSE_SHARE * float(columns["speed_max"][1]),
            "trailer_look_ahead": LOOK_AHEAD * length,
        }
    )
