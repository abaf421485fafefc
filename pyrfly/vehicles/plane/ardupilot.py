"""ArduPlane's default outputs, as planes get them: `outputs`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.px4 import surface_mix
from pyrfly.vehicles.plane.tuning import SERVOS
from pyrfly.vehicles.winged import ARDUPILOT_OUTPUTS, ARDUPILOT_SURFACES, ARDUPILOT_THROTTLE

__all__ = ["outputs"]


def outputs(parameters: VehicleParameters) -> NDArray[np.float64]:
    """Return the command of each actuator per output of ArduPlane, shape (5, 16).

    Elevons and V-tails get what they move of ailerons, elevator and rudder.
    """
    usual = np.zeros((SERVOS + 1, ARDUPILOT_OUTPUTS))
    usual[[0, 1, 2, SERVOS], [*ARDUPILOT_SURFACES, ARDUPILOT_THROTTLE]] = 1.0
    return surface_mix(parameters) @ usual
