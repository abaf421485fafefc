"""Distances to obstacles all around vehicles, as MAVLink's OBSTACLE_DISTANCE has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.telemetry_snapshot import TelemetrySnapshot, whole
from pyrfly.sim.lidar import Lidar

__all__ = ["RING", "obstacle_distance"]

_SECTORS = 72
_EACH = 4  # rays of a sector

RING = Lidar.ring(_SECTORS * _EACH, minimum=0.2, maximum=40.0)
"""The sensor, in the plane of the vehicle's forward and right axes; its limits are estimated, those
of small lidars."""

_CENTI = 1e2
_BODY_FRD = 12  # MAV_FRAME: angles are from the front of the vehicle


def obstacle_distance(m: TelemetrySnapshot) -> NDArray[Any]:
    """Return the least distance in each sector, the maximum and 1 cm where nothing is within it.

    The first sector is about the front, the others follow to the right.
    """
    records = m.blank("OBSTACLE_DISTANCE")
    least, most = whole(np.array([RING.minimum, RING.maximum]) * _CENTI, np.uint16)
    rays = np.roll(m.sim.scene.scan(RING).distance, _EACH // 2, axis=1)
    nearest = rays.reshape(-1, _SECTORS, _EACH).min(axis=2) * _CENTI
    records["distances"] = whole(np.minimum(nearest, float(most) + 1), np.uint16)
    records["min_distance"], records["max_distance"] = least, most
    records["increment"], records["increment_f"] = 360 // _SECTORS, 360 / _SECTORS
    records["frame"] = _BODY_FRD
    return records
