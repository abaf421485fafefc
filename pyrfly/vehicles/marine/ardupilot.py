"""ArduPilot's outputs of marine craft: `outputs`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.ardupilot_frames import FRAMES
from pyrfly.vehicles.marine.parameters import FINS, THRUSTERS
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["outputs"]

OUTPUTS = 16


def outputs(parameters: VehicleParameters) -> NDArray[np.float64] | None:
    """Return the command of each actuator per output of ArduRover, shape (12, 16).

    That is of boats with a thruster on each side, steered as with skid steering; None of others:
    ArduSub's outputs have the signs of its frames.
    """
    axes, places = (
        parameters.columns[f"thruster_{name}"].reshape(3, THRUSTERS)
        for name in ("axis", "position")
    )
    used = np.flatnonzero(axes.any(axis=0)).tolist()
    sides = sorted(used, key=lambda i: float(places[1, i]))
    ahead = (axes[0, used] > 0.9).all()
    if len(sides) != 2 or not ahead or not places[1, sides[0]] < 0.0 < places[1, sides[1]]:
        return None
    mix = np.zeros((THRUSTERS + FINS, OUTPUTS))
    mix[sides, FRAMES["skid_steering"].outputs] = 1.0
    return mix
