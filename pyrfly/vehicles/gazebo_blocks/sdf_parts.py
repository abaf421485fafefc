"""Motors, surfaces and joints of an SDF model as tables of a parameter file: `tables_of`."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, sqrt
from typing import Any

import numpy as np

from pyrfly.vehicles.entries import check_number
from pyrfly.vehicles.gazebo.channels import Channels, channels_of, motor_number
from pyrfly.vehicles.gazebo.elements import (
    AERO,
    CONTROL_SURFACE,
    MOTOR,
    SURFACE,
    TURNING,
)
from pyrfly.vehicles.gazebo.model import SdfModel
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.plugins import Plugins, Table, is_classic
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY, EFFECTS, KINDS
from pyrfly.vehicles.gazebo_blocks.sdf_entries import (
    directions_of,
    entry_of,
    numbers_of,
    position_of,
    refuse_radial,
)

__all__ = ["tables_of"]

_MOTOR_ENTRIES = {  # by entry of a [[motor]]: element, default
    "thrust": ("motorConstant", None),
    "moment": ("momentConstant", None),
    "limit": ("maxRotVelocity", None),
    "drag": ("rotorDragCoefficient", 1.0e-4),
    "rolling": ("rollingMomentCoefficient", 1.0e-6),
}
_SURFACE_ENTRIES = {
    "area": ("area", None),
    "density": ("air_density", 1.2041),
    "zero_lift": ("a0", None),
    "lift": ("cla", None),
    "drag": ("cda", None),
    "moment": ("cma", 0.0),
    "lift_stalled": ("cla_stall", None),
    "drag_stalled": ("cda_stall", None),
    "moment_stalled": ("cma_stall", 0.0),
}
_AERO_ENTRIES = {
    "area": ("area", None),
    "density": ("air_density", 1.2041),
    "aspect_ratio": ("AR", None),
    "efficiency": ("eff", None),
    "stall": ("alpha_stall", None),
    "blend": ("M", 15.0),
}
_AERO_ROWS = {
    "lift": "CL0 CLa CLb CLp CLq CLr",
    "drag": "CD0 CDp CDq CDr",
    "side": "CYa CYb CYp CYq CYr",
    "roll": "Cella Cellb Cellp Cellq Cellr",
    "pitch": "Cem0 Cema Cemb Cemp Cemq Cemr Cema_stall",
    "yaw": "Cena Cenb Cenp Cenq Cenr",
}
_NEEDED = ("CL0", "CLa", "CD0")
_EFFECTS = ("CD_ctrl", "CY_ctrl", "CL_ctrl", "Cell_ctrl", "Cem_ctrl", "Cen_ctrl")
_AIRSPEED = 25.0  # m/s: maxRelativeAirspeed that Gazebo Classic assumes
_UP = np.array([0.0, 0.0, 1.0])


# --- motors ---------------------------------------------------------------------------------------


def _motor_channel(plugins: Plugins, plugin: Node, channels: Channels, top: float) -> Table:
    """Return the entries of the channel of a motor."""
    number = motor_number(plugins.source, plugin)
    if number in channels.motors:
        return channels.motors[number].table
    plugins.source.assume(
        plugin, f"motor {number}: no control channel; the channel 1 is {top:g} rad/s"
    )
    return {"channel": float(number), "scaling": top}


def _motor(plugins: Plugins, plugin: Node, channels: Channels) -> Table:
    source, body = plugins.source, plugins.body
    source.require_known(plugin, MOTOR)
    link = plugins.link(plugin, "linkName")
    turning = plugins.choice(plugin, "turningDirection", ("cw", "ccw"), None)
    plugins.choice(plugin, "motorType", ("velocity",), "velocity")
    direction = 1.0 if turning == "ccw" else -1.0
    table = numbers_of(plugins, plugin, "motor", _MOTOR_ENTRIES)
    for key, value in _motor_channel(plugins, plugin, channels, table["limit"]["value"]).items():
        table[key] = entry_of(plugins, plugin, "motorNumber", "motor", key, value)
    lags = [
        source.number(plugin, f"timeConstant{way}", rule=KINDS["motor"]["lags"])
        for way in ("Up", "Down")
    ]
    centre = body.place(link, body.centres[link])
    table |= {
        "name": link,
        "direction": entry_of(plugins, plugin, "turningDirection", "motor", "direction", direction),
        "lags": entry_of(plugins, plugin, "timeConstantUp", "motor", "lags", lags),
        "position": entry_of(plugins, plugin, "linkName", "motor", "position", centre),
        "axis": entry_of(plugins, plugin, "linkName", "motor", "axis", body.direction(link, _UP)),
    }
    reversible = 1.0
    if not is_classic(plugin):
        table["rolling"]["value"] *= direction  # gz-sim's rolling moment has no direction
    else:
        fastest = source.number(plugin, "maxRelativeAirspeed", _AIRSPEED)
        if not fastest > 0:
            raise source.error(plugin, "<maxRelativeAirspeed>: expected more than 0 m/s")
        table["airspeed_loss"] = entry_of(
            plugins, plugin, "maxRelativeAirspeed", "motor", "airspeed_loss", 1.0 / fastest
        )
        reversible = direction if source.flag(plugin, "reversible") else 0.0
    if reversible:
        table["reversible"] = entry_of(
            plugins, plugin, "reversible", "motor", "reversible", reversible
        )
    return table


def _rotor_joint(plugins: Plugins, plugin: Node) -> str:
    """Return the joint that a motor turns, without which there is no motor in Gazebo."""
    named = plugins.joint(plugin, "jointName")
    return plugins.joint_of_body(plugin, "jointName") if named else ""


def _motors(plugins: Plugins, channels: Channels) -> list[Table]:
    """Return the tables of the motors; motors of one number follow one channel."""
    source = plugins.source
    places: dict[tuple[str, str], Node] = {}
    numbers: dict[int, Node] = {}
    found = []
    for plugin in plugins["motor"]:
        table = _motor(plugins, plugin, channels)
        number = motor_number(source, plugin)
        for key, name in (
            ("linkName", table["name"]),
            ("jointName", _rotor_joint(plugins, plugin)),
        ):
            if name and (key, name) in places:
                raise source.error(
                    plugin,
                    f"<{key}>: expected one motor of each, got {name!r:.60} of line "
                    f"{places[key, name].line} again",
                )
            places[key, name] = plugin
        if number in numbers:
            source.assume(
                plugin,
                f"motor {number}: that of line {numbers[number].line} has the same number; both "
                "follow its channel",
            )
        numbers[number] = plugin
        found.append(table)
    return found


# --- surfaces -------------------------------------------------------------------------------------


def _surface(plugins: Plugins, plugin: Node, channels: Channels) -> Table:
    source = plugins.source
    source.require_known(plugin, SURFACE)
    link = plugins.link(plugin, "link_name")
    refuse_radial(plugins, plugin)
    table = numbers_of(plugins, plugin, "surface", _SURFACE_ENTRIES)
    # Angles are folded to 90 deg, so that a larger stall angle is that one.
    stall = min(source.number(plugin, "alpha_stall"), pi / 2)
    table["stall"] = entry_of(plugins, plugin, "alpha_stall", "surface", "stall", stall)
    table["position"] = position_of(plugins, plugin, "cp", "surface", link)
    table |= directions_of(plugins, plugin, "surface", link)
    sweep = 1.0 if is_classic(plugin) else 2.0
    table["sweep"] = entry_of(plugins, plugin, "link_name", "surface", "sweep", sweep)
    joint = plugins.joint(plugin, "control_joint_name")
    if joint in channels.joints:
        gain = source.number(plugin, "control_joint_rad_to_cl", 4.0)  # that of the plug-in
        turn = source.number(plugin, "cm_delta", 0.0)
        unit = KINDS["surface"]["joint_lift"].unit
        table["joint"] = joint
        table["joint_lift"] = {"value": gain, "unit": unit}
        table["joint_moment"] = {"value": turn, "unit": KINDS["surface"]["joint_moment"].unit}
    elif joint:
        source.assume(plugin, f"{plugin.path}: no channel moves its joint {joint!r:.60}")
    return table


def _aero(plugins: Plugins, plugin: Node) -> Table:
    source = plugins.source
    source.require_known(plugin, AERO)
    link = plugins.link(plugin, "link_name")
    refuse_radial(plugins, plugin)
    table = numbers_of(plugins, plugin, "aero", _AERO_ENTRIES)
    area, ratio = table["area"]["value"], table["aspect_ratio"]["value"]
    chord = source.number(plugin, "mac", 0.0) or sqrt(area / ratio)
    table["chord"] = entry_of(plugins, plugin, "mac", "aero", "chord", chord)
    for key, names in _AERO_ROWS.items():
        row = [source.number(plugin, n, None if n in _NEEDED else 0.0) for n in names.split()]
        table[key] = {"value": row, "unit": KINDS["aero"][key].unit}
    flat = [
        source.number(plugin, f"CD_fp_{k}", usual) for k, usual in (("k1", -0.224), ("k2", -0.115))
    ]
    table["flat_plate"] = {"value": flat, "unit": KINDS["aero"]["flat_plate"].unit}
    # The reference point has another name in each of the two simulators.
    place = "ref_pt" if is_classic(plugin) else "cp"
    table["position"] = position_of(plugins, plugin, place, "aero", link)
    return table | directions_of(plugins, plugin, "aero", link)


def _effects(plugins: Plugins, channels: Channels) -> dict[str, list[float]]:
    """Return what control surfaces add to the coefficients, per rad, by joint."""
    source = plugins.source
    found: dict[str, list[float]] = {}
    for plugin in plugins["aero"]:
        surfaces = source.children(plugin, "control_surface")
        used = source.whole(plugin, "num_ctrl_surfaces", 1000, len(surfaces))
        for surface in surfaces[:used]:
            source.require_known(surface, CONTROL_SURFACE)
            name = plugins.joint(surface, "name")
            sense = source.number(surface, "direction")
            added = [source.number(surface, key) * sense * 180.0 / pi for key in _EFFECTS]
            for key, number in zip(_EFFECTS, added, strict=True):
                check_number(f"{source.where(surface)}: <{key}>", number, EFFECTS)
            if name in found:
                raise source.error(surface, f"<name>: expected each joint once, got {name!r:.60}")
            if name in channels.joints:
                found[name] = added
            else:
                source.assume(surface, f"{surface.path}: no channel moves its joint {name!r:.60}")
    return found


# --- joints ---------------------------------------------------------------------------------------


def _joint(plugins: Plugins, name: str, channels: Channels, effects: list[float] | None) -> Table:
    """Return the table of a joint that moves surfaces."""
    joint, channel = plugins.body.joints[name], channels.joints[name]
    if name in channels.again:
        raise plugins.source.error(
            channels.again[name].node,
            f"<joint_name>: expected one channel of a joint of surfaces, got {name!r:.60} of line "
            f"{channel.node.line} again",
        )
    if joint.type not in TURNING:
        known = " or ".join(sorted(TURNING))
        raise plugins.source.error(
            joint.node, f"type: expected {known} of a joint of surfaces, got {joint.type!r:.60}"
        )
    values = {**channel.table, "limit": [joint.low, joint.high]}
    table: Table = {
        key: entry_of(plugins, channel.node, "channel", "joint", key, value)
        for key, value in values.items()
    }
    if not channel.at_once:
        plugins.source.assume(joint.node, f"joint {name!r:.60}: it is at its position at once")
    if effects is not None:
        table["effects"] = {"value": effects, "unit": EFFECTS.unit}
    return {"name": name, **table}


def _carried(plugins: Plugins) -> dict[str, str]:
    """Return what stands on links: motors and surfaces by link."""
    names = {"motor": "linkName", "surface": "link_name", "aero": "link_name"}
    return {
        plugins.link(plugin, name): kind for kind, name in names.items() for plugin in plugins[kind]
    }


def _review_joints(plugins: Plugins, channels: Channels, used: Iterable[str]) -> None:
    """Record the joints that move in Gazebo and not here."""
    source, body = plugins.source, plugins.body
    rotors = {plugins.link(plugin, "linkName") for plugin in plugins["motor"]}
    carried = _carried(plugins)
    for name, joint in body.joints.items():
        turns = joint.moved[0] in rotors and name not in channels.joints
        if joint.type == "fixed" or joint.low == joint.high or turns:
            continue
        load = next((link for link in joint.moved if link in carried), None)
        if load is not None:
            source.leave_out(
                joint.node,
                f"joint {name!r:.60}: it moves the {carried[load]} on {load!r:.60}, which stays "
                "where it is",
            )
        elif name not in channels.joints:
            source.leave_out(joint.node, f"joint {name!r:.60}: it moves freely, here not at all")
        elif name not in used:
            source.assume(joint.node, f"joint {name!r:.60}: its channel moves no surface")


def tables_of(model: SdfModel) -> dict[str, Any]:
    """Return the tables of motors, joints, surfaces and of the whole aircraft.

    Raises
    ------
    ParameterError
        An element is missing or invalid, or there are too many.
    """
    plugins = model.plugins
    for kind, most in CAPACITY.items():
        plugins.require_at_most(kind, most)
    channels = channels_of(plugins, len(plugins["motor"]))
    motors = _motors(plugins, channels)
    surfaces = [_surface(plugins, plugin, channels) for plugin in plugins["surface"]]
    aeros = [_aero(plugins, plugin) for plugin in plugins["aero"]]
    effects = _effects(plugins, channels)
    used = {surface.get("joint") for surface in surfaces} | set(effects)
    joints = [
        _joint(plugins, name, channels, effects.get(name))
        for name in channels.joints
        if name in used
    ]
    _review_joints(plugins, channels, {name for name in used if name})
    found: dict[str, Any] = {"motor": motors, "joint": joints, "surface": surfaces}
    return found | ({"aero": aeros[0]} if aeros else {})
