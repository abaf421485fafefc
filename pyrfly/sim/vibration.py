"""How much the IMUs of vehicles vibrate: `vibration`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.selection import Selection

__all__ = ["vibration"]

_LEVELS = ("imu_coning", "imu_gyro_shaking", "imu_accel_shaking")


def vibration(vehicles: Selection) -> NDArray[np.float64]:
    """Return PX4's three levels of vibration, 0 without an IMU.

    Returns
    -------
    ndarray, shape (k, 3)
        Coning [rad^2/s^2], gyroscope [rad/s], accelerometer [m/s^2], in the order in which PX4
        sends them [@px4 v1.16.1 VIBRATION.hpp].
    """
    levels = np.zeros((len(vehicles), 3))
    for group, rows, indices in vehicles:
        if group.has(_LEVELS[0]):
            levels[indices] = np.stack([group.view(name)[rows] for name in _LEVELS], axis=1)
    return levels
