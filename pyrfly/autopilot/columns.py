"""Columns that not all vehicles have: `column`, `winged`, `of_transition`, and what follows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import VtolState
from pyrfly.sim import Group, Sim
from pyrfly.vehicles.abilities import AttitudeLoops, Transition, Wings

__all__ = [
    "column",
    "in_winged_flight",
    "of_loops",
    "of_transition",
    "winged",
]

Array = NDArray[np.float64]

# A plain number: NumPy compares with members of an IntEnum ten times as slowly.
_WINGED = float(VtolState.FW)


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
    if _changes(sim):
        state = of_transition(sim, lambda columns: columns.state)
        values[(state != 0) & (state != _WINGED)] = 0.0
    return values


def of_transition(sim: Sim, name_of: Callable[[Transition], str]) -> Array:
    """Return a column of transitions by its name in `Transition`, shape (n,); 0 without them."""
    if not _changes(sim):
        return np.zeros(sim.n)

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
    return np.asarray(of_transition(sim, lambda columns: columns.state) == _WINGED)


def _changes(sim: Sim) -> bool:
    """Return whether there are vehicles that change between hover and winged flight."""
    return any(group.abilities.transition is not None for group in sim.groups)


def _filled(sim: Sim, name_of: Callable[[Group], str | None], width: int, default: float) -> Array:
    values = np.full((sim.n, width), default)
    for group, rows, indices in sim.select():
        name = name_of(group)
        if group.has(name):
            assert name is not None
            found = group.view(name)[rows]
            found = found.reshape(len(found), -1)[:, :width]
            values[indices, : found.shape[1]] = found
    return values
