"""Parameter sets of vehicles: TOML files in, checked columns out.

A file holds one vehicle. Each parameter is a table of three entries, so that no number stands
without its unit and where it comes from::

    name = "sdk"
    title = "RflySim SDK default quadrotor"
    layout = "quad_x"                  # a name of pyrfly.layouts; or [[rotor]] tables, see below

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
``vehicles/_defaults.toml``. Names, widths and units are those of the C columns
(``csrc/vehicles/multirotor_columns.h``): SI, forward-right-down body frame.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf, isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact, layouts
from pyrfly.errors import ParameterError, near_names

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["VehicleParameters", "hover_throttle", "load", "names", "steady_rotor_speed"]

Array = NDArray[np.float64]

_FOLDER = Path(__file__).parent / "vehicles"

ROTOR_TYPES = (3, 4, 6, 8, 16)
"""Rotor counts for which the core has a type with geometry in columns."""


@dataclass(frozen=True)
class _Rule:
    """What a parameter must look like: width, unit, and the closed range of every element."""

    width: int
    unit: str
    least: float = -inf
    most: float = inf


_TINY = float(np.finfo(np.float64).tiny)  # the least of what must be positive

_BODY = {
    "mass": _Rule(1, "kg", _TINY),
    "inertia": _Rule(6, "kg m^2"),
    "gravity": _Rule(1, "m/s^2", 0.0),
    "drag_linear": _Rule(3, "N s/m", 0.0),
    "drag_quadratic": _Rule(3, "N s^2/m^2", 0.0),
    "damping_linear": _Rule(3, "N m s", 0.0),
    "damping_quadratic": _Rule(3, "N m s^2", 0.0),
    "drag_offset": _Rule(1, "m"),
    "ground_stiffness": _Rule(1, "1/s^2", 0.0),
    "ground_damping": _Rule(1, "1/s", 0.0),
    "ground_hardening": _Rule(1, "1", 0.0, 1.0),
    "ground_preload": _Rule(1, "1", 0.0, 1.0),
    "ground_friction": _Rule(1, "1/s", 0.0),
    "ground_leveling": _Rule(1, "1/s^2", 0.0),
    "ground_level_damping": _Rule(1, "1/s", 0.0),
    "motor_curve": _Rule(4, "rad/s"),
    "motor_dead_zone": _Rule(1, "1", 0.0, 1.0),
    "motor_max": _Rule(1, "1", _TINY, 1.0),
    "motor_tau": _Rule(2, "s", _TINY),
}

# Of a rotor: given once for all rotors, or in a [[rotor]] table for that one.
_COEFFICIENTS = {
    "thrust_coef": _Rule(2, "N s^k"),
    "torque_coef": _Rule(2, "N m s^k"),
    "rotor_inertia": _Rule(1, "kg m^2", 0.0),
}
_ARM = {"arm_length": _Rule(1, "m", _TINY)}
_PLACEMENT = {
    "position": _Rule(3, "m"),
    "axis": _Rule(3, "1"),
    "direction": _Rule(1, "1", -1.0, 1.0),
}
_HEADER = ("name", "title", "layout", "aliases", "notes", "rotor")
_MIXED = ("name", "title", "aliases", "notes", "airframes")


BAKED_ROTORS = 4
"""Rotors of the C type whose layout is code."""

MOST_AIRFRAMES = 4
"""Airframes of a mixed model (``csrc/batch/kernel.h``)."""


@dataclass(frozen=True, eq=False)
class VehicleParameters:
    """A checked parameter set, ready to be written into the columns of a batch.

    Attributes
    ----------
    name : str
        Name of the set.
    title : str
        One line for people.
    uav_type : int or None
        RflySim's ``uavType``; None for rotors placed by hand.
    c_type : str
        Vehicle type of the core: ``"quad_x"``, or ``"rotors_N"`` with room for N rotors.
    rotor_count : int
        Number of rotors. In a ``rotors_N`` type the rotors beyond it have coefficients,
        position and direction 0.
    columns : dict of str to ndarray
        Column name to its values for one vehicle, shape (width,), float64, read-only, in the
        units of the C columns.
    sources : dict of str to str
        Column name to where its values come from.
    notes : str
        What the set leaves out or changes; may be empty.
    airframes : tuple of VehicleParameters
        Of a mixed model: what a vehicle can become by ``inSILInts[2]``, all of the same C type; the
        first is what it starts as, and what the set says itself. Empty otherwise.
    """

    name: str
    title: str
    uav_type: int | None
    c_type: str
    rotor_count: int
    columns: dict[str, Array] = field(repr=False)
    sources: dict[str, str] = field(repr=False)
    notes: str = field(repr=False, default="")
    airframes: tuple[VehicleParameters, ...] = field(repr=False, default=())


@dataclass(frozen=True)
class _Value:
    """The numbers of one parameter and where they come from."""

    numbers: tuple[float, ...]
    source: str


# --- reading and checking single entries ---------------------------------------------------------


def _parse(origin: str, data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ParameterError(f"{origin}: not a TOML file: {error}") from None


def _reject_unknown(where: str, table: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for key in table:
        if key not in known:
            raise ParameterError(f"{where}: unknown key {key!r}; try {near_names(key, known)}")


def _text(where: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{where}: {key}: expected a text that is not empty, got {value!r}")
    return value


def _numbers(where: str, value: object, rule: _Rule) -> tuple[float, ...]:
    items = [value] if rule.width == 1 else value
    shape = "a number" if rule.width == 1 else f"a list of {rule.width} numbers"
    if not isinstance(items, list) or len(items) != rule.width:
        raise ParameterError(f"{where}: value: expected {shape}, got {value!r:.80}")
    for item in items:
        if isinstance(item, bool) or not isinstance(item, (int, float)) or not isfinite(item):
            raise ParameterError(f"{where}: value: expected {shape}, all finite, got {value!r:.80}")
        if not rule.least <= item <= rule.most:
            wanted = "more than 0" if rule.least == _TINY else f"at least {rule.least:g}"
            if rule.most < inf:
                wanted += f" and at most {rule.most:g}"
            raise ParameterError(f"{where}: value: expected {wanted}, got {item!r}")
    return tuple(float(item) for item in items)


def _value(where: str, table: object, rule: _Rule) -> _Value:
    if not isinstance(table, dict):
        raise ParameterError(
            f"{where}: expected a table of value, unit and source, got {table!r:.80}"
        )
    _reject_unknown(where, table, {"value": None, "unit": None, "source": None})
    if table.get("unit") != rule.unit:
        raise ParameterError(f"{where}: unit: expected {rule.unit!r}, got {table.get('unit')!r}")
    if "value" not in table:
        raise ParameterError(f"{where}: value: missing")
    return _Value(_numbers(where, table["value"], rule), _text(where, table, "source"))


def _values(origin: str, table: Mapping[str, Any], rules: Mapping[str, _Rule]) -> dict[str, _Value]:
    return {
        key: _value(f"{origin}: {key}", table[key], rule)
        for key, rule in rules.items()
        if key in table
    }


# --- finding files -------------------------------------------------------------------------------


@cache
def _packaged() -> dict[str, bytes]:
    """Return packaged files by stem, unparsed; the defaults have a leading underscore."""
    # Not importlib.resources: it would be a tenth of the time that importing pyrfly takes.
    return {path.stem: path.read_bytes() for path in _FOLDER.glob("*.toml")}


@cache
def _aliases() -> dict[str, str]:
    """Return the set that each alias stands for."""
    return {
        alias: name
        for name in names()
        for alias in _parse(f"{name}.toml", _packaged()[name]).get("aliases", [])
    }


@cache
def _defaults() -> dict[str, _Value]:
    origin = "_defaults.toml"
    table = _parse(origin, _packaged()["_defaults"])
    rules = {**_BODY, **_COEFFICIENTS}
    _reject_unknown(origin, table, rules)
    return _values(origin, table, rules)


def names() -> list[str]:
    """Return the names of the packaged parameter sets, sorted."""
    return sorted(name for name in _packaged() if not name.startswith("_"))


def _read(source: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Return a label for messages and the parsed file."""
    if not isinstance(source, (str, os.PathLike)):
        raise ParameterError(
            f"vehicle: expected a name or the path of a .toml file, got {source!r:.80}"
        )
    if isinstance(source, os.PathLike) or source.endswith(".toml"):
        path = Path(source)
        try:
            return path.name, _parse(path.name, path.read_bytes())
        except OSError as error:
            raise ParameterError(f"{path}: cannot be read: {error.strerror}") from None
    stem = source if source in names() else _aliases().get(source)
    if stem is None:
        known = [*names(), *_aliases()]
        raise ParameterError(f"vehicle: unknown name {source!r}; try {near_names(source, known)}")
    return f"{stem}.toml", _parse(f"{stem}.toml", _packaged()[stem])


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


