"""Rotor and motor parameters from the numbers of a datasheet: the ``[motor]`` table.

A propeller of diameter D and pitch H with B blades, static, from a blade-element model with the
published mean coefficients of small propellers [@shi-2017]::

    C_T = pi^3 lambda zeta^2 B K0 e a / (4 (pi A + K0)),      a = arctan(H / (pi D))
    C_d = C_fd + pi A K0^2 (e a)^2 / (e_o (pi A + K0)^2)
    C_M = pi^2 C_d zeta^2 lambda B^2 / (8 A)

    T = C_T rho n^2 D^4,      Q = C_M rho n^2 D^5,      n in revolutions per second

The measured thrust T at full throttle, not C_T, defines the thrust; C_T gives the speed at which it
is reached, ``w = 2 pi sqrt(T / (C_T rho D^4))``, and C_M the torque at that speed. The steady speed
is proportional to throttle. The speed without load, ``kv`` times the voltage of the cells, bounds
w: their ratio is a check, not an input.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan, pi, sqrt
from typing import Any

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.entries import POSITIVE, Rule, Value, read_value, reject_unknown, require
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["CONVERTED", "loading", "of_datasheet", "propeller_radius"]

CONVERTED = ("thrust_coef", "torque_coef", "motor_curve")
"""Entries that a ``[motor]`` table replaces."""

CELL_VOLTAGE = 3.7  # V, nominal, lithium polymer

# Mean blade parameters [@shi-2017]: aspect ratio A, downwash correction e, lambda, zeta,
# Oswald factor e_o, zero-lift drag C_fd, lift slope K0.
ASPECT, DOWNWASH, LAMBDA, ZETA, OSWALD, ZERO_LIFT_DRAG, LIFT_SLOPE = (
    *(5.0, 0.85, 0.75, 0.5, 0.83, 0.015, 6.11),
)

LOADING = (0.5, 0.95)
"""Usual speed at full throttle over that without load, estimated."""

INCH = 0.0254
_UNITS = {
    "kv": {"rpm/V": pi / 30},
    "cells": {"1": 1.0},
    "propeller_diameter": {"inch": INCH, "m": 1.0},
    "propeller_pitch": {"inch": INCH, "m": 1.0},
    "thrust": {"N": 1.0, "g": 9.80665e-3},
    "blades": {"1": 1.0},
}
_OPTIONAL = {"blades": 2.0}


def _read(where: str, table: object) -> tuple[dict[str, float], str]:
    """Return the numbers of a table in SI units, kv in rad/s per volt, and their sources."""
    if not isinstance(table, dict):
        raise ParameterError(f"{where}: expected a table, got {brief(table)}")
    reject_unknown(where, table, _UNITS)
    require(where, table, [key for key in _UNITS if key not in _OPTIONAL])
    numbers, sources = dict(_OPTIONAL), []
    for key, units in _UNITS.items():
        if key not in table:
            continue
        entry = table[key]
        unit = entry.get("unit") if isinstance(entry, dict) else None
        chosen = unit if isinstance(unit, str) and unit in units else " or ".join(units)
        value = read_value(f"{where}: {key}", entry, Rule(1, chosen, *POSITIVE))
        numbers[key] = value.numbers[0] * units[chosen]
        sources.append(f"{key}: {value.source}")
    return numbers, "; ".join(sources)


def _coefficients(numbers: Mapping[str, float]) -> tuple[float, float]:
    """Return the static C_T and C_M of a propeller."""
    slope = DOWNWASH * atan(numbers["propeller_pitch"] / (pi * numbers["propeller_diameter"]))
    wing, blades = pi * ASPECT + LIFT_SLOPE, numbers["blades"]
    thrust = 0.25 * pi**3 * LAMBDA * ZETA**2 * blades * LIFT_SLOPE * slope / wing
    drag = ZERO_LIFT_DRAG + pi * ASPECT * LIFT_SLOPE**2 / OSWALD * slope**2 / wing**2
    return thrust, pi**2 * drag * ZETA**2 * LAMBDA * blades**2 / (8 * ASPECT)


def _speeds(numbers: Mapping[str, float]) -> tuple[float, float]:
    """Return the rotor speed at full throttle, with and without load [rad/s]."""
    area = AIR_DENSITY * numbers["propeller_diameter"] ** 4
    loaded = 2 * pi * sqrt(numbers["thrust"] / (_coefficients(numbers)[0] * area))
    return loaded, numbers["kv"] * CELL_VOLTAGE * numbers["cells"]


def of_datasheet(origin: str, table: object) -> dict[str, Value]:
    """Return the entries `CONVERTED` for a ``[motor]`` table.

    Raises
    ------
    ParameterError
        An entry is unknown, missing or invalid, or the motor cannot turn the propeller so fast.
    """
    numbers, sources = _read(f"{origin}: motor", table)
    loaded, free = _speeds(numbers)
    if loaded >= free:
        raise ParameterError(
            f"{origin}: motor: this propeller needs {loaded * 30 / pi:.0f} rpm for its thrust, the "
            f"motor has {free * 30 / pi:.0f} rpm without load (kv, cells of {CELL_VOLTAGE} V)"
        )
    torque = _coefficients(numbers)[1] * AIR_DENSITY * numbers["propeller_diameter"] ** 5
    found: dict[str, tuple[float, ...]] = {
        "thrust_coef": (0.0, numbers["thrust"] / loaded**2),
        "torque_coef": (0.0, torque / (2 * pi) ** 2),
        "motor_curve": (0.0, loaded, 0.0, 0.0),
    }
    source = f"[motor], converted as pyrfly.vehicles.multirotor.datasheet does; {sources}"
    return {key: Value(values, source) for key, values in found.items()}


def loading(origin: str, table: Any) -> Quantity:
    """Return the speed at full throttle over that without load, for a checked table."""
    loaded, free = _speeds(_read(f"{origin}: motor", table)[0])
    return Quantity("speed at full throttle over no-load speed", loaded / free, *LOADING)


def propeller_radius(origin: str, table: Any) -> float:
    """Return the radius of the propellers [m], for a checked table."""
    return 0.5 * _read(f"{origin}: motor", table)[0]["propeller_diameter"]
