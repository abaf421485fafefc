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
    Thrusts are those at rest, by which the controllers command the motors
    (``csrc/vehicles/gazebo_blocks/control.h``); motors that are not for hover are left out.
    """
    lifts = columns["motor_ceiling"] > 0.0
    thrusts = lifts * columns["motor_thrust"] * np.square(columns["motor_speed"])
    mixer = columns["motor_mixer"].reshape(len(thrusts), 4, CAPACITY["motor"])
    normal = exact.row_sums(mixer[:, :, None] * mixer[:, None])
    demand = exact.solve(normal, exact.row_sums(mixer * thrusts[:, None]))
    held = settled_position(columns, demand[:, :1])
    return {
        **held,
        "rate_integral": demand[:, 1:],
        "rate_before": np.zeros((len(demand), 3)),
        "vtol_state": _HOVER * (columns["transition_timeout"] > 0.0),
    }
