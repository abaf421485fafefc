"""Entry of the family in the registry."""

from __future__ import annotations

from pathlib import Path

from pyrfly.vehicles.abilities import Abilities, Rotors
from pyrfly.vehicles.actuators import MOTOR, Actuator
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.hovering import (
    ACCEPTANCE_RADIUS,
    ATTITUDE,
    LIMITS,
    PX4_PARAMETERS,
    THRUST,
    gear,
)
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams
from pyrfly.vehicles.multirotor.commands import MultirotorCommands
from pyrfly.vehicles.multirotor.effects import fastest_rate, require_plain
from pyrfly.vehicles.multirotor.ground import stand
from pyrfly.vehicles.multirotor.hover import (
    hover_power,
    hover_throttle,
    motor_throttle,
    rotor_inflow,
)
from pyrfly.vehicles.multirotor.hull import RULE
from pyrfly.vehicles.multirotor.parameters import build
from pyrfly.vehicles.multirotor.plausibility import quantities
from pyrfly.vehicles.multirotor.published import published
from pyrfly.vehicles.multirotor.px4 import AIRFRAME
from pyrfly.vehicles.multirotor.rotors import arm, disk_area, landing_gear, rotor_radius
from pyrfly.vehicles.multirotor.rules import RANGES
from pyrfly.vehicles.multirotor.settled import settled
from pyrfly.vehicles.multirotor.template_names import NAMED_PARAMS
from pyrfly.vehicles.multirotor.tuning import LONGEST_PERIODS, gains
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["FAMILY"]


def _actuators(parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return the motors, of a mixed model those of its airframe with the most."""
    counts = [airframe.actuator_count for airframe in (parameters, *parameters.airframes)]
    return tuple(MOTOR.moving("rotor_speed", rotor) for rotor in range(max(counts)))


FAMILY = Family(
    name="multirotor",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=hover_throttle,
    fastest_rate=fastest_rate,
    require_plain=require_plain,
    actuators=_actuators,
    abilities=Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.HOVERS,
        LIMITS,
        (THRUST,),
        ATTITUDE,
        rotors=Rotors(
            command="throttle", speed="rotor_speed", maximum="motor_max", lag="motor_tau"
        ),
        px4=PX4_PARAMETERS,
        acceptance_radius=ACCEPTANCE_RADIUS,
    ),
    commands=MultirotorCommands,
    px4_airframe=AIRFRAME,
    contact=("ground_pull", "ground"),
    published=published,
    ranges=RANGES,
    checked_together={"inertia": require_bodies},
    settled=settled,
    plausibility=quantities,
    longest_periods=LONGEST_PERIODS,
    nominal_power=hover_power,
    motor_throttle=motor_throttle,
    arm=arm,
    rotor_radius=rotor_radius,
    disk_area=disk_area,
    rotor_inflow=rotor_inflow,
    landing_gear=gear(landing_gear),
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    recipe=later(f"{__package__}.identifying", "recipe"),
    stand=stand,
    randomized={
        "mass": ("scale", 0.8, 1.2),
        "motor_tau": ("scale", 0.7, 1.3),
        "thrust_coef": ("scale", 0.9, 1.1),
        "drag_quadratic": ("scale", 0.5, 1.5),
    },
    numbered_params=NumberedParams(
        ("mass", 1),
        ("inertia", 6, 3),
        *(("drag_linear", 3), ("drag_quadratic", 3)),
        *(("damping_linear", 3), ("damping_quadratic", 3), ("drag_offset", 1)),
        *(("motor_curve", 4), ("motor_dead_zone", 1), ("motor_max", 1), ("motor_tau", 2)),
        *(("thrust_coef", 2), ("torque_coef", 2), ("arm_length", 1), ("gravity", 1)),
    ),
    named_params=NAMED_PARAMS,
)
"""Entry of the family in the registry."""
