"""What PX4 and MAVLink know of planes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.tuning import SERVOS
from pyrfly.vehicles.winged import FIXED_WING_DEFAULTS

__all__ = ["AIRFRAME", "surface_mix"]

_CHANNELS = (6, 7, 2, 3, 4)

AIRFRAME = Px4Airframe(
    types={5: 1},  # FIXED_WING
    channels=dict.fromkeys(VERSIONS, _CHANNELS),
    defaults={**FIXED_WING_DEFAULTS, "SYS_AUTOSTART": 1030},
)
"""Channels of right aileron, elevator, rudder, left flap and motor, of airframe 1030 and of mixer
plane_sitl, each with the sign of our commands: roll right, pitch up, yaw right. The left aileron,
channel 5, is the right one's negative. Elevons and V-tails are mixed of these by `surface_mix`: PX4
has no simulated airframe with them."""

_SENSES = (1.0, -1.0, -1.0, 1.0)
"""Deflection of aileron, elevator, rudder and flaps by a command above 0 of PX4: the right aileron
up, the elevator up, the rudder to the right, the flaps down; csrc/vehicles/plane/columns.h."""


def surface_mix(parameters: VehicleParameters) -> NDArray[np.float64]:
    """Return the commands of servos and motor per command of the actuators of `AIRFRAME`.

    Parameters
    ----------
    parameters : VehicleParameters
        A plane. A servo gets the commands of all surfaces that it moves, of the sign that moves
        them as PX4 means it.

    Returns
    -------
    ndarray, shape (5, 5)
        A row for each actuator of the plane: -1, 0 or 1.

    Examples
    --------
    >>> from pyrfly.vehicles import load
    >>> left, right, *_ = surface_mix(load("skywalker_x8"))
    >>> left.tolist(), right.tolist()
    ([-1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0, 0.0])
    """
    columns = parameters.columns
    moved = np.reshape(columns["surface_mix"], (4, SERVOS)) * columns["surface_travel"][:SERVOS]
    mix = np.zeros((SERVOS + 1, SERVOS + 1))
    mix[:SERVOS, :4] = np.sign(moved.T * _SENSES) + 0.0
    mix[SERVOS, SERVOS] = 1.0
    return mix
