"""Control channels of an SDF model: of motors by number, of joints by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyrfly.errors import brief
from pyrfly.vehicles.gazebo.elements import CHANNEL, CONTROLLER
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.plugins import Plugins, Table
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["CHANNELS", "Channel", "Channels", "channels_of", "motor_number"]

CHANNELS = 16
"""Channels of an interface to the autopilot [@mavlink HIL_ACTUATOR_CONTROLS]."""

_AT_ONCE = "position_kinematic"


class Channel(NamedTuple):
    """A control channel: its element, and the entries channel, offset, scaling and zero."""

    node: Node
    table: Table
    at_once: bool = True
    """Whether its joint is at the position at once in Gazebo too."""


class Channels(NamedTuple):
    """The channels of motors by their number, and those of joints by their name.

    Attributes
    ----------
    motors : dict of int to Channel
    joints : dict of str to Channel
        The first one of each joint.
    again : dict of str to Channel
        The last one of the joints that have several.
    """

    motors: dict[int, Channel]
    joints: dict[str, Channel]
    again: dict[str, Channel]


def motor_number(source: Source, plugin: Node) -> int:
    """Return the number of a motor, which Gazebo calls actuator_number too."""
    usual = None
    if source.child(plugin, "actuator_number") is not None:
        usual = source.whole(plugin, "actuator_number", CHANNELS - 1)
    return source.whole(plugin, "motorNumber", CHANNELS - 1, usual)


def _listed(plugins: Plugins) -> Iterator[tuple[int, Node]]:
    """Yield the channels of the interface to the autopilot, with their indices."""
    source = plugins.source
    interfaces = plugins["interface"]
    if len(interfaces) > 1:
        raise source.error(interfaces[1], f"expected one such plug-in, got {len(interfaces)}")
    for interface in interfaces:
        listed = source.child(interface, "control_channels")
        nodes = [] if listed is None else source.children(listed, "channel")
        if len(nodes) > CHANNELS:
            raise source.error(
                nodes[CHANNELS], f"expected up to {CHANNELS} channels, got {len(nodes)}"
            )
        for number, node in enumerate(nodes):
            source.require_known(node, CHANNEL)
            yield source.whole(node, "input_index", CHANNELS - 1, number), node


def _channel_table(plugins: Plugins, index: int, node: Node) -> Table:
    source = plugins.source
    names = ("zero_position_armed", "zero_position_disarmed")
    return {
        "channel": float(index),
        "offset": source.number(node, "input_offset"),
        "scaling": source.number(node, "input_scaling"),
        "zero": [source.number(node, name) for name in names],
    }


def channels_of(plugins: Plugins, motors: int) -> Channels:
    """Return the control channels of a model with some motors.

    Without an interface to the autopilot, the position controllers of Gazebo have the channels
    after those of the motors.
    """
    found = Channels({}, {}, {})
    by_index: dict[int, Node] = {}
    source = plugins.source
    for index, node in _listed(plugins):
        if index in by_index:
            raise source.error(
                node,
                f"<input_index>: expected another one, got {index} of line "
                f"{by_index[index].line} again",
            )
        by_index[index] = node
        table = _channel_table(plugins, index, node)
        kind = source.text(node, "joint_control_type", "velocity")
        if kind == "velocity":
            found.motors[index] = Channel(node, table)
        elif kind in ("position", "position_gztopic", _AT_ONCE):
            joint = plugins.joint(node, "joint_name")
            if joint not in plugins.body.joints:
                source.assume(node, f"{node.path}: no joint {joint!r:.60}; without effect")
                continue
            _add(found, joint, Channel(node, table, kind == _AT_ONCE))
        else:
            raise source.error(
                node, f"<joint_control_type>: expected velocity or position, got {brief(kind)}"
            )
    if not plugins["interface"]:
        _add_controllers(plugins, found, motors)
    return found


def _add(found: Channels, joint: str, channel: Channel) -> None:
    """Add the channel of a joint; a second one is an error if the joint moves a surface."""
    if joint in found.joints:
        found.again[joint] = channel
    else:
        found.joints[joint] = channel


def _add_controllers(plugins: Plugins, found: Channels, motors: int) -> None:
    """Add the channels of position controllers of Gazebo, after those of the motors."""
    source = plugins.source
    for number, plugin in enumerate(plugins["controller"]):
        source.require_known(plugin, CONTROLLER)
        joint = plugins.joint_of_body(plugin, "joint_name")
        if motors + number >= CHANNELS:
            controllers = len(plugins["controller"])
            raise source.error(
                plugin,
                f"expected up to {CHANNELS} channels, got {motors + controllers}: of {motors} "
                f"motors and {controllers} position controllers",
            )
        table = {"channel": float(motors + number), "scaling": 1.0}
        _add(found, joint, Channel(plugin, table, False))
        source.assume(
            plugin, f"joint {joint!r:.60}: it is on the channel {motors + number}, 1 rad at 1"
        )
