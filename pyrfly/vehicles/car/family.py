"""The family's row in the registry."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import numpy as np

from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import REVERSIBLE, SERVO
from pyrfly.vehicles.body import require_moments
from pyrfly.vehicles.car.commands import CarCommands
from pyrfly.vehicles.car.hull import RULE
from pyrfly.vehicles.car.models import MODELS
from pyrfly.vehicles.car.parameters import build
from pyrfly.vehicles.car.plausibility import quantities
from pyrfly.vehicles.car.sdf import READER
from pyrfly.vehicles.car.tuning import gains
from pyrfly.vehicles.driving import (
    ACCEPTANCE_RADIUS,
    LIMITS,
    PX4_PARAMETERS,
    STEERED_AIRFRAME,
)
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.trim import Trim

__all__ = ["FAMILY"]


def _trim(parameters: VehicleParameters) -> Trim:
    """Return the begin at rest, where the brakes hold a car."""
    coasts = not parameters.columns.get("drive_damping", np.ones(1)).any()
    hint = "with a drive_damping of 0 it has no steady speed, as a traction of 0 brakes"
    return Trim(
        (0.0, 0.0),
        slips=True,
        underway=MODELS[parameters.c_type].underway,
        lies="spring_stiffness" not in parameters.columns,
        fastest="speed_max" if "speed_max" in parameters.columns else "",
        hint=hint if coasts else "",
    )


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    return MODELS[parameters.c_type].fastest_rate(parameters.columns)


def _full_power(parameters: VehicleParameters) -> float:
    """Return the maximum power [W] of the drive."""
    drive = MODELS[parameters.c_type].drive(parameters.columns)
    return scalar(parameters.columns, "mass") * drive.accel * drive.switch_speed


_AT_SPEED = {"vel": (15.0, 0.0, 0.0), "traction": (0.02,), "steer": (0.01,)}
"""A saloon car in a wide bend."""

_AXLES, _WHEELS = {"wheel_speed": (43.6,) * 2}, {"wheel_speed": (43.6,) * 4}


FAMILY = Family(
    name="car",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=_trim,
    fastest_rate=_fastest_rate,
    actuators=lambda _: (
        REVERSIBLE.moving("wheel_speed", 0).moving("wheel_speed", 1),
        SERVO.moving("steering"),
    ),
    abilities=Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.DRIVES,
        LIMITS,
        px4=PX4_PARAMETERS,
        acceptance_radius=ACCEPTANCE_RADIUS,
        backs=True,
    ),
    commands=CarCommands,
    stand=lambda c_type, read, _pull: MODELS[c_type].stand(read),
    px4_airframe=STEERED_AIRFRAME,
    ranges_by_type=MappingProxyType({name: model.ranges for name, model in MODELS.items()}),
    checked_together={"inertia": require_moments},
    nominal_power=_full_power,
    benchmark={
        "bmw_320i": {**_AT_SPEED, **_AXLES},
        "bmw_320i_slip": {**_AT_SPEED, **_AXLES},
        "bmw_320i_detailed": {**_AT_SPEED, **_WHEELS},
    },
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    sdf=READER,
    plausibility=quantities,
    named_params=inertia_names("inertia", "yaw_inertia"),
    numbered_params_by_type={
        "car": NumberedParams(
            *(("mass", 1), ("inertia", 6, 3)),
            *(("axle_distance", 2), ("mass_height", 1), ("wheel_radius", 1), ("steering_max", 1)),
            *(("steering_rate_limit", 1), ("steering_tau", 1), ("drive_torque_limit", 1)),
            *(("drive_power", 1), ("brake_torque", 1), ("tyre_friction", 1), ("gravity", 1)),
        )
    },
    numbered_params=NumberedParams(
        *(("mass", 1), ("", 2), ("yaw_inertia", 1), ("", 3)),
        *(("axle_distance", 2), ("mass_height", 1), ("wheel_radius", 1), ("steering_max", 1)),
        *(("steering_rate_limit", 1), ("steering_tau", 1), ("accel_max", 1), ("switch_speed", 1)),
        *(("speed_max", 2), ("drive_damping", 1), ("brake_accel", 1), ("gravity", 1)),
    ),
)
"""Entry of the family in the registry."""
