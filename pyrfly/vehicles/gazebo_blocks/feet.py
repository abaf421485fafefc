"""Feet of vehicles of blocks: `feet`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.gazebo_blocks.parts import rows
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["feet"]

GEAR_TRACK, GEAR_HEIGHT = 0.5, 0.3
"""Feet beside and below the centre of mass over the largest distance of a motor or a surface from
it across, estimated."""


def feet(parameters: VehicleParameters) -> NDArray[np.float64]:
    """Return an estimate of four feet on a square below the vehicle [m, FRD]."""
    places = [
        rows(parameters.columns, kind, "position") for kind in ("motor", "surface", "segment")
    ]
    across = exact.norm(np.concatenate(places)[:, :2])
    reach = float(across.max(initial=0.1))
    side, down = GEAR_TRACK * reach, parameters.length("height", GEAR_HEIGHT * reach)
    return np.array([[x, y, down] for x in (side, -side) for y in (side, -side)])
