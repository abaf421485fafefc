"""Gains of a plane from its numbers.

Limits and feed-forward follow from its performance. The loops have bandwidths in proportion to that
of the servos, each a fraction of the next faster one; gains of height and airspeed are those of the
closed-loop test of PX4's TECS [@px4 1019cb77], angles and rates PX4's defaults of planes.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.plane.performance import Performance

__all__ = ["LONGEST_PERIODS", "ROLLS_BELOW", "SERVOS", "gains"]

Array = NDArray[np.float64]

SERVOS = 4

MINIMUM_OVER_STALL = 1.2
"""Minimum airspeed over the stall airspeed: 1.44 of the lift of level flight are left."""

ROTATION_OVER_STALL = 1.15

LEAST_OVER_STALL = 1.05
"""Airspeed over the stall airspeed whose angle of attack is the limit: 0.91 of the lift."""

CATAPULT = 30.0
"""Acceleration of a launch [m/s^2], estimated: of a throw by hand, 3 g."""

ROLLS_BELOW = 0.3
"""Rolling resistance below which an aircraft takes off by rolling."""

RATE_BANDWIDTH = 0.25
"""Bandwidth of the rate loop over that of the servos: a damping ratio of 1 behind their lag."""

FASTEST_RATE_LOOP = 10.0
"""Its maximum [1/s], estimated: beyond, propeller and structure are not modelled well."""

ATTITUDE_SHARE = 1.0 / 3.0
"""Bandwidth of the attitude loop over that of the rate loop."""

INTEGRAL_SHARE = 0.3
"""Bandwidth of the integral over that of the rate loop."""

HEADING_GAIN = 1.0
"""Steering angle per heading error on the ground, estimated."""

LONGEST_PERIODS = LoopPeriods(0.2, 0.1, 0.05)
"""Periods of the loops up to which the packaged planes fly as with the default ones: 0.25 s or more
of each still do; with 0.5 s of the path loop they leave their path."""

PERIOD = 25.0
"""Period of path following times the bandwidth of the attitude loop: 10 s, PX4's NPFG_PERIOD, at
2.5 1/s, the inverse of its FW_R_TC of 0.4 s."""

DAMPING = 0.75
"""PX4's NPFG_DAMPING is 0.7."""

TILT = pi / 4
"""Maximum bank angle: PX4's FW_R_LIM is 50 deg."""

PITCH = (-pi / 9, pi / 7.2)
"""Pitch angles [rad]: -20 to 25 deg; PX4 has -30 to 30."""

RATES = (70.0 * pi / 180.0, 50.0 * pi / 180.0)
"""PX4's FW_R_RMAX, FW_Y_RMAX."""

ENERGY = {"height_p": 0.2, "airspeed_p": 0.3, "energy_i": 0.3, "energy_damping": 0.5}
"""The last two are higher than PX4's 0.1, for its sensors are noisier: so the height errors where a
climb begins and in turbulence are about half of those with 0.1, and steady ones end in 10 s."""

CLIMB_SHARE = 0.8
"""Commanded climb and descent rates over those at full throttle and without power."""

LARGEST_RADIUS, SMALLEST_RADIUS = 1000.0, 15.0
"""Radius of circles [m]; RflySim's range ends at 1000 m."""

CIRCLE_TANGENT = 0.36
"""Tangent of the bank angle in a circle without a radius set-point: 20 deg."""


