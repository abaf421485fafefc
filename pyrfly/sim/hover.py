"""Start of vehicles in a trimmed hover: `hover_columns`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.sim.group import Group
from pyrfly.sim.selection import Rows, Selection
from pyrfly.sim.trim import trim

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
        A vehicle does not hover, has no equilibrium, or its position is not above the ground.
    """
    found = []
    for group, rows, indices in chosen:
        settled = group.family.settled
        if settled is None:
            raise ParameterError(
                f"hover: {group.name!r} (CopterID {group.first_id}) is a {group.family.name}, "
                "which does not hover"
            )
        numbers = np.arange(group.n)[rows]
        _require_above_ground(group, numbers, pos[indices])
        still = np.zeros((len(numbers), 3))
        point = trim(group, numbers, still, yaw[indices], start=pos[indices])
        columns = dict(point.state)
        for field in group.fields:
            if field.role in ("param", "gain"):
                columns[field.name] = group.view(field.name)[rows].reshape(len(numbers), -1)
        commands = {name: point.inputs[name] for name in command_columns(group.parameters.c_type)}
        state = {name: columns[name] for name in point.state}
        found.append((group, rows, {**state, **commands, **settled(columns)}))
    return found
