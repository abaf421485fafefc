"""Plug-ins of an SDF model as tables of a parameter file: motors, surfaces, joints.

Of Gazebo Classic and of Gazebo (``gz-sim``), by PX4's names of files and systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import pi
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from pyrfly.errors import shown
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY, CHANNELS, KINDS
from pyrfly.vehicles.gazebo_blocks.sdf_model import Body
from pyrfly.vehicles.gazebo_blocks.sdf_xml import Source

__all__ = ["tables_of"]

Table = dict[str, Any]

_KINDS = {
    "motor": ("gazebo_motor_model", "multicopter-motor-model", "MulticopterMotorModel"),
    "aero": ("AdvancedLiftDrag", "advanced-lift-drag", "advanced_liftdrag"),
    "surface": ("LiftDrag", "lift-drag", "liftdrag"),
    "interface": ("gazebo_mavlink_interface",),
    "controller": ("JointPositionController", "joint-position-controller"),
}
"""What names of plug-ins contain, in the order in which they are tried."""

_WITHOUT_FORCES = (
    "groundtruth magnetometer barometer airspeed air-pressure imu gps navsat camera lidar"
    " multirotor_base odometry pose-publisher joint-state-publisher opticalflow rangefinder"
    " forcevisual battery vision video wind_plugin logical-camera altimeter"
).split()
"""What names of plug-ins contain that act on no body."""

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
    "stall": ("alpha_stall", None),
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
_EFFECTS = ("CD_ctrl", "CY_ctrl", "CL_ctrl", "Cell_ctrl", "Cem_ctrl", "Cen_ctrl")
_AIRSPEED = 25.0  # m/s: maxRelativeAirspeed that Gazebo Classic assumes
_FORWARD, _UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def _entry(kind: str, key: str, value: Any) -> Table:
    """Return an entry of a table, in the unit of its column."""
    return {"value": value, "unit": KINDS[kind][key].unit}


def _where(plugin: Element) -> str:
    return f"<plugin name={plugin.get('name', '')!r:.60}>"


def _kind(plugin: Element) -> str | None:
    """Return the kind of a plug-in, an empty text for one without forces, None for others."""
    name = f"{plugin.get('filename', '')} {plugin.get('name', '')}"
    for kind, parts in _KINDS.items():
        if any(part in name for part in parts):
            return kind
    file = plugin.get("filename", "").lower()
    return "" if any(part in file for part in _WITHOUT_FORCES) else None


def _is_classic(plugin: Element) -> bool:
    """Return whether a plug-in is one of Gazebo Classic."""
    return plugin.get("filename", "").endswith(".so") and "gz" not in plugin.get("filename", "")


class _Reader:
    """Plug-ins of a model, by kind."""

    def __init__(self, source: Source, model: Element, body: Body) -> None:
        self.source, self.body = source, body
        self.found: dict[str, list[Element]] = {kind: [] for kind in _KINDS}
        for plugin in model.iter("plugin"):
            kind = _kind(plugin)
            if kind is None:
                file, name = plugin.get("filename", ""), plugin.get("name", "")
                source.note(f"plugin {file!r:.80} ({name!r:.60}): unknown")
            elif kind:
                self.found[kind].append(plugin)

    def link(self, plugin: Element, name: str) -> str:
        """Return the link that a plug-in names."""
        link = self.source.text(plugin, name, _where(plugin))
        if link not in self.body.links:
            raise self.source.error(
                _where(plugin), f"<{name}>: no link {link!r:.60} of the body of the model"
            )
        return link

    def entries(self, kind: str, plugin: Element, which: Mapping[str, Any]) -> Table:
        """Return entries that are one number each."""
        where = _where(plugin)
        return {
            key: _entry(kind, key, self.source.number(plugin, name, where, default))
            for key, (name, default) in which.items()
        }

    def vector(self, plugin: Element, name: str, default: Any) -> Any:
        return self.source.numbers(plugin, name, _where(plugin), 3, default)


# --- control channels -----------------------------------------------------------------------------


def _channels(reader: _Reader) -> Iterator[tuple[str, str, str, Table]]:
    """Yield joint, type, label and table of the control channels, in the order of the file."""
    source = reader.source
    for interface in reader.found["interface"]:
        for number, channel in enumerate(interface.findall("control_channels/channel")):
            where = f"<channel name={channel.get('name', '')!r:.60}>"
            index = source.number(channel, "input_index", where, float(number))
            if not 0 <= index < CHANNELS or index != int(index):
                raise source.error(
                    where, f"<input_index>: expected a number of 0 to {CHANNELS - 1}, got {index:g}"
                )
            table = {
                "channel": index,
                "offset": source.number(channel, "input_offset", where),
                "scaling": source.number(channel, "input_scaling", where),
                "zero": [
                    source.number(channel, "zero_position_armed", where),
                    source.number(channel, "zero_position_disarmed", where),
                ],
            }
            kind = (channel.findtext("joint_control_type") or "velocity").strip()
            joint = (channel.findtext("joint_name") or "").strip()
            yield joint, kind, where, table


def _channel_tables(reader: _Reader) -> tuple[dict[int, Table], dict[str, Table]]:
    """Return the channels of motors by number, and of joints of surfaces by name."""
    motors: dict[int, Table] = {}
    joints: dict[str, Table] = {}
    for joint, kind, where, table in _channels(reader):
        if kind == "velocity":
            motors[int(table["channel"])] = table
        elif kind.startswith("position"):
            if kind != "position_kinematic":
                reader.source.note(f"{where}: {kind}: its joint is at the position at once")
            joints[joint] = table
        else:
            raise reader.source.error(
                where, f"<joint_control_type>: expected velocity or position, got {shown(kind)}"
            )
    return motors, joints


def _controller_tables(reader: _Reader, motors: int) -> dict[str, Table]:
    """Return channels of the position controllers of Gazebo, after those of the motors."""
    found: dict[str, Table] = {}
    for number, plugin in enumerate(reader.found["controller"]):
        joint = reader.source.text(plugin, "joint_name", _where(plugin))
        found[joint] = {"channel": float(motors + number), "scaling": 1.0}
    if found:
        reader.source.note(
            f"position controllers: their joints are channels {motors} and on, 1 rad at 1, at once"
        )
    return found


# --- parts ----------------------------------------------------------------------------------------


def _motor(reader: _Reader, plugin: Element, channels: Mapping[int, Table]) -> Table:
    source, where = reader.source, _where(plugin)
    link, number = reader.link(plugin, "linkName"), source.number(plugin, "motorNumber", where)
    turning = source.text(plugin, "turningDirection", where)
    if turning not in ("cw", "ccw"):
        raise source.error(where, f"<turningDirection>: expected cw or ccw, got {shown(turning)}")
    direction = 1.0 if turning == "ccw" else -1.0
    table = reader.entries("motor", plugin, _MOTOR_ENTRIES)
    channel = channels.get(int(number))
    if channel is None:
        top = table["limit"]["value"]
        channel = {"channel": number, "scaling": top}
        source.note(f"motor {number:g}: no control channel; the channel 1 is {top:g} rad/s")
    lags = [source.number(plugin, f"timeConstant{way}", where) for way in ("Up", "Down")]
    table |= {key: _entry("motor", key, value) for key, value in channel.items()}
    table["name"] = f"{number:g}"
    table["direction"] = _entry("motor", "direction", direction)
    table["lags"] = _entry("motor", "lags", lags)
    table["position"] = _entry(
        "motor", "position", reader.body.place(link, reader.body.centres[link])
    )
    table["axis"] = _entry("motor", "axis", reader.body.direction(link, _UP))
    if _is_classic(plugin):
        fastest = source.number(plugin, "maxRelativeAirspeed", where, _AIRSPEED)
        if not fastest > 0:
            raise source.error(where, "<maxRelativeAirspeed>: expected more than 0 m/s")
        table["airspeed_loss"] = _entry("motor", "airspeed_loss", 1.0 / fastest)
        if (plugin.findtext("reversible") or "").strip() in ("true", "1"):
            table["reversible"] = _entry("motor", "reversible", direction)
    else:
        table["reversible"] = _entry("motor", "reversible", 1.0)
    return table


def _surface(reader: _Reader, plugin: Element, joints: Mapping[str, Table]) -> Table:
    source, where = reader.source, _where(plugin)
    link = reader.link(plugin, "link_name")
    if (plugin.findtext("radial_symmetry") or "").strip() in ("true", "1"):
        raise source.error(where, "<radial_symmetry>: expected false; there is no such surface")
    table = reader.entries("surface", plugin, _SURFACE_ENTRIES)
    body = reader.body
    table |= {
        "position": _entry(
            "surface", "position", body.place(link, reader.vector(plugin, "cp", np.zeros(3)))
        ),
        "forward": _entry(
            "surface", "forward", body.direction(link, reader.vector(plugin, "forward", _FORWARD))
        ),
        "upward": _entry(
            "surface", "upward", body.direction(link, reader.vector(plugin, "upward", _UP))
        ),
    }
    joint = (plugin.findtext("control_joint_name") or "").strip()
    if joint in joints:
        gain = source.number(plugin, "control_joint_rad_to_cl", where, 4.0)  # that of the plug-in
        turn = source.number(plugin, "cm_delta", where, 0.0)
        table |= {
            "joint": joint,
            "joint_lift": _entry("surface", "joint_lift", gain),
            "joint_moment": _entry("surface", "joint_moment", turn),
        }
    elif joint:
        source.note(f"{where}: no channel moves its joint {joint!r:.60}")
    return table


def _aero(reader: _Reader, plugin: Element, joints: Mapping[str, Table]) -> Table:
    source, where, body = reader.source, _where(plugin), reader.body
    link = reader.link(plugin, "link_name")
    table = reader.entries("aero", plugin, _AERO_ENTRIES)
    area, ratio = table["area"]["value"], table["aspect_ratio"]["value"]
    if not (area > 0 and ratio > 0):
        raise source.error(where, f"<area>, <AR>: expected more than 0, got {area:g}, {ratio:g}")
    chord = source.number(plugin, "mac", where, 0.0) or (area / ratio) ** 0.5
    table["chord"] = _entry("aero", "chord", chord)
    for key, names in _AERO_ROWS.items():
        needed = {"CL0": None, "CLa": None, "CD0": None}
        row = [source.number(plugin, n, where, needed.get(n, 0.0)) for n in names.split()]
        table[key] = _entry("aero", key, row)
    flat = [
        source.number(plugin, f"CD_fp_{k}", where, usual)
        for k, usual in (("k1", -0.224), ("k2", -0.115))
    ]
    table["flat_plate"] = _entry("aero", "flat_plate", flat)
    place = reader.vector(plugin, "ref_pt", np.zeros(3))
    table["position"] = _entry("aero", "position", body.place(link, place))
    for key, usual in (("forward", _FORWARD), ("upward", _UP)):
        table[key] = _entry("aero", key, body.direction(link, reader.vector(plugin, key, usual)))
    _add_effects(reader, plugin, joints)
    return table


def _add_effects(reader: _Reader, plugin: Element, joints: Mapping[str, Table]) -> None:
    """Put what control surfaces add into the tables of their joints, per rad."""
    source = reader.source
    surfaces = plugin.findall("control_surface")
    used = source.number(plugin, "num_ctrl_surfaces", _where(plugin), float(len(surfaces)))
    for surface in surfaces[: max(0, int(used))]:
        name = source.text(surface, "name", "<control_surface>")
        where = f"<control_surface> {name!r:.60}"
        sense = source.number(surface, "direction", where)
        added = [source.number(surface, key, where) * sense * 180.0 / pi for key in _EFFECTS]
        if name not in joints:
            source.note(f"{where}: no channel moves its joint")
            continue
        joints[name]["effects"] = {"value": added, "unit": "1/rad"}


def _joint(reader: _Reader, name: str, table: Table) -> Table:
    """Return the table of a joint, with its limits."""
    if name not in reader.body.joints:
        raise reader.source.error("<control_channels>", f"no joint {name!r:.60} in the model")
    limit = reader.body.joints[name]
    numbers = {key: value for key, value in table.items() if key != "effects"}
    effects = {"effects": table["effects"]} if "effects" in table else {}
    values = {**numbers, "limit": [limit.low, limit.high]}
    return {"name": name, **effects, **{k: _entry("joint", k, v) for k, v in values.items()}}


def tables_of(source: Source, model: Element, body: Body) -> dict[str, Any]:
    """Return the tables of motors, joints, surfaces and of the whole aircraft.

    Raises
    ------
    ParameterError
        An element is missing or invalid, or there are too many.
    """
    reader = _Reader(source, model, body)
    channels, joints = _channel_tables(reader)
    motors = [_motor(reader, plugin, channels) for plugin in reader.found["motor"]]
    if not reader.found["interface"]:
        joints = _controller_tables(reader, len(motors))
    moving = {name: dict(table) for name, table in joints.items()}
    surfaces = [_surface(reader, plugin, moving) for plugin in reader.found["surface"]]
    aeros = [_aero(reader, plugin, moving) for plugin in reader.found["aero"]]
    if len(aeros) > CAPACITY["aero"]:
        raise source.error("<model>", f"expected one advanced lift-drag plug-in, got {len(aeros)}")
    used = {surface.get("joint") for surface in surfaces}
    used |= {name for name, table in moving.items() if "effects" in table}
    for name in sorted(set(moving) - used):
        source.note(f"joint {name!r}: its channel moves no surface")
    tables = [_joint(reader, name, table) for name, table in moving.items() if name in used]
    found: dict[str, Any] = {"motor": motors, "joint": tables, "surface": surfaces}
    return found | ({"aero": aeros[0]} if aeros else {})
