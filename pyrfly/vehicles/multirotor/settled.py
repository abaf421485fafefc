"""Controllers of a multirotor that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.hovering import demand_for, settled_position

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
    return demand_for(columns["mixer"].reshape(k, 4, rotors), thrusts)


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
    """Return what `Family.settled` does, of multirotors.

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
