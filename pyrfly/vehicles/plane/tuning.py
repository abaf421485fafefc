"""Gains of a plane from its numbers.

Limits and feed-forward follow from its performance. The loops have bandwidths in proportion to that
of the servos, each a fraction of the next faster one; gains of height and airspeed are those of the
closed-loop test of PX4's TECS [@px4 1019cb77], angles and rates PX4's defaults of planes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.assumed import assumed
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import as_columns
from pyrfly.vehicles.plane.performance import Performance
from pyrfly.vehicles.winged.tuning import (
    CATAPULT,
    CLIMB_SHARE,
    FASTEST_RATE_LOOP,
    circle_radius,
    integral_gain,
    least_positions,
    line_of_squares,
    loop_gains,
    parabola,
)

__all__ = ["LONGEST_PERIODS", "ROLLS_BELOW", "SERVOS", "gains"]

Array = NDArray[np.float64]

SERVOS = 4

MINIMUM_OVER_STALL = 1.2
"""Minimum airspeed over the stall airspeed: 1.44 of the lift of level flight are left."""

ROTATION_OVER_STALL = 1.15

LEAST_OVER_STALL = 1.05
"""Airspeed over the stall airspeed whose angle of attack is the limit: 0.91 of the lift."""

ROLLS_BELOW = 0.3
"""Rolling resistance below which an aircraft takes off by rolling."""

RATE_BANDWIDTH = 0.25
"""Bandwidth of the rate loop over that of the servos: a damping ratio of 1 behind their lag."""

LONGEST_PERIODS = LoopPeriods(0.2, 0.1, 0.05)
"""Periods of the loops up to which the packaged planes fly as with the default ones: 0.25 s or more
of each still do; with 0.5 s of the path loop they leave their path."""

LARGEST_RADIUS = 1000.0
"""Radius of circles [m]: RflySim's range ends there."""


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
    return least_positions(moments).reshape(-1)


def _level_flight(
    of: Performance, columns: Mapping[str, Array], airspeeds: Sequence[float]
) -> dict[str, object]:
    """Return throttles, pitch angles and moments of level flight, by its airspeed.

    With an angle of attack that is linear in the inverse of the dynamic pressure the moment is
    linear in that pressure.
    """
    density = float(columns["reference_density"][0])
    moment0, slope = (float(columns["pitch_coef"][i]) for i in range(2))
    volume = float(columns["wing_area"][0]) * float(columns["wing_chord"][0])
    two = (airspeeds[1], 2.0 * airspeeds[1])  # the line is the same through any
    pitch = line_of_squares(two, [of.level(v).alpha for v in two])
    return {
        "level_throttle": parabola({v: of.throttle(v) for v in airspeeds}),
        "gliding_throttle": of.gliding_throttle(airspeeds[1]) / airspeeds[1],
        "level_pitch": pitch,
        "level_moment": [
            -0.5 * density * volume * slope * pitch[1],
            -volume * (moment0 + slope * pitch[0]),
        ],
    }


def _speeds(of: Performance, columns: Mapping[str, Array]) -> dict[str, object]:
    """Return airspeeds, climb rates and the feed-forward of level flight."""
    cruise, minimum = of.number("rated_airspeed"), MINIMUM_OVER_STALL * of.stall
    climb = CLIMB_SHARE * max(of.climb(1.0, cruise), 0.5)
    sink = max(-of.climb(0.0, cruise), 0.5)
    launched = float(columns["gear_rolling"][0]) > ROLLS_BELOW
    minimum, fastest = min(minimum, cruise), max(0.95 * of.fastest, cruise)
    return {
        "speed_limit": fastest,
        "minimum_airspeed": minimum,
        "cruise_airspeed": cruise,
        "climb_limit": climb,
        "gliding_sink": sink,
        "turn_sink": of.induced_sink(cruise),
        "descent_limit": CLIMB_SHARE * sink,
        **_level_flight(of, columns, (minimum, cruise, fastest)),
        "angle_of_attack_limit": of.level(LEAST_OVER_STALL * of.stall).alpha,
        "rotation_airspeed": ROTATION_OVER_STALL * of.stall,
        "launch_airspeed": MINIMUM_OVER_STALL * of.stall if launched else 0.0,
        "catapult_accel": CATAPULT if launched else 0.0,
    }


def _rates(columns: Mapping[str, Array], bandwidth: float) -> dict[str, Array]:
    """Return the gains of the rate loop."""
    inertia = columns["inertia"][:3]
    span, chord = float(columns["wing_span"][0]), float(columns["wing_chord"][0])
    quarter = 0.25 * float(columns["reference_density"][0]) * float(columns["wing_area"][0])
    damping = [
        -quarter * span * span * min(float(columns["roll_coef"][2]), 0.0),
        -quarter * chord * chord * min(float(columns["pitch_coef"][2]), 0.0),
        -quarter * span * span * min(float(columns["yaw_coef"][3]), 0.0),
    ]
    return {
        "rate_p": bandwidth * inertia,
        "rate_i": integral_gain(bandwidth) * inertia,
        "air_damping": np.array(damping),
    }


def gains(
    columns: Mapping[str, Array], c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a plane.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    c_type : str
        Its type in the core, of which there is one.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    of = Performance(columns)
    bandwidth = min(RATE_BANDWIDTH / float(columns["servo_tau"][0]), FASTEST_RATE_LOOP)
    gravity = of.number("gravity")
    reach = exact.norm(columns["gear_position"].reshape(3, -1).T).max()
    found = {
        **assumed(columns, c_type),
        "control_rudder_mix": columns["surface_mix"].reshape(4, SERVOS)[2],
        "control_gear_reach": reach,
        **_speeds(of, columns),
        **loop_gains(gravity, bandwidth),
        "loiter_radius": min(circle_radius(of.number("rated_airspeed"), gravity), LARGEST_RADIUS),
        "surface_allocation": _allocation(columns),
        **_rates(columns, bandwidth),
    }
    return as_columns(found)
