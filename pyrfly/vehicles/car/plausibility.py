"""Whether the numbers of a car make sense together."""

from __future__ import annotations

from math import sqrt

from pyrfly.vehicles.car.models import MODELS
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities"]

# Usual ranges, estimated: those of the packaged sets, of 3 to 1500 kg, widened to toys and lorries.
MASS = (0.3, 20000.0)
BASE = (0.1, 8.0)
WEIGHT = (10.0, 1000.0)
SHARE = (0.25, 0.75)
GYRATION = (0.25, 0.75)
HEIGHT = (0.05, 0.5)
WHEEL = (0.05, 0.3)
FRICTION = (0.1, 2.0)
ACCEL = (0.05, 2.0)
POWER = (0.5, 500.0)


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""
    columns = parameters.columns
    mass, gravity = scalar(columns, "mass"), scalar(columns, "gravity")
    front, rear = (float(one) for one in columns["axle_distance"])
    base, model = front + rear, MODELS[parameters.c_type]
    drive = model.drive(columns)
    along, across = model.friction(columns)
    found = [
        ("mass [kg]", mass, MASS),
        ("wheelbase [m]", base, BASE),
        ("mass over cube of the wheelbase [kg/m^3]", mass / base**3, WEIGHT),
        ("share of the weight on the front axle", rear / base, SHARE),
        (
            "yaw radius of gyration over wheelbase",
            sqrt(drive.yaw_inertia / mass) / base,
            GYRATION,
        ),
        ("height of the mass over wheelbase", scalar(columns, "mass_height") / base, HEIGHT),
        ("wheel radius over wheelbase", scalar(columns, "wheel_radius") / base, WHEEL),
        ("friction along the wheels", along, FRICTION),
        ("friction across the wheels", across, FRICTION),
        ("acceleration over gravity", drive.accel / gravity, ACCEL),
        ("brakes over gravity", drive.brake / gravity, ACCEL),
        ("power over mass [W/kg]", drive.accel * drive.switch_speed, POWER),
    ]
    return [Quantity(name, value, *usual) for name, value, usual in found]
