"""Columns that not all vehicles have: `column`, `charge`, `ground_contact`."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.sim import Group, Sim

__all__ = ["charge", "column", "ground_contact"]

Array = NDArray[np.float64]

_known: WeakKeyDictionary[Group, tuple[tuple[Field, ...], frozenset[str]]] = WeakKeyDictionary()
"""Columns of a group, and their names."""


def column(sim: Sim, name: str, width: int = 1, default: float = 0.0) -> Array:
    """Return a column of all vehicles, with a default for those that do not have it.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    name : str
        A column.
    width : int
        Components to return.
    default : float
        Value of vehicles without it, and of components that are missing.

    Returns
    -------
    ndarray, shape (n, width)
        A copy.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> column(sim, "wheel_speed", 2, default=-1.0).tolist()
    [[-1.0, -1.0]]
    """
    values = np.full((sim.n, width), default)
    for group, rows, indices in sim.select():
        if name in _names(group):
            found = group.view(name)[rows]
            found = found.reshape(len(found), -1)[:, :width]
            values[indices, : found.shape[1]] = found
    return values


def charge(sim: Sim) -> Array:
    """Return the remaining charge of the batteries, 0 to 1, shape (n,); 1 without one."""
    on = column(sim, "battery_on")[:, 0] != 0
    return np.where(on, column(sim, "state_of_charge")[:, 0], 1.0)


def ground_contact(sim: Sim) -> Array:
    """Return the height above the ground of the point that touches it first [m], shape (n,)."""
    height = sim.terrain - sim.pos[:, 2] - column(sim, "contact_height")[:, 0]
    return np.asarray(height, np.float64)


def _names(group: Group) -> frozenset[str]:
    """Return the names of the columns of a group, which change when a part is enabled."""
    fields, names = _known.get(group, ((), frozenset()))
    if fields is not group.fields:
        names = frozenset(field.name for field in group.fields)
        _known[group] = (group.fields, names)
    return names
