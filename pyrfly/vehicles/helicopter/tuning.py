r"""Gains of the flight controllers, in closed form from the parameters of a helicopter.

**1. Rate.** With the tip-path plane b' = -p + (x - b) / T, x the cyclic control, and p' = L b, a
helicopter turns at the rate that x / T is: p'' + p' / T + L p = L x / T. So the rate loop mostly
feeds the commanded rate forward (``csrc/vehicles/helicopter/control.h``). Roll and pitch are
coupled and weakly damped; feedback through the lag of the servos hardly helps: 0.2 of the rate
error. The integral of the rate finds what the tip-path plane needs against the speed derivatives.

**2. Cascade.** The lags of that response, 1 / (L T) in the slower axis, of the servos and of the
loops' periods add up to D. The attitude loop gets a = 1 / (2.6 D), at most 5 1/s; velocity a / 2
and position a / 6. The integral of the rate has the bandwidth 0.4 a.

**3. Velocity.** What the velocity loop observes as a disturbance includes the tilt of the tip-path
plane against the body in manoeuvres: the bandwidth of the observer is a / 2. Vertically the lag is
that of the servos.

**4. Yaw.** As of a multirotor without lead: damping ratio 0.8 behind the lag of the tail rotor's
pitch, at most 10 1/s; heading with the damping ratio 0.7, at most 3.2 1/s. The integral of the rate
has nine tenths of that: skids hide the moment of a side wind until they let go. The torque of the
engine that goes with the thrust is fed forward, by its slope in hover.

**5. Limits.** Thrust: 0.6 of the servos' range (the rest is for cyclic), stall, and 0.9 of the
engine's power. Tilt 0.6 rad with the acceleration that it gives, speed 10 m/s: less where the
cyclic for the speed derivatives takes 0.4 of what there is, or drag needs 0.8 of the tilt. Climb
3 m/s, or by half of the spare power; descent 1.5 m/s, at most 0.6 of the induced velocity of hover,
above the vortex ring.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.assumed import assumed
from pyrfly.vehicles.constants import AIR_DENSITY, LIFT_FRACTION
from pyrfly.vehicles.helicopter.hover import Hover, hover_of
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import as_columns, scalar

__all__ = ["LONGEST_PERIODS", "gains"]

Array = NDArray[np.float64]

RATE_FEEDBACK = 0.2
RATE_INTEGRAL = 0.4  # of the attitude loop's bandwidth
ATTITUDE_RATIO = 2.6  # of the sum of the lags
MAXIMUM_ATTITUDE = 5.0  # 1/s
VELOCITY_RATIO = 2.0
POSITION_RATIO = 3.0
OBSERVER_RATIO = 2.0
VERTICAL_RATIO = 2.2
VERTICAL_DELAY = 1.2  # periods of the velocity loop
MAXIMUM_VERTICAL = 3.0  # 1/s
DAMPING = 0.8
MAXIMUM_YAW_RATE = 10.0  # 1/s
HEADING_DAMPING = 0.7
MAXIMUM_HEADING = 3.2  # 1/s
HEADING_INTEGRAL = 0.9
SAMPLED_BANDWIDTH = 0.25
SAMPLED_YAW = 0.4

PLATE = 0.6  # HELICOPTER_PLATE of csrc/vehicles/helicopter/control.h
POWER_FRACTION = 0.9
LEAST_THRUST = 0.05  # of the weight
MAXIMUM_TILT = 0.6  # rad
MINIMUM_TILT = 0.1  # rad
MAXIMUM_SPEED = (10.0, 1.5, 3.0)  # m/s: horizontal, descent, climb
DESCENT_RATIO = 0.6
CYCLIC_SHARE = 0.4
MAXIMUM_RATE = (2.5, 1.5)  # rad/s: tilt, yaw
SPOOL_RATE = 0.4  # 1/s
LONGEST_PERIODS = LoopPeriods(0.05, 0.02, 0.01)


def _lift(columns: Mapping[str, Array], hover: Hover) -> float:
    """Return the maximum thrust [N]."""
    mass = scalar(columns, "mass")
    plate = PLATE * scalar(columns, "collective_accel") * scalar(columns, "collective_travel")
    blades = mass * min(plate, scalar(columns, "stall_accel"))
    spare = max(POWER_FRACTION * hover.available_power - scalar(columns, "profile_power"), 0.0)
    area = pi * scalar(columns, "main_rotor_radius") ** 2
    root = exact.cube_root(spare * sqrt(2 * AIR_DENSITY * area) / scalar(columns, "induced_factor"))
    return min(blades, root * root)


def _tilt_limit(hover: Hover, lift: float) -> float:
    most = LIFT_FRACTION * lift
    ratio = 1.0 if most <= hover.weight else hover.weight / most
    available = float(exact.arctan2(sqrt((1.0 - ratio) * (1.0 + ratio)), ratio))
    return max(min(MAXIMUM_TILT, available), MINIMUM_TILT)


def _tangent(angle: float) -> float:
    sine, cosine = exact.sincos(angle)
    return float(sine / cosine)


def _cyclic_rate(columns: Mapping[str, Array], hover: Hover) -> float:
    """Return the angular velocity [rad/s] that the cyclic left in hover is for."""
    gain, travel = columns["tip_path_gain"], columns["cyclic_travel"]
    most = min(float(gain[0] * travel[0]), float(gain[3] * travel[1]))
    return (1.0 - hover.plate) * most / scalar(columns, "tip_path_tau")


def _speed(columns: Mapping[str, Array], hover: Hover, tilt: float) -> float:
    """Return the horizontal speed limit [m/s]."""
    tau = scalar(columns, "tip_path_tau")
    per_speed = max(
        hypot(*map(float, columns[name])) / (moment * tau)
        for name, moment in zip(
            ("roll_per_speed", "pitch_per_speed"),
            map(float, columns["tip_path_moment"]),
            strict=True,
        )
    )
    by_cyclic = CYCLIC_SHARE * _cyclic_rate(columns, hover) / max(per_speed, 1e-9)
    linear = scalar(columns, "mass") * float(max(columns["speed_damping"]))
    quadratic = float(max(columns["drag_quadratic"][:2]))
    force = hover.weight * _tangent(tilt)
    root = linear + sqrt(linear * linear + 4 * quadratic * force)
    return min(MAXIMUM_SPEED[0], by_cyclic, 0.8 * 2 * force / max(root, 1e-9))


def _limits(columns: Mapping[str, Array], hover: Hover) -> dict[str, object]:
    lift = _lift(columns, hover)
    tilt = _tilt_limit(hover, lift)
    spare = max(POWER_FRACTION * hover.available_power - hover.power, 0.0)
    climb = 0.5 * spare / hover.weight if hover.weight > 0 else MAXIMUM_SPEED[2]
    yaw_accel = (1.0 - abs(hover.tail)) * scalar(columns, "tail_authority")
    return {
        "speed_limit": _speed(columns, hover, tilt),
        "descent_limit": min(MAXIMUM_SPEED[1], DESCENT_RATIO * hover.induced_velocity),
        "climb_limit": min(MAXIMUM_SPEED[2], climb),
        "accel_limit": scalar(columns, "gravity") * _tangent(tilt),
        "tilt_limit": tilt,
        "rate_limit": [
            min(MAXIMUM_RATE[0], 0.5 * _cyclic_rate(columns, hover)),
            min(MAXIMUM_RATE[1], 0.3 * yaw_accel),
        ],
        "thrust_limit": [LEAST_THRUST * hover.weight, lift],
    }


def _attitude(columns: Mapping[str, Array], periods: LoopPeriods) -> float:
    """Return the bandwidth of the attitude loop [1/s]."""
    slower = 1.0 / (float(min(columns["tip_path_moment"])) * scalar(columns, "tip_path_tau"))
    delay = scalar(columns, "swash_tau") + slower + periods.inner + 0.5 * periods.middle
    return min(MAXIMUM_ATTITUDE, 1 / (ATTITUDE_RATIO * delay), SAMPLED_BANDWIDTH / periods.middle)


def _yaw(columns: Mapping[str, Array], periods: LoopPeriods) -> tuple[float, float]:
    """Return the bandwidths [1/s] of yaw rate and heading."""
    lag = 4 * DAMPING * DAMPING * (scalar(columns, "tail_tau") + periods.inner)
    rate = min(MAXIMUM_YAW_RATE, 1 / lag, SAMPLED_YAW / periods.inner)
    return rate, min(MAXIMUM_HEADING, rate / (4 * HEADING_DAMPING * HEADING_DAMPING))


def gains(
    columns: Mapping[str, Array], c_type: str, periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a helicopter; the docstring of the module describes the method.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    c_type : str
        Its type in the core, of which there is one.
    periods : LoopPeriods
        Periods of the velocity, attitude and rate loops.
    """
    hover = hover_of(columns)
    attitude = _attitude(columns, periods)
    velocity = min(attitude / VELOCITY_RATIO, SAMPLED_BANDWIDTH / periods.outer)
    lag = scalar(columns, "swash_tau") + VERTICAL_DELAY * periods.outer
    vertical = min(MAXIMUM_VERTICAL, 1 / (VERTICAL_RATIO * lag), SAMPLED_BANDWIDTH / periods.outer)
    observer = attitude / OBSERVER_RATIO
    rate, heading = _yaw(columns, periods)

    inertia = columns["inertia"][:3]
    whole = inertia[:2] * columns["tip_path_moment"] * scalar(columns, "tip_path_tau")
    p = np.append(RATE_FEEDBACK * whole, inertia[2] * rate)
    integral = RATE_INTEGRAL * attitude * whole
    values = {
        **assumed(columns, c_type),
        "position_p": [velocity / POSITION_RATIO, vertical / POSITION_RATIO],
        "velocity_p": [velocity, vertical],
        "velocity_i": [velocity * observer, vertical * observer],
        "attitude_p": [attitude, heading],
        "rate_p": p,
        "rate_i": np.append(integral, p[2] * HEADING_INTEGRAL * heading),
        "tail_load": [hover.torque - hover.torque_slope * hover.weight, hover.torque_slope],
        "spool_rate": SPOOL_RATE,
        **_limits(columns, hover),
    }
    return as_columns(values)
