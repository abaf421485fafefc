"""Velocities that vehicles can keep on the ground or the water: `require_velocity`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.sim.group import Group
from pyrfly.vehicles import Kind

__all__ = ["ground_below", "require_velocity"]

Array = NDArray[np.float64]

ALONG = 1e-5
"""Rounding of velocities, over their size: float32, and few digits."""


def ground_below(group: Group, rows: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return gradients (k, 2) and velocities (k, 3) [m/s, NED] of the ground, or of water."""
    if group.is_afloat or not group.batch.has("ground_plane"):
        return np.zeros((len(rows), 2)), np.zeros((len(rows), 3))
    gradient, moving = (group.view(f"terrain_{of}")[rows] for of in ("gradient", "velocity"))
    return gradient.astype(np.float64), moving.astype(np.float64)


def require_velocity(
    group: Group, rows: NDArray[np.intp], vel: Array, yaw: Array, fastest: str
) -> None:
    """Raise where vehicles cannot keep a velocity: they leave the surface, or nothing drives them.

    Parameters
    ----------
    group : Group
        The group.
    rows : ndarray of int, shape (k,)
        Rows of the vehicles.
    vel : ndarray, shape (k, 3)
        Ground velocities [m/s, NED].
    yaw : ndarray, shape (k,)
        Headings [rad].
    fastest : str
        See `pyrfly.vehicles.trim.Trim`.
    """
    if not group.abilities.kind & (Kind.DRIVES | Kind.FLOATS):
        return
    gradient, moving = ground_below(group, rows)
    over = vel - moving
    expected = moving[:, 2] + exact.row_sums(gradient * over[:, :2])
    leaves = np.abs(vel[:, 2] - expected) > ALONG * np.maximum(1.0, exact.norm(vel))
    if leaves.any():
        row = int(np.argmax(leaves))
        raise ParameterError(
            f"vel: expected {expected[row]:.6g} m/s down, along the surface below {group.name} "
            f"(CopterID {group.first_id + rows[row]}), got {vel[row, 2]:.6g}"
        )
    if fastest:
        _require_driven(group, rows, over, yaw, fastest)


def _require_driven(
    group: Group, rows: NDArray[np.intp], over: Array, yaw: Array, fastest: str
) -> None:
    """Raise where nothing drives vehicles at velocities over the ground, beyond rounding."""
    sine, cosine = exact.sincos(yaw)
    level = over[:, 0] * cosine + over[:, 1] * sine
    size = np.copysign(exact.norm(over), level)
    ahead, back = group.view(fastest)[rows].astype(np.float64).T
    beyond = (size > ahead * (1 + ALONG)) | (-size > back * (1 + ALONG))
    if beyond.any():
        row = int(np.argmax(beyond))
        raise ParameterError(
            f"vel: expected at most {ahead[row]:.6g} m/s ahead and {back[row]:.6g} back, above "
            f"which nothing drives {group.name} (CopterID {group.first_id + rows[row]}), got "
            f"{size[row]:.6g}"
        )
