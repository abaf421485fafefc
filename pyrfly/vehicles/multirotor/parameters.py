"""Parameter sets of multirotors: from TOML files to checked columns.

A file describes one vehicle. Each parameter is a table of value, unit and source::

    name = "sdk"
    title = "RflySim SDK default quadrotor"
    layout = "quad_x"                  # a name of layouts.py; or [[rotor]] tables, see below

    [mass]
    value = 1.515
    unit = "kg"
    source = "publication of the number, or 'estimated: reason'"

``title``, ``source``, ``aliases`` (a list of further names) and ``notes`` (omissions of the set)
are optional; packaged sets have titles and sources. A table ``[motor]`` of datasheet numbers
replaces ``thrust_coef``, ``torque_coef`` and ``motor_curve`` (``datasheet.py``); a table ``[hull]``
has the sizes of what it collides with (``pyrfly/vehicles/hull_tables.py``). A vehicle without
a named layout lists its rotors, up to 16, instead of ``layout`` and ``arm_length``::

    [[rotor]]
    position = { value = [0.13, 0.22, 0.0], unit = "m", source = "..." }
    direction = { value = -1, unit = "1", source = "..." }

A rotor may also have its own ``axis`` (direction of the thrust, normalized; default up),
``thrust_coef``, ``torque_coef`` and ``rotor_inertia``. Defaults of omitted entries are in
``sets/_defaults.toml``. Names, widths and units are those of the C columns
(``csrc/vehicles/multirotor/columns.h``): SI, forward-right-down body frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.constants import MAXIMUM_AIRFRAMES
from pyrfly.vehicles.entries import (
    HEADER,
    Value,
    check_header,
    parse_toml,
    read_text,
    read_values,
    reject_unknown,
    require,
)
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.hull_tables import with_hull
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.multirotor.datasheet import CONVERTED, loading, of_datasheet, propeller_radius
from pyrfly.vehicles.multirotor.hover import curve_speed
from pyrfly.vehicles.multirotor.hull import RULE
from pyrfly.vehicles.multirotor.plausibility import require_lift
from pyrfly.vehicles.multirotor.rotors import rotor_columns, rotors_of_layout, rotors_of_tables
from pyrfly.vehicles.multirotor.rules import (
    ARM,
    BODY,
    COEFFICIENTS,
    EQUAL_ROTOR_COUNT,
    EQUAL_ROTORS,
    ROTOR_TYPES,
)
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["build"]

Array = NDArray[np.float64]

_OWN = ("layout", "rotor", "motor")  # entries besides those of every file and the parameters


@cache
def _defaults() -> dict[str, Value]:
    origin = "_defaults.toml"
    table = parse_toml(origin, (Path(__file__).parent / "sets" / origin).read_bytes())
    rules = {**BODY, **COEFFICIENTS}
    reject_unknown(origin, table, rules)
    return read_values(origin, table, rules)


# --- checks of several numbers --------------------------------------------------------------------


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
            f"{origin}: motor_curve: expected a speed that does not decrease between throttle "
            f"{low:g} and {high:g}"
        )
    if not curve_speed(columns["motor_curve"], high) > 0:
        raise ParameterError(
            f"{origin}: motor_curve: expected a positive speed at throttle {high:g}"
        )


def _check_thrust(origin: str, top_speed: float, linear: float, quadratic: float) -> None:
    if not linear + quadratic * top_speed > 0:
        raise ParameterError(
            f"{origin}: thrust_coef: expected a positive thrust at {top_speed:.6g} rad/s"
        )
    if not linear + 2 * quadratic * top_speed > 0:
        raise ParameterError(
            f"{origin}: thrust_coef: expected a thrust that increases with speed at "
            f"{top_speed:.6g} rad/s"
        )


# --- construction ---------------------------------------------------------------------------------


def _check_form(origin: str, document: Mapping[str, Any]) -> None:
    check_header(origin, document)
    if ("layout" in document) == ("rotor" in document):
        raise ParameterError(f"{origin}: expected either a layout or [[rotor]] tables")
    if "rotor" in document and "arm_length" in document:
        raise ParameterError(
            f"{origin}: arm_length: goes with a layout only; each [[rotor]] has its position"
        )


def _all_values(origin: str, document: Mapping[str, Any]) -> dict[str, Value]:
    """Return the checked parameters of a file, with defaults for omitted ones."""
    arm = ARM if "layout" in document else {}
    rules = {**BODY, **COEFFICIENTS, **arm}
    reject_unknown(origin, document, {**dict.fromkeys((*HEADER, *_OWN)), **rules})
    values = {**_defaults(), **read_values(origin, document, rules)}
    if "motor" in document:
        for key in CONVERTED:
            if key in document:
                raise ParameterError(f"{origin}: expected either {key} or [motor], got both")
        values |= of_datasheet(origin, document["motor"])
    require(origin, values, [*BODY, *arm])
    return values


def _build_mixed(origin: str, document: Mapping[str, Any], read: Read) -> VehicleParameters:
    """Return a mixed model, whose vehicles can switch between the airframes of other sets."""
    reject_unknown(origin, document, dict.fromkeys((*HEADER, "airframes")))
    check_header(origin, document)
    names = document["airframes"]
    if not isinstance(names, list) or not 1 <= len(names) <= MAXIMUM_AIRFRAMES:
        raise ParameterError(
            f"{origin}: airframes: expected 1 to {MAXIMUM_AIRFRAMES} names of sets, "
            f"got {brief(names)}"
        )
    for name in names:
        if "airframes" in read(name)[1]:
            raise ParameterError(
                f"{origin}: airframes: expected sets of one airframe, got {brief(name)}"
            )
    slots = max(build(*read(name), read).actuator_count for name in names)
    airframes = tuple(build(*read(name), read, max(slots, EQUAL_ROTOR_COUNT + 1)) for name in names)
    return replace(
        airframes[0],
        name=document["name"],
        title=document.get("title", document["name"]),
        notes=document.get("notes", ""),
        airframes=airframes,
    )


def build(
    origin: str, document: Mapping[str, Any], read: Read, slots: int = 0
) -> VehicleParameters:
    """Return the checked parameter set of a document.

    Parameters
    ----------
    origin : str
        Name of the document in messages.
    document : mapping
        The parsed file.
    read : callable
        Reads the documents of other sets, for mixed models.
    slots : int
        Minimum number of rotors of the C type; above that of ``quad_x`` the type is ``rotors_N``.
    """
    if "airframes" in document:
        return _build_mixed(origin, document, read)
    _check_form(origin, document)
    values = _all_values(origin, document)
    columns = {key: np.array(values[key].numbers) for key in BODY}
    sources = {key: values[key].source for key in BODY}
    require_bodies(f"{origin}: inertia", values["inertia"].numbers)
    _check_motor(origin, columns)

    layout = None
    if "layout" in document:
        layout = layouts.find(read_text(origin, document, "layout"), f"{origin}: layout")
        rotors = rotors_of_layout(layout, values["arm_length"])
    else:
        rotors = rotors_of_tables(origin, document["rotor"])
    count = len(rotors.own)
    capacity = next(size for size in ROTOR_TYPES if size >= max(count, slots))
    own, own_sources = rotor_columns(origin, rotors, values, capacity)
    top_speed = curve_speed(columns["motor_curve"], float(columns["motor_max"][0]))
    for linear, quadratic in own["rotor_thrust_coef"].reshape(2, capacity).T[:count]:
        _check_thrust(origin, top_speed, float(linear), float(quadratic))

    equal = layout is not None and layout.name == EQUAL_ROTORS and slots <= EQUAL_ROTOR_COUNT
    if equal:
        # Equal rotors, geometry in code: one arm length, one set of coefficients.
        own = {key: np.array(values[key].numbers) for key in [*ARM, *COEFFICIENTS]}
        own_sources = {key: values[key].source for key in own}
    columns |= own
    params = VehicleParameters(
        name=document["name"],
        title=document.get("title", document["name"]),
        family="multirotor",
        uav_type=layout.uav_type if layout else None,
        layout=layout.name if layout else None,
        c_type=EQUAL_ROTORS if equal else f"rotors_{capacity}",
        actuator_count=count,
        columns=columns,
        sources=sources | own_sources,
        notes=document.get("notes", ""),
        checks=(loading(origin, document["motor"]),) if "motor" in document else (),
    )
    require_lift(origin, params)
    known = {}
    if "motor" in document:
        known["rotor_radius"] = (propeller_radius(origin, document["motor"]),)
    return with_hull(origin, document, params, RULE, known)
