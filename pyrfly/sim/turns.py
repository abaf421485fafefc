"""Steady turns about the vertical: `carried_by`, `require_turns`, `require_steady`."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.frames.rotations import quaternion_of_euler, quaternion_product
from pyrfly.sim.group import Group
from pyrfly.sim.model import Model, OperatingPoint, leave_ground
from pyrfly.sim.steady import ground_below
from pyrfly.sim.water import current_at

__all__ = ["carried_by", "require_steady", "require_turns"]

Array = NDArray[np.float64]

OTHERS = (2 * pi / 3, 4 * pi / 3)
"""Headings of a turn from the first one [rad], at which it must be steady, too."""

PUSHED = "where wind or a load pushes to the same side at all headings"
THROUGH = "; through a current there is one in a wind as fast: wind="

TOLERANCE = 1e-6
"""Remaining accelerations there [m/s^2, rad/s^2]."""


def carried_by(model: Model, group: Group, rows: NDArray[np.intp]) -> Array:
    """Return velocities [m/s, NED] of water, air or ground, which what turns has relative to it."""
    if group.flies:
        return model.read("wind")
    if not group.is_afloat:
        return ground_below(group, rows)[1]
    if not group.batch.has("water"):
        return np.zeros((model.count, 3))
    depth = model.read("pos")[:, 2] - model.read("water_surface")
    return current_at(depth, model.read("water_velocity"), model.read("water_shear_depth"))


def require_turns(group: Group, rows: NDArray[np.intp], yaw_rate: Array) -> None:
    """Raise where vehicles turn on a slope, or with a payload on a cable."""
    slope, _ = ground_below(group, rows)
    if not group.flies:
        _refuse(group, rows, slope.any(axis=1) & (yaw_rate != 0.0), yaw_rate, "on a slope")
    if group.batch.has("payload"):
        mass, cable, dropped = (
            group.view(f"payload_{of}")[rows] for of in ("mass", "cable", "dropped")
        )
        swings = (mass > 0) & (cable > 0) & (dropped == 0) & (yaw_rate != 0.0)
        _refuse(group, rows, swings, yaw_rate, "with a payload on a cable, which swings out")


def _refuse(
    group: Group, rows: NDArray[np.intp], which: NDArray[np.bool_], yaw_rate: Array, why: str
) -> None:
    if which.any():
        row = int(np.argmax(which))
        raise ParameterError(
            f"yaw_rate: expected 0 for {group.name} (CopterID {group.first_id + rows[row]}), got "
            f"{yaw_rate[row]:.6g}: no turn is steady {why}"
        )


def require_steady(
    group: Group, rows: NDArray[np.intp], point: OperatingPoint, yaw_rate: Array
) -> None:
    """Raise where the turn of an equilibrium goes on as none, at other headings."""
    if not yaw_rate.any():
        return
    model = Model(group, rows)
    model.write({**point.inputs, **point.state})
    leave_ground(model, group)
    model.let_payloads_hang()
    carried = carried_by(model, group, rows)
    for angle in OTHERS:
        sine, cosine = exact.sincos(angle)
        north, east, down = (point.state["vel"] - carried).T
        over = np.stack([north * cosine - east * sine, north * sine + east * cosine, down], axis=1)
        turned = quaternion_product(
            np.broadcast_to(quaternion_of_euler([0.0, 0.0, angle]), (len(rows), 4)),
            point.state["att"],
        )
        model.write({"vel": over + carried, "att": turned})
        rates = model.derivative()
        rates["vel"][:, 0] += yaw_rate * over[:, 1]
        rates["vel"][:, 1] -= yaw_rate * over[:, 0]
        left = np.concatenate([rates["vel"], rates["rate"]], axis=1)
        changes = (np.abs(left) > TOLERANCE).any(axis=1) & (yaw_rate != 0.0)
        _refuse(group, rows, changes, yaw_rate, f"{PUSHED}{THROUGH if group.is_afloat else ''}")
