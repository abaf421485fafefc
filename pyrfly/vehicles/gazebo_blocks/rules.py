"""Rules for the entries of a file of blocks.

Names, widths and units are those of the columns of the core; the ranges are defined here. The
column ``motor_thrust`` is the entry ``thrust`` of a ``[[motor]]`` table, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

from pyrfly.columns import fields_of_type, vehicle_types
from pyrfly.vehicles.entries import (
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    Range,
    Rule,
    rules,
)
from pyrfly.vehicles.hovering import GROUND

__all__ = [
    "BODY",
    "CAPACITY",
    "CHANNELS",
    "EFFECTS",
    "KINDS",
    "ONE_EACH",
    "RANGES",
    "RANGES_BY_TYPE",
    "REFERENCES",
    "ROOM",
    "smallest_type",
]

ONE_EACH = {
    "motor": "motor_channel",
    "joint": "joint_channel",
    "surface": "surface_area",
    "segment": "segment_area",
    "aero": "aero_area",
}
"""A column that has one number of each part, by kind: its width is the room for such parts."""

ROOM = {
    c_type: {
        kind: field.width
        for kind, name in ONE_EACH.items()
        for field in fields_of_type(c_type)
        if field.name == name
    }
    for c_type, row in vehicle_types().items()
    if row["family"] == "gazebo_blocks"
}
"""Maximum number of parts by type of the core, smallest first, and kind."""

_SMALLEST, *_, _LARGEST = ROOM

CHANNELS: int = vehicle_types()[_SMALLEST]["actuators"]
"""Channels of the autopilot."""

CAPACITY = ROOM[_LARGEST]
"""Maximum number of parts of a vehicle by kind."""


def smallest_type(counts: Mapping[str, int]) -> str:
    """Return the smallest type of the core with room for numbers of parts by kind."""
    return next(
        c_type
        for c_type, room in ROOM.items()
        if all(count <= room[kind] for kind, count in counts.items())
    )


REFERENCES = {
    "motor_joint": "joint",
    "surface_joint": "joint",
    "segment_joint": "joint",
    "segment_motor": "motor",
}
"""Kind of the part whose number a column holds; -1: none. Files have its name."""

_STEEP: Range = (-0.5 * pi, 0.5 * pi)
_STALL: Range = (1e-3, 0.5 * pi)
_DIRECTION: Range = (-1.0, 1.0)
_CHANNEL: Range = (0.0, CHANNELS - 1.0)
_ASPECT_RATIO: Range = (1e-3, 1e3)

RANGES: dict[str, Range] = {
    "mass": POSITIVE,
    "gravity": NOT_NEGATIVE,
    "drag_linear": NOT_NEGATIVE,
    "damping_linear": NOT_NEGATIVE,
    **GROUND,
    "motor_channel": _CHANNEL,
    "motor_limit": NOT_NEGATIVE,
    "motor_lags": POSITIVE,
    "motor_direction": _DIRECTION,
    "motor_thrust": NOT_NEGATIVE,
    "motor_moment": NOT_NEGATIVE,
    "motor_drag": NOT_NEGATIVE,
    "motor_airspeed_loss": NOT_NEGATIVE,
    "motor_reversible": _DIRECTION,
    "joint_channel": _CHANNEL,
    "joint_lag": NOT_NEGATIVE,
    "joint_rate": NOT_NEGATIVE,
    "surface_area": POSITIVE,
    "surface_density": NOT_NEGATIVE,
    "surface_zero_lift": _STEEP,
    "surface_stall": _STALL,
    "surface_sweep": (1.0, 2.0),
    "segment_area": POSITIVE,
    "segment_chord": NOT_NEGATIVE,
    "segment_density": POSITIVE,
    "segment_aspect_ratio": _ASPECT_RATIO,
    "segment_lift": NOT_NEGATIVE,
    "segment_zero_lift": _STEEP,
    "segment_stall": _STALL,
    "segment_flap": FRACTION,
    "segment_disk": NOT_NEGATIVE,
    "aero_area": POSITIVE,
    "aero_density": NOT_NEGATIVE,
    "aero_aspect_ratio": _ASPECT_RATIO,
    "aero_chord": POSITIVE,
    "aero_efficiency": POSITIVE,
    "aero_stall": _STALL,
    "aero_blend": NOT_NEGATIVE,
    "aero_across": NOT_NEGATIVE,
}
"""Closed range of the elements of a column; any number for the others."""

RANGES_BY_TYPE: dict[str, dict[str, Range]] = {
    c_type: {f"{kind}_count": (0.0, float(most)) for kind, most in room.items()}
    | {column: (-1.0, room[kind] - 1.0) for column, kind in REFERENCES.items()}
    for c_type, room in ROOM.items()
}
"""Those of numbers of parts, and of the parts that others name, by type of the core."""

_FIELDS = fields_of_type(_SMALLEST)
_OTHERS = (*(f"{kind}_count" for kind in CAPACITY), "aero_joint")

EFFECTS = Rule(6, "1/rad")
"""Entry of a joint: what it adds to C_D, C_Y, C_L, C_l, C_m, C_n, in the column ``aero_joint``."""


def _of_one_part(kind: str) -> dict[str, Rule]:
    """Return the rules for the columns of one part."""
    prefix, others = f"{kind}_", {*_OTHERS, *REFERENCES}
    each = [
        field._replace(width=field.width // ROOM[_SMALLEST][kind])
        for field in _FIELDS
        if field.name.startswith(prefix) and field.name not in others
    ]
    return {name.removeprefix(prefix): rule for name, rule in rules(each, RANGES).items()}


KINDS = {kind: _of_one_part(kind) for kind in CAPACITY}
"""Rules for the numbers of a part by kind, but those of `REFERENCES`."""

BODY = {
    name: rule
    for name, rule in rules(_FIELDS, RANGES).items()
    if name not in _OTHERS and name.partition("_")[0] not in CAPACITY
}
"""Parameters of the rigid body and of the ground."""
