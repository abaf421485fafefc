"""The family's row in the registry."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np

from pyrfly import exact
from pyrfly.protocol.bits import Offboard
from pyrfly.vehicles.abilities import Abilities, Limits
from pyrfly.vehicles.actuators import REVERSIBLE, SERVO, UNUSED, Actuator
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.driving import ACCEPTANCE_RADIUS
from pyrfly.vehicles.family import Afloat, Family
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.marine.allocation import Allocation, full_thrusts
from pyrfly.vehicles.marine.ardupilot import outputs
from pyrfly.vehicles.marine.commands import MarineCommands
from pyrfly.vehicles.marine.floating import Floating
from pyrfly.vehicles.marine.hull import RULE, keel
from pyrfly.vehicles.marine.parameters import FINS, RANGES, THRUSTERS, build
from pyrfly.vehicles.marine.plausibility import quantities
from pyrfly.vehicles.marine.px4 import BOAT_DEFAULTS, PX4_PARAMETERS, SUBMARINE_DEFAULTS
from pyrfly.vehicles.marine.rates import fastest_rate
from pyrfly.vehicles.marine.sdf import READER
from pyrfly.vehicles.marine.tuning import STEERED_ARRIVAL, gains
from pyrfly.vehicles.marine.underway import underway
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.trim import Trim

__all__ = ["FAMILY"]

WATER_DEPTH = 100.0
"""Depth of the water that a marine craft brings [m]."""

GLIDE_RADIUS = 10.0
"""Acceptance radius [m] of what cannot stay at a position: NAV_ACC_RAD by default [@px4]."""

BOAT, SUBMARINE = 11, 12
"""MAV_TYPE of what floats, and of what dives."""


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


_COMMANDS = frozenset({"command_position", "command_velocity"})

_LEVEL = ~(Offboard.ATTITUDE | Offboard.THRUST)
"""What boats support: no attitudes."""

_FLOATING = Abilities(
    _COMMANDS,
    Kind.FLOATS,
    Limits(yaw_rate="yaw_rate_limit", turning="turning_radius"),
    mav_type=BOAT,
    px4=PX4_PARAMETERS,
    px4_defaults=BOAT_DEFAULTS,
    offboard=_LEVEL,
    acceptance_radius=ACCEPTANCE_RADIUS,
    backs=True,
)
_STEERED = _FLOATING._replace(
    limits=_FLOATING.limits._replace(circle="turning_radius"),
    acceptance_radius=GLIDE_RADIUS,
    backs=False,
)
_DIVING = Abilities(
    _COMMANDS,
    Kind.DIVES,
    Limits(yaw_rate="yaw_rate_limit", climb="climb_limit", descent="descent_limit"),
    mav_type=SUBMARINE,
    px4=PX4_PARAMETERS,
    px4_defaults=SUBMARINE_DEFAULTS,
    acceptance_radius=ACCEPTANCE_RADIUS,
    backs=True,
)
_GLIDING = _DIVING._replace(
    limits=_DIVING.limits._replace(circle="turning_radius"),
    acceptance_radius=GLIDE_RADIUS,
    backs=False,
)


def _abilities(parameters: VehicleParameters) -> Abilities:
    """Return what a set can do: floats, or dives; by a rudder or fins alone, in circles."""
    of = Allocation.of(parameters.columns)
    if of.is_gliding:
        return _GLIDING
    if of.is_holonomic:
        return _DIVING
    if of.is_steered or of.is_driven_ahead:
        arrival = STEERED_ARRIVAL * float(parameters.columns["hull_size"][0])
        return _STEERED._replace(acceptance_radius=max(GLIDE_RADIUS, arrival))
    return _FLOATING._replace(backs=of.astern > 0.0)


def _trim(parameters: VehicleParameters) -> Trim:
    """Return the begin at rest; what is not pushed to the side goes as its hull does."""
    of = Allocation.of(parameters.columns)
    held = tuple(angle for angle in range(2) if of.is_holonomic and 3 + angle in of.axes)
    return Trim(
        (0.0,) * (THRUSTERS + FINS),
        slips=not of.is_holonomic,
        underway=partial(underway, of),
        held=held,
    )


def _full_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of all thrusters at full command ahead, at rest."""
    columns = parameters.columns
    thrust, _ = full_thrusts(columns)
    thrusts = np.abs(exact.norm(columns["thruster_axis"].reshape(3, THRUSTERS).T) * thrust)
    of_each = scalar(columns, "thruster_power") * thrusts * np.sqrt(thrusts)
    return math.fsum(of_each.tolist())


def _afloat(parameters: VehicleParameters) -> Afloat:
    """Return the depth of the water and of the lowest point of the hull, and what waves meet.

    That is the rectangle with the second moments of the water plane.
    """
    columns = parameters.columns
    ahead, aside = (math.sqrt(12.0) * spread for spread in columns["buoyancy_spread"].tolist())
    floating = Floating.of(columns)
    front = floating.area / ahead if ahead > 0.0 else 0.0
    plan = (ahead, aside, front, floating.displaced / floating.area)
    draught = keel(parameters) - scalar(columns, "rest_height")
    return Afloat(WATER_DEPTH, draught, plan, "rest_height")


FAMILY = Family(
    name="marine",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=_trim,
    fastest_rate=fastest_rate,
    actuators=_actuators,
    abilities=_FLOATING._replace(kind=Kind.FLOATS | Kind.DIVES, offboard=-1),
    abilities_by_set=_abilities,
    commands=MarineCommands,
    ranges=RANGES,
    checked_together={"inertia": require_bodies},
    nominal_power=_full_power,
    afloat=_afloat,
    ardupilot=outputs,
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    sdf=READER,
    plausibility=quantities,
    named_params=inertia_names("inertia"),
    numbered_params=NumberedParams(
        ("mass", 1),
        ("inertia", 6, 3),
        *(("added_mass", 3), ("added_inertia", 3)),
        *(("drag_linear", 3), ("drag_quadratic", 3)),
        *(("damping_linear", 3), ("damping_quadratic", 3)),
        *(("water_density", 1), ("thruster_tau", 1), ("gravity", 1)),
    ),
    benchmark={
        "otter": {
            "vel": (1.5, 0.0, 0.0),
            "thruster_command": (0.5, 0.45, *(0.0,) * 6),
            "pos": (0.0, 0.0, 0.0),
        },
        "bluerov2_heavy": {"thruster_command": (0.3,) * 8, "pos": (0.0, 0.0, 20.0)},
    },
)
"""Entry of the family in the registry."""
