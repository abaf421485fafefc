"""Models of cars, by their fidelity, which a set names as ``model``: `MODELS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import constant_of
from pyrfly.errors import ParameterError
from pyrfly.vehicles.car import four_wheels
from pyrfly.vehicles.car.drive import Drive, braked, driven
from pyrfly.vehicles.car.standing import stand
from pyrfly.vehicles.driving import lag_rates
from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.parameters import scalar

__all__ = ["MODELS", "Model"]

Array = NDArray[np.float64]
Columns = Mapping[str, Array]


class Model(NamedTuple):
    """A type of cars.

    Attributes
    ----------
    ranges : mapping of str to Range
        Closed range of the elements of its parameter columns.
    fastest_rate : callable
        Returns the maximum decay rate [1/s] for parameter columns.
    friction : callable
        Returns the friction coefficients of its tyres for parameter columns: along and across.
    grip : callable
        Returns the acceleration over gravity that the driven tyres hold for parameter columns.
    braking : callable
        Returns the deceleration over gravity that its tyres hold for parameter columns.
    drive : callable
        Returns its `Drive` for parameter columns.
    understeer : callable
        Returns the understeer gradient [rad s^2/m] for parameter columns: steering angle per
        lateral acceleration beyond that of the geometry.
    require : callable
        Raises a ParameterError where entries do not go together; arguments: a label for messages
        and parameter columns.
    underway : callable
        See `pyrfly.vehicles.trim.Trim`.
    stand : callable
        Returns the columns of cars at rest on slopes, where springs or tyres hold them: argument, a
        function that returns a column by name.
    """

    ranges: Mapping[str, Range]
    fastest_rate: Callable[[Columns], float]
    friction: Callable[[Columns], tuple[float, float]]
    grip: Callable[[Columns], float]
    braking: Callable[[Columns], float]
    drive: Callable[[Columns], Drive]
    understeer: Callable[[Columns], float]
    require: Callable[[str, Columns], None]
    underway: Callable[[Columns, Array, Array], dict[str, Array]]
    stand: Callable[[Callable[[str], Any]], dict[str, Array]] = lambda read: {}


_CHASSIS: Mapping[str, Range] = {
    **dict.fromkeys(("mass", "yaw_inertia", "gravity", "axle_distance", "wheel_radius"), POSITIVE),
    **dict.fromkeys(("steering_rate_limit", "steering_tau", "accel_max", "switch_speed"), POSITIVE),
    **dict.fromkeys(("brake_accel", "blend_speed", "slip_tau", "suspension_tau"), POSITIVE),
    **dict.fromkeys(("mass_height", "drive_damping", "speed_max"), NOT_NEGATIVE),
    "steering_max": four_wheels.RANGES["steering_max"],
}


def _require_load(origin: str, columns: Columns) -> None:
    """Refuse a car whose axle lifts off at full drive or brakes."""
    height, gravity = scalar(columns, "mass_height"), scalar(columns, "gravity")
    front, rear = (float(one) for one in columns["axle_distance"])
    for name, axle, reach in (("accel_max", "front", rear), ("brake_accel", "rear", front)):
        most = reach * gravity / scalar(columns, name)
        if height >= most:
            raise ParameterError(
                f"{origin}: mass_height: expected below {most:.3g} m, with which the {axle} axle "
                f"has load at {name}, got {height:g} m"
            )


def _rolling_rates(columns: Columns) -> list[float]:
    """Return the rates [1/s] of steering, rolling wheels and suspension."""
    return lag_rates(columns, ("steering_tau", "slip_tau"))


def _cornering_rate(columns: Columns, stiffness: float) -> float:
    """Return the rate [1/s] of slip angle and yaw at half of the blending speed."""
    front, rear = columns["axle_distance"]
    turn = scalar(columns, "mass") * float(front * rear) / scalar(columns, "yaw_inertia")
    return (
        max(1.0, turn)
        * stiffness
        * scalar(columns, "gravity")
        / (0.5 * scalar(columns, "blend_speed"))
    )


def _single_track_rate(columns: Columns) -> float:
    stiffness = scalar(columns, "friction") * float(columns["cornering_stiffness"].max())
    return max(*_rolling_rates(columns), _cornering_rate(columns, stiffness))


def _single_track_friction(columns: Columns) -> tuple[float, float]:
    friction = scalar(columns, "friction")
    return friction, friction


def _single_track_drive(columns: Columns) -> Drive:
    return Drive(
        accel=scalar(columns, "accel_max"),
        switch_speed=scalar(columns, "switch_speed"),
        speed=float(columns["speed_max"][0]),
        brake=scalar(columns, "brake_accel"),
        damping=scalar(columns, "drive_damping"),
        yaw_inertia=scalar(columns, "yaw_inertia"),
    )


def _single_track_understeer(columns: Columns) -> float:
    front, rear = (float(one) for one in columns["cornering_stiffness"])
    return (1.0 / front - 1.0 / rear) / (scalar(columns, "friction") * scalar(columns, "gravity"))


SLIP_RATE = constant_of("single_track_slip", "slip_rate")
"""Decay rate of the slip of wheels [1/s] at most."""


def _slip_rate(columns: Columns) -> float:
    """Return the fastest rate; braked wheels decay at that of their slip and of their hold."""
    stiffness = -float(columns["tyre_lateral"][3])
    wheels = SLIP_RATE + 1.0 / scalar(columns, "slip_tau")
    return max(*_rolling_rates(columns), _cornering_rate(columns, stiffness), wheels)


def _slip_friction(columns: Columns) -> tuple[float, float]:
    return float(columns["tyre_longitudinal"][1]), float(columns["tyre_lateral"][1])


def _slip_grip(columns: Columns) -> float:
    front, rear = (float(one) for one in columns["axle_distance"])
    along, _ = _slip_friction(columns)
    return along * driven(front, rear, float(columns["front_share"][0]))


def _slip_braking(columns: Columns) -> float:
    front, rear = (float(one) for one in columns["axle_distance"])
    height, share = scalar(columns, "mass_height"), float(columns["front_share"][1])
    return braked(front, rear, height, share, _slip_friction(columns)[0])


LARGEST_SHAPE = 2.5
"""Shape factors of tyres at most, as csrc/models/tyre_pac2002.h computes them."""

_SHAPES = (
    *(("tyre_longitudinal", 0), ("tyre_lateral", 0), ("tyre_longitudinal_combined", 2)),
    *(("tyre_lateral_combined", 3), ("tyre_lateral_combined", 8)),
)
"""Columns and places of PCX1, PCY1, RCX1, RCY1, RVY5."""


def _require_tyres(origin: str, columns: Columns) -> None:
    """Refuse a car whose tyres push the wrong way or turn too far, or that lifts an axle."""
    _require_load(origin, columns)
    for name, k in _SHAPES:
        got = float(columns[name][k])
        if not abs(got) <= LARGEST_SHAPE:
            raise ParameterError(
                f"{origin}: {name}: expected -{LARGEST_SHAPE:g} to {LARGEST_SHAPE:g} at index {k}, "
                f"got {got:g}"
            )
    for name, signs in (("tyre_longitudinal", (1, 1, 0, 1)), ("tyre_lateral", (1, 1, 0, -1))):
        for k, sign in enumerate(signs):
            got = float(columns[name][k])
            if sign and not got * sign > 0.0:
                wanted = "positive" if sign > 0 else "negative"
                raise ParameterError(
                    f"{origin}: {name}: expected a {wanted} value at index {k}, got {got:g}"
                )


LEAST_TRACTION = 0.002
"""Command at which a car drives: below 0.001 its brakes hold it (CAR_DEAD_ZONE of the core), and a
search for an equilibrium finds no way out."""


def _track_underway(columns: Columns, speed: Array, _lacking: Array) -> dict[str, Array]:
    """Return wheels that roll, and the traction that makes up for the losses."""
    ahead = speed[:, None]
    lost = columns["drive_damping"] * np.abs(ahead) / columns["accel_max"]
    return {
        "traction": np.sign(ahead) * np.maximum(lost, LEAST_TRACTION),
        "wheel_speed": ahead / columns["wheel_radius"],
    }


def _four_wheels_underway(columns: Columns, speed: Array, _lacking: Array) -> dict[str, Array]:
    """Return wheels that roll, and a small traction."""
    ahead = speed[:, None]
    return {
        "traction": LEAST_TRACTION * np.sign(ahead),
        "wheel_speed": ahead / columns["wheel_radius"],
    }


MODELS: Mapping[str, Model] = MappingProxyType(
    {
        "car": Model(
            four_wheels.RANGES,
            four_wheels.fastest_rate,
            four_wheels.friction,
            four_wheels.grip,
            four_wheels.braking,
            four_wheels.drive,
            four_wheels.understeer,
            four_wheels.require,
            _four_wheels_underway,
            stand,
        ),
        "single_track": Model(
            {**_CHASSIS, "friction": POSITIVE, "cornering_stiffness": POSITIVE},
            _single_track_rate,
            _single_track_friction,
            lambda columns: scalar(columns, "friction"),
            lambda columns: scalar(columns, "friction"),
            _single_track_drive,
            _single_track_understeer,
            _require_load,
            _track_underway,
        ),
        "single_track_slip": Model(
            {**_CHASSIS, "axle_inertia": POSITIVE, "front_share": FRACTION},
            _slip_rate,
            _slip_friction,
            _slip_grip,
            _slip_braking,
            _single_track_drive,
            lambda columns: 0.0,  # both axles have the same tyres
            _require_tyres,
            _track_underway,
        ),
    }
)
"""By the name of the type in the core."""
