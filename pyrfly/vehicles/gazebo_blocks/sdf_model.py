"""Links, frames and joints of an SDF model as one rigid body.

Links that joints connect to the base link, at position zero, are parts of the body. Its frame is
that of the base link, turned from forward-left-up into forward-right-down, at the centre of mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.gazebo_blocks.sdf_xml import Pose, Source, pose_of

__all__ = ["Body", "Joint", "rigid_body", "to_frd"]

Array = NDArray[np.float64]

_FLIP = np.array([1.0, -1.0, -1.0])
_LARGEST_LIMIT = 1e3
_MAXIMUM_NAMED = 500  # links, frames, joints: the time to connect them grows with their square
_MAXIMUM_CHAIN = 50  # frames that are given in others


class Joint(NamedTuple):
    """A joint that is no weld: its range of positions [rad]."""

    low: float
    high: float


class Body(NamedTuple):
    """The rigid body of a model.

    Attributes
    ----------
    mass : float
        Mass [kg].
    inertia : list of float
        Inertia xx, yy, zz, xy, xz, yz about the centre of mass [kg m^2, FRD].
    centre : ndarray
        Centre of mass in the frame of the base link [m, FLU].
    links : mapping of str to Pose
        Frames of its links in that of the base link, FLU.
    centres : mapping of str to ndarray
        Centres of mass of its links, each in its own frame [m].
    joints : mapping of str to Joint
        Joints between them.
    """

    mass: float
    inertia: list[float]
    centre: Array
    links: Mapping[str, Pose]
    centres: Mapping[str, Array]
    joints: Mapping[str, Joint]

    def place(self, link: str, point: Array) -> list[float]:
        """Return a place of a link [m] from the centre of mass [m, FRD]."""
        return to_frd(self.links[link].point(point) - self.centre)

    def direction(self, link: str, vector: Array) -> list[float]:
        """Return a direction of a link, FRD."""
        return to_frd(self.links[link].vector(vector))


def to_frd(vector: Array) -> list[float]:
    """Return a vector of forward-left-up in forward-right-down: a half turn about forward."""
    turned = vector * _FLIP
    return [float(x) for x in turned + 0.0]  # no -0.0


class _Inertial(NamedTuple):
    mass: float
    centre: Array  # in the link's frame
    tensor: Array  # about the centre, along the link's axes


def _inertial(source: Source, link: Element, where: str) -> _Inertial:
    element = link.find("inertial")
    if element is None:
        raise source.error(where, "<inertial>: missing")
    mass = source.number(element, "mass", where)
    if not mass > 0:
        raise source.error(where, f"<mass>: expected more than 0 kg, got {mass:g}")
    pose = pose_of(source, element, f"{where}: <inertial>")
    inertia = element.find("inertia")
    if inertia is None:
        raise source.error(where, "<inertia>: missing")
    xx, yy, zz = (source.number(inertia, f"i{axis}", where) for axis in ("xx", "yy", "zz"))
    xy, xz, yz = (source.number(inertia, f"i{axis}", where, 0.0) for axis in ("xy", "xz", "yz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return _Inertial(mass, pose.origin, _turned(pose.rotation, tensor))


def _turned(rotation: Array, tensor: Array) -> Array:
    """Return R T R^T, with products in a fixed order."""
    half = sum(rotation[:, k, None] * tensor[k] for k in range(3))
    return np.asarray(sum(half[:, k, None] * rotation[:, k] for k in range(3)))


def _named(source: Source, model: Element, tag: str) -> dict[str, Element]:
    """Return the children of a tag by their names."""
    found: dict[str, Element] = {}
    elements = model.findall(tag)
    if len(elements) > _MAXIMUM_NAMED:
        raise source.error(f"<{tag}>", f"expected up to {_MAXIMUM_NAMED}, got {len(elements)}")
    for element in elements:
        name = element.get("name")
        if not name:
            raise source.error(f"<{tag}>", "name: missing")
        if name in found:
            raise source.error(f"<{tag} name={name!r:.60}>", "expected each name once")
        found[name] = element
    return found


class _Frames:
    """Poses of links and frames in the frame of the model, by name."""

    def __init__(self, source: Source, model: Element) -> None:
        self._source = source
        self._links = _named(source, model, "link")
        self._frames = _named(source, model, "frame")
        self._joints = _named(source, model, "joint")
        self._open: list[str] = []

    def pose(self, name: str) -> Pose:
        """Return the pose of a link, a frame or a joint."""
        if name in self._open:
            raise self._source.error(f"<pose> of {name!r:.60}", "refers to itself")
        if len(self._open) >= _MAXIMUM_CHAIN:
            raise self._source.error(
                f"<pose> of {name!r:.60}", f"expected up to {_MAXIMUM_CHAIN} frames in each other"
            )
        self._open.append(name)
        try:
            return self._resolved(name)
        finally:
            self._open.pop()

    def _resolved(self, name: str) -> Pose:
        still = Pose(np.zeros(3), np.eye(3))
        for elements, usual in (
            (self._links, lambda _: None),
            (self._frames, lambda e: e.get("attached_to")),
            (self._joints, lambda e: (e.findtext("child") or "").strip()),
        ):
            if name in elements:
                element = elements[name]
                child = element.find("pose")
                other = None if child is None else child.get("relative_to") or child.get("frame")
                base = other or usual(element)
                outer = self.pose(base) if base and base != "__model__" else still
                return outer @ pose_of(self._source, element, f"<{element.tag} name={name!r:.60}>")
        raise self._source.error(f"<pose> relative to {name!r:.60}", "no such link or frame")


def _ends(source: Source, joints: Mapping[str, Element], name: str) -> tuple[str, str]:
    where = f"<joint name={name!r:.60}>"
    return source.text(joints[name], "parent", where), source.text(joints[name], "child", where)


def _connected(
    source: Source, base: str, links: Mapping[str, Element], joints: Mapping[str, Element]
) -> tuple[list[str], list[str]]:
    """Return the links that joints connect to the base link, and these joints."""
    ends = {name: _ends(source, joints, name) for name in joints}
    body, used = [base], []
    for link in body:
        for name, (parent, child) in ends.items():
            if name in used or link not in (parent, child):
                continue
            other = child if link == parent else parent
            if other not in links:
                source.note(f"joint {name!r}: its link {other!r} is not in the file")
            elif other not in body:
                body.append(other)
                used.append(name)
    for link in links:
        if link not in body:
            source.note(f"link {link!r}: no joint connects it to {base!r}")
    return body, used


def _base(source: Source, model: Element, links: Mapping[str, Element]) -> str:
    """Return the base link: the canonical one, or the first that no joint has as a child."""
    if not links:
        raise source.error("<model>", "<link>: missing")
    name = model.get("canonical_link")
    if name is not None:
        if name not in links:
            raise source.error("<model>", f"canonical_link: no link {name!r:.60}")
        return name
    children = {(joint.findtext("child") or "").strip() for joint in model.findall("joint")}
    return next((link for link in links if link not in children), next(iter(links)))


def _limits(source: Source, element: Element, where: str) -> Joint:
    limit = element.find("axis/limit")
    if limit is None:
        return Joint(-_LARGEST_LIMIT, _LARGEST_LIMIT)
    low = source.number(limit, "lower", where, -_LARGEST_LIMIT)
    high = source.number(limit, "upper", where, _LARGEST_LIMIT)
    if not low <= high:
        raise source.error(where, f"<limit>: expected lower up to upper, got {low:g}, {high:g}")
    return Joint(max(low, -_LARGEST_LIMIT), min(high, _LARGEST_LIMIT))


def rigid_body(source: Source, model: Element) -> Body:
    """Return the rigid body of the links that joints connect to the base link."""
    links, joints = _named(source, model, "link"), _named(source, model, "joint")
    base, frames = _base(source, model, links), _Frames(source, model)
    body, used = _connected(source, base, links, joints)
    back = frames.pose(base).inverse()
    poses = {name: back @ frames.pose(name) for name in body}
    parts = {n: _inertial(source, links[n], f"<link name={n!r:.60}>") for n in body}

    mass = sum(part.mass for part in parts.values())
    places = {name: poses[name].point(part.centre) for name, part in parts.items()}
    centre = sum(parts[name].mass * place for name, place in places.items()) / mass
    tensor = np.zeros((3, 3))
    for name, part in parts.items():
        x, y, z = places[name] - centre
        steiner = np.array(
            [
                [y * y + z * z, -x * y, -x * z],
                [-x * y, x * x + z * z, -y * z],
                [-x * z, -y * z, x * x + y * y],
            ]
        )
        tensor = tensor + _turned(poses[name].rotation, part.tensor) + part.mass * steiner
    tensor = tensor * np.outer(_FLIP, _FLIP)  # FLU to FRD
    inertia = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    moving = {
        name: _limits(source, joints[name], f"<joint name={name!r:.60}>")
        for name in used
        if joints[name].get("type") != "fixed"
    }
    return Body(
        mass,
        [float(x) + 0.0 for x in inertia],
        np.asarray(centre),
        poses,
        {name: part.centre for name, part in parts.items()},
        moving,
    )
