"""Controllers of a multirotor that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import CommandWarning, warn
from pyrfly.frames.rotations import yaw_of_quaternion
from pyrfly.protocol.bits import Setpoint

__all__ = ["settled"]

Array = NDArray[np.float64]


def _rotor_thrusts(columns: Mapping[str, Array]) -> Array:
    """Return the thrusts [N] of the rotors, shape (k, rotors)."""
    speed = columns["rotor_speed"]
    if "thrust_coef" in columns:
        linear, quadratic = np.split(columns["thrust_coef"], 2, axis=1)
    else:
        linear, quadratic = np.split(columns["rotor_thrust_coef"], 2, axis=1)
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
    moment: Array = columns["control_mass"] * columns["control_offset"] * np.stack(along, axis=-1)
    return moment


def _warn_of_limits(columns: Mapping[str, Array], down: Array, acceleration: Array) -> None:
    """Warn if an equilibrium takes more tilt or horizontal acceleration than commands may."""
    _, cosine = exact.sincos(columns["tilt_limit"][:, 0])
    beyond = (down[:, 2] < cosine) | (
        exact.norm(acceleration[:, :2]) > columns["accel_limit"][:, 0]
    )
    if beyond.any():
        warn(
            f"hover: in this wind {np.count_nonzero(beyond)} of {len(beyond)} vehicles need more "
            "than their tilt_limit or accel_limit; the controllers will not hold the position",
            CommandWarning,
        )


def settled(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return columns with which the controllers hold an equilibrium, without a transient.

    Parameters
    ----------
    columns : mapping of str to ndarray
        State, parameters and gains of k vehicles in the equilibrium, each of shape (k, width).

    Returns
    -------
    dict of str to ndarray
        Set-points, the state of the controllers, and the flags, each of shape (k, width).

    Notes
    -----
    The velocity loop demands ``m (a - g e_down)`` [N, NED] with its integral as acceleration ``a``
    (``csrc/control/velocity.h``), the rate loop its integral as moment (``csrc/control/rate.h``),
    less the moment of the drag that the velocity loop observes. A wind in which these are beyond
    the limits of the commands gives a `CommandWarning`.
    """
    demand = _demand(columns)
    w, x, y, z = columns["att"].T
    down = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=-1)
    yaw = yaw_of_quaternion(columns["att"])
    sine, cosine = exact.sincos(yaw)
    integral = -down * demand[:, :1] / columns["control_mass"]
    integral[:, 2] += columns["gravity"][:, 0]
    _warn_of_limits(columns, down, integral)
    drag_moment = _drag_moment(columns, -integral)
    moment = demand[:, 1:].copy()
    moment[:, :2] += drag_moment
    zero = np.zeros((len(w), 3))
    return {
        "pos_sp": columns["pos"],
        "yaw_sp": yaw[:, None],
        "held_pos": columns["pos"],
        "velocity_integral": integral,
        "followed_accel": integral,
        "disturbance": -integral,
        "drag_moment": drag_moment,
        "rate_integral": moment,
        "rate_before": zero,
        "thrust_direction": -down,
        "heading": np.stack([cosine, sine], axis=-1),
        "heading_rate": zero[:, :1],
        "thrust": demand[:, :1],
        "rate_command": zero,
        "armed": np.ones((len(w), 1)),
        "setpoint_mask": np.full((len(w), 1), float(Setpoint.POSITION | Setpoint.YAW)),
    }
