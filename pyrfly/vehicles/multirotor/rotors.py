"""Rotors of a parameter file, from a named layout or from [[rotor]] tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.entries import Value, read_values, reject_unknown
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.multirotor.rules import COEFFICIENTS, PLACEMENT, ROTOR_TYPES
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = [
    "Rotors",
    "arm",
    "disk_area",
    "landing_gear",
    "rotor_columns",
    "rotor_radius",
    "rotors_of_layout",
    "rotors_of_tables",
]

Array = NDArray[np.float64]

RADIUS = 0.42
"""Radius of rotors over the least distance between two hubs, estimated: 0.35 of Crazyflies, 0.42 of
a Hummingbird [@rotorpy rotorpy/vehicles/hummingbird_params.py]."""

GEAR_TRACK, GEAR_HEIGHT = 1.0, 0.6
"""Distance between feet left and right, and of the feet below the centre of mass, over the largest
distance of a hub from it, estimated from photographs of 450 mm and 500 mm kits."""

COAXIAL = 0.01
"""Distance [m] across the thrust below which two hubs are above each other."""


@dataclass(frozen=True)
class Rotors:
    """Geometry of the rotors of a file, and the entries of single [[rotor]] tables."""

    position: Array
    axis: Array
    direction: Array
    placement_source: str
    own: list[dict[str, Value]]


def rotors_of_layout(layout: layouts.Layout, arm: Value) -> Rotors:
    """Return the rotors of a named layout with an arm length."""
    return Rotors(
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


def rotors_of_tables(origin: str, tables: object) -> Rotors:
    """Return the rotors of [[rotor]] tables, checked."""
    maximum = ROTOR_TYPES[-1]
    if not isinstance(tables, list) or not 1 <= len(tables) <= maximum:
        got = len(tables) if isinstance(tables, list) else tables
        raise ParameterError(
            f"{origin}: rotor: expected 1 to {maximum} [[rotor]] tables, got {got}"
        )
    rules = {**PLACEMENT, **COEFFICIENTS}
    own: list[dict[str, Value]] = []
    axes = []
    for number, table in enumerate(tables, start=1):
        where = f"{origin}: rotor {number}"
        if not isinstance(table, dict):
            raise ParameterError(f"{where}: expected a table, got {brief(table)}")
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
    placement = [value for values in own for key, value in values.items() if key in PLACEMENT]
    return Rotors(
        np.array([values["position"].numbers for values in own]),
        np.array(axes),
        np.array([values["direction"].numbers[0] for values in own]),
        "; ".join(dict.fromkeys(value.source for value in placement)),
        own,
    )


def _component_major(rows: Array, capacity: int, fill: tuple[float, ...]) -> Array:
    """Return the first component of all rotors, then the second, padded to ``capacity`` rotors."""
    padded = np.tile(np.array(fill), (capacity, 1))
    padded[: len(rows)] = rows
    return padded.T.ravel()


def rotor_columns(
    origin: str, rotors: Rotors, common: Mapping[str, Value], capacity: int
) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the rotor columns of a type with ``capacity`` rotors, and their sources."""
    columns = {
        "rotor_position": _component_major(rotors.position, capacity, (0.0, 0.0, 0.0)),
        "rotor_axis": _component_major(rotors.axis, capacity, (0.0, 0.0, -1.0)),
        "rotor_direction": _component_major(rotors.direction[:, None], capacity, (0.0,)),
    }
    sources = dict.fromkeys(columns, rotors.placement_source)
    for key, rule in COEFFICIENTS.items():
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


def arm(params: VehicleParameters) -> float:
    """Return the distance [m] of the farthest hub from the centre of mass, across the thrust."""
    if "arm_length" in params.columns:
        return float(params.columns["arm_length"][0])
    return float(exact.norm(params.columns["rotor_position"].reshape(3, -1)[:2].T).max())


def rotor_radius(params: VehicleParameters) -> float:
    """Return the radius of the rotors [m], estimated from the distances between hubs."""
    if "arm_length" in params.columns:
        usual = RADIUS * sqrt(2.0) * float(params.columns["arm_length"][0])
    else:
        distances = _hub_distances(params)
        usual = RADIUS * float(min(distances[distances > COAXIAL], default=0.0))
    return params.length("rotor_radius", usual)


def disk_area(params: VehicleParameters) -> float:
    """Return an estimate of the area of the disks of all rotors [m^2], of coaxial ones once."""
    count = params.actuator_count
    if "arm_length" not in params.columns:
        above = np.tril(_hub_distances(params) <= COAXIAL, -1).any(axis=1)
        count -= int(above.sum())
    return count * pi * rotor_radius(params) ** 2


def _hub_distances(params: VehicleParameters) -> Array:
    """Return the horizontal distances between hubs [m]."""
    hubs = params.columns["rotor_position"].reshape(3, -1)[:2, : params.actuator_count].T
    distances: Array = exact.norm(hubs[:, None] - hubs[None, :])
    return distances


def landing_gear(params: VehicleParameters) -> Array:
    """Return an estimate of four feet [m, FRD from the centre of mass], from hubs and height."""
    across = 0.5 * GEAR_TRACK * arm(params)
    down = params.length("height", GEAR_HEIGHT * arm(params))
    signs = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
    return np.column_stack([across * signs, np.full(4, down)])
