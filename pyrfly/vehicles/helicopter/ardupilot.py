"""ArduCopter's default outputs of a helicopter with one main rotor: `outputs`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["outputs"]

_TAIL, _ENGINE = 3, 7
"""Outputs of the tail's servo (Motor4) and of the rotor speed control (HeliRSC)
[@ardupilot AP_MotorsHeli_Single.cpp]."""

_SERVOS = {3: {-60: 0, 60: 1, 180: 2}, 4: {-90: 0, 90: 1, 180: 2, 0: 4}}
"""Outputs of the servos of the swash plate, by their number and angle [deg] clockwise from the
nose: of H_SW_TYPE H3 as it is by default and H3_120, and of H4_90
[@ardupilot AP_MotorsHeli_Swash.cpp]. All of them lift the plate above 1500 us."""

_NEAR = 1.0  # deg


def outputs(parameters: VehicleParameters) -> NDArray[np.float64] | None:
    """Return the command of each actuator per output of ArduCopter.

    Parameters
    ----------
    parameters : VehicleParameters
        A helicopter.

    Returns
    -------
    ndarray, shape (6, 16), or None
        None of a swash plate with servos at other angles.
    """
    columns = parameters.columns
    count = int(columns["swash_count"][0])
    found = np.zeros((parameters.actuator_count, 16))
    found[0, _ENGINE] = found[1, _TAIL] = 1.0
    for servo, angle in enumerate(np.degrees(columns["swash_angle"][:count]).tolist()):
        outputs = [
            output
            for place, output in _SERVOS[count].items()
            if abs(math.remainder(angle - place, 360.0)) < _NEAR
        ]
        if not outputs:
            return None
        found[2 + servo, outputs[0]] = 1.0
    return found
