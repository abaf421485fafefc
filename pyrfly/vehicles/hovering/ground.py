"""Columns of ``csrc/models/ground.h``, which several families have: `GROUND`, `stand`, `gear`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, Range
from pyrfly.vehicles.family import LandingGear
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["GROUND", "gear", "stand"]

Array = NDArray[np.float64]

GROUND: dict[str, Range] = {
    "ground_stiffness": NOT_NEGATIVE,
    "ground_damping": NOT_NEGATIVE,
    "ground_hardening": FRACTION,
    "ground_preload": FRACTION,
    "ground_friction": NOT_NEGATIVE,
    "ground_grip": NOT_NEGATIVE,
    "ground_leveling": NOT_NEGATIVE,
    "ground_level_damping": NOT_NEGATIVE,
}
"""Closed range of the elements of a column."""


def stand(_c_type: str, _read: Callable[[str], Any], pull: Array) -> dict[str, Array]:
    """Return the columns of vehicles at rest on a slope, as `Family.stand` describes."""
    return {"ground_pull": pull}


def gear(feet: Callable[[VehicleParameters], Array]) -> LandingGear:
    """Return the landing gear of vehicles with an estimate of their feet."""
    return LandingGear(feet, grip="ground_grip", inertia="inertia")
