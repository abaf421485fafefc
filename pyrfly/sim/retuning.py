"""Gains of vehicles for their present parameters: `gains_of`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.sim.group import Group

__all__ = ["gains_of"]

Array = NDArray[np.float64]


def _present(group: Group, rows: Any, fields: list[Field]) -> Array:
    """Return the parameters of vehicles, shape (k, values).

    What has the value of the parameter set in the precision of the columns is that of the set:
    vehicles as they were constructed get the gains of their construction.
    """
    views = [group.view(field.name)[rows] for field in fields]
    stored = np.concatenate([view.reshape(len(view), -1) for view in views], axis=1)
    found = stored.astype(np.float64)
    for known in group.parameters.airframes or (group.parameters,):
        values = np.concatenate([known.columns[field.name] for field in fields])
        found = np.where(stored == values.astype(stored.dtype), values, found)
    return found


def _columns(fields: list[Field], row: Array) -> dict[str, Array]:
    """Return values of one vehicle by the names of their columns."""
    ends = np.cumsum([field.width for field in fields])
    return dict(zip([field.name for field in fields], np.split(row, ends[:-1]), strict=True))


def gains_of(group: Group, rows: Any) -> dict[str, Array]:
    """Return the gains of k vehicles of a group for their parameters, each column (k, width).

    Raises
    ------
    ParameterError
        No gains follow from the parameters of a vehicle.
    """
    fields = [field for field in group.fields if field.role == "param"]
    present = _present(group, rows, fields)
    distinct, first, which = np.unique(present, axis=0, return_index=True, return_inverse=True)
    ids = (group.first_id + np.arange(group.n)[rows])[first]
    tuned = [
        group.tuned(f"CopterID {vehicle}", _columns(fields, row))
        for vehicle, row in zip(ids, distinct, strict=True)
    ]
    gains = [field.name for field in group.fields if field.role == "gain"]
    return {
        name: np.array([one[name] for one in tuned]).reshape(len(tuned), -1)[which.reshape(-1)]
        for name in gains
    }