def _allocation(columns: Mapping[str, Array]) -> Array:
    """Return deflections per moment and dynamic pressure, of all servos for roll, pitch, yaw.

    The least deflections that give a moment; axes without any authority get none.
    """
    area = float(columns["wing_area"][0])
    span, chord = float(columns["wing_span"][0]), float(columns["wing_chord"][0])
    roll, pitch, yaw = (columns[name] for name in ("roll_coef", "pitch_coef", "yaw_coef"))
    by_surface = area * np.array(
        [
            [span * roll[4], 0.0, span * roll[5]],
            [0.0, chord * pitch[3], 0.0],
            [span * yaw[4], 0.0, span * yaw[5]],
        ]
    )
    mix = np.array(columns["surface_mix"], np.float64).reshape(4, SERVOS)[:3]
    travels = columns["surface_travel"][:SERVOS] != 0.0
    moments = exact.row_sums(
        by_surface[:, None, :] * np.swapaxes(mix, 0, 1)[None] * travels[None, :, None]
    )
    if not (mix[2] != 0.0).any() or yaw[5] == 0.0:
        moments[2] = 0.0  # what ailerons yaw is not to be countered by ailerons
    normal = exact.row_sums(moments[:, None, :] * moments[None])
    inverse = exact.solve(np.broadcast_to(normal, (3, 3, 3)), np.eye(3))
    result: Array = exact.row_sums(inverse[:, None, :] * np.swapaxes(moments, 0, 1)[None])
    return result.reshape(-1)


def _speeds(of: Performance, columns: Mapping[str, Array]) -> dict[str, float]:
    """Return airspeeds, climb rates and the feed-forward of level flight."""
    cruise, minimum = of.number("rated_airspeed"), MINIMUM_OVER_STALL * of.stall
    climb = CLIMB_SHARE * max(of.climb(1.0, cruise), 0.5)
    sink = max(-of.climb(0.0, cruise), 0.5)
    launched = float(columns["gear_rolling"][0]) > ROLLS_BELOW
    return {
        "speed_limit": max(0.95 * of.fastest, cruise),
        "minimum_airspeed": min(minimum, cruise),
        "cruise_airspeed": cruise,
        "climb_limit": climb,
        "gliding_sink": sink,
        "turn_sink": of.induced_sink(cruise),
        "descent_limit": max(CLIMB_SHARE * sink, min(climb, 0.15 * cruise)),
        "cruise_throttle": of.throttle(cruise),
        "cruise_pitch": of.level(cruise).alpha,
        "attack_limit": of.level(LEAST_OVER_STALL * of.stall).alpha,
        "rotation_airspeed": ROTATION_OVER_STALL * of.stall,
        "launch_airspeed": minimum if launched else 0.0,
        "catapult_accel": CATAPULT if launched else 0.0,
    }


def _rates(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return the gains of attitude and rate loop."""
    bandwidth = min(RATE_BANDWIDTH / float(columns["servo_tau"][0]), FASTEST_RATE_LOOP)
    inertia = columns["inertia"][:3]
    span, chord = float(columns["wing_span"][0]), float(columns["wing_chord"][0])
    quarter = 0.25 * float(columns["reference_density"][0]) * float(columns["wing_area"][0])
    damping = [
        -quarter * span * span * min(float(columns["roll_coef"][2]), 0.0),
        -quarter * chord * chord * min(float(columns["pitch_coef"][2]), 0.0),
        -quarter * span * span * min(float(columns["yaw_coef"][3]), 0.0),
    ]
    return {
        "attitude_p": np.array([ATTITUDE_SHARE * bandwidth, HEADING_GAIN]),
        "rate_limit": np.array(RATES),
        "rate_p": bandwidth * inertia,
        "rate_i": INTEGRAL_SHARE * bandwidth * bandwidth * inertia,
        "air_damping": np.array(damping),
    }


def gains(
    columns: Mapping[str, Array], _c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a plane.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    _c_type : str
        Its type in the core, of which there is one.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    of = Performance(columns)
    rates = _rates(columns)
    sine, cosine = exact.sincos(TILT)
    gravity, cruise = of.number("gravity"), of.number("rated_airspeed")
    radius = cruise * cruise / (gravity * CIRCLE_TANGENT)
    found = {
        **_speeds(of, columns),
        **ENERGY,
        "accel_limit": gravity * float(sine / cosine),
        "pitch_limit": PITCH,
        "tilt_limit": TILT,
        "path_period": PERIOD / float(rates["attitude_p"][0]),
        "path_damping": DAMPING,
        "loiter_radius": min(max(radius, SMALLEST_RADIUS), LARGEST_RADIUS),
        "surface_allocation": _allocation(columns),
        **rates,
    }
    return {name: np.atleast_1d(np.array(value, np.float64)) for name, value in found.items()}
