"""Rules for the entries of a file of blocks.

Names, widths and units are those of the columns of the core; the ranges are defined here. The
column ``motor_thrust`` is the entry ``thrust`` of a ``[[motor]]`` table, and so on.
"""

from __future__ import annotations

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
    "C_TYPE",
    "EFFECTS",
    "KINDS",
    "RANGES",
    "REFERENCES",
]

C_TYPE = "blocks"

CHANNELS: int = vehicle_types()[C_TYPE]["actuators"]
"""Channels of the autopilot."""

CAPACITY = {"motor": 8, "joint": 8, "surface": 8, "segment": 12, "aero": 1}
"""Maximum number of parts by kind, as BLOCKS_EIGHT and BLOCKS_SEGMENTS of ``columns.h``."""

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
    **{f"{kind}_count": (0.0, float(most)) for kind, most in CAPACITY.items()},
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
    "motor_joint": (-1.0, CAPACITY["joint"] - 1.0),
    "joint_lag": NOT_NEGATIVE,
    "joint_rate": NOT_NEGATIVE,
    "surface_area": POSITIVE,
    "surface_density": NOT_NEGATIVE,
    "surface_zero_lift": _STEEP,
    "surface_stall": _STALL,
    "surface_joint": (-1.0, CAPACITY["joint"] - 1.0),
    "surface_sweep": (1.0, 2.0),
    "segment_area": POSITIVE,
    "segment_chord": NOT_NEGATIVE,
    "segment_density": POSITIVE,
    "segment_aspect_ratio": _ASPECT_RATIO,
    "segment_lift": NOT_NEGATIVE,
    "segment_zero_lift": _STEEP,
    "segment_stall": _STALL,
    "segment_flap": FRACTION,
    "segment_joint": (-1.0, CAPACITY["joint"] - 1.0),
    "segment_motor": (-1.0, CAPACITY["motor"] - 1.0),
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

_FIELDS = fields_of_type(C_TYPE)
_OTHERS = (*(f"{kind}_count" for kind in CAPACITY), "aero_joint")

EFFECTS = Rule(6, "1/rad")
"""Entry of a joint: what it adds to C_D, C_Y, C_L, C_l, C_m, C_n, in the column ``aero_joint``."""


def _of_one_part(kind: str) -> dict[str, Rule]:
    """Return the rules for the columns of one part."""
    prefix, others = f"{kind}_", {*_OTHERS, *REFERENCES}
    each = [
        field._replace(width=field.width // CAPACITY[kind])
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
