"""Outputs of mixers and their units: `Outputs`, `Pulses`, `motor_channels`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.mixers.controls import Array

__all__ = ["Outputs", "Pulses", "motor_channels"]


class Pulses(NamedTuple):
    """Lengths of the pulses to motors and servos [us]; those of PX4's simulated output.

    Attributes
    ----------
    minimum, maximum : float
        At -1 and 1.
    disarmed : float
        Of an output that is not driven.
    """

    minimum: float = 1000.0
    maximum: float = 2000.0
    disarmed: float = 900.0


class Outputs(NamedTuple):
    """Outputs of vehicles.

    Attributes
    ----------
    values : ndarray, shape (n, count)
        Outputs, -1 to 1; 0 where they are not driven.
    driven : ndarray of bool, shape (n, count)
        False of an output without a control, and of one that is off.
    """

    values: Array
    driven: NDArray[np.bool_]

    def pwm(self, pulses: Pulses = Pulses()) -> NDArray[np.int64]:  # noqa: B008
        """Return the lengths of the pulses [us], shape (n, count), whole as those of PX4."""
        low, high, disarmed = pulses
        lengths = self.values * ((high - low) / 2.0) + (high + low) / 2.0
        lengths = np.where(self.driven, np.clip(lengths, low, high), disarmed)
        return np.floor(lengths).astype(np.int64)

    def commands(self, motors: ArrayLike) -> Array:
        """Return commands to actuators: of motors 0 to 1, of others -1 to 1, at rest 0.

        Parameters
        ----------
        motors : array_like of bool, shape (count,)
            Which outputs drive motors that turn one way.
        """
        ranged = np.where(np.asarray(motors, np.bool_), (self.values + 1.0) / 2.0, self.values)
        return np.where(self.driven, ranged, 0.0)


_MOTORS: Mapping[int, int] = MappingProxyType(
    # by MAV_TYPE [@mavlink]: airship, VTOL with two rotors, coaxial helicopter; tricopter; ...
    {7: 2, 19: 2, 3: 2, 15: 3, 2: 4, 20: 4, 21: 4, 22: 5, 13: 6, 14: 8}
)
_FIXED_WING, _THROTTLE = 1, 4


def motor_channels(mav_type: int) -> tuple[int, ...]:
    """Return the channels from 0 that PX4 1.12 and 1.13 send as motors, 0 to 1, in SITL.

    The others are -1 to 1 [@px4 v1.12.3 simulator_mavlink.cpp].

    Parameters
    ----------
    mav_type : int
        MAV_TYPE [@mavlink] of the vehicle.

    Examples
    --------
    >>> motor_channels(2), motor_channels(1), motor_channels(10)  # quadrotor, plane, rover
    ((0, 1, 2, 3), (4,), ())
    """
    if mav_type == _FIXED_WING:
        return (_THROTTLE,)
    return tuple(range(_MOTORS.get(mav_type, 0)))
