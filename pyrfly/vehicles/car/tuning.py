"""Gains of a car from its numbers: what steering, drive and tyres allow."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.car.models import MODELS
from pyrfly.vehicles.driving import driving_gains
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import as_columns, scalar

__all__ = ["gains"]

Array = NDArray[np.float64]

LATERAL = 0.5
"""Lateral acceleration over that of sliding, estimated: tyres are nearly linear up to there."""

BRAKES = 0.8
"""Deceleration over that of sliding or of the brakes, estimated: some grip is left for steering."""

SPEED_BANDWIDTH = 5.0
"""Acceleration per speed error [1/s], estimated: a second of steady drive is followed."""

LEAD = 2.0
"""Lead of the speed reference over that with which the loop asks for the maximum acceleration,
estimated: the drive then gives all that it has."""

PARKING = 1.25
"""Radius of parking over that of the smallest circle, estimated: some of the steering is left
for corrections."""

ARRIVAL = 0.25
"""Radius [m] of arrival, half of PX4's NAV_ACC_RAD of rovers, at most half of the wheelbase."""

PATH_GAIN = 1.0
"""Speed towards a path per distance from it [1/s], of Stanley's law, estimated: damped at the
steering rates of cars [@hoffmann-2007 V]."""

PARKING_SPEED = 0.5
"""Speed on circles of parking over that of the maximum lateral acceleration, estimated."""

PARKING_BEND = 0.15
"""Way on which the wheels turn for such a circle over its radius, estimated: little of it."""

LOOK_AHEAD = (2.0, 5.0)
"""Look-ahead distance at least over the wheelbase, and at most over the maximum speed [s]."""


def gains(
    columns: Mapping[str, Array], c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a car.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    c_type : str
        Its type in the core.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    model = MODELS[c_type]
    base, drive = float(columns["axle_distance"].sum()), model.drive(columns)
    along, across = (friction * scalar(columns, "gravity") for friction in model.friction(columns))
    grip = model.grip(columns) * scalar(columns, "gravity")
    accel = min(drive.accel, BRAKES * grip)
    held = model.braking(columns) * scalar(columns, "gravity")
    brake = min(BRAKES * min(drive.brake, along), held)
    lateral, rear = LATERAL * across, float(columns["axle_distance"][1])
    circle = base / exact.tan(scalar(columns, "steering_max"))  # of the rear axle
    radius = exact.hypot(circle, rear)
    yaw_rate = sqrt(lateral / radius)
    lag = scalar(columns, "steering_tau") + 1.0 / SPEED_BANDWIDTH
    found = {
        "control_steering": scalar(columns, "steering_max"),
        "control_understeer": model.understeer(columns),
        "control_accel": drive.accel,
        "control_brake": drive.brake,
        "control_damping": drive.damping,
        "accel_p": SPEED_BANDWIDTH,
        **driving_gains(drive.speed, accel, yaw_rate, yaw_rate / lag, lag, radius),
        "decel_limit": brake,
        "yaw_rate_i": 0.0,  # the angle of the wheels gives the curvature of the path
        "yaw_accel_limit": yaw_rate / scalar(columns, "steering_tau"),
        "arrival_radius": min(ARRIVAL, 0.5 * base),
        "look_ahead_limit": [
            LOOK_AHEAD[0] * base,
            max(LOOK_AHEAD[0] * base, LOOK_AHEAD[1] * drive.speed),
        ],
        **_parking(columns, PARKING * circle, lateral),
        "lateral_accel_limit": lateral,
        "path_p": PATH_GAIN,
        "control_axle_distance": columns["axle_distance"],
        "speed_lead_limit": LEAD * accel / SPEED_BANDWIDTH,
    }
    return as_columns(found)


def _parking(columns: Mapping[str, Array], radius: float, lateral: float) -> dict[str, object]:
    """Return the gains of parking on circles of a radius [m]."""
    angle = float(exact.arctan2(float(columns["axle_distance"].sum()), radius))
    time = angle / scalar(columns, "steering_rate_limit")
    speeds = [PARKING_SPEED * sqrt(lateral * radius), PARKING_BEND * radius / time]
    return {"parking_radius": radius, "parking_speed": [speeds[0], min(speeds)]}
