"""Controllers of a multirotor that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.hovering import settled_position

__all__ = ["settled"]

Array = NDArray[np.float64]


def _rotor_thrusts(columns: Mapping[str, Array]) -> Array:
    """Return the thrusts [N] that the controllers assume at the throttles, shape (k, rotors)."""
    throttle = np.minimum(columns["throttle"], columns["control_motor_max"])
    c0, c1, c2, c3 = columns["control_motor_curve"].T[:, :, None]
    speed = np.maximum(c0 + throttle * (c1 + throttle * (c2 + throttle * c3)), 0.0)
    speed = np.where(throttle < columns["control_motor_dead_zone"], 0.0, speed)
    if "control_thrust_coef" in columns:
        linear, quadratic = np.split(columns["control_thrust_coef"], 2, axis=1)
    else:
        linear, quadratic = np.split(columns["control_rotor_thrust_coef"], 2, axis=1)
    thrusts: Array = speed * (linear + speed * quadratic)
    return thrusts


def _demand(columns: Mapping[str, Array]) -> Array:
    """Return collective thrust [N] and moments [N m] that the mixer turns into the thrusts."""
    thrusts = _rotor_thrusts(columns)
    k, rotors = thrusts.shape
    mixer = columns["mixer"].reshape(k, 4, rotors)
    normal = exact.row_sums(mixer[:, :, None] * mixer[:, None])
    return exact.solve(normal, exact.row_sums(mixer * thrusts[:, None]))


def _drag_moment(columns: Mapping[str, Array], disturbance: Array) -> Array:
    """Return the roll and pitch moment [N m] of a disturbance [m/s^2, NED], shape (k, 2)."""
    w, x, y, z = columns["att"].T
    forward = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)
    right = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], axis=-1)
    along = [exact.row_sums(right * disturbance), -exact.row_sums(forward * disturbance)]
    moment: Array = (
        columns["control_mass"] * columns["control_drag_offset"] * np.stack(along, axis=-1)
    )
    return moment


def settled(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return columns with which the controllers hold an equilibrium, without a transient.

    Parameters
    ----------
    columns : mapping of str to ndarray
        State, inputs and gains of k vehicles in the equilibrium, each of shape (k, width).

    Returns
    -------
    dict of str to ndarray
        Set-points, the state of the controllers, and the flags, each of shape (k, width).

    Notes
    -----
    The rate loop demands its integral as moment (``csrc/control/rate.h``), less the moment of the
    drag that the velocity loop observes; for that see `settled_position`.
    """
    demand = _demand(columns)
    held = settled_position(columns, demand[:, :1])
    drag_moment = _drag_moment(columns, held["disturbance"])
    moment = demand[:, 1:].copy()
    moment[:, :2] += drag_moment
    return {
        **held,
        "drag_moment": drag_moment,
        "rate_integral": moment,
        "rate_before": np.zeros((len(moment), 3)),
    }
