"""Whether the numbers of a tractor with a trailer make sense together."""

from __future__ import annotations

from math import sqrt

from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity
from pyrfly.vehicles.truck.bodies import loads
from pyrfly.vehicles.truck.tuning import turning_radius

__all__ = ["quantities"]

# Usual ranges, estimated: from cars with a small trailer to road trains, and models of them.
MASS = (1.0, 80_000.0)
SHARE = (0.05, 0.9)
WHEELBASE = (0.1, 8.0)
LENGTH = (0.5, 5.0)
GYRATION = (0.2, 0.8)
LOAD = (0.08, 0.8)
STIFFNESS = (3.0, 25.0)
GRIP = (0.1, 1.5)
SPEED = (1.0, 60.0)
RADIUS = (0.5, 8.0)


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""
    columns = parameters.columns

    def number(column: str) -> float:
        return float(columns[column][0])

    mass, trailer = number("mass"), number("trailer_mass")
    wheelbase, length = number("front_axle") + number("rear_axle"), number("trailer_wheelbase")
    own = sqrt(number("yaw_inertia") / (mass - trailer)) / wheelbase
    of_trailer = sqrt(number("trailer_inertia") / trailer) / length
    on_axles = loads(columns) / mass
    names = ("front", "rear", "trailer's")
    found = [
        Quantity("mass [kg]", mass, *MASS),
        Quantity("mass of the trailer over the mass", trailer / mass, *SHARE),
        Quantity("wheelbase [m]", wheelbase, *WHEELBASE),
        Quantity("wheelbase of the trailer over that of the tractor", length / wheelbase, *LENGTH),
        Quantity("yaw radius of gyration over wheelbase", own, *GYRATION),
        Quantity("yaw radius of gyration over wheelbase of the trailer", of_trailer, *GYRATION),
        Quantity("friction", number("friction"), *GRIP),
        Quantity("maximum speed [m/s]", number("speed_max"), *SPEED),
        Quantity("turning radius over wheelbase", turning_radius(columns) / wheelbase, *RADIUS),
    ]
    for name, load, stiffness in zip(names, on_axles, columns["cornering_coef"], strict=True):
        found.append(Quantity(f"load of the {name} axle over the weight", float(load), *LOAD))
        label = f"cornering stiffness over load of the {name} axle [1/rad]"
        found.append(Quantity(label, float(stiffness), *STIFFNESS))
    return found
