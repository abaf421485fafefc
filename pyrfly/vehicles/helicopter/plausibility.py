"""Whether the numbers of a helicopter make sense together."""

from __future__ import annotations

from math import sqrt

from pyrfly.vehicles.helicopter.hover import hover_of
from pyrfly.vehicles.helicopter.tuning import gains
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities"]

# Usual ranges, estimated: those of the packaged sets, widened.
LIFT = (1.2, 6.0)
TIP_SPEED = (40.0, 230.0)
MERIT = (0.25, 0.85)
POWER = (1.3, 8.0)
TAIL = (0.02, 0.6)
GYRATION = (0.05, 0.6)
HUB = (0.35, 1.0)
LAG = (0.005, 0.2)


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""
    columns = parameters.columns
    hover = hover_of(columns)
    radius, speed = float(columns["main_rotor_radius"][0]), float(columns["main_rotor_nominal"][0])
    mass = float(columns["mass"][0])
    lift = float(gains(columns, parameters.c_type)["thrust_limit"][1])
    height = float(columns["main_rotor_height"][0])
    found = [
        Quantity("rotor tip speed [m/s]", radius * speed, *TIP_SPEED),
        Quantity("height of the hub over rotor radius", height / radius, *HUB),
    ]
    if hover.weight > 0:
        merit = hover.weight * hover.induced_velocity / hover.power
        found += [
            Quantity("thrust to weight", lift / hover.weight, *LIFT),
            Quantity("figure of merit of the main rotor", merit, *MERIT),
            Quantity("engine over hover power", hover.available_power / hover.power, *POWER),
            Quantity("tail rotor in hover over its range", hover.tail, *TAIL),
        ]
    names = ("roll", "pitch", "yaw")
    return [
        *found,
        *(
            Quantity(f"{name} radius of gyration over rotor radius", value / radius, *GYRATION)
            for name, value in zip(
                names, (sqrt(float(j) / mass) for j in columns["inertia"][:3]), strict=True
            )
        ),
        Quantity("time constant of the swash plate [s]", float(columns["swash_tau"][0]), *LAG),
    ]
