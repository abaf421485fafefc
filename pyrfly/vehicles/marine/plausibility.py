"""Whether the numbers of a marine craft make sense together."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.marine.allocation import AXES, Allocation
from pyrfly.vehicles.marine.floating import Floating
from pyrfly.vehicles.marine.tuning import top_speed
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities"]

Array = NDArray[np.float64]

ROLL, PITCH = AXES.index("roll"), AXES.index("pitch")

# Usual ranges, estimated: those of the packaged sets, of 10 to 250 kg, widened to toys and ships.
MASS = (0.3, 1e9)
DENSITY = (950.0, 1060.0)
RESERVE = (0.0, 0.95)
HEIGHT, HEIGHT_OF_PITCH = (0.002, 50.0), (0.002, 500.0)
GYRATION = (0.05, 0.5)
ADDED = (0.0, 2.5)
SPEED = (0.3, 20.0)
PULL = (0.001, 8.0)
LAG = (0.005, 20.0)
OVERTURNING = (0.0, 0.8)


def _overturning(columns: Mapping[str, Array], of: Allocation, floating: Floating) -> float:
    """Return the largest share of its righting moments that the full thrust of a boat takes.

    Its moments are those about the centre of mass, at rest, and about the drag, at its speed.
    """
    effects = of.ahead_in_water(columns, floating.rest_height)
    about_drag = effects[PITCH] - effects[0] * float(columns["flow_position"][2])
    weight = floating.mass * scalar(columns, "gravity")
    roll, pitch = (weight * floating.largest_righting_arm(one) for one in floating.spread)
    return float(max(abs(effects[ROLL]) / roll, max(abs(effects[PITCH]), abs(about_drag)) / pitch))


def _of_boats(columns: Mapping[str, Array], of: Allocation, floating: Floating) -> list[Quantity]:
    """Return the numbers of a vehicle that stays at the surface."""
    if floating.dives:
        return []
    share = _overturning(columns, of, floating)
    return [Quantity("moment of full thrust over the largest righting moment", share, *OVERTURNING)]


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""
    columns = parameters.columns
    of, floating = Allocation.of(columns), Floating.of(columns)
    mass, length = floating.mass, float(columns["hull_size"][0])
    roll, pitch = floating.metacentric_heights
    added = columns["added_mass"] / mass
    return [
        Quantity("mass [kg]", mass, *MASS),
        Quantity("density of the water [kg/m^3]", floating.density, *DENSITY),
        Quantity("share of the hull that is dry at rest", floating.reserve, *RESERVE),
        Quantity("metacentric height of roll [m]", roll, *HEIGHT),
        Quantity("metacentric height of pitch [m]", pitch, *HEIGHT_OF_PITCH),
        Quantity(
            "yaw radius of gyration over length",
            sqrt(float(columns["inertia"][2]) / mass) / length,
            *GYRATION,
        ),
        Quantity("added mass of heave over mass", float(added[2]), *ADDED),
        Quantity("speed at full thrust [m/s]", top_speed(columns, of), *SPEED),
        Quantity(
            "thrust ahead over weight",
            of.largest_ahead() / (mass * scalar(columns, "gravity")),
            *PULL,
        ),
        Quantity("time constant of the thrusters [s]", scalar(columns, "thruster_tau"), *LAG),
        *_of_boats(columns, of, floating),
    ]
