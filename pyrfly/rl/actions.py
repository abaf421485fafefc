"""Levels of actions: what the values of an action command, and how much 1 is of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import Setpoint
from pyrfly.rl.tasks import Task
from pyrfly.sim import Sim
from pyrfly.sim.arguments import chosen_name, true_or_false
from pyrfly.sim.trim import trim

__all__ = ["ACTION_LEVELS", "ActionLevel", "action_level"]

ACTION_LEVELS = ("motor", "rate", "attitude", "velocity", "position")
"""Names of the levels, for all tasks and vehicles alike."""

FASTEST = 5.0
"""Largest velocity set-point [m/s], or the limit of the vehicle if that is less; estimated."""

FARTHEST = 5.0
"""Largest distance of a position set-point from the middle on each axis [m]; estimated."""

BEYOND = 2.0
"""How far position set-points reach beyond the gates of a race [m]; estimated."""


class Value(NamedTuple):
    """Where a value a of an action goes: offset + scale a.

    Attributes
    ----------
    column : str or None
        The column; None is an angle of `ActionLevel.attitude`.
    component : int
        Of the column.
    offset, scale : float
        In the unit of the column.
    limits : tuple of (str, int)
        Columns and components that the scale of a vehicle does not exceed.
    """

    column: str | None
    component: int
    offset: float
    scale: float
    limits: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ActionLevel:
    """How actions become commands.

    Attributes
    ----------
    name : str
        One of `ACTION_LEVELS`.
    values : tuple of Value
        Where each value of an action goes.
    attitude : str, optional
        Column of a quaternion that three angles are written to.
    mask : int
        The active set-points, bits of `Setpoint`; none for commands of the motors, which turn the
        controllers off.
    centred : str, optional
        Column whose offset is the hover of the first vehicle; each has its own in proportion.
    """

    name: str
    values: tuple[Value, ...]
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
        for value in self.values:
            if value.column == "pos_sp":
                group.view(value.column)[:, value.component] = value.offset
            elif value.column == "thrust_sp":
                group.view(value.column)[:] = _hover_thrust(sim)


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
    if true_or_false("hover_centred", hover_centred):
        level = _centred(level, sim)
    for column in {value.column or level.attitude for value in level.values}:
        if column not in {field.name for field in group.fields}:
            raise ParameterError(f"action: {group.name!r} takes no actions {name!r}")
    return level


def _hover_thrust(sim: Sim) -> NDArray[Any]:
    """Return the normalized collective thrusts that carry the vehicles."""
    group = sim.groups[0]
    weight = group.view("mass") * group.view("gravity")
    return np.asarray(weight / group.view("thrust_limit")[:, 1])


def _centred(level: ActionLevel, sim: Sim) -> ActionLevel:
    """Return a level with the hover in the middle of its throttles or its collective thrust."""
    columns = {value.column for value in level.values}
    if "throttle" in columns:
        centred, middles = "throttle", _hover_throttles(sim)
    elif "thrust_sp" in columns:
        centred, middles = "thrust_sp", _hover_thrust(sim)[:1]
    else:
        return level
    values = tuple(
        value._replace(offset=float(middles[value.component])) if value.column == centred else value
        for value in level.values
    )
    return replace(level, values=values, centred=centred)


def _hover_throttles(sim: Sim) -> NDArray[Any]:
    """Return the throttles with which the first vehicle hovers in still air."""
    still = np.zeros((1, 3))
    try:
        point = trim(sim.groups[0], np.array([0]), still, np.zeros(1), still)
    except ParameterError as error:
        raise ParameterError(f"hover_centred: {error}") from None
    return np.asarray(point.inputs["throttle"][0])


def _columns(
    column: str | None,
    scales: Sequence[float],
    offsets: Sequence[float] | None = None,
    limits: Sequence[tuple[tuple[str, int], ...]] | None = None,
) -> tuple[Value, ...]:
    count = len(scales)
    starts, least = offsets or [0.0] * count, limits or [()] * count
    return tuple(Value(column, k, starts[k], scales[k], least[k]) for k in range(count))


_ONE_WAY = ("throttle", "engine_throttle")
"""Commands of 0 to 1; the others are -1 to 1."""


def _motor(sim: Sim, _: Task) -> ActionLevel:
    group = sim.groups[0]
    widths = {field.name: field.width for field in group.fields}
    actions: tuple[Value, ...] = ()
    for column in command_columns(group.parameters.c_type):
        offset, scale = (0.5, 0.5) if column in _ONE_WAY else (0.0, 1.0)
        count = min(widths[column], group.parameters.actuator_count)
        actions += _columns(column, [scale] * count, [offset] * count)
    return ActionLevel("motor", actions)


_THRUST = Value("thrust_sp", 0, 0.5, 0.5)


def _limits(sim: Sim, *names: str) -> tuple[tuple[str, int], ...]:
    """Return those of the columns that the vehicles have."""
    fields = {field.name for field in sim.groups[0].fields}
    return tuple((name, 0) for name in names if name in fields)


def _rate(sim: Sim, _: Task) -> ActionLevel:
    fields = {field.name for field in sim.groups[0].fields}
    fastest = inf if "rate_limit" in fields else 0.0
    limits = [(("rate_limit", k),) if fastest else () for k in (0, 0, 1)]
    rates = _columns("rate_sp", [fastest] * 3, limits=limits)
    return ActionLevel("rate", (_THRUST, *rates), mask=Setpoint.BODY_RATE | Setpoint.THRUST)


def _attitude(sim: Sim, _: Task) -> ActionLevel:
    tilt = _limits(sim, "tilt_limit")
    angles = _columns(None, [pi / 4, pi / 4, pi], limits=[tilt, tilt, ()])
    mask = Setpoint.ATTITUDE | Setpoint.THRUST
    return ActionLevel("attitude", (_THRUST, *angles), "att_sp", mask)


def _velocity(sim: Sim, _: Task) -> ActionLevel:
    level, up = _limits(sim, "speed_limit"), _limits(sim, "climb_limit", "descent_limit")
    values = _columns("vel_sp", [FASTEST] * 3, limits=[level, level, up])
    mask = Setpoint.VELOCITY | Setpoint.YAW_RATE
    return ActionLevel("velocity", (*values, Value("yaw_rate_sp", 0, 0.0, pi / 2)), mask=mask)


def _position(_: Sim, task: Task) -> ActionLevel:
    middle, reach = np.array(task.goal), np.full(3, FARTHEST)
    if task.gates:
        gates = np.array(task.gates)[:, :3]
        middle = gates.mean(axis=0)
        reach = np.maximum(np.abs(gates - middle).max(axis=0) + BEYOND, FARTHEST)
    values = (*_columns("pos_sp", reach.tolist(), middle.tolist()), Value("yaw_sp", 0, 0.0, pi))
    return ActionLevel("position", values, mask=Setpoint.POSITION | Setpoint.YAW)


_LEVELS = {
    "motor": _motor,
    "rate": _rate,
    "attitude": _attitude,
    "velocity": _velocity,
    "position": _position,
}
