"""Sizes of a vehicle by the collision shapes of an SDF file: `sizes_of`.

Boxes, cylinders, spheres and capsules of its links are read, each as the box around it; meshes and
other shapes are not. The largest one that does not turn with a motor is the body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import NOT_NEGATIVE, Rule
from pyrfly.vehicles.gazebo_blocks.sdf_model import Body, to_frd
from pyrfly.vehicles.gazebo_blocks.sdf_node import Node
from pyrfly.vehicles.gazebo_blocks.sdf_pose import pose_of
from pyrfly.vehicles.gazebo_blocks.sdf_source import Source

__all__ = ["sizes_of"]

Array = NDArray[np.float64]

_LENGTH = Rule(1, "m", *NOT_NEGATIVE)


class _Box(NamedTuple):
    """The box around a shape: its link, its middle from the centre of mass, half sizes [m, FRD]."""

    link: str
    middle: Array
    half: Array


def _half_sizes(source: Source, collision: Node) -> Array:
    """Return the half sizes of the box around a shape along its own axes [m]; 0 of others."""
    geometry = source.child(collision, "geometry")
    for shape in () if geometry is None else geometry:
        assert isinstance(shape, Node)
        if shape.tag == "box":
            return 0.5 * source.numbers(shape, "size", 3, np.zeros(3), _LENGTH)
        if shape.tag in ("cylinder", "sphere", "capsule"):
            radius = source.number(shape, "radius", 0.0, _LENGTH)
            if shape.tag == "sphere":
                return np.full(3, radius)
            along = 0.5 * source.number(shape, "length", 0.0, _LENGTH)
            return np.array([radius, radius, along + (radius if shape.tag == "capsule" else 0.0)])
    return np.zeros(3)


def _boxes(source: Source, model: Node, body: Body) -> Iterator[_Box]:
    """Yield the boxes around the shapes of all links."""
    for link in source.children(model, "link"):
        name = link.get("name", "")
        for collision in source.children(link, "collision") if name in body.links else ():
            half = _half_sizes(source, collision)
            pose = source.child(collision, "pose")
            if not (half > 0.0).all() or (pose is not None and pose.get("relative_to")):
                continue
            frame = body.links[name] @ pose_of(source, collision)
            around = np.abs(frame.rotation) * half
            middle = np.array(to_frd(frame.origin - body.centre))
            yield _Box(name, middle, around.sum(axis=1))


def sizes_of(
    source: Source, model: Node, body: Body, motors: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return the table ``[hull]`` of a model.

    Parameters
    ----------
    source : Source
        The file.
    model : Node
        The model.
    body : Body
        Its rigid body.
    motors : collection of str
        Links that motors turn.
    """
    boxes = list(_boxes(source, model, body))
    sizes: dict[str, Any] = {}
    fixed = [box for box in boxes if box.link not in motors]
    if fixed:
        largest = max(fixed, key=lambda box: float(box.half.prod()))
        sizes["body_size"] = (2.0 * largest.half).tolist()
        sizes["body_position"] = largest.middle.tolist()
        sizes["height"] = max(float(box.middle[2] + box.half[2]) for box in boxes)
    rotors = [float(box.half.max()) for box in boxes if box.link in motors]
    if rotors:
        sizes["rotor_radius"] = max(rotors)
    said = f"{source.label}, its collision shapes"
    return {
        key: {"value": value, "unit": "m", "source": said}
        for key, value in sizes.items()
        if key != "height" or value > 0.0
    }
