"""Cars with Ackermann steering of SDF files, as single tracks: `READER`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyrfly import exact
from pyrfly.vehicles.car.parameters import build
from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.gazebo.elements import CONTROLLER
from pyrfly.vehicles.gazebo.entries import GRAVITY, column_entries, hull_entries
from pyrfly.vehicles.gazebo.model import SdfModel, SdfReader
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.wheels import (
    Wheel,
    body_of,
    drives_of,
    mean_place,
    note_other_numbers,
    wheels_of,
)
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["READER"]

_POSITIVE = Rule(1, "", *POSITIVE)
_ANGLE = Rule(1, "", 1e-3, 1.5)

_SPEED = 3.1
"""Speed at full command where the file has none [m/s]: of PX4's Ackermann rover."""

_ACCEL, _BRAKE = 6.0, 0.92
"""Acceleration [m/s^2], and deceleration over what the tyres hold, as of the packaged set."""

_LIFT = 0.9
"""Largest acceleration, over that with which an axle lifts off."""

_ESTIMATED: dict[str, Any] = {
    "steering_tau": 0.1,
    "blend_speed": 1.0,
    "slip_tau": 0.02,
    "suspension_tau": 0.05,
    "cornering_stiffness": [10.0, 10.0],
}
"""What Gazebo has not: those of the packaged set."""

_STEERING_RATE = 1.0
"""Rate of the steering where the file has none [rad/s]."""


def _steers(model: SdfModel) -> bool:
    """Return whether a model has wheels that turn about an upright axis."""
    if model.plugins["ackermann"]:
        return True
    if not (model.plugins["wheel"] and model.plugins["controller"]) or model.plugins["motor"]:
        return False
    return any(wheel.steering for wheel in wheels_of(model, {}))


def _axles(model: SdfModel, wheels: Sequence[Wheel]) -> tuple[float, float]:
    """Return the distances of the steered axle ahead and of the other one behind the centre."""
    source = model.source
    steered = [wheel for wheel in wheels if wheel.steering]
    others = [wheel for wheel in wheels if not wheel.steering]
    if not steered or not others:
        raise source.error(
            model.node,
            "expected steered wheels and others, cylinders or spheres on the ground, got "
            f"{len(steered)} and {len(others)}",
        )
    front, rear = float(mean_place(steered)[0]), -float(mean_place(others)[0])
    if not front + rear > 0.0:
        raise source.error(
            steered[0].solid.node,
            "expected steered wheels ahead of the others, got a wheel base of "
            f"{front + rear:.4g} m",
        )
    if not (front > 0.0 and rear > 0.0):
        raise source.error(
            model.node,
            "expected a centre of mass between the axles, got axles "
            f"{front:.4g} m and {-rear:.4g} m ahead of it",
        )
    return front, rear


def _steering_of_plugin(model: SdfModel, plugin: Node) -> float:
    """Return the angle of the middle of the steered axle on the smallest circle.

    The plug-in drives circles of at least the wheel base over the sine of its limit.
    """
    limit = model.source.number(plugin, "steering_limit", 0.5, _ANGLE)
    sine, _ = exact.sincos(limit)
    return float(exact.arctan2(sine, 1.0))


def _steering(model: SdfModel, wheels: Sequence[Wheel]) -> tuple[float, float]:
    """Return the largest angle [rad] and rate [rad/s] of the steering."""
    source, joints = model.source, model.body.joints
    for plugin in model.plugins["controller"]:
        source.require_known(plugin, CONTROLLER)
    names = [wheel.steering for wheel in wheels if wheel.steering]
    angle = rate = None
    for name in names:
        joint = joints[name]
        most = min(-joint.low, joint.high)
        if not most > 0.0:
            raise source.error(
                joint.node,
                f"<limit>: expected a range about 0, got {joint.low:g} to {joint.high:g} rad",
            )
        angle = most if angle is None else min(angle, most)
        axis = source.child(joint.node, "axis")
        limit = None if axis is None else source.child(axis, "limit")
        fast = 0.0 if limit is None else source.number(limit, "velocity", 0.0)
        rate = fast if fast > 0.0 and (rate is None or fast < rate) else rate
    for plugin in model.plugins["ackermann"]:
        angle = _steering_of_plugin(model, plugin)
    if angle is None or angle > _ANGLE.maximum:
        node = joints[names[0]].node if names else model.node
        raise source.error(
            node, f"<limit>: expected a steering of up to {_ANGLE.maximum:g} rad, got {angle}"
        )
    if rate is None or rate > 1e3:
        source.assume(model.node, f"it steers with up to {_STEERING_RATE:g} rad/s")
        rate = _STEERING_RATE
    return angle, rate


