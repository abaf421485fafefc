"""Links, frames and joints of an SDF model as one rigid body.

Links that joints connect to the base link, at position zero, are parts of the body. Its frame is
that of the base link, turned from forward-left-up into forward-right-down, at the centre of mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.entries import LARGEST, NOT_NEGATIVE, POSITIVE, SMALLEST, Rule
from pyrfly.vehicles.gazebo.elements import (
    AXIS,
    INERTIAL,
    JOINT,
    JOINT_TYPES,
    LIMIT,
    LINK,
)
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.pose import Pose, pose_of
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["Body", "Joint", "rigid_body", "to_frd"]

Array = NDArray[np.float64]

_FLIP = np.array([1.0, -1.0, -1.0])
_LARGEST_LIMIT = 1e3
_MAXIMUM_NAMED = 500  # links, frames, joints: the time to connect them grows with their square
_MAXIMUM_CHAIN = 50  # frames that are given in others
_MASS = Rule(1, "kg", *POSITIVE)
_MOMENT = Rule(1, "kg m^2", *NOT_NEGATIVE)


class Joint(NamedTuple):
    """A joint that connects links of the body.

    Attributes
    ----------
    node : Node
        Its element.
    type : str
        Its type.
    low, high : float
        Range of its positions [rad]; 0 of a fixed one.
    moved : tuple of str
        The links on the side of it that the base link is not on, the next one first.
    """

    node: Node
    type: str
    low: float
    high: float
    moved: tuple[str, ...]


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
    model : Pose
        Frame of the model in that of the base link, FLU.
    masses : mapping of str to float
        Masses of its links [kg].
    """

    mass: float
    inertia: list[float]
    centre: Array
    links: Mapping[str, Pose]
    centres: Mapping[str, Array]
    joints: Mapping[str, Joint]
    model: Pose
    masses: Mapping[str, float]

    def place(self, link: str, point: Array) -> list[float]:
        """Return a place of a link [m] from the centre of mass [m, FRD]."""
        return to_frd(self.links[link].point(point) - self.centre)

    def direction(self, link: str, vector: Array) -> list[float]:
        """Return a direction of a link, FRD."""
        return to_frd(self.links[link].vector(vector))


def to_frd(vector: Array) -> list[float]:
    """Return a vector of forward-left-up in forward-right-down: a half turn about forward."""
    return _clean(vector * _FLIP)


def _clean(values: Array) -> list[float]:
    """Return numbers without rounding errors of zero, and without -0.0."""
    return [0.0 if abs(x) < SMALLEST else float(x) for x in values]


# --- links ----------------------------------------------------------------------------------------


class _Inertial(NamedTuple):
    mass: float
    centre: Array  # in the link's frame
    tensor: Array  # about the centre, along the link's axes


