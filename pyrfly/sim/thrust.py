"""Thrust of vehicles: `normalized_thrust`, `maximum_thrust`, `assumed_weight`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.group import Group
from pyrfly.sim.selection import Rows
from pyrfly.vehicles.abilities import Collective

__all__ = ["assumed_weight", "maximum_thrust", "normalized_thrust"]

Array = NDArray[np.float64]


def normalized_thrust(group: Group, rows: Rows) -> Array:
    """Return how much of their thrust vehicles command, 0 to 1, shape (k,).

    It is the largest of their collective commands, as PX4's VFR_HUD has it [@px4 v1.16.1
    streams/VFR_HUD.hpp], or the magnitude of the mean command of their motors where controllers
    have none; 0 of disarmed vehicles.
    """
    commands = [_of_collective(group, rows, one) for one in group.abilities.collective]
    thrust = np.max(commands, axis=0) if commands else _of_motors(group, rows)
    return np.where(group.view("armed")[rows] != 0, thrust, 0.0)


def _of_collective(group: Group, rows: Rows, one: Collective) -> Array:
    command = group.view(one.command)[rows].astype(np.float64)
    if one.maximum is None:
        return command
    name, component = one.maximum
    maximum = group.view(name)[rows, component].astype(np.float64)
    return command / np.where(maximum > 0.0, maximum, 1.0)  # it may have no controllers


def _of_motors(group: Group, rows: Rows) -> Array:
    motors = np.array([actuator.is_motor for actuator in group.ranges])
    commands = group.actuator_commands(rows)[:, motors]
    if not motors.any():
        return np.zeros(len(commands))
    thrust: Array = np.abs(commands.mean(axis=1))
    return thrust / max(actuator.high for actuator in group.ranges if actuator.is_motor)


def maximum_thrust(group: Group, rows: Rows) -> Array | None:
    """Return the collective thrust that is 1 when normalized [N], shape (k,).

    None of vehicles without one; 0 of those without controllers.
    """
    one = _of_newtons(group)
    if one is None or one.maximum is None:
        return None
    name, component = one.maximum
    return np.asarray(group.view(name)[rows, component], np.float64)


def assumed_weight(group: Group, rows: Rows) -> Array:
    """Return the weight that controllers with a `maximum_thrust` assume [N], shape (k,)."""
    one = _of_newtons(group)
    assert one is not None
    mass, gravity = (group.view(name)[rows].astype(np.float64) for name in (one.mass, one.gravity))
    return np.asarray(mass * gravity)


def _of_newtons(group: Group) -> Collective | None:
    return next((one for one in group.abilities.collective if one.maximum is not None), None)
