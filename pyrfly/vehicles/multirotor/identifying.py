"""How multirotors are identified.

Thrust over mass is what an accelerometer feels, thrust times arm over inertia what a gyroscope
feels. So a flight tells ratios: mass and the places of the rotors must be known, and without
rotor speeds (telemetry of the speed controllers) their scale too, for which the thrust per speed
squared of the set stands. What of the rest a flight tells follows from it.

The motor curve keeps the shape of the set: a constant, and all further terms in proportion. Drag
and damping have the terms, linear or quadratic, that the set has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.identifying import Parameter, Recipe, begun, entry, proportional, shifted
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.multirotor.datasheet import CONVERTED
from pyrfly.vehicles.multirotor.rules import BODY, COEFFICIENTS, EQUAL_ROTORS, PLACEMENT
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["recipe", "with_free_rotors"]

Array = NDArray[np.float64]

AXES = ("x", "y", "z")
OF_ROTORS = {
    name: name if name.startswith("rotor_") else f"rotor_{name}"
    for name in (*PLACEMENT, *COEFFICIENTS)
}
"""Columns of entries of a rotor."""

FORGOTTEN = 10.0  # time constants after which a motor has forgotten its start

CENTRE_SIZE = 0.05
"""Shift of the centre of mass that matters, over the largest arm."""

CENTRED = 0.005
"""Distance of the centre of mass from the middle, over the largest arm, below which a set keeps its
layout."""

FORCE_SIZE = 0.1
"""Bias of an accelerometer that matters [m/s^2]."""

WIND_SIZE = 0.5
"""Wind that matters [m/s]."""


def with_free_rotors(params: VehicleParameters) -> VehicleParameters:
    """Return a set of a multirotor with the geometry of its rotors in columns."""
    if params.c_type != EQUAL_ROTORS:
        return params
    layout = layouts.LAYOUTS[params.layout or EQUAL_ROTORS]
    count = layout.rotor_count
    columns = dict(params.columns)
    arm = float(columns.pop("arm_length")[0])
    thrust, torque = columns.pop("thrust_coef"), columns.pop("torque_coef")
    columns |= {
        "rotor_position": layout.positions(arm).T.ravel(),
        "rotor_axis": layout.axes().T.ravel(),
        "rotor_direction": np.array(layout.direction, np.float64),
        "rotor_thrust_coef": np.repeat(thrust, count),
        "rotor_torque_coef": np.repeat(torque, count),
        "rotor_inertia": np.repeat(columns["rotor_inertia"], count),
    }
    return replace(params, c_type=f"rotors_{count}", columns=columns)


def _of_rotors(params: VehicleParameters) -> list[Parameter]:
    """Return motors and coefficients, each that the set has."""
    columns, n = params.columns, params.actuator_count
    slots = len(columns["rotor_direction"])
    curve = columns["motor_curve"]
    top = float(abs(curve[1]))
    slopes = [1, *(i for i in (2, 3) if curve[i])]
    found = [
        proportional(columns, "motor_curve_1", "rad/s", "motor_curve", [0], size=0.1 * top),
        proportional(columns, "motor_curve_2", "rad/s", "motor_curve", slopes, low=0.01 * top),
    ]
    rising, falling = columns["motor_tau"]
    for name, chosen in (
        {"motor_tau": [0, 1]} if rising == falling else {"motor_tau_1": [0], "motor_tau_2": [1]}
    ).items():
        found.append(proportional(columns, name, "s", "motor_tau", chosen, low=1e-3))
    for name, unit in (("thrust_coef", "N s^k"), ("torque_coef", "N m s^k")):
        for k in (0, 1):
            own = range(k * slots, k * slots + n)
            if columns[f"rotor_{name}"][own[0]]:
                found.append(proportional(columns, f"{name}_{k + 1}", unit, f"rotor_{name}", own))
    if columns["rotor_inertia"][0]:
        found.append(
            proportional(columns, "rotor_inertia", "kg m^2", "rotor_inertia", range(n), low=0.0)
        )
    return found


def _of_body(params: VehicleParameters) -> list[Parameter]:
    """Return mass, inertia and centre of mass."""
    columns = params.columns
    slots = len(columns["rotor_direction"])
    found = [proportional(columns, "mass", "kg", "mass", [0], low=1e-6)]
    largest = float(columns["inertia"].max())
    for i, name in enumerate(("xx", "yy", "zz", "xy", "xz", "yz")):
        if value := columns["inertia"][i]:
            low = 0.05 * value if i < 3 else -largest
            found.append(
                proportional(columns, f"inertia_{name}", "kg m^2", "inertia", [i], low=low)
            )
    arm = float(np.abs(columns["rotor_position"]).max())
    for i in (0, 1):
        weights = np.zeros(3 * slots)
        weights[i * slots : i * slots + params.actuator_count] = -1.0
        found.append(
            shifted(f"centre_of_mass_{AXES[i]}", "m", "rotor_position", weights, CENTRE_SIZE * arm)
        )
    return found


def _of_air(columns: Mapping[str, Array], signals: frozenset[str]) -> list[Parameter]:
    """Return drag and damping, in all axes of the terms that the set has."""
    units = {
        "drag_linear": "N s/m",
        "drag_quadratic": "N s^2/m^2",
        "damping_linear": "N m s",
        "damping_quadratic": "N m s^2",
    }
    found = []
    for name, unit in units.items():
        size = float(columns[name].max())
        if size and ("vel" in signals or name.startswith("damping")):
            found += [
                proportional(columns, f"{name}_{axis}", unit, name, [i], low=0.0, size=size)
                for i, axis in enumerate(AXES)
            ]
    return found


def _of_flight(columns: Mapping[str, Array], signals: frozenset[str]) -> list[Parameter]:
    """Return what belongs to the flight: biases of the accelerometer, unknown wind."""
    axes = np.eye(3)
    found = [
        shifted(f"force_bias_{AXES[i]}", "m/s^2", "force", axes[i], FORCE_SIZE, nuisance=True)
        for i in (0, 1)
    ]
    if (
        "vel" in signals
        and "wind" not in signals
        and (columns["drag_linear"].any() or columns["drag_quadratic"].any())
    ):
        found += [
            shifted(f"wind_{name}", "m/s", "wind", axes[i], WIND_SIZE, nuisance=True)
            for i, name in enumerate(("north", "east"))
        ]
    return found


def _parameters(params: VehicleParameters, signals: frozenset[str]) -> tuple[Parameter, ...]:
    columns = params.columns
    return tuple(
        _of_rotors(params)
        + _of_body(params)
        + _of_air(columns, signals)
        + _of_flight(columns, signals)
    )


def _usual(names: tuple[str, ...], signals: frozenset[str]) -> tuple[str, ...]:
    known = {"mass"}
    if "rotor_speed" not in signals:  # their scale is that of the thrust per speed squared
        known |= {"thrust_coef_1", "thrust_coef_2", "rotor_inertia"}
    return tuple(name for name in names if name not in known)


def _document(
    document: Mapping[str, Any], found: VehicleParameters, sources: Mapping[str, str]
) -> dict[str, Any]:
    """Return the document of an identified set.

    Rotors are listed one by one where the given document does, or where the centre of mass has
    moved, as a named layout has it in its middle.
    """
    columns = found.columns
    own = begun(document, found)
    own.pop("motor", None)  # its numbers are in columns, like all others
    for name, rule in BODY.items():
        if name in sources or name in own or name in CONVERTED:
            own[name] = entry(columns[name], rule.unit, sources.get(name, found.sources[name]))
    if "layout" in own and _is_centred(found):
        for name, rule in COEFFICIENTS.items():
            own[name] = _of_rotor(found, name, rule.unit, 0, sources)
        return own
    for name in ("layout", "arm_length", *COEFFICIENTS):
        own.pop(name, None)
    rules = PLACEMENT | COEFFICIENTS
    own["rotor"] = [
        {name: _of_rotor(found, name, rule.unit, i, sources) for name, rule in rules.items()}
        for i in range(found.actuator_count)
    ]
    return own


def _is_centred(params: VehicleParameters) -> bool:
    """Return whether the centre of mass is in the middle of the rotors, as a layout has it."""
    slots = len(params.columns["rotor_direction"])
    places = params.columns["rotor_position"].reshape(3, slots)[:2, : params.actuator_count]
    return bool(np.abs(places.mean(axis=1)).max() < CENTRED * np.abs(places).max())


def _of_rotor(
    params: VehicleParameters, name: str, unit: str, i: int, sources: Mapping[str, str]
) -> dict[str, Any]:
    column = OF_ROTORS[name]
    values = params.columns[column].reshape(-1, len(params.columns["rotor_direction"]))[:, i]
    source = params.sources.get(name, params.sources.get(column, "as in the first set"))
    return entry(values, unit, sources.get(column, source))


def recipe() -> Recipe:
    """Return how multirotors are identified."""
    return Recipe(
        prepare=with_free_rotors,
        parameters=_parameters,
        usual=_usual,
        powered=("throttle",),
        actuators=("rotor_speed",),
        free=("rate",),
        segment=0.5,
        settling=lambda params: FORGOTTEN * float(params.columns["motor_tau"].max()),
        document=_document,
    )
