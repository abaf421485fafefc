"""Chosen vehicles of a `pyrfly.Sim`, whatever their kinds, as rows of one array."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.sim import Group, Sim
from pyrfly.vehicles import Family

__all__ = ["MOTORS", "Lock", "Vehicles"]

Array = NDArray[np.float64]
Lock = AbstractContextManager[Any]

MOTORS = 8  # of RflySim's MotorRPMS


class Vehicles:
    """Vehicles that are read and written a column at a time.

    Parameters
    ----------
    sim : Sim
        The world they are in.
    ids : sequence of int
        Their CopterIDs, in the order of the rows.
    lock : context manager
        Held while columns are touched.
    """

    def __init__(self, sim: Sim, ids: Sequence[int], lock: Lock) -> None:
        self.sim = sim
        self._lock = lock
        self.ids = np.array(ids, dtype=np.intp)
        self.k = len(self.ids)
        self._parts = [_part(group, self.ids) for group in sim.groups if _in(group, self.ids).any()]

    @property
    def families(self) -> tuple[Family[Any], ...]:
        """Families of the vehicles, each once."""
        return tuple(dict.fromkeys(group.family for group, _, _ in self._parts))

    def read(self, column: str) -> Array:
        """Return a copy of a column's rows as float64, shape (k,) or (k, width)."""
        with self._lock:
            parts = [np.array(getattr(g, column)[rows], np.float64) for g, rows, _ in self._parts]
        if len(parts) == 1:
            return parts[0]
        together = np.empty((self.k, *parts[0].shape[1:]))
        for part, (_, _, places) in zip(parts, self._parts, strict=True):
            together[places] = part
        return together

    def write(self, column: str, value: ArrayLike, component: int | None = None) -> None:
        """Write one value, (k,) values or (k, width) values into a column or one component."""
        values = np.asarray(value)
        with self._lock:
            for group, rows, places in self._parts:
                index = rows if component is None else (rows, component)
                getattr(group, column)[index] = values[places] if values.ndim else values

    def forget(self) -> None:
        """Make the navigators forget everything: home is where the vehicles are now."""
        with self._lock:
            for group, rows, _ in self._parts:
                group.reset_navigator(rows)

    def thrust(self) -> Array:
        """Return the collective thrust asked for as a share of the largest, (k,); 0 without."""
        share = np.zeros(self.k)
        with self._lock:
            for group, rows, places in self._parts:
                if "thrust_limit" in {field.name for field in group.fields}:
                    share[places] = group.thrust[rows] / group.thrust_limit[rows, 1]
        return share

    def rpm(self) -> Array:
        """Return speeds of rotors or wheels [1/min], shape (k, 8); 0 where there is none."""
        return self.read("shown")


def _in(group: Group, ids: NDArray[np.intp]) -> NDArray[np.bool_]:
    chosen: NDArray[np.bool_] = (ids >= group.first_id) & (ids < group.first_id + group.n)
    return chosen


def _part(group: Group, ids: NDArray[np.intp]) -> tuple[Group, Any, NDArray[np.intp]]:
    """Return a group, which of its rows are chosen, and which rows of the choice they are."""
    places = np.flatnonzero(_in(group, ids))
    rows = ids[places] - group.first_id
    if len(rows) == rows[-1] - rows[0] + 1 and (np.diff(rows) == 1).all():
        return group, slice(int(rows[0]), int(rows[-1]) + 1), places
    return group, rows, places
