"""Fins of SDF files: lift-drag surfaces that joints turn: `fins_of`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.gazebo.axes import axis_of
from pyrfly.vehicles.gazebo.body import to_frd
from pyrfly.vehicles.gazebo.channels import Channels
from pyrfly.vehicles.gazebo.elements import SURFACE, TURNING
from pyrfly.vehicles.gazebo.model import SdfModel
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.marine.parameters import FINS

__all__ = ["fins_of"]

Array = NDArray[np.float64]

_POSITIVE = Rule(1, "", *POSITIVE)
_TRAVEL, _TAU, _RATE = 0.5, 0.1, 1.5
"""Angle [rad] of joints without limits, time constant [s] and rate [rad/s], estimated."""


def _vector(model: SdfModel, plugin: Node, name: str, usual: Array) -> Array:
    """Return a direction of the link of a surface, of length 1 [FLU of the base link]."""
    direction = model.source.direction(plugin, name, usual)
    link = model.plugins.link(plugin, "link_name")
    return np.asarray(model.body.links[link].vector(direction))


def _sense(model: SdfModel, plugin: Node, joint: str) -> float:
    """Return whether a positive angle of a joint turns forward towards upward, 1, or away, -1."""
    forward = _vector(model, plugin, "forward", np.array([1.0, 0.0, 0.0]))
    upward = _vector(model, plugin, "upward", np.array([0.0, 0.0, 1.0]))
    axis = axis_of(model.source, model.body, joint)
    turned = np.array(
        [
            axis[1] * forward[2] - axis[2] * forward[1],
            axis[2] * forward[0] - axis[0] * forward[2],
            axis[0] * forward[1] - axis[1] * forward[0],
        ]
    )
    sense = float(exact.dot(turned, upward))
    if abs(sense) < 0.5:
        raise model.source.error(
            plugin, f"expected a fin that its joint {joint!r:.60} turns about its span"
        )
    return 1.0 if sense > 0.0 else -1.0


def _joint_of(model: SdfModel, plugin: Node, channels: Channels) -> str:
    """Return the joint with a channel that turns the link of a surface, or an empty text."""
    link = model.plugins.link(plugin, "link_name")
    moving = (
        name
        for name in channels.joints
        if model.body.joints[name].type in TURNING and link in model.body.joints[name].moved
    )
    return next(moving, "")


def _fin(model: SdfModel, plugin: Node, joint: str) -> dict[str, Any]:
    """Return the table of a fin."""
    source, body = model.source, model.body
    source.require_known(plugin, SURFACE)
    link = model.plugins.link(plugin, "link_name")
    area, slope = (source.number(plugin, name, None, _POSITIVE) for name in ("area", "cla"))
    density = source.number(plugin, "air_density", 1.2041, _POSITIVE)
    upward = _vector(model, plugin, "upward", np.array([0.0, 0.0, 1.0]))
    said = source.where(plugin)
    place = body.place(link, source.numbers(plugin, "cp", 3, np.zeros(3)))
    normal = to_frd(_sense(model, plugin, joint) * upward)
    return {
        "position": {"value": place, "unit": "m", "source": said},
        "normal": {"value": normal, "unit": "1", "source": said},
        "coef": {"value": 0.5 * density * area * slope, "unit": "N s^2/m^2", "source": said},
    }


def fins_of(model: SdfModel, channels: Channels) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Return the tables of the fins in the order of their channels, and the columns they share.

    Surfaces that no channel turns are recorded as left out.

    Raises
    ------
    ParameterError
        There are more than a vehicle has, or an element is missing or invalid.
    """
    source = model.source
    turned: dict[str, Node] = {}
    for plugin in model.plugins["surface"]:
        joint = _joint_of(model, plugin, channels)
        if not joint:
            source.leave_out(plugin, f"{plugin.path}: no channel turns it; only fins are read")
        elif joint in turned:
            source.leave_out(plugin, f"{plugin.path}: another fin of the joint {joint!r:.60}")
        else:
            turned[joint] = plugin
    if len(turned) > FINS:
        raise source.error(
            list(turned.values())[FINS], f"expected up to {FINS} fins, got {len(turned)}"
        )
    ordered = [joint for joint in channels.joints if joint in turned]
    joints = [model.body.joints[name] for name in ordered]
    ends = [abs(end) for joint in joints for end in (joint.low, joint.high)]
    travel = min([end for end in ends if end <= 1.6], default=_TRAVEL)
    shared = {
        "fin_travel": travel if ordered else 0.0,
        "fin_tau": _TAU,
        "fin_rate": _RATE,
        "fin_straightening": 1.0 if ordered else 0.0,
        "fin_race": 0.0,
    }
    return [_fin(model, turned[joint], joint) for joint in ordered], shared
