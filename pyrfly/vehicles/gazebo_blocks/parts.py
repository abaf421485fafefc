"""Parts of a vehicle of blocks from its columns, and its motors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.gazebo_blocks.rules import ONE_EACH

__all__ = ["Motors", "filled", "rows", "sum_of_parts"]

Array = NDArray[np.float64]


def rows(columns: Mapping[str, Array], kind: str, name: str) -> Array:
    """Return a column of the parts that a vehicle has, shape (parts, width)."""
    count = int(columns[f"{kind}_count"][0])
    room = columns[ONE_EACH[kind]].size
    found: Array = columns[f"{kind}_{name}"].reshape(-1, room)[:, :count].T
    return found


def filled(columns: Mapping[str, Array], kind: str, values: Array) -> Array:
    """Return values of the parts of a kind, followed by zeros for those that a vehicle has not."""
    shape = (columns[ONE_EACH[kind]].size - len(values), *values.shape[1:])
    return np.concatenate([values, np.zeros(shape)])


def sum_of_parts(of_each: Array) -> Array:
    """Return the sums over the parts of vectors of shape (..., parts, 3), shape (..., 3)."""
    return np.asarray(exact.row_sums(np.swapaxes(of_each, -1, -2)))


class Motors:
    """The motors of a vehicle: places [m] and axes, shape (motors, 3), the rest (motors,).

    Attributes
    ----------
    position, axis : ndarray, shape (motors, 3)
    torque : ndarray, shape (motors,)
        Moment about the axis per thrust [m].
    fastest : ndarray, shape (motors,)
        Speed at the channel 1 [rad/s].
    ceiling : ndarray, shape (motors,)
        Thrust at the channel 1, at rest [N]; 0 of those whose thrust is not along the axis.
    joint : ndarray of int, shape (motors,)
        Which joint tilts it, -1 for none; about `tilt_axis`, shape (motors, 3).
    loss : ndarray, shape (motors,)
        Share of the thrust lost per airspeed along the axis [s/m].
    """

    def __init__(self, columns: Mapping[str, Array]) -> None:
        def of(name: str) -> Array:
            return rows(columns, "motor", name)

        self.position, self.axis = of("position"), of("axis")
        self.torque = -of("direction")[:, 0] * of("moment")[:, 0]
        fastest = (1.0 + of("offset")[:, 0]) * of("scaling")[:, 0] + of("zero")[:, 0]
        self.fastest = np.minimum(fastest, of("limit")[:, 0])
        self.ceiling = of("thrust")[:, 0] * self.fastest * np.maximum(self.fastest, 0.0)
        self.ceiling[of("reversible")[:, 0] < 0.0] = 0.0
        self.loss = of("airspeed_loss")[:, 0]
        self.joint, self.tilt_axis = of("joint")[:, 0].astype(int), of("tilt_axis")
        self.lag = float(of("lags").max(initial=0.0))
