"""Parameter sets of vehicles: TOML files in, checked columns out.

A file holds one vehicle. Each parameter is a table of three entries, so that no number stands
without its unit and where it comes from::

    name = "sdk"
    title = "RflySim SDK default quadrotor"
    layout = "quad_x"                  # a name of layouts.py; or [[rotor]] tables, see below

    [mass]
    value = 1.515
    unit = "kg"
    source = "where the number was published, or 'estimated: why'"

``aliases`` (a list of further names) and ``notes`` (what the set leaves out) are optional. A
vehicle of no named layout lists its rotors, up to 16, instead of ``layout`` and ``arm_length``::

    [[rotor]]
    position = { value = [0.13, 0.22, 0.0], unit = "m", source = "..." }
    direction = { value = -1, unit = "1", source = "..." }

A rotor may also have its own ``axis`` (direction of the thrust, normalised; default up),
``thrust_coef``, ``torque_coef`` and ``rotor_inertia``. What a set omits is taken from
``sets/_defaults.toml``. Names, widths and units are those of the C columns
(``csrc/vehicles/multirotor_columns.h``): SI, forward-right-down body frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.vehicles.entries import (
    TINY,
    Rule,
    Value,
    parse_toml,
    read_text,
    read_values,
    reject_unknown,
)
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.multirotor.hover import curve_speed
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["build"]

Array = NDArray[np.float64]

Read = Callable[[str], tuple[str, dict[str, Any]]]
"""Returns a label for messages and the document of another set."""

ROTOR_TYPES = (3, 4, 6, 8, 16)
"""Rotor counts for which the core has a type with geometry in columns."""


_BODY = {
    "mass": Rule(1, "kg", TINY),
    "inertia": Rule(6, "kg m^2"),
    "gravity": Rule(1, "m/s^2", 0.0),
    "drag_linear": Rule(3, "N s/m", 0.0),
    "drag_quadratic": Rule(3, "N s^2/m^2", 0.0),
    "damping_linear": Rule(3, "N m s", 0.0),
    "damping_quadratic": Rule(3, "N m s^2", 0.0),
    "drag_offset": Rule(1, "m"),
    "ground_stiffness": Rule(1, "1/s^2", 0.0),
    "ground_damping": Rule(1, "1/s", 0.0),
    "ground_hardening": Rule(1, "1", 0.0, 1.0),
    "ground_preload": Rule(1, "1", 0.0, 1.0),
    "ground_friction": Rule(1, "1/s", 0.0),
    "ground_leveling": Rule(1, "1/s^2", 0.0),
    "ground_level_damping": Rule(1, "1/s", 0.0),
    "motor_curve": Rule(4, "rad/s"),
    "motor_dead_zone": Rule(1, "1", 0.0, 1.0),
    "motor_max": Rule(1, "1", TINY, 1.0),
    "motor_tau": Rule(2, "s", TINY),
}

# Of a rotor: given once for all rotors, or in a [[rotor]] table for that one.
_COEFFICIENTS = {
    "thrust_coef": Rule(2, "N s^k"),
    "torque_coef": Rule(2, "N m s^k"),
    "rotor_inertia": Rule(1, "kg m^2", 0.0),
}
_ARM = {"arm_length": Rule(1, "m", TINY)}
_PLACEMENT = {
    "position": Rule(3, "m"),
    "axis": Rule(3, "1"),
    "direction": Rule(1, "1", -1.0, 1.0),
}
_HEADER = ("name", "title", "layout", "aliases", "notes", "rotor")
_MIXED = ("name", "title", "aliases", "notes", "airframes")


BAKED_ROTORS = 4
"""Rotors of the C type whose layout is code."""

MOST_AIRFRAMES = 4
"""Airframes of a mixed model (``csrc/batch/kernel.h``)."""


@cache
def _defaults() -> dict[str, Value]:
    origin = "_defaults.toml"
    table = parse_toml(origin, (Path(__file__).parent / "sets" / origin).read_bytes())
    rules = {**_BODY, **_COEFFICIENTS}
    reject_unknown(origin, table, rules)
    return read_values(origin, table, rules)


# --- checks that need several numbers ------------------------------------------------------------


def _check_inertia(origin: str, inertia: tuple[float, ...]) -> None:
    """Reject principal moments that are not positive or exceed the sum of the other two."""
    xx, yy, zz, xy, xz, yz = inertia
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not moments[0] > 0:
        raise ParameterError(
            f"{origin}: inertia: expected a positive definite tensor, "
            f"got principal moments {', '.join(f'{m:.4g}' for m in moments)} kg m^2"
        )
    # A flat body has equality, which rounding may break.
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        raise ParameterError(
            f"{origin}: inertia: no body has principal moments "
            f"{', '.join(f'{m:.4g}' for m in moments)} kg m^2: one exceeds the sum of the others"
        )


def _check_motor(origin: str, columns: Mapping[str, Array]) -> None:
    low, high = float(columns["motor_dead_zone"][0]), float(columns["motor_max"][0])
    if not low < high:
        raise ParameterError(
            f"{origin}: motor_dead_zone: expected less than motor_max {high:g}, got {low:g}"
        )
    _, c1, c2, c3 = (float(c) for c in columns["motor_curve"])
    extremes = [low, high]
    if c3 != 0 and low < -c2 / (3 * c3) < high:
        extremes.append(-c2 / (3 * c3))
    if min(c1 + u * (2 * c2 + u * 3 * c3) for u in extremes) < 0:
        raise ParameterError(
            f"{origin}: motor_curve: expected a speed that never falls between throttle "
            f"{low:g} and {high:g}"
        )
    if not curve_speed(columns["motor_curve"], high) > 0:
        raise ParameterError(
            f"{origin}: motor_curve: expected a positive speed at throttle {high:g}"
        )


def _check_thrust(origin: str, top_speed: float, linear: float, quadratic: float) -> None:
    if not linear + quadratic * top_speed > 0:
        raise ParameterError(f"{origin}: thrust_coef: expected thrust at {top_speed:.6g} rad/s")
    if not linear + 2 * quadratic * top_speed > 0:
        raise ParameterError(
            f"{origin}: thrust_coef: expected thrust that still rises with speed at "
            f"{top_speed:.6g} rad/s"
        )


# --- rotors --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rotors:
    """Geometry of the rotors of a file, and what [[rotor]] tables say of single ones."""

    position: Array
    axis: Array
    direction: Array
    placement_source: str
    own: list[dict[str, Value]]


def _rotors_of_layout(layout: layouts.Layout, arm: Value) -> _Rotors:
    return _Rotors(
        layout.positions(arm.numbers[0]),
        layout.axes(),
        layout.directions(),
        f"layout {layout.name} of pyrfly.vehicles.multirotor.layouts; arm_length: {arm.source}",
        [{} for _ in range(layout.rotor_count)],
    )


def _rotor_axis(where: str, own: Mapping[str, Value]) -> Array:
    if "axis" not in own:
        return np.array([0.0, 0.0, -1.0])
    axis = np.array(own["axis"].numbers)
    length = float(exact.norm(axis))
    if not length > 0:
        raise ParameterError(f"{where}: axis: expected a direction, got the zero vector")
    return axis / length


def _rotors_of_tables(origin: str, tables: object) -> _Rotors:
    most = ROTOR_TYPES[-1]
    if not isinstance(tables, list) or not 1 <= len(tables) <= most:
        count = len(tables) if isinstance(tables, list) else tables
        raise ParameterError(f"{origin}: rotor: expected 1 to {most} [[rotor]] tables, got {count}")
    rules = {**_PLACEMENT, **_COEFFICIENTS}
    own: list[dict[str, Value]] = []
    axes = []
    for number, table in enumerate(tables, start=1):
        where = f"{origin}: rotor {number}"
        if not isinstance(table, dict):
            raise ParameterError(f"{where}: expected a table, got {table!r:.80}")
        reject_unknown(where, table, rules)
        values = read_values(where, table, rules)
        for key in ("position", "direction"):
            if key not in values:
                raise ParameterError(f"{where}: {key}: missing")
        if abs(values["direction"].numbers[0]) != 1:
            got = values["direction"].numbers[0]
            raise ParameterError(f"{where}: direction: value: expected -1 or 1, got {got:g}")
        own.append(values)
        axes.append(_rotor_axis(where, values))
    placement = [value for values in own for key, value in values.items() if key in _PLACEMENT]
    return _Rotors(
        np.array([values["position"].numbers for values in own]),
        np.array(axes),
        np.array([values["direction"].numbers[0] for values in own]),
        "; ".join(dict.fromkeys(value.source for value in placement)),
        own,
    )


def _component_major(rows: Array, capacity: int, fill: tuple[float, ...]) -> Array:
    """Return all rotors' first component, then all second ones, padded to ``capacity`` rotors."""
    padded = np.tile(np.array(fill), (capacity, 1))
    padded[: len(rows)] = rows
    return padded.T.ravel()


