"""Axes of joints of an SDF model: `axis_of`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.vehicles.gazebo.body import Body
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.pose import Pose, pose_of
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["axis_of"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_MODEL = "__model__"


def _frame(source: Source, body: Body, name: str, asked: Node) -> Pose:
    """Return the frame of a link or of the model in that of the base link."""
    if name == _MODEL:
        return body.model
    if name not in body.links:
        raise source.error(asked, f"expected a frame of a link of the body, got {brief(name)}")
    return body.links[name]


def axis_of(source: Source, body: Body, name: str) -> Array:
    """Return the axis of a joint of the body [FLU of the base link], of length 1.

    It is given in the frame of the joint, which stands in that of its child, in that which
    ``expressed_in`` names, or in that of the model by ``use_parent_model_frame``.
    """
    joint = body.joints[name].node
    axis = source.child(joint, "axis")
    xyz = None if axis is None else source.child(axis, "xyz")
    direction = _UP if axis is None else source.direction(axis, "xyz", _UP)
    given = None if xyz is None else xyz.get("expressed_in")
    if given:
        frame = _frame(source, body, given, joint)
    elif axis is not None and source.flag(axis, "use_parent_model_frame"):
        frame = body.model
    else:
        pose = source.child(joint, "pose")
        outer = None if pose is None else pose.get("relative_to")
        frame = _frame(source, body, outer or source.text(joint, "child"), joint)
        frame = frame @ pose_of(source, joint)
    return np.asarray(frame.vector(direction))
