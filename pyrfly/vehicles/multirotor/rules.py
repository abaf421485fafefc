"""Rules for the entries of a multirotor file.

Names, widths and units are those of the columns of the core; the ranges are defined here.
"""

from __future__ import annotations

from pyrfly.columns import fields_of_type, vehicle_types
from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, POSITIVE, TINY, Range, Rule, rules
from pyrfly.vehicles.hovering import GROUND

__all__ = [
    "ARM",
    "BODY",
    "COEFFICIENTS",
    "EQUAL_ROTORS",
    "EQUAL_ROTOR_COUNT",
    "PLACEMENT",
    "RANGES",
    "ROTOR_TYPES",
]

EQUAL_ROTORS = "quad_x"
"""The C type whose rotors are equal and whose layout is code, as EQUAL_ROTORS of ``types.inc``."""

EQUAL_ROTOR_COUNT = vehicle_types()[EQUAL_ROTORS]["actuators"]

ROTOR_TYPES = tuple(
    sorted(row["actuators"] for name, row in vehicle_types().items() if name.startswith("rotors_"))
)
"""Rotor counts for which the core has a type with geometry in columns."""

RANGES: dict[str, Range] = {
    "mass": POSITIVE,
    "gravity": NOT_NEGATIVE,
    "drag_linear": NOT_NEGATIVE,
    "drag_quadratic": NOT_NEGATIVE,
    "damping_linear": NOT_NEGATIVE,
    "damping_quadratic": NOT_NEGATIVE,
    **GROUND,
    "published_laws": FRACTION,
    "motor_dead_zone": FRACTION,
    "motor_max": (TINY, 1.0),
    "motor_tau": POSITIVE,
    "arm_length": POSITIVE,
    "rotor_inertia": NOT_NEGATIVE,
    "rotor_direction": (-1.0, 1.0),
}
"""Closed range of the elements of a column; any number for the others."""

_ENTRIES = rules(fields_of_type(EQUAL_ROTORS), RANGES)


def _of_one_rotor() -> dict[str, Rule]:
    """Return the rules for one rotor of a type with geometry in columns."""
    rotors = ROTOR_TYPES[0]
    fields = fields_of_type(f"rotors_{rotors}")
    each = [f._replace(width=f.width // rotors) for f in fields if f.name.startswith("rotor_")]
    return rules(each, RANGES)


_ROTOR = _of_one_rotor()

COEFFICIENTS = {name: _ENTRIES[name] for name in ("thrust_coef", "torque_coef", "rotor_inertia")}
"""Rotor coefficients, of all rotors or in a [[rotor]] table of one."""

ARM = {"arm_length": _ENTRIES["arm_length"]}
"""Size of a named layout."""

PLACEMENT = {name: _ROTOR[f"rotor_{name}"] for name in ("position", "axis", "direction")}
"""Geometry of a rotor in a [[rotor]] table."""

BODY = {
    name: rule for name, rule in _ENTRIES.items() if name not in COEFFICIENTS and name not in ARM
}
"""All other parameters."""
