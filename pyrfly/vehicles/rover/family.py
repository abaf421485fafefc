"""The family's row in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import REVERSIBLE
from pyrfly.vehicles.driving import ACCEPTANCE_RADIUS, LIMITS, PX4_PARAMETERS, lag_rates
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.rover.commands import RoverCommands
from pyrfly.vehicles.rover.hull import RULE
from pyrfly.vehicles.rover.parameters import RANGES, TIMES, build
from pyrfly.vehicles.rover.plausibility import quantities
from pyrfly.vehicles.rover.px4 import AIRFRAME
from pyrfly.vehicles.rover.sdf import READER
from pyrfly.vehicles.rover.tuning import gains
from pyrfly.vehicles.trim import Trim

__all__ = ["FAMILY"]

Array = NDArray[np.float64]


def _underway(columns: Mapping[str, Array], speed: Array, _lacking: Array) -> dict[str, Array]:
    """Return wheels without slip, and the commands that turn them so fast."""
    turned = speed[:, None] / columns["wheel_radius"]
    return {"wheel_speed": turned, "drive": turned / columns["wheel_speed_max"]}


def _trim(_parameters: VehicleParameters) -> Trim:
    """Return the begin at rest, where a rover brakes."""
    return Trim((0.0, 0.0), underway=_underway, lies=True)


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] of the fastest of wheels, slip and suspension."""
    return max(lag_rates(parameters.columns, TIMES))


def _full_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of both sides at full torque and speed."""
    columns = parameters.columns
    return 2.0 * float(columns["wheel_torque"][0] * columns["wheel_speed_max"][0])


FAMILY = Family(
    name="rover",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=_trim,
    fastest_rate=_fastest_rate,
    actuators=lambda _: tuple(REVERSIBLE.moving("wheel_speed", side) for side in range(2)),
    abilities=Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.DRIVES,
        LIMITS,
        px4=PX4_PARAMETERS,
        acceptance_radius=ACCEPTANCE_RADIUS,
        backs=True,
    ),
    commands=RoverCommands,
    px4_airframe=AIRFRAME,
    ranges=RANGES,
    nominal_power=_full_power,
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    sdf=READER,
    plausibility=quantities,
    named_params=inertia_names(yaw="yaw_inertia"),
    numbered_params=NumberedParams(
        *(("mass", 1), ("", 2), ("yaw_inertia", 1), ("", 3)),
        *(("wheel_radius", 1), ("track", 1), ("wheel_speed_max", 1), ("wheel_torque", 2)),
        *(("drive_tau", 1), ("drive_dead_zone", 1), ("friction", 1), ("slip_tau", 1)),
        *(("suspension_tau", 1), ("gravity", 1)),
    ),
)
"""Entry of the family in the registry."""
