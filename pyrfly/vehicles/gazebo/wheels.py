"""Wheels of an SDF model, what drives and what steers them: `wheels_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Rule
from pyrfly.vehicles.gazebo.axes import axis_of
from pyrfly.vehicles.gazebo.collisions import Solid, solids_of
from pyrfly.vehicles.gazebo.elements import ACKERMANN, DIFFERENTIAL, TURNING, WHEEL
from pyrfly.vehicles.gazebo.model import SdfModel
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.source import Source

__all__ = [
    "Drive",
    "Wheel",
    "body_of",
    "drives_of",
    "mean_place",
    "note_other_numbers",
    "wheels_of",
]

Array = NDArray[np.float64]

_POSITIVE = Rule(1, "", *POSITIVE)

_ON_GROUND = 0.3
"""Height over the lowest one, over its radius, to which a round shape is a wheel on the ground."""

_ASIDE = 0.02
"""Difference of the wheels from the numbers of a plug-in that is said."""

_UPRIGHT = 0.9
"""Cosine of the vertical part of an axis that steers."""

_LEVEL = 0.9
"""Cosine of the part to the side of an axis on which a wheel rolls."""


class Drive(NamedTuple):
    """What turns the wheel of a joint: its plug-in, and the name of its command."""

    node: Node
    command: str


class Wheel(NamedTuple):
    """A round shape on the ground.

    Attributes
    ----------
    solid : Solid
        Its shape.
    joint : str
        Joint on which it turns; an empty text of a caster of the body.
    friction : float
        Friction coefficient.
    drive : Drive or None
        What turns it.
    steering : str
        Joint that steers it, or an empty text.
    """

    solid: Solid
    joint: str
    friction: float
    drive: Drive | None
    steering: str

    @property
    def place(self) -> Array:
        """Its middle from the centre of mass [m, FRD]."""
        return self.solid.middle


def _names(source: Source, plugin: Node, name: str) -> list[str]:
    return [(child.text or "").strip() for child in source.children(plugin, name)]


def drives_of(model: SdfModel) -> dict[str, Drive]:
    """Return what turns joints, by their names.

    Raises
    ------
    ParameterError
        A plug-in names a joint that the body has not.
    """
    source, plugins = model.source, model.plugins
    found: dict[str, Drive] = {}
    for plugin in plugins["wheel"]:
        source.require_known(plugin, WHEEL)
        joints = _names(source, plugin, "joint_name")
        command = f"joint {joints}"
        if source.flag(plugin, "use_actuator_msg"):
            command = f"actuator {source.whole(plugin, 'actuator_number', 100, 0)}"
        found |= dict.fromkeys(joints, Drive(plugin, command))
    for kind, known in (("differential", DIFFERENTIAL), ("ackermann", ACKERMANN)):
        for plugin in plugins[kind]:
            source.require_known(plugin, known)
            for side in ("left", "right"):
                joints = _names(source, plugin, f"{side}_joint")
                if not joints:
                    raise source.error(plugin, f"<{side}_joint>: missing")
                found |= dict.fromkeys(joints, Drive(plugin, side))
    for joint, drive in found.items():
        if joint not in model.body.joints:
            raise source.error(drive.node, f"no joint {joint!r:.60} of the body")
    return found


def _steered(model: SdfModel) -> dict[str, tuple[str, ...]]:
    """Return the links that joints with a controller and an upright axis turn, by joint."""
    source, body = model.source, model.body
    names = [model.plugins.joint(plugin, "joint_name") for plugin in model.plugins["controller"]]
    for plugin in model.plugins["ackermann"]:
        names += [source.text(plugin, f"{side}_steering_joint") for side in ("left", "right")]
    return {
        name: body.joints[name].moved
        for name in names
        if name in body.joints
        and body.joints[name].type in TURNING
        and abs(float(axis_of(source, body, name)[2])) > _UPRIGHT
    }


def _friction(source: Source, collision: Node) -> float:
    """Return the friction coefficient of a shape, 1 where it has none."""
    node: Node | None = collision
    for name in ("surface", "friction", "ode"):
        node = None if node is None else source.child(node, name)
    return 1.0 if node is None else source.number(node, "mu", 1.0, Rule(1, "", *NOT_NEGATIVE))


def _note_axis(model: SdfModel, joint: str) -> None:
    """Refuse the joint of a driven wheel that does not roll ahead, and note one that rolls back."""
    source, node = model.source, model.body.joints[joint].node
    left = float(axis_of(source, model.body, joint)[1])
    if abs(left) < _LEVEL:
        raise source.error(node, "<axis>: expected one to the left, for a driven wheel")
    if left < 0.0:
        source.leave_out(node, f"{node.path}: <axis>: to the right; the wheel is driven forward")


def wheels_of(model: SdfModel, drives: Mapping[str, Drive]) -> list[Wheel]:
    """Return the round shapes that stand on the ground when a model is level."""
    source, body = model.source, model.body
    round_ones = [one for one in solids_of(source, model.node, body) if one.radius > 0.0]
    bottoms = [float(one.middle[2] + one.half[2]) for one in round_ones]
    floor = max(bottoms, default=0.0)
    steered = _steered(model)
    found = []
    for solid, bottom in zip(round_ones, bottoms, strict=True):
        if floor - bottom > _ON_GROUND * solid.radius:
            continue
        joint = next((name for name, j in body.joints.items() if j.moved[0] == solid.link), "")
        steering = next(
            (name for name, links in steered.items() if solid.link in links and name != joint), ""
        )
        drive = drives.get(joint)
        if drive is not None:
            _note_axis(model, joint)
        found.append(Wheel(solid, joint, _friction(source, solid.node), drive, steering))
    return found


def note_other_numbers(source: Source, plugin: Node, numbers: Mapping[str, float]) -> None:
    """Record elements of a plug-in that are others than the lengths of the wheels, by name [m]."""
    for name, value in numbers.items():
        given = source.number(plugin, name, value, _POSITIVE)
        if abs(given - value) > _ASIDE * value:
            source.assume(
                plugin, f"{plugin.path}: <{name}>: {value:.4g} m of the wheels, not {given:g}"
            )


def mean_place(wheels: Sequence[Wheel]) -> Array:
    """Return the mean of the places of wheels."""
    return np.asarray(sum(wheel.place for wheel in wheels)) / len(wheels)


def body_of(model: SdfModel, wheels: Sequence[Wheel]) -> Solid | None:
    """Return the largest shape that is no wheel, if there is one."""
    links = {wheel.solid.link for wheel in wheels if wheel.joint}
    others = [
        one for one in solids_of(model.source, model.node, model.body) if one.link not in links
    ]
    return max(others, key=lambda one: one.volume, default=None)
