"""Thrusters of marine craft, where a search for an equilibrium begins: `underway`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.marine.allocation import Allocation

__all__ = ["underway"]

Array = NDArray[np.float64]


def underway(
    of: Allocation, columns: Mapping[str, Array], _speed: Array, lacking: Array
) -> dict[str, Array]:
    """Return what `Trim.underway` does: the least thrusts for the accelerations that lack.

    With thrusts in proportion to the square of a command, and without what couples the axes.
    """
    mass = columns["mass"] + columns["added_mass"]
    inertia = columns["inertia"][:, :3] + columns["added_inertia"]
    wrench = lacking * np.concatenate([mass, inertia], axis=1)
    thrust = exact.row_sums(of.thrusters * wrench[:, None])
    full = np.where(thrust < 0.0, of.astern, of.ahead)
    share = np.where(full > 0.0, np.abs(thrust) / np.where(full > 0.0, full, 1.0), 0.0)
    command = np.copysign(np.minimum(np.sqrt(share), 1.0), thrust)
    ahead, astern = (columns["thruster_speed_max"][:, k, None] for k in range(2))
    turning = command * np.where(command < 0.0, astern, ahead)
    return {"thruster_command": command, "thruster_speed": turning}
