"""Gains of the loops of vehicles that hover on rotors, in closed form: `cascade`, `lift_limits`.

``pyrfly/vehicles/multirotor/tuning.py`` describes the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.constants import LIFT_FRACTION, MINIMUM_LIFT
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods

__all__ = ["LONGEST_PERIODS", "Response", "cascade", "lift_limits"]

Array = NDArray[np.float64]

DAMPING = 0.8
MAXIMUM_RATE_FREQUENCY = 40.0  # rad/s
TILT_STEP = 0.5  # rad, the error that may use all available moment
ATTITUDE_RATIO = 2.0  # of the bandwidths of neighbouring loops
VELOCITY_RATIO = 2.0
POSITION_RATIO = 2.5
MINIMUM_STIFFNESS = 0.3  # of the attitude loop, left by the slope of the moment of the drag
VERTICAL_RATIO = 2.2
VERTICAL_DELAY = 0.012  # s
MAXIMUM_VERTICAL_BANDWIDTH = 5.0  # 1/s
MAXIMUM_INTEGRAL_BANDWIDTH = 8.0  # 1/s
TILT_INTEGRAL_RATIO = 0.15
HEADING_INTEGRAL_RATIO = 0.3
MAXIMUM_YAW_RATE_BANDWIDTH = 10.0  # 1/s
YAW_CROSSOVER = 150.0  # rad/s
YAW_FEEDTHROUGH = 0.3
MAXIMUM_HEADING_BANDWIDTH = 3.2  # 1/s
HEADING_DAMPING = 0.7
MAXIMUM_TILT = 0.7  # rad
MINIMUM_TILT = 0.1  # rad, for vehicles with little excess thrust
MAXIMUM_SPEED = (12.0, 3.0, 5.0)  # m/s: horizontal, descent, climb
MAXIMUM_RATE = (5.0, 2.0)  # rad/s: tilt, yaw
SAMPLED_RATE_FREQUENCY = 0.4  # of frequency and period: of the tilt rate loop
SAMPLED_YAW_CROSSOVER = 1.0
SAMPLED_BANDWIDTH = 0.25  # of the slower loops and the integral
VERTICAL_DELAY_PER_PERIOD = 1.2
LONGEST_PERIODS = LoopPeriods(0.1, 0.05, 0.025)


def _slower_root(lag: float, lead: float, damping: float) -> float:
    """Return the smaller k with (1 + lead k)^2 = 4 damping^2 lag k; inf if there is none."""
    half = 2 * damping * damping * lag - lead
    return 1 / (half + sqrt(half * half - lead * lead)) if half > lead else inf


@dataclass(frozen=True)
class _Tilt:
    """Gains of roll and pitch per inertia, and the bandwidths of the cascade."""

    rate_p: float  # 1/s
    rate_d: float
    attitude: float  # 1/s
    velocity: float  # 1/s
    position: float  # 1/s


def _tilt(lag: float, acceleration: float, slope: float, periods: LoopPeriods) -> _Tilt:
    attainable = exact.cube_root(4 * DAMPING * acceleration / (lag * TILT_STEP))
    sampled = SAMPLED_RATE_FREQUENCY / periods.inner
    frequency = min(MAXIMUM_RATE_FREQUENCY, attainable, sampled)
    bandwidth = frequency / (2 * DAMPING)
    gain = max(1.0, 2 * DAMPING * frequency * lag)
    attitude = min(bandwidth / ATTITUDE_RATIO, SAMPLED_BANDWIDTH / periods.middle)
    stiffness = max(attitude - slope / bandwidth, MINIMUM_STIFFNESS * attitude)
    velocity = min(stiffness / VELOCITY_RATIO, SAMPLED_BANDWIDTH / periods.outer)
    return _Tilt(bandwidth * gain, gain - 1, attitude, velocity, velocity / POSITION_RATIO)


@dataclass(frozen=True)
class _Yaw:
    """Gains of yaw per inertia."""

    rate_p: float = 0.0  # 1/s
    rate_d: float = 0.0
    integral: float = 0.0  # 1/s, rate_i / rate_p
    heading: float = 0.0  # 1/s


def _yaw(lag: float, lead: float, tilt: _Tilt, period: float) -> _Yaw:
    d = 0.0 if lead > lag else tilt.rate_d
    if lead > 0:
        d = min(d, YAW_FEEDTHROUGH * lag / lead)
    lag = (lag + lead * d) / (1 + d)
    crossover = min(YAW_CROSSOVER, SAMPLED_YAW_CROSSOVER / period)
    by_lead = crossover * lag / lead if lead > 0 else inf
    k = min(_slower_root(lag, lead, DAMPING), MAXIMUM_YAW_RATE_BANDWIDTH, by_lead)
    heading = min(
        _slower_root((1 + lead * k) / k, lead, HEADING_DAMPING), MAXIMUM_HEADING_BANDWIDTH
    )
    integral = HEADING_INTEGRAL_RATIO * heading * (1 + lead * k)
    return _Yaw(k * (1 + d), d, min(integral, 1 / lead) if lead > 0 else integral, heading)


def _speed_in_drag(force: float, linear: float, quadratic: float) -> float:
    """Return the speed [m/s] at which drag equals a force [N]."""
    root = linear + sqrt(linear * linear + 4 * quadratic * max(force, 0.0))
    return 2 * force / root if root > 0 else inf


def lift_limits(
    gravity: float, drag: tuple[Array, Array], weight: float, lift: float
) -> dict[str, list[float]]:
    """Return the limits on acceleration, tilt, speed and thrust.

    Parameters
    ----------
    gravity : float
        Gravitational acceleration [m/s^2].
    drag : tuple of ndarray, shape (3,)
        Drag per airspeed [N s/m], and per its square [N s^2/m^2].
    weight, lift : float
        Weight, and the maximum thrust up [N].
    """
    ratio = min(weight / (LIFT_FRACTION * lift), 1.0)
    available_tilt = float(exact.arctan2(sqrt((1.0 - ratio) * (1.0 + ratio)), ratio))
    tilt = max(min(MAXIMUM_TILT, available_tilt), MINIMUM_TILT)
    sine, cosine = exact.sincos(tilt)
    tangent = float(sine / cosine)
    linear, quadratic = drag
    horizontal = _speed_in_drag(weight * tangent, max(linear[:2]), max(quadratic[:2]))
    climb = _speed_in_drag(LIFT_FRACTION * lift - weight, linear[2], quadratic[2])
    descent = _speed_in_drag((1 - MINIMUM_LIFT) * weight, linear[2], quadratic[2])
    maximum_horizontal, maximum_descent, maximum_climb = MAXIMUM_SPEED
    return {
        "speed_limit": [min(maximum_horizontal, 0.8 * horizontal)],
        "descent_limit": [min(maximum_descent, descent)],
        "climb_limit": [min(maximum_climb, max(climb, 0.1))],
        "accel_limit": [gravity * tangent],
        "tilt_limit": [tilt],
        "thrust_limit": [0.05 * weight, lift],
    }


def _vertical(lag: float, period: float) -> float:
    """Return the bandwidth [1/s] of the vertical velocity loop."""
    added = max(period - DEFAULT_PERIODS.outer, 0.0)
    delay = VERTICAL_DELAY + VERTICAL_DELAY_PER_PERIOD * added
    return min(MAXIMUM_VERTICAL_BANDWIDTH, 1 / (VERTICAL_RATIO * (lag + delay)))


class Response(NamedTuple):
    """How a vehicle answers to moments and thrusts.

    Attributes
    ----------
    inertia, damping : ndarray, shape (3,)
        Moments of inertia [kg m^2], damping moments per angular velocity [N m s].
    acceleration : sequence of float
        Available angular accelerations in hover about the three axes [rad/s^2].
    lag, lead : float
        Time constant of the motors, and rotor inertia over torque per speed [s].
    slope : float
        Slope of the moment of drag with the tilt, over the inertia [1/s^2].
    """

    inertia: Array
    damping: Array
    acceleration: Sequence[float]
    lag: float
    lead: float
    slope: float


def cascade(of: Response, periods: LoopPeriods) -> dict[str, list[float] | Array]:
    """Return the gains of position, velocity, attitude and rate loop, and the rate limits."""
    tilt = _tilt(of.lag, min(of.acceleration[:2]), of.slope, periods)
    yaw = _yaw(of.lag, of.lead, tilt, periods.inner) if of.acceleration[2] > 0 else _Yaw()
    vertical = _vertical(of.lag, periods.outer)
    bandwidth = min(MAXIMUM_INTEGRAL_BANDWIDTH, 0.5 / of.lag, SAMPLED_BANDWIDTH / periods.outer)

    p = of.inertia * [tilt.rate_p, tilt.rate_p, yaw.rate_p]
    tilt_integral = TILT_INTEGRAL_RATIO * tilt.attitude
    integral = np.array([tilt_integral, tilt_integral, yaw.integral])
    yaw_rate = 1.5 * of.acceleration[2] / yaw.heading if yaw.heading else 0.0
    return {
        "position_p": [tilt.position, vertical / POSITION_RATIO],
        "velocity_p": [tilt.velocity, vertical],
        "velocity_i": [tilt.velocity * bandwidth, vertical * bandwidth],
        "attitude_p": [tilt.attitude, yaw.heading],
        "rate_p": p,
        "rate_i": p * (integral + of.damping / of.inertia),
        "rate_d": of.inertia * [tilt.rate_d, tilt.rate_d, yaw.rate_d],
        "rate_limit": [
            min(MAXIMUM_RATE[0], 0.8 * min(of.acceleration[:2]) / tilt.attitude),
            min(MAXIMUM_RATE[1], yaw_rate),
        ],
    }
