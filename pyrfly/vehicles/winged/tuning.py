"""Gains of all that flies by wings which follow from bandwidth and gravity alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import pi

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact

__all__ = [
    "BANK",
    "CATAPULT",
    "CLIMB_SHARE",
    "FASTEST_RATE_LOOP",
    "PITCH",
    "circle_radius",
    "integral_gain",
    "least_positions",
    "line_of_squares",
    "loop_gains",
    "parabola",
]

Array = NDArray[np.float64]

FASTEST_RATE_LOOP = 10.0
"""Maximum bandwidth of the rate loop [1/s], estimated: beyond, the propeller and the structure are
not modelled well."""

ATTITUDE_SHARE = 1.0 / 3.0
"""Bandwidth of the attitude loop over that of the rate loop."""

INTEGRAL_SHARE = 0.3
"""Bandwidth of the integral over that of the rate loop."""

HEADING_GAIN = 1.0
"""Steering angle per heading error on the ground, estimated."""

PERIOD = 25.0
"""Period of path following times the bandwidth of the attitude loop: 10 s, PX4's NPFG_PERIOD, at
2.5 1/s, the inverse of its FW_R_TC of 0.4 s."""

PATH_DAMPING = 0.75
"""PX4's NPFG_DAMPING is 0.7."""

BANK = pi / 4
"""Maximum bank angle [rad]: PX4's FW_R_LIM is 50 deg."""

PITCH = (-pi / 9, pi / 7.2)
"""Pitch angles [rad]: -20 to 25 deg; PX4 has -30 to 30."""

RATES = (70.0 * pi / 180.0, 50.0 * pi / 180.0)
"""PX4's FW_R_RMAX, FW_Y_RMAX [rad/s]."""

ENERGY = {"height_p": 0.2, "airspeed_p": 0.3, "energy_i": 0.3, "energy_damping": 0.5}
"""The last two are higher than PX4's 0.1, for its sensors are noisier: so the height errors where a
climb begins and in turbulence are about half of those with 0.1, and steady ones end in 10 s."""

CLIMB_SHARE = 0.8
"""Commanded climb and descent rates over those at full throttle and without power."""

SMALLEST_RADIUS = 15.0
"""Radius of circles [m], at least."""

CIRCLE_TANGENT = 0.36
"""Tangent of the bank angle in a circle without a radius set-point, over that of the limit: 20 deg
at `BANK`."""

CATAPULT = 30.0
"""Acceleration of a launch [m/s^2], estimated: of a throw by hand, 3 g."""


def loop_gains(gravity: float, bandwidth: float, bank: float = BANK) -> dict[str, object]:
    """Return the gains of energy, path and attitude.

    Parameters
    ----------
    gravity : float
        Gravitational acceleration [m/s^2].
    bandwidth : float
        That of the rate loop [1/s].
    bank : float, optional
        Limit of the bank angle [rad].
    """
    attitude = ATTITUDE_SHARE * bandwidth
    return {
        **ENERGY,
        "accel_limit": gravity * _tangent(bank),
        "pitch_limit": PITCH,
        "tilt_limit": bank,
        "path_period": PERIOD / attitude,
        "path_damping": PATH_DAMPING,
        "attitude_p": [attitude, HEADING_GAIN],
        "rate_limit": RATES,
    }


def integral_gain(bandwidth: float) -> float:
    """Return the integral gain of the rate loop over the moment of inertia [1/s^2]."""
    return INTEGRAL_SHARE * bandwidth * bandwidth


def circle_radius(airspeed: float, gravity: float, bank: float = BANK) -> float:
    """Return the radius of a circle without a radius set-point [m].

    Parameters
    ----------
    airspeed : float
        That of cruise [m/s].
    gravity : float
        Gravitational acceleration [m/s^2].
    bank : float, optional
        Limit of the bank angle [rad].
    """
    share = _tangent(bank) / _tangent(BANK)
    return max(airspeed * airspeed / (gravity * CIRCLE_TANGENT * share), SMALLEST_RADIUS)


def parabola(points: Mapping[float, float]) -> list[float]:
    """Return the coefficients, from the constant on, of the parabola through points.

    Parameters
    ----------
    points : mapping of float to float
        Its values at one to three places; through two of them a line, through one a constant.

    Examples
    --------
    >>> parabola({1.0: 2.0, 2.0: 5.0, 3.0: 10.0})  # 1 + x^2
    [1.0, 0.0, 1.0]
    """
    places = sorted(points)
    rises = [(points[b] - points[a]) / (b - a) for a, b in pairwise(places)]
    bend = (rises[1] - rises[0]) / (places[2] - places[0]) if len(rises) > 1 else 0.0
    slope = rises[0] - bend * (places[0] + places[1]) if rises else 0.0
    return [points[places[0]] - places[0] * (slope + places[0] * bend), slope, bend]


def line_of_squares(airspeeds: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return a and b of a + b / V^2 with two values at two airspeeds; at the same ones, a alone.

    Examples
    --------
    >>> line_of_squares((1.0, 2.0), (5.0, 2.0))
    [1.0, 4.0]
    """
    first, second = (1.0 / (v * v) for v in airspeeds)
    slope = (values[0] - values[1]) / (first - second) if first != second else 0.0
    return [values[1] - slope * second, slope]


def _tangent(angle: float) -> float:
    sine, cosine = exact.sincos(angle)
    return float(sine / cosine)


def least_positions(moments: Array, weighed: Array | None = None) -> Array:
    """Return positions of the surfaces per moment, shape (3, n): the least that give it alone.

    Axes without any authority get none.

    Parameters
    ----------
    moments : ndarray, shape (3, n)
        Roll, pitch and yaw moment per position of each surface.
    weighed : ndarray, shape (3, n), optional
        These times the inverse of a weight of the positions; by default all weigh the same.
    """
    weighed = moments if weighed is None else weighed
    normal = exact.row_sums(moments[:, None, :] * weighed[None])
    inverse = exact.solve(np.broadcast_to(normal, (3, 3, 3)), np.eye(3))
    found: Array = exact.row_sums(inverse[:, None, :] * np.swapaxes(weighed, 0, 1)[None])
    return found
