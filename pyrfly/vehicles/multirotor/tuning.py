r"""Gains of the flight controllers from what a vehicle is, without tuning by hand.

`gains` returns every column of role *gain* (``csrc/vehicles/multirotor_columns.h``) for one
vehicle. The loops themselves are in ``csrc/control``. Everything follows in closed form from mass,
inertia, motor lag, rotor coefficients and geometry, in four steps.

**1. Tilt rate.** A moment asked for at M_c arrives with the lag T of the motors, so with
M_c = J (k (w_sp - w) - d w') the body rate obeys

    T w'' + (1 + d) w' + k w = k w_sp

Natural frequency n and damping z = 0.8 ask for 1 + d = 2 z n T and k = T n^2. Feeding back the
derivative is what makes the loop faster than its motors; where they are fast enough anyway, d = 0.
Seen from outside the loop is a lag with the pace r = k / (1 + d) = n / (2 z). For n the limits are

- 40 rad/s, a twelfth of the rate loop's 500 Hz in rad/s, so that sampling costs little phase;
- what the rotors can give: a tilt error of half a radian asks for r^2 / 2 (1 + d) 0.5 rad/s^2 at
  first, which has to be within the angular acceleration A that is left in hover:
  n^3 = 4 z A / (0.5 T).

**2. The cascade.** Position p, velocity v, tilt a and rate r are lags around one another. Their
characteristic polynomial is 1 + s/p + s^2/(p v) + s^3/(p v a) + s^4/(p v a r) + ...; ratios of two
between neighbours are the damping optimum of Kessler and Naslin: as fast as it gets with a few
percent of overshoot. So a = r / 2, v = a / 2, and p = v / 2.5, which brings the overshoot below
two percent. Vertically the lag of thrust takes the place of the attitude: v_z = 1 / (2.2 (T +
0.012 s)), where 0.012 s is what the 100 Hz of that loop adds, and p_z = v_z / 2.5.

**3. Integrals.** That of the velocity loop finds forces that the thrust does not account for at the
pace velocity_i / velocity_p: 4 1/s, or half the pace of slow motors. That of the rate loop works at
0.3 a, plus the pace at which the air damps the body: rate_i / rate_p = damping / J cancels the
damping pole, so that a small vehicle, which air damps much, turns as the others do.

**4. Yaw.** The reaction torque has a lead: spinning rotors up turns the body at once, long before
the drag of the blades does. With q = rotor inertia / (torque per speed) [s],

    (T + q d) w'' + (1 + d + q k) w' + k w = k w_sp + q k w_sp'

Where q > T the lead more than makes up for the lag, and d = 0. Elsewhere d is that of tilt, but at
most 0.3 T / q, since at high frequency d q / T is fed back without any lag. With T' = (T + q d) /
(1 + d) the gain k' = k / (1 + d) is the least of the one that gives damping 0.8, (1 + q k')^2 = 4
z^2 T' k'; of 10 1/s; and of 150 T' / q, where the lead takes the loop gain through one at 150
rad/s, a quarter of a radian of lag at 500 Hz. The heading loop, (1 + q k') s^2 + k' (1 + q p) s +
k' p, gets p = 3.2 1/s or the p of damping 0.7. The integral of the rate, at 0.3 p (1 + q k') but no
faster than 1 / q, takes over where the lead has worn off.

Limits: tilt 0.7 rad, or what leaves a tenth of the thrust over; horizontal acceleration g times its
tangent; 12 m/s horizontally, 5 m/s up, 3 m/s down (PX4 has 12, 3 and 1.5, MPC_XY_VEL_MAX and
MPC_Z_VEL_MAX), or the speed at which drag eats up the force there is; tilt rate 5 rad/s and yaw
rate 2 rad/s, or what can be braked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.constants import IDLE_SHARE, LEAST_LIFT, LIFT_SHARE
from pyrfly.vehicles.multirotor import allocation, layouts

__all__ = ["gains"]

Array = NDArray[np.float64]

DAMPING = 0.8
FASTEST_RATE_LOOP = 40.0  # rad/s
TILT_STEP = 0.5  # rad, the error that may use all the moment there is
ATTITUDE_RATIO = 2.0  # of the paces of neighbouring loops
VELOCITY_RATIO = 2.0
POSITION_RATIO = 2.5
VERTICAL_RATIO = 2.2
VERTICAL_DELAY = 0.012  # s
FASTEST_VERTICAL = 5.0  # 1/s
FASTEST_INTEGRAL = 4.0  # 1/s
RATE_INTEGRAL_SHARE = 0.3
FASTEST_YAW_RATE_LOOP = 10.0  # 1/s
YAW_CROSSOVER = 150.0  # rad/s
YAW_FEEDTHROUGH = 0.3
FASTEST_HEADING = 3.2  # 1/s
HEADING_DAMPING = 0.7
MOST_TILT = 0.7  # rad
LEAST_TILT = 0.1  # rad, for vehicles that can barely fly
MOST_SPEED = (12.0, 3.0, 5.0)  # m/s: horizontal, down, up
MOST_RATE = (5.0, 2.0)  # rad/s: tilt, yaw


@dataclass(frozen=True)
class _Rotors:
    """The rotors of a vehicle at hover; every array has one row or element for each rotor."""

    position: Array  # m
    axis: Array
    direction: Array
    thrust: Array  # N
    slope: Array  # N/(rad/s), thrust per speed
    torque_slope: Array  # N m/(rad/s), reaction torque per speed
    inertia: Array  # kg m^2
    least: Array  # N, least thrust when armed
    most: Array  # N, thrust at full throttle

    @property
    def present(self) -> NDArray[np.bool_]:
        return self.most > 0


def _scalar(columns: Mapping[str, Array], name: str) -> float:
    return float(columns[name][0])


def _geometry(columns: Mapping[str, Array], c_type: str) -> tuple[Array, Array, Array]:
    if c_type == "quad_x":
        layout = layouts.LAYOUTS["quad_x"]
        return layout.positions(_scalar(columns, "arm_length")), layout.axes(), layout.directions()
    return (
        columns["rotor_position"].reshape(3, -1).T,
        columns["rotor_axis"].reshape(3, -1).T,
        columns["rotor_direction"],
    )


def _coefficients(columns: Mapping[str, Array], c_type: str) -> tuple[Array, Array, Array]:
    """Return thrust and torque coefficients, shape (2, N), and rotor inertias, shape (N,)."""
    if c_type == "quad_x":
        thrust, torque = (np.tile(columns[k][:, None], 4) for k in ("thrust_coef", "torque_coef"))
        return thrust, torque, np.repeat(columns["rotor_inertia"], 4)
    return (
        columns["rotor_thrust_coef"].reshape(2, -1),
        columns["rotor_torque_coef"].reshape(2, -1),
        columns["rotor_inertia"],
    )


def _rotors(columns: Mapping[str, Array], c_type: str, weight: float) -> _Rotors:
    """Return the rotors, all at the one speed that carries the weight, or as much as they can."""
    position, axis, direction = _geometry(columns, c_type)
    k, m, inertia = _coefficients(columns, c_type)
    curve = columns["motor_curve"][::-1]
    slowest = max(float(np.polyval(curve, _scalar(columns, "motor_dead_zone"))), 0.0)
    fastest = float(np.polyval(curve, _scalar(columns, "motor_max")))
    most = fastest * (k[0] + fastest * k[1])
    lift = min(weight, LIFT_SHARE * exact.dot(most, -axis[:, 2]))
    linear, quadratic = (exact.dot(row, -axis[:, 2]) for row in k)
    # The root of linear w + quadratic w^2 = lift that also holds for quadratic = 0.
    speed = 2 * lift / (linear + sqrt(max(linear * linear + 4 * quadratic * lift, 0.0)))
    return _Rotors(
        position=position,
        axis=axis,
        direction=direction,
        thrust=speed * (k[0] + speed * k[1]),
        slope=k[0] + 2 * speed * k[1],
        torque_slope=m[0] + 2 * speed * m[1],
        inertia=inertia,
        least=np.maximum(slowest * (k[0] + slowest * k[1]), IDLE_SHARE * most),
        most=most,
    )


def _mixer(rotors: _Rotors) -> Array:
    slope = np.where(rotors.present, rotors.slope, 1.0)
    ratio = np.where(rotors.present, rotors.torque_slope / slope, 0.0)
    matrix = allocation.effectiveness(rotors.position, rotors.axis, rotors.direction, ratio)
    return allocation.mixer(np.where(rotors.present, matrix, 0.0))


def _authority(rotors: _Rotors, share: Array) -> float:
    """Return the moment [N m] either way that hover leaves, for thrusts of `share` per N m."""
    used = np.abs(share) > 0
    room = np.minimum(rotors.most - rotors.thrust, rotors.thrust - rotors.least)
    return max(float(np.min(room[used] / np.abs(share[used]))), 0.0) if used.any() else 0.0


def _slower_root(lag: float, lead: float, damping: float) -> float:
    """Return the smaller k with (1 + lead k)^2 = 4 damping^2 lag k; inf if there is none."""
    half = 2 * damping * damping * lag - lead
    return 1 / (half + sqrt(half * half - lead * lead)) if half > lead else inf


@dataclass(frozen=True)
class _Tilt:
    """Gains of roll and pitch per inertia, and the paces of the cascade."""

    rate_p: float  # 1/s
    rate_d: float
    attitude: float  # 1/s
    velocity: float  # 1/s
    position: float  # 1/s


def _tilt(lag: float, acceleration: float) -> _Tilt:
    attainable = exact.cube_root(4 * DAMPING * acceleration / (lag * TILT_STEP))
    frequency = min(FASTEST_RATE_LOOP, attainable)
    pace = frequency / (2 * DAMPING)
    gain = max(1.0, 2 * DAMPING * frequency * lag)
    attitude = pace / ATTITUDE_RATIO
    velocity = attitude / VELOCITY_RATIO
    return _Tilt(pace * gain, gain - 1, attitude, velocity, velocity / POSITION_RATIO)


@dataclass(frozen=True)
class _Yaw:
    """Gains of yaw per inertia."""

    rate_p: float = 0.0  # 1/s
    rate_d: float = 0.0
    integral: float = 0.0  # 1/s, rate_i / rate_p
    heading: float = 0.0  # 1/s


def _yaw(lag: float, lead: float, tilt: _Tilt) -> _Yaw:
    d = 0.0 if lead > lag else tilt.rate_d
    if lead > 0:
        d = min(d, YAW_FEEDTHROUGH * lag / lead)
    lag = (lag + lead * d) / (1 + d)
    crossing = YAW_CROSSOVER * lag / lead if lead > 0 else inf
    k = min(_slower_root(lag, lead, DAMPING), FASTEST_YAW_RATE_LOOP, crossing)
    heading = min(_slower_root((1 + lead * k) / k, lead, HEADING_DAMPING), FASTEST_HEADING)
    integral = RATE_INTEGRAL_SHARE * heading * (1 + lead * k)
    return _Yaw(k * (1 + d), d, min(integral, 1 / lead) if lead > 0 else integral, heading)


def _speed_in_drag(force: float, linear: float, quadratic: float) -> float:
    """Return the speed [m/s] at which drag is a force [N]."""
    root = linear + sqrt(linear * linear + 4 * quadratic * max(force, 0.0))
    return 2 * force / root if root > 0 else inf


def _limits(columns: Mapping[str, Array], weight: float, lift: float) -> dict[str, object]:
    """Return the limits on acceleration, tilt and speed; `lift` is the most thrust upwards [N]."""
    gravity = _scalar(columns, "gravity")
    spare = min(weight / (LIFT_SHARE * lift), 1.0)
    all_tilt = float(exact.arctan2(sqrt((1.0 - spare) * (1.0 + spare)), spare))
    tilt = max(min(MOST_TILT, all_tilt), LEAST_TILT)
    sine, cosine = exact.sincos(tilt)
    tangent = float(sine / cosine)
    linear, quadratic = columns["drag_linear"], columns["drag_quadratic"]
    across = _speed_in_drag(weight * tangent, max(linear[:2]), max(quadratic[:2]))
    up = _speed_in_drag(LIFT_SHARE * lift - weight, linear[2], quadratic[2])
    down = _speed_in_drag((1 - LEAST_LIFT) * weight, linear[2], quadratic[2])
    most_across, most_down, most_up = MOST_SPEED
    return {
        "speed_limit": [min(most_across, 0.8 * across)],
        "descent_limit": [min(most_down, down)],
        "climb_limit": [min(most_up, max(up, 0.1))],
        "accel_limit": [gravity * tangent],
        "tilt_limit": [tilt],
        "thrust_limit": [0.05 * weight, lift],
    }


def gains(columns: Mapping[str, Array], c_type: str) -> dict[str, Array]:
    """Return the gains of one vehicle.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Parameter columns of one vehicle, each of shape (width,), as
        `pyrfly.VehicleParameters.columns` has them. SI units.
    c_type : str
        Vehicle type of the core: ``"quad_x"`` or ``"rotors_N"``.

    Returns
    -------
    dict of str to ndarray
        Every column of role *gain*, each of shape (width,), float64. A vehicle that cannot yaw gets
        yaw gains of zero.

    Notes
    -----
    The method is described at the top of the module.
    """
    mass, weight = _scalar(columns, "mass"), _scalar(columns, "mass") * _scalar(columns, "gravity")
    inertia, lag = columns["inertia"][:3], float(np.max(columns["motor_tau"]))
    rotors = _rotors(columns, c_type, weight)
    mix = _mixer(rotors)
    acceleration = [_authority(rotors, mix[:, 1 + i]) / inertia[i] for i in range(3)]

    tilt = _tilt(lag, min(acceleration[:2]))
    present = rotors.present
    torque = fsum(rotors.torque_slope[present])
    lead = fsum(rotors.inertia[present]) / torque if torque > 0 else 0.0
    yaw = _yaw(lag, lead, tilt) if acceleration[2] > 0 else _Yaw()
    vertical = min(FASTEST_VERTICAL, 1 / (VERTICAL_RATIO * (lag + VERTICAL_DELAY)))
    pace = min(FASTEST_INTEGRAL, 0.5 / lag)

    p = inertia * [tilt.rate_p, tilt.rate_p, yaw.rate_p]
    damping = (columns["damping_linear"] + columns["damping_quadratic"]) / inertia
    tilt_pace = RATE_INTEGRAL_SHARE * tilt.attitude
    paces = np.array([tilt_pace, tilt_pace, yaw.integral])
    yaw_rate = 1.5 * acceleration[2] / yaw.heading if yaw.heading else 0.0
    values: dict[str, object] = {
        "control_mass": [mass],
        "position_p": [tilt.position, vertical / POSITION_RATIO],
        "velocity_p": [tilt.velocity, vertical],
        "velocity_i": [tilt.velocity * pace, vertical * pace],
        "attitude_p": [tilt.attitude, yaw.heading],
        "rate_p": p,
        "rate_i": p * (paces + damping),
        "rate_d": inertia * [tilt.rate_d, tilt.rate_d, yaw.rate_d],
        "rate_limit": [
            min(MOST_RATE[0], 0.8 * min(acceleration[:2]) / tilt.attitude),
            min(MOST_RATE[1], yaw_rate),
        ],
        "mixer": allocation.mixer_column(mix),
        **_limits(columns, weight, exact.dot(rotors.most, -rotors.axis[:, 2])),
    }
    return {name: np.array(value, dtype=np.float64) for name, value in values.items()}
