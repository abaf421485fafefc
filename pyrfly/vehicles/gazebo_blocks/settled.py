"""Controllers of a vehicle of blocks that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY
from pyrfly.vehicles.hovering import settled_position

__all__ = ["settled"]

Array = NDArray[np.float64]

_HOVER = 3.0
"""MAV_VTOL_STATE of one that flies by wings, too."""


def _joint_mixer(columns: Mapping[str, Array]) -> Array:
    """Return positions of joints times the thrust of all motors, per thrust and moment.

    Shape (k, 4, joints): of the collective thrust, and of the moments about the body's axes.
    """
    x, y, z = np.split(columns["joint_mixer"], 3, axis=1)  # of the axes that fly forward
    turned = columns["wing_turned"] != 0.0
    moments = [np.where(turned, z, x), y, np.where(turned, -x, z)]
    return np.stack([np.zeros_like(x), *moments], axis=1)


def settled(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return columns with which the controllers hold an equilibrium in hover.

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
    Thrusts are those at rest, by which the controllers command the motors; joints in slipstreams
    have positions in proportion to moments over the thrust; motors that are not for hover are left
    out (``csrc/vehicles/gazebo_blocks/control.h``).
    """
    lifts = columns["motor_ceiling"] > 0.0
    thrusts = lifts * columns["motor_thrust"] * np.square(columns["motor_speed"])
    by_motors = columns["motor_mixer"].reshape(len(thrusts), 4, CAPACITY["motor"])
    mixer = np.concatenate([by_motors, _joint_mixer(columns)], axis=2)
    blown = exact.row_sums(thrusts)[:, None] * columns["joint_angle"]
    given = np.concatenate([thrusts, blown], axis=1)
    normal = exact.row_sums(mixer[:, :, None] * mixer[:, None])
    demand = exact.solve(normal, exact.row_sums(mixer * given[:, None]))
    held = settled_position(columns, demand[:, :1])
    return {
        **held,
        "rate_integral": demand[:, 1:],
        "rate_before": np.zeros((len(demand), 3)),
        "vtol_state": np.where(columns["transition_timeout"] > 0.0, _HOVER, 0.0),
    }
