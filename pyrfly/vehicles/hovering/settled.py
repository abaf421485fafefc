"""Controllers of vehicles that hover, in an equilibrium: `settled_position`, `demand_for`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import CommandWarning, warn
from pyrfly.frames.rotations import yaw_of_quaternion
from pyrfly.protocol.bits import Setpoint

__all__ = ["demand_for", "down_axis", "settled_position"]

Array = NDArray[np.float64]


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


def down_axis(att: Array) -> Array:
    """Return the down axes of vehicles, NED, shape (k, 3), for quaternions (k, 4)."""
    w, x, y, z = att.T
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=-1)


def demand_for(mixer: Array, commands: Array) -> Array:
    """Return what a mixer turns into commands, shape (k, d): of the least squares where it cannot.

    Parameters
    ----------
    mixer : ndarray, shape (k, d, n)
        Commands per demand, such as thrusts per collective thrust and moments.
    commands : ndarray, shape (k, n)
        The commands.
    """
    normal = exact.row_sums(mixer[:, :, None] * mixer[:, None])
    return exact.solve(normal, exact.row_sums(mixer * commands[:, None]))


def settled_position(columns: Mapping[str, Array], thrust: Array) -> dict[str, Array]:
    """Return columns with which position, velocity and attitude loop hold an equilibrium.

    Parameters
    ----------
    columns : mapping of str to ndarray
        State and gains of k vehicles in the equilibrium, each of shape (k, width).
    thrust : ndarray, shape (k, 1)
        Collective thrust [N] that the velocity loop then demands.

    Returns
    -------
    dict of str to ndarray
        Set-points, the state of these loops, and the flags, each of shape (k, width).

    Notes
    -----
    The velocity loop demands ``m (a - g e_down)`` [N, NED] with its integral as acceleration ``a``
    (``csrc/control/velocity.h``). A wind in which that is beyond the limits of the commands gives
    a `CommandWarning`.
    """
    down = down_axis(columns["att"])
    yaw = yaw_of_quaternion(columns["att"])
    sine, cosine = exact.sincos(yaw)
    integral = -down * thrust / columns["control_mass"]
    integral[:, 2] += columns["control_gravity"][:, 0]
    _warn_of_limits(columns, down, integral)
    zero = np.zeros((len(down), 3))
    return {
        "pos_sp": columns["pos"],
        "yaw_sp": yaw[:, None],
        "held_pos": columns["pos"],
        "velocity_integral": integral,
        "followed_accel": integral,
        "disturbance": -integral,
        "thrust_direction": -down,
        "heading": np.stack([cosine, sine], axis=-1),
        "heading_rate": zero[:, :1],
        "thrust": thrust,
        "rate_command": zero,
        "armed": np.ones((len(down), 1)),
        "setpoint_mask": np.full((len(down), 1), float(Setpoint.POSITION | Setpoint.YAW)),
    }
