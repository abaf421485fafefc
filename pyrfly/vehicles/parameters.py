"""Checked parameter sets: `VehicleParameters`; their columns: `scalar`, `as_columns`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.plausibility import Quantity

__all__ = ["VehicleParameters", "as_columns", "scalar"]

Array = NDArray[np.float64]


def scalar(columns: Mapping[str, Array], name: str) -> float:
    """Return the first, or only, value of a column of one vehicle."""
    return float(columns[name][0])


def as_columns(values: Mapping[str, object]) -> dict[str, Array]:
    """Return values of one vehicle as columns, each of shape (width,), float64."""
    return {name: np.atleast_1d(np.array(value, np.float64)) for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class VehicleParameters:
    """Checked parameter set, in the form of the columns of a batch.

    Attributes
    ----------
    name : str
        Name of the set.
    title : str
        Description in one line.
    family : str
        Name of its family, a key of `pyrfly.vehicles.FAMILIES`.
    uav_type : int or None
        RflySim's ``uavType``, or the ``display_class`` of its file (``ModelParam_3DType``); None
        for that of its kind, see `pyrfly.sim.group.Group.uav_type`.
    c_type : str
        Vehicle type of the core.
    actuator_count : int
        Number of actuators, such as the rotors of a multirotor; at most that of the C type.
    columns : dict of str to ndarray
        Values of one vehicle by column, shape (width,), float64, read-only, in the units of the
        columns.
    sources : dict of str to str
        Source of the values by column.
    notes : str
        Omissions and changes of the set; may be empty.
    checks : tuple of Quantity
        Numbers of its file, besides the columns, that tell whether it makes sense.
    airframes : tuple of VehicleParameters
        Of a mixed model: the airframes selected by ``inSILInts[2]``, all of the same C type. The
        other attributes are those of the first. Empty otherwise.
    layout : str or None
        Name of the places of the actuators, such as a rotor layout of
        `pyrfly.vehicles.multirotor.layouts`; None without a named one.
    """

    name: str
    title: str
    family: str
    uav_type: int | None
    c_type: str
    actuator_count: int
    columns: dict[str, Array] = field(repr=False)
    sources: dict[str, str] = field(repr=False)
    notes: str = field(repr=False, default="")
    checks: tuple[Quantity, ...] = field(repr=False, default=())
    airframes: tuple[VehicleParameters, ...] = field(repr=False, default=())
    layout: str | None = field(repr=False, default=None)

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        for column in self.columns.values():
            column.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickle or copy, whose arrays are not read-only."""
        vars(self).update(state)
        self.__post_init__()
