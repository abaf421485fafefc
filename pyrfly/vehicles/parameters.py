"""A checked parameter set: `VehicleParameters`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["VehicleParameters"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class VehicleParameters:
    """A checked parameter set, ready to be written into the columns of a batch.

    Attributes
    ----------
    name : str
        Name of the set.
    title : str
        One line for people.
    family : str
        Name of its family, a key of `pyrfly.vehicles.FAMILIES`.
    uav_type : int or None
        RflySim's ``uavType``; None where RflySim has none.
    c_type : str
        Vehicle type of the core.
    actuator_count : int
        Number of actuators, which may be fewer than the C type has room for: the rotors of a
        multirotor.
    columns : dict of str to ndarray
        Column name to its values for one vehicle, shape (width,), float64, read-only, in the
        units of the C columns.
    sources : dict of str to str
        Column name to where its values come from; keys in brackets are those of
        ``docs/references.md``.
    notes : str
        What the set leaves out or changes; may be empty.
    airframes : tuple of VehicleParameters
        Of a mixed model: what a vehicle can become by ``inSILInts[2]``, all of the same C type; the
        first is what it starts as, and what the set says itself. Empty otherwise.
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
    airframes: tuple[VehicleParameters, ...] = field(repr=False, default=())
