"""Steady rotor speed for a throttle, and hover throttle."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = [
    "curve_speed",
    "curve_throttle",
    "hover_power",
    "hover_speed",
    "hover_throttle",
    "lift_coefficients",
    "motor_throttle",
    "rotor_inflow",
    "steady_rotor_speed",
]

Array = NDArray[np.float64]

INFLOW = 0.25
"""Relative loss of thrust at a constant rotor speed per inflow over the induced velocity of hover,
estimated: 0.26 by blade elements with solidity times lift slope 0.5 at an inflow ratio of 0.09;
0.35 of a Hummingbird and 0.08 of a Crazyflie by the coefficients of [@rotorpy]; 0.15 to 0.24 of
Crazyflies by the vertical drag of their identified sets."""


def curve_speed(curve: Array, throttle: float) -> float:
    """Return the speed [rad/s] of the cubic ``motor_curve`` at a throttle."""
    c0, c1, c2, c3 = (float(c) for c in curve)
    return c0 + throttle * (c1 + throttle * (c2 + throttle * c3))


def curve_throttle(curve: Array, low: float, high: float, speed: float) -> float:
    """Return the throttle at which the cubic ``motor_curve`` has a speed: its inverse.

    Parameters
    ----------
    curve : ndarray, shape (4,)
        The curve, which does not decrease from ``low`` to ``high``.
    low, high : float
        Range of the throttle, ``motor_dead_zone`` to ``motor_max``.
    speed : float
        Rotor speed [rad/s].

    Returns
    -------
    float
        The lowest throttle that has it; the end of the range for a speed beyond that of the end.

    Examples
    --------
    >>> curve_throttle(np.array([100.0, 500.0, 200.0, 0.0]), 0.0, 1.0, 400.0)
    0.5
    """
    while low < (middle := (low + high) / 2) < high:
        if max(curve_speed(curve, middle), 0.0) < speed:  # rotors never turn backwards
            low = middle
        else:
            high = middle
    return high


def motor_throttle(read: Callable[[str], Any], speed: float) -> float:
    """Return the throttle that holds a rotor speed of a vehicle, see `curve_throttle`.

    Parameters
    ----------
    read : callable
        Returns a column of the vehicle by name.
    speed : float
        Rotor speed [rad/s].

    Returns
    -------
    float
        Throttle, 0 to 1.
    """
    low, high = (float(read(name)) for name in ("motor_dead_zone", "motor_max"))
    return curve_throttle(read("motor_curve"), low, high, speed)


def steady_rotor_speed(params: VehicleParameters, throttle: float) -> float:
    """Return the steady speed of a rotor.

    Parameters
    ----------
    params : VehicleParameters
        A loaded set.
    throttle : float
        Motor throttle, 0 to 1.

    Returns
    -------
    float
        Rotor speed [rad/s], never negative; 0 in the dead zone.
    """
    u = min(max(throttle, 0.0), float(params.columns["motor_max"][0]))
    if u < params.columns["motor_dead_zone"][0]:
        return 0.0
    return max(curve_speed(params.columns["motor_curve"], u), 0.0)


def lift_coefficients(params: VehicleParameters) -> tuple[float, float]:
    """Return the linear and the quadratic coefficient of the total lift of the level vehicle."""
    if params.c_type == "quad_x":
        linear, quadratic = (4.0 * float(k) for k in params.columns["thrust_coef"])
        return linear, quadratic
    coefficients = params.columns["rotor_thrust_coef"].reshape(2, -1)
    up = -params.columns["rotor_axis"].reshape(3, -1)[2]
    return exact.dot(coefficients[0], up), exact.dot(coefficients[1], up)


def hover_speed(params: VehicleParameters) -> float:
    """Return the common rotor speed [rad/s] with which the level vehicle hovers, or inf."""
    linear, quadratic = lift_coefficients(params)
    weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
    discriminant = linear * linear + 4 * quadratic * weight
    denominator = linear + sqrt(discriminant) if discriminant >= 0 else 0.0
    # The root of linear w + quadratic w^2 = weight in a form valid for quadratic = 0 too.
    return 2 * weight / denominator if denominator > 0 else inf


def rotor_inflow(params: VehicleParameters, disk_area: Array) -> Array:
    """Return estimates of the loss of a rotor's thrust per inflow and rotor speed.

    A vehicle of weight T, which hovers with the induced velocity v = sqrt(T / (2 rho A)), loses
    `INFLOW` T / v per inflow, of which its vertical ``drag_linear`` has a part already.

    Parameters
    ----------
    params : VehicleParameters
        A loaded set.
    disk_area : ndarray, shape (k,)
        Areas of the disks of all rotors [m^2].

    Returns
    -------
    ndarray, shape (k,)
        Column ``rotor_inflow`` [N s^2/m].
    """
    weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
    loss = INFLOW * np.sqrt(2 * AIR_DENSITY * disk_area * weight)
    rest = np.maximum(loss - float(params.columns["drag_linear"][2]), 0.0)
    speeds = params.actuator_count * hover_speed(params)
    return rest / speeds if speeds > 0 else np.zeros_like(rest)


def hover_throttle(params: VehicleParameters) -> float:
    """Return the common throttle at which the lift of the level vehicle equals its weight.

    Parameters
    ----------
    params : VehicleParameters
        A loaded set.

    Returns
    -------
    float
        Throttle, 0 to 1.

    Raises
    ------
    ParameterError
        The hover speed is outside the range of the motors.
    """
    speed = hover_speed(params)
    low = float(params.columns["motor_dead_zone"][0])
    high = float(params.columns["motor_max"][0])
    slowest, fastest = steady_rotor_speed(params, low), steady_rotor_speed(params, high)
    if not slowest <= speed <= fastest:
        raise ParameterError(
            f"{params.name}: expected a hover speed of {slowest:.6g} to {fastest:.6g} rad/s, the "
            f"range of the motors, got {speed:.6g} rad/s"
        )
    return curve_throttle(params.columns["motor_curve"], low, high, speed)


def hover_power(params: VehicleParameters) -> float:
    """Return the power [W] of the reaction torques at the hover throttle, without gravity 0."""
    speed = steady_rotor_speed(params, hover_throttle(params))
    torque = params.columns["torque_coef" if params.c_type == "quad_x" else "rotor_torque_coef"]
    linear, quadratic = torque.reshape(2, -1)
    rotors = params.actuator_count if params.c_type == "quad_x" else 1
    each = np.maximum(speed * (linear + speed * quadratic), 0.0)
    return float(rotors * speed * exact.row_sums(each[None])[0])
