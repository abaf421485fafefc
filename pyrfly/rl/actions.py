"""Levels of actions: what the values of an action command, and how much 1 is of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi
from typing import Any

import numpy as np

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import Setpoint
from pyrfly.rl.tasks import Task
from pyrfly.sim import Sim
from pyrfly.sim.arguments import chosen_name

__all__ = ["ACTION_LEVELS", "ActionLevel", "action_level"]

ACTION_LEVELS = ("motor", "rate", "attitude", "velocity", "position")
"""Names of the levels, for all tasks and vehicles alike."""

FASTEST = 5.0
"""Largest velocity set-point [m/s], or the limit of the vehicle if that is less; estimated."""

FARTHEST = 5.0
"""Largest distance of a position set-point from the middle on each axis [m]; estimated."""

BEYOND = 2.0
"""How far position set-points reach beyond the gates of a race [m]; estimated."""


@dataclass(frozen=True)
class ActionLevel:
    """How actions become commands.

    Attributes
    ----------
    name : str
        One of `ACTION_LEVELS`.
    values : tuple of (column or None, component, offset, scale)
        Where each value a of an action goes: offset + scale a. None is an angle of ``attitude``.
    attitude : str, optional
        Column of a quaternion that three angles are written to.
    mask : int
        The active set-points, bits of `Setpoint`; none for commands of the motors, which turn the
        controllers off.
    centred : str, optional
        Column whose offset is the hover of the parameter set, so that an action of 0 holds.
    """

    name: str
    values: tuple[tuple[str | None, int, float, float], ...]
    attitude: str | None = None
    mask: int = 0
    centred: str | None = None

    def prepare(self, sim: Sim) -> None:
        """Turn the controllers of a `Sim` on or off, and arm its vehicles.

        Set-points that hold a position, or carry the vehicle, are those before the first action.
        """
        group = sim.groups[0]
        sim.controllers = self.mask != 0
        sim.arm()
        if not self.mask:
            return
        sim.select().write("setpoint_mask", self.mask)
        for column, component, offset, _ in self.values:
            if column == "pos_sp":
                group.view(column)[:, component] = offset
            elif column == "thrust_sp":
                group.view(column)[:] = _hover_thrust(sim)


def action_level(name: str, sim: Sim, task: Task, hover_centred: bool = False) -> ActionLevel:
    """Return a level of actions for the vehicles of a `Sim` of one parameter set.

    Parameters
    ----------
    name : str
        One of `ACTION_LEVELS`.
    sim : Sim
        The vehicles, as they start: their commands are those of the hover.
    task : Task
        Where set-points of positions are about.
    hover_centred : bool
        Whether an action of 0 holds a vehicle.

    Raises
    ------
    ValueError
        There is no level of this name.
    ParameterError
        The vehicles have no such command.
    """
    level = _LEVELS[chosen_name("action", name, ACTION_LEVELS)](sim, task)
    group = sim.groups[0]
    if hover_centred:
        level = _centred(level, sim)
    for column in {value[0] or level.attitude for value in level.values}:
        if column not in {field.name for field in group.fields}:
            raise ParameterError(f"action: {group.name!r} takes no actions {name!r}")
    return level


def _hover_thrust(sim: Sim) -> float:
    """Return the normalized collective thrust that carries a vehicle."""
    mass, gravity, limits = (
        sim.groups[0].view(name)[0] for name in ("mass", "gravity", "thrust_limit")
    )
    return float(mass) * float(gravity) / float(limits[1])


def _centred(level: ActionLevel, sim: Sim) -> ActionLevel:
    """Return a level with the hover in the middle of its throttles or its collective thrust."""

    def middle(column: str | None, component: int, offset: float, scale: float) -> Any:
        if column == "throttle":
            offset = float(sim.groups[0].view(column)[0, component])
        elif column == "thrust_sp":
            offset = _hover_thrust(sim)
        else:
            return column, component, offset, scale
        return column, component, offset, max(offset, 1.0 - offset)

    values = tuple(middle(*value) for value in level.values)
    found = {value[0] for value in values} & {"throttle", "thrust_sp"}
    return replace(level, values=values, centred=found.pop() if found else None)


def _columns(
    column: str | None, scales: list[float], offsets: list[float] | None = None
) -> tuple[tuple[str | None, int, float, float], ...]:
    starts = offsets or [0.0] * len(scales)
    return tuple(
        (column, k, start, scale)
        for k, (start, scale) in enumerate(zip(starts, scales, strict=True))
    )


def _motor(sim: Sim, _: Task) -> ActionLevel:
    parameters = sim.groups[0].parameters
    (column,) = command_columns(parameters.c_type)
    # rotors turn one way, wheels both
    offset, scale = (0.5, 0.5) if column == "throttle" else (0.0, 1.0)
    count = parameters.actuator_count
    return ActionLevel("motor", _columns(column, [scale] * count, [offset] * count))


_THRUST = (("thrust_sp", 0, 0.5, 0.5),)


def _limit(sim: Sim, column: str, most: float) -> float:
    fields = {field.name for field in sim.groups[0].fields}
    if column not in fields:
        return most
    return min(most, float(np.min(sim.groups[0].view(column))))


def _rate(sim: Sim, _: Task) -> ActionLevel:
    fields = {field.name for field in sim.groups[0].fields}
    level, about_down = (
        sim.groups[0].view("rate_limit")[0].astype(float) if "rate_limit" in fields else (0.0, 0.0)
    )
    rates = _columns("rate_sp", [level, level, about_down])
    return ActionLevel("rate", (*_THRUST, *rates), mask=Setpoint.BODY_RATE | Setpoint.THRUST)


def _attitude(sim: Sim, _: Task) -> ActionLevel:
    tilt = _limit(sim, "tilt_limit", pi / 4)
    angles = _columns(None, [tilt, tilt, pi])
    mask = Setpoint.ATTITUDE | Setpoint.THRUST
    return ActionLevel("attitude", (*_THRUST, *angles), "att_sp", mask)


def _velocity(sim: Sim, _: Task) -> ActionLevel:
    level = _limit(sim, "speed_limit", FASTEST)
    up = min(_limit(sim, "climb_limit", FASTEST), _limit(sim, "descent_limit", FASTEST))
    values = (*_columns("vel_sp", [level, level, up]), ("yaw_rate_sp", 0, 0.0, pi / 2))
    return ActionLevel("velocity", values, mask=Setpoint.VELOCITY | Setpoint.YAW_RATE)


def _position(_: Sim, task: Task) -> ActionLevel:
    middle, reach = np.array(task.goal), np.full(3, FARTHEST)
    if task.gates:
        gates = np.array(task.gates)[:, :3]
        middle = gates.mean(axis=0)
        reach = np.maximum(np.abs(gates - middle).max(axis=0) + BEYOND, FARTHEST)
    values = (*_columns("pos_sp", reach.tolist(), middle.tolist()), ("yaw_sp", 0, 0.0, pi))
    return ActionLevel("position", values, mask=Setpoint.POSITION | Setpoint.YAW)


_LEVELS = {
    "motor": _motor,
    "rate": _rate,
    "attitude": _attitude,
    "velocity": _velocity,
    "position": _position,
}
