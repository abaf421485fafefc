"""Where the springs of the detailed car hold it on a slope: `stand`.

All tyres carry about the same force per load, which holds the weight along the slope; heave, roll
and pitch follow from the loads (``csrc/vehicles/car/wheels.h``), by Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import constant_of
from pyrfly.frames.rotations import quaternion_product

__all__ = ["STOP", "stand"]

Array = NDArray[np.float64]
Read = Callable[[str], Any]

STOP = constant_of("car", "stop")
"""Stiffness of the stop of a spring over its own."""

ROUNDS = 8
"""Of Newton's method, which doubles the digits in each."""

SHARES = 3
"""Of the forces across, which depend on themselves by some per mille."""

NUDGE = 1e-6
"""Steps of its derivatives [m or rad]."""


class _Car:
    """Cars on slopes whose axes are those of the cars without springs; arrays of shape (k, 4)."""

    def __init__(self, read: Read) -> None:
        def column(name: str) -> Array:
            return np.asarray(read(name), dtype=np.float64)

        def wheels(name: str) -> Array:
            return np.repeat(column(name), 2, axis=1)

        self.att, weight = column("att"), column("mass") * column("gravity")
        w, x, y, z = self.att.T
        along = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x)], axis=-1)
        self.cosine = 1 - 2 * (x * x + y * y)
        self.grip = -along / self.cosine[:, None]  # force per load, forward and to the right
        self.load = weight * self.cosine
        front, rear = column("axle_distance").T
        standing = np.stack([rear, front], axis=-1) * (0.5 * weight / (front + rear))[:, None]
        standing /= column("spring_stiffness")
        self.stop = np.repeat(standing + column("spring_travel")[:, None], 2, axis=1)
        hanging = np.repeat(column("mass_height")[:, None] + standing, 2, axis=1)
        forward = np.stack([front, front, -rear, -rear], axis=-1)
        aside = wheels("axle_track") * np.array([-0.5, 0.5, -0.5, 0.5])
        self.ends = np.stack([forward, aside, hanging])
        self.stiffness, self.anti_roll = wheels("spring_stiffness"), wheels("anti_roll")
        self.per_stiffness = 1.0 / column("tyre_side_stiffness")[:, None]

    def loads(self, height: Array, roll: Array, pitch: Array) -> tuple[Array, Array, Array]:
        """Return loads of the wheels [N], and their places forward and to the right [m]."""
        (sr, cr), (sp, cp) = (tuple(v[:, None] for v in exact.sincos(a)) for a in (roll, pitch))
        x, y, z = self.ends
        depth = cp * (sr * y + cr * z) - sp * x - height[:, None]
        beyond = np.maximum(0.0, depth - self.stop)
        loads = self.stiffness * (depth + STOP * beyond)
        loads += self.anti_roll * (depth - depth[:, [1, 0, 3, 2]])
        return loads, cp * x + sp * (sr * y + cr * z), cr * y - sr * z

    def residual(self, height: Array, roll: Array, pitch: Array) -> Array:
        """Return force and moments that are not balanced, shape (3, k)."""
        loads, forward, aside = self.loads(height, roll, pitch)
        total = exact.row_sums(loads)
        held = height * total
        overturning = self.across(loads) * self.per_stiffness * loads
        return np.stack(
            [
                total - self.load,
                exact.row_sums((aside + overturning) * loads) + held * self.grip[:, 1],
                exact.row_sums(forward * loads) + held * self.grip[:, 0],
            ]
        )

    def across(self, loads: Array) -> Array:
        """Return the forces to the right per load: their axles balance the yaw moment, too."""
        axles = np.stack([loads[:, 0] + loads[:, 1], loads[:, 2] + loads[:, 3]], axis=-1)
        couple = np.array([-1.0, 1.0]) / (axles * (self.ends[0, :, [0]] - self.ends[0, :, [2]]).T)
        shares = np.repeat(self.grip[:, 1:], 4, axis=1)
        for _ in range(SHARES):
            overturning = exact.row_sums(shares * self.per_stiffness * loads * loads)
            pair = (self.grip[:, 0] * overturning)[:, None] * couple
            shares = self.grip[:, 1:] + np.repeat(pair, 2, axis=1)
        return shares


def stand(read: Read) -> dict[str, Array]:
    """Return the columns of cars at rest on slopes.

    Parameters
    ----------
    read : callable
        Returns a column of the cars by name. Their attitude is along the slope.
    """
    car = _Car(read)
    height = np.asarray(read("mass_height"), dtype=np.float64)
    at = [height, 0.0 * height, 0.0 * height]
    for _ in range(ROUNDS):
        now = car.residual(*at)
        nudged = [[one + NUDGE * (i == k) for k, one in enumerate(at)] for i in range(3)]
        slopes = np.stack([(car.residual(*one) - now) / NUDGE for one in nudged])
        products = [[sum(a * b) for b in slopes] for a in slopes]
        sides = np.stack([sum(a * now) for a in slopes], axis=-1)
        steps = exact.solve(np.moveaxis(np.array(products), 2, 0), sides)
        at = [one - step for one, step in zip(at, steps.T, strict=True)]
    pos = np.array(read("pos"), dtype=np.float64)
    pos[:, 2] = read("terrain") + height - at[0] / car.cosine
    return {
        "pos": pos,
        "att": _tilted(car.att, at[1], at[2]),
        "tyre_along": np.repeat(car.grip[:, :1], 4, axis=1),
        "tyre_across": car.across(car.loads(*at)[0]),
    }


def _tilted(att: Array, roll: Array, pitch: Array) -> Array:
    """Return attitudes after a pitch and a roll, as quaternions of shape (k, 4)."""
    (sr, cr), (sp, cp) = exact.sincos(0.5 * roll), exact.sincos(0.5 * pitch)
    return quaternion_product(att, np.stack([cp * cr, cp * sr, sp * cr, -sp * sr], axis=-1))
