r"""Gains of the flight controllers, in closed form from the vehicle parameters.

`gains` returns all columns of role *gain* (``csrc/vehicles/multirotor/columns.h``) of a vehicle.
The control loops are in ``csrc/control``. The gains follow from mass, inertia, motor lag, rotor
coefficients and geometry in four steps.

**1. Tilt rate.** A commanded moment M_c acts after the lag T of the motors. With
M_c = J (k (w_sp - w) - d w') the angular velocity obeys

    T w'' + (1 + d) w' + k w = k w_sp

Natural frequency n and damping ratio z = 0.8 require 1 + d = 2 z n T and k = T n^2. The derivative
feedback raises the bandwidth above that of the motors; for fast motors d = 0. The closed loop
approximates a lag of bandwidth r = k / (1 + d) = n / (2 z). n is limited to

- 40 rad/s, a twelfth of the sampling frequency of the rate loop (500 Hz in rad/s), so that the
  phase lag of sampling is small;
- the control authority: a tilt error of half a radian initially commands r^2 / 2 (1 + d) 0.5
  rad/s^2, which must not exceed the available angular acceleration A in hover:
  n^3 = 4 z A / (0.5 T).

**2. Cascade.** Position p, velocity v, tilt a and rate r are nested lags with the characteristic
polynomial 1 + s/p + s^2/(p v) + s^3/(p v a) + s^4/(p v a r) + ...; ratios of two between
neighbouring bandwidths are the damping optimum of Kessler and Naslin: maximum bandwidth with a few
percent of overshoot. So a = r / 2, v = a / 2, and p = v / 2.5, which reduces the overshoot below
two percent. Drag at the height z above the centre of mass moves the vehicle away from its tilt: at
the tilt limit t, where drag is W tan t, the moment increases by 2 z W tan t sin t per radian
(quadratic drag). The rate loop knows the moment of the observed drag, whose direction is that of
the air, and with it half of that increase; the other half, divided by the inertia and r, reduces
a in v = a / 2. In the vertical cascade the lag of the thrust replaces the attitude loop:
v_z = 1 / (2.2 (T + 0.012 s)), where 0.012 s is the delay of that loop at 100 Hz, and
p_z = v_z / 2.5.

**3. Integrals.** The integral of the velocity loop estimates disturbance forces with the bandwidth
velocity_i / velocity_p: 8 1/s, or half the bandwidth of slow motors. That of the rate loop has the
bandwidth 0.15 a plus the aerodynamic damping per inertia: rate_i / rate_p = damping / J cancels the
damping pole, so that small vehicles, which have much damping, respond like the others.

**4. Yaw.** The reaction torque has a lead: rotor acceleration gives a torque at once, before the
blade drag changes. With q = rotor inertia / (torque per speed) [s],

    (T + q d) w'' + (1 + d + q k) w' + k w = k w_sp + q k w_sp'

If q > T the lead exceeds the lag, and d = 0. Otherwise d is that of tilt, but at most 0.3 T / q,
since at high frequency d q / T is fed back without lag. With T' = (T + q d) / (1 + d) the gain
k' = k / (1 + d) is the minimum of the gain of damping ratio 0.8, (1 + q k')^2 = 4 z^2 T' k'; of
10 1/s; and of 150 T' / q, for a crossover frequency of 150 rad/s due to the lead, with a quarter of
a radian of phase lag at 500 Hz. The heading loop, (1 + q k') s^2 + k' (1 + q p) s + k' p, gets
p = 3.2 1/s or the p of damping ratio 0.7. The integral of the rate, of bandwidth 0.3 p (1 + q k')
but at most 1 / q, acts after the lead has decayed.

**5. Slow loops.** With longer periods than those of a `pyrfly.Sim` the phase lag of sampling is
bounded: the product of frequency and period of a loop is at most 0.4 for n, 1 for the crossover of
the yaw rate loop (with the lead, the sampled loop is unstable above 2 (1 + kp J_r / (J_zz Q')) T
(1 - exp(-h / T)) > 4, Q' the torque per speed, for h beyond some 2.2 over the crossover), and 0.25
for the attitude and velocity loops and the integral; the delay of the vertical loop grows by 1.2
periods. `LONGEST_PERIODS` are the longest with which all packaged sets fly well.

Limits: tilt 0.7 rad, or that at which the lift uses nine tenths of the maximum thrust; horizontal
acceleration g times its tangent; horizontal speed 12 m/s, climb 5 m/s, descent 3 m/s (PX4 has 12, 3
and 1.5, MPC_XY_VEL_MAX and MPC_Z_VEL_MAX), or the speed at which drag equals the available force;
tilt rate 5 rad/s and yaw rate 2 rad/s, or the rates that the available moments can stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.assumed import assumed
from pyrfly.vehicles.constants import IDLE_THRUST, LIFT_FRACTION
from pyrfly.vehicles.hovering import allocation
from pyrfly.vehicles.hovering.tuning import LONGEST_PERIODS, Response, cascade, lift_limits
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.parameters import as_columns, scalar

__all__ = ["LONGEST_PERIODS", "gains"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Rotors:
    """The rotors of a vehicle in hover; every array has one row or element per rotor."""

    position: Array  # m
    axis: Array
    direction: Array
    thrust: Array  # N
    slope: Array  # N/(rad/s), thrust per speed
    torque_slope: Array  # N m/(rad/s), reaction torque per speed
    inertia: Array  # kg m^2
    minimum: Array  # N, thrust at idle
    maximum: Array  # N, thrust at full throttle

    @property
    def present(self) -> NDArray[np.bool_]:
        return self.maximum > 0


def _geometry(columns: Mapping[str, Array], c_type: str) -> tuple[Array, Array, Array]:
    if c_type == "quad_x":
        layout = layouts.LAYOUTS["quad_x"]
        return layout.positions(scalar(columns, "arm_length")), layout.axes(), layout.directions()
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
    """Return the rotors at the common hover speed, or at that of the maximum lift if lower."""
    position, axis, direction = _geometry(columns, c_type)
    k, m, inertia = _coefficients(columns, c_type)
    curve = columns["motor_curve"][::-1]
    slowest = max(float(np.polyval(curve, scalar(columns, "motor_dead_zone"))), 0.0)
    fastest = float(np.polyval(curve, scalar(columns, "motor_max")))
    maximum = fastest * (k[0] + fastest * k[1])
    lift = min(weight, LIFT_FRACTION * exact.dot(maximum, -axis[:, 2]))
    linear, quadratic = (exact.dot(row, -axis[:, 2]) for row in k)
    # The root of linear w + quadratic w^2 = lift in a form valid for quadratic = 0 too.
    speed = 2 * lift / (linear + sqrt(max(linear * linear + 4 * quadratic * lift, 0.0)))
    return _Rotors(
        position=position,
        axis=axis,
        direction=direction,
        thrust=speed * (k[0] + speed * k[1]),
        slope=k[0] + 2 * speed * k[1],
        torque_slope=m[0] + 2 * speed * m[1],
        inertia=inertia * (1 - scalar(columns, "published_laws")),  # that of spin-up
        minimum=np.maximum(slowest * (k[0] + slowest * k[1]), IDLE_THRUST * maximum),
        maximum=maximum,
    )


def _mixer(rotors: _Rotors) -> Array:
    slope = np.where(rotors.present, rotors.slope, 1.0)
    ratio = np.where(rotors.present, rotors.torque_slope / slope, 0.0)
    matrix = allocation.effectiveness(rotors.position, rotors.axis, rotors.direction, ratio)
    return allocation.mixer(np.where(rotors.present, matrix, 0.0))


def _authority(rotors: _Rotors, thrusts: Array) -> float:
    """Return the available moment [N m] of either sign in hover, for ``thrusts`` [N] per N m."""
    used = np.abs(thrusts) > 0
    margin = np.minimum(rotors.maximum - rotors.thrust, rotors.thrust - rotors.minimum)
    return max(float(np.min(margin[used] / np.abs(thrusts[used]))), 0.0) if used.any() else 0.0


def _drag_slope(columns: Mapping[str, Array], weight: float, tilt: float) -> float:
    """Return the slope [N m/rad] of the moment of drag at a tilt, less the known part."""
    if not (columns["drag_linear"].any() or columns["drag_quadratic"].any()):
        return 0.0
    sine, cosine = exact.sincos(tilt)
    return abs(scalar(columns, "drag_offset")) * weight * float(sine * sine / cosine)


def gains(
    columns: Mapping[str, Array], c_type: str, periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gains of one vehicle.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Parameter columns of one vehicle, each of shape (width,), SI units, as in
        `pyrfly.VehicleParameters.columns`.
    c_type : str
        Vehicle type of the core: ``"quad_x"`` or ``"rotors_N"``.
    periods : LoopPeriods
        Periods of the velocity, attitude and rate loops.

    Returns
    -------
    dict of str to ndarray
        All columns of role *gain*, each of shape (width,), float64. A vehicle without yaw
        authority gets yaw gains of zero.

    Notes
    -----
    The docstring of the module describes the method.
    """
    weight = scalar(columns, "mass") * scalar(columns, "gravity")
    inertia, lag = columns["inertia"][:3], float(np.max(columns["motor_tau"]))
    rotors = _rotors(columns, c_type, weight)
    mix = _mixer(rotors)
    acceleration = [_authority(rotors, mix[:, 1 + i]) / inertia[i] for i in range(3)]

    drag = (columns["drag_linear"], columns["drag_quadratic"])
    up = exact.dot(rotors.maximum, -rotors.axis[:, 2])
    limits = lift_limits(scalar(columns, "gravity"), drag, weight, up)
    slope = _drag_slope(columns, weight, limits["tilt_limit"][0]) / min(inertia[:2])
    present = rotors.present
    torque = fsum(rotors.torque_slope[present])
    lead = fsum(rotors.inertia[present]) / torque if torque > 0 else 0.0
    damping = columns["damping_linear"] + columns["damping_quadratic"]
    values: dict[str, object] = {
        **assumed(columns, c_type),
        **cascade(Response(inertia, damping, acceleration, lag, lead, slope), periods),
        "mixer": allocation.mixer_column(mix),
        **limits,
    }
    return as_columns(values)
