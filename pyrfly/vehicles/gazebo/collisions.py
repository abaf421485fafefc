"""Sizes of a vehicle by the collision shapes of an SDF file: `solids_of`, `sizes_of`.

Boxes, cylinders, spheres and capsules of its links are read; meshes and other shapes are not. The
largest one that does not turn with a motor is the body.
"""

from __future__ import annotations

from collections.abc import Collection
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import NOT_NEGATIVE, Rule
from pyrfly.vehicles.gazebo.body import Body, to_frd
from pyrfly.vehicles.gazebo.entries import hull_entries
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.pose import pose_of
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["Solid", "bounds_of", "sizes_of", "solids_of"]

Array = NDArray[np.float64]

_LENGTH = Rule(1, "m", *NOT_NEGATIVE)


class Solid(NamedTuple):
    """A shape.

    Attributes
    ----------
    link : str
        Its link.
    node : Node
        Its collision.
    middle, half : ndarray
        Middle and half sizes of the box around it, from the centre of mass [m, FRD].
    volume : float
        Its volume [m^3].
    spread : ndarray
        Mean of the squared distances of its volume from its middle along each axis [m^2, FRD].
    radius : float
        Its radius [m]; 0 of a box.
    """

    link: str
    node: Node
    middle: Array
    half: Array
    volume: float
    spread: Array
    radius: float


class _Shape(NamedTuple):
    """A shape along its own axes: half sizes [m], volume [m^3], mean of squared distances [m^2]."""

    half: Array
    volume: float
    spread: Array
    radius: float = 0.0


def _shape(source: Source, shape: Node) -> _Shape | None:
    """Return a shape of an element of SDF; None of others."""
    if shape.tag == "box":
        size = source.numbers(shape, "size", 3, np.zeros(3), _LENGTH)
        return _Shape(0.5 * size, float(size.prod()), size**2 / 12.0)
    if shape.tag not in ("cylinder", "sphere", "capsule"):
        return None
    radius = source.number(shape, "radius", 0.0, _LENGTH)
    if shape.tag == "sphere":
        volume = 4.0 / 3.0 * pi * radius**3
        return _Shape(np.full(3, radius), volume, np.full(3, radius**2 / 5.0), radius)
    length = source.number(shape, "length", 0.0, _LENGTH)
    ends = radius if shape.tag == "capsule" else 0.0
    volume = pi * radius**2 * (length + 4.0 / 3.0 * ends)
    along = (length + 4.0 / 3.0 * ends) ** 2 / 12.0  # of a capsule that of a cylinder of its volume
    across = radius**2 / 4.0
    half = np.array([radius, radius, 0.5 * length + ends])
    return _Shape(half, volume, np.array([across, across, along]), radius)


def solids_of(source: Source, model: Node, body: Body) -> list[Solid]:
    """Return the collision shapes of the links of a body."""
    found = []
    for link in source.children(model, "link"):
        name = link.get("name", "")
        for collision in source.children(link, "collision") if name in body.links else ():
            geometry = source.child(collision, "geometry")
            shapes = [_shape(source, s) for s in geometry or () if isinstance(s, Node)]
            shape = next((s for s in shapes if s is not None), None)
            pose = source.child(collision, "pose")
            if shape is None or not (shape.half > 0.0).all():
                continue
            if pose is not None and pose.get("relative_to"):
                continue
            frame = body.links[name] @ pose_of(source, collision)
            around = (np.abs(frame.rotation) * shape.half).sum(axis=1)
            spread = (frame.rotation**2 * shape.spread).sum(axis=1)
            middle = np.array(to_frd(frame.origin - body.centre))
            found.append(Solid(name, collision, middle, around, shape.volume, spread, shape.radius))
    return found


def bounds_of(solids: Collection[Solid]) -> tuple[Array, Array]:
    """Return the least and the largest coordinates of shapes [m, FRD]."""
    low = np.min([solid.middle - solid.half for solid in solids], axis=0)
    high = np.max([solid.middle + solid.half for solid in solids], axis=0)
    return low, high


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
    boxes = solids_of(source, model, body)
    sizes: dict[str, Any] = {}
    fixed = [box for box in boxes if box.link not in motors]
    if fixed:
        largest = max(fixed, key=lambda box: float(box.half.prod()))
        sizes["body_size"] = (2.0 * largest.half).tolist()
        sizes["body_position"] = largest.middle.tolist()
        height = max(float(box.middle[2] + box.half[2]) for box in boxes)
        if height > 0.0:
            sizes["height"] = height
    rotors = [float(box.half.max()) for box in boxes if box.link in motors]
    if rotors:
        sizes["rotor_radius"] = max(rotors)
    return hull_entries(source, sizes)
