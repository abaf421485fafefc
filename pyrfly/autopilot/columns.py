"""Columns that not all vehicles have: `column`, `winged`, `of_transition`, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.protocol.bits import VtolState
from pyrfly.sim import Group, Sim
from pyrfly.vehicles.abilities import AttitudeLoops, Transition, Wings

__all__ = [
    "column",
    "ground_contact",
    "in_winged_flight",
    "of_loops",
    "of_transition",
    "winged",
]

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
    return _filled(sim, lambda _: name, width, default)


def winged(sim: Sim, name_of: Callable[[Wings], str | None]) -> Array:
    """Return a column of winged flight by its name in `Wings`, shape (n,).

    It is 0 of vehicles that do not fly by wings at present.
    """

    def name(group: Group) -> str | None:
        return group.abilities.wings and name_of(group.abilities.wings)

    values = _filled(sim, name, 1, 0.0)[:, 0]
    return np.where(
        (of_transition(sim, lambda t: t.state) == 0) | in_winged_flight(sim), values, 0.0
    )


def of_transition(sim: Sim, name_of: Callable[[Transition], str]) -> Array:
    """Return a column of transitions by its name in `Transition`, shape (n,); 0 without them."""

    def name(group: Group) -> str | None:
        return group.abilities.transition and name_of(group.abilities.transition)

    return _filled(sim, name, 1, 0.0)[:, 0]


def of_loops(sim: Sim, name_of: Callable[[AttitudeLoops], str | None], width: int) -> Array:
    """Return a column by its name in `AttitudeLoops`, shape (n, width); 0 without it."""

    def name(group: Group) -> str | None:
        return group.abilities.attitude and name_of(group.abilities.attitude)

    return _filled(sim, name, width, 0.0)


def in_winged_flight(sim: Sim) -> NDArray[np.bool_]:
    """Return which vehicles that hover, too, fly by wings at present, shape (n,)."""
    return np.asarray(of_transition(sim, lambda t: t.state) == float(VtolState.FW))


def _filled(sim: Sim, name_of: Callable[[Group], str | None], width: int, default: float) -> Array:
    values = np.full((sim.n, width), default)
    for group, rows, indices in sim.select():
        name = name_of(group)
        if name in _names(group):
            found = group.view(name)[rows]
            found = found.reshape(len(found), -1)[:, :width]
            values[indices, : found.shape[1]] = found
    return values


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