def _rotor_columns(
    origin: str, rotors: _Rotors, common: Mapping[str, Value], capacity: int
) -> tuple[dict[str, Array], dict[str, str]]:
    columns = {
        "rotor_position": _component_major(rotors.position, capacity, (0.0, 0.0, 0.0)),
        "rotor_axis": _component_major(rotors.axis, capacity, (0.0, 0.0, -1.0)),
        "rotor_direction": _component_major(rotors.direction[:, None], capacity, (0.0,)),
    }
    sources = dict.fromkeys(columns, rotors.placement_source)
    for key, rule in _COEFFICIENTS.items():
        values = [own.get(key, common.get(key)) for own in rotors.own]
        present = [value for value in values if value is not None]
        if len(present) < len(values):
            raise ParameterError(
                f"{origin}: {key}: missing for rotor {values.index(None) + 1} and for all rotors"
            )
        column = key if key.startswith("rotor_") else f"rotor_{key}"
        rows = np.array([value.numbers for value in present])
        columns[column] = _component_major(rows, capacity, (0.0,) * rule.width)
        sources[column] = "; ".join(dict.fromkeys(value.source for value in present))
    return columns, sources


# --- putting a set together ----------------------------------------------------------------------


def _check_header(origin: str, document: Mapping[str, Any]) -> None:
    for key in ("name", "title"):
        read_text(origin, document, key)
    if "notes" in document:
        read_text(origin, document, "notes")
    aliases = document.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ParameterError(f"{origin}: aliases: expected a list of names, got {aliases!r:.80}")
    if ("layout" in document) == ("rotor" in document):
        raise ParameterError(f"{origin}: expected either a layout or [[rotor]] tables")


