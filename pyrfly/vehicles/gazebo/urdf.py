"""URDF files as models of SDF: `model_of_robot`.

Links become links with their inertia, joints joints between them, and what stands in ``<gazebo>``
what it is in SDF, the plug-ins with their motors and surfaces above all, as Gazebo itself reads
such files [@gz-classic]. A link without mass is a frame of the link that carries it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyrfly.errors import ParameterError
from pyrfly.vehicles.gazebo.node import Node

__all__ = ["model_of_robot"]

_TYPES = ("revolute", "continuous", "prismatic", "fixed")
_MOST_LINKS = 1000
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def _error(node: Node, text: str) -> ParameterError:
    return ParameterError(f"{node.file}: line {node.line}: {node.path}: URDF: {text}")


def _add(outer: Node, source: Node, tag: str, text: str = "", **attributes: str) -> Node:
    """Add an element that stands where another one of the URDF file does."""
    node = Node(tag, attributes)
    node.file, node.line, node.outer, node.text = source.file, source.line, outer, text
    outer.append(node)
    return node


def _only(node: Node, tag: str) -> Node | None:
    """Return the child of a tag, None without one."""
    found = [child for child in node if child.tag == tag]
    if len(found) > 1:
        raise _error(node, f"<{tag}>: expected once, got {len(found)}")
    assert not found or isinstance(found[0], Node)
    return found[0] if found else None  # type: ignore[return-value]


def _needed(node: Node, tag: str, attribute: str) -> str:
    child = _only(node, tag)
    value = None if child is None else child.get(attribute)
    if value is None:
        raise _error(node, f"<{tag} {attribute}>: missing")
    return value


def _named(robot: Node, tag: str) -> dict[str, Node]:
    """Return the links or the joints by name."""
    found: dict[str, Node] = {}
    for node in robot:
        if node.tag != tag or not isinstance(node, Node):
            continue
        name = node.get("name")
        if not name or name in found or len(found) >= _MOST_LINKS:
            raise _error(node, f"name: expected one of its own, of up to {_MOST_LINKS}")
        found[name] = node
    return found


def _pose(node: Node, outer: Node, **attributes: str) -> None:
    """Add the pose of an ``<origin>`` to an element."""
    origin = _only(node, "origin")
    xyz, rpy = (("" if origin is None else origin.get(k, "")) or "0 0 0" for k in ("xyz", "rpy"))
    _add(outer, node if origin is None else origin, "pose", f"{xyz} {rpy}", **attributes)


class _Tree:
    """Links of a robot by the joint that leads to each."""

    def __init__(self, robot: Node) -> None:
        self.links, self.joints = _named(robot, "link"), _named(robot, "joint")
        self.above: dict[str, Node] = {}
        for joint in self.joints.values():
            for tag in ("parent", "child"):
                if _needed(joint, tag, "link") not in self.links:
                    raise _error(joint, f"<{tag}>: expected a <link> of the file")
            child = _needed(joint, "child", "link")
            if child in self.above:
                raise _error(joint, f"<child>: expected one joint to {child!r:.60}, got another")
            self.above[child] = joint
        if not self.links:
            raise _error(robot, "<link>: missing")
        self.roots = [name for name in self.links if name not in self.above]
        if len(self.roots) != 1:
            raise _error(robot, f"expected one link that is no child, got {len(self.roots)}")

    def massive(self, name: str) -> bool:
        return _only(self.links[name], "inertial") is not None

    def carriers(self) -> Mapping[str, str]:
        """Return the link with mass to which each one belongs, or the first of all."""
        first = next((name for name in self.links if self.massive(name)), "")
        found: dict[str, str] = {}
        for name in self.links:
            at, seen = name, 0
            while at in self.above and not self.massive(at) and seen < _MOST_LINKS:
                at, seen = _needed(self.above[at], "parent", "link"), seen + 1
            found[name] = at if self.massive(at) else first
        return found


def _link(model: Node, tree: _Tree, name: str, carriers: Mapping[str, str]) -> None:
    """Add a link, or the frame of one without mass."""
    link, joint = tree.links[name], tree.above.get(name)
    if tree.massive(name):
        added = _add(model, link, "link", name=name)
        _inertial(link, added)
    elif joint is None:
        added = _add(model, link, "frame", name=name)
    else:
        added = _add(model, link, "frame", name=name, attached_to=carriers[name])
    if joint is not None:
        _pose(joint, added, relative_to=_needed(joint, "parent", "link"))


def _inertial(link: Node, added: Node) -> None:
    inertial = _only(link, "inertial")
    assert inertial is not None
    found = _add(added, inertial, "inertial")
    _pose(inertial, found)
    _add(found, inertial, "mass", _needed(inertial, "mass", "value"))
    moments = _add(found, inertial, "inertia")
    for moment in _MOMENTS:
        _add(moments, inertial, moment, _needed(inertial, "inertia", moment))


def _joint(model: Node, joint: Node, carriers: Mapping[str, str]) -> None:
    """Add a joint between links with mass."""
    kind = joint.get("type", "")
    if kind not in _TYPES:
        raise _error(joint, f"type: expected one of {', '.join(_TYPES)}, got {kind!r:.60}")
    parent, child = (_needed(joint, tag, "link") for tag in ("parent", "child"))
    if carriers[child] != child or carriers[parent] == child:
        return  # to a frame, or from one that the child carries
    added = _add(model, joint, "joint", name=joint.get("name", ""), type=kind)
    _add(added, joint, "parent", carriers[parent])
    _add(added, joint, "child", child)
    limit = _only(joint, "limit")
    if kind in ("revolute", "prismatic"):
        axis = _add(added, joint, "axis")
        limits = _add(axis, joint, "limit")
        for name in ("lower", "upper"):  # URDF has 0 for what is not given
            _add(limits, joint, name, "0" if limit is None else limit.get(name, "0"))


def _move(node: Node, outer: Node) -> None:
    node.outer = outer
    outer.append(node)


def model_of_robot(robot: Node) -> Node:
    """Return the model of SDF that a URDF file says.

    Raises
    ------
    ParameterError
        An element is missing or invalid; the text says that the file is one of URDF.
    """
    for node in robot.iter():
        if node.tag.startswith("xacro:"):
            raise _error(robot, f"expected a file that xacro has expanded, got <{node.tag:.40}>")
    tree = _Tree(robot)
    carriers = tree.carriers()
    if not any(carriers.values()):
        raise _error(robot, "expected at least one <link> with <inertial>")
    root = tree.roots[0]
    base = {"canonical_link": root} if tree.massive(root) else {}
    model = Node("model", {"name": robot.get("name", ""), **base})
    model.file, model.line = robot.file, robot.line
    for name in tree.links:
        _link(model, tree, name, carriers)
    for joint in tree.joints.values():
        _joint(model, joint, carriers)
    by_name = {node.get("name"): node for node in model if node.tag == "link"}
    for gazebo in [node for node in robot if node.tag == "gazebo"]:
        reference = gazebo.get("reference")
        for child in list(gazebo):
            if child.tag == "plugin" and isinstance(child, Node):
                outer = model if reference is None else by_name.get(reference, model)
                assert isinstance(outer, Node)
                _move(child, outer)
    if not any(node.tag == "plugin" for node in model.iter()):
        raise _error(
            robot,
            "it has no thrust and no lift; expected plug-ins in <gazebo>, such as"
            " <plugin filename='libgazebo_motor_model.so'> with linkName, motorNumber,"
            " turningDirection, motorConstant, momentConstant, maxRotVelocity, timeConstantUp and"
            " timeConstantDown for each motor",
        )
    return model