def _curve_speed(curve: Array, throttle: float) -> float:
    c0, c1, c2, c3 = (float(c) for c in curve)
    return c0 + throttle * (c1 + throttle * (c2 + throttle * c3))


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
    if not _curve_speed(columns["motor_curve"], high) > 0:
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
    own: list[dict[str, _Value]]


def _rotors_of_layout(layout: layouts.Layout, arm: _Value) -> _Rotors:
    return _Rotors(
        layout.positions(arm.numbers[0]),
        layout.axes(),
        layout.directions(),
        f"layout {layout.name} of pyrfly.layouts; arm_length: {arm.source}",
        [{} for _ in range(layout.rotor_count)],
    )


def _rotor_axis(where: str, own: Mapping[str, _Value]) -> Array:
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
    own: list[dict[str, _Value]] = []
    axes = []
    for number, table in enumerate(tables, start=1):
        where = f"{origin}: rotor {number}"
        if not isinstance(table, dict):
            raise ParameterError(f"{where}: expected a table, got {table!r:.80}")
        _reject_unknown(where, table, rules)
        values = _values(where, table, rules)
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
    origin: str, rotors: _Rotors, common: Mapping[str, _Value], capacity: int
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
        _text(origin, document, key)
    if "notes" in document:
        _text(origin, document, "notes")
    aliases = document.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ParameterError(f"{origin}: aliases: expected a list of names, got {aliases!r:.80}")
    if ("layout" in document) == ("rotor" in document):
        raise ParameterError(f"{origin}: expected either a layout or [[rotor]] tables")


