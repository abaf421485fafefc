"""Rovers with differential drive of SDF files: `READER`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.gazebo.entries import GRAVITY, column_entries, hull_entries
from pyrfly.vehicles.gazebo.model import SdfModel, SdfReader
from pyrfly.vehicles.gazebo.wheels import (
    Wheel,
    body_of,
    drives_of,
    mean_place,
    note_other_numbers,
    wheels_of,
)
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.rover.parameters import build

__all__ = ["READER"]

_POSITIVE = Rule(1, "", *POSITIVE)

_DRIVES = ("wheel", "differential")
"""Kinds of plug-ins that turn its wheels."""

_WHEEL_SPEED = 20.0
"""Wheel speed at full command where the file has none [rad/s]: of PX4's rovers."""

_ACCEL = 6.0
"""Acceleration where the file has none [m/s^2]: the deceleration limit of PX4's rovers."""

_ESTIMATED = {
    "drive_tau": 0.05,
    "drive_dead_zone": 0.002,
    "slip_tau": 0.02,
    "suspension_tau": 0.05,
}
"""What Gazebo has not: those of the packaged set."""


def _sides(model: SdfModel, wheels: Sequence[Wheel]) -> tuple[list[Wheel], list[Wheel]]:
    """Return the driven wheels to the left and to the right, each side with one command."""
    source = model.source
    driven = [wheel for wheel in wheels if wheel.drive is not None]
    middle = sum(float(w.place[1]) for w in driven) / len(driven) if driven else 0.0
    left = [wheel for wheel in driven if wheel.place[1] < middle]
    right = [wheel for wheel in driven if wheel.place[1] > middle]
    if not left or not right:
        raise source.error(
            model.node,
            "expected driven wheels on both sides, cylinders or spheres on links of their own, got "
            f"{len(left)} to the left and {len(right)} to the right",
        )
    commands: list[str] = []
    for side in (left, right):
        names = {wheel.drive.command for wheel in side if wheel.drive is not None}
        if len(names) > 1:
            drive = side[-1].drive
            assert drive is not None
            raise source.error(
                drive.node,
                "expected one command for the wheels of a side, got "
                f"{', '.join(sorted(names))}; wheels that roll aside are not read",
            )
        commands += names
    if commands[0] == commands[1]:
        drive = right[0].drive
        assert drive is not None
        raise source.error(
            drive.node, f"expected a command for each side, got {commands[0]} for both"
        )
    return left, right


def _load(model: SdfModel, wheels: Sequence[Wheel], axle: float) -> float:
    """Return the share of the weight on the driven wheels.

    Casters before and behind them carry their own weight alone.
    """
    casters = [wheel for wheel in wheels if wheel.drive is None]
    sides = {wheel.place[0] > axle for wheel in casters}
    if len(sides) != 1:
        own = {wheel.solid.link for wheel in casters if wheel.joint}
        return 1.0 - sum(model.body.masses[link] for link in own) / model.body.mass
    caster = float(mean_place(casters)[0])
    return min(max(caster / (caster - axle), 0.0), 1.0)


def _limits(model: SdfModel, radius: float, track: float) -> tuple[float, float]:
    """Return wheel speed [rad/s] and acceleration [m/s^2] at full command."""
    source = model.source
    speed = accel = None
    for plugin in model.plugins["differential"]:
        note_other_numbers(source, plugin, {"wheel_radius": radius, "wheel_separation": track})
        speed, accel = (
            next(
                (
                    source.number(plugin, name, None, _POSITIVE)
                    for name in (f"max_linear_{kind}", f"max_{kind}")
                    if source.child(plugin, name) is not None
                ),
                None,
            )
            for kind in ("velocity", "acceleration")
        )
    if speed is None:
        source.assume(model.node, f"wheels turn with {_WHEEL_SPEED:g} rad/s at the full command")
    return speed / radius if speed else _WHEEL_SPEED, accel or _ACCEL


def _hull(model: SdfModel, wheels: Sequence[Wheel], wheel: Wheel, axle: float) -> dict[str, Any]:
    """Return the table ``[hull]``, of which x = 0 is the axle."""
    floor = max(float(one.place[2] + one.solid.half[2]) for one in wheels)
    sizes: dict[str, Any] = {"wheel_size": (2.0 * wheel.solid.half).tolist()}
    if floor > 0.0:
        sizes["height"] = floor
    body = body_of(model, wheels)
    if body is not None:
        x, y, z = body.middle.tolist()
        sizes |= {"body_size": (2.0 * body.half).tolist(), "body_position": [x - axle, y, z]}
    return hull_entries(model.source, sizes)


def _read(model: SdfModel) -> tuple[VehicleParameters, str]:
    """Return the rover of a model."""
    source, body = model.source, model.body
    wheels = wheels_of(model, drives_of(model))
    left, right = _sides(model, wheels)
    axle = float(mean_place([*left, *right])[0])
    track = float(mean_place(right)[1] - mean_place(left)[1])
    radius = sum(wheel.solid.radius for wheel in (*left, *right)) / len((*left, *right))
    friction = min(wheel.friction for wheel in (*left, *right))
    if not friction > 0.0:
        raise source.error(left[0].solid.node, "<mu>: expected driven wheels with friction, got 0")
    speed, accel = _limits(model, radius, track)
    torque = body.mass * accel * radius / 2.0
    values = {
        "mass": body.mass,
        "yaw_inertia": body.inertia[2] + body.mass * axle**2,
        "gravity": GRAVITY,
        "wheel_radius": radius,
        "track": track,
        "wheel_speed_max": speed,
        "wheel_torque": [torque, 2.0 * torque],
        "friction": friction * _load(model, wheels, axle),
        **_ESTIMATED,
    }
    document = {
        "family": "rover",
        "name": model.node.get("name"),
        **column_entries(source, "rover", values),
        "hull": _hull(model, wheels, left[0], axle),
    }
    return build(source.label, document), ""


READER = SdfReader(
    plugins=_DRIVES,
    needs="wheels by DiffDrive or JointController",
    claims=lambda model: bool(model.plugins.of(_DRIVES)) and not model.plugins["motor"],
    read=_read,
)
"""How rovers are read."""
