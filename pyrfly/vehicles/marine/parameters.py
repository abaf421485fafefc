"""Parameter files of marine craft: an entry per column, tables of thrusters and fins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.entries import (
    ANY,
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    Range,
    Rule,
    Value,
    read_values,
    reject_unknown,
    require,
)
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.marine.floating import Floating, why_not_afloat
from pyrfly.vehicles.marine.hull import RULE
from pyrfly.vehicles.marine.ship import SHIP_RANGES, other_craft, require_ship
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["FINS", "RANGES", "THRUSTERS", "build"]

Array = NDArray[np.float64]

THRUSTERS, FINS = 8, 4
"""How many a vehicle has at most."""

_POSITIVE = (
    "mass gravity water_density buoyancy_area buoyancy_height thruster_rated thruster_speed_max "
    "thruster_tau thruster_diameter fin_tau fin_rate hull_size hull_stiffness"
)
_NOT_NEGATIVE = (
    "buoyancy_spread added_mass added_inertia drag_linear drag_quadratic damping_linear "
    "damping_quadratic cross_flow_drag cross_flow_length hull_lift wind_drag hull_damping "
    "hull_grip thruster_advance thruster_power fin_coef"
)
RANGES: dict[str, Range] = {
    **dict.fromkeys(_POSITIVE.split(), POSITIVE),
    **dict.fromkeys(_NOT_NEGATIVE.split(), NOT_NEGATIVE),
    **dict.fromkeys(("munk_share", "fin_straightening", "fin_race"), FRACTION),
    **SHIP_RANGES,
    "thruster_dead_zone": (0.0, 0.5),
    "thruster_axis": (-1.0, 1.0),
    "fin_normal": (-1.0, 1.0),
    "fin_travel": (0.0, 1.6),
}

_ALONG = 0.05
"""Share of a thruster's axis ahead or astern that pushes a vehicle."""

_SAMPLES, _SLACK = 41, 0.02
"""Speeds at which curves of thrust are looked at, and what fits may fall below 0 over the most."""

_LEVEL = 1e-9
"""Distance of the middle of the buoyancy from below the centre of mass that is rounding [m]."""


class _Table(NamedTuple):
    """A table of parts: its entries, values of those that may be omitted, and which is a direction.

    An entry ``x`` of tables ``[[part]]`` is the column ``part_x``.
    """

    most: int
    rules: Mapping[str, Rule]
    usual: Mapping[str, float]
    direction: str


_TABLES = {
    "thruster": _Table(
        THRUSTERS,
        {"position": Rule(3, "m"), "axis": Rule(3, "1", -1.0, 1.0), "reaction": Rule(1, "m")},
        {"reaction": 0.0},
        direction="axis",
    ),
    "fin": _Table(
        FINS,
        {
            "position": Rule(3, "m"),
            "normal": Rule(3, "1", -1.0, 1.0),
            "coef": Rule(1, "N s^2/m^2", *POSITIVE),
        },
        {},
        direction="normal",
    ),
}


def _rows(origin: str, name: str, tables: object) -> list[dict[str, Value]]:
    """Return the checked values of each table of a kind."""
    of = _TABLES[name]
    expected = f"{origin}: {name}: expected up to {of.most} tables [[{name}]]"
    if not isinstance(tables, list) or len(tables) > of.most:
        raise ParameterError(f"{expected}, got {brief(tables)}")
    rows = []
    for number, table in enumerate(tables, start=1):
        where = f"{origin}: {name} {number}"
        if not isinstance(table, dict):
            raise ParameterError(f"{expected}, got {brief(table)}")
        reject_unknown(where, table, of.rules)
        values = read_values(where, table, of.rules)
        require(where, {**values, **of.usual}, of.rules)
        direction = values[of.direction].numbers
        if not 0.0 < np.linalg.norm(direction) <= 1.0 + 1e-6:
            raise ParameterError(
                f"{where}: {of.direction}: expected a direction, of a length up to 1, got "
                f"{brief(list(direction))}"
            )
        rows.append(values)
    return rows


