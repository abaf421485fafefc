"""Random values of columns that do not depend on the number of vehicles: `uniform_draws`."""

from __future__ import annotations

import hashlib
from typing import Any

from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import brief
from pyrfly.sim.arguments import uniform_bounds
from pyrfly.sim.selection import Rows, Selection

__all__ = ["column_stream", "uniform_draws"]


def column_stream(column: str) -> int:
    """Return the number of the stream of random numbers of a column."""
    return int.from_bytes(hashlib.blake2b(column.encode(), digest_size=4).digest(), "little")


def uniform_draws(
    chosen: Selection, name: str, low: ArrayLike, high: ArrayLike, seed: int, draws: int
) -> list[tuple[NDArray[Any], Rows, NDArray[Any]]]:
    """Return values of a column of selected vehicles, from a uniform distribution.

    Parameters
    ----------
    chosen : Selection
        The vehicles.
    name, low, high
        See `Sim.randomize`, also for the errors.
    seed, draws : int
        Seed of the simulation, and the number of draws since it was set.

    Returns
    -------
    list of (ndarray, rows, ndarray)
        Of each group the view of the column, the rows to write, and their new values.
    """
    if not isinstance(name, str):
        raise TypeError(f"name: expected the name of a column, got {brief(name)}")
    views = [group.writable(name) for group, _, _ in chosen]
    minimum, maximum = uniform_bounds(name, low, high, views)
    for group, _, _ in chosen:
        for bound in (minimum, maximum):
            group.check_values(name, bound)
            group.check_together(name, bound)
    found = []
    for (group, rows, _), view in zip(chosen, views, strict=True):
        width = 1 if view.ndim == 1 else view.shape[1]
        shares = _core.uniform(seed, column_stream(name), draws, group.first_id, group.n, width)
        values = (minimum + shares * (maximum - minimum)).reshape(view.shape)
        found.append((view, rows, values[rows]))
    return found
