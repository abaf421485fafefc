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
    uav_type : int or None
        RflySim's ``uavType``; None for rotors placed by hand.
    c_type : str
        Vehicle type of the core: ``"quad_x"``, or ``"rotors_N"`` with room for N rotors.
    rotor_count : int
        Number of rotors. In a ``rotors_N`` type the rotors beyond it have coefficients,
        position and direction 0.
    columns : dict of str to ndarray
        Column name to its values for one vehicle, shape (width,), float64, read-only, in the
        units of the C columns.
    sources : dict of str to str
        Column name to where its values come from.
    notes : str
        What the set leaves out or changes; may be empty.
    airframes : tuple of VehicleParameters
        Of a mixed model: what a vehicle can become by ``inSILInts[2]``, all of the same C type; the
        first is what it starts as, and what the set says itself. Empty otherwise.
    """

    name: str
    title: str
    uav_type: int | None
    c_type: str
    rotor_count: int
    columns: dict[str, Array] = field(repr=False)
    sources: dict[str, str] = field(repr=False)
    notes: str = field(repr=False, default="")
    airframes: tuple[VehicleParameters, ...] = field(repr=False, default=())
