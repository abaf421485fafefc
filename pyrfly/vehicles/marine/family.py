"""The family's row in the registry."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import REVERSIBLE, SERVO, UNUSED, Actuator
from pyrfly.vehicles.family import Afloat, Family
from pyrfly.vehicles.marine.commands import MarineCommands
from pyrfly.vehicles.marine.parameters import FINS, RANGES, THRUSTERS, build
from pyrfly.vehicles.marine.rates import fastest_rate
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["FAMILY"]

WATER_DEPTH = 100.0
"""Depth of the water that a marine craft brings [m]."""


def _actuators(parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return thrusters, then fins."""
    axes = parameters.columns["thruster_axis"].reshape(3, THRUSTERS)
    normals = parameters.columns["fin_normal"].reshape(3, FINS)
    thrusters = (
        REVERSIBLE.moving("thruster_speed", i) if axes[:, i].any() else UNUSED
        for i in range(THRUSTERS)
    )
    fins = (SERVO.moving("fin_angle", i) if normals[:, i].any() else UNUSED for i in range(FINS))
    return (*thrusters, *fins)


def _full_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of all thrusters at full command ahead, at rest."""
    columns = parameters.columns
    share = scalar(columns, "thruster_speed_max") / scalar(columns, "thruster_rated")
    thrust = float(np.polynomial.Polynomial([0.0, *columns["thruster_ahead"]])(share))
    axes = np.linalg.norm(columns["thruster_axis"].reshape(3, THRUSTERS), axis=0)
    of_each = scalar(columns, "thruster_power") * np.abs(axes * thrust) ** 1.5
    return math.fsum(of_each.tolist())


def _afloat(parameters: VehicleParameters) -> Afloat:
    """Return the depth of the water, and of the lowest point of the hull."""
    columns = parameters.columns
    lowest = float(columns["hull_position"][2] + 0.5 * columns["hull_size"][2])
    return Afloat(WATER_DEPTH, lowest - scalar(columns, "rest_height"))


FAMILY = Family(
    name="marine",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=lambda columns, c_type, periods=None: {},
    trim=lambda _: 0.0,
    fastest_rate=fastest_rate,
    actuators=_actuators,
    abilities=Abilities(),
    commands=MarineCommands,
    ranges=RANGES,
    nominal_power=_full_power,
    afloat=_afloat,
)