def _all_values(origin: str, document: Mapping[str, Any]) -> dict[str, _Value]:
    """Return the checked parameters of a file and the defaults of those it omits."""
    arm = _ARM if "layout" in document else {}
    rules = {**_BODY, **_COEFFICIENTS, **arm}
    _reject_unknown(origin, document, {**dict.fromkeys(_HEADER), **rules})
    values = {**_defaults(), **_values(origin, document, rules)}
    for key in [*_BODY, *arm]:
        if key not in values:
            raise ParameterError(f"{origin}: {key}: missing")
    return values


def _build_mixed(origin: str, document: Mapping[str, Any]) -> VehicleParameters:
    """Put a set together whose vehicles can change between the airframes of others."""
    _reject_unknown(origin, document, dict.fromkeys(_MIXED))
    names = document["airframes"]
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_AIRFRAMES:
        raise ParameterError(
            f"{origin}: airframes: expected 1 to {MOST_AIRFRAMES} names of sets, got {names!r:.80}"
        )
    room = max(load(name).rotor_count for name in names)
    parts = tuple(_build(*_read(name), room=max(room, BAKED_ROTORS + 1)) for name in names)
    return replace(
        parts[0],
        name=_text(origin, document, "name"),
        title=_text(origin, document, "title"),
        notes=document.get("notes", ""),
        airframes=parts,
    )