def _inertial(source: Source, link: Node) -> _Inertial:
    element = source.child(link, "inertial")
    if element is None:
        source.assume(link, f"{link.path}: <inertial>: 1 kg and 1 kg m^2, SDFormat's defaults")
        return _Inertial(1.0, np.zeros(3), np.eye(3))
    source.require_known(element, INERTIAL)
    source.require_once(element, "mass", "pose", "inertia")
    if element.get("auto", "false") not in ("false", "0"):
        raise source.error(element, "auto: expected false, an inertia that is given")
    if source.child(element, "mass") is None:
        source.assume(element, f"{link.path}: <mass>: 1 kg, SDFormat's default")
    mass = source.number(element, "mass", 1.0, _MASS)
    pose = pose_of(source, element)
    inertia = source.child(element, "inertia")
    moments = () if inertia is None else (source.child(inertia, f"i{a}{a}") for a in "xyz")
    if inertia is None or None in moments:
        source.assume(element, f"{link.path}: <inertia>: 1 kg m^2, SDFormat's default")
    if inertia is None:
        return _Inertial(mass, pose.origin, np.eye(3))
    xx, yy, zz = (source.number(inertia, f"i{axis}", 1.0, _MOMENT) for axis in ("xx", "yy", "zz"))
    xy, xz, yz = (source.number(inertia, f"i{axis}", 0.0) for axis in ("xy", "xz", "yz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return _Inertial(mass, pose.origin, _turned(pose.rotation, tensor))


def _check_link(source: Source, link: Node) -> None:
    """Refuse a link that forces do not move, and record what acts on it and is left out."""
    source.require_known(link, LINK)
    source.require_once(link, "pose", "inertial")
    if source.flag(link, "kinematic"):
        raise source.error(link, "<kinematic>: expected false, a link that forces move, got true")
    if not source.flag(link, "gravity", True):
        source.leave_out(link, f"{link.path}: <gravity>: false; it has its weight")
    if source.flag(link, "enable_wind"):
        source.leave_out(link, f"{link.path}: <enable_wind>: the wind of the world on its mass")
    decay = source.child(link, "velocity_decay")
    for name in ("linear", "angular") if decay is not None else ():
        assert decay is not None
        if source.number(decay, name, 0.0) != 0.0:
            source.leave_out(decay, f"{decay.path}: <{name}>: damping")


def _turned(rotation: Array, tensor: Array) -> Array:
    """Return R T R^T, with products in a fixed order."""
    half = sum(rotation[:, k, None] * tensor[k] for k in range(3))
    return np.asarray(sum(half[:, k, None] * rotation[:, k] for k in range(3)))


# --- names and frames -----------------------------------------------------------------------------


def _named(source: Source, model: Node, tag: str) -> dict[str, Node]:
    """Return the children of a tag by their names."""
    found: dict[str, Node] = {}
    elements = source.children(model, tag)
    if len(elements) > _MAXIMUM_NAMED:
        raise source.error(elements[-1], f"expected up to {_MAXIMUM_NAMED}, got {len(elements)}")
    for element in elements:
        name = element.get("name")
        if not name:
            raise source.error(element, "name: missing")
        if name in found:
            raise source.error(
                element, f"expected each name once, got that of line {found[name].line} again"
            )
        found[name] = element
    return found


class _Frames:
    """Poses of links and frames in the frame of the model, by name."""

    def __init__(self, source: Source, model: Node) -> None:
        self._source = source
        self._links = _named(source, model, "link")
        self._frames = _named(source, model, "frame")
        self._joints = _named(source, model, "joint")
        self._others = "; included models are not read" if model.find("include") is not None else ""
        self._open: list[str] = []

    def pose(self, name: str, asked: Node) -> Pose:
        """Return the pose of a link, a frame or a joint; ``asked`` is what refers to it."""
        if name in self._open:
            raise self._source.error(asked, f"<pose> relative to {name!r:.60}: refers to itself")
        if len(self._open) >= _MAXIMUM_CHAIN:
            raise self._source.error(
                asked, f"<pose>: expected up to {_MAXIMUM_CHAIN} frames in each other"
            )
        self._open.append(name)
        try:
            return self._resolved(name, asked)
        finally:
            self._open.pop()

    def _resolved(self, name: str, asked: Node) -> Pose:
        still = Pose(np.zeros(3), np.eye(3))
        for elements, usual in (
            (self._links, lambda _: None),
            (self._frames, lambda e: e.get("attached_to")),
            (self._joints, lambda e: (e.findtext("child") or "").strip()),
        ):
            if name in elements:
                element = elements[name]
                child = self._source.child(element, "pose")
                other = None if child is None else child.get("relative_to") or child.get("frame")
                base = other or usual(element)
                outer = self.pose(base, element) if base and base != "__model__" else still
                return outer @ pose_of(self._source, element)
        raise self._source.error(
            asked, f"<pose> relative to {name!r:.60}: no such link or frame{self._others}"
        )


# --- joints ---------------------------------------------------------------------------------------


def _checked_joint(source: Source, joint: Node) -> tuple[str, str]:
    """Return the parent and the child of a joint of a known type."""
    source.require_known(joint, JOINT)
    source.require_once(joint, "parent", "child", "pose", "axis")
    kind = joint.get("type")
    if kind not in JOINT_TYPES:
        known = ", ".join(sorted(JOINT_TYPES))
        raise source.error(joint, f"type: expected one of {known}, got {brief(kind)}")
    ends = source.text(joint, "parent"), source.text(joint, "child")
    if "world" in ends:
        raise source.error(joint, "expected links of the vehicle, got the world, which holds it")
    if ends[0] == ends[1]:
        raise source.error(joint, f"expected two links, got {brief(ends[0])} twice")
    return ends


def _connected(
    source: Source, base: str, links: Mapping[str, Node], joints: Mapping[str, Node]
) -> dict[str, tuple[str, str] | None]:
    """Return the links that joints connect to the base link: by which joint, to which link."""
    ends = {name: _checked_joint(source, joint) for name, joint in joints.items()}
    body: dict[str, tuple[str, str] | None] = {base: None}
    queue = [base]
    for link in queue:
        for name, (parent, child) in ends.items():
            other = child if link == parent else parent if link == child else None
            if other is not None and other in links and other not in body:
                body[other] = (name, link)
                queue.append(other)
    for name, (parent, child) in ends.items():
        for end in (parent, child):
            if end not in links:
                source.leave_out(
                    joints[name], f"joint {name!r:.60}: its link {end!r:.60} is not in the file"
                )
    for name, link_node in links.items():
        if name not in body:
            source.leave_out(link_node, f"link {name!r:.60}: no joint connects it to {base!r:.60}")
    return body


def _base(source: Source, model: Node, links: Mapping[str, Node]) -> str:
    """Return the base link: the canonical one, or the first that no joint has as a child."""
    if not links:
        included = ", ".join(
            brief((node.findtext("uri") or "").strip()) for node in model.findall("include")[:5]
        )
        hint = f"; included models are not read, such as {included}" if included else ""
        raise source.error(model, f"<link>: missing{hint}")
    name = model.get("canonical_link")
    if name is not None:
        if name not in links:
            raise source.error(model, f"canonical_link: no link {name!r:.60}")
        return name
    children = {(joint.findtext("child") or "").strip() for joint in model.findall("joint")}
    return next((link for link in links if link not in children), next(iter(links)))


def _limits(source: Source, joint: Node) -> tuple[float, float]:
    """Return the range of the positions of a joint that is not fixed."""
    axis = source.child(joint, "axis")
    if axis is None:
        return -_LARGEST_LIMIT, _LARGEST_LIMIT
    source.require_known(axis, AXIS)
    limit = source.child(axis, "limit")
    if limit is None:
        return -_LARGEST_LIMIT, _LARGEST_LIMIT
    source.require_known(limit, LIMIT)
    if joint.get("type") == "continuous":  # its limits are without effect
        return -_LARGEST_LIMIT, _LARGEST_LIMIT
    low, high = (
        _limit(source, limit, name, usual)
        for name, usual in (("lower", -_LARGEST_LIMIT), ("upper", _LARGEST_LIMIT))
    )
    if not low <= high:
        raise source.error(limit, f"expected lower up to upper, got {low:g}, {high:g}")
    return max(low, -_LARGEST_LIMIT), min(high, _LARGEST_LIMIT)


def _limit(source: Source, limit: Node, name: str, usual: float) -> float:
    """Return a limit; numbers of 1e16 and more, and infinite ones, stand for none."""
    text = (limit.findtext(name) or "").strip().lower().lstrip("+-")
    if text in ("inf", "infinity"):
        return usual
    try:
        if abs(float(text)) > LARGEST:
            return usual
    except ValueError:
        pass
    return source.number(limit, name, usual, Rule(1, ""))


def _joints(
    source: Source, joints: Mapping[str, Node], body: Mapping[str, tuple[str, str] | None]
) -> dict[str, Joint]:
    """Return the joints by which links are connected to the base link."""
    moved: dict[str, list[str]] = {}
    for link, by in body.items():
        outer, link_or_base = by, link
        while outer is not None:
            moved.setdefault(outer[0], []).append(link_or_base)
            outer = body[outer[1]]
    found = {}
    for name, behind in moved.items():
        kind = joints[name].get("type") or ""
        low, high = (0.0, 0.0) if kind == "fixed" else _limits(source, joints[name])
        found[name] = Joint(joints[name], kind, low, high, tuple(behind))
    return found


# --- the body -------------------------------------------------------------------------------------


def _tensor(parts: Mapping[str, _Inertial], poses: Mapping[str, Pose], centre: Array) -> Array:
    """Return the inertia of links about a place, FLU."""
    tensor = np.zeros((3, 3))
    for name, part in parts.items():
        x, y, z = poses[name].point(part.centre) - centre
        steiner = np.array(
            [
                [y * y + z * z, -x * y, -x * z],
                [-x * y, x * x + z * z, -y * z],
                [-x * z, -y * z, x * x + y * y],
            ]
        )
        tensor = tensor + _turned(poses[name].rotation, part.tensor) + part.mass * steiner
    return tensor


def _six(tensor: Array) -> list[float]:
    """Return xx, yy, zz, xy, xz, yz of a tensor, FLU to FRD."""
    turned = tensor * np.outer(_FLIP, _FLIP)
    return _clean(
        np.array([turned[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
    )


def _check_body(
    source: Source,
    model: Node,
    links: Mapping[str, Node],
    parts: Mapping[str, _Inertial],
    mass: float,
    inertia: list[float],
) -> None:
    """Raise a ParameterError for a body that there cannot be; it names the link if it is one."""
    if not all(abs(value) <= LARGEST for value in (mass, *inertia)):
        raise source.error(
            model, f"<link>: expected mass and inertia below {LARGEST:g} in SI units"
        )
    try:
        require_bodies(f"{source.where(model)}: inertia", inertia)
    except ParameterError as error:
        for name, part in parts.items():
            require_bodies(f"{source.where(links[name])}: inertia", _six(part.tensor))
        raise error from None


def rigid_body(source: Source, model: Node) -> Body:
    """Return the rigid body of the links that joints connect to the base link."""
    links, joints = _named(source, model, "link"), _named(source, model, "joint")
    base, frames = _base(source, model, links), _Frames(source, model)
    body = _connected(source, base, links, joints)
    back = frames.pose(base, links[base]).inverse()
    poses = {name: back @ frames.pose(name, links[name]) for name in body}
    for name in body:
        _check_link(source, links[name])
    parts = {name: _inertial(source, links[name]) for name in body}

    mass = sum(part.mass for part in parts.values())
    places = {name: poses[name].point(part.centre) for name, part in parts.items()}
    centre = np.asarray(sum(parts[name].mass * place for name, place in places.items()) / mass)
    inertia = _six(_tensor(parts, poses, centre))
    _check_body(source, model, links, parts, mass, inertia)
    return Body(
        mass,
        inertia,
        centre,
        poses,
        {name: part.centre for name, part in parts.items()},
        _joints(source, joints, body),
        back,
        {name: part.mass for name, part in parts.items()},
    )