def _all_values(origin: str, document: Mapping[str, Any]) -> dict[str, Value]:
    """Return the checked parameters of a file and the defaults of those it omits."""
    arm = _ARM if "layout" in document else {}
    rules = {**_BODY, **_COEFFICIENTS, **arm}
    reject_unknown(origin, document, {**dict.fromkeys(_HEADER), **rules})
    values = {**_defaults(), **read_values(origin, document, rules)}
    for key in [*_BODY, *arm]:
        if key not in values:
            raise ParameterError(f"{origin}: {key}: missing")
    return values


def _build_mixed(origin: str, document: Mapping[str, Any], read: Read) -> VehicleParameters:
    """Put a set together whose vehicles can change between the airframes of others."""
    reject_unknown(origin, document, dict.fromkeys(_MIXED))
    names = document["airframes"]
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_AIRFRAMES:
        raise ParameterError(
            f"{origin}: airframes: expected 1 to {MOST_AIRFRAMES} names of sets, got {names!r:.80}"
        )
    room = max(build(*read(name), read).rotor_count for name in names)
    parts = tuple(build(*read(name), read, max(room, BAKED_ROTORS + 1)) for name in names)
    return replace(
        parts[0],
        name=read_text(origin, document, "name"),
        title=read_text(origin, document, "title"),
        notes=document.get("notes", ""),
        airframes=parts,
    )


def build(origin: str, document: Mapping[str, Any], read: Read, room: int = 0) -> VehicleParameters:
    """Put a set together; ``room`` for more rotors than it has makes it one of ``rotors_N``."""
    if "airframes" in document:
        return _build_mixed(origin, document, read)
    _check_header(origin, document)
    values = _all_values(origin, document)
    columns = {key: np.array(values[key].numbers) for key in _BODY}
    sources = {key: values[key].source for key in _BODY}
    _check_inertia(origin, values["inertia"].numbers)
    _check_motor(origin, columns)

    layout = None
    if "layout" in document:
        layout = layouts.find(read_text(origin, document, "layout"))
        rotors = _rotors_of_layout(layout, values["arm_length"])
    else:
        rotors = _rotors_of_tables(origin, document["rotor"])
    count = len(rotors.own)
    capacity = next(size for size in ROTOR_TYPES if size >= max(count, room))
    rotor_columns, rotor_sources = _rotor_columns(origin, rotors, values, capacity)
    top_speed = curve_speed(columns["motor_curve"], float(columns["motor_max"][0]))
    for linear, quadratic in rotor_columns["rotor_thrust_coef"].reshape(2, capacity).T[:count]:
        _check_thrust(origin, top_speed, float(linear), float(quadratic))

    baked = layout is not None and layout.name == "quad_x" and room <= BAKED_ROTORS
    if baked:
        # Its rotors are equal and its geometry is code: one arm, one set of coefficients.
        rotor_columns = {key: np.array(values[key].numbers) for key in [*_ARM, *_COEFFICIENTS]}
        rotor_sources = {key: values[key].source for key in rotor_columns}
    columns |= rotor_columns
    for column in columns.values():
        column.flags.writeable = False
    return VehicleParameters(
        name=document["name"],
        title=document["title"],
        uav_type=layout.uav_type if layout else None,
        c_type="quad_x" if baked else f"rotors_{capacity}",
        rotor_count=count,
        columns=columns,
        sources=sources | rotor_sources,
        notes=document.get("notes", ""),
    )
