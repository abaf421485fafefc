"""Start of vehicles in a trimmed hover: `hover_columns`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import command_columns
from pyrfly.errors import CommandWarning, ParameterError, brief, warn
from pyrfly.sim.group import Group
from pyrfly.sim.model import OperatingPoint
from pyrfly.sim.selection import Rows, Selection
from pyrfly.sim.trim import holds, nearest, trim
from pyrfly.vehicles import Kind

__all__ = ["hover_columns"]

Array = NDArray[np.float64]


def _require_above_ground(group: Group, rows: NDArray[np.intp], pos: Array) -> None:
    ground = group.ground_at(rows, pos)
    below = ~(pos[:, 2] < ground)
    if below.any():
        row = int(np.argmax(below))
        got = ground[row] if np.isnan(pos[row, 2]) else pos[row, 2]
        raise ParameterError(
            f"pos: expected z < {ground[row]:g} [m, NED], above the ground, to hover with CopterID "
            f"{group.first_id + rows[row]}, got {got:g}"
        )


def _hover(group: Group, rows: NDArray[np.intp], pos: Array, yaw: Array) -> OperatingPoint:
    """Return the equilibria at rest: in still air, with a warning, where there is none in wind."""
    still = np.zeros((len(rows), 3))
    point, remaining = nearest(group, rows, still, yaw, start=pos)
    held = holds(remaining)
    if held.all():
        return point
    wind = np.where(held[:, None], point.inputs["wind"], 0.0)
    calm = trim(group, rows, still, yaw, wind, start=pos)
    ids = (group.first_id + rows[~held]).tolist()
    blowing = ", ".join(f"{value:.3g}" for value in point.inputs["wind"][int(np.argmin(held))])
    warn(
        f"hover: the wind of {len(ids)} of {len(held)} {group.name}, CopterIDs {brief(ids)}, is "
        f"more than they can hold, of the first {blowing} m/s; they start as in still air",
        CommandWarning,
    )
    return calm


def hover_columns(
    chosen: Selection, pos: Array, yaw: Array
) -> list[tuple[Group, Rows, dict[str, Array]]]:
    """Return the columns of vehicles that hover, by group.

    Parameters
    ----------
    chosen : Selection
        The vehicles.
    pos : ndarray, shape (k, 3)
        Positions [m, NED]; NaN for z is on the ground.
    yaw : ndarray, shape (k,)
        Headings [rad].

    Raises
    ------
    ParameterError
        A vehicle does not hover, has no equilibrium in still air either, or its position is not
        above the ground.
    """
    found = []
    for group, rows, indices in chosen:
        settled = group.family.settled
        if settled is None or Kind.HOVERS not in group.abilities.kind:
            starts = " but starts in flight with a velocity: reset(pos=...), then sim.vel = ..."
            raise ParameterError(
                f"hover: expected False for {group.name} (CopterID {group.first_id}), which does "
                f"not hover{starts if Kind.WINGED in group.abilities.kind else ''}, got True; "
                "reset(hover=True, ids=...) leaves it out"
            )
        numbers = np.arange(group.n)[rows]
        _require_above_ground(group, numbers, pos[indices])
        point = _hover(group, numbers, pos[indices], yaw[indices])
        columns = {**point.inputs, **point.state}
        for field in group.fields:
            if field.role == "gain":
                columns[field.name] = group.view(field.name)[rows].reshape(len(numbers), -1)
        commands = {name: point.inputs[name] for name in command_columns(group.parameters.c_type)}
        state = {name: columns[name] for name in point.state}
        found.append((group, rows, {**state, **commands, **settled(columns)}))
    return found