def _build(origin: str, document: Mapping[str, Any], room: int = 0) -> VehicleParameters:
    """Put a set together; ``room`` for more rotors than it has makes it one of ``rotors_N``."""
    if "airframes" in document:
        return _build_mixed(origin, document)
    _check_header(origin, document)
    values = _all_values(origin, document)
    columns = {key: np.array(values[key].numbers) for key in _BODY}
    sources = {key: values[key].source for key in _BODY}
    _check_inertia(origin, values["inertia"].numbers)
    _check_motor(origin, columns)

    layout = None
    if "layout" in document:
        layout = layouts.find(_text(origin, document, "layout"))
        rotors = _rotors_of_layout(layout, values["arm_length"])
    else:
        rotors = _rotors_of_tables(origin, document["rotor"])
    count = len(rotors.own)
    capacity = next(size for size in ROTOR_TYPES if size >= max(count, room))
    rotor_columns, rotor_sources = _rotor_columns(origin, rotors, values, capacity)
    top_speed = _curve_speed(columns["motor_curve"], float(columns["motor_max"][0]))
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


def load(source: str | os.PathLike[str]) -> VehicleParameters:
    """Read and check a parameter set.

    Parameters
    ----------
    source : str or os.PathLike
        Name of a packaged set (see `names`) or one of its aliases, or the path of a TOML file: any
        path object, or a text that ends in ``.toml``.

    Returns
    -------
    VehicleParameters
        The set.

    Raises
    ------
    ParameterError
        If there is no such set or file, or if an entry is unknown, missing, of the wrong unit,
        width or range, or not physical. The message names the file, the entry, what was expected
        and what came.
    """
    return _build(*_read(source))


# --- steady speed and hover ----------------------------------------------------------------------


def steady_rotor_speed(params: VehicleParameters, throttle: float) -> float:
    """Return the speed that a rotor settles to.

    Parameters
    ----------
    params : VehicleParameters
        A loaded set.
    throttle : float
        Motor throttle, 0 to 1.

    Returns
    -------
    float
        Rotor speed [rad/s], never negative; 0 in the dead zone.
    """
    u = min(max(throttle, 0.0), float(params.columns["motor_max"][0]))
    if u < params.columns["motor_dead_zone"][0]:
        return 0.0
    return max(_curve_speed(params.columns["motor_curve"], u), 0.0)


def _lift_coefficients(params: VehicleParameters) -> tuple[float, float]:
    """Return the linear and the quadratic coefficient of the total upward thrust, level."""
    if params.c_type == "quad_x":
        linear, quadratic = (4.0 * float(k) for k in params.columns["thrust_coef"])
        return linear, quadratic
    coefficients = params.columns["rotor_thrust_coef"].reshape(2, -1)
    up = -params.columns["rotor_axis"].reshape(3, -1)[2]
    return exact.dot(coefficients[0], up), exact.dot(coefficients[1], up)


def hover_throttle(params: VehicleParameters) -> float:
    """Return the throttle at which equal rotors carry the weight of the level vehicle.

    Parameters
    ----------
    params : VehicleParameters
        A loaded set.

    Returns
    -------
    float
        Throttle, 0 to 1.

    Raises
    ------
    ParameterError
        If the motors cannot hold the speed that hovering needs.
    """
    linear, quadratic = _lift_coefficients(params)
    weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
    discriminant = linear * linear + 4 * quadratic * weight
    denominator = linear + sqrt(discriminant) if discriminant >= 0 else 0.0
    # The root of linear w + quadratic w^2 = weight that also holds for quadratic = 0.
    speed = 2 * weight / denominator if denominator > 0 else inf
    low = float(params.columns["motor_dead_zone"][0])
    high = float(params.columns["motor_max"][0])
    slowest, fastest = steady_rotor_speed(params, low), steady_rotor_speed(params, high)
    if not slowest <= speed <= fastest:
        raise ParameterError(
            f"{params.name}: hovering needs {speed:.6g} rad/s, the motors hold "
            f"{slowest:.6g} to {fastest:.6g} rad/s"
        )
    # The curve never falls (checked when loading), so halving the range always finds the speed.
    while (middle := (low + high) / 2) not in (low, high):
        if steady_rotor_speed(params, middle) < speed:
            low = middle
        else:
            high = middle
    return high
