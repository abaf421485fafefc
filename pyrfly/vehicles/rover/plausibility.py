"""Whether the numbers of a rover make sense together."""

from __future__ import annotations

from math import sqrt

from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities"]

# Usual ranges, estimated: those of the packaged sets, of 1 to 57 kg, widened to toys and tractors.
MASS = (0.05, 5000.0)
TRACK = (0.03, 4.0)
WHEEL = (0.04, 0.7)
SPEED = (0.05, 20.0)
GYRATION = (0.1, 0.8)
DENSITY = (5.0, 2000.0)
PULL = (0.05, 8.0)
GRIP = (0.1, 1.5)
LAG = (0.005, 1.0)


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""

    def number(column: str) -> float:
        return float(parameters.columns[column][0])

    mass, track, radius = number("mass"), number("track"), number("wheel_radius")
    weight = mass * number("gravity")
    pull = 2.0 * number("wheel_torque") / radius  # of both sides
    return [
        Quantity("mass [kg]", mass, *MASS),
        Quantity("track [m]", track, *TRACK),
        Quantity("mass over cube of the track [kg/m^3]", mass / track**3, *DENSITY),
        Quantity("wheel radius over track", radius / track, *WHEEL),
        Quantity("maximum speed [m/s]", radius * number("wheel_speed_max"), *SPEED),
        Quantity(
            "yaw radius of gyration over track",
            sqrt(number("yaw_inertia") / mass) / track,
            *GYRATION,
        ),
        Quantity("pull of the motors over weight", pull / weight, *PULL),
        Quantity("friction", number("friction"), *GRIP),
        Quantity("time constant of the motors [s]", number("drive_tau"), *LAG),
    ]
