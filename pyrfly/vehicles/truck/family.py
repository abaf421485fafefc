"""The family's row in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.vehicles.abilities import Abilities, Trailer
from pyrfly.vehicles.actuators import REVERSIBLE, SERVO
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.driving import LIMITS, PX4_PARAMETERS, STEERED_AIRFRAME, UAV_TYPE, lag_rates
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.family import Family, Read
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.trim import Trim
from pyrfly.vehicles.truck.bodies import loads, require_bodies
from pyrfly.vehicles.truck.commands import TruckCommands
from pyrfly.vehicles.truck.hull import RULE
from pyrfly.vehicles.truck.plausibility import quantities
from pyrfly.vehicles.truck.tuning import gains

__all__ = ["FAMILY"]

ACCEPTANCE_RADIUS = 2.0
"""Where a position counts as reached [m], estimated: less than the width of a vehicle."""

_POSITIVE = (
    "mass trailer_mass yaw_inertia trailer_inertia gravity front_axle rear_axle trailer_wheelbase "
    "trailer_centre cornering_coef wheel_radius accel_max switch_speed speed_max brake_accel "
    "drive_tau steering_rate_limit steering_tau blend_speed slip_tau suspension_tau"
)
_RANGES: dict[str, Range] = {
    **dict.fromkeys(_POSITIVE.split(), POSITIVE),
    **dict.fromkeys(("friction", "drive_damping"), NOT_NEGATIVE),
    "drive_dead_zone": (1e-6, 0.5),
    "steering_max": (1e-3, 1.4),
}
_TIMES = ("drive_tau", "steering_tau", "slip_tau")


def _build(origin: str, document: Mapping[str, Any], _read: Read) -> VehicleParameters:
    """Return the checked set of a TOML document, which has every parameter column."""
    built = build_from_columns(
        origin,
        document,
        family="truck",
        c_type="truck",
        ranges=_RANGES,
        uav_type=UAV_TYPE,
        layout="ackermann",
        hull=RULE,
    )
    require_bodies(origin, built.columns)
    return built


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] of the fastest of drive, steering, slip, suspension and tyres.

    The tyres are fastest at the lowest speed at which they slip; each body by itself has at most
    the sum of the rates of its axles, the one of a hitch that joins them less.
    """
    columns = parameters.columns
    mass = scalar(columns, "mass") - scalar(columns, "trailer_mass")
    stiffness = columns["cornering_coef"] * scalar(columns, "gravity") * loads(columns)
    levers = [scalar(columns, "front_axle"), scalar(columns, "rear_axle")]
    speed = scalar(columns, "blend_speed")
    sideways = float(stiffness[:2].sum()) / mass
    turning = float(stiffness[:2] @ np.square(levers)) / scalar(columns, "yaw_inertia")
    return max(*lag_rates(columns, _TIMES), sideways / speed + turning / speed)


def _full_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of the drive, constant from its switch speed on."""
    columns = parameters.columns
    return float(columns["mass"][0] * columns["accel_max"][0] * columns["switch_speed"][0])


FAMILY = Family(
    name="truck",
    sets=Path(__file__).parent / "sets",
    build=_build,
    gains=gains,
    trim=lambda _: Trim((0.0, 0.0), slips=True, lies=True, fastest="speed_max"),
    fastest_rate=_fastest_rate,
    actuators=lambda _: (REVERSIBLE.moving("tractive_accel"), SERVO.moving("steering")),
    abilities=Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.DRIVES,
        LIMITS._replace(circle="turning_radius", backward="reverse_limit"),
        px4=PX4_PARAMETERS,
        acceptance_radius=ACCEPTANCE_RADIUS,
        backs=True,
        trailer=Trailer("trailer_pos", "trailer_att"),
    ),
    commands=TruckCommands,
    px4_airframe=STEERED_AIRFRAME,
    ranges=_RANGES,
    nominal_power=_full_power,
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    plausibility=quantities,
    benchmark={"truck_trailer": {"vel": (15.0, 0.0, 0.0), "traction": (0.2,), "steer": (0.01,)}},
    named_params=inertia_names(yaw="yaw_inertia"),
    numbered_params=NumberedParams(
        *(("mass", 1), ("trailer_mass", 1), ("", 1), ("yaw_inertia", 1), ("trailer_inertia", 1)),
        *(("", 1), ("front_axle", 1), ("rear_axle", 1), ("hitch_offset", 1, 0)),
        *(
            ("trailer_wheelbase", 1),
            ("trailer_centre", 1),
            ("cornering_coef", 3),
            ("wheel_radius", 1),
            ("friction", 1),
        ),
        *(("accel_max", 1), ("switch_speed", 1), ("speed_max", 2), ("brake_accel", 1)),
        *(("drive_damping", 1, 0), ("drive_tau", 1), ("drive_dead_zone", 1), ("steering_max", 1)),
        *(("steering_rate_limit", 1), ("steering_tau", 1), ("blend_speed", 1), ("slip_tau", 1)),
        *(("suspension_tau", 1), ("gravity", 1)),
    ),
)
"""Entry of the family in the registry."""