def _speeds(model: SdfModel) -> tuple[list[float], float]:
    """Return the speeds at full command ahead and in reverse [m/s], and the acceleration."""
    source = model.source
    for plugin in model.plugins["ackermann"]:
        if source.child(plugin, "max_velocity") is not None:
            ahead = source.number(plugin, "max_velocity", None, _POSITIVE)
            back = -source.number(plugin, "min_velocity", -ahead, Rule(1, "", -1e3, 0.0))
            accel = source.number(plugin, "max_acceleration", _ACCEL, _POSITIVE)
            return [ahead, back], accel
    source.assume(model.node, f"it drives {_SPEED:g} m/s at the full command")
    return [_SPEED, _SPEED], _ACCEL


def _review(model: SdfModel, wheels: Sequence[Wheel], base: float) -> None:
    """Refuse a car without drive, and say where a plug-in assumes other wheels."""
    source = model.source
    if not (model.plugins["ackermann"] or model.plugins["wheel"]):
        raise source.error(model.node, "expected driven wheels, got none")
    aside = [float(wheel.place[1]) for wheel in wheels]
    numbers = {
        "wheel_base": base,
        "wheel_separation": max(aside) - min(aside),
        "wheel_radius": wheels[0].solid.radius,
    }
    for plugin in model.plugins["ackermann"]:
        note_other_numbers(source, plugin, numbers)


def _read(model: SdfModel) -> tuple[VehicleParameters, str]:
    """Return the car of a model."""
    source, body = model.source, model.body
    wheels = wheels_of(model, drives_of(model))
    front, rear = _axles(model, wheels)
    _review(model, wheels, front + rear)
    angle, rate = _steering(model, wheels)
    speeds, accel = _speeds(model)
    height = max(float(wheel.place[2] + wheel.solid.half[2]) for wheel in wheels)
    friction = min(wheel.friction for wheel in wheels)
    if not friction > 0.0:
        raise source.error(wheels[0].solid.node, "<mu>: expected tyres with friction, got 0")
    lift = _LIFT * GRAVITY / max(height, 1e-3)
    accel = min(accel, lift * rear)
    values: dict[str, Any] = {
        "mass": body.mass,
        "yaw_inertia": body.inertia[2],
        "gravity": GRAVITY,
        "axle_distance": [front, rear],
        "mass_height": max(height, 0.0),
        "wheel_radius": sum(wheel.solid.radius for wheel in wheels) / len(wheels),
        "steering_max": angle,
        "steering_rate_limit": rate,
        "accel_max": accel,
        "switch_speed": speeds[0],
        "speed_max": speeds,
        "drive_damping": accel / speeds[0],
        "brake_accel": min(_BRAKE * friction * GRAVITY, lift * front),
        "friction": friction,
        **_ESTIMATED,
    }
    document = {
        "family": "car",
        "model": "single_track",
        "name": model.node.get("name"),
        **column_entries(source, "single_track", values),
    }
    shell = body_of(model, wheels)
    if shell is not None:
        sizes = {"body_size": (2.0 * shell.half).tolist(), "body_position": shell.middle.tolist()}
        document["hull"] = hull_entries(source, sizes)
    return build(source.label, document), ""


READER = SdfReader(
    plugins=("wheel", "ackermann", "controller"),
    needs="wheels and steering by AckermannSteering or JointPositionController",
    claims=_steers,
    read=_read,
)
"""How cars are read."""