def _columns_of_tables(origin: str, name: str, tables: object) -> dict[str, dict[str, Any]]:
    """Return the entries of the columns of all tables of a kind."""
    of, rows = _TABLES[name], _rows(origin, name, tables)
    columns = {}
    for entry, rule in of.rules.items():
        numbers = np.zeros((rule.width, of.most))
        for i, row in enumerate(rows):
            numbers[:, i] = row[entry].numbers if entry in row else of.usual[entry]
        sources = dict.fromkeys(row[entry].source for row in rows if entry in row)
        columns[f"{name}_{entry}"] = {
            "value": numbers.ravel().tolist(),
            "unit": rule.unit,
            "source": "; ".join(sources) or "none",
        }
    return columns


def build(origin: str, document: Mapping[str, Any], _read: Read | None = None) -> VehicleParameters:
    """Return the checked set of a TOML document.

    It has an entry for each parameter column, but ``rest_height``, which follows from the others,
    and those of thrusters and fins, which are tables ``[[thruster]]`` of ``position``, ``axis`` and
    ``reaction``, and ``[[fin]]`` of ``position``, ``normal`` and ``coef``. Entries ``ship_...`` are
    those of ships: all or none of them.
    """
    entries = {key: value for key, value in document.items() if key not in _TABLES}
    of_tables = [f"{name}_{entry}" for name, of in _TABLES.items() for entry in of.rules]
    derived = [*of_tables, "rest_height"]
    reject_unknown(origin, {key: 0 for key in entries if key in derived}, {})
    for name in _TABLES:
        entries.update(_columns_of_tables(origin, name, document.get(name, [])))
    entries.update(other_craft(entries))
    entries["rest_height"] = {"value": 0.0, "unit": "m", "source": "of the weight in the water"}
    built = build_from_columns(
        origin,
        entries,
        family="marine",
        c_type="marine",
        ranges={**RANGES, "rest_height": ANY},
        hull=RULE,
    )
    _require_floating(origin, built)
    if "ship_size" in document:
        require_ship(origin, built)
    rest = np.array([Floating.of(built.columns).rest_height])
    return replace(built, columns={**built.columns, "rest_height": rest})


def _require_floating(origin: str, vehicle: VehicleParameters) -> None:
    """Refuse a hull that sinks, or that does not float upright and level."""
    columns = vehicle.columns
    require_bodies(f"{origin}: inertia", columns["inertia"])
    if not columns["thruster_axis"].any():
        raise ParameterError(f"{origin}: thruster: expected at least one table [[thruster]]")
    _require_thrust(origin, columns)
    off = np.abs(columns["buoyancy_position"][:2]).max()
    if off > _LEVEL:
        raise ParameterError(
            f"{origin}: buoyancy_position: expected a middle above or below the centre of mass, 0 "
            f"ahead and to the side, got {brief(columns['buoyancy_position'][:2].tolist())} m"
        )
    entry, why = why_not_afloat(Floating.of(columns))
    if why:
        raise ParameterError(f"{origin}: {entry}: {why}")


def _require_thrust(origin: str, columns: Mapping[str, Array]) -> None:
    """Refuse thrusters that push no vehicle ahead, or ahead by a command astern."""
    if not np.abs(columns["thruster_axis"][:THRUSTERS]).max() > _ALONG:
        raise ParameterError(
            f"{origin}: thruster: expected one whose axis points ahead or astern, got none"
        )
    shares = columns["thruster_speed_max"] / columns["thruster_rated"]
    for name, share in zip(("thruster_ahead", "thruster_astern"), shares, strict=True):
        speeds = np.linspace(0.0, float(share), _SAMPLES)
        powers = speeds[:, None] ** np.arange(1, columns[name].size + 1)
        thrust = (powers * columns[name]).sum(axis=1)
        needed = float(thrust[-1]) > 0.0 or name == "thruster_astern"
        if not (needed and np.isfinite(thrust).all() and (thrust >= -_SLACK * thrust[-1]).all()):
            raise ParameterError(
                f"{origin}: {name}: expected thrust to its side at all speeds up to that at full "
                f"command, got {float(thrust.min()):.4g} to {float(thrust.max()):.4g} N"
            )
