"""Poses of elements of an SDF file: `Pose`, `pose_of`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["Pose", "pose_of"]

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """A frame in another one: its origin [m], and the rotation of its vectors into that frame."""

    origin: Array
    rotation: Array

    def point(self, place: Array) -> Array:
        """Return a place of this frame in the other one."""
        return self.origin + self.vector(place)

    def vector(self, vector: Array) -> Array:
        """Return a vector of this frame in the other one."""
        return np.array([exact.dot(row, vector) for row in self.rotation])

    def __matmul__(self, inner: Pose) -> Pose:
        """Return a frame that is given in this one, in the other one."""
        columns = [self.vector(column) for column in inner.rotation.T]
        return Pose(self.point(inner.origin), np.stack(columns, axis=1))

    def inverse(self) -> Pose:
        """Return the other frame in this one."""
        back = Pose(np.zeros(3), self.rotation.T)
        return Pose(-back.vector(self.origin), self.rotation.T)


def _rotation(roll: float, pitch: float, yaw: float) -> Array:
    """Return the rotation about fixed axes: first roll, then pitch, then yaw."""
    (sr, sp, sy), (cr, cp, cy) = exact.sincos(np.array([roll, pitch, yaw]))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def pose_of(source: Source, element: Node) -> Pose:
    """Return the pose of an element in the frame that its child names, or in the usual one."""
    child = source.child(element, "pose")
    if child is None or not (child.text or "").strip():
        return Pose(np.zeros(3), np.eye(3))
    if child.get("rotation_format", "euler_rpy") != "euler_rpy":
        raise source.error(child, "expected the rotation_format euler_rpy")
    values = source.numbers(element, "pose", 6)
    if child.get("degrees", "false").strip().lower() in ("true", "1"):
        values[3:] *= math.pi / 180.0
    return Pose(values[:3], _rotation(*values[3:]))
