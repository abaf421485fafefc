"""What sets of the detailed car must have, and what tyres, springs and drive make of it."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.vehicles.body import require_moments
from pyrfly.vehicles.car.drive import Drive, braked, driven
from pyrfly.vehicles.car.standing import STOP
from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.parameters import scalar

__all__ = ["RANGES", "drive", "fastest_rate", "friction", "grip", "require", "understeer"]

Columns = Mapping[str, NDArray[np.float64]]

STEEPEST = 1.3
"""Maximum steering angle [rad], below a right angle: its tangent counts."""

SKID_SPEED = 0.05
"""Speed [m/s] below which friction of the body is proportional to it, of the core."""

DEGREES = 180.0 / np.pi

RANGES: Mapping[str, Range] = {
    **dict.fromkeys(("mass", "gravity", "axle_distance", "wheel_radius", "mass_height"), POSITIVE),
    **dict.fromkeys(
        ("axle_track", "wheel_inertia", "spring_stiffness", "spring_damping"), POSITIVE
    ),
    **dict.fromkeys(("tyre_load_range", "tyre_relaxation", "tyre_damping"), POSITIVE),
    **dict.fromkeys(("tyre_friction", "tyre_side_stiffness", "steering_rate_limit"), POSITIVE),
    **dict.fromkeys(("steering_tau", "drive_torque_limit", "drive_power", "drive_tau"), POSITIVE),
    **dict.fromkeys(("wheel_speed_max", "brake_torque", "shell_size", "body_stiffness"), POSITIVE),
    **dict.fromkeys(("anti_roll", "spring_travel", "tyre_rolling", "air_drag_area"), NOT_NEGATIVE),
    **dict.fromkeys(("reference_density", "body_damping", "body_grip"), NOT_NEGATIVE),
    **dict.fromkeys(("ackermann_share", "drive_share", "brake_share", "brake_idle"), FRACTION),
    "steering_max": (1e-3, STEEPEST),
}


def _loads(columns: Columns) -> tuple[float, float]:
    """Return the loads [N] of a wheel of the front and the rear axle of a car that stands."""
    front, rear = (float(one) for one in columns["axle_distance"])
    half = 0.5 * scalar(columns, "mass") * scalar(columns, "gravity") / (front + rear)
    return half * rear, half * front


def friction(columns: Columns) -> tuple[float, float]:
    """Return the friction coefficients of its tyres at the mean load: along and across."""
    load = 1e-3 * sum(_loads(columns)) / 2.0
    road = scalar(columns, "tyre_friction")
    along, across = (
        1e-3 * road * float(columns[name][1] * load + columns[name][2])
        for name in ("magic_longitudinal", "magic_lateral")
    )
    return along, across


def grip(columns: Columns) -> float:
    """Return the acceleration over gravity that its driven tyres hold."""
    front, rear = (float(one) for one in columns["axle_distance"])
    return friction(columns)[0] * driven(front, rear, scalar(columns, "drive_share"))


def braking(columns: Columns) -> float:
    """Return the deceleration over gravity that its rear tyres hold."""
    front, rear = (float(one) for one in columns["axle_distance"])
    height, share = scalar(columns, "mass_height"), scalar(columns, "brake_share")
    return braked(front, rear, height, share, friction(columns)[0])


def drive(columns: Columns) -> Drive:
    """Return what drive and brakes make of its mass on level ground."""
    mass, radius = scalar(columns, "mass"), scalar(columns, "wheel_radius")
    accel = scalar(columns, "drive_torque_limit") / (radius * mass)
    return Drive(
        accel=accel,
        switch_speed=scalar(columns, "drive_power") / (mass * accel),
        speed=scalar(columns, "wheel_speed_max") * radius,
        brake=scalar(columns, "brake_torque") / (radius * mass),
        damping=0.0,
        yaw_inertia=float(columns["inertia"][2]),
    )


def cornering(columns: Columns, load: float) -> float:
    """Return the lateral force of a tyre per load [N] and slip angle [1/rad]."""
    terms = columns["magic_lateral"]
    ratio = 1e-3 * load / float(terms[4])
    return DEGREES * float(terms[3]) * 2.0 * ratio / (1.0 + ratio * ratio) / load


def slip_stiffness(columns: Columns, load: float) -> float:
    """Return the longitudinal force of a tyre per load [N] and slip."""
    terms, kilonewtons = columns["magic_longitudinal"], 1e-3 * load
    per_percent = (terms[3] * kilonewtons + terms[4]) * np.exp(-terms[5] * kilonewtons)
    return 0.1 * float(per_percent)


def understeer(columns: Columns) -> float:
    """Return the understeer gradient [rad s^2/m] of small lateral accelerations, by the tyres."""
    front, rear = (cornering(columns, load) for load in _loads(columns))
    return (1.0 / front - 1.0 / rear) / scalar(columns, "gravity")


def _spring_rates(columns: Columns) -> list[float]:
    """Return the rates [1/s] of springs at their stops, and of their dampers."""
    stiffness = (1.0 + STOP) * columns["spring_stiffness"] + 2.0 * columns["anti_roll"]
    damping = columns["spring_damping"]
    mass, (roll, pitch) = scalar(columns, "mass"), columns["inertia"][:2]
    levers = np.array(
        [
            np.full(2, 1.0 / mass),
            (0.5 * columns["axle_track"]) ** 2 / float(roll),
            columns["axle_distance"] ** 2 / float(pitch),
        ]
    )
    decay = 2.0 * (levers @ damping)
    swing = np.sqrt(2.0 * (levers @ stiffness))
    return [float((decay + swing).max())]


def _wheel_rates(columns: Columns) -> list[float]:
    """Return the rates [1/s] of a wheel on the spring of its tyre."""
    lag, radius = scalar(columns, "tyre_damping"), scalar(columns, "wheel_radius")
    rates = [1.0 / lag]
    for load in _loads(columns):
        spring = load * slip_stiffness(columns, load) / float(columns["tyre_relaxation"][0])
        square = spring * radius**2 / scalar(columns, "wheel_inertia")
        rates.append(max(sqrt(square), square * lag))
    return rates


def _body_rates(columns: Columns) -> list[float]:
    """Return the rates [1/s] of the body on its corners, which spring, damp and slide."""
    mass = scalar(columns, "mass")
    half = 0.5 * columns["shell_size"] + np.abs(columns["shell_position"])
    arm2 = np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2])
    levers = np.append(arm2 / columns["inertia"][:2], 1.0 / mass)
    swing = np.sqrt(4.0 * levers * scalar(columns, "body_stiffness"))
    slide = scalar(columns, "body_grip") * mass * scalar(columns, "gravity") / SKID_SPEED
    decay = levers * (4.0 * scalar(columns, "body_damping") + slide)
    return [float((swing + decay).max())]


def fastest_rate(columns: Columns) -> float:
    """Return the maximum decay rate [1/s] of steering, drive, wheels, springs and body."""
    lags = [1.0 / scalar(columns, name) for name in ("steering_tau", "drive_tau")]
    return max(*lags, *_spring_rates(columns), *_wheel_rates(columns), *_body_rates(columns))


def _require_curves(origin: str, columns: Columns) -> None:
    """Refuse terms of tyres by which their curves divide by 0."""
    aligns = bool(columns["magic_aligning"].any())
    for entry, index, what in (
        ("magic_longitudinal", 0, "shape factor"),
        ("magic_lateral", 0, "shape factor"),
        ("magic_lateral", 4, "load of the largest stiffness"),
        *([("magic_aligning", 0, "shape factor")] if aligns else ()),
    ):
        got = float(columns[entry][index])
        if not got > 0.0:
            raise ParameterError(
                f"{origin}: {entry}: expected a positive {what} at index {index}, got {got:g}"
            )
    peaks = columns["magic_aligning"][1] * 1e-3 * columns["tyre_load_range"]
    peaks = peaks + columns["magic_aligning"][2]
    if aligns and not float(peaks[0]) * float(peaks[1]) > 0.0:
        low, high = columns["tyre_load_range"]
        raise ParameterError(
            f"{origin}: magic_aligning: expected a largest moment of one sign from {low:g} to "
            f"{high:g} N by indices 1 and 2, got {peaks[0]:g} and {peaks[1]:g}"
        )


def require(origin: str, columns: Columns) -> None:
    """Refuse a car that is no body, or whose tyres carry nothing."""
    require_moments(f"{origin}: inertia", columns["inertia"])
    _require_curves(origin, columns)
    for name, load in zip(("front", "rear"), _loads(columns), strict=True):
        stiffness = (slip_stiffness(columns, load), cornering(columns, load))
        for entry, grip, one in zip(
            ("magic_longitudinal", "magic_lateral"), friction(columns), stiffness, strict=True
        ):
            if not (grip > 0.0 and one > 0.0):
                raise ParameterError(
                    f"{origin}: {entry}: expected a positive friction and slip stiffness at the "
                    f"load of {load:.4g} N of a {name} wheel, got {grip:.4g} and {one:.4g}"
                )
    low, high = columns["tyre_load_range"]
    if low >= high:
        raise ParameterError(
            f"{origin}: tyre_load_range: expected the smaller load first, got {low:g}, {high:g}"
        )
